"""What the table is told without a screen: the lights at the points."""

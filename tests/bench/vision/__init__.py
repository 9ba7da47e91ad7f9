"""Every figure of the vision in one run: see __main__."""

"""calibration: where the board lies in the picture, how big its parts are, and what it looks like."""

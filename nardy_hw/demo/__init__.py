"""The recorded game of `nardy-hw demo`: rendered footage of ours, its calibration and the calibration's reference."""

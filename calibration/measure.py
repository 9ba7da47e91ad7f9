"""Measures the board from a picture of its rectified field: bar edges, point length, checker radius.

A small network looks at the whole field, because each cue alone fails on some board: the bar may be flat or raised,
the points carved or painted, the checkers few. Trained on rendered boards of random sizes
(nardy_hw.vision.training.checkers --what geometry).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field import Picture, rectify


@cache
def _net() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(
        np.frombuffer(files("calibration").joinpath("weights/geometry.onnx").read_bytes(), np.uint8)
    )


def measure(picture: Picture, corners: NDArray[np.float32]) -> tuple[tuple[float, float], float, float]:
    """(bar edges, point length, checker radius) as the fractions of `Geometry`. corners: (4, 2), see Geometry."""
    small = rectify(picture, corners)[::2, ::2]
    net = _net()
    net.setInput(cv2.dnn.blobFromImage(np.ascontiguousarray(small), 1 / 255))
    a, b, length, radius = (float(v) for v in net.forward()[0])
    # The network is fitted to boards within these bounds; outside them it only guesses.
    return (
        (min(max(a, 0.42), 0.49), min(max(b, 0.51), 0.58)),
        min(max(length, 0.32), 0.48),
        min(max(radius, 0.025), 0.042),
    )

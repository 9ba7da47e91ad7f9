"""Finds the trays: is there one beyond the right wall of the field, and beyond the left one?

A small network looks at a strip beside the field, from a little inside it to where a tray would end. Trained on
rendered boards (nardy_hw.vision.training.trays).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field import Picture
from calibration.file import Trays
from calibration.geometry import FIELD_CORNERS

INSIDE, OUTSIDE, BEYOND = 0.08, 0.26, 0.06
"""The strip, in fractions of the field: so far into it, so far outside it, and beyond its near and its far end."""

WIDTH, HEIGHT = 48, 96
"""Pixels of a strip."""

IN_VIEW = 0.75
"""Share of the strip that must lie in the picture for anything to be said of it. Photographs: two boards whose trays
the picture cuts, 0.72 in view, are decided wrongly, four with 0.78 and more rightly."""

SURE = 0.95
"""Probability from which a side is decided. 487 renders in view, most of them rendered after the network was trained:
468 are surer than this and one of these is wrong, which has a hand in it; of the 9 from 0.9 on another one is."""


@dataclass(frozen=True, slots=True)
class FoundTrays:
    """trays: what was found, None where it is doubtful. sure: probability of the less certain side, 0..1."""

    trays: Trays | None
    sure: float


@cache
def _net() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(
        np.frombuffer(files("calibration").joinpath("weights/find_trays.onnx").read_bytes(), np.uint8)
    )


def strips(picture: Picture, corners: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """The strips right and left of the field, (2, HEIGHT, WIDTH, 3), and how much of each is in view, (2,).

    The field is on the left of each strip: the left one is mirrored. corners: (4, 2), as in Geometry.
    """
    cut, seen = [], []
    whole = np.full(picture.shape[:2], 255, np.uint8)
    for right in (True, False):
        x = np.array([1 - INSIDE, 1 + OUTSIDE] if right else [INSIDE, -OUTSIDE], np.float32)
        box = np.array([[x[0], 1 + BEYOND], [x[1], 1 + BEYOND], [x[1], -BEYOND], [x[0], -BEYOND]], np.float32)
        to_picture = cv2.getPerspectiveTransform(FIELD_CORNERS, corners.astype(np.float32))
        at = cv2.perspectiveTransform(box[None], to_picture)[0].astype(np.float32)
        target = np.array([[0, HEIGHT], [WIDTH, HEIGHT], [WIDTH, 0], [0, 0]], np.float32)
        matrix = cv2.getPerspectiveTransform(at, target)
        shrink = max(1, int(np.hypot(*(at[3] - at[0])) / (1.5 * HEIGHT)))
        smooth = cv2.blur(picture, (shrink, shrink)) if shrink > 1 else picture
        cut.append(cv2.warpPerspective(smooth, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE))
        seen.append(float(cv2.warpPerspective(whole, matrix, (WIDTH, HEIGHT)).mean()) / 255)
    return np.stack(cut).astype(np.uint8), np.array(seen, np.float32)


def find_trays(picture: Picture, corners: NDArray[np.float32]) -> FoundTrays:
    """The trays of a board whose field is known."""
    cut, seen = strips(picture, corners)
    net = _net()
    net.setInput(cv2.dnn.blobFromImages(list(cut), 1 / 255))
    there = 1 / (1 + np.exp(-np.asarray(net.forward(), np.float64).ravel()))
    sure = float(np.maximum(there, 1 - there).min())
    if sure < SURE or seen.min() < IN_VIEW:
        return FoundTrays(None, min(sure, 0.5) if seen.min() < IN_VIEW else sure)
    right, left = (bool(p > 0.5) for p in there)
    return FoundTrays("both" if right and left else "right" if right else "left" if left else "none", sure)

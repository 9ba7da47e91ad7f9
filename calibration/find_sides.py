"""Follows the four sides of the playing field when it is roughly known where they run: corners to a pixel or so.

A strip along each side, outside up, goes through a small network that says for each of its columns how deep the field
ends there. A line through what the columns say is not misled by the few that a checker, a hand or a hinge covers; two
lines meet in a corner, whether it can be seen or not. Trained on rendered and drawn boards
(nardy_hw.vision.training.find_sides).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field import Picture
from calibration.geometry import FIELD_CORNERS

Floats = NDArray[np.float32]

LONG, DEEP = 192, 64
"""A strip's size in pixels: along the side, and across it."""

COLUMNS, BINS = 24, 32
"""The network's answer: for each column a distribution over depth."""

RANGE, END = 0.16, 0.06
"""A strip reaches this far to either side of where the side should be, and beyond its ends: fractions of the field."""

GREY = 128
"""What lies outside the picture."""

OUTWARD = np.array([[0, 1], [1, 0], [0, -1], [-1, 0]], np.float32)
"""Out of the field across the near, right, far and left side; side k runs from corner k to corner k + 1."""

KIND = (0, 2, 1, 2)
"""Which of the network's answers is meant: a near wall hides the field's edge, a far one shows its face."""

ALONG = -END + (1 + 2 * END) * (np.arange(COLUMNS) + 0.5) / COLUMNS
"""Where the columns lie: 0 at corner k, 1 at corner k + 1."""

OUT = RANGE * (1 - 2 * (np.arange(BINS) + 0.5) / BINS)
"""How far outside a bin lies."""


@dataclass(frozen=True, slots=True)
class Sides:
    """corners: (4, 2) pixels of the picture. clear: for each side how concentrated the columns' answers are, 0 to 1.

    rough: for each side how far columns stray from its line (weighted mean, fraction of the field).
    """

    corners: Floats
    clear: NDArray[np.float64]
    rough: NDArray[np.float64]


@cache
def _net() -> cv2.dnn.Net:
    data = files("calibration").joinpath("weights/find_sides.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))


def shrunk(picture: Picture, corners: Floats, across: int) -> tuple[Picture, Floats]:
    """Picture and corners reduced so that the field is about 1.25 `across` wide: sampling a bigger one would alias."""
    scale = 1.25 * across / max(1.0, float(np.hypot(*(corners[1] - corners[0]))))
    if scale > 0.8:
        return picture, corners
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), ((corners + 0.5) * scale - 0.5).astype(np.float32)


def strips(picture: Picture, corners: Floats) -> Picture:
    """(4, DEEP, LONG, 3): near, right, far, left side; row 0 outermost, column 0 at the side's first corner."""
    picture, corners = shrunk(picture, corners, LONG)
    matrix = cv2.getPerspectiveTransform(FIELD_CORNERS, corners)
    out = np.empty((4, DEEP, LONG, 3), np.uint8)
    for k in range(4):
        start, end, outward = FIELD_CORNERS[k], FIELD_CORNERS[(k + 1) % 4], OUTWARD[k]
        step, down = (1 + 2 * END) / LONG, 2 * RANGE / DEEP
        field = np.eye(3)
        field[:2, 0] = (end - start) * step
        field[:2, 1] = -outward * down
        field[:2, 2] = start + (end - start) * (step / 2 - END) + outward * (RANGE - down / 2)
        out[k] = cv2.warpPerspective(
            picture,
            matrix @ field,
            (LONG, DEEP),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderValue=(GREY,) * 3,
        )
    return out


def upright(corners: Floats) -> bool:
    """Do these go round a convex field, near-left first?"""
    edges = np.roll(corners, -1, axis=0) - corners
    turn = edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1)
    return bool((turn < 0).all())


def follow(picture: Picture, corners: Floats) -> Sides | None:
    """The corners (4, 2) mended: each side may run up to RANGE from where they have it. None: no field comes out."""
    net = _net()
    net.setInput(cv2.dnn.blobFromImages(list(strips(picture, corners)), 1 / 255))
    answer = net.forward()[np.arange(4), KIND].astype(np.float64)
    share = np.exp(answer - answer.max(1, keepdims=True))
    share /= share.sum(1, keepdims=True)
    # a column's depth is the mean about its peak: far bins are other candidates, not doubt about this one
    reach = np.abs(np.arange(BINS)[None, :, None] - share.argmax(1)[:, None]) <= 2
    mass = (share * reach).sum(1)
    depth = (share * reach * OUT[:, None]).sum(1) / mass
    within = (ALONG > 0.05) & (ALONG < 0.95)
    lines, rough = [], []
    for k in range(4):
        line, stray = _line(ALONG[within], depth[k, within], mass[k, within] ** 2)
        lines.append(line)
        rough.append(stray)
    # in the field's fractions: points on side k at its two ends, pushed out by what its line says
    ends = [
        (FIELD_CORNERS[k] + OUTWARD[k] * a, FIELD_CORNERS[(k + 1) % 4] + OUTWARD[k] * (a + b))
        for k, (a, b) in enumerate(lines)
    ]
    cross = [np.cross([*p, 1], [*q, 1]) for p, q in ends]
    met = np.array([np.cross(cross[k - 1], cross[k]) for k in range(4)])
    if (np.abs(met[:, 2]) < 1e-6).any():
        return None
    field = (met[:, :2] / met[:, 2:]).astype(np.float32)
    if not upright(field):
        return None
    moved = cv2.perspectiveTransform(field[None], cv2.getPerspectiveTransform(FIELD_CORNERS, corners))[0]
    return Sides(np.asarray(moved, np.float32), mass[:, within].mean(1), np.array(rough))


def _line(
    x: NDArray[np.float64], y: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[tuple[float, float], float]:
    """(a, b) of y = a + b x by least squares, what lies far off weighing less each time; the weighted mean distance."""
    w, b, off = weight, 0.0, y
    for _ in range(8):
        mx, my = (w * x).sum() / w.sum(), (w * y).sum() / w.sum()
        b = (w * (x - mx) * (y - my)).sum() / max(1e-9, (w * (x - mx) ** 2).sum())
        off = np.abs(y - my - b * (x - mx))
        w = weight / (1 + (off / 0.01) ** 2)
    return (float(my - b * mx), float(b)), float((weight * np.minimum(off, 0.1)).sum() / weight.sum())

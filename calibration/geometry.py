"""Where the playing field lies in the picture, and how big its parts are.

Lengths on the board are fractions: x of the field's width (0 = left end), y of its height (0 = far rail), as the
camera sees it. Pixels follow OpenCV: (0, 0) is the centre of the top-left pixel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.errors import CornersError

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]

FIELD_CORNERS = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], np.float32)
"""Near-left, near-right, far-right, far-left in field fractions."""

MIN_SIDE = 64
"""Pixels; a point is then 5 px wide and a checker 4: below that nothing can be told apart."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """One board under one camera.

    size: (width, height) of the picture in pixels. corners: the field's inner corners on its surface, in pixels,
    near-left, near-right, far-right, far-left. bar: its two edges. point_length: a triangle's length, as a fraction
    of the height. checker_radius: at checker-top height, as a fraction of the width.
    Raises CornersError when the corners cannot be a field.
    """

    size: tuple[int, int]
    corners: Corners
    bar: tuple[float, float]
    point_length: float
    checker_radius: float

    def __post_init__(self) -> None:
        check_corners(self.corners, self.size)
        a, b = self.bar
        if not 0.3 < a < b < 0.7:
            raise CornersError(
                f"bar edges {a:g} and {b:g} are fractions of the field's width near the middle, left first"
            )
        if not 0.2 < self.point_length < 0.5:
            raise CornersError(f"point_length {self.point_length:g} is a fraction of the field's height, 0.2 to 0.5")
        if not 0.015 < self.checker_radius < 0.06:
            raise CornersError(
                f"checker_radius {self.checker_radius:g} is a fraction of the field's width, 0.015 to 0.06"
            )

    def point_x(self, place: int) -> tuple[float, float]:
        """(centre, width) of place 1..24, as fractions of the field's width."""
        column = place - 1 if place <= 12 else 24 - place  # 0 = right end
        a, b = self.bar
        if column < 6:
            width = (1 - b) / 6
            return 1 - (column + 0.5) * width, width
        width = a / 6
        return a - (column - 6 + 0.5) * width, width


def parse_corners(text: str) -> Corners:
    """Corners from "x,y x,y x,y x,y". Raises CornersError."""
    try:
        points = [tuple(float(v) for v in part.split(",")) for part in text.split()]
    except ValueError:
        raise CornersError(f"corners are four pairs of numbers 'x,y x,y x,y x,y', not {text!r}") from None
    if len(points) != 4 or any(len(p) != 2 or not np.isfinite(p).all() for p in points):
        raise CornersError(f"corners are four pairs of numbers 'x,y x,y x,y x,y', not {text!r}")
    (a, b, c, d) = ((float(p[0]), float(p[1])) for p in points)
    return a, b, c, d


def check_corners(corners: Corners, size: tuple[int, int]) -> None:
    """Raises CornersError unless the corners go round a convex field of useful size inside the picture."""
    width, height = size
    c = np.array(corners, np.float64)
    # A wall may hide a corner and a tight picture may cut it: 5% outside is still a field that can be read.
    slack = 0.05 * np.array([width, height])
    names = ("near-left", "near-right", "far-right", "far-left")
    for name, (x, y) in zip(names, c, strict=True):
        if not (-slack[0] <= x <= width + slack[0] and -slack[1] <= y <= height + slack[1]):
            raise CornersError(f"corner {name} ({x:g},{y:g}) lies outside the {width}x{height} picture")
    edges = np.roll(c, -1, axis=0) - c
    turn = edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1)
    # Near-left, near-right, far-right, far-left runs counter-clockwise as seen: with y down every turn is negative.
    if not (turn < 0).all():
        raise CornersError("corners are crossed or out of order: near-left, near-right, far-right, far-left")
    if np.hypot(*edges.T).min() < MIN_SIDE:
        raise CornersError(f"the field is too small: each side needs at least {MIN_SIDE} pixels")

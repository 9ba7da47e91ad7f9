"""The rectified field: one small upright picture of the board, and the strips that the checker reader looks at."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import FIELD_CORNERS, Geometry

Picture = NDArray[np.uint8]

# The rectified field is just big enough for the strips to be cut from it about 1:1.
WIDTH, HEIGHT, MARGIN = 276, 230, 16
STRIP_LENGTH, STRIP_WIDTH = 128, 32

# A strip reaches from beyond the rail (tops of checkers lean out there under a slanting camera: 12.5 mm thick at
# 35 degrees is 2% of the height) to beyond the middle, and half a point to either side.
RAIL_NEAR, RAIL_FAR, REACH, HALF = 0.03, 0.035, 0.56, 0.75

STRIPS = 26
"""Places 1..24, then the bar's near half and far half."""


def rectify(picture: Picture, corners: NDArray[np.float32]) -> Picture:
    """The field with its margin, (HEIGHT + 2 MARGIN, WIDTH + 2 MARGIN, 3). corners: as in Geometry, shape (4, 2)."""
    span = float(np.hypot(*(corners[1] - corners[0])))
    scale = 1.25 * WIDTH / span
    if scale < 0.8:  # averaging first: sampling a bigger picture directly would alias wood grain and rings
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        corners = (corners + 0.5) * scale - 0.5
    target = FIELD_CORNERS * [WIDTH, HEIGHT] + MARGIN
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
    size = (WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN)
    return cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[return-value]


def strips(field: Picture, geometry: Geometry) -> Picture:
    """The strips of a rectified field, (26, STRIP_LENGTH, STRIP_WIDTH, 3): row 0 = towards the middle, last = the rail.

    Bar halves run from the middle of the board (last row) outward.
    """
    out = np.empty((STRIPS, STRIP_LENGTH, STRIP_WIDTH, 3), np.uint8)
    for place in range(1, 25):
        centre, width = geometry.point_x(place)
        y0, y1 = (1 + RAIL_NEAR, 1 - REACH) if place <= 12 else (-RAIL_FAR, REACH)
        out[place - 1] = _cut(field, centre, HALF * width, y0, y1)
    centre, width = sum(geometry.bar) / 2, (1 - geometry.bar[1] + geometry.bar[0]) / 12
    out[24] = _cut(field, centre, HALF * width, 0.5 - 0.06, 1 + RAIL_NEAR)
    out[25] = _cut(field, centre, HALF * width, 0.5 + 0.06, -RAIL_FAR)
    return out


def _cut(field: Picture, x: float, half: float, rail: float, middle: float) -> Picture:
    source = np.array([[x - half, rail], [x + half, rail], [x - half, middle]]) * [WIDTH, HEIGHT] + MARGIN
    target = np.array([[0, STRIP_LENGTH], [STRIP_WIDTH, STRIP_LENGTH], [0, 0]], np.float32) - 0.5
    matrix = cv2.getAffineTransform(source.astype(np.float32) - 0.5, target)
    return cv2.warpAffine(
        field, matrix, (STRIP_WIDTH, STRIP_LENGTH), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )  # type: ignore[return-value]

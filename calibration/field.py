"""The rectified field: one small upright picture of the board, and its two sides as the checker reader sees them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import FIELD_CORNERS

Picture = NDArray[np.uint8]

# The rectified field is just big enough for the sides to be cut from it about 1:1.
WIDTH, HEIGHT, MARGIN = 276, 230, 16
POINT, LENGTH = 24, 112
"""Pixels of a side's picture: a point's width, and a strip's length from beyond its rail to beyond the middle."""

EDGE = POINT // 3
ACROSS = 13 * POINT + 2 * EDGE
"""Six points, the bar, six points, and a little of the frame at either end."""

# A strip reaches from beyond the rail (tops of checkers lean out there under a slanting camera: 12.5 mm thick at
# 35 degrees is 2% of the height) to beyond the middle.
RAIL_NEAR, RAIL_FAR, REACH = 0.03, 0.035, 0.56

PLACES = (*range(12, 6, -1), 25, *range(6, 0, -1)), (*range(13, 19), 26, *range(19, 25))
"""The near and the far side's columns from the left: places 1..24, 25 the bar's near half, 26 its far half."""

STRIPS = 26


def rectify(picture: Picture, corners: NDArray[np.float32]) -> Picture:
    """The field with its margin, (HEIGHT + 2 MARGIN, WIDTH + 2 MARGIN, 3). corners: as in Geometry, shape (4, 2)."""
    span = float(np.hypot(*(corners[1] - corners[0])))
    shrink = max(1, int(span / (1.2 * WIDTH)))
    if shrink > 1:  # averaging first: sampling a bigger picture directly would alias wood grain and rings
        h, w = picture.shape[0] // shrink * shrink, picture.shape[1] // shrink * shrink
        # by a whole number: fast
        size = (w // shrink, h // shrink)
        picture = cv2.resize(picture[:h, :w], size, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        corners = np.asarray((corners + 0.5) / shrink - 0.5, np.float32)
    target = FIELD_CORNERS * [WIDTH, HEIGHT] + MARGIN
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
    size = (WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN)
    return cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[return-value]


def side_maps(bar: tuple[float, float]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where each pixel of the two sides lies in the rectified field: x (ACROSS,), y (2, LENGTH), in its pixels.

    Every point is POINT wide, and so is the bar, whatever their true widths.
    """
    a, b = bar
    column = (np.arange(ACROSS) + 0.5 - EDGE) / POINT  # in points from the field's left end
    left, right = column * a / 6, b + (column - 7) * (1 - b) / 6
    x = np.where(column < 6, left, np.where(column > 7, right, a + (column - 6) * (b - a)))
    step = (np.arange(LENGTH) + 0.5) / LENGTH  # 0 = beyond the middle, 1 = beyond the rail
    y = np.stack([1 - REACH + step * (RAIL_NEAR + REACH), REACH - step * (RAIL_FAR + REACH)])
    return (x * WIDTH + MARGIN).astype(np.float32), (y * HEIGHT + MARGIN).astype(np.float32)


def sides(field: Picture, bar: tuple[float, float]) -> Picture:
    """The near and the far side of a rectified field, (2, LENGTH, ACROSS, 3), columns as in PLACES.

    Row 0 lies beyond the middle of the board, the last row beyond the rail: the far side is seen upside down.
    """
    x, y = side_maps(bar)
    maps = [np.meshgrid(x, rows) for rows in y]
    return np.stack([cv2.remap(field, mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for mx, my in maps])

"""Strokes that stay readable on any picture: text with an edge, tags, hatching, dashes. All draw in place."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]
"""Pixels (x, y), shape (n, 2)."""
Colour = tuple[int, int, int]
"""Blue, green, red."""

FONT = cv2.FONT_HERSHEY_SIMPLEX
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def text(
    picture: Picture,
    centre: Points,
    words: str,
    height: float,
    ink: Colour,
    edge: Colour | None = None,
    most: float | None = None,
) -> None:
    """Words in one line of digits `height` pixels high, with an edge of another colour where the ground is unknown.

    most: pixels that they may take; they are made smaller where they would take more.
    """
    if most is not None:
        height *= min(1.0, most / text_width(words, height))
    scale, thick = _font(height)
    (w, h), _ = cv2.getTextSize(words, FONT, scale, thick)
    at = round(centre[0] - w / 2), round(centre[1] + h / 2)
    if edge is not None:
        cv2.putText(picture, words, at, FONT, scale, edge, thick + 2 * max(1, thick), cv2.LINE_AA)
    cv2.putText(picture, words, at, FONT, scale, ink, thick, cv2.LINE_AA)


def text_width(words: str, height: float) -> int:
    """Pixels that `text` takes."""
    return int(cv2.getTextSize(words, FONT, *_font(height))[0][0])


def _font(height: float) -> tuple[float, int]:
    return height / 22, max(1, round(height / 10))  # at scale 1 a digit of this font is 22 pixels high


def line(picture: Picture, points: Points, colour: Colour, width: int) -> None:
    """A line with a dark edge."""
    for ink, wide in ((BLACK, width + 2), (colour, width)):
        cv2.polylines(picture, [np.round(points).astype(np.int32)], False, ink, wide, cv2.LINE_AA)


def dashes(picture: Picture, points: Points, colour: Colour, width: int) -> None:
    """A line of dashes, with a dark edge."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    along = np.r_[0, steps.cumsum()]
    dash = 6.0 * width
    for start in np.arange(0, along[-1], 2 * dash):
        ends = np.linspace(start, min(start + dash, along[-1]), 3)
        line(picture, np.stack([np.interp(ends, along, points[:, i]) for i in (0, 1)], 1), colour, width)


def hatch(picture: Picture, outline: Points, colour: Colour, width: int) -> None:
    """Slanting lines within an outline."""
    low, high = np.floor(outline.min(0)).astype(int), np.ceil(outline.max(0)).astype(int) + 1
    low, high = np.maximum(low, 0), np.minimum(high, picture.shape[1::-1])
    w, h = high - low
    if min(w, h) < 1:
        return
    inside, lines = np.zeros((h, w), np.uint8), np.zeros((h, w), np.uint8)
    cv2.fillPoly(inside, [np.round(outline - low).astype(np.int32)], 255)
    for start in range(-h, w, 6 * width):
        cv2.line(lines, (start, h), (start + h, 0), 255, width, cv2.LINE_AA)
    cover = (np.minimum(inside, lines) / 255)[..., None]
    part = picture[low[1] : high[1], low[0] : high[0]]
    part[:] = (part * (1 - cover) + np.array(colour) * cover).astype(np.uint8)


def box(centre: Points, width: float, height: float) -> Points:
    """A rectangle's corners, (4, 2)."""
    return np.asarray(centre) + np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2


def fill(picture: Picture, outline: Points, colour: Colour, cover: float = 1.0) -> None:
    """An outline filled; cover below 1 lets the picture through."""
    layer = picture if cover == 1 else picture.copy()
    cv2.fillPoly(layer, [np.round(outline).astype(np.int32)], colour, cv2.LINE_AA)
    if cover < 1:
        cv2.addWeighted(layer, cover, picture, 1 - cover, 0, picture)

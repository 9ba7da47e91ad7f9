"""The rectified field and its two sides, on pictures drawn so that each place has a colour of its own."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.field import EDGE, HEIGHT, LENGTH, MARGIN, PLACES, POINT, WIDTH, rectify, sides
from calibration.geometry import Geometry

BAR = (0.46, 0.53)


def picture(scale: int) -> tuple[np.ndarray, np.ndarray]:
    """A board whose place p is painted in grey 9 p from its rail to the middle, bar halves 230 and 240; its corners."""
    width, height = 300 * scale, 250 * scale
    corners = np.array([[0, height], [width, height], [width, 0], [0, 0]], np.float32) + 20 * scale
    g = Geometry((width + 40 * scale, height + 40 * scale), tuple(map(tuple, corners.tolist())), BAR, 0.4, 0.03)  # type: ignore[arg-type]
    out = np.zeros((height + 40 * scale, width + 40 * scale, 3), np.uint8)
    for place in range(1, 27):
        centre, across = g.point_x(place) if place <= 24 else (sum(BAR) / 2, BAR[1] - BAR[0])
        x0, x1 = (round((centre + s * across / 2) * width) + 20 * scale for s in (-1, 1))
        near = place <= 12 or place == 25
        y0, y1 = (height // 2, height) if near else (0, height // 2)
        grey = 9 * place if place <= 24 else 230 if near else 240
        out[y0 + 20 * scale : y1 + 20 * scale, x0:x1] = grey
    return out, corners


@pytest.mark.parametrize("scale", [1, 2, 5])
def test_each_column_of_a_side_shows_its_own_place(scale: int) -> None:
    drawn, corners = picture(scale)
    field = rectify(drawn, corners)
    assert field.shape == (HEIGHT + 2 * MARGIN, WIDTH + 2 * MARGIN, 3)
    cut = sides(field, BAR)
    for side, places in enumerate(PLACES):
        for column, place in enumerate(places):
            x = EDGE + POINT * column
            seen = cut[side, LENGTH // 4 : LENGTH * 4 // 5, x + 3 : x + POINT - 3]
            wanted = 9 * place if place <= 24 else 230 if place == 25 else 240
            assert abs(seen.astype(int) - wanted).max() <= 3, place


def test_the_last_row_lies_beyond_the_rail() -> None:
    drawn, corners = picture(2)
    cut = sides(rectify(drawn, corners), BAR)
    assert (cut[:, -2:, 30:-30] < 40).all()  # black frame
    assert (cut[:, -9, EDGE + 3 : EDGE + POINT - 3] > 90).all()  # places 12 and 13 begin there


def test_a_slanting_picture_gives_the_same_field() -> None:
    drawn, corners = picture(2)
    h, w = drawn.shape[:2]
    slant = np.array([[60, h - 10], [w - 30, h - 40], [w - 90, 30], [110, 50]], np.float32)
    whole = np.array([[0, h], [w, h], [w, 0], [0, 0]], np.float32)
    matrix = cv2.getPerspectiveTransform(whole, slant)
    seen = cv2.warpPerspective(drawn, matrix, (w, h))
    moved = cv2.perspectiveTransform(corners[:, None], matrix)[:, 0]
    a, b = sides(rectify(drawn, corners), BAR), sides(rectify(np.asarray(seen, np.uint8), moved), BAR)
    assert np.abs(a.astype(int) - b).mean() < 4

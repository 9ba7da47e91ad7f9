"""Finds the playing field in a picture: its four inner corners, and how sure that is.

A small network sees the whole picture, shrunk, and says of each cell whether it is field and where on the field it
lies: from many cells together follows roughly where the field is, even if a hand lies on it or a corner is out of
sight. Another look, at the field straightened by the first, mends that; `find_sides` then follows the sides to a pixel
or so. Trained on rendered and drawn boards (nardy_hw.vision.training.find).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CornersError
from calibration.field import Picture
from calibration.find_sides import GREY, Sides, follow, shrunk, upright
from calibration.geometry import FIELD_CORNERS, Corners, check_corners

Floats = NDArray[np.float32]

CANVAS, CELL = (256, 192), 4
"""What the network sees and one cell of its answer, in pixels."""

INSET = 0.925
"""The picture takes this share of the canvas, the rest is grey: a corner just outside it still lies on the canvas."""

STRAIGHT = np.array([[36, 165], [219, 165], [219, 26], [36, 26]], np.float32)
"""Where the second look puts the field's corners on the canvas."""

MEASURED = (0.1, 0.22, 0.4, 0.95, 0.97, 0.985), (0.0, 0.2, 0.6, 0.68, 0.9, 0.99)
"""agree * clear, and the share of right finds. Of 300 hard views (small, dark, covered, cut off; boards kept back or
drawn, or none): below 0.15 none of 16, to 0.3 3 of 16, to 0.5 12 of 20, to 0.9 13 of 21, to 0.97 27 of 40, above 135
of 136."""

SURE = 0.9
"""Finds are accepted from here on: of 108 pictures as people take them 96, all of them right."""

LEAST = 0.62
"""Below this nothing is proposed. 90 pictures without a board (dice, faces, bricks, text) reached 0.611 at most."""

SAME = 0.01
"""Finds are one where no corner is farther apart, as a share of the picture's diagonal."""

STILL = 0.002
"""Of the field's width: sides that move less than this are not followed again."""

SMALLEST = 0.012
"""Of the canvas that is field: less is chance."""

DARKEST = 40
"""The brightest hundredth of a picture that shows anything reaches at least this, of 255."""

SOFTEST = 8.0
"""Pixels of a field 512 wide over which its sharpest edges run. Renders and photographs as taken: 2.6 to 5.7; blurred
by 4 such pixels (0.8% of the field; a die's pips are gone): 8.6 and more."""


@dataclass(frozen=True, slots=True)
class Found:
    """corners: as in Geometry, or None where no field is to be seen or it cannot be used.

    sure: 0 to 1, the share of finds like this that are right: each corner within 1.5% of the picture's diagonal.
    doubt: why a person has to look, for a message; empty when the corners can be used as they are.
    """

    corners: Corners | None
    sure: float
    doubt: str = ""


@cache
def _net() -> cv2.dnn.Net:
    data = files("calibration").joinpath("weights/find.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))


def inset(picture: Picture) -> tuple[Picture, Floats]:
    """The whole picture on a canvas, and the matrix from its pixels to the canvas's."""
    height, width = picture.shape[:2]
    scale = INSET * min(CANVAS[0] / width, CANVAS[1] / height)
    w, h = max(1, round(width * scale)), max(1, round(height * scale))
    x, y = (CANVAS[0] - w) // 2, (CANVAS[1] - h) // 2
    canvas = np.full((CANVAS[1], CANVAS[0], 3), GREY, np.uint8)
    canvas[y : y + h, x : x + w] = cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA)
    a, b = w / width, h / height
    return canvas, np.array([[a, 0, x + a / 2 - 0.5], [0, b, y + b / 2 - 0.5], [0, 0, 1]], np.float32)


def straightened(picture: Picture, corners: Floats) -> tuple[Picture, Floats]:
    """The field upright on a canvas, and the matrix from the picture's pixels to the canvas's."""
    small, moved = shrunk(picture, corners, int(STRAIGHT[1, 0] - STRAIGHT[0, 0]))
    matrix = cv2.getPerspectiveTransform(moved, STRAIGHT)
    canvas = cv2.warpPerspective(small, matrix, CANVAS, borderValue=(GREY,) * 3)
    return np.asarray(canvas, np.uint8), np.asarray(cv2.getPerspectiveTransform(corners, STRAIGHT), np.float32)


def look(canvas: Picture) -> Floats | None:
    """The field's corners on the canvas, (4, 2); None where no field is seen."""
    net = _net()
    net.setInput(cv2.dnn.blobFromImage(canvas, 1 / 255))
    answer = net.forward()[0]
    y, x = np.mgrid[: answer.shape[1], : answer.shape[2]].astype(np.float32) * CELL + (CELL - 1) / 2
    field = answer[0] > 0
    if field.mean() < SMALLEST:
        return None
    place, at = answer[1:3, field].T.astype(np.float32), np.stack([x[field], y[field]], 1)
    matrix = cv2.findHomography(place, at, cv2.RANSAC, 4.0)[0]
    if matrix is None:
        return None
    corners = cv2.perspectiveTransform(FIELD_CORNERS[None], matrix)[0]
    if not upright(corners) or np.abs(corners).max() > 4 * CANVAS[0]:  # crossed, or beyond the horizon
        return None
    return np.asarray(corners, np.float32)


@dataclass(frozen=True, slots=True)
class _Find:
    """corners: (4, 2) pixels of the picture. agree: the share of all tries that came out there too.

    clear, rough: of the least clear and of the roughest side, see Sides.
    """

    corners: Floats
    agree: float
    clear: float
    rough: float

    @property
    def sure(self) -> float:
        """The share of finds like this that are right."""
        return float(np.interp(self.agree * self.clear, *MEASURED))


def _mirrored(corners: Floats, width: int) -> Floats:
    return (np.array([width - 1, 0]) + corners * [-1, 1])[[1, 0, 3, 2]].astype(np.float32)


def _start(picture: Picture) -> Floats | None:
    """Roughly where the field is: the mean of what both looks say. None: no field."""
    corners: Floats | None = None
    for _ in range(2):
        canvas, matrix = inset(picture) if corners is None else straightened(picture, corners)
        seen = look(canvas)
        if seen is None:
            return None
        here = np.asarray(cv2.perspectiveTransform(seen[None], np.linalg.inv(matrix))[0], np.float32)
        corners = here if corners is None else np.asarray((corners + here) / 2, np.float32)
    return corners


def _sides(picture: Picture, corners: Floats) -> Sides | None:
    """The sides followed from rough corners until they stand, which is mostly the second or third time."""
    for _ in range(4):
        sides = follow(picture, corners)
        if sides is None:
            return None
        moved = np.hypot(*(sides.corners - corners).T).max()
        corners = sides.corners
        if moved < STILL * np.hypot(*(corners[1] - corners[0])):
            break
    return sides


def _upright(picture: Picture) -> _Find | None:
    """The field of a board that stands upright in the picture. None: no field.

    A mirror's board is a board: both pictures are looked at, and the sides are followed in both from each start and
    from the mean of the two. A side taken for another edge of the frame is seldom taken for the same in all six.
    """
    width = picture.shape[1]
    other = np.ascontiguousarray(picture[:, ::-1])
    starts = [_start(picture), _start(other)]
    if starts[1] is not None:
        starts[1] = _mirrored(starts[1], width)
    known = [start for start in starts if start is not None]
    if not known:
        return None
    tries: list[Sides] = []
    for start in (*known, np.asarray(np.mean(known, axis=0), np.float32)):
        if (sides := _sides(picture, start)) is not None:
            tries.append(sides)
        if (sides := _sides(other, _mirrored(start, width))) is not None:
            tries.append(replace(sides, corners=_mirrored(sides.corners, width)))
    if not tries:
        return None
    best = max(tries, key=lambda sides: float(sides.clear.mean()))
    apart = [float(np.hypot(*(sides.corners - best.corners).T).max()) for sides in tries]
    same = np.array(apart) < SAME * math.hypot(*picture.shape[:2])
    corners = np.mean([sides.corners for sides, is_same in zip(tries, same, strict=True) if is_same], axis=0)
    return _Find(corners.astype(np.float32), float(same.sum()) / 6, float(best.clear.min()), float(best.rough.max()))


def _turned(picture: Picture) -> _Find | None:
    """The field of a board that lies turned by a quarter, its near side on the right. None: no field."""
    best: _Find | None = None
    for quarters in (1, -1):  # either way round it is a board: the surer one
        seen = _upright(np.ascontiguousarray(np.rot90(picture, quarters)))
        if seen is not None and (best is None or seen.sure > best.sure):
            x, y = seen.corners.T
            if quarters == 1:  # near on the left: the same field seen from the other side
                corners = np.stack([picture.shape[1] - 1 - y, x], 1)[[2, 3, 0, 1]]
            else:
                corners = np.stack([y, picture.shape[0] - 1 - x], 1)
            best = replace(seen, corners=corners.astype(np.float32))
    return best


def find(picture: Picture) -> Found:
    """The field's corners in a BGR picture of any size, near = bottom. Takes about a second on a Pi."""
    if np.quantile(picture[::4, ::4].max(2), 0.99) < DARKEST:
        return Found(None, 0.0, "the picture is almost black: put on a light, uncover the camera")
    seen = _upright(picture)
    if seen is None or seen.sure < SURE:
        turned = _turned(picture)
        if turned is not None and turned.sure > max(LEAST, seen.sure if seen else 0.0):
            doubt = "the board lies turned by a quarter, its near side is taken to be the right one"
            return _judged(picture, turned.corners, turned.sure, doubt)
    if seen is None or seen.sure < LEAST:
        return Found(None, 0.0, "no board is to be seen: show the whole board from above, without hands on it")
    doubt = "" if seen.sure >= SURE else f"only {seen.sure:.0%} sure of the corners"
    return _judged(picture, seen.corners, seen.sure, doubt)


def _judged(picture: Picture, corners: NDArray[np.floating], sure: float, doubt: str) -> Found:
    """The find, or what is wrong with the picture that it was made in."""
    (a, b, c, d) = ((round(float(x), 2), round(float(y), 2)) for x, y in corners)
    try:
        check_corners((a, b, c, d), (picture.shape[1], picture.shape[0]))
    except CornersError as error:
        return Found(None, 0.0, f"{error}: the whole board has to be in the picture, and fill most of it")
    if softness(picture, corners.astype(np.float32)) > SOFTEST:
        return Found(None, 0.0, "the picture is blurred: focus the camera on the board")
    return Found((a, b, c, d), sure, doubt)


def softness(picture: Picture, corners: Floats) -> float:
    """Over how many pixels of a field 512 wide its sharpest edges run: the step there by its steepest slope."""
    target = FIELD_CORNERS * np.array([511, 399], np.float32)
    small, moved = shrunk(picture, corners, 512)
    matrix = cv2.getPerspectiveTransform(moved, target)
    field = cv2.warpPerspective(small, matrix, (512, 400)).max(2).astype(np.float32)
    field = np.asarray(cv2.GaussianBlur(field, (0, 0), 0.7), np.float32)  # noise is no edge
    near = np.ones((1, 25), np.uint8)
    step = (cv2.dilate(field, near) - cv2.erode(field, near))[:, 1:-1]
    slope = cv2.dilate(np.abs(field[:, 2:] - field[:, :-2]) / 2, near)
    strong = step > np.quantile(step, 0.9)
    return float(1 / max(1e-3, np.median((slope / np.maximum(step, 8))[strong])))

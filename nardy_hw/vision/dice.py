"""The dice reader: where dice lie, what their top faces show, and whether they lie flat.

A small network marks the dice on the rectified field; a second one looks at each mark at the picture's own resolution,
turned so that side faces point down, and says what is there: nothing, or 1 to 6, flat, cocked or on a checker. Trained
on rendered boards and drawn dice (nardy_hw.vision.training.dice).
"""

from __future__ import annotations

import math
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field import Picture
from calibration.geometry import FIELD_CORNERS
from nardy_hw.vision.checkers import load
from nardy_hw.vision.observation import DieReading

Array = NDArray[np.float32]

FIELD = (640, 524)
"""The field within the rectified picture: a die is then 12 to 22 pixels."""

MARGIN = 52
"""Around it: dice lean on the frame, and tall ones are seen beyond it."""

SIZE = (FIELD[0] + 2 * MARGIN, FIELD[1] + 2 * MARGIN)
CELL = 4
CROP = 48
SIDE = 38.0
"""Rectified pixels that a crop covers: two dice and a half."""

FOCAL = 0.75
"""Focal length by the picture's longer side, as usual for cameras above a table: it only says where 'down' is."""

MARK = -2.0
"""Logit of the heat map from which a place is looked at."""

SURE = 0.5
"""Probability that a mark is a die, below which nothing is said of it."""

APART = 9.0
"""Rectified pixels; two marks nearer than that are one die."""

MOST = 8
"""Marks looked at in one picture: two players' dice and some doubt."""

STATES: tuple[Literal["flat", "cocked", "on_checker"], ...] = ("flat", "cocked", "on_checker")


class DiceReader:
    """Reads all dice on and around the field of one picture."""

    def __init__(self) -> None:
        self._find = load("dice_find.onnx")
        self._read = load("dice_read.onnx")

    def read(self, picture: Picture, corners: Array) -> tuple[DieReading, ...]:
        """picture: BGR. corners: (4, 2) pixels, near-left, near-right, far-right, far-left."""
        corners = np.asarray(corners, np.float32)
        self._find.setInput(cv2.dnn.blobFromImage(rectify(picture, corners), 1 / 255))
        back = np.linalg.inv(matrix(corners))
        readings = []
        for x, y, _ in peaks(self._find.forward()[0, 0], MARK)[:MOST]:
            cell = crop(picture, corners, (x, y), CROP, SIDE, down(picture, corners, (x, y)))
            self._read.setInput(cv2.dnn.blobFromImages([cell, cv2.flip(cell, 1)], 1 / 255))
            out = self._read.forward().mean(0)
            what, how = _softmax(out[:7]), _softmax(out[7:])
            die = 1 - float(what[0])
            if die < SURE:
                continue
            values = what[1:] / what[1:].sum()
            at = cv2.perspectiveTransform(np.array([[[x, y]]], np.float32), back)[0, 0]
            readings.append(
                DieReading(
                    value=int(values.argmax()) + 1,
                    state=STATES[int(how.argmax())],
                    half="left" if x < SIZE[0] / 2 else "right",
                    centre=(float(at[0]), float(at[1])),
                    confidence=die * float(values.max()),
                    values=tuple(float(v) for v in values),
                )
            )
        return tuple(readings)


def matrix(corners: Array) -> NDArray[np.float64]:
    """3x3: picture -> rectified picture."""
    return cv2.getPerspectiveTransform(corners, (FIELD_CORNERS * FIELD + MARGIN).astype(np.float32)).astype(np.float64)


def rectify(picture: Picture, corners: Array) -> Picture:
    """The field with its margin, SIZE."""
    span = float(np.hypot(*(corners[1] - corners[0])))
    scale = 1.3 * FIELD[0] / span
    if scale < 0.8:  # as for the checkers: average before sampling
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        corners = ((corners + 0.5) * scale - 0.5).astype(np.float32)
    return np.asarray(cv2.warpPerspective(picture, matrix(corners), SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def down(picture: Picture, corners: Array, at: tuple[float, float]) -> float:
    """The direction at `at`, radians in the rectified picture, in which upright edges run down: to the camera."""
    h, w = picture.shape[:2]
    camera = np.array([[FOCAL * max(h, w), 0, w / 2], [0, FOCAL * max(h, w), h / 2], [0, 0, 1]])
    to_field = matrix(corners)
    horizon = to_field.T @ (0, 0, 1)
    foot = to_field @ camera @ camera.T @ horizon
    return math.atan2(*(np.sign(foot[2]) * (foot[:2] - foot[2] * np.array(at)))[::-1])


def crop(
    picture: Picture, corners: Array, at: tuple[float, float], pixels: int, side: float, down: float
) -> Picture:
    """A square of the rectified field around `at`, `side` across, `down` at its bottom, cut from the picture itself."""
    c, s = pixels / side * math.sin(down), pixels / side * math.cos(down)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    turn[:2, 2] = pixels / 2 - 0.5 - turn[:2, :2] @ at
    size = (pixels, pixels)
    return np.asarray(
        cv2.warpPerspective(picture, turn @ matrix(corners), size, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def peaks(heat: Array, least: float) -> list[tuple[float, float, float]]:
    """(x, y, logit) in rectified pixels of the heat map's local maxima, the highest first."""
    top = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= top) & (heat > least))
    order = np.argsort(-heat[rows, columns])
    found: list[tuple[float, float, float]] = []
    for i in order[: 4 * MOST]:
        r, c = int(rows[i]), int(columns[i])
        # the centre of mass of the neighbourhood: a cell is a quarter of a die
        r0, c0 = max(r - 1, 0), max(c - 1, 0)
        weight = 1 / (1 + np.exp(-heat[r0 : r + 2, c0 : c + 2]))
        gy, gx = np.mgrid[r0 : r0 + weight.shape[0], c0 : c0 + weight.shape[1]]
        x = float((gx * weight).sum() / weight.sum()) * CELL + CELL / 2 - 0.5
        y = float((gy * weight).sum() / weight.sum()) * CELL + CELL / 2 - 0.5
        if all((x - a) ** 2 + (y - b) ** 2 > APART**2 for a, b, _ in found):
            found.append((x, y, float(heat[r, c])))
    return found


def _softmax(x: Array) -> Array:
    e = np.exp(x - x.max())
    return np.asarray(e / e.sum(), np.float32)

"""The dice reader: where dice lie, what their top faces show, and whether they lie flat.

A small network marks the dice on the rectified field; a second one looks at each mark at the picture's own resolution
and at what lies around it, turned so that side faces point down, and says what is there: nothing, or 1 to 6, flat,
cocked or on a checker. Trained on rendered boards and drawn dice (nardy_hw.vision.training.dice).
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

FIELD = (448, 368)
"""The field within the rectified picture: a die is then 9 to 17 pixels."""

MARGIN = 32
"""Around it: dice lean on the frame, and tall ones are seen beyond it."""

SIZE = (FIELD[0] + 2 * MARGIN, FIELD[1] + 2 * MARGIN)
CELL = 8
CROP = 48
SIDE = 26.6
"""Rectified pixels across that a crop covers: two dice and a half."""

WIDER = 2.0
"""A second, coarser crop covers so much more: whether a die is on a checker or against the frame is seen around it."""

FOCAL = 0.75
"""Focal length by the picture's longer side, as usual for cameras above a table: it only says how a die is seen."""

TALL = (0.7, 1.4)
"""Limits of a rectified pixel's length by its width: boards a fifth wider or narrower than usual, and some doubt about
the lens. Square faces must be seen square, or a die that lies askew would look as if it leaned."""

MARK = -1.5
"""Logit of the heat map from which a place is looked at: above it are 1712 of 1717 dice on 497 held-out renders, with
six inlays, rings and highlights a picture, which the second network then tells from dice."""

SURE = 3.0
"""Log odds of a die, as both networks have it together, below which nothing is said of a mark: 1690 of those 1717 dice
are kept, with 12 false ones in the 497 pictures. The second network's word alone loses as many at twice the false."""

CLEAR = 0.98
"""Probability of what is seen at the first look from which there is no second one, at its mirror image."""

TILTED = 0.12
"""Probability of lying flat below which a die is called cocked or on a checker, having learnt from as many tilted dice
as flat ones: on 56 renders of strewn dice that were kept back 8 of 893 flat dice are called so and 640 of 771 tilted
ones, at 0.5 33 and 704. A throw wrongly refused is worse than one wrongly read."""

APART = 8.0
"""Rectified pixels; two marks nearer than that are one die: the smallest dice are 9 pixels wide."""

TOUCHING, TOUCHING_SURE = 11.0, 0.95
"""Rectified pixels nearer than which two readings are of touching dice or of one die; and how sure the less sure of
the two must be to stand."""

BEYOND = 14
"""Rectified pixels beyond the field at which a die still counts: it may lean on the frame, not lie on the table."""

MOST = 32
"""Marks looked at in one picture."""

ENOUGH = 0.9
"""A picture may be halved while it keeps this share of the pixels that it is sampled at."""

STATES: tuple[Literal["flat", "cocked", "on_checker"], ...] = ("flat", "cocked", "on_checker")


class DiceReader:
    """Reads all dice on and around the field of one picture."""

    def __init__(self) -> None:
        self._find = load("dice_find.onnx")
        self._read = load("dice_read.onnx")

    def read(self, picture: Picture, corners: Array) -> tuple[DieReading, ...]:
        """picture: BGR. corners: (4, 2) pixels, near-left, near-right, far-right, far-left."""
        corners = np.asarray(corners, np.float32)
        field = rectify(picture, corners)
        self._find.setInput(cv2.dnn.blobFromImage(field, 1 / 255))
        back, camera = np.linalg.inv(matrix(corners)), eye(picture, corners)
        tall = tallness(picture, corners)
        near, near_corners = shrunk(picture, corners, FIELD[0] * CROP / SIDE)
        readings: list[tuple[float, float, DieReading]] = []
        for x, y, mark in peaks(self._find.forward()[0], MARK)[:MOST]:
            down, slant = view(camera, (x, y), tall)
            close = crop(near, near_corners, (x, y), CROP, SIDE, down, tall)
            cell = np.dstack([close, around(field, (x, y), CROP, SIDE * WIDER, down, tall)])
            out = self._look(cell, slant)
            what, how = _softmax(out[:7]), _softmax(out[7:])
            if what.max() < CLEAR or (what[0] < CLEAR and how.max() < CLEAR):
                out = np.asarray((out + self._look(cell[:, ::-1], slant)) / 2, np.float32)
                what, how = _softmax(out[:7]), _softmax(out[7:])
            if mark + float(np.logaddexp.reduce(out[1:7]) - out[0]) < SURE:
                continue
            die = 1 - float(what[0])
            values = what[1:] / what[1:].sum()
            at = cv2.perspectiveTransform(np.array([[[x, y]]], np.float32), back)[0, 0]
            reading = DieReading(
                value=int(values.argmax()) + 1,
                state=STATES[0] if how[0] >= TILTED else STATES[1 + int(how[1:].argmax())],
                half="left" if x < SIZE[0] / 2 else "right",
                centre=(float(at[0]), float(at[1])),
                confidence=die * float(values.max()),
                values=tuple(float(v) for v in values),
            )
            readings.append((x, y, reading))
        return _each_once(readings)

    def _look(self, cell: Picture, slant: float) -> Array:
        """(10,) logits of a close crop and a wide one (rows, columns, 6): no die and 1 to 6, then the three states."""
        blob = np.full((1, 7, CROP, CROP), slant, np.float32)
        blob[0, :3] = cell[..., :3].transpose(2, 0, 1) / np.float32(255)
        blob[0, 4:] = cell[..., 3:].transpose(2, 0, 1) / np.float32(255)
        self._read.setInput(blob)
        return np.array(self._read.forward()[0], np.float32)


def _each_once(readings: list[tuple[float, float, DieReading]]) -> tuple[DieReading, ...]:
    """Two marks on one die, its top and its side, are read as two: the surer one is kept, unless both are sure."""
    kept: list[tuple[float, float, DieReading]] = []
    for x, y, reading in sorted(readings, key=lambda entry: -entry[2].confidence):
        twin = any(math.hypot(x - a, y - b) < TOUCHING for a, b, _ in kept)
        if not twin or reading.confidence > TOUCHING_SURE:
            kept.append((x, y, reading))
    return tuple(reading for _, _, reading in kept)


def matrix(corners: Array) -> NDArray[np.float64]:
    """3x3: picture -> rectified picture."""
    return cv2.getPerspectiveTransform(corners, (FIELD_CORNERS * FIELD + MARGIN).astype(np.float32)).astype(np.float64)


def shrunk(picture: Picture, corners: Array, width: float) -> tuple[Picture, Array]:
    """The picture halved as long as the field's near edge stays about `width` pixels long: averaged, it can be sampled.

    Exact powers of two, which OpenCV averages ten times faster than other factors.
    """
    times = int(max(0.0, math.log2(float(np.hypot(*(corners[1] - corners[0]))) / (ENOUGH * width))))
    if times == 0:
        return picture, corners
    scale = 0.5**times
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), ((corners + 0.5) * scale - 0.5).astype(np.float32)


def rectify(picture: Picture, corners: Array) -> Picture:
    """The field with its margin, SIZE."""
    picture, corners = shrunk(picture, corners, FIELD[0])
    return np.asarray(cv2.warpPerspective(picture, matrix(corners), SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _to_ray(picture: Picture, corners: Array) -> NDArray[np.float64]:
    """3x3: rectified picture -> where the camera looks; the columns are the field's two directions and its corner."""
    h, w = picture.shape[:2]
    focal = FOCAL * max(h, w)
    camera = np.array([[focal, 0, w / 2], [0, focal, h / 2], [0, 0, 1]])
    return np.linalg.inv(matrix(corners) @ camera).astype(np.float64)


def eye(picture: Picture, corners: Array) -> NDArray[np.float64]:
    """Where the camera stands over the field: (x, y, height) in rectified pixels."""
    to_ray = _to_ray(picture, corners)
    x, y, origin = to_ray.T / math.sqrt(np.linalg.norm(to_ray[:, 0]) * np.linalg.norm(to_ray[:, 1]))
    at = np.linalg.solve(np.stack([x, y, np.cross(x, y)], 1), -origin)
    return np.array([at[0], at[1], abs(at[2])])


def tallness(picture: Picture, corners: Array) -> float:
    """How much longer a rectified pixel is on the table along y than along x: boards are not all of one shape."""
    x, y, _ = np.linalg.norm(_to_ray(picture, corners), axis=0)
    return float(np.clip(y / x, *TALL))


def view(eye: NDArray[np.float64], at: tuple[float, float], tall: float) -> tuple[float, float]:
    """How the camera sees a die at `at`: the direction in which its sides run down, radians on the table, and how
    obliquely, 0 from straight above, 1 from half way down."""
    x, y, height = eye
    across, along = (x - at[0]) / math.sqrt(tall), (y - at[1]) * math.sqrt(tall)
    return math.atan2(along, across), math.hypot(across, along) / height


def _turned(at: tuple[float, float], pixels: int, side: float, down: float, tall: float) -> NDArray[np.float64]:
    """3x3: rectified picture -> a square piece of the table around `at`, `side` across, `down` at its bottom."""
    c, s = pixels / side * math.sin(down), pixels / side * math.cos(down)
    turn = np.array([[c, -s * tall, 0], [s, c * tall, 0], [0, 0, 1]])
    turn[:2, 2] = pixels / 2 - 0.5 - turn[:2, :2] @ at
    return turn


def crop(
    picture: Picture, corners: Array, at: tuple[float, float], pixels: int, side: float, down: float, tall: float
) -> Picture:
    """A piece of the table, cut from the picture itself."""
    turn, size = _turned(at, pixels, side, down, tall) @ matrix(corners), (pixels, pixels)
    return np.asarray(cv2.warpPerspective(picture, turn, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def around(field: Picture, at: tuple[float, float], pixels: int, side: float, down: float, tall: float) -> Picture:
    """A wide piece of the table, cut from the rectified field."""
    turn, size = _turned(at, pixels, side, down, tall)[:2], (pixels, pixels)
    return np.asarray(cv2.warpAffine(field, turn, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def peaks(out: Array, least: float) -> list[tuple[float, float, float]]:
    """(x, y, logit) in rectified pixels of the marks on and near the field, the clearest first.

    out: (3, rows, columns): the logit of a die's centre, then its offset from the cell's middle in cells, x and y.
    """
    heat = out[0]
    rows, columns = np.nonzero(heat > least)
    edge = MARGIN - BEYOND
    found: list[tuple[float, float, float]] = []
    for i in np.argsort(-heat[rows, columns])[: 8 * MOST]:
        r, c = int(rows[i]), int(columns[i])
        x = float((c + out[1, r, c] + 0.5) * CELL - 0.5)
        y = float((r + out[2, r, c] + 0.5) * CELL - 0.5)
        inside = edge < x < SIZE[0] - edge and edge < y < SIZE[1] - edge
        if inside and all((x - a) ** 2 + (y - b) ** 2 > APART**2 for a, b, _ in found):
            found.append((x, y, float(heat[r, c])))
    return found


def _softmax(x: Array) -> Array:
    e = np.exp(x - x.max())
    return np.asarray(e / e.sum(), np.float32)

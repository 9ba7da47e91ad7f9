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
"""Focal length by the picture's longer side, as usual for cameras above a table: it only says how a die is seen."""

MARK = -2.0
"""Logit of the heat map from which a place is looked at: on held-out boards 811 of 812 dice are above it, with up
to 25 inlays, rings and highlights, which the second network then tells from dice."""

SURE = 0.8
"""Probability that a mark is a die, below which nothing is said of it: dice of held-out games come to over 0.99."""

NO_DIE = 0.9
"""Probability of no die at the first look from which there is no second one, at its mirror image. Nine marks in ten end
here, which halves the time; no reading of the held-out games and stills changes."""

TILTED = 0.2
"""Probability of lying flat below which a die is called cocked or on a checker. Held-out boards: 16 of 27 tilted dice
are called so, and of flat ones 5 of 117 on stills, none in one game, one in seven in the other (large glossy dice). A
throw wrongly refused is worse than one wrongly read."""

APART = 10.0
"""Rectified pixels; two marks nearer than that are one die: the smallest dice are 12 pixels wide."""

TOUCHING, TOUCHING_SURE = 16.0, 0.95
"""Rectified pixels nearer than which two readings are of touching dice or of one die; and how sure the less sure of
the two must be to stand. Seen twice in rendered games: at most 12 pixels apart, the lesser one up to 0.79."""

BEYOND = 20
"""Rectified pixels beyond the field at which a die still counts: it may lean on the frame, not lie on the table."""

MOST = 32
"""Marks looked at in one picture."""

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
        back, camera = np.linalg.inv(matrix(corners)), eye(picture, corners)
        readings: list[tuple[float, float, DieReading]] = []
        for x, y, _ in peaks(self._find.forward()[0], MARK)[:MOST]:
            down, slant = view(camera, (x, y))
            cell = crop(picture, corners, (x, y), CROP, SIDE, down)
            out = self._look(cell, slant)
            if _softmax(out[:7])[0] > NO_DIE:
                continue
            out += self._look(np.asarray(cv2.flip(cell, 1), np.uint8), slant)
            out /= 2
            what, how = _softmax(out[:7]), _softmax(out[7:])
            die = 1 - float(what[0])
            if die < SURE:
                continue
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
        """(10,) logits of one crop: no die and 1 to 6, then the three states."""
        blob = cv2.dnn.blobFromImage(cell, 1 / 255)
        self._read.setInput(np.concatenate([blob, np.full_like(blob[:, :1], slant)], 1))
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


def rectify(picture: Picture, corners: Array) -> Picture:
    """The field with its margin, SIZE."""
    span = float(np.hypot(*(corners[1] - corners[0])))
    scale = 1.3 * FIELD[0] / span
    if scale < 0.8:  # as for the checkers: average before sampling
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        corners = ((corners + 0.5) * scale - 0.5).astype(np.float32)
    return np.asarray(cv2.warpPerspective(picture, matrix(corners), SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def eye(picture: Picture, corners: Array) -> NDArray[np.float64]:
    """Where the camera stands over the field: (x, y, height) in rectified pixels."""
    h, w = picture.shape[:2]
    focal = FOCAL * max(h, w)
    camera = np.array([[focal, 0, w / 2], [0, focal, h / 2], [0, 0, 1]])
    to_ray = np.linalg.inv(matrix(corners) @ camera)
    x, y, origin = to_ray.T / math.sqrt(np.linalg.norm(to_ray[:, 0]) * np.linalg.norm(to_ray[:, 1]))
    at = np.linalg.solve(np.stack([x, y, np.cross(x, y)], 1), -origin)
    return np.array([at[0], at[1], abs(at[2])])


def view(eye: NDArray[np.float64], at: tuple[float, float]) -> tuple[float, float]:
    """How the camera sees a die at `at`: the direction in which its sides run down, radians in the rectified picture,
    and how obliquely, 0 from straight above, 1 from half way down."""
    x, y, height = eye
    return math.atan2(y - at[1], x - at[0]), math.hypot(y - at[1], x - at[0]) / height


def crop(picture: Picture, corners: Array, at: tuple[float, float], pixels: int, side: float, down: float) -> Picture:
    """A square of the rectified field around `at`, `side` across, `down` at its bottom, cut from the picture itself."""
    c, s = pixels / side * math.sin(down), pixels / side * math.cos(down)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    turn[:2, 2] = pixels / 2 - 0.5 - turn[:2, :2] @ at
    size = (pixels, pixels)
    return np.asarray(
        cv2.warpPerspective(picture, turn @ matrix(corners), size, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def peaks(out: Array, least: float) -> list[tuple[float, float, float]]:
    """(x, y, logit) in rectified pixels of the marks on and near the field, the clearest first.

    out: (3, rows, columns): the logit of a die's centre, then its offset from the cell's middle in cells, x and y.
    """
    heat = out[0]
    top = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= top) & (heat > least))
    edge = MARGIN - BEYOND
    found: list[tuple[float, float, float]] = []
    for i in np.argsort(-heat[rows, columns])[: 4 * MOST]:
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

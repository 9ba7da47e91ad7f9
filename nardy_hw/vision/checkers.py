"""The checker reader: colour and visible count for each point and the bar, from one rectified field.

Two small networks run by cv2.dnn. The first turns each strip (a point from its rail to beyond the middle) into 64
features; the second sees a strip's features beside its neighbours' and the whole board's, since which of two colours
is the lighter side only the board can tell. Trained on rendered boards (nardy_hw.vision.training.checkers).
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field import (
    HEIGHT,
    MARGIN,
    RAIL_NEAR,
    REACH,
    STRIP_LENGTH,
    STRIP_WIDTH,
    STRIPS,
    WIDTH,
    Picture,
    strips,
)
from calibration.file import Appearance
from calibration.geometry import Geometry

Array = NDArray[np.float32]

PRIOR = np.log(
    np.array([0.654, 0.140, 0.0895, 0.039, 0.025, 0.0214, 0.0083, 0.0046, 0.0027, 0.0025, *[0.0008] * 5, 0.0095])
).astype(np.float32)
"""Log of how often 0..15 checkers stand on a point of the training boards (counted over 13,493 points): taken out of
the network's answer, so that tables are likelihoods of what is seen, not beliefs about typical games."""


def load(name: str) -> cv2.dnn.Net:
    """A network of this package by the name of its weights."""
    return cv2.dnn.readNetFromONNX(
        np.frombuffer(files("nardy_hw.vision").joinpath("weights", name).read_bytes(), np.uint8)
    )


@dataclass(frozen=True, slots=True, eq=False)
class Strips:
    """What the networks say of 26 strips: places 1..24, the bar's near half, its far half.

    count: (26, 16) log-likelihoods of 0..15 visible checkers. colour: (26, 16, 3) log-probabilities of light, dark,
    mixed, were there that many.
    layers, hidden: (26,) probabilities that checkers lie on each other, that a hand or sleeve covers part of it.
    tone: (26, 3) blue, green, red where the first checker would lie, by those of the whole field, as logs.
    """

    count: Array
    colour: Array
    layers: Array
    hidden: Array
    tone: Array


class CheckerReader:
    """Reads the strips of one rectified field."""

    def __init__(self) -> None:
        self._strip_net = load("strips.onnx")
        self._board_net = load("board.onnx")

    def read(self, field: Picture, geometry: Geometry, appearance: Appearance) -> Strips:
        """field: from calibration.field.rectify. The appearance's biases are added."""
        cut = strips(field, geometry)
        self._strip_net.setInput(cv2.dnn.blobFromImages(list(cut), 1 / 255))
        features = self._strip_net.forward()
        self._board_net.setInput(with_context(np.asarray(features, np.float32)))
        out = np.asarray(self._board_net.forward(), np.float32)
        count = _log_softmax(out[:, :16])
        count[:24, 0] += appearance.empty
        tone = tones(cut, field, geometry)
        colour = _log_softmax(out[:, 16:19])
        lean = np.zeros(tone.shape[:2], np.float32)
        if appearance.tones is not None:
            light, dark = (np.array(t, np.float32) for t in appearance.tones)
            lean = np.clip(_distance(tone, dark) - _distance(tone, light), -TONE_MOST, TONE_MOST)
            lean[tone.mean(2) > light.mean() + GLARE] = 0
            lean[24:] = 0  # on the bar nobody knows where a checker lies
        return Strips(count - PRIOR, _told(colour, lean), _sigmoid(out[:, 19]), _sigmoid(out[:, 20]), tone[:, 0])


def _told(colour: Array, lean: Array) -> Array:
    """(26, 16, 3): log-probabilities of light, dark, mixed, were there 0..15 checkers.

    colour: (26, 3) of the network for the strip as a whole. lean: (26, SLOTS) nats for 'light' of the checker in each
    slot from the rail. The first and the outermost checker are asked: a stranger comes last.
    """
    colour = np.maximum(colour, COLOUR_FLOOR)
    first, told = lean[:, 0], []
    for n in range(16):
        last = lean[:, min(max(n, 1), SLOTS) - 1]
        like, unlike = (first + last) / 2, np.abs(first - last) / 2
        told.append(_log_softmax(colour + np.stack([like, -like, unlike if n > 1 else -np.abs(like)], 1)))
    return np.stack(told, 1)


def tones(cut: Picture, field: Picture, geometry: Geometry) -> Array:
    """(26, SLOTS, 3): blue, green, red of each checker's place from the rail, by those of the field, as logs."""
    scale = STRIP_LENGTH / (REACH + RAIL_NEAR)  # strip rows by heights of the field
    radius = geometry.checker_radius * WIDTH / HEIGHT * scale
    half, middle = max(2, round(radius / 2)), STRIP_WIDTH // 2
    board = field[MARGIN : MARGIN + HEIGHT, MARGIN : MARGIN + WIDTH].mean((0, 1))
    found = []
    for slot in range(SLOTS):
        row = max(half, STRIP_LENGTH - 1 - round(RAIL_NEAR * scale + radius * (2 * slot + 1)))
        checker = cut[:, row - half : row + half + 1, middle - half : middle + half + 1].mean((1, 2))
        found.append(np.log(checker + 4) - np.log(board + 4))
    return np.stack(found, 1).astype(np.float32)


COLOUR_FLOOR = -4.0
"""The network's word on a colour alone is wrong 1 time in 50 on boards that it has never seen; strangers in a column
of the other side's it hardly knows."""

SLOTS = 5
"""Checkers that lie in a column before the next ones go on top."""

BRIGHT_SPREAD, HUE_SPREAD = 0.25, 0.08
"""Log units by which checkers of one colour differ on one board, in brightness (glare, shadow) and in hue."""

GLARE = 0.12
"""Log units by which a place must outshine the light checkers to be a lamp's image, which has no colour to tell. Chosen
by eye (a glossy red column in one game is 0.2 above); it changed no figure of the four games."""

TONE_MOST = 12.0
"""Nats that a tone may say; the network's own word is worth 2 to 10."""


def with_context(f: Array) -> Array:
    """(26, 64) features -> (26, 321): own, left and right neighbour's, the board's mean and maximum, is it the bar."""
    points, zero = f[:24], np.zeros((1, f.shape[1]), np.float32)
    left = np.concatenate([points[1:], zero, zero, zero])
    right = np.concatenate([zero, points[:-1], zero, zero])
    whole = np.tile(np.concatenate([f.mean(0), f.max(0)]), (STRIPS, 1))
    is_bar = (np.arange(STRIPS) >= 24).astype(np.float32)[:, None]
    return np.concatenate([f, left, right, whole, is_bar], 1).astype(np.float32)


def _distance(tone: Array, of: Array) -> Array:
    """Minus the log-likelihood of each (..., 3) tone under a colour's, up to a constant."""
    off = tone - of
    bright = off.mean(-1, keepdims=True)
    apart = (bright[..., 0] / BRIGHT_SPREAD) ** 2 + (((off - bright) / HUE_SPREAD) ** 2).sum(-1)
    return np.asarray(apart / 2, np.float32)


def _log_softmax(x: Array) -> Array:
    x = x - x.max(1, keepdims=True)
    return np.asarray(x - np.log(np.exp(x).sum(1, keepdims=True)), np.float32)


def _sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)), np.float32)

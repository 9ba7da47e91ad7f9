"""The checker reader: colour and visible count for each point and the bar, from one rectified field.

Two small networks run by cv2.dnn. The first turns each side of the board, strip by strip (a point from its rail to
beyond the middle), into features; the second sees a strip's features beside the whole board's. Trained on rendered
boards (nardy_hw.vision.training.checkers).
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field import PLACES, STRIPS, Picture, sides
from calibration.file import Appearance
from calibration.geometry import Geometry
from nardy_hw.vision.colours import lean, log_softmax, settle, standing, told, tones

Array = NDArray[np.float32]

FEATURES, LOOKS = 80, 8
"""Numbers that the networks tell of a strip, and of what its checkers look like."""

CELL = 8
"""Pixels of a side's picture for which the first network says whether checkers are seen there."""

SPINE = 9
"""Cells along a strip's middle, counted from the rail, whose tones the second network is given."""

CONTEXT = FEATURES + 3 * (1 + SPINE) + 2 * FEATURES + 1
"""What the second network is given of a strip: its features, the tone of its checkers and along its middle, the board's
mean and maximum of the features, and whether it is the bar."""

DARKEST, TONE = 0.04, 2.0
"""Added to brightness (0..1) before its logarithm is taken; and what the logarithm is multiplied by."""

ORDER = np.argsort(np.array(PLACES).ravel())
"""Columns of the two sides -> strips of places 1..24, the bar's near half, its far half."""

PRIOR = np.log(np.array([0.654, 0.140, 0.0895, 0.039, 0.025, 0.0214, *[0.02] * 10])).astype(np.float32)
"""Log of how often 0..15 checkers stand on a point of the training boards (counted over 13,493 points): taken out of
the network's answer, so that tables are likelihoods of what is seen, not beliefs about typical games. From six on all
are given the share of five: they are rarer, but the network was trained to hold any count for possible at 1 in 1,600,
and divided by a true share of 1 in 1,250 that would say 'perhaps fourteen' of every point."""


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
    tone: (26, SLOTS, 3) blue, green, red where checkers 1..5 from the rail would lie, by the whole field's, as logs.
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
        cut = sides(field, geometry.bar)
        self._strip_net.setInput(cv2.dnn.blobFromImages(list(cut), 1 / 255))
        columns, where = (np.asarray(a, np.float32) for a in self._strip_net.forward(["out", "where"]))
        self._board_net.setInput(with_context(columns, where, cut))
        out = np.asarray(self._board_net.forward(), np.float32)
        count = log_softmax(out[:, :16])
        count[:24, 0] += appearance.empty
        hidden = _sigmoid(out[:, 20])
        tone = tones(cut, field, geometry.checker_radius)
        count[:24] = log_softmax(count[:24] + standing(tone, appearance))
        colour = log_softmax(out[:, 16:19])
        nats = settle(colour[:, 0] - colour[:, 1], out[:, 21:], (1 - np.exp(count[:, 0])).clip(0, 1) * (hidden < 0.5))
        both = np.logaddexp(colour[:, 0], colour[:, 1])
        decided = np.stack([both - np.logaddexp(0, -nats), both - np.logaddexp(0, nats), colour[:, 2]], 1)
        return Strips(count - PRIOR, told(decided, lean(tone, appearance)), _sigmoid(out[:, 19]), hidden, tone)


def with_context(columns: Array, where: Array, cut: Picture) -> Array:
    """(2, FEATURES, 1, 13), (2, 1, rows, cells), (2, LENGTH, ACROSS, 3) -> (26, CONTEXT)."""
    f = columns[:, :, 0].transpose(0, 2, 1).reshape(STRIPS, FEATURES)[ORDER]
    rows, cells = where.shape[2:]
    small = cut.reshape(2, rows, CELL, cells, CELL, 3).mean((2, 4), dtype=np.float32)
    tone = np.log(small / 255 + DARKEST)
    tone -= tone.mean((0, 1, 2))
    # the three cells of each column: the first and the last of the row lie beyond
    tone = tone[:, :, 1:-1].reshape(2, rows, -1, 3, 3) * TONE
    weight = _sigmoid(where[:, 0, :, 1:-1]).reshape(2, rows, -1, 3, 1) ** 2
    seen = (tone * weight).sum((1, 3)) / (weight.sum((1, 3)) + DARKEST)
    spine = tone[:, -SPINE:, :, 1].transpose(0, 2, 1, 3).reshape(STRIPS, 3 * SPINE)
    whole = np.tile(np.concatenate([f.mean(0), f.max(0)]), (STRIPS, 1))
    is_bar = (np.arange(STRIPS) >= 24).astype(np.float32)[:, None]
    return np.concatenate([f, seen.reshape(STRIPS, 3)[ORDER], spine[ORDER], whole, is_bar], 1).astype(np.float32)


def _sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)), np.float32)

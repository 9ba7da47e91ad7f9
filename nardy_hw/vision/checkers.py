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

from calibration.field import STRIPS, Picture, strips
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

    count: (26, 16) log-likelihoods of 0..15 visible checkers. colour: (26, 3) log-probabilities of light, dark, mixed.
    layers, hidden: (26,) probabilities that checkers lie on each other, that a hand or sleeve covers part of it.
    """

    count: Array
    colour: Array
    layers: Array
    hidden: Array


class CheckerReader:
    """Reads the strips of one rectified field."""

    def __init__(self) -> None:
        self._strip_net = load("strips.onnx")
        self._board_net = load("board.onnx")

    def read(self, field: Picture, geometry: Geometry, appearance: Appearance) -> Strips:
        """field: from calibration.field.rectify. The appearance's biases are added."""
        self._strip_net.setInput(cv2.dnn.blobFromImages(list(strips(field, geometry)), 1 / 255))
        features = self._strip_net.forward()
        self._board_net.setInput(with_context(features))
        out = self._board_net.forward() / TEMPERATURE
        count = _log_softmax(out[:, :16])
        count[:24, 0] += appearance.empty
        logits = out[:, 16:19].copy()
        logits[:, 0] += appearance.colour
        count = count - PRIOR
        return Strips(count, _log_softmax(logits), _sigmoid(out[:, 19]), _sigmoid(out[:, min(20, out.shape[1] - 1)]))


# Fitted on held-out stills and games: the networks' own probabilities are a little too sure (tests/bench/vision.py).
TEMPERATURE = 1.0


def with_context(f: Array) -> Array:
    """(26, 64) features -> (26, 321): own, left and right neighbour's, the board's mean and maximum, is it the bar."""
    points, zero = f[:24], np.zeros((1, f.shape[1]), np.float32)
    left = np.concatenate([points[1:], zero, zero, zero])
    right = np.concatenate([zero, points[:-1], zero, zero])
    whole = np.tile(np.concatenate([f.mean(0), f.max(0)]), (STRIPS, 1))
    is_bar = (np.arange(STRIPS) >= 24).astype(np.float32)[:, None]
    return np.concatenate([f, left, right, whole, is_bar], 1).astype(np.float32)


def _log_softmax(x: Array) -> Array:
    x = x - x.max(1, keepdims=True)
    return x - np.log(np.exp(x).sum(1, keepdims=True))


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))

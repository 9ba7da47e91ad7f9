"""What the eyes say: values only, no rules, no pictures. The one module of vision that the referee imports.

Places are the board's points 1..24 in the calibration's layout numbering (White's side), the bar, and the trays.
Signed counts: +n light checkers, -n dark ones. A log-likelihood table has 31 entries, index n + 15 for signed
count n in -15..15: log P(picture | n checkers there), up to a constant; flat where nothing can be said, saturating
where checkers may lie in layers ('at least n').
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float32]
"""Log-likelihoods over signed counts -15..15, shape (31,)."""

FLAT: Table = np.zeros(31, np.float32)
FLAT.setflags(write=False)
FLAT_MIXED: Table = np.zeros(16, np.float32)
FLAT_MIXED.setflags(write=False)


@dataclass(frozen=True, slots=True, eq=False)
class PlaceReading:
    """One point as seen. `count` is the visible count; `confidence` its calibrated probability.

    mixed: log-likelihoods, on the table's scale, of 0..15 checkers of both colours among each other, shape (16,).
    """

    table: Table
    mixed: Table
    colour: Literal["light", "dark", "mixed"] | None
    count: int
    at_least: bool = False
    occluded: bool = False
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die as seen. centre: (x, y) in pixels of the frame. half: the picture's half, as the camera sees it.

    values: the probabilities of 1..6, so that a doubtful read is never held against a player; value is their best.
    """

    value: int
    state: Literal["flat", "cocked", "on_checker"]
    half: Literal["left", "right"]
    centre: tuple[float, float]
    confidence: float
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """One frame, read. `still`: nothing has moved since the last frames; `hand`: something covers the field.

    points: 24 readings, index 0 = point 1 of the layout. bar_light, bar_dark: log-likelihoods of 0..15 checkers of
    that colour on the bar, shape (16,). reason: why nothing could be read, in words; empty where something was. When
    `still` is false or `field_found` is false nothing else is to be trusted.
    """

    t: float
    frame: int
    points: tuple[PlaceReading, ...]
    bar_light: NDArray[np.float32]
    bar_dark: NDArray[np.float32]
    dice: tuple[DieReading, ...]
    still: bool = True
    hand: bool = False
    field_found: bool = True
    reason: str = ""

"""The eyes: a frame in, an `Observation` out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.field import rectify
from calibration.file import Calibration
from nardy_hw.vision.checkers import PRIOR, CheckerReader, Strips
from nardy_hw.vision.dice import DiceReader
from nardy_hw.vision.learn import from_position
from nardy_hw.vision.observation import FLAT, FLAT_MIXED, Observation, PlaceReading
from nardy_hw.vision.registration import Registration
from nardy_hw.vision.sources.frame import Frame
from nardy_hw.vision.stillness import Stillness

HIDDEN = 0.5
"""Probability above which a place counts as covered."""

LAYERS = 0.5
"""Probability above which checkers lie on each other, so that the count seen is a lower bound."""

FULL, FULL_DOUBT = 5, 0.4
"""From five checkers on, counts differ by at most this many nats: on held-out boards 9 of 10 wrong counts are a column
of five or six taken for one with more on top of it, or the other way round."""

MIXED_RARE = 4.0
"""Nats against both colours on one point: a checker comes to lie among the other side's in one turn of 50 at most."""

FLOOR = -12.0
"""Nats: no single place may ever shout louder, however sure the network is of it."""

READS = 4
"""Times that one still scene is read; more of the same picture tells nothing new and keeps a small computer busy."""

BLIND = tuple(PlaceReading(FLAT, FLAT_MIXED, None, 0, occluded=True) for _ in range(24))
NO_BAR: NDArray[np.float32] = np.zeros(16, np.float32)


class Eyes:
    """Reads frames of one calibrated board, in order."""

    def __init__(self, calibration: Calibration) -> None:
        self._calibration = calibration
        self._checkers = CheckerReader()
        self._dice = DiceReader()
        self._still = Stillness()
        reference = calibration.reference
        self._registration = None if reference is None else Registration(reference, calibration.geometry)
        self.corners = np.array(calibration.geometry.corners, np.float32)
        self._appearance = calibration.appearance
        self._seen: Strips | None = None
        self._scene: Observation | None = None
        self._reads = 0

    def look(self, frame: Frame) -> Observation:
        """What is seen in the next frame of a source. Raises SizeMismatch for a frame of another size."""
        self._calibration.check_size(frame.picture, f"frame {frame.number}")
        if not self._still.update(frame.picture):
            self._scene, self._reads = None, 0
            return Observation(frame.t, frame.number, BLIND, NO_BAR, NO_BAR, (), still=False)
        if self._scene is None or self._reads < READS:
            self._scene = self.read(frame)
            self._reads += 1
        return replace(self._scene, t=frame.t, frame=frame.number)

    def read(self, frame: Frame) -> Observation:
        """What is seen in one frame taken to be still."""
        lens = self._calibration.lens
        if lens:
            frame = replace(frame, picture=lens.undistort(frame.picture))
        if self._registration is not None:
            if not self._registration.locate(frame.picture):
                return Observation(frame.t, frame.number, BLIND, NO_BAR, NO_BAR, (), field_found=False)
            self.corners = self._registration.corners
        field = rectify(frame.picture, self.corners)
        seen = self._checkers.read(field, self._calibration.geometry, self._appearance)
        self._seen = seen
        place = self._calibration.layout.place
        points = tuple(_reading(seen, place(point) - 1) for point in range(1, 25))
        light, dark = _bar(seen)
        dice = self._dice.read(frame.picture, self.corners)
        if lens:
            centres = lens.points_to_picture(np.array([d.centre for d in dice]).reshape(-1, 2)).tolist()
            dice = tuple(replace(d, centre=(x, y)) for d, (x, y) in zip(dice, centres, strict=True))
        return Observation(frame.t, frame.number, points, light, dark, dice, hand=bool((seen.hidden > HIDDEN).any()))

    def teach(self, points: Sequence[int]) -> None:
        """Tells what stood in the last frame read: signed counts of the board's points 1..24, White positive."""
        if self._seen is None:
            return
        place, sign = self._calibration.layout.place, 1 if self._calibration.white == "light" else -1
        by_place = [points[place(p) - 1] * sign for p in range(1, 25)]
        self._appearance = from_position(self._appearance, self._seen, by_place)
        self._scene = None


def _reading(seen: Strips, i: int) -> PlaceReading:
    if seen.hidden[i] > HIDDEN:
        return PlaceReading(FLAT, FLAT_MIXED, None, 0, occluded=True)
    count, colour = seen.count[i], seen.colour[i]
    table = _signed(count, colour)
    # what a person would say he sees takes into account what is usual; what the referee weighs does not
    usual = _signed(count + PRIOR, colour)
    best = int(usual.argmax()) - 15
    at_least = bool(seen.layers[i] > LAYERS) and abs(best) > 1
    # a full column may carry more on top, or lean: which of these counts it is, the last position knows better
    for side in (slice(None, 16 - FULL), slice(15 + FULL, None)):
        table[side] = np.maximum(table[side], table[side].max() - FULL_DOUBT)
    p = np.exp(usual - usual.max())
    confidence = float(p.max() / p.sum())
    name: Literal["light", "dark", "mixed"] | None = None
    if best:
        name = "mixed" if colour[abs(best)].argmax() == 2 else "light" if best > 0 else "dark"
    mixed = count + colour[:, 2] - table.max() - MIXED_RARE
    mixed[:2] = FLOOR
    return PlaceReading(
        np.maximum(table - table.max(), FLOOR), np.maximum(mixed, FLOOR), name, abs(best), at_least, False, confidence
    )


def _signed(count: NDArray[np.float32], colour: NDArray[np.float32]) -> NDArray[np.float32]:
    """Counts 0..15 and the colours' logs -> one table over -15..15, light positive."""
    return np.concatenate([count[:0:-1] + colour[:0:-1, 1], count[:1], count[1:] + colour[1:, 0]])


def _bar(seen: Strips) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Log-likelihoods of 0..15 light and 0..15 dark checkers on the bar, each colour being found on either half."""
    tables = []
    for colour in (0, 1):
        halves = []
        for i in (24, 25):
            if seen.hidden[i] > HIDDEN:
                halves.append(NO_BAR)
                continue
            mine = seen.count[i].copy()
            # checkers of the other colour there are none of this one
            mine[1:] += seen.colour[i, 1:, colour]
            mine[0] = np.logaddexp(seen.count[i, 0], (seen.count[i, 1:] + seen.colour[i, 1:, 1 - colour]).max())
            halves.append(mine - mine.max())
        both = np.full(16, -np.inf, np.float32)
        for a in range(16):
            for b in range(16 - a):
                both[a + b] = max(both[a + b], halves[0][a] + halves[1][b])
        tables.append(np.maximum(both - both.max(), FLOOR).astype(np.float32))
    return tables[0], tables[1]

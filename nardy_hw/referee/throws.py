"""Watching the dice: which lie where, since when, and what they show."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nardy_hw.referee.margins import READS, THROW_FLOOR
from nardy_hw.referee.seats import Half
from nardy_hw.vision.observation import DieReading

Place = tuple[float, float]

NEAR = 8.0
"""Pixels within which two readings are one die lying still. Readings of a still die scatter by under 2; dice are 18
and more across."""

Throw = tuple[int, int]
THROWS: tuple[Throw, ...] = tuple((a, b) for a in range(1, 7) for b in range(1, a + 1))


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice that have lain still for enough reads. throws: log-probability of each possible throw, the best at 0."""

    dice: tuple[DieReading, ...]
    places: tuple[Place, ...]
    throws: dict[Throw, float]

    @property
    def best(self) -> Throw:
        return max(self.throws, key=lambda t: self.throws[t])


class DiceWatch:
    """Counts agreeing reads. Dice of a throw that has been used are spent: they are not seen again where they lie."""

    def __init__(self) -> None:
        self._reads: list[tuple[DieReading, ...]] = []
        self._spent: tuple[Place, ...] = ()

    def see(self, dice: tuple[DieReading, ...]) -> None:
        """One still read of the dice, those that are spent left out."""
        fresh = self.fresh(dice)
        if self._reads and not _same(self._reads[-1], fresh):
            self._reads = []
        self._reads.append(fresh)

    def fresh(self, dice: tuple[DieReading, ...]) -> tuple[DieReading, ...]:
        return tuple(sorted((d for d in dice if not _at(d.centre, self._spent)), key=lambda d: d.centre))

    def moved(self) -> None:
        """Something moved: what was read before says nothing of what lies there now."""
        self._reads = []

    def spend(self, places: tuple[Place, ...]) -> None:
        self._spent = places

    def settled(self, half: Half | None = None) -> Thrown | None:
        """Two fresh dice that have lain still, in this half where one is named; None while there are not."""
        if len(self._reads) < READS:
            return None
        rows = [[d for d in read if half is None or d.half == half] for read in self._reads]
        if any(len(row) != 2 for row in rows):
            return None
        logs = [np.mean([np.log(np.array(row[i].values) + 1e-9) for row in rows], axis=0) for i in (0, 1)]
        throws = {}
        for a, b in THROWS:
            one, two = logs[0][a - 1] + logs[1][b - 1], logs[0][b - 1] + logs[1][a - 1]
            throws[a, b] = float(max(one, two))
        top = max(throws.values())
        last = tuple(rows[-1])
        return Thrown(last, tuple(d.centre for d in last), {t: max(v - top, THROW_FLOOR) for t, v in throws.items()})


def known(throw: Throw) -> dict[Throw, float]:
    """A throw that is certain."""
    return {(max(throw), min(throw)): 0.0}


def any_throw() -> dict[Throw, float]:
    """A throw that nobody saw."""
    return dict.fromkeys(THROWS, 0.0)


def _at(place: Place, places: tuple[Place, ...]) -> bool:
    return any(math.dist(place, p) < NEAR for p in places)


def _same(a: tuple[DieReading, ...], b: tuple[DieReading, ...]) -> bool:
    return len(a) == len(b) and all(
        math.dist(x.centre, y.centre) < NEAR and x.value == y.value and x.state == y.state
        for x, y in zip(a, b, strict=True)
    )

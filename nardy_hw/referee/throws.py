"""The dice: which lie where, for how long, what they show, and what that says of the throw."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nardy_hw.referee.margins import DIE_NEAR, GLIMPSE, LEGIBLE, LYING, STATE, VALUE_CAP, VALUE_FLOOR
from nardy_hw.referee.seats import Half
from nardy_hw.vision.observation import DieReading

Place = tuple[float, float]
Throw = tuple[int, int]
Throws = dict[Throw, float]
"""Log-probability of each of the 21 throws, larger die first, the best at 0."""

THROWS: tuple[Throw, ...] = tuple((a, b) for a in range(1, 7) for b in range(1, a + 1))


@dataclass(slots=True, eq=False)
class Die:
    """One die that lies still. logs, sure: sums over its reads of the log-probabilities of 1..6, and of confidence."""

    centre: Place
    half: Half
    reads: int = 0
    logs: NDArray[np.float64] = field(default_factory=lambda: np.zeros(6))
    states: Counter[str] = field(default_factory=Counter)
    sure: float = 0.0

    def read(self, reading: DieReading) -> None:
        self.reads += 1
        self.logs = self.logs + np.log(np.maximum(reading.values, VALUE_FLOOR))
        self.states[reading.state] += 1
        self.sure += reading.confidence

    def joined(self, other: Die) -> Die:
        """The same die, seen in another scene."""
        states = self.states + other.states
        return Die(
            self.centre, self.half, self.reads + other.reads, self.logs + other.logs, states, self.sure + other.sure
        )

    @property
    def flat(self) -> bool:
        return self.states["flat"] * 2 > self.reads

    @property
    def invalid(self) -> str | None:
        """'cocked' or 'on_checker' where the reads are sure of it."""
        state, times = self.states.most_common(1)[0]
        return state if state != "flat" and times >= STATE * self.reads else None

    def at(self, places: Iterable[Place]) -> bool:
        """Does it lie on one of these places?"""
        return any(math.dist(self.centre, place) < DIE_NEAR for place in places)

    def values(self) -> NDArray[np.float64]:
        """Log-probabilities of 1..6, however many reads there were."""
        logs = self.logs / self.reads * min(self.reads, VALUE_CAP)
        normal: NDArray[np.float64] = logs - np.logaddexp.reduce(logs)
        return normal


class Dice:
    """The dice of one scene, read by read."""

    def __init__(self) -> None:
        self.seen: list[Die] = []
        self._reads = 0

    def read(self, readings: Sequence[DieReading]) -> None:
        self._reads += 1
        for reading in readings:
            die = min(self.seen, key=lambda d: math.dist(d.centre, reading.centre), default=None)
            if die is None or not die.at((reading.centre,)):
                die = Die(reading.centre, reading.half)
                self.seen.append(die)
            die.read(reading)

    def lying(self) -> list[Die]:
        """Those that most reads show, but for flat ones that nobody could read."""
        shown = [die for die in self.seen if die.reads >= LYING * self._reads]
        return [die for die in shown if not die.flat or die.sure >= LEGIBLE * die.reads]


def joined(before: Sequence[Die], now: list[Die]) -> list[Die]:
    """The dice of now, with what was read of them before where they lie unmoved."""
    same = len(before) == len(now) and all(die.at([b.centre]) for die, b in _matched(now, before))
    return [die.joined(b) for die, b in _matched(now, before)] if same else now


def _matched(now: Sequence[Die], before: Sequence[Die]) -> list[tuple[Die, Die]]:
    return [(die, min(before, key=lambda b: math.dist(b.centre, die.centre))) for die in now] if before else []


def throws_of(dice: Sequence[Die]) -> Throws:
    """What two dice have thrown."""
    one, two = dice[0].values(), dice[1].values()
    logs = {}
    for a, b in THROWS:
        ways = (one[a - 1] + two[b - 1], one[b - 1] + two[a - 1])
        logs[a, b] = float(max(ways) if a == b else np.logaddexp(*ways))
    return _topped(logs)


def known(throw: Throw) -> Throws:
    """A throw that is certain."""
    return {(max(throw), min(throw)): 0.0}


def any_throw() -> Throws:
    """A throw that nobody saw: unequal dice are twice as frequent."""
    return _topped({(a, b): math.log(1 + (a != b)) for a, b in THROWS})


def glimpsed(throws: Throws) -> Throws:
    """A throw that was seen in passing."""
    base, prior = _sum(throws), any_throw()
    rest = _sum(prior)
    return _topped(
        {
            t: float(np.logaddexp(math.log(1 - GLIMPSE) + throws[t] - base, math.log(GLIMPSE) + prior[t] - rest))
            for t in THROWS
        }
    )


def either(one: Throws, two: Throws) -> Throws:
    """Two readings that do not agree: what either allows is allowed."""
    return {t: max(one.get(t, -math.inf), two.get(t, -math.inf)) for t in THROWS}


def best(throws: Throws) -> Throw:
    return max(throws, key=lambda t: throws[t])


def probability(throws: Throws) -> float:
    """Of the best throw."""
    return math.exp(-_sum(throws))


def _sum(throws: Throws) -> float:
    return float(np.logaddexp.reduce(list(throws.values())))


def _topped(throws: Throws) -> Throws:
    top = max(throws.values())
    return {t: v - top for t, v in throws.items()}

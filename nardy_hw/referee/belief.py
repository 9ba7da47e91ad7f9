"""How likely is a position, given what was seen?

log P(seen | position) is the sum over the places: 24 points and each side's bar. Trays are not looked at: what is
missing to 15 is off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nardy_hw.choice import Offer, best_choice
from nardy_hw.referee.margins import CHANGE, DOUBT, DOUBTED, EVIDENCE_CAP, MISSING, MISSING_OTHERS, MIXED, PLACE_FLOOR
from nardy_hw.rules.position import BAR, CHECKERS, Placement, Player, Position, Variant
from nardy_hw.vision.observation import Observation

Array = NDArray[np.float64]
POINTS = np.arange(24)
SIDE = CHECKERS + 1
COUNTS = range(-CHECKERS, SIDE)


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """Positions as indices into the tables, so that many are scored at once. points: (n, 24). bar: (n, 2)."""

    points: NDArray[np.intp]
    bar: NDArray[np.intp]

    @classmethod
    def of(cls, positions: Iterable[Position]) -> Stack:
        every = tuple(positions)
        points = np.array([p.points for p in every], np.intp).reshape(-1, 24) + CHECKERS
        return cls(points, np.array([p.bar for p in every], np.intp).reshape(-1, 2))


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Log-likelihoods with White positive, 0 the best of each place.

    points: (24, 31), index n + 15. mixed: (24, 16), that many of both colours on the point. bar: (2, 16), White's and
    Black's counts. hidden: (24,) the points of which nothing can be said.
    """

    points: Array
    mixed: Array
    bar: Array
    hidden: NDArray[np.bool_]

    @classmethod
    def of(cls, reads: Sequence[Observation], white_is_light: bool) -> Evidence:
        """The reads of one scene: each place's mean over those that show it, times how much they may count."""
        shown = np.array([[not place.occluded for place in seen.points] for seen in reads])
        times = shown.sum(0)
        weight = shown / np.maximum(times, 1) * np.minimum(times, EVIDENCE_CAP)
        points = np.einsum("rp,rpn->pn", weight, np.array([[p.table for p in seen.points] for seen in reads], float))
        mixed = np.einsum("rp,rpn->pn", weight, np.array([[p.mixed for p in seen.points] for seen in reads], float))
        bar = np.mean([[seen.bar_light, seen.bar_dark] for seen in reads], axis=0, dtype=float)
        if not white_is_light:
            points, bar = points[:, ::-1], bar[::-1]
        top = np.maximum(points.max(1), mixed.max(1))[:, None]
        bar = bar * min(len(reads), EVIDENCE_CAP)
        return cls(
            np.maximum(points - top, PLACE_FLOOR),
            np.maximum(mixed - top, PLACE_FLOOR),
            np.maximum(bar - bar.max(1, keepdims=True), PLACE_FLOOR),
            times * 2 <= len(reads),
        )

    def __add__(self, other: Evidence) -> Evidence:
        """Two scenes of one position."""
        return Evidence(
            self.points + other.points, self.mixed + other.mixed, self.bar + other.bar, self.hidden & other.hidden
        )

    def without(self, places: Iterable[int], before: Position) -> Evidence:
        """With these places (0..23) weighing little, and as if hidden, unless they look as they did `before`."""
        weight, hidden = np.ones((24, 1)), self.hidden.copy()
        again = self.misread(before)
        for place in again.intersection(places):
            weight[place], hidden[place] = DOUBTED, True
        return replace(self, points=self.points * weight, mixed=self.mixed * weight, hidden=hidden)

    def scores(self, stack: Stack) -> Array:
        """log P(seen | position) of each, up to a constant that all positions share."""
        scores: Array = self.points[POINTS, stack.points].sum(1) + self.bar[(0, 1), stack.bar].sum(1)
        return scores

    def score(self, position: Position) -> float:
        return float(self.scores(Stack.of((position,)))[0])

    def fit(self, shown: Placement) -> float:
        """As `score`, of a placement."""
        both = zip(shown.white[1:BAR], shown.black[1:BAR], strict=True)
        points = (
            self.mixed[i, min(w + b, CHECKERS)] if w and b else self.points[i, w - b + CHECKERS]
            for i, (w, b) in enumerate(both)
        )
        return float(sum(points) + self.bar[0, shown.white[BAR]] + self.bar[1, shown.black[BAR]])

    def misread(self, position: Position) -> frozenset[int]:
        """The places (0..23) that do not look as in this position."""
        cost = -self.points[POINTS, np.array(position.points) + CHECKERS]
        return frozenset(int(place) for place in (cost >= DOUBT).nonzero()[0])


@dataclass(frozen=True, slots=True)
class Guess:
    """The likeliest placement of all. fit: its score; total: less the cost of what differs from `before`."""

    shown: Placement
    fit: float
    total: float

    @property
    def position(self) -> Position | None:
        return self.shown.position()


def likeliest(seen: Observation, variant: Variant, *, white_is_light: bool) -> Position:
    """The likeliest position of one observation, nothing being known of the game."""
    evidence = Evidence.of((seen,), white_is_light)
    options: list[Offer] = [
        [(max(n, 0), max(-n, 0), float(row[n + CHECKERS])) for n in COUNTS] for row in evidence.points
    ]
    if variant is Variant.SHORT:
        options.append([(n, 0, evidence.bar[0, n]) for n in range(SIDE)])
        options.append([(0, n, evidence.bar[1, n]) for n in range(SIDE)])
    shown, _ = _best(options, variant, (0, 0), np.zeros((SIDE, SIDE)))
    position = shown.position()
    assert position is not None, "one colour on each point, under 15 a side"
    return position


def best_guess(seen: Evidence, before: Position, mover: Player | None = None, may_be_off: int = 0) -> Guess:
    """The likeliest placement whatever the rules, after a confirmed position.

    What is off stays off. What is missing besides costs: MISSING a checker of the mover's beyond `may_be_off`, the most
    that a legal play leaves off, MISSING_OTHERS one of the other side's. A point where one side stands may have taken a
    checker of the other. Each place and colour that differs from `before` costs CHANGE: most checkers stay.
    """
    options: list[Offer] = [_point_options(seen, i, before.points[i]) for i in range(24)]
    if before.variant is Variant.SHORT:
        options.append([(n, 0, seen.bar[0, n] - CHANGE * (n != before.bar[0])) for n in range(SIDE)])
        options.append([(0, n, seen.bar[1, n] - CHANGE * (n != before.bar[1])) for n in range(SIDE)])
    costs = []
    for player in Player:
        off = before.off[player.side]
        free, cost = (max(may_be_off, off), MISSING) if player is mover else (off, MISSING_OTHERS)
        costs.append(cost * np.maximum(CHECKERS - free - np.arange(SIDE - off), 0))
    shown, total = _best(options, before.variant, before.off, costs[0][:, None] + costs[1])
    return Guess(shown, seen.fit(shown), total)


def _best(options: Sequence[Offer], variant: Variant, off: tuple[int, int], costs: Array) -> tuple[Placement, float]:
    """The best choice of all places' options under 15 a side less `off`. costs: as in `best_choice`."""
    taken, total = best_choice(options, costs[: SIDE - off[0], : SIDE - off[1]])
    bars = (taken[24][0], taken[25][1]) if len(taken) > 24 else (0, 0)
    white, black = (
        (CHECKERS - sum(n[side] for n in taken), *(n[side] for n in taken[:24]), bars[side]) for side in (0, 1)
    )
    return Placement(variant, white, black), total


def _point_options(seen: Evidence, point: int, was: int) -> Offer:
    """What may lie on a point. Of counts at the floor 0 and `was` are enough."""
    row = seen.points[point]
    worth = [n for n in COUNTS if row[n + CHECKERS] > PLACE_FLOOR or n in (0, was)]
    options = [(max(n, 0), max(-n, 0), float(row[n + CHECKERS]) - CHANGE * _colours_changed(was, n)) for n in worth]
    if was:
        both = (was, 1) if was > 0 else (1, -was)
        options.append((*both, float(seen.mixed[point, min(sum(both), CHECKERS)]) - CHANGE - MIXED))
    return options


def _colours_changed(was: int, now: int) -> int:
    return int(max(was, 0) != max(now, 0)) + int(max(-was, 0) != max(-now, 0))


def places_apart(a: Placement, b: Placement) -> list[int]:
    """Where two placements differ: board points, and 25 for the bar. Off follows from them."""
    return [i for i in range(1, BAR + 1) if (a.white[i], a.black[i]) != (b.white[i], b.black[i])]


def placement(position: Position) -> Placement:
    """The position as a placement."""
    white, black = ([max(0, n * sign) for n in position.points] for sign in (1, -1))
    return Placement(
        position.variant, (position.off[0], *white, position.bar[0]), (position.off[1], *black, position.bar[1])
    )

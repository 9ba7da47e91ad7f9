"""How likely is a position, given what was seen?

log P(seen | position) is the sum over the places. Trays are not looked at: off is what is missing to 15.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nardy_hw.referee.margins import CHANGE, EVIDENCE_CAP
from nardy_hw.rules.position import CHECKERS, Player, Position, Variant
from nardy_hw.vision.observation import Observation

Array = NDArray[np.float64]
SIDE = CHECKERS + 1


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Log-likelihoods with White positive. points: (24, 31), index n + 15. bar: (2, 16), White's and Black's counts.

    mixed: (24, 16), both colours on a point, that many in all. hidden: (24,) where nothing can be said.
    """

    points: Array
    bar: Array
    mixed: Array
    hidden: NDArray[np.bool_]

    def score(self, position: Position) -> float:
        """log P(seen | position), up to a constant shared by all positions."""
        index = np.array(position.points) + CHECKERS
        seen = self.points[np.arange(24), index].sum()
        if position.variant is Variant.SHORT:
            seen += self.bar[0, position.bar[0]] + self.bar[1, position.bar[1]]
        return float(seen)


def evidence(reads: Sequence[Observation], white_is_light: bool) -> Evidence:
    """Several reads of one scene as one: their mean, times how much they may count."""
    points = np.mean([[p.table for p in seen.points] for seen in reads], axis=0, dtype=np.float64)
    mixed = np.mean([[p.mixed for p in seen.points] for seen in reads], axis=0, dtype=np.float64)
    bar = np.mean([[seen.bar_light, seen.bar_dark] for seen in reads], axis=0, dtype=np.float64)
    hidden = np.any([[p.occluded for p in seen.points] for seen in reads], axis=0)
    if not white_is_light:
        points, bar = points[:, ::-1], bar[::-1]
    weight = min(len(reads), EVIDENCE_CAP)
    return Evidence(points * weight, bar * weight, mixed * weight, hidden)


@dataclass(frozen=True, slots=True)
class Guess:
    """The likeliest position of all. mixed: a board point where a checker stands among the other side's, or None;
    the position then has that checker still where it came from. score: without the cost of change; penalised: with."""

    position: Position
    mixed: int | None
    score: float
    penalised: float


def likeliest(seen: Evidence, variant: Variant, before: Position | None = None) -> Guess:
    """The likeliest position whatever the rules, under 15 a side: exact, by dynamic programming over the places.

    before: the last confirmed position; each place that differs from it costs CHANGE, and nothing comes back from off.
    """
    # best[w, b]: highest score of the places so far with w White and b Black checkers on them
    best = np.full((SIDE, SIDE), -np.inf)
    best[0, 0] = 0.0
    choices: list[NDArray[np.int16]] = []
    options: list[list[tuple[int, int, float]]] = []
    for point in range(24):
        was = None if before is None else before.points[point]
        offer = []
        for n in range(-CHECKERS, CHECKERS + 1):
            cost = CHANGE if was is not None and n != was else 0.0
            offer.append((max(n, 0), max(-n, 0), float(seen.points[point, n + CHECKERS]) - cost))
        if was and abs(was) < CHECKERS:
            w, b = (was, 1) if was > 0 else (1, -was)
            offer.append((w, b, float(seen.mixed[point, w + b]) - CHANGE))
        options.append(offer)
    if variant is Variant.SHORT:
        for side in (0, 1):
            was = None if before is None else before.bar[side]
            row = [(n, float(seen.bar[side, n]) - (CHANGE if was is not None and n != was else 0.0)) for n in range(SIDE)]
            options.append([(n, 0, s) if side == 0 else (0, n, s) for n, s in row])
    for offer in options:
        stack = np.full((len(offer), SIDE, SIDE), -np.inf)
        for k, (w, b, s) in enumerate(offer):
            stack[k, w:, b:] = best[: SIDE - w, : SIDE - b] + s
        choices.append(stack.argmax(0).astype(np.int16))
        best = stack.max(0)
    most = (CHECKERS, CHECKERS) if before is None else (CHECKERS - before.off[0], CHECKERS - before.off[1])
    reach = best[: most[0] + 1, : most[1] + 1]
    w, b = (int(v) for v in np.unravel_index(reach.argmax(), reach.shape))
    penalised = float(reach.max())
    off = CHECKERS - w, CHECKERS - b
    taken: list[tuple[int, int, float]] = []
    for offer, choice in zip(reversed(options), reversed(choices), strict=True):
        pick = offer[choice[w, b]]
        taken.append(pick)
        w, b = w - pick[0], b - pick[1]
    taken.reverse()
    mixed = next((i + 1 for i, (x, y, _) in enumerate(taken[:24]) if x and y), None)
    points = tuple(x - y for x, y, _ in taken[:24])
    bar = (taken[24][0], taken[25][1]) if variant is Variant.SHORT else (0, 0)
    if mixed is not None and before is not None:
        return Guess(before, mixed, penalised, penalised)
    position = Position(variant, points, bar, off)
    return Guess(position, None, seen.score(position), penalised)


def doubtful(seen: Evidence, a: Position, b: Position) -> list[int]:
    """The board points where two positions differ."""
    return [i + 1 for i in range(24) if a.points[i] != b.points[i]]


def mover_sign(player: Player) -> int:
    return 1 if player is Player.WHITE else -1

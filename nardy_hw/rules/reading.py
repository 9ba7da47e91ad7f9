"""What was done with the checkers, as far as the dice can explain it, legal or not.

Only the two positions are known: checkers that left a place must be matched with those that came to one, and each such
pair with the dice that would carry it. A `Reading` is one such story; `likeliest` finds the one with the least wrong.
Places are the mover's numbers: 0 = off, 25 = bar; of the enemy's checkers 0 = his bar, 25 = his tray.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate, permutations

from nardy_hw.rules.position import BAR, OFF, Placement, Player, Position, seen_from
from nardy_hw.rules.violations import Code

ENEMY_BAR, ENEMY_OFF = 0, 25
Pair = tuple[int, int]

# What a story costs for each thing wrong in it. The dice are the strongest evidence of what was meant: a checker that
# stands the thrown number away on a closed point was moved by that number, so no number at all costs most.
_COST = {
    Code.WRONG_DISTANCE: 10,
    Code.WRONG_DIRECTION: 8,
    Code.BLOCKED_POINT: 3,
    Code.BLOCKED_STOP: 3,
    Code.BEAR_OFF_TOO_EARLY: 3,
    Code.BEAR_OFF_GAP: 3,
}


@dataclass(frozen=True, slots=True)
class Change:
    """Two positions from the mover's side. own, enemy: 26 counts before and after; dice: 2, or 4 of a double.

    blockers: enemy checkers that close a point.
    """

    own: tuple[list[int], list[int]]
    enemy: tuple[list[int], list[int]]
    dice: tuple[int, ...]
    blockers: int

    @classmethod
    def of(
        cls, before: Position, player: Player, dice: tuple[int, ...], after: Position | Placement, blockers: int
    ) -> Change:
        own = before.counts(player), after.counts(player)
        return cls(own, (_enemy(before, player), _enemy(after, player)), dice, blockers)

    def enemy_moves(self) -> tuple[list[int], list[int]]:
        """Places that enemy checkers left, and came to, each as often as it happened."""
        return _difference(*self.enemy)

    def pairings(self) -> Iterator[tuple[Pair, ...]]:
        """The ways to match the places that own checkers left with those that they came to."""
        left, come = _difference(*self.own)
        if len(left) <= 4:
            yield from dict.fromkeys(tuple(zip(left, order, strict=True)) for order in permutations(come))
        else:
            yield tuple(zip(left, come, strict=True))


@dataclass(frozen=True, slots=True)
class Step:
    """One checker's way. dice: the numbers that carry it, in order; none when no number of the throw does."""

    start: int
    end: int
    dice: tuple[int, ...]

    @property
    def backwards(self) -> bool:
        return self.end > self.start

    @property
    def stops(self) -> tuple[int, ...]:
        """Where it stands after each die, the end included."""
        if not self.dice or self.backwards:
            return (self.end,)
        return tuple(max(OFF, self.start - pips) for pips in accumulate(self.dice))


@dataclass(frozen=True, slots=True)
class Reading:
    """steps, what is wrong with each of them, and what is wrong with the enemy's checkers.

    faults: (code, step). unlifted: points hit whose checker is not on the bar. lifted: points whose checker is on the
    bar unhit. moved: (from, to) of other enemy checkers.
    """

    steps: tuple[Step, ...]
    faults: list[tuple[Code, Step]] = field(default_factory=list)
    unlifted: list[int] = field(default_factory=list)
    lifted: list[int] = field(default_factory=list)
    moved: list[Pair] = field(default_factory=list)

    @property
    def cost(self) -> int:
        own = sum(_COST[code] + 4 * (step.backwards and not step.dice) for code, step in self.faults)
        enemy = 2 * len(self.unlifted) + 2 * len(self.lifted) + 3 * len(self.moved)
        return own + enemy


def likeliest(change: Change) -> Reading:
    """The story with the least wrong in it."""
    stories = (_judge(steps, change) for pairs in change.pairings() for steps in _carried(pairs, change.dice))
    return min(stories, key=lambda story: story.cost)


def _carried(pairs: tuple[Pair, ...], dice: tuple[int, ...]) -> Iterator[tuple[Step, ...]]:
    """Every way to share the dice among the pairs."""
    if not pairs:
        yield ()
        return
    (start, end), rest = pairs[0], pairs[1:]
    for number in range(len(dice) + 1):
        for used in dict.fromkeys(permutations(dice, number)):
            if used and not _carries(used, start, end):
                continue
            left = list(dice)
            for die in used:
                left.remove(die)
            for steps in _carried(rest, tuple(left)):
                yield (Step(start, end, used), *steps)


def _carries(dice: tuple[int, ...], start: int, end: int) -> bool:
    if end > start:
        return dice == (end - start,)
    if end == OFF:
        return sum(dice[:-1]) < start <= sum(dice)
    return sum(dice) == start - end


def _judge(steps: tuple[Step, ...], change: Change) -> Reading:
    enemy, after = change.enemy[0], change.own[1].copy()
    for step in steps:
        after[step.end] -= step.backwards  # what was moved backwards does not make a bear-off wrong as well
    reading, hits = Reading(steps), set()
    for step in steps:
        faults = []
        if step.backwards:
            faults.append(Code.WRONG_DIRECTION)
        elif step.end == OFF and any(after[7:]):
            faults.append(Code.BEAR_OFF_TOO_EARLY)
        elif not step.dice:
            faults.append(Code.WRONG_DISTANCE)
        elif step.end == OFF and sum(step.dice) > step.start and any(after[step.start - sum(step.dice[:-1]) + 1 : 7]):
            faults.append(Code.BEAR_OFF_GAP)
        for stop in step.stops:
            if stop in (OFF, BAR) or not enemy[stop]:
                continue
            if enemy[stop] >= change.blockers:
                faults.append(Code.BLOCKED_POINT if stop == step.end else Code.BLOCKED_STOP)
            else:
                hits.add(stop)
        reading.faults.extend((code, step) for code in faults)
    _judge_enemy(reading, hits, change)
    return reading


def _judge_enemy(reading: Reading, hits: set[int], change: Change) -> None:
    left, come = change.enemy_moves()
    on_bar = come.count(ENEMY_BAR)
    elsewhere = [place for place in come if place != ENEMY_BAR]
    for point in sorted(hits):
        if point in left:
            left.remove(point)
            if on_bar:
                on_bar -= 1
                continue
            if elsewhere:
                elsewhere.pop()
        reading.unlifted.append(point)
    reading.lifted.extend(left[:on_bar])
    reading.moved.extend(zip(left[on_bar:], elsewhere, strict=False))


def _difference(before: list[int], after: list[int]) -> tuple[list[int], list[int]]:
    """Places with fewer checkers and places with more, highest first."""
    old, new = Counter(dict(enumerate(before))), Counter(dict(enumerate(after)))
    return sorted((old - new).elements(), reverse=True), sorted((new - old).elements(), reverse=True)


def _enemy(position: Position | Placement, player: Player) -> list[int]:
    off, *points, bar = position.counts(player.other)
    return [bar, *seen_from(position.variant, Player.BLACK, points), off]

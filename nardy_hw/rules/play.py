"""A move of one checker by one die, and a play: the moves of one turn."""

from __future__ import annotations

from dataclasses import dataclass

from nardy_hw.rules.position import Position


@dataclass(frozen=True, slots=True)
class Move:
    """One checker, one die, in the mover's own numbering: 25 = bar, 0 = off. hit: an enemy checker goes to the bar."""

    start: int
    end: int
    hit: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """The moves of one turn, in an order in which each is legal, and the position after them. No moves = no play."""

    moves: tuple[Move, ...]
    after: Position

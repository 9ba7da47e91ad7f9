"""A turn as moves that another program, following them, ends at the same position with."""

from __future__ import annotations

from nardy_hw.record.games import Ply
from nardy_hw.rules.options import DEFAULT
from nardy_hw.rules.play import Move
from nardy_hw.rules.plays import legal_plays
from nardy_hw.rules.position import BAR, OFF, Position

MOST_MOVES = 4


def moves_of(before: Position, ply: Ply) -> tuple[Move, ...] | None:
    """The turn's moves in short nardy, () for no play; None where importers would not follow.

    They check that each move goes forward, at most six points, to a point that is not blocked; not that it fits the
    dice. So some illegal plays that stood can be written. A turn that was passed although a play was legal cannot:
    it is taken for one that was not played yet.
    """
    legal = legal_plays(before, ply.player, ply.dice, options=DEFAULT)
    if not legal and ply.position == before:
        return ()
    return next((play.moves for play in legal if play.after == ply.position), None) or _steps(before, ply)


def _steps(before: Position, ply: Ply) -> tuple[Move, ...] | None:
    """The fewest moves, whatever the dice."""
    own, goal = before.counts(ply.player), ply.position.counts(ply.player)
    enemy = _enemy(before, ply)
    lengths = [n for n in range(1, 7) if not _is_split(n, ply.dice)]
    for most in range(1, MOST_MOVES + 1):
        found = _search(own, enemy, goal, _enemy(ply.position, ply), lengths, most)
        if found:
            return found
    return None


def _is_split(length: int, dice: tuple[int, int]) -> bool:
    """Whether an importer takes one move for several: it would choose the stops, and may hit or stumble on them."""
    return length >= 2 * dice[0] if dice[0] == dice[1] else length == sum(dice)


def _enemy(position: Position, ply: Ply) -> list[int]:
    """The enemy's checkers on the mover's points 1..24; his bar at 0, as what is hit goes there; his tray at 25."""
    off, *points, bar = position.counts(ply.player.other)
    return [bar, *points[::-1], off]


def _search(
    own: list[int], enemy: list[int], goal: list[int], enemy_goal: list[int], lengths: list[int], most: int
) -> tuple[Move, ...] | None:
    """At most `most` moves to the goal, depth first."""
    too_many = [place for place in range(1, BAR + 1) if own[place] > goal[place]]
    if not too_many:
        return () if own == goal and enemy == enemy_goal else None
    if sum(own[place] - goal[place] for place in too_many) > most:
        return None
    for start in too_many:
        for end in (start - n for n in lengths if start - n >= OFF):
            hit = end != OFF and enemy[end] == 1
            if end != OFF and enemy[end] > 1:
                continue
            moved, left = own.copy(), enemy.copy()
            moved[start] -= 1
            moved[end] += 1
            if hit:
                left[end], left[0] = 0, left[0] + 1
            rest = _search(moved, left, goal, enemy_goal, lengths, most - 1)
            if rest is not None:
                return (Move(start, end, hit), *rest)
    return None

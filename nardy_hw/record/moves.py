"""A turn as moves that another program, following them, ends at the same position with."""

from __future__ import annotations

from nardy_hw.errors import NotationError
from nardy_hw.record.games import Ply
from nardy_hw.rules.notation import NO_PLAY, parse_moves
from nardy_hw.rules.options import DEFAULT
from nardy_hw.rules.play import Move
from nardy_hw.rules.plays import legal_plays
from nardy_hw.rules.position import BAR, OFF, Player, Position, Variant

MOST_MOVES = 4


def moves_of(before: Position, ply: Ply) -> tuple[Move, ...] | None:
    """The turn's moves in short nardy, () for no play; None where importers would not follow.

    They check that each move goes forward, at most six points, to a point that is not blocked, but not that it fits the
    dice, so some illegal plays that stood can be written. A turn that was passed although a play was legal cannot: it
    is taken for one that was not played yet. What else GNU Backgammon 1.07 does not follow is in `_Steps`.
    """
    moves = legal_moves(before, ply)
    return _Steps(before, ply).fewest() if moves is None else moves


def legal_moves(before: Position, ply: Ply) -> tuple[Move, ...] | None:
    """The same of a legal play alone; None for one that was not."""
    legal = legal_plays(before, ply.player, ply.dice, options=DEFAULT)
    if not legal and ply.position == before:
        return ()
    told = as_told(before, ply)
    if told and any(play.after == ply.position for play in legal):
        return told
    return next((play.moves for play in legal if play.after == ply.position), None)


def as_told(before: Position, ply: Ply) -> tuple[Move, ...]:
    """The moves of the ply's own text if each is one die's, so that the choice of stops and order is kept; else ().

    Short nardy alone. Whether the play as a whole is legal is not looked at.
    """
    if before.variant is not Variant.SHORT:
        return ()
    try:
        moves = parse_moves(ply.text or NO_PLAY)
    except NotationError:
        return ()
    own, enemy = before.counts(ply.player), _enemy(before, ply.player)
    told = []
    for move in moves:
        if not own[move.start] or not _by_a_die(move, ply.dice) or (enemy[move.end] > 1 and move.end != OFF):
            return ()
        hit = move.end != OFF and enemy[move.end] == 1
        own[move.start] -= 1
        own[move.end] += 1
        if hit:
            enemy[0], enemy[move.end] = enemy[0] + 1, 0
        told.append(Move(move.start, move.end, hit))
    right = own == ply.position.counts(ply.player) and enemy == _enemy(ply.position, ply.player)
    return tuple(told) if right else ()


def _by_a_die(move: Move, dice: tuple[int, int]) -> bool:
    length = move.start - move.end
    return length in dice or (move.end == OFF and length < max(dice))


class _Steps:
    """The moves of an illegal play, found from the two positions alone.

    GNU Backgammon 1.07 ended elsewhere with 27 of 1,000 such plays, with none of 881 once these were left out: bearing
    off, and moves that it takes for several because of the dice, as it would choose the stops: of a double two moves
    of one checker or one beyond the number, else one of both numbers together.
    """

    def __init__(self, before: Position, ply: Ply) -> None:
        a, b = ply.dice
        self._own, self._enemy = before.counts(ply.player), _enemy(before, ply.player)
        self._goal = ply.position.counts(ply.player), _enemy(ply.position, ply.player)
        self._is_double = a == b
        self._lengths = [n for n in range(1, 7) if (n <= a if self._is_double else n != a + b)]

    def fewest(self) -> tuple[Move, ...] | None:
        found = (self._search(self._own, self._enemy, (), most) for most in range(1, MOST_MOVES + 1))
        return next((moves for moves in found if moves), None)

    def _search(self, own: list[int], enemy: list[int], made: tuple[Move, ...], more: int) -> tuple[Move, ...] | None:
        """At most `more` moves to the goal, depth first."""
        if (own, enemy) == self._goal:
            return made
        surplus = [place for place in range(1, BAR + 1) if own[place] > self._goal[0][place]]
        if sum(own[place] - self._goal[0][place] for place in surplus) > more:
            return None
        for start in surplus:
            if self._is_double and any(move.end == start for move in made):
                continue
            for end in (start - n for n in self._lengths if start - n > OFF):
                if enemy[end] > 1:
                    continue
                moved, left = own.copy(), enemy.copy()
                moved[start] -= 1
                moved[end] += 1
                left[0] += left[end]
                left[end] = 0
                found = self._search(moved, left, (*made, Move(start, end, bool(enemy[end]))), more - 1)
                if found:
                    return found
        return None


def _enemy(position: Position, player: Player) -> list[int]:
    """The enemy's checkers on the player's points 1..24; his bar at 0, as what is hit goes there; his tray at 25."""
    off, *points, bar = position.counts(player.other)
    return [bar, *points[::-1], off]

"""Moves that are right one by one, and still no legal play: numbers left unplayed, the smaller die, a wall."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nardy_hw.rules import violations as words
from nardy_hw.rules.case import Case
from nardy_hw.rules.notation import format_moves
from nardy_hw.rules.play import Move
from nardy_hw.rules.plays import search
from nardy_hw.rules.position import Position, Variant
from nardy_hw.rules.search import Board, Level, Search, board_of, play_die, wall_points, walls
from nardy_hw.rules.violations import Code, Violation


def unplayed(case: Case, first_turn: bool) -> Violation | None:
    """None when no legal moves lead to what was done, dice and walls aside."""
    if not isinstance(case.after, Position):
        return None
    board = board_of(case.after, case.player)
    places = list(case.found.places(board))
    if places:
        return _numbers_left(case, board, places)
    if case.before.variant is Variant.SHORT:
        return None
    free, _ = search(
        case.before, case.player, case.dice, first_turn=first_turn, options=replace(case.options, prime="off")
    )
    wall = next(_walls_on_the_way(free, board, case.found.terms.banned), None)
    if wall is None:
        return None
    points = wall_points(wall)
    why = words.WHY_NO_WALL[case.options.prime].format(enemy=case.enemy)
    return case.say(Code.PRIME_RULE, case.instead(), points, wall=f"{points[0]} to {points[-1]}", why=why)


def _numbers_left(case: Case, board: Board, places: list[tuple[int, tuple[int, ...]]]) -> Violation:
    """S9-S11, L4. places: where the search met the position, with the dice left there."""
    possible = max(len(play.moves) for play in case.plays)
    played = len(case.throw) - min(len(left) for _, left in places)
    if not played:
        return _play_on(case, case.plays[0].moves)
    for key, left in places:
        moves = _onwards(case, {key: (board, ())}, left)
        if moves:
            return _play_on(case, moves)
    if played < possible:
        return case.say(Code.BOTH_DICE_PLAYABLE, case.instead(), count=played, possible=possible)
    return case.say(Code.LARGER_DIE_REQUIRED, case.instead(), die=max(case.dice))


def _play_on(case: Case, moves: tuple[Move, ...]) -> Violation:
    text = format_moves(moves)
    repair = words.PLAY_ON.format(player=case.name, play=text)
    return case.say(Code.DIE_NOT_PLAYED, repair, [move.start for move in moves], play=text)


def _onwards(case: Case, level: Level, left: tuple[int, ...]) -> tuple[Move, ...]:
    """The moves from that level to a legal end of the turn; () where none is to be reached."""
    for die in left:
        level = play_die(level, die, case.found.terms)
        for end, (_, moves) in level.items():
            if end in case.finals:
                return moves
    return ()


def _walls_on_the_way(free: Search, board: Board, banned: int) -> Iterator[int]:
    """Forbidden walls that the moves to the board put up, then or on the way, where walls were not looked for."""
    for level in free.levels():
        for reached, moves in level.values():
            if reached == board:
                yield from (wall for step in free.keys(moves) if (wall := walls(step) & banned))

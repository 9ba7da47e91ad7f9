"""Which plays are legal: S6-S20, L4-L8."""

from __future__ import annotations

from itertools import starmap

from nardy_hw.errors import DiceError
from nardy_hw.rules.options import DEFAULT, RuleOptions
from nardy_hw.rules.play import Play
from nardy_hw.rules.position import CHECKERS, Player, Position, Variant
from nardy_hw.rules.search import (
    HEAD,
    SHORT_TERMS,
    SPECIAL_DOUBLES,
    Board,
    Level,
    Search,
    board_of,
    long_terms,
    positions_from,
)


def legal_plays(
    position: Position,
    player: Player,
    dice: tuple[int, int],
    *,
    first_turn: bool = False,
    options: RuleOptions = DEFAULT,
) -> tuple[Play, ...]:
    """Every legal play, each resulting position once; () when there is none and the turn is lost (S11).

    first_turn: the player's first turn of the game (L6). Raises DiceError for dice that are not two of 1..6.
    """
    return plays_of(position, player, *search(position, player, dice, first_turn=first_turn, options=options))


def plays_of(position: Position, player: Player, found: Search, finals: Level) -> tuple[Play, ...]:
    """The plays that a search from `position` ended with."""
    after = positions_from(position, player)
    return tuple([Play(found.told(moves), after(key, board)) for key, (board, moves) in finals.items()])


def stops(
    position: Position,
    player: Player,
    dice: tuple[int, int],
    *,
    first_turn: bool = False,
    options: RuleOptions = DEFAULT,
) -> frozenset[Position]:
    """Every position on the way to a legal play, die by die: the start, the ends, and what lies between."""
    found, finals = search(position, player, dice, first_turn=first_turn, options=options)
    return frozenset(starmap(positions_from(position, player), found.on_the_way(finals)))


def search(
    position: Position, player: Player, dice: tuple[int, int], *, first_turn: bool, options: RuleOptions
) -> tuple[Search, Level]:
    """The search of a turn and the legal ends that it found."""
    if len(dice) != 2 or not all(type(die) is int and 1 <= die <= 6 for die in dice):
        raise DiceError(f"dice are two whole numbers from 1 to 6, not {', '.join(map(repr, dice))}")
    found = _search(position, player, dice, first_turn, options)
    return found, found.finals(lenient=options.lenient_final_bearoff)


def _search(
    position: Position, player: Player, dice: tuple[int, int], first_turn: bool, options: RuleOptions
) -> Search:
    board, off = board_of(position, player), position.off[player.side]
    if position.variant is Variant.SHORT:
        return Search.run(board, off, dice, SHORT_TERMS)
    enemy = position.counts(player.other)
    two = two_heads(board, dice, first_turn=first_turn, options=options)
    if not two or options.head_two == "only_if_needed":
        found = Search.run(board, off, dice, long_terms(board, enemy, 1, options))
        if not two or found.all_played():
            return found
    return Search.run(board, off, dice, long_terms(board, enemy, 2, options))


def two_heads(board: Board, dice: tuple[int, int], *, first_turn: bool, options: RuleOptions) -> bool:
    """Whether this throw may take two checkers from the head (L6)."""
    first = first_turn if options.first_turn == "turn_counter" else board[HEAD] == CHECKERS
    return first and dice[0] == dice[1] and dice[0] in SPECIAL_DOUBLES

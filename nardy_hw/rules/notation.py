"""Plays as text, in the mover's own numbering in both games: `13/8 6/5*`, `bar/22`, `6/off`, `8/5(2)`, `no play`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from nardy_hw.errors import NotationError
from nardy_hw.rules.options import DEFAULT, RuleOptions
from nardy_hw.rules.play import Move, Play
from nardy_hw.rules.plays import legal_plays
from nardy_hw.rules.position import BAR, OFF, Player, Position

NO_PLAY = "no play"

_PLACE = r"(?:bar|off|2[0-5]|1\d|\d)"
_WORD = re.compile(rf"({_PLACE})((?:/{_PLACE}\*?)+)(?:\(([1-4])\))?")


def place_name(place: int) -> str:
    """'bar', 'off' or the number."""
    return {BAR: "bar", OFF: "off"}.get(place, str(place))


def format_moves(moves: Iterable[Move]) -> str:
    """The moves in their order; one checker that moves on without having hit is one run, like runs are counted."""
    runs: list[Move] = []
    for move in moves:
        on = next((i for i, run in enumerate(runs) if run.end == move.start and not run.hit), None)
        if on is None:
            runs.append(move)
        else:
            runs[on] = Move(runs[on].start, move.end, move.hit)
    hits = {(run.start, run.end) for run in runs if run.hit}
    counted = Counter((run.start, run.end) for run in runs)
    words = [
        f"{place_name(start)}/{place_name(end)}{'*' * ((start, end) in hits)}{f'({n})' * (n > 1)}"
        for (start, end), n in counted.items()
    ]
    return " ".join(words) or NO_PLAY


def format_steps(moves: Iterable[Move]) -> str:
    """Each move for itself, in order: `24/18 18/14`."""
    return " ".join(f"{place_name(m.start)}/{place_name(m.end)}{'*' * m.hit}" for m in moves) or NO_PLAY


def format_play(play: Play) -> str:
    return format_moves(play.moves)


def parse_moves(text: str) -> tuple[Move, ...]:
    """The moves as written, whatever the rules: a run such as 24/13 stays one move; () for 'no play'.

    Raises NotationError, naming the word that is not a move.
    """
    text = text.strip().lower()
    if text == NO_PLAY:
        return ()
    moves: list[Move] = []
    for word in text.split():
        match = _WORD.fullmatch(word)
        if match is None:
            raise NotationError(f"{word!r} is not a move: write 13/8, 6/5*, bar/22, 6/off or 8/5(2)")
        places = [match[1], *match[2].split("/")[1:]]
        for copy in range(int(match[3] or 1)):
            for start, end in pairwise(places):
                # the first checker of 8/5*(2) hits, the second finds the point its own
                moves.append(Move(_place(start), _place(end), end.endswith("*") and not copy))
    if not moves:
        raise NotationError(f"a play without moves is written {NO_PLAY!r}")
    return tuple(moves)


def parse_play(
    text: str,
    before: Position,
    player: Player,
    dice: tuple[int, int],
    *,
    first_turn: bool = False,
    options: RuleOptions = DEFAULT,
) -> Play:
    """The legal play that the text names, however its moves are ordered, joined or split.

    The stars of hits may be left out where only one play fits. Raises NotationError when the text is no play, or none
    that is legal here; DiceError.
    """
    wanted = parse_moves(text)
    plays = legal_plays(before, player, dice, first_turn=first_turn, options=options) or (Play((), before),)
    fitting = [play for play in plays if _change(play.moves) == _change(wanted)]
    hits = _hits(wanted)
    exact = [play for play in fitting if _hits(play.moves) == hits] or ([] if hits else fitting)
    if len(exact) == 1:
        return exact[0]
    if exact:
        raise NotationError(f"{text!r} may be {' or '.join(map(format_play, exact))}: write every stop and hit")
    raise NotationError(f"{text!r} is no legal play of {dice[0]}-{dice[1]}")


def _place(word: str) -> int:
    word = word.rstrip("*")
    return BAR if word == "bar" else OFF if word == "off" else int(word)


def _change(moves: Sequence[Move]) -> Counter[int]:
    """Checkers that each place gains."""
    change = Counter(move.end for move in moves)
    change.subtract(move.start for move in moves)
    return Counter({place: n for place, n in change.items() if n})


def _hits(moves: Sequence[Move]) -> set[int]:
    return {move.end for move in moves if move.hit}

"""`.mat`, the match file of short nardy that other programs read (GNU Backgammon, eXtreme Gammon and others).

White is player 1, the left column. Points in the mover's numbers, bar = 25, off = 0. The format has no word for the
Jacoby rule, which we play without: a reader that counts gammons of single games by that rule has to be told.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from nardy_hw.errors import ExportError
from nardy_hw.record.columns import plain, play_lines, result_line, safe_name, score_line
from nardy_hw.record.games import Break, Game, games
from nardy_hw.record.moves import moves_of
from nardy_hw.record.store import MatchRecord
from nardy_hw.referee.events import Doubled, Dropped, Taken
from nardy_hw.rules.position import Player, Position, Variant

MOST_POINTS = 64
"""Longer matches are refused by the programs that read the file."""


def to_mat(record: MatchRecord) -> str:
    """The match as text. Raises ExportError for what the format cannot hold, which other formats can."""
    info = record.info
    if info.variant != Variant.SHORT:
        raise ExportError(f"match {record.id} is {info.variant} nardy, .mat is for short nardy: use --format text")
    if info.length > MOST_POINTS:
        raise ExportError(f"match {record.id} is to {info.length} points, .mat holds {MOST_POINTS}: use --format text")
    if any(isinstance(event, Doubled | Taken | Dropped) for event in record.events):
        raise ExportError(f"match {record.id} was played with the cube, which .mat is not written with yet: use jsonl")
    white, black = safe_name(info.white), safe_name(info.black)
    if white == black:
        white, black = safe_name(f"1 {white}"), safe_name(f"2 {black}")
    lines = [*_header(record, white, black), "", f" {info.length} point match"]
    score = dict.fromkeys(Player, 0)
    for number, game in enumerate(games(record.events), 1):
        lines += ["", f" Game {number}", score_line(white, black, score), *play_lines(_cells(game, number))]
        if game.winner is not None:
            score[game.winner] += game.points
        lines += result_line(game, " and the match" if 0 < info.length <= max(score.values()) else "")
    return "\n".join(lines) + "\n"


def _header(record: MatchRecord, white: str, black: str) -> Iterator[str]:
    """The match ID keeps a second import from making a second match."""
    info, when = record.info, datetime.fromisoformat(record.info.started)
    yield f'; [Match ID "nardy-hw-{when:%Y%m%d%H%M%S}-{record.id}"]'
    for key, name in (("Event", info.event), ("Site", info.place)):
        if name:
            yield f'; [{key} "{plain(name)}"]'
    yield f'; [Player 1 "{white}"]'
    yield f'; [Player 2 "{black}"]'
    yield f'; [EventDate "{when:%Y.%m.%d}"]'
    yield f'; [EventTime "{when:%H.%M}"]'
    yield '; [Variation "Backgammon"]'
    yield '; [Crawford "On"]' if info.length else '; [Jacoby "Off"]'


def _cells(game: Game, number: int) -> Iterator[tuple[Player, str]]:
    """Each play: `31: 8/5 6/5`."""
    if game.start != Position.start(Variant.SHORT):
        raise ExportError(f"game {number} does not start from the opening position, .mat needs it: use --format text")
    mover = None
    for index, turn in enumerate(game.turns):
        where = f"game {number}, play {index + 1}"
        if isinstance(turn, Break) or turn.player is mover:
            raise ExportError(f"{where} was not seen, .mat cannot leave it out: use --format text")
        mover = turn.player
        moves = moves_of(game.before(index), turn)
        if moves is None:
            raise ExportError(f"{where} is an illegal one that stood, .mat would corrupt it: use --format text")
        played = " ".join(f"{move.start}/{move.end}{'*' * move.hit}" for move in moves) or "Cannot Move"
        yield mover, f"{max(turn.dice)}{min(turn.dice)}: {played}"

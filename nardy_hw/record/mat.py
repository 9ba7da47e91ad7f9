"""`.mat`, the match file of short nardy that other programs read (GNU Backgammon, eXtreme Gammon and others).

White is player 1, the left column. Points in the mover's numbers, bar = 25, off = 0.
"""

from __future__ import annotations

from datetime import UTC, datetime

from nardy_hw.errors import ExportError, NotationError
from nardy_hw.record.columns import game_lines, safe_name
from nardy_hw.record.games import Game, Ply, games
from nardy_hw.record.store import MatchRecord
from nardy_hw.rules.notation import NO_PLAY, parse_play
from nardy_hw.rules.options import RuleOptions
from nardy_hw.rules.position import Player, Position, Variant

MOST_POINTS = 64
"""Longer matches are refused by the programs that read the file."""


def to_mat(record: MatchRecord) -> str:
    """The match as text. Raises ExportError for what the format cannot hold, which other formats can."""
    info = record.info
    if info.variant is not Variant.SHORT:
        raise ExportError(f"match {record.id} is {info.variant} nardy, .mat is for short nardy: use --format text")
    if info.length > MOST_POINTS:
        raise ExportError(f"match {record.id} is to {info.length} points, .mat holds {MOST_POINTS}: use --format jsonl")
    white, black = safe_name(info.white), safe_name(info.black)
    if white == black:
        white, black = safe_name(f"{white[:20]} 1"), safe_name(f"{black[:20]} 2")
    try:
        when = datetime.fromisoformat(info.started)
    except ValueError:
        when = datetime.fromtimestamp(0, UTC)
    lines = [
        f'; [Match ID "nardy-hw-{when:%Y%m%d%H%M%S}-{record.id}"]',
        f'; [Player 1 "{white}"]',
        f'; [Player 2 "{black}"]',
        f'; [EventDate "{when:%Y.%m.%d}"]',
        f'; [EventTime "{when:%H.%M}"]',
        '; [Variation "Backgammon"]',
        "",
        f" {info.length} point match",
    ]
    score = {Player.WHITE: 0, Player.BLACK: 0}
    for number, game in enumerate(games(record.events), 1):
        if game.start != Position.start(Variant.SHORT):
            raise ExportError(f"game {number} does not start from the opening position: use --format jsonl or text")
        lines += ["", f" Game {number}", f" {f'{white} : {score[Player.WHITE]}':<35} {black} : {score[Player.BLACK]}"]
        result = ""
        if game.winner is not None:
            score[game.winner] += game.points
            over = info.length and score[game.winner] >= info.length
            points = f"{game.points} point{'s' if game.points > 1 else ''}"
            result = f"Wins {points}{' and the match' if over else ''}"
        lines += game_lines(game, _cell, result)
    return "\n".join(lines) + "\n"


def _cell(ply: Ply, game: Game, number: int) -> str:
    """One play: `31: 8/5 6/5`."""
    if ply.text is None:
        raise ExportError(
            f"play {number + 1} is an illegal one that stood, which .mat corrupts: use --format jsonl or text"
        )
    high, low = max(ply.dice), min(ply.dice)
    if ply.text == NO_PLAY:
        return f"{high}{low}: Cannot Move"
    before = game.plies[number - 1].position if number else game.start
    try:
        play = parse_play(ply.text, before, ply.player, (high, low), options=RuleOptions())
    except NotationError as error:
        raise ExportError(
            f"play {number + 1} does not follow from the one before ({error}): use --format jsonl"
        ) from None
    return f"{high}{low}: " + " ".join(f"{m.start}/{m.end}{'*' if m.hit else ''}" for m in play.moves)

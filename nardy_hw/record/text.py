"""A match as text for people, in either game: the two columns of `.mat`, with a header that says which game it is.

Programs for backgammon refuse the header rather than misread long nardy.
"""

from __future__ import annotations

from nardy_hw.record.columns import game_lines, safe_name
from nardy_hw.record.games import Game, Ply, games
from nardy_hw.record.store import MatchRecord
from nardy_hw.referee.events import ViolationSeen
from nardy_hw.rules.position import Player, Position


def to_text(record: MatchRecord) -> str:
    """The match as text. Raises ExportError for a record without a beginning."""
    info = record.info
    white, black = safe_name(info.white), safe_name(info.black)
    score = {Player.WHITE: 0, Player.BLACK: 0}
    length = f", match to {info.length}" if info.length else ""
    lines = [f"nardy-hw text 1: {info.variant} nardy{length}", f"{white} (White) - {black} (Black)", info.started]
    if info.event:
        lines.append(info.event)
    for number, game in enumerate(games(record.events), 1):
        lines += ["", f" Game {number}", f" {f'{white} : {score[Player.WHITE]}':<35} {black} : {score[Player.BLACK]}"]
        if game.start != Position.start(info.variant):
            lines.append(f" from {_where(game.start)}")
        result = ""
        if game.winner is not None:
            score[game.winner] += game.points
            result = f"Wins {game.points} point{'s' if game.points > 1 else ''}"
        lines += game_lines(game, _cell, result)
    faults = [e for e in record.events if isinstance(e, ViolationSeen)]
    if faults:
        lines += ["", " Illegal plays"]
        lines += [f" {int(e.t) // 60}:{int(e.t) % 60:02}  {e.text} (rule {e.rule})" for e in faults]
    return "\n".join(lines) + "\n"


def _cell(ply: Ply, game: Game, number: int) -> str:
    if game.broken == number:
        return f"-- lost; goes on from {_where(ply.position)}"
    dice = f"{max(ply.dice)}{min(ply.dice)}: "
    return dice + (ply.text if ply.text is not None else f"illegal, stood: {_where(ply.position)}")


def _where(position: Position) -> str:
    """A position in one line: `6W5 8W3 ...`, points from White's side."""
    parts = [f"{i}{'W' if n > 0 else 'B'}{abs(n)}" for i, n in enumerate(position.points, 1) if n]
    for name, pair in (("bar", position.bar), ("off", position.off)):
        parts += [f"{name}{side}{n}" for side, n in zip("WB", pair, strict=True) if n]
    return " ".join(parts)

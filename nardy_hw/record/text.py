"""A match as text for people, in either game: the two columns of `.mat`, with a header that says which game it is.

Programs for backgammon refuse the header rather than misread long nardy.
"""

from __future__ import annotations

from collections.abc import Iterator

from nardy_hw.record.columns import plain, play_lines, result_line, safe_name, score_line
from nardy_hw.record.games import Break, Game, games
from nardy_hw.record.store import MatchRecord
from nardy_hw.referee.events import ViolationSeen
from nardy_hw.rules.position import Player, Position


def to_text(record: MatchRecord) -> str:
    """The match as text. Raises ExportError for a record without a beginning."""
    info = record.info
    white, black = safe_name(info.white), safe_name(info.black)
    length = f", match to {info.length}" if info.length else ""
    lines = [f"nardy-hw text 1: {info.variant} nardy{length}", f"{white} (White) - {black} (Black)"]
    lines.append(", ".join([info.started, *(plain(part) for part in (info.event, info.place) if part)]))
    score = dict.fromkeys(Player, 0)
    for number, game in enumerate(games(record.events), 1):
        lines += ["", f" Game {number}", score_line(white, black, score)]
        if game.start != Position.start(info.variant):
            lines.append(f"      starts from {_where(game.start)}")
        lines += [*play_lines(_cells(game)), *result_line(game)]
        if game.winner is not None:
            score[game.winner] += game.points
    faults = [event for event in record.events if isinstance(event, ViolationSeen)]
    if faults:
        lines += ["", " Illegal plays"]
        lines += [f" {int(e.t) // 60:3}:{int(e.t) % 60:02}  {e.player}: {e.text} (rule {e.rule})" for e in faults]
    return "\n".join(lines) + "\n"


def _cells(game: Game) -> Iterator[tuple[Player | None, str]]:
    for turn in game.turns:
        if isinstance(turn, Break):
            yield None, f"not seen; goes on from {_where(turn.position)}"
            continue
        yield turn.player, f"{max(turn.dice)}{min(turn.dice)}: {turn.text or 'illegal, and stood'}"
        if turn.text is None:
            yield None, f"stands: {_where(turn.position)}"


def _where(position: Position) -> str:
    """A position in one line: `6W5 8W3 ...`, points from White's side."""
    parts = [f"{i}{'W' if n > 0 else 'B'}{abs(n)}" for i, n in enumerate(position.points, 1) if n]
    for name, pair in (("bar", position.bar), ("off", position.off)):
        parts += [f"{name}{side}{n}" for side, n in zip("WB", pair, strict=True) if n]
    return " ".join(parts)

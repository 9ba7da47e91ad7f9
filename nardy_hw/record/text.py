"""A match as text for people, in either game: the two columns of `.mat`, with a header that says which game it is.

Programs for backgammon refuse the header rather than misread long nardy. The last line is for `text_reader`; the list
of illegal plays is for people, and is not read back.
"""

from __future__ import annotations

from collections.abc import Iterator

from nardy_hw.record.columns import OURS, game_lines, plain, safe_names, score_line, whole_info
from nardy_hw.record.games import Break, Cubing, Game, games
from nardy_hw.record.store import MatchRecord
from nardy_hw.referee.events import ViolationSeen
from nardy_hw.rules.position import Player, Position

FIRST = "nardy-hw text 1:"
STARTS, CUBE_AT = "starts from", "the cube at"
UNSEEN, STOOD, STANDS = "not seen; goes on from", "illegal, and stood", "stands:"
FAULTS = " Illegal plays"


def to_text(record: MatchRecord) -> str:
    """The match as text. Raises ExportError for a record without a beginning."""
    info = record.info
    white, black = safe_names(info)
    length = f", match to {info.length}" if info.length else ""
    lines = [f"{FIRST} {info.variant} nardy{length}", f"{white} (White) - {black} (Black)"]
    lines.append(", ".join([info.started, *(plain(part) for part in (info.event, info.place) if part)]))
    for number, game in enumerate(games(record.events), 1):
        lines += ["", f" Game {number}", score_line(white, black, game.score)]
        if game.start != Position.start(info.variant):
            lines.append(f"      {STARTS} {where(game.start)}")
        if game.cube > 1:
            lines.append(f"      {CUBE_AT} {game.cube}")
        lines += game_lines(game, _cells(game))
    faults = [event for event in record.events if isinstance(event, ViolationSeen)]
    if faults:
        lines += ["", FAULTS]
        lines += [f" {int(e.t) // 60:3}:{int(e.t) % 60:02}  {e.player}: {e.text} (rule {e.rule})" for e in faults]
    lines += ["", f"{OURS} {whole_info(info)}"]
    return "\n".join(lines) + "\n"


def _cells(game: Game) -> Iterator[tuple[Player | None, str]]:
    for turn in game.turns:
        if isinstance(turn, Break):
            yield None, f"{UNSEEN} {where(turn.position)}"
        elif isinstance(turn, Cubing):
            yield turn.player, {"double": f" Doubles => {turn.value}", "take": " Takes", "drop": " Drops"}[turn.what]
        else:
            yield turn.player, f"{max(turn.dice)}{min(turn.dice)}: {turn.text or STOOD}"
            if turn.text is None:
                yield None, f"{STANDS} {where(turn.position)}"


def where(position: Position) -> str:
    """A position in one line: `6W5 8W3 ...`, points from White's side."""
    parts = [f"{i}{'W' if n > 0 else 'B'}{abs(n)}" for i, n in enumerate(position.points, 1) if n]
    for name, pair in (("bar", position.bar), ("off", position.off)):
        parts += [f"{name}{side}{n}" for side, n in zip("WB", pair, strict=True) if n]
    return " ".join(parts)

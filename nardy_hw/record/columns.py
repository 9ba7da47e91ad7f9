"""The two columns that match files share: White's plays left, Black's right."""

from __future__ import annotations

from collections.abc import Callable

from nardy_hw.record.games import Game, Ply
from nardy_hw.rules.position import Player

LEFT = 34
"""Characters of the left cell. Importers tell the columns by position: an empty left cell has to be this wide."""


def game_lines(game: Game, cell: Callable[[Ply, Game, int], str], result: str) -> list[str]:
    """Numbered lines of a game's plays, then the result below the winner's column. cell: the text of one play."""
    rows: list[list[str]] = []
    for number, ply in enumerate(game.plies):
        text = cell(ply, game, number)
        if ply.player is Player.WHITE or not rows or rows[-1][1]:
            rows.append(["", ""])
        rows[-1][0 if ply.player is Player.WHITE else 1] = text
    lines = [f"{n:3}) {left:<{LEFT - 5}}  {right}".rstrip() for n, (left, right) in enumerate(rows, 1)]
    if game.winner is not None:
        lines.append(" " * (6 if game.winner is Player.WHITE else LEFT + 3) + result)
    return lines


def safe_name(name: str) -> str:
    """At most 31 bytes of UTF-8, and none of the characters that importers trip over."""
    kept = " ".join("".join(c if c not in ":[]" and c.isprintable() else " " for c in name).split())
    while len(kept.encode()) > 31:
        kept = kept[:-1]
    return kept.strip() or "Player"

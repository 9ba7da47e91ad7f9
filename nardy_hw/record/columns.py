"""What the two-column match files share: White's plays left, Black's right."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from nardy_hw.record.games import Game
from nardy_hw.rules.position import Player

RIGHT = 42
"""Where the right column begins: two blanks after the longest play, `33: bar/22* ...` of four hits. Importers tell an
empty left cell by its width: GNU Backgammon from 15 on, eXtreme Gammon writes about 41."""

NAME_BYTES = 31
"""GNU Backgammon's limit."""


def score_line(white: str, black: str, score: dict[Player, int]) -> str:
    """The names and the score before a game."""
    left = f" {white} : {score[Player.WHITE]}"
    return f"{left:<{RIGHT - 1}} {black} : {score[Player.BLACK]}"


def play_lines(cells: Iterable[tuple[Player | None, str]]) -> list[str]:
    """Numbered lines of plays in the order given. A cell of nobody's is a line of its own."""
    lines: list[str] = []
    number, row = 0, ""
    for player, text in cells:
        if player is None:
            row = ""
            lines.append(f"      {text}")
        elif player is Player.BLACK and row:
            lines[-1] = f"{row:<{RIGHT - 2}}  {text}"
            row = ""
        else:
            number += 1
            row = f"{number:3}) {text}" if player is Player.WHITE else ""
            lines.append(row or f"{f'{number:3})':<{RIGHT}}{text}")
    return lines


def result_line(game: Game, closing: str = "") -> list[str]:
    """The result below the winner's column; nothing for a game that was not played out."""
    if game.winner is None:
        return []
    indent = 6 if game.winner is Player.WHITE else RIGHT + 1
    return [f"{'':{indent}}Wins {game.points} point{'s' if game.points > 1 else ''}{closing}"]


def plain(text: str) -> str:
    """On one line, and without what importers trip over: a colon ends a name, a comma begins a rating, a bracket or a
    double quote ends a header."""
    return " ".join("".join(" " if c in ':,[]"' or unicodedata.category(c) in _BREAKS else c for c in text).split())


def safe_name(name: str) -> str:
    """As `plain`, and at most 31 bytes of UTF-8."""
    return plain(name).encode()[:NAME_BYTES].decode(errors="ignore").strip() or "Player"


_BREAKS = ("Cc", "Zl", "Zp")
"""Control characters and line ends."""

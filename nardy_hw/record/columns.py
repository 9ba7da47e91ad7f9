"""What the two-column match files share: White's plays left, Black's right."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from urllib.parse import quote

import msgspec

from nardy_hw.record.games import Game
from nardy_hw.record.store import MatchInfo
from nardy_hw.rules.position import Player

RIGHT = 42
"""Where the right column begins: two blanks after the longest play, `33: bar/22* ...` of four hits. Importers tell an
empty left cell by its width: GNU Backgammon from 15 on, eXtreme Gammon writes about 41."""

NAME_BYTES = 31
"""GNU Backgammon's limit."""

OURS = "Nardy-hw"
"""The key of the header line with all that the file would lose: names beyond 31 bytes, seconds, the profile."""

AUTOMATIC = "Automatic doubles"
"""The key of the header line with the games whose cube did not begin at 1: `3: 2, 7: 4`. The formats have no word for
it."""


def score_line(white: str, black: str, score: tuple[int, int]) -> str:
    """The names and the score before a game."""
    left = f" {white} : {score[0]}"
    return f"{left:<{RIGHT - 1}} {black} : {score[1]}"


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


def result(game: Game, closing: str = "") -> str:
    """`Wins 2 points`; nothing for a game that was not played out."""
    return f"Wins {game.points} point{'s' if game.points > 1 else ''}{closing}" if game.winner else ""


def game_lines(game: Game, cells: Iterable[tuple[Player | None, str]], closing: str = "") -> list[str]:
    """The plays, and the result below the winner's column; where the left player drops it stands beside: GNU Backgammon
    takes a drop with an empty cell after it for a beaver."""
    told = result(game, closing)
    if game.how == "drop" and game.winner is Player.BLACK:
        return play_lines([*cells, (game.winner, f" {told}")])
    indent = 6 if game.winner is Player.WHITE else RIGHT + 1
    return play_lines(cells) + ([f"{'':{indent}}{told}"] if told else [])


def whole_info(info: MatchInfo) -> str:
    """The match's info in one word of letters, digits, `-._~` and `%`."""
    return quote(json.dumps(msgspec.to_builtins(info), ensure_ascii=False, separators=(",", ":")), safe="")


def plain(text: str) -> str:
    """On one line, and without what importers trip over: a colon ends a name, a comma begins a rating, a bracket or a
    double quote ends a header, a semicolon a field of Snowie's."""
    return " ".join("".join(" " if c in ':,;[]"' or unicodedata.category(c) in _BREAKS else c for c in text).split())


def safe_name(name: str) -> str:
    """As `plain`, and at most 31 bytes of UTF-8."""
    return plain(name).encode()[:NAME_BYTES].decode(errors="ignore").strip() or "Player"


def safe_names(info: MatchInfo) -> tuple[str, str]:
    """White's and Black's, never the same."""
    white, black = safe_name(info.white), safe_name(info.black)
    if white == black:
        return safe_name(f"1 {white}"), safe_name(f"2 {black}")
    return white, black


_BREAKS = ("Cc", "Zl", "Zp")
"""Control characters and line ends."""

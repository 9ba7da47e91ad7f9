"""How far something long has come: a line on a terminal that overwrites itself; nothing where there is none."""

from __future__ import annotations

import sys


def bar(share: float, text: str = "") -> None:
    """share: 0..1; at 1 the line is wiped."""
    if not sys.stderr.isatty():
        return
    done = round(30 * min(max(share, 0.0), 1.0))
    line = f"\r[{'#' * done}{'.' * (30 - done)}] {text}" if share < 1 else "\r\033[K"
    print(line, end="", file=sys.stderr, flush=True)

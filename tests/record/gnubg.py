"""GNU Backgammon as a program that reads our files, and what it then has on its boards."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

SCRIPT = """
import json
gnubg.command('{load} "{name}"')
print("GAMES " + json.dumps(gnubg.match(0, 1, 0, 0)))
gnubg.command('export match text "account.txt"')
"""
LOAD = {"mat": "import mat", "snowie": "import mat", "sgf": "load match"}
IDS = re.compile(r"^ GNU Backgammon  Position ID: (\S{14})\n +Match ID   : (\S{12})$", re.MULTILINE)


def program() -> str:
    found = shutil.which("gnubg", path=f"{os.environ['PATH']}:/usr/games")
    assert found, "GNU Backgammon is missing: apt-get install gnubg"
    return found


class Read:
    """games: of each, `info` and `game`, a list of actions with the board before each. info: of the match. ids: of each
    game, Position ID and Match ID of every decision. said: what it printed."""

    def __init__(self, folder: Path, text: str, kind: str) -> None:
        (folder / f"ours.{kind}").write_text(text, encoding="utf-8")
        (folder / "read.py").write_text(SCRIPT.format(load=LOAD[kind], name=f"ours.{kind}"))
        for old in folder.glob("account*.txt"):
            old.unlink()
        self.said = subprocess.run(
            [program(), "-t", "-q", "-r", "-p", "read.py"],
            cwd=folder, env={**os.environ, "HOME": str(folder)}, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=100, check=True,
        ).stdout  # fmt: skip
        line = next(line for line in self.said.splitlines() if line.startswith("GAMES "))
        match: dict[str, Any] | None = json.loads(line.removeprefix("GAMES "))
        self.games: list[dict[str, Any]] = match["games"] if match else []
        self.info: dict[str, Any] = match["match-info"] if match else {}
        accounts = sorted(folder.glob("account*.txt"))
        self.ids = [IDS.findall(path.read_text(encoding="utf-8")) for path in accounts]

"""Command: board-sim. The board's own firmware in a simulated microcontroller, on a serial port for every program."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware_bridge.sim.board import SimulatedBoard

WORDS = "press 0|1, release 0|1, module 0|1 R|S5|T2|M|gone, lights, unplug, plug, reset, noise SHARE, quit"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `board-sim`."""
    parser = commands.add_parser("board-sim", help=f"the board without the board; say {WORDS} on standard input")
    parser.add_argument("--link", type=Path, metavar="PATH", help="the serial port that it makes")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from firmware_bridge.sim.board import SimulatedBoard, build, cache

    link = args.link or cache() / "board"
    elf, program = build(cache())
    with SimulatedBoard(program, elf, link) as board:
        print(f"the board is at {link}; say {WORDS}", flush=True)
        for line in sys.stdin:
            if line.strip() == "quit":
                break
            print(_obey(board, line.split()), flush=True)
    return 0


def _obey(board: SimulatedBoard, words: list[str]) -> str:
    """What a line of people's words does. Raises BuildError when the simulated board has ended."""
    match words:
        case []:
            return ""
        case [("press" | "release") as what, ("0" | "1") as button]:
            board.press(int(button), what == "press")
            return "ok"
        case ["module", ("0" | "1") as number, "gone"]:
            board.module(int(number), "")
            return "ok"
        case ["module", ("0" | "1") as number, said] if re.fullmatch("[RTM]|[STM][1-6]", said):
            board.module(int(number), said[0], int(said[1:] or 0))
            return "ok"
        case ["lights"]:
            return " ".join("".join(f"{value:02x}" for value in light) for light in board.lights())
        case [("unplug" | "plug" | "reset") as what]:
            return board.ask(what)
        case ["noise", share]:
            try:
                value = float(share)
            except ValueError:
                value = -1.0
            if 0 <= value <= 1:
                board.noise(value, value, value)
                return "ok"
    return f"not understood: {' '.join(words)[:40]!r}; say {WORDS}"

"""Command: doctor. What is connected, whether it works, and what to do where it does not."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from itertools import chain
from pathlib import Path


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `doctor`."""
    parser = commands.add_parser("doctor", help="tries what is connected, and says what to do where it does not work")
    parser.add_argument("--config", type=Path, metavar="FILE.toml", help="what is connected; /etc/nardy-hw/config.toml")
    parser.add_argument("--board", metavar="PORT|auto", help="the board of lights and buttons; 'auto' as left out")
    parser.add_argument("--walk", action="store_true", help="lights every light of the board in turn")
    parser.add_argument(
        "--throws", type=int, default=0, metavar="N", help="tests the board's roller with so many throws"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from nardy_hw.cli.progress import bar
    from nardy_hw.daemon import doctor
    from nardy_hw.errors import InputError
    from nardy_hw.settings import load_settings

    if not 0 <= args.throws <= 100_000:
        raise InputError(f"--throws is 0 to 100000, not {args.throws}")
    port = args.board or load_settings(args.config).devices.board or "auto"
    bad = False
    board = doctor.board(port, throws=args.throws, walk=args.walk, progress=bar)
    for finding in chain(doctor.takers(), [doctor.permission()], board):
        bar(1.0)
        bad = bad or finding.word == "bad"
        if args.json:
            print(json.dumps(asdict(finding), ensure_ascii=False), flush=True)
            continue
        todo = f"\n{'':6}-> {finding.todo}" if finding.todo else ""
        print(f"{finding.word:5} {finding.about}: {finding.text}{todo}", flush=True)
    return int(bad)

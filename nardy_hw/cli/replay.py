"""Command: replay. A recorded game -> events."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nardy_hw.daemon.pipeline import GivenRoll
    from nardy_hw.rules.position import Position


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `replay`."""
    parser = commands.add_parser("replay", help="a recorded game -> rolls, plays, violations")
    parser.add_argument("source", metavar="VIDEO|FOLDER", help="a video, a folder of images, /dev/videoN, or picamera")
    parser.add_argument("--calibration", type=Path, required=True, metavar="FILE")
    parser.add_argument("--variant", choices=("short", "long"), help="the calibration's own when left out")
    parser.add_argument(
        "--position", type=Path, metavar="FILE.json", help="where the game begins; the opening when left out"
    )
    parser.add_argument(
        "--turn", choices=("white", "black"), help="who throws first; the opening throw tells when left out"
    )
    parser.add_argument("--fps", type=float, help="frames a second, where the source does not know")
    parser.add_argument(
        "--rolls",
        type=Path,
        metavar="FILE.jsonl",
        help="throws as electronic dice give them; the camera's are then only compared",
    )
    parser.add_argument("--record", action="store_true", help="keep the game: see `nardy-hw matches`")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from calibration.file import load, reference_path
    from nardy_hw.daemon.pipeline import follow
    from nardy_hw.daemon.table import seats
    from nardy_hw.record.store import MatchInfo, Store
    from nardy_hw.referee.core import Referee
    from nardy_hw.referee.events import encode
    from nardy_hw.referee.text import describe
    from nardy_hw.rules.position import Player, Position, Variant
    from nardy_hw.vision.eyes import Eyes
    from nardy_hw.vision.sources import open_source

    calibration = load(args.calibration)
    variant = Variant(args.variant or calibration.layout.variant)
    start = read_position(args.position, variant) if args.position else Position.start(variant)
    rolls = read_rolls(args.rolls) if args.rolls else []
    turn = Player(args.turn) if args.turn else None
    with open_source(args.source, args.fps, calibration.geometry.size) as source:
        if calibration.reference is None:
            print(
                f"nardy-hw replay: there is no {reference_path(args.calibration)}: a bumped board will not be noticed; "
                "calibrate again to have it",
                file=sys.stderr,
            )
        referee = Referee(start, turn=turn, seats=seats(calibration), trusted_rolls=bool(rolls))
        store = Store.open() if args.record else None
        match = store.begin(MatchInfo(variant=variant, white_home=calibration.layout.white_home)) if store else 0
        read, why = False, "nothing stood still long enough"
        try:
            for step in follow(source, Eyes(calibration), referee, rolls):
                if step.seen.still and not (read := read or not step.seen.reason):
                    why = step.seen.reason
                for event in step.events:
                    if store:
                        store.append(match, event)
                    print(encode(event).decode() if args.json else describe(event), flush=True)
        finally:
            if store:
                store.close()
    if match and not args.json:
        print(f"recorded as match {match}: nardy-hw matches show {match}")
    if not read:
        print(f"nardy-hw replay: nothing could be read: {why}", file=sys.stderr)
    return 0 if read else 1


def read_position(path: Path, variant: str) -> Position:
    """A position from a JSON file. Raises InputError, PositionError."""
    from nardy_hw.errors import InputError, NardyError
    from nardy_hw.rules.position import Position

    try:
        position = Position.from_json(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise InputError(f"cannot read the position {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, NardyError):
            raise
        raise InputError(f"{path} is not JSON: {str(error)[:100]}") from None
    if position.variant != variant:
        raise InputError(f"{path} is a {position.variant} position, the game is {variant}")
    return position


def read_rolls(path: Path) -> list[GivenRoll]:
    """Throws from JSON Lines {"t", "player", "dice"}. Raises InputError with the line's number."""
    import msgspec

    from nardy_hw.daemon.pipeline import GivenRoll
    from nardy_hw.errors import InputError

    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not a text file"
        raise InputError(f"cannot read the rolls {path}: {why}") from None
    rolls = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            roll = msgspec.json.decode(line, type=GivenRoll)
        except msgspec.DecodeError as error:
            raise InputError(f"{path} line {number}: {error}") from None
        if not all(1 <= die <= 6 for die in roll.dice):
            raise InputError(f"{path} line {number}: dice are 1 to 6, not {roll.dice[0]} and {roll.dice[1]}")
        rolls.append(roll)
    return rolls

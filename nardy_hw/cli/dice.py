"""Command: dice. What every die says, whoever reads it, and whether they are fair: the test of a table's dice."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware_bridge.dice import Die
    from nardy_hw.settings import Settings


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `dice`."""
    parser = commands.add_parser("dice", help="what every die says, whoever reads it, and whether the dice are fair")
    parser.add_argument("--config", type=Path, metavar="FILE.toml", help="what is connected; /etc/nardy-hw/config.toml")
    parser.add_argument("--board", metavar="PORT|auto", help="a board of lights and buttons on this serial port")
    parser.add_argument("--dice", choices=("roller", "module", "ble"), help="who reads them, if it is not the camera")
    parser.add_argument("--camera", metavar="SOURCE", help="picamera, /dev/videoN, a video, or a folder of images")
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="of the board under the camera")
    parser.add_argument("--throws", type=int, default=0, metavar="N", help="ends after so many")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from firmware_bridge.dice import Pair
    from nardy_hw.daemon.doctor import fairness
    from nardy_hw.errors import InputError
    from nardy_hw.record.fairness import LEAST

    if args.throws < 0:
        raise InputError(f"--throws is 0 (no end) or more, not {args.throws}")
    pair, faces, thrown = Pair(), [0] * 6, 0
    try:
        for die in _camera(args) if args.camera else _electronic(args):
            throw = pair.hears(die)
            told = {"source": die.source, "die": die.name, "state": str(die.state), "face": die.face}
            words = f"{die.source} {die.name}: {die.state}{f' {die.face}' if die.face else ''}"
            print(json.dumps(told) if args.json else words, flush=True)
            if throw is None:
                continue
            thrown += 1
            for face in throw:
                faces[face - 1] += 1
            print(json.dumps({"throw": throw}) if args.json else f"thrown: {throw[0]} {throw[1]}", flush=True)
            if thrown == args.throws:
                break
    except KeyboardInterrupt:
        print(file=sys.stderr)
    finding = fairness(faces, f"{thrown} throws")
    few = "" if sum(faces) >= LEAST else f" (too few to tell: at least {LEAST} faces)"
    print(f"{finding.text}{few}", file=sys.stderr if args.json else sys.stdout)
    return int(finding.word == "bad" and not few)


def _camera(args: argparse.Namespace) -> Iterator[Die]:
    """Raises InputError, SourceError."""
    from calibration.file import load
    from nardy_hw.daemon.camera_dice import CameraDice
    from nardy_hw.errors import InputError
    from nardy_hw.vision.eyes import Eyes
    from nardy_hw.vision.sources import open_source

    if args.calibration is None:
        raise InputError("--camera needs --calibration FILE: nardy-hw calibrate makes one")
    calibration = load(args.calibration)
    eyes, dice = Eyes(calibration), CameraDice()
    with open_source(args.camera, None, calibration.geometry.size) as source:
        for frame in source:
            yield from dice.hears(eyes.look(frame))


def _electronic(args: argparse.Namespace) -> Iterator[Die]:
    """Raises InputError, LinkError."""
    from nardy_hw.cli.connected import settings_of
    from nardy_hw.daemon.devices import Devices

    settings: Settings = settings_of(args)
    with Devices(settings, "silent") as devices:
        for said in devices.dice():
            if isinstance(said, str):
                print(said, file=sys.stderr, flush=True)
            else:
                yield said

"""Command: flash. The firmware onto the board."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `flash`."""
    parser = commands.add_parser("flash", help="writes the firmware onto the board of lights and buttons")
    parser.add_argument("port", metavar="PORT", help="the board's serial port, such as /dev/ttyUSB0")
    parser.add_argument(
        "--bootloader", choices=("new", "old"), default="new", help="old: Nanos before 2018 and most of their clones"
    )
    parser.add_argument("--image", type=Path, metavar="FILE.hex", help="another one than this program's own")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from firmware_bridge.flash import flash
    from firmware_bridge.sim.board import build_firmware, cache

    image = args.image or build_firmware(cache()).with_suffix(".hex")
    flash(args.port, image, args.bootloader, progress=sys.stderr.isatty())
    print(f"{args.port} has the firmware {image}")
    return 0

"""Command: read. One picture -> what stands where."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calibration.field import Picture
    from nardy_hw.rules.position import Position
    from nardy_hw.vision.observation import Observation


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `read`."""
    parser = commands.add_parser("read", help="one picture -> position, dice, confidence")
    parser.add_argument("image", metavar="IMAGE", help="a picture of the board")
    parser.add_argument("--calibration", type=Path, required=True, metavar="FILE")
    parser.add_argument("--variant", choices=("short", "long"), help="the calibration's own when left out")
    parser.add_argument(
        "--annotate", type=Path, metavar="OUT.png", help="write the picture with what was seen drawn over it"
    )
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    import msgspec

    from calibration.file import load
    from calibration.picture import read_picture
    from nardy_hw.errors import InputError
    from nardy_hw.referee.belief import likeliest
    from nardy_hw.rules.position import Variant
    from nardy_hw.vision.annotate import annotate
    from nardy_hw.vision.eyes import Eyes
    from nardy_hw.vision.sources.frame import Frame

    if not args.image:
        raise InputError("IMAGE is empty: name a picture of the board")
    calibration = load(args.calibration)
    variant = calibration.layout.variant
    if args.variant not in (None, variant):
        raise InputError(
            f"--variant {args.variant} contradicts {args.calibration}, which is for {variant}: leave it out, or "
            f"calibrate with --variant {args.variant}"
        )
    picture = read_picture(Path(args.image))
    calibration.check_size(picture, args.image)
    eyes = Eyes(calibration)
    seen = eyes.read(Frame(0.0, 0, picture))
    position = likeliest(seen, Variant(variant), white_is_light=calibration.white == "light")
    if args.annotate is not None:
        _write(annotate(picture, calibration, seen, eyes.corners), args.annotate)
    if args.json:
        print(msgspec.json.encode(as_json(seen, position)).decode())
    else:
        print(as_text(seen, position))
    return 0 if seen.field_found else 1


def _write(picture: Picture, path: Path) -> None:
    """Writes a picture file, whole or not at all. Raises InputError."""
    import cv2

    from nardy_hw.errors import InputError

    try:
        ok, data = cv2.imencode(path.suffix, picture)
    except cv2.error:
        ok = False
    if not ok:
        raise InputError(f"cannot write {path}: OpenCV knows no picture format {path.suffix!r}, take .png or .jpg")
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data.tobytes())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"cannot write {path}: {error.strerror}") from None


def as_json(seen: Observation, position: Position) -> dict[str, Any]:
    """The object of the command line."""
    return {
        "position": position.to_json(),
        "points": [
            {
                "point": i,
                "colour": p.colour,
                "count": p.count,
                "at_least": p.at_least,
                "occluded": p.occluded,
                "confidence": round(p.confidence, 4),
            }
            for i, p in enumerate(seen.points, 1)
        ],
        "bar": position.to_json()["bar"],
        "off": position.to_json()["off"],
        "dice": [
            {
                "value": d.value,
                "state": d.state,
                "half": d.half,
                "centre": [round(v, 1) for v in d.centre],
                "confidence": round(d.confidence, 4),
            }
            for d in seen.dice
        ],
        "hand": seen.hand,
        "field_found": seen.field_found,
    }


def as_text(seen: Observation, position: Position) -> str:
    """The same for people."""
    if not seen.field_found:
        return f"field not found: {seen.reason}"
    lines = [seen.reason] if seen.reason else []
    for i, p in enumerate(seen.points, 1):
        if p.occluded:
            lines.append(f"{i:2}  hidden")
        elif p.count:
            lines.append(f"{i:2}  {p.colour} {'at least ' if p.at_least else ''}{p.count}  ({p.confidence:.0%})")
    bar, off = position.bar, position.off
    lines.append(f"bar white {bar[0]} black {bar[1]}; off white {off[0]} black {off[1]}")
    lines += [f"die {d.value} {d.state} in the {d.half} half ({d.confidence:.0%})" for d in seen.dice] or ["no dice"]
    if seen.hand:
        lines.append("a hand is over the board")
    return "\n".join(lines)

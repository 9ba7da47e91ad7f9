"""Command: calibrate. Corners and pictures of the board -> calibration file."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.layout import VARIANTS, WHITE_HOMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.field import Picture
    from calibration.file import Appearance, Trays
    from calibration.find import Found
    from calibration.geometry import Corners
    from calibration.layout import Layout
    from nardy_hw.vision.checkers import Strips


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `calibrate`."""
    parser = commands.add_parser("calibrate", help="corners and pictures of the board -> calibration file")
    parser.add_argument(
        "--image", type=Path, required=True, metavar="FILE", help="a picture of the board as the camera will see it"
    )
    parser.add_argument(
        "--corners",
        metavar='"X,Y X,Y X,Y X,Y"',
        help="inner corners of the field: near-left, near-right, far-right, far-left; found when left out",
    )
    parser.add_argument(
        "--start-image", type=Path, metavar="FILE", help="the start position of --variant, to learn the checkers from"
    )
    parser.add_argument("--empty-image", type=Path, metavar="FILE", help="the empty board, to learn its pattern from")
    parser.add_argument(
        "--lens", type=Path, metavar="FILE", help="the camera's lens, from `nardy-hw lens`: pictures are straightened"
    )
    parser.add_argument(
        "--bar", metavar="A,B", help="the bar's edges as fractions of the field's width; measured when left out"
    )
    parser.add_argument(
        "--trays",
        choices=("right", "left", "both", "none"),
        help="where checkers taken off lie, beside the field; found when left out",
    )
    parser.add_argument("--variant", choices=VARIANTS, default="short")
    parser.add_argument("--white-home", choices=WHITE_HOMES, default="near-right", help="where White's points 1-6 lie")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE.toml")
    parser.add_argument("--json", action="store_true", help="print what was measured as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    import msgspec
    import numpy as np

    from calibration.errors import CornersError
    from calibration.field import rectify
    from calibration.file import Appearance, Calibration, load_lens, save
    from calibration.find import Found, find
    from calibration.geometry import Geometry, check_corners, parse_corners
    from calibration.layout import Layout
    from calibration.measure import measure
    from calibration.picture import read_picture
    from nardy_hw.rules.position import Position, Variant
    from nardy_hw.vision.checkers import CheckerReader
    from nardy_hw.vision.learn import checker_radius, from_empty, from_position

    told = parse_corners(args.corners) if args.corners is not None else None
    if args.output.suffix != ".toml":
        raise CornersError(f"--output names a .toml file, not {args.output}")
    picture = read_picture(args.image)
    size = (picture.shape[1], picture.shape[0])
    found = find(picture) if told is None else Found(told, 1.0)
    if found.corners is None or found.doubt:
        print(f"nardy-hw calibrate: {_ask(args.image, found)}", file=sys.stderr)
        return 1
    corners = found.corners
    check_corners(corners, size)
    lens = load_lens(args.lens).scaled(size) if args.lens else None
    if lens:  # people point at the picture as it was taken; from here on everything is straight
        corners, picture = lens.corners_to_straight(corners), lens.undistort(picture)
    layout = Layout(args.variant, args.white_home)
    # the emptier the board the better its bar and points are seen
    empty = read_picture(args.empty_image) if args.empty_image else None
    if empty is not None and lens:
        empty = lens.undistort(empty)
    bar, length, radius = measure(picture if empty is None else empty, np.array(corners, np.float32))
    geometry = Geometry(size, corners, _bar(args.bar) if args.bar else bar, length, radius)
    trays, sure_of_trays = _trays(args, picture if empty is None else empty, corners)
    calibration = Calibration(geometry, layout, trays, reference=picture)
    appearance = Appearance()
    reader = CheckerReader()
    full, known = None, [0] * 24
    if args.start_image:
        start = read_picture(args.start_image)
        if lens:
            start = lens.undistort(start)
        calibration.check_size(start, str(args.start_image))
        full = rectify(start, np.array(corners, np.float32))
        points = Position.start(Variant(args.variant)).points
        known = [points[layout.place(p) - 1] for p in range(1, 25)]
    if empty is not None:
        calibration.check_size(empty, str(args.empty_image))
        if full is not None:
            bare = rectify(empty, np.array(corners, np.float32))
            geometry = replace(geometry, checker_radius=checker_radius(bare, full, geometry, known))
        appearance = from_empty(reader, empty, geometry, corners)
    if full is not None:
        seen = reader.read(full, geometry, appearance)
        appearance = from_position(appearance, seen, known)
        tones = appearance.tones
        # a board that is hard to read is no contradiction; checkers on less than half of their points are,
        # and so are light ones that are plainly the darker
        astray = (seen.count[:24].argmax(1) == 0)[np.array(known) != 0].mean() > 0.4
        swapped = tones is not None and sum(tones[0]) < sum(tones[1]) - 0.3
        if astray or swapped:
            raise CornersError(
                f"{args.start_image} does not show the start position of {args.variant} nardy with White's home "
                f"{args.white_home}: check --variant, --white-home and the corners"
            )
        if doubt := _misread(reader.read(full, geometry, appearance), appearance, known, layout):
            print(f"nardy-hw calibrate: {args.start_image}: {doubt}", file=sys.stderr)
    save(Calibration(geometry, layout, trays, appearance=appearance, reference=picture, lens=lens), args.output)
    if args.json:
        told_as = {"corners": found.corners, "sureness": round(found.sure, 3)}
        measured = {"bar": geometry.bar, "point_length": length, "checker_radius": geometry.checker_radius}
        told_as |= {"trays": trays, "sureness_of_trays": sure_of_trays}
        print(msgspec.json.encode({"output": str(args.output), **told_as, **measured}).decode())
    else:
        if told is None:
            print(f'{args.image}: {found.sure:.0%} sure of the corners "{_text(found.corners)}"')
        print(
            f"{args.output}: bar {geometry.bar[0]:.3f} to {geometry.bar[1]:.3f}, "
            f"points {length:.2f} of the height, checkers {2 * geometry.checker_radius:.3f} of the width, "
            f"trays: {trays}"
        )
    return 0


def _trays(args: argparse.Namespace, picture: Picture, corners: Corners) -> tuple[Trays, float]:
    """Where the trays are, and how sure that is. A doubtful find is told, and no tray taken to be there."""
    import numpy as np

    from calibration.find_trays import find_trays

    if args.trays is not None:
        told: Trays = args.trays
        return told, 1.0
    found = find_trays(picture, np.array(corners, np.float32))
    if found.trays is None:
        print(
            f"nardy-hw calibrate: {args.image}: not sure whether there are trays beside the field, none are taken: "
            "say --trays right, left, both or none",
            file=sys.stderr,
        )
    return found.trays or "none", round(found.sure, 3)


def _text(corners: Corners) -> str:
    """As `--corners` takes them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def _misread(seen: Strips, appearance: Appearance, known: Sequence[int], layout: Layout) -> str:
    """What of the start position is not read as it stands, once it has been learnt from; places as in `known`."""
    from nardy_hw.vision.readings import readings

    if appearance.tones is None:
        return "does not look like the start position of this board, nothing was learnt from it: take it again?"
    wrong, read = [], readings(seen)[0]
    for point in range(1, 25):
        place = layout.place(point) - 1
        reading = read[place]
        counted = reading.count == abs(known[place]) or (reading.at_least and reading.count < abs(known[place]))
        mine = "light" if known[place] > 0 else "dark" if known[place] else None
        if not reading.occluded and (not counted or reading.colour != mine):
            wrong.append(str(point))
    if not wrong:
        return ""
    return f"read otherwise than it stands on {', '.join(wrong)}: less glare, or a picture from straighter above, helps"


def _ask(image: Path, found: Found) -> str:
    """What to do about a field that was not found, or not surely."""
    if found.corners is None:
        return f"no field found in {image}: {found.doubt}"
    return f'{found.doubt}; if the field in {image} is this, or once mended: --corners "{_text(found.corners)}"'


def _bar(text: str) -> tuple[float, float]:
    from calibration.errors import CornersError

    try:
        a, b = (float(v) for v in text.split(","))
    except ValueError:
        raise CornersError(f"--bar is two numbers A,B, not {text!r}") from None
    return a, b

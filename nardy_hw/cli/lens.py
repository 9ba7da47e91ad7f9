"""Command: lens. Pictures of a chessboard or ChArUco board -> the camera's lens."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calibration.lens_fit import Fit
    from calibration.target import Charuco, Chessboard, View


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `lens`."""
    parser = commands.add_parser(
        "lens",
        help="pictures of a chessboard -> the camera's lens, for calibrate",
        description="Finds the camera's lens from 10 to 20 pictures of a flat chessboard or ChArUco board, as far away "
        "as the game will be: with the board in the middle, at each side and in each corner of the picture, tilted 20 "
        "to 40 degrees this way and that.",
    )
    parser.add_argument("pictures", nargs="+", metavar="PICTURE", help="picture files, or a folder of them")
    parser.add_argument(
        "--board",
        default="9x6",
        metavar="AxB",
        help="a chessboard's inner corners across and down: one less than its squares (9x6); of a ChArUco board the "
        "squares",
    )
    parser.add_argument("--square", type=float, default=24.0, metavar="MM", help="a square's side (24)")
    parser.add_argument("--charuco", metavar="DICT", help="it is a ChArUco board, with markers of e.g. 5x5_100")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE.toml")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from calibration.errors import LensError
    from calibration.file import save_lens
    from calibration.lens_fit import fit_lens

    if args.output.suffix != ".toml":
        raise LensError(f"--output names a .toml file, not {args.output}")
    board = _board(args.board, args.square, args.charuco)
    paths = _paths(args.pictures)
    views: dict[str, View] = {}
    left_out: dict[str, str] = {}
    size = None
    for number, path in enumerate(paths, 1):
        found = _look(board, path, size)
        if isinstance(found, str):
            left_out[str(path)] = found
        else:
            views[str(path)], size = found
        if not args.json:
            told = left_out.get(str(path)) or f"{len(views[str(path)].pixels)} corners"
            print(f"{number}/{len(paths)} {path}: {told}", flush=True)
    if size is None:
        counted = "inner corners, is all of it in the picture" if args.charuco is None else "squares"
        raise LensError(f"none of {len(paths)} pictures shows the board: has it {args.board} {counted}?")
    fit = fit_lens(views, size)
    save_lens(fit.lens, args.output)
    if args.json:
        _print_json(fit, left_out, args.output)
        return 0
    for name, why in fit.left_out.items():
        print(f"left out: {name}: {why}")
    near, far = (d / 10 for d in fit.distances)
    print(
        f"{args.output}: from {len(fit.used)} of {len(paths)} pictures, the board {near:.0f} to {far:.0f} cm away; "
        f"error {fit.lens.rms:.2f} px; straight to {fit.doubt:.2f} px, least {fit.where}"
    )
    return 0


def _board(size: str, square: float, dictionary: str | None) -> Chessboard | Charuco:
    from calibration.errors import LensError
    from calibration.target import Charuco, Chessboard

    try:
        across, down = (int(n) for n in size.lower().split("x"))
    except ValueError:
        raise LensError(f"--board is two whole numbers AxB, not {size!r}") from None
    return Chessboard(across, down, square) if dictionary is None else Charuco(across, down, square, dictionary)


def _paths(names: Sequence[str]) -> list[Path]:
    """The pictures named, folders being opened."""
    from calibration.errors import LensError
    from nardy_hw.vision.sources.folder import SUFFIXES

    paths: list[Path] = []
    for name in names:
        path = Path(name)
        if not name or not path.is_dir():
            paths.append(path)
            continue
        try:
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES)
        except OSError as error:
            raise LensError(f"cannot read the folder {path}: {error.strerror}") from None
        if not inside:
            raise LensError(f"there are no pictures in {path}")
        paths += inside
    return paths


def _look(board: Chessboard | Charuco, path: Path, size: tuple[int, int] | None) -> tuple[View, tuple[int, int]] | str:
    """The board in one picture and the picture's size; or why it is of no use. size: of the pictures before."""
    from calibration.errors import PictureError
    from calibration.picture import read_picture

    try:
        picture = read_picture(path)
    except PictureError as error:
        return str(error)
    height, width = picture.shape[:2]
    if size and size != (width, height):
        return f"is {width}x{height}, the others are {size[0]}x{size[1]}"
    view = board.find(picture)
    return "the board is not found" if view is None else (view, (width, height))


def _print_json(fit: Fit, left_out: dict[str, str], output: Path) -> None:
    import msgspec

    lens = fit.lens
    answer = {
        "output": str(output),
        "focal": lens.focal,
        "centre": lens.centre,
        "distortion": lens.distortion,
        "rms": lens.rms,
        "uncertain": fit.doubt,
        "used": fit.used,
        "left_out": left_out | dict(fit.left_out),
    }
    print(msgspec.json.encode(answer).decode())

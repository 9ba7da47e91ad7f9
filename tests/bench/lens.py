"""How far lenses found from rendered chessboards are from the truth, and what they mend on rendered boards.

    python -m tests.bench.lens --root DIR --chess TRUTH.jsonl [TRUTH.jsonl ...] --stills TRUTH.jsonl

--chess: one truth file a camera (9x6 inner corners, 24 mm). --stills: boards seen by the same cameras. File names in
the truth are relative to --root.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import FIELD_CORNERS
from calibration.lens import Lens
from calibration.lens_fit import fit_lens
from calibration.picture import read_picture
from calibration.target import Chessboard

BOARD = Chessboard(9, 6, 24.0)
Points = NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.lens", description="lenses against the truth")
    parser.add_argument("--root", type=Path, required=True, metavar="DIR")
    parser.add_argument("--chess", type=Path, nargs="+", required=True, metavar="TRUTH.jsonl")
    parser.add_argument("--stills", type=Path, metavar="TRUTH.jsonl")
    args = parser.parse_args()
    lenses = {}
    for truth in args.chess:
        records = [json.loads(line) for line in truth.read_text().splitlines()]
        lenses[records[0]["camera"]["unit"]] = found(records, args.root)
    if args.stills:
        mended([json.loads(line) for line in args.stills.read_text().splitlines()], lenses)


def lens_of(camera: dict[str, Any]) -> Lens:
    k = camera["K"]
    return Lens((camera["W"], camera["H"]), (k[0][0], k[1][1]), (k[0][2], k[1][2]), tuple(camera["dist"]))


def found(records: list[dict[str, Any]], root: Path) -> Lens:
    """The lens of one camera, and a line on how far it is from the true one."""
    views, off = {}, []
    for record in records:
        view = BOARD.find(read_picture(root / record["file"]))
        if view is None:
            print(f"{record['file']}: the board is not found")
            continue
        views[record["file"]] = view
        true = np.array(record["corners_px"])
        off.append(min(float(np.hypot(*(order - view.pixels).T).mean()) for order in (true, true[::-1])))
    true_lens = lens_of(records[0]["camera"])
    fit = fit_lens(views, true_lens.size)
    lens, (width, height) = fit.lens, true_lens.size
    grid = np.stack(np.meshgrid(np.linspace(0, width - 1, 33), np.linspace(0, height - 1, 25)), -1).reshape(-1, 2)
    ours, theirs = lens.points_to_straight(grid), true_lens.points_to_straight(grid)
    unit = records[0]["camera"]["unit"]
    print(f"{unit}: {len(views)} of {len(records)} boards found, corners {np.mean(off):.3f} px off")
    for name, value, true in (
        ("focal", lens.focal, true_lens.focal),
        ("centre", lens.centre, true_lens.centre),
        ("distortion", lens.distortion, true_lens.distortion),
    ):
        print(f"  {name}: {', '.join(f'{a:.5g} (true {b:.5g})' for a, b in zip(value, true, strict=True))}")
    print(f"  rms {lens.rms:.3f} px, uncertain by its own account {fit.doubt:.2f} px")
    print(f"  straightened positions off: {told(ours - theirs)}; without a lens {told(grid - theirs)}")
    print(f"  a perspective taken away: {told(apart(ours, theirs))}; without a lens {told(apart(grid, theirs))}")
    return lens


def told(offsets: Points) -> str:
    lengths = np.hypot(*offsets.T)
    return f"mean {lengths.mean():.2f} px, most {lengths.max():.2f}"


def apart(points: Points, others: Points) -> Points:
    matrix, _ = cv2.findHomography(points, others)
    return cv2.perspectiveTransform(points[:, None], matrix).reshape(-1, 2) - others


def mended(records: list[dict[str, Any]], lenses: dict[str, Lens]) -> None:
    """How far from their place points of the board and checkers appear, with and without the lens, given the corners.

    Board: all points' centre lines, in mm. Checkers: across their point, the tops' height taken into account; they are
    laid by hand and not exactly in the middle.
    """
    board: dict[str, list[Points]] = {}
    checkers: dict[str, list[Points]] = {}
    for record in records:
        camera, size = record["camera"], np.array([record["board"][key] * 1000 for key in ("field_w_m", "field_h_m")])
        lens = lenses.get(camera["unit"])
        if lens is None:
            continue
        x = np.array(list(record["board"]["point_x_m"].values())) * 1000
        rows = np.linspace(-0.5, 0.5, 7) * size[1]
        places = np.stack(np.meshgrid(x, rows), -1).reshape(-1, 2)
        corners = seen(record, (FIELD_CORNERS - 0.5) * size * [1, -1], 0.0)
        pair = [on_board(place, corners, seen(record, places, 0.0), size) - places for place in (None, lens)]
        board.setdefault(camera["unit"], []).append(np.hypot(*np.moveaxis(np.array(pair), -1, 0)).T)
        lying = [
            (record["board"]["point_x_m"][str(point)] * 1000, px, py)
            for _, point, layer, px, py in record["checkers_px"]
            if str(point).isdigit() and not layer and not record["points"][str(point)].get("arrangement")
        ]
        if lying:
            middle, *pixels = np.array(lying).T
            top = seen(record, (FIELD_CORNERS - 0.5) * size * [1, -1], record["style"]["checker_thick_m"] * 1000)
            pair = [on_board(place, top, np.stack(pixels, 1), size)[:, 0] - middle for place in (None, lens)]
            checkers.setdefault(camera["unit"], []).append(np.abs(np.array(pair)).T)
    for what, parts in (("board", board), ("checkers, across their point", checkers)):
        for unit, values in parts.items():
            all_of = np.concatenate(values)
            (a, b), (c, d) = all_of.mean(0), np.quantile(all_of, 0.95, axis=0)
            print(f"{unit} {what}: off by {a:.2f} mm (95%: {c:.2f}), with the lens {b:.3f} ({d:.3f})")


def seen(record: dict[str, Any], places: Points, height: float) -> Points:
    """Pixels at which the true camera sees places (mm from the field's middle, y away) at a height."""
    camera = record["camera"]
    on_table = np.c_[places, np.full(len(places), height), np.full(len(places), 1000)] / 1000
    world = (on_table @ np.array(record["board_to_world"]).T)[:, :3]
    turn, _ = cv2.Rodrigues(np.array(camera["R"]))
    pixels, _ = cv2.projectPoints(
        np.ascontiguousarray(world), turn, np.array(camera["t"]), np.array(camera["K"]), np.array(camera["dist"])
    )
    return pixels.reshape(-1, 2).astype(np.float64)


def on_board(lens: Lens | None, corners: Points, pixels: Points, size: Points) -> Points:
    """Where pixels lie on the board by its corners: mm from the middle, y away."""
    if lens:
        corners, pixels = lens.points_to_straight(corners), lens.points_to_straight(pixels)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), FIELD_CORNERS)
    return (cv2.perspectiveTransform(pixels[:, None], matrix).reshape(-1, 2) - 0.5) * size * [1, -1]


if __name__ == "__main__":
    main()

"""The eyes on rendered boards that they were not trained on, and on pictures that are no board."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.errors import SizeMismatch
from calibration.file import Calibration
from calibration.geometry import Geometry, parse_corners
from calibration.layout import Layout
from calibration.measure import measure
from calibration.picture import read_picture
from nardy_hw.vision.eyes import Eyes
from nardy_hw.vision.observation import Observation
from nardy_hw.vision.sources.frame import Frame

DATA = Path(__file__).parent.parent / "data" / "vision"
BOARDS = [json.loads(line) for line in (DATA / "truth.jsonl").read_text().splitlines()]


def calibrated(board: dict[str, Any], *, reference: bool = False) -> tuple[Calibration, Any]:
    picture = read_picture(DATA / board["file"])
    corners = parse_corners(board["corners"])
    bar, length, radius = measure(picture, np.array(corners, np.float32))
    geometry = Geometry((picture.shape[1], picture.shape[0]), corners, bar, length, radius)
    layout = Layout(board["variant"], board["white_home"])
    return Calibration(geometry, layout, reference=picture if reference else None), picture


def signed(seen: Observation) -> list[int]:
    return [p.count * (1 if p.colour == "light" else -1) for p in seen.points]


@pytest.mark.parametrize("board", BOARDS, ids=lambda b: b["file"])
def test_boards_never_seen_are_read_from_their_corners_alone(board: dict[str, Any]) -> None:
    calibration, picture = calibrated(board)
    seen = Eyes(calibration).read(Frame(0.0, 0, picture))
    assert signed(seen) == board["points"]
    assert (int(seen.bar_light.argmax()), int(seen.bar_dark.argmax())) == tuple(board["bar"].values())
    assert not seen.hand
    for place, count in zip(seen.points, board["points"], strict=True):
        assert place.table.shape == (31,)
        assert place.table[count + 15] == pytest.approx(0, abs=0.5)


def test_the_bar_is_measured_near_the_middle() -> None:
    for board in BOARDS:
        a, b = calibrated(board)[0].geometry.bar
        assert 0.42 <= a < 0.5 < b <= 0.58


@pytest.mark.parametrize("board", BOARDS, ids=lambda b: b["file"])
def test_a_board_seen_from_the_other_side_is_numbered_from_the_other_side(board: dict[str, Any]) -> None:
    calibration, picture = calibrated(board)
    upside_down = np.ascontiguousarray(picture[::-1, ::-1])
    height, width = picture.shape[:2]
    near_left, near_right, far_right, far_left = (
        (width - 1 - x, height - 1 - y) for x, y in calibration.geometry.corners
    )
    g = calibration.geometry
    turned = Geometry(
        g.size, (far_right, far_left, near_left, near_right), (1 - g.bar[1], 1 - g.bar[0]), 0.42, g.checker_radius
    )
    opposite = {"near-right": "far-left", "far-left": "near-right", "near-left": "far-right", "far-right": "near-left"}
    layout = Layout(board["variant"], opposite[board["white_home"]])  # type: ignore[arg-type]
    seen = Eyes(Calibration(turned, layout)).read(Frame(0.0, 0, upside_down))
    wrong = sum(a != b for a, b in zip(signed(seen), board["points"], strict=True))
    assert wrong <= 2  # shadows now fall the wrong way, as they never do


def test_a_moved_board_is_followed() -> None:
    calibration, picture = calibrated(BOARDS[0], reference=True)
    shift = np.array([[1, 0, 12], [0, 1, -9]], np.float32)
    moved = cv2.warpAffine(picture, shift, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    eyes = Eyes(calibration)
    seen = eyes.read(Frame(0.0, 0, np.asarray(moved, np.uint8)))
    assert seen.field_found
    assert eyes.corners == pytest.approx(np.add(calibration.geometry.corners, (12, -9)), abs=1.0)
    assert signed(seen) == BOARDS[0]["points"]


def test_another_board_is_not_taken_for_this_one() -> None:
    calibration, _ = calibrated(BOARDS[0], reference=True)
    other = read_picture(DATA / BOARDS[1]["file"])
    assert not Eyes(calibration).read(Frame(0.0, 0, other)).field_found


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_blank_picture_is_no_board(level: int) -> None:
    calibration, picture = calibrated(BOARDS[0], reference=True)
    assert not Eyes(calibration).read(Frame(0.0, 0, np.full_like(picture, level))).field_found


def test_nothing_is_read_while_something_moves() -> None:
    calibration, picture = calibrated(BOARDS[0])
    eyes = Eyes(calibration)
    assert not eyes.look(Frame(0.0, 0, picture)).still
    assert eyes.look(Frame(0.25, 1, picture)).still
    assert not eyes.look(Frame(0.5, 2, np.ascontiguousarray(picture[::-1]))).still


def test_a_frame_of_another_size_is_refused() -> None:
    calibration, picture = calibrated(BOARDS[0])
    with pytest.raises(SizeMismatch, match="frame 7 is 640x480"):
        Eyes(calibration).look(Frame(0.0, 7, picture[:480, :640]))


def test_players_who_have_changed_seats_are_read_in_their_new_numbers() -> None:
    calibration, picture = calibrated(BOARDS[0])
    eyes = Eyes(calibration)
    eyes.sit(calibration.layout.opposite)
    points = BOARDS[0]["points"]
    assert signed(eyes.look(Frame(0.0, 0, picture))) != points  # nothing is read before it stands still
    assert signed(eyes.read(Frame(0.5, 1, picture))) == points[12:] + points[:12]

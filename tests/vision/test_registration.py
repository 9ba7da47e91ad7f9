"""Bumps, and what is not the calibrated board, on pictures turned and shifted by a known amount."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.file import Calibration
from calibration.geometry import Geometry, parse_corners
from calibration.layout import Layout
from calibration.picture import read_picture
from nardy_hw.daemon.pipeline import follow
from nardy_hw.referee.core import Referee
from nardy_hw.referee.seats import Seats
from nardy_hw.rules.position import Position, Variant
from nardy_hw.vision.eyes import Eyes
from nardy_hw.vision.registration import Registration
from nardy_hw.vision.sources.frame import Closing, Frame

Picture = NDArray[np.uint8]
DATA = Path(__file__).parent.parent / "data" / "vision"
BOARDS = {b["file"]: b for b in map(json.loads, (DATA / "truth.jsonl").read_text().splitlines())}
PICTURES = {name: read_picture(DATA / name) for name in BOARDS}


def geometry(name: str) -> Geometry:
    height, width = PICTURES[name].shape[:2]
    return Geometry((width, height), parse_corners(BOARDS[name]["corners"]), (0.47, 0.53), 0.42, 0.033)


def turned(picture: Picture, degrees: float, dx: float = 0.0, dy: float = 0.0) -> tuple[Picture, NDArray[np.float64]]:
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    matrix[:, 2] += np.array([dx, dy])
    return cv2.warpAffine(picture, matrix, (width, height), borderValue=(70, 80, 90)), matrix  # type: ignore[return-value]


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize(("degrees", "dx", "dy"), [(0, 0, 0), (1, 5, -4), (-4, -60, 30), (7, 60, -20)])
def test_a_bump_is_found_again_and_never_wrongly(name: str, degrees: float, dx: float, dy: float) -> None:
    board = Registration(PICTURES[name], geometry(name))
    picture, matrix = turned(PICTURES[name], degrees, dx, dy)
    home = np.array(geometry(name).corners, np.float64)
    if board.locate(picture):
        assert board.corners == pytest.approx(home @ matrix[:, :2].T + matrix[:, 2], abs=3.0)
        assert board.why == ""
    else:  # a corner has left the picture
        assert degrees >= 4
        assert "put board and camera back" in board.why
    assert board.locate(PICTURES[name])
    assert board.corners == pytest.approx(home, abs=2.0)


@pytest.mark.parametrize("name", BOARDS)
def test_another_light_is_the_same_board(name: str) -> None:
    board = Registration(PICTURES[name], geometry(name))
    noise = np.random.default_rng(0).normal(0, 8, PICTURES[name].shape)
    for gain in (0.4, 0.7, 1.4):
        assert board.locate(np.clip(PICTURES[name] * gain + noise, 0, 255).astype(np.uint8))


def strangers(name: str) -> Iterator[tuple[str, Picture]]:
    picture = PICTURES[name]
    yield "mirrored", picture[:, ::-1].copy()
    yield "upside down", picture[::-1].copy()
    for degrees in (45, 90, 180):
        yield f"turned by {degrees}", turned(picture, degrees)[0]
    for scale in (0.5, 1.6):
        size = picture.shape[1::-1]
        yield f"zoomed {scale}", cv2.warpAffine(picture, np.array([[scale, 0, 0], [0, scale, 0]]), size)  # type: ignore[misc]
    yield "half out of view", np.roll(picture, picture.shape[1] // 2, axis=1)
    yield "noise", np.random.default_rng(0).integers(0, 256, picture.shape, np.uint8)
    yield "nothing", np.full_like(picture, 128)
    for other in BOARDS:
        if other != name:
            yield other, cv2.resize(PICTURES[other], picture.shape[1::-1])  # type: ignore[misc]


@pytest.mark.parametrize("name", BOARDS)
def test_what_is_not_this_board_is_not_found(name: str) -> None:
    for what, picture in strangers(name):
        board = Registration(PICTURES[name], geometry(name))
        assert not board.locate(picture), what
        assert board.why, what
        assert not board.covered, what


def test_lost_and_found_come_once_each() -> None:
    name = "long.jpg"
    there, gone = PICTURES[name], PICTURES[name][:, ::-1].copy()
    pictures = [there] * 4 + [gone] * 6 + [there] * 6

    class Shown(Closing):
        fps = 4.0

        def __iter__(self) -> Iterator[Frame]:
            for number, picture in enumerate(pictures):
                yield Frame(number / self.fps, number, picture)

    board = BOARDS[name]
    layout = Layout(board["variant"], board["white_home"])
    eyes = Eyes(Calibration(geometry(name), layout, reference=there))
    referee = Referee(Position.start(Variant.LONG), seats=Seats(layout.white_half))
    steps = list(follow(Shown(), eyes, referee))
    told = [e for step in steps for e in step.events if type(e).__name__ in ("Lost", "Found")]
    assert [type(e).__name__ for e in told] == ["Lost", "Found"]
    assert 4 < told[0].frame < 10 <= told[1].frame < 14
    lost = next(step.seen for step in steps if not step.seen.field_found)
    assert lost.reason
    assert all(point.occluded for point in lost.points)

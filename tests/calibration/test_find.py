"""The field found by itself: within 1.5% of the picture's diagonal, or a plain reason why not."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.find import find
from calibration.geometry import parse_corners

DATA = Path(__file__).parent.parent / "data"
Picture = NDArray[np.uint8]


def boards() -> dict[str, NDArray[np.float64]]:
    """Pictures of boards that nothing was trained on, and their corners."""
    seen = [json.loads(line) for line in (DATA / "vision" / "truth.jsonl").read_text().splitlines()]
    found = {f"vision/{b['file']}": np.array(parse_corners(b["corners"])) for b in seen}
    return found | {
        f"dice/{b['file']}": np.array(b["corners"]) for b in json.loads((DATA / "dice/truth.json").read_text())
    }


BOARDS = boards()
FIRST = "vision/dark_near.jpg"


def picture_of(name: str) -> Picture:
    return np.asarray(cv2.imread(str(DATA / name)), np.uint8)


def off(corners: object, truth: NDArray[np.float64], picture: Picture) -> float:
    """The worst corner's distance, as a share of the picture's diagonal."""
    return float(np.hypot(*(np.array(corners) - truth).T).max() / np.hypot(*picture.shape[:2]))


@pytest.mark.parametrize("name", BOARDS)
def test_boards_never_seen_are_found(name: str) -> None:
    picture = picture_of(name)
    found = find(picture)
    assert found.corners is not None
    assert off(found.corners, BOARDS[name], picture) < 0.015
    assert found.doubt == ""
    assert 0.5 < found.sure <= 1


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_the_size_of_the_picture_is_no_matter(scale: float) -> None:
    picture = picture_of(FIRST)
    scaled = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    found = find(scaled)
    assert off(found.corners, (BOARDS[FIRST] + 0.5) * scale - 0.5, scaled) < 0.015


def test_one_picture_has_one_answer() -> None:
    picture = picture_of(FIRST)
    assert find(picture) == find(picture.copy())


@pytest.mark.parametrize("quarters", [1, -1])
def test_a_board_turned_by_a_quarter_is_asked_about(quarters: int) -> None:
    picture, (x, y) = picture_of(FIRST), BOARDS[FIRST].T
    turned = np.ascontiguousarray(np.rot90(picture, quarters))
    truth = np.stack([y, picture.shape[1] - 1 - x] if quarters == 1 else [picture.shape[0] - 1 - y, x], 1)
    if quarters == -1:  # its near side has come to lie on the left, and near is taken to be on the right
        truth = truth[[2, 3, 0, 1]]
    found = find(turned)
    assert "turned" in found.doubt
    assert off(found.corners, truth, turned) < 0.015


def test_half_a_board_is_refused() -> None:
    picture = picture_of(FIRST)
    found = find(np.ascontiguousarray(picture[:, : picture.shape[1] // 2]))
    assert found.corners is None or found.doubt


def test_a_blurred_picture_is_refused() -> None:
    found = find(np.asarray(cv2.GaussianBlur(picture_of(FIRST), (0, 0), 9), np.uint8))
    assert found.doubt


def test_a_black_picture_is_refused() -> None:
    found = find(np.full((480, 640, 3), 6, np.uint8))
    assert found.corners is None
    assert "black" in found.doubt


def wall() -> Picture:
    return np.random.default_rng(0).normal(200, 4, (480, 640, 3)).astype(np.uint8)


def keys() -> Picture:
    picture = np.full((480, 640, 3), 50, np.uint8)
    for y in range(60, 420, 60):
        for x in range(30, 610, 48):
            cv2.rectangle(picture, (x, y), (x + 42, y + 52), (25, 25, 28), -1)
    return picture


def chessboard() -> Picture:
    squares = np.kron(np.indices((8, 8)).sum(0) % 2, np.ones((50, 50)))[..., None]
    return np.pad(squares * [60, 90, 130] + 60, ((40, 40), (120, 120), (0, 0)), constant_values=90).astype(np.uint8)


@pytest.mark.parametrize("picture", [wall(), keys(), chessboard()], ids=["wall", "keys", "chessboard"])
def test_what_is_no_board_is_no_board(picture: Picture) -> None:
    found = find(picture)
    assert found.corners is None or found.doubt


@pytest.mark.parametrize("shape", [(1, 1), (3, 2000), (2000, 3), (30, 40)])
def test_pictures_of_odd_sizes(shape: tuple[int, int]) -> None:
    assert find(np.full((*shape, 3), 128, np.uint8)).corners is None

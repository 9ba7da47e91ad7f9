"""The dice reader, against rendered boards with truth, and against pictures without dice."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from nardy_hw.vision.dice import CROP, SIDE, DiceReader, crop, eye, matrix, peaks, shrunk, tallness, view
from nardy_hw.vision.observation import DieReading

DATA = Path(__file__).parents[1] / "data" / "dice"
Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class Board:
    """dice: (value, state, half, x, y) as the renderer has them."""

    file: str
    corners: NDArray[np.float32]
    dice: tuple[tuple[int, str, str, float, float], ...]

    @property
    def picture(self) -> Picture:
        return np.asarray(cv2.imread(str(DATA / self.file)), np.uint8)


BOARDS = [
    Board(r["file"], np.array(r["corners"], np.float32), tuple(tuple(d) for d in r["dice"]))
    for r in json.loads((DATA / "truth.json").read_text())
]


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader()


def nearest(dice: tuple[DieReading, ...], x: float, y: float) -> DieReading:
    return min(dice, key=lambda d: math.dist(d.centre, (x, y)))


def square(picture: Picture) -> NDArray[np.float32]:
    """Corners of a field that fills the picture."""
    h, w = picture.shape[:2]
    return np.array([[0, h - 1], [w - 1, h - 1], [w - 1, 0], [0, 0]], np.float32)


@pytest.mark.parametrize("board", BOARDS, ids=lambda b: b.file)
def test_reads_each_die_and_nothing_else(reader: DiceReader, board: Board) -> None:
    dice = reader.read(board.picture, board.corners)
    assert len(dice) == len(board.dice)
    for value, state, half, x, y in board.dice:
        die = nearest(dice, x, y)
        assert math.dist(die.centre, (x, y)) < 8
        assert die.half == half
        assert die.state == "flat" or state != "flat"  # a good throw is never refused; tilt is seen of most, not all
        if state == "flat":  # nobody plays what a cocked die shows
            assert die.value == value


@pytest.mark.parametrize("board", BOARDS, ids=lambda b: b.file)
def test_probabilities(reader: DiceReader, board: Board) -> None:
    for die in reader.read(board.picture, board.corners):
        assert len(die.values) == 6
        assert sum(die.values) == pytest.approx(1, abs=1e-5)
        assert die.values[die.value - 1] == max(die.values)
        assert 0 < die.confidence <= max(die.values)


def test_half_turn_of_the_picture(reader: DiceReader) -> None:
    """The same board seen from the other side: same dice, halves changed."""
    board = BOARDS[0]
    picture = np.ascontiguousarray(board.picture[::-1, ::-1])
    size = np.array([picture.shape[1] - 1, picture.shape[0] - 1], np.float32)
    dice = reader.read(picture, (size - board.corners)[[2, 3, 0, 1]])
    assert len(dice) == len(board.dice)
    for value, state, half, x, y in board.dice:
        die = nearest(dice, float(size[0] - x), float(size[1] - y))
        assert die.half != half
        assert die.value == value or state != "flat"


@pytest.mark.parametrize("factor", [0.75, 2.0])
def test_other_resolutions(reader: DiceReader, factor: float) -> None:
    board = BOARDS[0]
    interpolation = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    picture = np.asarray(cv2.resize(board.picture, None, fx=factor, fy=factor, interpolation=interpolation), np.uint8)
    dice = reader.read(picture, (board.corners + 0.5) * factor - 0.5)
    assert len(dice) == len(board.dice)
    for value, state, _, x, y in board.dice:
        die = nearest(dice, x * factor, y * factor)
        assert math.dist(die.centre, (x * factor, y * factor)) < 8 * max(1, factor)
        assert die.value == value or state != "flat"


def test_is_deterministic(reader: DiceReader) -> None:
    board = BOARDS[0]
    first = reader.read(board.picture, board.corners)
    assert reader.read(board.picture, board.corners) == first
    assert DiceReader().read(board.picture, board.corners) == first


def test_the_picture_is_left_alone(reader: DiceReader) -> None:
    picture = BOARDS[0].picture
    reader.read(picture, BOARDS[0].corners)
    assert np.array_equal(picture, BOARDS[0].picture)


def test_a_board_that_ends_with_the_picture(reader: DiceReader) -> None:
    """Cut to the field itself, so that its corners are the picture's: dice in the middle are still read."""
    board = BOARDS[0]
    x0, y0 = board.corners.max(0)[0], board.corners.max(0)[1]
    left, top = np.floor(board.corners.min(0)).astype(int)
    picture = np.ascontiguousarray(board.picture[max(top, 0) : int(y0) + 1, max(left, 0) : int(x0) + 1])
    dice = reader.read(picture, board.corners - (max(left, 0), max(top, 0)))
    assert {d[0] for d in board.dice if d[1] == "flat"} <= {d.value for d in dice if d.state == "flat"}
    assert len(dice) == len(board.dice)


def blank(level: int) -> Picture:
    return np.full((720, 960, 3), level, np.uint8)


def noise(sigma: float) -> Picture:
    rng = np.random.default_rng(5)
    return np.clip(rng.normal(128, sigma, (720, 960, 3)), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    "picture",
    [blank(0), blank(255), blank(128)[:16, :16], noise(10), noise(60), cv2.GaussianBlur(noise(120), (0, 0), 4)],
    ids=["black", "white", "tiny", "fine noise", "coarse noise", "blotches"],
)
def test_nothing_is_seen_where_there_is_nothing(reader: DiceReader, picture: Picture) -> None:
    assert reader.read(picture, square(picture)) == ()


def test_a_greyscale_picture(reader: DiceReader) -> None:
    board = BOARDS[0]
    grey = cv2.cvtColor(cv2.cvtColor(board.picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    dice = reader.read(np.asarray(grey, np.uint8), board.corners)
    assert {d[0] for d in board.dice if d[1] == "flat"} <= {d.value for d in dice if d.state == "flat"}
    assert len(dice) == len(board.dice)


def test_where_the_camera_stands() -> None:
    """Straight above the middle, 640 px of field under a lens of 720 px: 720 / 640 of the field's width high."""
    above = np.array([[160, 622], [800, 622], [800, 98], [160, 98]], np.float32)
    assert eye(blank(0), above) == pytest.approx((256, 216, 504), abs=2)
    # the far edge is seen shorter: the camera stands on the near side of the middle
    oblique = np.array([[100, 650], [860, 650], [700, 150], [260, 150]], np.float32)
    x, y, _ = eye(blank(0), oblique)
    assert x == pytest.approx(256, abs=1)
    assert y > 216


@pytest.mark.parametrize(("width", "times"), [(639, 0), (800, 0), (1000, 1), (1700, 1), (1900, 2), (4000, 3)])
def test_bigger_pictures_are_halved(width: int, times: int) -> None:
    """Down to not less than nine tenths of the 500 px wanted; the field stays where it is in the picture."""
    picture = np.zeros((48, 64, 3), np.uint8)
    picture[:, 32:] = 255
    small, corners = shrunk(picture, np.array([[0, 40], [width, 40], [width, 0], [0, 0]], np.float32), 500)
    assert small.shape == (48 >> times, 64 >> times, 3)
    assert corners[1, 0] - corners[0, 0] == pytest.approx(width / 2**times)
    assert corners[0] == pytest.approx(np.array([0.5, 40.5]) / 2**times - 0.5)
    assert set(small[0, : 32 >> times].ravel()) == {0}
    assert set(small[0, 32 >> times :].ravel()) == {255}


def test_sides_run_down_towards_the_camera() -> None:
    camera = np.array([300.0, 400.0, 500.0])
    assert view(camera, (300, 150), 1.0) == pytest.approx((math.pi / 2, 0.5))
    assert view(camera, (400, 400), 1.0) == pytest.approx((math.pi, 0.2))
    assert view(camera, (300, 400), 1.0)[1] == 0
    # twice as far along as across, on a board that is half as tall as the rectified picture has it
    assert view(camera, (200, 200), 0.5)[0] == pytest.approx(math.pi / 4)


def test_square_faces_are_seen_square() -> None:
    """A square on the table, on a board that is less tall than usual: square in a crop of it, whichever way turned."""
    picture = blank(0)
    cv2.fillConvexPoly(picture, np.array([[528, 388], [552, 388], [552, 412], [528, 412]], np.int32), (255, 255, 255))
    corners = np.array([[160, 600], [800, 600], [800, 140], [160, 140]], np.float32)
    tall = tallness(picture, corners)
    assert tall == pytest.approx(460 / 640 * 448 / 368, abs=0.01)
    x, y = cv2.perspectiveTransform(np.array([[[540, 400]]], np.float32), matrix(corners))[0, 0]
    for down in (0.0, 0.4, 1.3):
        cell = crop(picture, corners, (float(x), float(y)), CROP, SIDE, down, tall)[..., 0]
        (_, size, _) = cv2.minAreaRect(cv2.findNonZero((cell > 127).astype(np.uint8)))
        assert size[0] == pytest.approx(size[1], abs=1.5)
        assert (cell > 127).sum() == pytest.approx((25 / 640 * 448 / SIDE * CROP) ** 2, rel=0.1)


def marks(*cells: tuple[int, int, float, float, float]) -> NDArray[np.float32]:
    """What the first network says of a field with logits and offsets at (row, column)."""
    out = np.zeros((3, 54, 64), np.float32)
    out[0] = -9
    for r, c, logit, dx, dy in cells:
        out[:, r, c] = logit, dx, dy
    return out


def test_peaks_lie_between_the_cells() -> None:
    first, second = peaks(marks((20, 25, 1, 0, 0), (30, 45, 4, 0.5, -0.25)), -1.0)
    assert first == pytest.approx((45.5 * 8 + 3.5, 29.75 * 8 + 3.5, 4))
    assert second == pytest.approx((25 * 8 + 3.5, 20 * 8 + 3.5, 1))


def test_two_peaks_of_one_die_are_one() -> None:
    assert len(peaks(marks((20, 25, 3, 0.5, 0), (20, 26, 2, -0.2, 0.1)), -1.0)) == 1
    # two small dice side by side
    assert len(peaks(marks((20, 25, 3, 0, 0), (20, 26, 2, 0.2, 0)), -1.0)) == 2


def test_what_lies_beyond_the_frame_is_no_die() -> None:
    assert peaks(marks((30, 1, 5, 0, 0), (1, 30, 5, 0, 0), (30, 62, 5, 0, 0), (52, 30, 5, 0, 0)), -1.0) == []

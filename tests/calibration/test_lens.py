"""The lens against lenses that are known, with what OpenCV itself says of them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from boards import SQUARE, charuco, chessboard, pictures, views

from calibration.errors import CalibrationFileError, LensError, SizeMismatch
from calibration.file import dumps_lens, loads_lens
from calibration.lens import Lens
from calibration.lens_fit import fit_lens
from calibration.target import Charuco, Chessboard, View

MILD = Lens((640, 480), (520, 518), (325, 232), (-0.12, 0.03, 0.001, -0.001, 0))
WIDE = Lens((1280, 960), (870, 870), (650, 470), (-0.305, 0.116, 0.001, -0.001, -0.021))  # 95 degrees across
PINCUSHION = Lens((1280, 720), (1000, 1000), (650, 350), (0.1, 0.02, 0, 0, 0))
LENSES = pytest.mark.parametrize("lens", [MILD, WIDE, PINCUSHION], ids=["mild", "wide", "pincushion"])


def grid(lens: Lens) -> np.ndarray:
    w, h = lens.size
    return np.stack(np.meshgrid(np.linspace(0, w - 1, 17), np.linspace(0, h - 1, 13)), -1).reshape(-1, 2)


def off(found: Lens, true: Lens) -> np.ndarray:
    """Pixels between where the two put each point of the picture, a perspective taken away."""
    ours, theirs = (lens.points_to_straight(grid(true)) for lens in (found, true))
    matrix, _ = cv2.findHomography(ours, theirs)
    return np.hypot(*(cv2.perspectiveTransform(ours[:, None], matrix).reshape(-1, 2) - theirs).T)


@LENSES
def test_points_go_there_and_back_as_opencv_projects_them(lens: Lens) -> None:
    straight = lens.points_to_straight(grid(lens))
    rays = np.c_[straight, np.ones(len(straight))] @ np.linalg.inv(lens.straight_matrix).T
    projected, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), lens.matrix, np.array(lens.distortion))
    assert projected.reshape(-1, 2) == pytest.approx(grid(lens), abs=1e-4)
    assert lens.points_to_picture(straight) == pytest.approx(grid(lens), abs=1e-4)


@LENSES
def test_all_of_the_picture_stays_in_the_straightened_one(lens: Lens) -> None:
    straight = lens.points_to_straight(grid(lens))
    assert (straight > -1e-6).all()
    assert (straight < np.array(lens.size)).all()


def test_a_line_that_the_lens_bends_is_straight_in_the_straightened_picture() -> None:
    t = np.linspace(-0.5, 0.5, 400)
    line = np.stack([t, np.full_like(t, -0.33), np.ones_like(t)], 1)
    bent, _ = cv2.projectPoints(line, np.zeros(3), np.zeros(3), MILD.matrix, np.array(MILD.distortion))
    picture = np.zeros((480, 640, 3), np.uint8)
    cv2.polylines(picture, [np.round(bent * 16).astype(np.int32)], False, (255, 255, 255), 2, cv2.LINE_AA, 4)

    def bow(image: np.ndarray) -> float:
        rows = [np.average(np.arange(480), weights=image[:, x, 0].astype(float) + 1e-9) for x in (120, 325, 530)]
        return abs(rows[1] - (rows[0] + rows[2]) / 2)

    assert bow(picture) > 1.5
    straight = MILD.undistort(picture)
    assert straight.shape == picture.shape
    assert bow(straight) < 0.15


def test_a_picture_of_the_same_shape_is_straightened_alike() -> None:
    double = MILD.scaled((1280, 960))
    points = np.array([[10.0, 20], [600, 400]])
    assert double.points_to_straight((points + 0.5) * 2 - 0.5) == pytest.approx(
        (MILD.points_to_straight(points) + 0.5) * 2 - 0.5
    )
    assert MILD.undistort(np.zeros((960, 1280, 3), np.uint8)).shape == (960, 1280, 3)
    with pytest.raises(SizeMismatch, match="shape"):
        MILD.undistort(np.zeros((720, 1280, 3), np.uint8))


@pytest.mark.parametrize(
    "changes",
    [
        {"focal": (np.nan, 500)},
        {"focal": (5, 5)},
        {"focal": (1e9, 1e9)},
        {"focal": (500, 900)},
        {"centre": (-20, 240)},
        {"distortion": (-2, 0, 0, 0, 0)},
        {"distortion": (np.inf, 0, 0, 0, 0)},
        {"rms": -1},
    ],
)
def test_what_is_no_lens(changes: dict[str, object]) -> None:
    with pytest.raises(LensError):
        Lens(**{"size": (640, 480), "focal": (500, 500), "centre": (320, 240)} | changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(("lens", "count", "most"), [(MILD, 20, 0.2), (WIDE, 30, 0.2)], ids=["mild", "wide"])
def test_a_lens_is_found_from_its_views(lens: Lens, count: int, most: float) -> None:
    fit = fit_lens(views(lens, count, 0.35 if lens is MILD else 0.5), lens.size)
    assert off(fit.lens, lens).mean() < most
    assert fit.lens.focal == pytest.approx(lens.focal, rel=0.004)
    assert fit.lens.rms == pytest.approx(0.1 * 2**0.5, rel=0.2)
    assert fit.doubt < 1
    assert 300 < fit.distances[0] < fit.distances[1] < 700
    assert bool(fit.lens.distortion[4]) == bool(lens.distortion[4])


def test_a_view_that_tells_nothing_or_nonsense_is_left_out() -> None:
    seen = views(MILD, 20)
    first = next(iter(seen))
    seen["again.jpg"] = seen[first]
    moved = seen[list(seen)[3]]
    seen["shaken.jpg"] = View(moved.board, moved.pixels + np.random.default_rng(0).normal(0, 4, (54, 2)).astype("f4"))
    fit = fit_lens(seen, MILD.size)
    assert set(fit.left_out) == {"again.jpg", "shaken.jpg"}
    assert first in fit.left_out["again.jpg"]
    assert off(fit.lens, MILD).mean() < 0.2


@pytest.mark.parametrize(
    ("seen", "word"),
    [
        ({}, "5 different views"),
        (views(MILD, 6), "5 different views|uncertain"),
        ({str(i): view for i in range(9) for view in [next(iter(views(MILD).values()))]}, "8 more are alike"),
        (views(MILD, 12, reach=0), "uncertain"),
    ],
    ids=["none", "few", "one nine times", "all in the middle"],
)
def test_views_that_would_give_a_useless_lens(seen: dict[str, View], word: str) -> None:
    if word.startswith("5 different views|"):
        seen = dict(list(seen.items())[:4])
    with pytest.raises(LensError, match=word):
        fit_lens(seen, MILD.size)


def test_boards_that_all_face_the_camera_leave_the_focal_length_open() -> None:
    board = np.zeros((54, 3), np.float32)
    board[:, :2] = np.mgrid[:9, :6].T.reshape(-1, 2) * SQUARE
    flat = {}
    for i in range(12):
        place = np.array([((i % 4) - 2.2) * 80.0, ((i // 4) - 1.5) * 80, 450])
        rng = np.random.default_rng(i)
        turn = rng.normal(0, 0.02, 3)  # a degree
        pixels, _ = cv2.projectPoints(board, turn, place, MILD.matrix, np.array(MILD.distortion))
        flat[str(i)] = View(board, (pixels.reshape(-1, 2) + rng.normal(0, 0.1, (54, 2))).astype(np.float32))
    with pytest.raises(LensError, match="tilt the board"):
        fit_lens(flat, MILD.size)


def nearest(seen: View, lens: Lens) -> float:
    """How badly the corners found fit any one place of the board under the true lens: mean pixels."""
    distortion = np.array(lens.distortion)
    _, turn, place = cv2.solvePnP(seen.board, seen.pixels[:, None], lens.matrix, distortion)
    back, _ = cv2.projectPoints(seen.board, turn, place, lens.matrix, distortion)
    return float(np.hypot(*(back.reshape(-1, 2) - seen.pixels).T).mean())


def test_a_chessboard_is_found_whole_or_not_at_all() -> None:
    seen = [Chessboard(9, 6, SQUARE).find(p) for p in pictures(chessboard(10, 7), MILD, 4, 0.3)]
    found = [view for view in seen if view]
    assert len(found) >= 2
    for view in found:
        assert view.pixels.shape == (54, 2)
        assert nearest(view, MILD) < 0.2
    assert Chessboard(9, 6, SQUARE).find(np.full((480, 640, 3), 128, np.uint8)) is None


def test_a_chessboard_with_a_lamp_mirrored_in_it_is_found() -> None:
    (picture,) = pictures(chessboard(10, 7), MILD, 1, 0.0)
    y, x = np.indices(picture.shape)
    lamp = 200 * np.exp(-((y - 240) ** 2 + (x - 320) ** 2) / (2 * 75**2))
    view = Chessboard(9, 6, SQUARE).find(np.clip(picture + lamp, 0, 255).astype(np.uint8))
    assert view
    assert nearest(view, MILD) < 0.5


needs_aruco = pytest.mark.skipif(not hasattr(cv2, "aruco"), reason="this OpenCV has no ArUco")


@needs_aruco
def test_a_lens_is_found_from_charuco_boards_seen_in_part() -> None:
    target = Charuco(8, 6, SQUARE, "5x5_100")
    found = {str(i): target.find(p) for i, p in enumerate(pictures(charuco(8, 6), MILD, 9, 0.5))}
    seen = {name: view for name, view in found.items() if view}
    assert len(seen) >= 7
    assert min(len(view.pixels) for view in seen.values()) < 35  # of 7x5: some reach out of the picture
    assert max(nearest(view, MILD) for view in seen.values()) < 0.3
    assert off(fit_lens(seen, MILD.size).lens, MILD).mean() < 0.2


@needs_aruco
def test_a_charuco_board_of_another_size_or_dictionary_is_not_found() -> None:
    (picture,) = pictures(charuco(8, 6), MILD, 1, 0.2)
    assert Charuco(6, 8, SQUARE, "5x5_100").find(picture) is None
    assert Charuco(8, 6, SQUARE, "4x4_50").find(picture) is None


@needs_aruco
def test_a_big_picture_is_looked_at_small() -> None:
    (picture,) = pictures(charuco(8, 6), MILD, 1, 0.2)
    small, big = (
        Charuco(8, 6, SQUARE, "DICT_5X5_100").find(p)
        for p in (picture, cv2.resize(picture, (2560, 1920), interpolation=cv2.INTER_CUBIC))
    )
    assert small
    assert big
    where = {tuple(corner): pixel for corner, pixel in zip(big.board, (big.pixels + 0.5) / 4 - 0.5, strict=True)}
    apart = [where[tuple(c)] - p for c, p in zip(small.board, small.pixels, strict=True) if tuple(c) in where]
    assert len(apart) > 30
    assert np.abs(apart).mean() < 0.2


@needs_aruco
def test_an_unknown_dictionary_is_told_with_the_nearest() -> None:
    with pytest.raises(LensError, match="did you mean 5X5_100"):
        Charuco(8, 6, SQUARE, "5x5_10O")


def test_charuco_without_aruco_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(cv2, "aruco", raising=False)
    with pytest.raises(LensError, match="install opencv-python-headless"):
        Charuco(8, 6, SQUARE, "5x5_100")


@pytest.mark.parametrize(("across", "down", "square"), [(1, 6, 24), (9, 1000, 24), (9, 6, 0), (9, 6, np.nan)])
def test_boards_that_cannot_be(across: int, down: int, square: float) -> None:
    with pytest.raises(LensError):
        Chessboard(across, down, square)


def test_a_lens_file_is_read_back() -> None:
    back = loads_lens(dumps_lens(WIDE))
    assert back.size == WIDE.size
    assert back.points_to_straight(grid(WIDE)) == pytest.approx(WIDE.points_to_straight(grid(WIDE)), abs=0.01)
    assert loads_lens(dumps_lens(back)) == back


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("focal =", "focus =", "did you mean 'focal'"),
        ("rms", "k6", "unknown field"),
        ("focal = [520.000", "focal = [nan", "numbers that are none"),
        ("focal = [520.000, 518.000]", "focal = [4, 4]", "focal lengths"),
        ("-0.12", "'much'", "distortion"),
        ("width = 640", "width = -1", "l.toml"),
        ("[lens]", "[lens", "not TOML"),
    ],
)
def test_a_lens_file_that_is_none(old: str, new: str, word: str) -> None:
    with pytest.raises(CalibrationFileError, match=word) as told:
        loads_lens(dumps_lens(MILD).replace(old, new), "l.toml")
    assert str(told.value).startswith("l.toml")
    assert "\n" not in str(told.value)

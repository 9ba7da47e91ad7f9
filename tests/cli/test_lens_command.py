"""`nardy-hw lens` on rendered chessboards whose lens is known, and what calibrate and read make of a lens."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.file import load, load_lens, save_lens
from calibration.lens import Lens
from calibration.picture import read_picture
from nardy_hw.cli import main

DATA = Path(__file__).parent.parent / "data"
CHESS = DATA / "lens"
BOARD = json.loads((DATA / "vision" / "truth.jsonl").read_text().splitlines()[0])
BENT = Lens((1280, 960), (1000, 1000), (630, 485), (-0.25, 0.06, 0.0005, -0.0005, 0))


def one_line(capsys: pytest.CaptureFixture[str], *words: str) -> None:
    told = capsys.readouterr().err
    assert told.startswith("nardy-hw ")
    assert told.count("\n") == 1
    for word in words:
        assert word in told


def test_the_lens_of_a_rendered_camera_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "torn.jpg").write_bytes((CHESS / "0.jpg").read_bytes()[:9000])
    other = str(DATA / "vision" / BOARD["file"])
    output = tmp_path / "lens.toml"
    assert main(["lens", str(CHESS), str(tmp_path / "torn.jpg"), other, "--output", str(output)]) == 0
    told = capsys.readouterr().out
    assert "7/9 " in told
    assert "torn.jpg: the picture" in told
    assert "is 1280x960, the others are 640x480" in told
    assert "from 7 of 9 pictures, the board 49 to 73 cm away" in told
    truth = json.loads((CHESS / "truth.json").read_text())
    true = Lens(*(tuple(truth[key]) for key in ("size", "focal", "centre", "distortion")))
    lens = load_lens(output)
    assert lens.focal == pytest.approx(true.focal, rel=0.003)
    assert lens.centre == pytest.approx(true.centre, abs=2)
    # where OpenCV puts the picture's points when told the true lens; a shift of the centre is no bend
    grid = np.stack(np.meshgrid(np.linspace(0, 639, 9), np.linspace(0, 479, 7)), -1).reshape(-1, 1, 2)
    straight = cv2.undistortPoints(grid, true.matrix, np.array(true.distortion), None, None, true.straight_matrix)
    ours = lens.points_to_straight(grid.reshape(-1, 2))[:, None]
    matrix, _ = cv2.findHomography(ours, straight.reshape(-1, 1, 2))
    apart = cv2.perspectiveTransform(ours, matrix).reshape(-1, 2) - straight.reshape(-1, 2)
    assert np.hypot(*apart.T).mean() < 0.15


def test_what_was_found_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lens", str(CHESS), "--json", "--output", str(tmp_path / "lens.toml")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert len(answer["used"]) == 7
    assert answer["left_out"] == {}
    assert answer["rms"] < 0.2
    assert answer["uncertain"] < 0.5


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([str(CHESS / "0.jpg"), str(CHESS / "1.jpg")], "5 different views"),
        ([str(CHESS / "0.jpg"), "--board", "8x5"], "none of 1 pictures"),
        ([str(CHESS / "0.jpg"), "--board", "nine"], "two whole numbers"),
        ([str(CHESS / "0.jpg"), "--board", "9x0"], "3 to 50"),
        ([str(CHESS / "0.jpg"), "--square", "nan"], "millimetres"),
        (["/nowhere/at/all.jpg"], "none of 1 pictures"),
        ([str(DATA / "referee")], "no pictures"),
    ],
)
def test_pictures_that_give_no_lens(
    arguments: list[str], word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lens", *arguments, "--output", str(tmp_path / "lens.toml")]) == 2
    one_line(capsys, word)
    assert list(tmp_path.iterdir()) == []


def read(folder: Path, picture: str, corners: str, capsys: pytest.CaptureFixture[str], *more: str) -> dict:
    output = str(folder / "c.toml")
    options = ["--variant", BOARD["variant"], "--white-home", BOARD["white_home"], "--output", output, *more]
    assert main(["calibrate", "--image", picture, "--corners", corners, *options]) == 0
    capsys.readouterr()
    assert main(["read", picture, "--calibration", output, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_bent_board_is_read_through_its_lens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    original = read_picture(DATA / "vision" / BOARD["file"])
    grid = np.stack(np.meshgrid(np.arange(1280.0), np.arange(960.0)), -1).reshape(-1, 1, 2)
    maps = cv2.undistortPoints(grid, BENT.matrix, np.array(BENT.distortion), None, None, BENT.straight_matrix)
    bent = str(tmp_path / "bent.png")
    cv2.imwrite(bent, cv2.remap(original, maps.astype(np.float32).reshape(960, 1280, 2), None, cv2.INTER_LINEAR))
    save_lens(BENT, tmp_path / "lens.toml")
    straight = np.array([[float(v) for v in pair.split(",")] for pair in BOARD["corners"].split()])
    corners = " ".join(f"{x:.2f},{y:.2f}" for x, y in BENT.points_to_picture(straight))
    seen = read(tmp_path, bent, corners, capsys, "--lens", str(tmp_path / "lens.toml"))
    assert [p["count"] * (1 if p["colour"] == "light" else -1) for p in seen["points"]] == BOARD["points"]
    calibration = load(tmp_path / "c.toml")
    assert calibration.lens is not None
    assert calibration.lens.distortion == pytest.approx(BENT.distortion)
    assert np.array(calibration.geometry.corners) == pytest.approx(straight, abs=0.05)
    # the reference is straight, what is said of dice is in pixels of the picture as it was taken
    assert calibration.reference is not None
    inner = slice(300, 660), slice(400, 860)
    assert np.abs(calibration.reference[inner].astype(int) - original[inner]).mean() < 4
    plain = read(tmp_path, str(DATA / "vision" / BOARD["file"]), BOARD["corners"], capsys)
    expected = BENT.points_to_picture(np.array([d["centre"] for d in plain["dice"]]).reshape(-1, 2))
    found = np.array([d["centre"] for d in seen["dice"]]).reshape(-1, 2)
    assert len(found) == len(expected) > 0
    for centre in expected:
        assert np.hypot(*(found - centre).T).min() < 3


@pytest.mark.parametrize(
    ("text", "word"), [("", "is empty"), ("format = 1", "picture"), ("[lens]\nfocal = 'long'", "lens.toml")]
)
def test_calibrate_with_a_lens_that_is_none(
    text: str, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lens.toml").write_text(text)
    options = [
        "--corners",
        BOARD["corners"],
        "--lens",
        str(tmp_path / "lens.toml"),
        "--output",
        str(tmp_path / "c.toml"),
    ]
    assert main(["calibrate", "--image", str(DATA / "vision" / BOARD["file"]), *options]) == 2
    one_line(capsys, word)


def test_calibrate_with_the_lens_of_a_picture_of_another_shape(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_lens(Lens((1280, 720), (1000, 1000), (640, 360)), tmp_path / "lens.toml")
    options = [
        "--corners",
        BOARD["corners"],
        "--lens",
        str(tmp_path / "lens.toml"),
        "--output",
        str(tmp_path / "c.toml"),
    ]
    assert main(["calibrate", "--image", str(DATA / "vision" / BOARD["file"]), *options]) == 2
    one_line(capsys, "1280x720", "1280x960")

"""calibrate without corners: sure finds are used, doubtful ones asked about, nothing is written unasked."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.file import load
from calibration.geometry import parse_corners
from nardy_hw.cli import main

DATA = Path(__file__).parent.parent / "data" / "vision"
BOARD = json.loads((DATA / "truth.jsonl").read_text().splitlines()[0])
IMAGE = DATA / BOARD["file"]


def near(corners: object) -> bool:
    """Within 1.5% of the picture's diagonal (1600 pixels) of the truth."""
    return bool(np.hypot(*(np.array(corners) - np.array(parse_corners(BOARD["corners"]))).T).max() < 24)


def calibrate(image: Path, output: Path, *more: str) -> int:
    return main(["calibrate", "--image", str(image), "--output", str(output), *more])


def test_a_sure_find_is_used_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibrate(IMAGE, tmp_path / "c.toml") == 0
    out = capsys.readouterr().out
    assert "% sure" in out
    assert near(parse_corners(out.split('"')[1]))
    assert near(load(tmp_path / "c.toml").geometry.corners)


def test_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibrate(IMAGE, tmp_path / "c.toml", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert near(told["corners"])
    assert 0.5 < told["sureness"] <= 1


def test_a_doubtful_find_is_a_proposal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turned = np.rot90(cv2.imread(str(IMAGE)), 1)
    cv2.imwrite(str(tmp_path / "turned.png"), turned)
    assert calibrate(tmp_path / "turned.png", tmp_path / "c.toml") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    proposal = captured.err.split('--corners "')[1].split('"')[0]
    assert calibrate(tmp_path / "turned.png", tmp_path / "c.toml", "--corners", proposal) in (0, 2)


def test_nothing_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "black.png"), np.zeros((480, 640, 3), np.uint8))
    assert calibrate(tmp_path / "black.png", tmp_path / "c.toml") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "black" in captured.err
    assert not (tmp_path / "c.toml").exists()


def test_a_picture_that_is_not_the_start_position_is_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The board has a middle game on it: nothing may be learnt from that in silence, and nothing is refused either."""
    layout = ["--variant", BOARD["variant"], "--white-home", BOARD["white_home"]]
    status = calibrate(IMAGE, tmp_path / "c.toml", "--start-image", str(IMAGE), *layout)
    captured = capsys.readouterr()
    assert status in (0, 2)
    assert "start position" in captured.err and captured.err.count("\n") == 1
    if status == 0:
        assert load(tmp_path / "c.toml").appearance.tones is None


def test_a_replay_of_what_never_stands_still_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibrate(IMAGE, tmp_path / "c.toml") == 0
    assert main(["replay", str(IMAGE), "--calibration", str(tmp_path / "c.toml")]) == 1
    assert "nothing could be read: nothing stood still long enough" in capsys.readouterr().err

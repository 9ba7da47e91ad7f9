"""Trays beside the field: told as one sees them, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.file import load
from calibration.find_trays import IN_VIEW, find_trays, strips
from calibration.geometry import parse_corners
from nardy_hw.cli import main

DATA = Path(__file__).parent.parent / "data"
SEEN = {
    "vision/dark_near.jpg": "right",
    "vision/long.jpg": "none",
    "vision/light_near.jpg": "both",
    "dice/felt.jpg": "both",
    "dice/inlays.jpg": "none",
    "dice/wood.jpg": "right",
}
"""Looked at by eye."""


def board(name: str) -> tuple[np.ndarray, np.ndarray]:
    folder, file = name.split("/")
    if folder == "vision":
        told = [json.loads(line) for line in (DATA / folder / "truth.jsonl").read_text().splitlines()]
        corners = next(parse_corners(b["corners"]) for b in told if b["file"] == file)
    else:
        corners = next(
            b["corners"] for b in json.loads((DATA / folder / "truth.json").read_text()) if b["file"] == file
        )
    return cv2.imread(str(DATA / name)), np.array(corners, np.float32)


@pytest.mark.parametrize("name", SEEN)
def test_boards_never_seen(name: str) -> None:
    found = find_trays(*board(name))
    assert found.trays == SEEN[name]
    assert 0.9 <= found.sure <= 1


@pytest.mark.parametrize("name", SEEN)
def test_the_mirrored_board_has_its_trays_on_the_other_side(name: str) -> None:
    picture, corners = board(name)
    mirrored = np.ascontiguousarray(picture[:, ::-1])
    turned = corners[[1, 0, 3, 2]] * [-1, 1] + [picture.shape[1] - 1, 0]
    other = {"right": "left", "left": "right"}
    assert find_trays(mirrored, turned.astype(np.float32)).trays == other.get(SEEN[name], SEEN[name])


def test_what_the_picture_cuts_off_is_not_spoken_of() -> None:
    picture, corners = board("vision/dark_near.jpg")
    right = int(corners[:, 0].max()) + 12
    found = find_trays(np.ascontiguousarray(picture[:, :right]), corners)
    assert strips(picture[:, :right], corners)[1][0] < IN_VIEW
    assert found.trays is None and found.sure <= 0.5


def test_calibrate_proposes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = DATA / "vision" / "dark_near.jpg"
    start = ["calibrate", "--image", str(image), "--output", str(tmp_path / "c.toml")]
    assert main(start) == 0
    assert "trays: right" in capsys.readouterr().out
    assert load(tmp_path / "c.toml").trays == "right"
    assert main([*start, "--trays", "none"]) == 0
    assert load(tmp_path / "c.toml").trays == "none"


def test_a_doubtful_find_is_told_and_not_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, corners = board("vision/dark_near.jpg")
    cut = tmp_path / "cut.png"
    cv2.imwrite(str(cut), picture[:, : int(corners[:, 0].max()) + 12])
    text = " ".join(f"{x},{y}" for x, y in corners.tolist())
    assert main(["calibrate", "--image", str(cut), "--corners", text, "--output", str(tmp_path / "c.toml")]) == 0
    told = capsys.readouterr().err
    assert "--trays right, left, both or none" in told and told.count("\n") == 1
    assert load(tmp_path / "c.toml").trays == "none"

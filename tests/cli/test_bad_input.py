"""Bad input of the picture commands: one line on stderr, exit 2, nothing half-written."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from nardy_hw.cli import main
from nardy_hw.daemon.demo import DATA as DEMO
from nardy_hw.rules.position import Position, Variant

DATA = Path(__file__).parent.parent / "data" / "vision"
BOARD = json.loads((DATA / "truth.jsonl").read_text().splitlines()[0])


@pytest.fixture
def calibration(tmp_path: Path) -> Path:
    path = tmp_path / "c.toml"
    assert run_calibrate(path) == 0
    return path


def run_calibrate(path: Path, **changes: str) -> int:
    options = {"image": str(DATA / BOARD["file"]), "corners": BOARD["corners"], "output": str(path)} | changes
    return main(["calibrate", *(word for key, value in options.items() for word in (f"--{key}", value))])


def one_line(capsys: pytest.CaptureFixture[str], *words: str) -> None:
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("nardy-hw ")
    assert "Traceback" not in captured.err
    for word in words:
        assert word in captured.err


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"corners": "1,1 2,2"}, "four pairs"),
        ({"corners": "271,796 969,741 314,320 874,243"}, "crossed"),
        ({"corners": "271,796 2969,741 874,243 314,320"}, "outside"),
        ({"image": "/nowhere/board.jpg"}, "cannot read the picture"),
        ({"bar": "0.6,0.4"}, "bar edges"),
        ({"bar": "wide"}, "two numbers"),
        ({"empty-image": "/nowhere/empty.jpg"}, "cannot read the picture"),
        ({"output": "/nowhere/c.toml"}, "cannot write"),
    ],
)
def test_calibrate(changes: dict[str, str], word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_calibrate(tmp_path / "c.toml", **changes) == 2
    one_line(capsys, word)
    assert list(tmp_path.iterdir()) == []


def test_a_start_picture_that_shows_something_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = str(DEMO / "calibration.reference.jpg")
    corners = "91.93,643.37 826.16,640.93 754.81,119.86 169.08,123.76"
    assert run_calibrate(tmp_path / "c.toml", **{"image": empty, "start-image": empty, "corners": corners}) == 2
    one_line(capsys, "does not show the start position")
    assert list(tmp_path.iterdir()) == []


def test_read_answers_with_the_objects_of_the_design(calibration: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["read", str(DATA / BOARD["file"]), "--calibration", str(calibration), "--json"]) == 0
    seen = json.loads(capsys.readouterr().out)
    assert set(seen) == {"position", "points", "bar", "off", "dice", "hand", "field_found"}
    assert [p["point"] for p in seen["points"]] == list(range(1, 25))
    assert set(seen["points"][0]) == {"point", "colour", "count", "at_least", "occluded", "confidence"}
    assert Position.from_json(seen["position"]).variant is Variant.SHORT


def test_read_of_another_size(calibration: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = tmp_path / "small.png"
    cv2.imwrite(str(small), np.zeros((480, 640, 3), np.uint8))
    capsys.readouterr()
    assert main(["read", str(small), "--calibration", str(calibration)]) == 2
    one_line(capsys, "640x480", "calibrate again")


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("missing.mp4", None, "no video or folder"),
        ("empty.mp4", b"", "is empty"),
        ("torn.mp4", b"\x00\x00\x00\x1cftypisom" + bytes(200), "not a video"),
    ],
)
def test_replay_of_what_is_no_video(
    name: str, content: bytes | None, word: str, calibration: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    capsys.readouterr()
    assert main(["replay", str(tmp_path / name), "--calibration", str(calibration)]) == 2
    one_line(capsys, word)


SIXTEEN = {"variant": "short", "points": [16] + [0] * 22 + [-15], "bar": {"white": 0, "black": 0}}


@pytest.mark.parametrize(
    ("option", "content", "word"),
    [
        ("--position", "not json", "not JSON"),
        ("--position", json.dumps(SIXTEEN), "16 checkers"),
        ("--position", json.dumps(Position.start(Variant.LONG).to_json()), "long position"),
        ("--rolls", '{"t": 1, "player": "white", "dice": [0, 7]}', "line 1"),
        ("--rolls", '{"t": 1, "player": "white", "dice": [1, 2]}\n{"t": "soon"}', "line 2"),
    ],
)
def test_replay_with_a_bad_file(
    option: str, content: str, word: str, calibration: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad").write_text(content)
    (tmp_path / "frames").mkdir()
    (tmp_path / "frames" / "a.jpg").write_bytes((DATA / BOARD["file"]).read_bytes())
    capsys.readouterr()
    arguments = ["replay", str(tmp_path / "frames"), "--calibration", str(calibration), option, str(tmp_path / "bad")]
    assert main(arguments) == 2
    one_line(capsys, word)


def test_a_calibration_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c.toml").write_text("colour = 'green'")
    assert main(["read", str(DATA / BOARD["file"]), "--calibration", str(tmp_path / "c.toml")]) == 2
    one_line(capsys, "c.toml")


@pytest.mark.parametrize("value", ["nan", "1e308", "-inf"])
def test_appearance_with_numbers_that_are_none(
    value: str, calibration: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = calibration.read_text()
    calibration.write_text(text + f"light = [{value}, 0, 0]\ndark = [0, 0, 0]\n")
    capsys.readouterr()
    assert main(["read", str(DATA / BOARD["file"]), "--calibration", str(calibration)]) == 2
    one_line(capsys, "between -100 and 100")


def test_what_is_no_file_is_not_read(calibration: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["read", "/dev/zero", "--calibration", str(calibration)]) == 2
    one_line(capsys, "not a file")


def test_a_padded_picture_is_whole(calibration: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    padded = tmp_path / "padded.jpg"
    padded.write_bytes((DATA / BOARD["file"]).read_bytes() + bytes(4096))
    assert main(["read", str(padded), "--calibration", str(calibration)]) == 0

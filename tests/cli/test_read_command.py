"""`nardy-hw read`: the drawn picture, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from nardy_hw.cli import main

DATA = Path(__file__).parent.parent / "data" / "vision"
BOARD = json.loads((DATA / "truth.jsonl").read_text().splitlines()[0])
PICTURE = str(DATA / BOARD["file"])


@pytest.fixture(scope="module")
def calibration(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("calibration") / "c.toml"
    assert main(["calibrate", "--image", PICTURE, "--corners", BOARD["corners"], "--output", str(path)]) == 0
    return str(path)


def test_the_picture_is_drawn(calibration: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.png"
    assert main(["read", PICTURE, "--calibration", calibration, "--annotate", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["field_found"]
    drawn = cv2.imread(str(out))
    assert drawn is not None
    assert drawn.shape[0] > 960
    assert [p.name for p in tmp_path.iterdir()] == ["out.png"]


@pytest.mark.parametrize("name", ["nowhere/out.png", "out.xyz", "out", "folder.png", ""])
def test_a_picture_that_cannot_be_written(
    name: str, calibration: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.png").mkdir()
    assert main(["read", PICTURE, "--calibration", calibration, "--annotate", name]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("nardy-hw read: cannot write ")
    assert told.err.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["folder.png"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [([""], "IMAGE is empty"), ([PICTURE, "--variant", "long"], "--variant long contradicts")],
)
def test_what_is_refused(arguments: list[str], word: str, calibration: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", *arguments, "--calibration", calibration]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert word in told.err
    assert told.err.count("\n") == 1


def test_the_calibrations_own_variant_may_be_named(calibration: str) -> None:
    assert main(["read", PICTURE, "--calibration", calibration, "--variant", "short"]) == 0

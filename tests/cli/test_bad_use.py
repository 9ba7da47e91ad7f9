"""Bad use: what is wrong in one line on stderr, exit 2."""

from __future__ import annotations

import pytest

from nardy_hw.cli import main


@pytest.mark.parametrize(
    ("arguments", "name", "word"),
    [
        ([], "nardy-hw", "COMMAND"),
        (["raed"], "nardy-hw", "raed"),
        (["read", "a.jpg"], "nardy-hw read", "--calibration"),
        (["calibrate", "--image", "a.jpg", "--output", "a.toml", "--trays", "up"], "nardy-hw calibrate", "--trays"),
        (["matches", "lst"], "nardy-hw matches", "lst"),
        (["demo", "--two\nlines"], "nardy-hw", "unrecognized"),
    ],
)
def test_bad_use(arguments: list[str], name: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"{name}: ")
    assert word in told.err
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--help"], ["read", "--help"], ["--version"]])
def test_help_is_no_bad_use(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 0
    told = capsys.readouterr()
    assert "nardy-hw" in told.out
    assert told.err == ""

"""The doctor and the test of dice, on a simulated board, on none, and on one that is ill."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path

import pytest

from firmware_bridge import link
from firmware_bridge.sim.stand_in import StandIn
from nardy_hw.cli import main
from nardy_hw.daemon import doctor
from nardy_hw.daemon.demo import DATA
from nardy_hw.daemon.doctor import Finding

TRUTH = Path(__file__).parent.parent / "data" / "demo" / "truth.jsonl"


@pytest.fixture
def stand_in(tmp_path):
    path = tmp_path / "board"
    with StandIn(path) as board:
        yield path, board


def found(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_board_that_works(stand_in, capsys, monkeypatch):
    monkeypatch.setattr(doctor, "TAKERS", {})
    path, board = stand_in
    shone = set()

    def watch():
        while not done.is_set():
            shone.update((i, light) for i, light in enumerate(board.lights()) if light != (0, 0, 0))
            time.sleep(0.02)

    done = threading.Event()
    watcher = threading.Thread(target=watch)
    watcher.start()
    code = main(["doctor", "--board", str(path), "--walk", "--throws", "12", "--json"])
    done.set()
    watcher.join()
    findings = {one["about"]: one for one in found(capsys)}
    assert list(findings) == ["other programs", "permission", "ports", "board", "round trip", "lights", "dice"]
    assert code == 0 and all(one["word"] in ("good", "note") for one in findings.values())
    assert "stand-in" in findings["board"]["text"] and "24 faces" in findings["dice"]["text"]
    assert shone == {(i, light) for i in range(28) for light in ((160, 0, 0), (0, 160, 0), (0, 0, 160))}


def test_no_board(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(doctor, "all_ports", list)
    assert main(["doctor"]) == 1
    assert "no serial port is there" in capsys.readouterr().out
    monkeypatch.setattr(doctor, "WAIT", 0.5)
    assert main(["doctor", "--board", str(tmp_path / "none")]) == 1
    out = capsys.readouterr().out
    assert "bad   board:" in out and "none cannot be used" in out and "-> nardy-hw flash" in out


def test_a_port_where_nobody_answers(capsys, monkeypatch):
    monkeypatch.setattr(doctor, "WAIT", 0.5)
    master, slave = os.openpty()
    assert main(["doctor", "--board", os.ttyname(slave)]) == 1
    assert "nothing answers on /dev/pts/" in capsys.readouterr().out
    os.close(master)
    os.close(slave)


def test_a_board_that_falls_silent(stand_in, capsys):
    path, board = stand_in
    real = link.Session.command

    def unplugging(session, letter, payload=""):
        board.ask("unplug")
        real(session, letter, payload)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(link.Session, "command", unplugging)
        assert main(["doctor", "--board", str(path)]) == 1
    assert "bad   round trip: the board has stopped to answer" in capsys.readouterr().out


def test_programs_that_take_ports(tmp_path):
    for number, name in (("1", "systemd"), ("22", "brltty"), ("333", "python3")):
        (tmp_path / number).mkdir()
        (tmp_path / number / "comm").write_text(name + "\n")
    (bad,) = doctor.takers(tmp_path)
    assert bad.word == "bad" and "brltty" in bad.text and "mask" in bad.todo
    (tmp_path / "22" / "comm").write_text("bash\n")
    assert [one.word for one in doctor.takers(tmp_path)] == ["good"]


def test_permission_is_told(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(os, "getgroups", list)
    assert (doctor.permission().word, "usermod -aG dialout" in doctor.permission().todo) == ("bad", True)
    monkeypatch.setattr(os, "getgroups", lambda: [doctor.grp.getgrnam("dialout").gr_gid])
    assert doctor.permission().word == "good"


def test_loaded_dice_are_told():
    assert doctor.fairness([100] * 6, "x").word == "good"
    bad = doctor.fairness([100, 100, 100, 100, 100, 200], "x")
    assert isinstance(bad, Finding) and bad.word == "bad" and "do not play" in bad.todo


def test_absurd_throws(capsys):
    assert main(["doctor", "--throws", "-1"]) == 2
    assert "0 to 100000" in capsys.readouterr().err


def test_the_rollers_dice_as_they_speak(stand_in, capsys):
    path, _ = stand_in
    assert main(["dice", "--board", str(path), "--dice", "roller", "--throws", "3", "--json"]) == 0
    out, err = capsys.readouterr()
    told = [json.loads(line) for line in out.splitlines()]
    throws = [one["throw"] for one in told if "throw" in one]
    assert len(throws) == 3 and all(1 <= face <= 6 for throw in throws for face in throw)
    states = [(one["die"], one["state"]) for one in told if "die" in one]
    assert states == [("0", "rolling"), ("1", "rolling"), ("0", "stable"), ("1", "stable")] * 3
    assert "too few to tell" in err and "6 faces" in err


def test_common_dice_under_the_camera(capsys):
    """The recorded game's first throws, from its truth: each once, though hands pass over them."""
    arguments = ["--camera", str(DATA / "game.mp4"), "--calibration", str(DATA / "calibration.toml"), "--throws", "4"]
    assert main(["dice", *arguments]) == 0
    out = capsys.readouterr().out
    thrown = [tuple(sorted(map(int, line.split()[1:]))) for line in out.splitlines() if line.startswith("thrown")]
    truth = [json.loads(line) for line in TRUTH.read_text().splitlines()]
    assert thrown == [tuple(one["dice"]) for one in truth if "dice" in one][:4]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["dice"], "who reads the dice?"),
        (["dice", "--camera", "x.mp4"], "--calibration"),
        (["dice", "--dice", "roller"], "which board"),
        (["dice", "--dice", "ble", "--throws", "-1"], "0 (no end) or more"),
        (["dice", "--config", "/nowhere.toml"], "cannot read the settings"),
    ],
)
def test_dice_that_nobody_reads(words, told, capsys):
    assert main(words) == 2
    assert told in capsys.readouterr().err

"""The simulated board on a port of its own, as people use it."""

import subprocess
import sys
import time

import serial

from firmware_bridge.frames import Frame, Reader

RUN = "import sys; from nardy_hw.cli import main; sys.exit(main())"


def test_a_board_for_every_program(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    port = tmp_path / "port"
    command = [sys.executable, "-c", RUN, "board-sim", "--link", str(port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert str(port) in process.stdout.readline()
        time.sleep(0.2)
        with serial.Serial(str(port), 115200, timeout=0.5) as line:
            line.write(Frame(1, "L", "8" * 28).encode())
            assert any(frame.type == "a" for frame in Reader().feed(line.read(64)))
        for said, answer in (
            ("lights", "002800"),
            ("press 0", "ok"),
            ("module 1 S5", "ok"),
            ("module 1 S7", "not understood"),
            ("module 0 gone", "ok"),
            ("noise 2", "not understood"),
            ("jump", "say press"),
        ):
            process.stdin.write(said + "\n")
            process.stdin.flush()
            assert answer in process.stdout.readline()
        process.stdin.write("quit\n")
        process.stdin.flush()
        assert process.wait(5) == 0
    assert not port.exists()


def test_missing_tools_are_named(tmp_path, monkeypatch, capsys):
    from nardy_hw.cli import main

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["board-sim"]) == 2
    err = capsys.readouterr().err
    assert "apt-get install gcc-avr" in err and err.count("\n") == 1

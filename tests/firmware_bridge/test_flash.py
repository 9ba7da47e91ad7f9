"""The real avrdude, the real bootloaders in the simulated chip, and the firmware that starts from what was written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import serial

from firmware_bridge.errors import LinkError
from firmware_bridge.flash import flash
from firmware_bridge.frames import Frame, Reader
from firmware_bridge.sim.board import SimulatedBoard

BOOTLOADERS = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders")
HEX = {
    "new": BOOTLOADERS / "optiboot/optiboot_atmega328.hex",
    "old": BOOTLOADERS / "atmega/ATmegaBOOT_168_atmega328.hex",
}


@pytest.mark.parametrize("bootloader", ["new", "old"])
def test_flashed_and_started(built, tmp_path, bootloader):
    elf, program = built
    port = tmp_path / "board"
    with SimulatedBoard(program, elf, port) as board:
        assert int(board.ask(f"boot {BOOTLOADERS / HEX[bootloader]}")) > 0x7000
        board.ask("wipe")  # what runs afterwards can only have come by the line
        board.ask("reset")
        flash(str(port), elf.with_suffix(".hex"), bootloader)
        with serial.Serial(str(port), 115200, timeout=3.0, exclusive=True) as line:
            reader, frames = Reader(), []
            for _ in range(20):
                line.write(Frame(1, "Q").encode())
                frames += [frame for frame in reader.feed(line.read(64)) if frame.type == "q"]
                if frames:
                    break
            assert frames[0].payload.startswith("nardy-board,")


def test_what_cannot_be_flashed(built, tmp_path, monkeypatch):
    elf, program = built
    image = elf.with_suffix(".hex")
    with pytest.raises(LinkError, match="nowhere"):
        flash(str(tmp_path / "nowhere"), image)
    with pytest.raises(LinkError, match=r"no firmware .*none\.hex"):
        flash("/dev/null", tmp_path / "none.hex")
    port = tmp_path / "board"
    with (
        SimulatedBoard(program, elf, port),
        serial.Serial(str(port), 115200, exclusive=True),
        pytest.raises(LinkError, match="in use"),
    ):
        flash(str(port), image)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(LinkError, match="apt-get install avrdude"):
        flash("/dev/null", image)

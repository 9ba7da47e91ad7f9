"""The real avrdude, the real bootloaders in the simulated chip, and the firmware that starts from what was written."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import serial

from firmware_bridge.errors import LinkError
from firmware_bridge.flash import flash
from firmware_bridge.frames import Frame, Reader
from firmware_bridge.sim.board import SimulatedBoard

BOOTLOADERS = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders")
OLD = BOOTLOADERS / "atmega/ATmegaBOOT_168_atmega328.hex"


@pytest.fixture(scope="session")
def optiboot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Optiboot, compiled from Debian's sources: Debian 13's own optiboot_atmega328.hex is built for the registers of an
    ATmega8 and never answers. Today's compilers need 30 bytes more than its half kilobyte, so it begins at 0x7C00."""
    elf = tmp_path_factory.mktemp("optiboot") / "optiboot.elf"
    flags = "-w -Os -fno-inline-small-functions -fno-split-wide-types -mrelax -mmcu=atmega328p -nostartfiles"
    settings = "-DF_CPU=16000000L -DBAUD_RATE=115200 -DLED_START_FLASHES=3"
    places = "-Wl,--section-start=.text=0x7c00 -Wl,--section-start=.version=0x7ffe"
    words = f"avr-gcc {flags} {settings} {places} -o {elf} optiboot.c".split()
    subprocess.run(words, cwd=BOOTLOADERS / "optiboot", check=True)
    words = f"avr-objcopy -j .text -j .version --set-section-flags .version=alloc,load -O ihex {elf} {elf}.hex".split()
    subprocess.run(words, check=True)
    return elf.with_suffix(".elf.hex")


@pytest.mark.parametrize("bootloader", ["new", "old"])
def test_flashed_and_started(built, optiboot, tmp_path, bootloader):
    elf, program = built
    own = optiboot if bootloader == "new" else OLD
    port = tmp_path / "board"
    with SimulatedBoard(program, elf, port) as board:
        assert int(board.ask(f"boot {own}")) > 0x7000
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

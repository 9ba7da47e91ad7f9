"""Starts board_sim and speaks with it: in lockstep for tests, or behind a terminal for everybody."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Self

from firmware_bridge.errors import BuildError

HERE = Path(__file__).parent
FIRMWARE = HERE.parent / "firmware"


def cache() -> Path:
    """Where programs are kept once they are built: under $XDG_CACHE_HOME. Raises BuildError."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nardy-hw"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BuildError(f"cannot make {folder}: {error.strerror}") from None
    return folder


def build_firmware(folder: Path) -> Path:
    """Builds board.elf, and board.hex beside it, into a folder. Raises BuildError with what is missing."""
    _make(FIRMWARE, folder, "avr-gcc", "gcc-avr avr-libc make")
    return folder / "board.elf"


def build(folder: Path) -> tuple[Path, Path]:
    """Builds board.elf and board_sim into a folder, and gives both. Raises BuildError with what is missing."""
    elf = build_firmware(folder)
    _make(HERE, folder, "gcc", "gcc make libsimavr-dev libelf-dev")
    return elf, folder / "board_sim"


def _make(source: Path, folder: Path, compiler: str, packages: str) -> None:
    for tool in ("make", compiler):
        if shutil.which(tool) is None:
            raise BuildError(f"{tool} is not installed: apt-get install {packages}")
    command = ["make", "-C", str(source), f"OUT={folder.resolve()}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise BuildError(f"make in {source} failed: {' '.join(last)} (apt-get install {packages})")


class SimulatedBoard:
    """A running board_sim. link: the serial port for others; None: lockstep, time passes in `run` alone.

    Use as a context manager. Raises BuildError when the program cannot be started or has ended.
    """

    def __init__(self, program: Path, elf: Path, link: Path | None = None) -> None:
        command = [str(program), str(elf), *(["--pty", str(link)] if link else [])]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        except OSError as error:
            raise BuildError(f"cannot start {program}: {error.strerror}") from None
        self._line()

    def run(self, seconds: float) -> bytes:
        """Lets time pass (lockstep alone); what the board has sent meanwhile."""
        return bytes.fromhex(self.ask(f"run {round(seconds * 1e6)}"))

    def send(self, data: bytes) -> None:
        """Bytes for its receiver (lockstep alone)."""
        if data:
            self.ask(f"send {data.hex()}")

    def press(self, button: int, down: bool) -> None:
        """A button's contact closes or opens."""
        self.ask(f"pin D{2 + button} {int(not down)}")

    def module(self, number: int, state: str, face: int = 0, quality: int = 9) -> None:
        """What dice module 0 or 1 answers from now on: a letter as in the protocol's `d`; '' = it is taken away."""
        values = [ord(state), face, quality] if state else []
        self.ask(f"module {number} {bytes([*values, ~sum(values) & 0xFF]).hex() if values else 'gone'}")

    def lights(self) -> list[tuple[int, int, int]]:
        """Red, green and blue of each light as it shines."""
        grb = bytes.fromhex(self.ask("lights"))
        return [(grb[i + 1], grb[i], grb[i + 2]) for i in range(0, len(grb), 3)]

    def noise(self, lost: float, flipped: float, doubled: float, seed: int = 1) -> None:
        """Shares of the bytes, both ways, that are lost, get a wrong bit, or come twice."""
        self.ask(f"noise {round(lost * 1e6)} {round(flipped * 1e6)} {round(doubled * 1e6)} {seed}")

    def ask(self, command: str) -> str:
        """Any command of board_sim; its answer."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(command + "\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise BuildError("the simulated board has ended") from None
        return self._line()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise BuildError(f"the simulated board has ended (exit {self._process.wait()})")
        return line.strip()

    def close(self) -> None:
        """Twice is fine."""
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

"""Puts the firmware on a board, by avrdude and the bootloader that the board came with."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Literal, get_args

from firmware_bridge.errors import LinkError
from firmware_bridge.link import check_free

Bootloader = Literal["new", "old"]
BAUDS: dict[Bootloader, int] = {"new": 115200, "old": 57600}
"""new: Optiboot, on a Nano since 2018 and on an Uno; old: ATmegaBOOT, on the Nanos before, and on most clones."""


def flash(port: str, image: Path, bootloader: Bootloader = "new", *, progress: bool = False) -> None:
    """Writes board.hex and reads it back. progress: avrdude shows its bar on stderr.

    Raises LinkError: no avrdude, no port, a port in use, no bootloader that answers, or flash that does not hold.
    """
    if bootloader not in get_args(Bootloader):
        raise LinkError(f"the bootloader is 'new' or 'old', not {bootloader!r}")
    if shutil.which("avrdude") is None:
        raise LinkError("avrdude is not installed: sudo apt-get install avrdude")
    if not image.is_file():
        raise LinkError(f"there is no firmware {image}: make in firmware_bridge/firmware builds it")
    check_free(port)  # nobody else may be talking with the board meanwhile
    command = ["avrdude", "-q"] if not progress else ["avrdude"]
    command += ["-p", "m328p", "-c", "arduino", "-P", port, "-b", str(BAUDS[bootloader]), "-D"]
    command += ["-U", f"flash:w:{image}:i"]
    try:
        done = subprocess.run(
            command, stderr=None if progress else subprocess.PIPE, stdout=subprocess.PIPE, text=True, timeout=120,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise LinkError(f"{port} has not answered for two minutes: unplug the board, and try again") from None
    if done.returncode:
        other = "old" if bootloader == "new" else "new"
        said = [line.strip() for line in (done.stderr or "").splitlines() if "error" in line and "ioctl" not in line]
        why = f" (avrdude: {said[-1]})" if said else ""
        raise LinkError(f"{port} did not take the firmware: is it the board, and not --bootloader {other}?{why}")

"""What is wrong with what is connected, and what to do about it: one finding a line, each tried and not guessed."""

from __future__ import annotations

import grp
import os
import queue
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from firmware_bridge.dice import Die, Pair
from firmware_bridge.link import Link, Trouble, all_ports
from firmware_bridge.protocol import COUNTS, PALETTE
from firmware_bridge.session import Answered, Said, Up
from nardy_hw.record.fairness import chance, chi_square

WAIT = 6.0
"""Seconds for a board to answer on any of the ports: each is listened to for 2.5."""

PINGS = 100
SLOW_MS = 20.0
"""Of a round trip, p95; a Nano and a pty here take 3.2 (tests/bench/bridge.py)."""

UNFAIR = 0.001
"""Fair dice are called unfair once in a thousand tests."""

TAKERS = {
    "brltty": "sudo systemctl mask --now brltty brltty-udev",
    "ModemManager": "sudo systemctl disable --now ModemManager, or install nardy-hw's udev rule",
}
"""Programs that are known to take serial ports for themselves -> how to stop them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. word: bad needs mending. todo: what to do, '' = nothing."""

    word: Literal["good", "note", "bad"]
    about: str
    text: str
    todo: str = ""


class Board:
    """A link, and all that it has said. port: a serial port or 'auto'."""

    def __init__(self, port: str) -> None:
        self._said: queue.SimpleQueue[Said | Trouble] = queue.SimpleQueue()
        self.troubles: list[str] = []
        self.link = Link(self._said.put, ports=all_ports if port == "auto" else lambda: [port])

    def next(self, kind: type[Said], seconds: float) -> Said | None:
        """The next thing of a kind that it says."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                said = self._said.get(timeout=left)
            except queue.Empty:
                return None
            if isinstance(said, Trouble):
                self.troubles.append(said.why)
            elif isinstance(said, kind):
                return said
        return None


def takers(processes: Path = Path("/proc")) -> Iterator[Finding]:
    """Programs that take serial ports, where they run."""
    running = set()
    for process in processes.glob("[0-9]*/comm"):
        try:
            running.add(process.read_text(encoding="utf-8", errors="replace").strip())
        except OSError:  # it has ended
            continue
    found = [name for name in TAKERS if name in running]
    for name in found:
        yield Finding("bad", "other programs", f"{name} is running: it may take the board's port", TAKERS[name])
    if not found:
        yield Finding("good", "other programs", "neither brltty nor ModemManager is running")


def permission() -> Finding:
    """May this user open serial ports?"""
    if os.geteuid() == 0:
        return Finding("good", "permission", "root may open every port")
    try:
        group = grp.getgrnam("dialout").gr_gid
    except KeyError:
        return Finding("note", "permission", "there is no group dialout on this machine")
    if group in os.getgroups():
        return Finding("good", "permission", "you are of the group dialout")
    todo = "sudo usermod -aG dialout $USER, then log in again"
    return Finding("bad", "permission", "you are not of the group dialout", todo)


def board(port: str, *, throws: int = 0, walk: bool = False, progress: Callable[[float], None]) -> Iterator[Finding]:
    """Everything about a board. throws: of its roller. walk: every light in turn. progress: 0..1 of what takes long."""
    there = all_ports() if port == "auto" else [port]
    if not there:
        yield Finding("bad", "ports", "no serial port is there", "is the board's cable in, and does it carry data?")
        return
    yield Finding("good", "ports", ", ".join(there))
    asked = Board(port)
    try:
        up = asked.next(Up, WAIT)
        if not isinstance(up, Up):
            troubles = "; ".join(dict.fromkeys(asked.troubles)) or f"nothing answers on {', '.join(there)}"
            todo = "nardy-hw flash PORT puts the firmware on the board"
            yield Finding("bad", "board", troubles, "" if "flash" in troubles else todo)
            return
        who = up.identity
        named = f", named {who.board}" if who.board else ""
        yield Finding("good", "board", f"firmware {who.firmware}, protocol {who.protocol}, {who.chip}{named}")
        yield _round_trip(asked)
        if walk:
            yield _walk(asked, progress)
        if throws:
            yield _fair(asked, throws, progress)
    finally:
        asked.link.close()


def _round_trip(asked: Board) -> Finding:
    taken = []
    for _ in range(PINGS):
        begun = time.monotonic()
        asked.link.command("G")
        if asked.next(Answered, 1.0) is None:
            return Finding("bad", "round trip", "the board has stopped to answer", "another cable, or another USB port")
        taken.append((time.monotonic() - begun) * 1000)
    p95 = sorted(taken)[int(0.95 * PINGS)]
    text = f"median {sorted(taken)[PINGS // 2]:.1f} ms, 95 of 100 within {p95:.1f} ms"
    if p95 > SLOW_MS:
        return Finding("bad", "round trip", text, "a shorter cable, no hub; is the machine busy?")
    return Finding("good", "round trip", text)


def _walk(asked: Board, progress: Callable[[float], None]) -> Finding:
    lights = COUNTS["lights"]
    for step in range(3 * lights):
        digits = ["0"] * lights
        digits[step % lights] = "213"[step // lights]
        asked.link.lights("".join(digits))
        progress(step / (3 * lights))
        time.sleep(0.1)
    asked.link.lights("0" * lights)
    colours = ", ".join(str(PALETTE[digit]) for digit in "213")
    text = f"each of the {lights} lights shone alone in turn, point 1 first, in red, green, blue {colours}"
    return Finding(
        "note", "lights", text, "one that did not: its solder, its turn in the strip, the strip's order of colours"
    )


def _fair(asked: Board, throws: int, progress: Callable[[float], None]) -> Finding:
    pair, faces, thrown = Pair(), [0] * 6, 0
    asked.link.command("D", "R")
    while thrown < throws:
        die = asked.next(Die, 5.0)
        if not isinstance(die, Die):
            return Finding("bad", "dice", f"the roller has stopped after {thrown} throws", "press reset, and try again")
        throw = pair.hears(die)
        if throw is not None:
            thrown += 1
            progress(thrown / throws)
            for face in throw:
                faces[face - 1] += 1
            if thrown < throws:
                asked.link.command("D", "R")
    return fairness(faces, "the roller")


def fairness(faces: list[int], who: str) -> Finding:
    """What so many of each face say of dice."""
    odds = chance(faces)
    counts = " ".join(f"{face}:{n}" for face, n in enumerate(faces, 1))
    text = (
        f"{sum(faces)} faces {counts}, chi-square {chi_square(faces):.1f}, as uneven by chance {odds:.0%} of the time"
    )
    if odds < UNFAIR:
        return Finding("bad", "dice", f"{who}: {text}", "test again; if it stays so, do not play with these dice")
    return Finding("good", "dice", f"{who}: {text}")

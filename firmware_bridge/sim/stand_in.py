"""A board in Python that speaks the firmware's language: for machines without simavr. The tests hold the two together.

It shows what the protocol means, not how the microcontroller does it: there is no strip's signal, no bus, no hang.
"""

from __future__ import annotations

import os
import random
import re
import secrets
import threading
import time
import tty
from contextlib import suppress
from pathlib import Path
from typing import Self

from firmware_bridge.contact import Contact, Pressed
from firmware_bridge.errors import BuildError
from firmware_bridge.frames import Frame, Reader
from firmware_bridge.protocol import COUNTS, CURRENT, PALETTE, TIMES, VERSION

DARK = "0" * COUNTS["lights"]
ID = re.compile(f"[A-Za-z0-9_-]{{1,{COUNTS['board_id']}}}")
BUTTONS, MODULES = COUNTS["buttons"], COUNTS["modules"]
RESET_PIN, ASKED = 2, 32


class Firmware:
    """The board's side of the line. Bytes and milliseconds in, bytes out. board, brightness: as kept in EEPROM."""

    def __init__(self) -> None:
        self.board, self.brightness = "", COUNTS["brightness"]
        self.pins = [False] * BUTTONS
        self.modules: list[tuple[str, int, int] | None] = [None] * MODULES
        self._waiting: list[tuple[int, str, str]] = []
        self._next_event = 0
        self._contacts = [Contact(i) for i in range(BUTTONS)]
        self.start(1)
        self._event("w", "settings-lost")

    def start(self, cause: int) -> None:
        """From the beginning; what waits to be heard, and how the buttons stand, is not forgotten."""
        self._cause, self._ms = cause, 0
        for contact in self._contacts:
            contact.restart()
        self.shown = DARK
        self._reader = Reader()
        self._last: tuple[int, bool] | None = None
        self._heard: int | None = None
        self._armed = "-"
        self._rolled: int | None = None
        self._told: list[tuple[str, int]] = [("", 0)] * MODULES
        self._due: dict[int, int] = {}
        self._lost = 0
        self._out = Frame(0, "z", f"{cause},0").encode()

    def lights(self) -> list[tuple[int, int, int]]:
        """Red, green and blue of each light, brightness and limiter applied."""
        full = [PALETTE[digit] for digit in self.shown]
        dimmed = [tuple(value * self.brightness // COUNTS["brightness"] for value in light) for light in full]
        allowed = CURRENT["limit"] - len(full) * CURRENT["idle"]
        drawn = self._drawn(dimmed)
        if drawn > allowed:
            dimmed = [tuple(value * allowed // drawn for value in light) for light in dimmed]
        return [(r, g, b) for r, g, b in dimmed]

    def feed(self, data: bytes) -> None:
        for frame in self._reader.feed(data):
            self._heard = self._ms
            self._obey(frame)

    def tick(self) -> bytes:
        """A millisecond passes; what is sent."""
        self._ms += 1
        for contact, down in zip(self._contacts, self.pins, strict=True):
            for said in contact.sample(down, self._ms):
                self._button(said)
        if self._rolled is not None and self._ms - self._rolled >= TIMES["roll"]:
            self._rolled = None
            for die in range(2):
                self._event("d", f"{die},S,{secrets.randbelow(6) + 1},9,{self._ms}")
        for number, module in enumerate(self.modules):
            self._module(number, module)
        if self._heard is not None and self._ms - self._heard >= TIMES["silence"]:
            self._heard, self.shown = None, DARK
            self._event("w", "host-silent")
        for sequence, kind, text in self._waiting:
            if self._ms >= self._due.get(sequence, 0):
                self._due[sequence] = self._ms + TIMES["resend"]
                self._out += Frame(sequence, kind, text).encode()
        out, self._out = self._out, b""
        return out

    def _obey(self, frame: Frame) -> None:
        match frame.type:
            case "K":
                self._waiting = [event for event in self._waiting if f"{event[0]:02X}" != frame.payload]
            case "Q":
                self._last = None
                told = f"nardy-board,stand-in,{VERSION},{COUNTS['lights']},python,{self._cause},{self._ms},{self.board}"
                self._answer(frame, "q", told)
            case "G":
                pressed = sum(contact.down << i for i, contact in enumerate(self._contacts))
                waiting = len(self._waiting)
                self._answer(frame, "g", f"{self.shown},{pressed},{self.brightness},{waiting},{self._armed}")
            case "S":
                current = self._drawn(self.lights()) + COUNTS["lights"] * CURRENT["idle"]
                self._answer(frame, "s", f"{self._ms},0,{self._reader.dropped},0,0,{current},{self._lost}")
            case _:
                again = self._last is not None and self._last[0] == frame.sequence
                done = self._last[1] if self._last is not None and again else self._do(frame.type, frame.payload)
                self._last = frame.sequence, done
                self._answer(frame, "a" if done else "n", ",again" * again if done else "what came with it is wrong")
                if frame.type == "R" and done:
                    answer = self._out
                    self.start(ASKED)
                    self._out = answer + self._out

    def _do(self, letter: str, payload: str) -> bool:
        """Does what is commanded. False: what came with the letter is wrong."""
        match letter, payload:
            case "L", digits if len(digits) == COUNTS["lights"] and set(digits) <= set(PALETTE):
                self.shown = digits
            case "B", digit if len(digit) == 1 and digit.isdecimal():
                self.brightness = int(digit)
            case "D", ("A0" | "A1") as arm:
                self._armed = arm[1]
            case "D", "O":
                self._armed = "-"
            case "D", "R":
                self._roll()
            case "I", name if (
                1 <= len(name) <= COUNTS["board_id"] and name.replace("-", "a").replace("_", "a").isalnum()
            ):
                self.board = name
            case (("P" | "R"), ""):
                pass
            case _:
                return False
        return True

    def _button(self, said: Pressed) -> None:
        self._event("b", f"{said.button},{said.state},{said.ms}")
        if said.state == 1 and self._armed == str(said.button):
            self._armed = "-"
            self._roll()

    def _roll(self) -> None:
        if self._rolled is None:
            self._rolled = self._ms
            for die in range(2):
                self._event("d", f"{die},R,0,9,{self._ms}")

    def _module(self, number: int, module: tuple[str, int, int] | None) -> None:
        state, face, quality = module or ("M", 0, 0)
        if (module or self._told[number][0]) and (state, face) != self._told[number]:
            self._told[number] = state, face
            self._event("d", f"{2 + number},{state},{face},{quality},{self._ms}")

    def _event(self, kind: str, text: str) -> None:
        if len(self._waiting) == COUNTS["ring"]:
            self._waiting.pop(0)
            self._lost += 1
        self._waiting.append((self._next_event, kind, text))
        self._due.pop(self._next_event, None)
        self._next_event = (self._next_event + 1) & 0xFF

    def _answer(self, asked: Frame, kind: str, payload: str) -> None:
        self._out += Frame(asked.sequence, kind, payload).encode()

    @staticmethod
    def _drawn(lights: list[tuple[int, ...]] | list[tuple[int, int, int]]) -> int:
        return sum(sum(light) for light in lights) * CURRENT["channel"] // 255


class StandIn:
    """As `SimulatedBoard`, in this process. link: the serial port for others; None: time passes in `run` alone.

    Use as a context manager. Raises BuildError where there is no room for a terminal.
    """

    def __init__(self, link: Path | None = None) -> None:
        self._firmware = Firmware()
        self._noise, self._random = (0.0, 0.0, 0.0), random.Random(1)
        self._lock = threading.Lock()
        self._ends: tuple[int, int] | None = None
        self._link, self._closing = link, threading.Event()
        self._thread = threading.Thread(target=self._pace, name="stand-in", daemon=True)
        if link is not None:
            self._plug()
            self._thread.start()

    def run(self, seconds: float) -> bytes:
        """Lets time pass (lockstep alone); what the board has sent meanwhile."""
        return self._spoilt(b"".join(self._firmware.tick() for _ in range(round(seconds * 1000))))

    def send(self, data: bytes) -> None:
        """Bytes for its receiver (lockstep alone)."""
        self._firmware.feed(self._spoilt(data))

    def press(self, button: int, down: bool) -> None:
        """A button's contact closes or opens."""
        with self._lock:
            self._firmware.pins[button] = down

    def module(self, number: int, state: str, face: int = 0, quality: int = 9) -> None:
        """What dice module 0 or 1 says from now on: a letter as in the protocol's `d`; '' = it is taken away."""
        with self._lock:
            self._firmware.modules[number] = (state, face, quality) if state else None

    def lights(self) -> list[tuple[int, int, int]]:
        """Red, green and blue of each light as it shines."""
        with self._lock:
            return self._firmware.lights()

    def noise(self, lost: float, flipped: float, doubled: float, seed: int = 1) -> None:
        """Shares of the bytes, both ways, that are lost, get a wrong bit, or come twice."""
        self._noise, self._random = (lost, flipped, doubled), random.Random(seed)

    def ask(self, command: str) -> str:
        """unplug, plug, reset: as board_sim's. Raises BuildError for what a stand-in does not have."""
        with self._lock:
            match command:
                case "unplug":
                    self._unplug()
                case "plug":
                    self._plug()
                case "reset":
                    self._firmware.start(RESET_PIN)
                case _:
                    raise BuildError(f"a board in Python cannot {command!r}: install simavr for it")
        return "ok"

    def close(self) -> None:
        """Twice is fine."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()
        self._unplug()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _spoilt(self, data: bytes) -> bytes:
        lost, flipped, doubled = self._noise
        if not any(self._noise):
            return data
        out, chance = bytearray(), self._random.random
        for byte in data:
            if chance() < lost:
                continue
            if chance() < flipped:
                byte ^= 1 << self._random.randrange(8)
            out += bytes([byte] * (1 + (chance() < doubled)))
        return bytes(out)

    def _plug(self) -> None:
        if self._ends is not None or self._link is None:
            return
        try:
            master, slave = os.openpty()
            tty.setraw(slave)
            os.set_blocking(master, False)
            self._link.unlink(missing_ok=True)
            self._link.symlink_to(os.ttyname(slave))
        except OSError as error:
            raise BuildError(f"cannot make a terminal at {self._link}: {error.strerror}") from None
        self._ends = master, slave

    def _unplug(self) -> None:
        if self._ends is not None and self._link is not None:
            for end in self._ends:
                os.close(end)
            self._ends = None
            self._link.unlink(missing_ok=True)

    def _pace(self) -> None:
        """Time passes as on the wall."""
        begun, passed = time.monotonic(), 0
        while not self._closing.wait(0.002):
            with self._lock:
                due = int((time.monotonic() - begun) * 1000)
                if due - passed > 200:  # it was held up: it goes on from here
                    begun, passed, due = time.monotonic(), 0, 1
                out = b"".join(self._firmware.tick() for _ in range(due - passed))
                passed = due
                if self._ends is None:
                    continue
                with suppress(BlockingIOError):
                    self._firmware.feed(self._spoilt(os.read(self._ends[0], 4096)))
                with suppress(BlockingIOError):
                    os.write(self._ends[0], self._spoilt(out))

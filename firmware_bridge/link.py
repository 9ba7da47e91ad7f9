"""The link to a board: found among all serial ports by its answer, followed through unplugging, never given up.

One thread does all that waits; whoever uses it calls from any other and is never kept waiting.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import serial
from serial.tools import list_ports

from firmware_bridge.errors import BridgeError, LinkError
from firmware_bridge.protocol import BAUD
from firmware_bridge.session import Down, Said, Session, Up

GREETING = 2.5
"""Seconds for an answer after a port is opened, as that resets a Nano: its old bootloader waits for 1.6 of them."""

PAUSE = 0.25
"""Seconds between two looks at the ports while no board is there."""

READ = 0.005
"""Seconds that a read waits for a byte: by so much at most is anything late that is to be sent."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a port cannot be used, and what to do about it; said once for each reason."""

    port: str
    why: str


def all_ports() -> list[str]:
    """Every serial port of this machine that may have a board behind it."""
    return [port.device for port in list_ports.comports()]


class Link:
    """heard: called in the link's own thread with all that the board says, and with Trouble; must return at once.

    board: the id of the one that is wanted, where there are several; '' = whichever answers first. ports: where to
    look. Use as a context manager; `close()` twice is fine.
    """

    def __init__(
        self,
        heard: Callable[[Said | Trouble], None],
        *,
        board: str = "",
        ports: Callable[[], Sequence[str]] = all_ports,
    ) -> None:
        self._heard, self._board, self._ports = heard, board, ports
        self._lock = threading.Lock()
        self._session = Session()
        self._closing = threading.Event()
        self._told: set[Trouble] = set()
        self._thread = threading.Thread(target=self._work, name="link", daemon=True)
        self._thread.start()

    @property
    def up(self) -> bool:
        """Does a board answer?"""
        return self._session.identity is not None

    def lights(self, digits: str) -> None:
        """As `Session.lights`. Raises LinkError."""
        with self._lock:
            self._session.lights(digits)

    def command(self, letter: str, payload: str = "") -> None:
        """As `Session.command`; the answer is heard. Raises LinkError, FrameError."""
        with self._lock:
            self._session.command(letter, payload)

    def close(self) -> None:
        """Ends the thread and lets the port go. The lights go dark when the board has not heard from us for a while."""
        self._closing.set()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # -- the thread

    def _work(self) -> None:
        while not self._closing.is_set():
            for port in self._ports():
                if self._closing.is_set():
                    return
                self._use(port)
            self._closing.wait(PAUSE)

    def _use(self, port: str) -> None:
        """One port, for as long as the wanted board answers there."""
        try:
            with serial.Serial(port, BAUD, timeout=READ, write_timeout=1.0, exclusive=True) as line:
                self._talk(line, port)
        except (OSError, ValueError) as error:  # serial's own are OSErrors
            self._say(Trouble(port, _why(port, error)))
        except BridgeError as error:
            self._say(Trouble(port, str(error)))
        was_up = self.up
        with self._lock:
            self._session.interrupted()
        if was_up:
            self._heard(Down())

    def _talk(self, line: serial.Serial, port: str) -> None:
        """Until the board is silent for too long, is another one than is wanted, or the link is closed."""
        greeted = time.monotonic() + GREETING
        while not self._closing.is_set():
            now = time.monotonic()
            if not self.up and now > greeted:
                return
            with self._lock:
                out, said = self._session.due(now)
            if out:
                line.write(out)
            data = line.read(max(1, line.in_waiting))
            if data:
                with self._lock:
                    said += self._session.feed(data, time.monotonic())
            for one in said:
                match one:
                    case Up(identity=identity) if self._board not in ("", identity.board):
                        with self._lock:
                            self._session.interrupted()
                        return
                    case Up():
                        self._told.clear()
                    case Down():
                        greeted = time.monotonic() + GREETING
                self._heard(one)

    def _say(self, trouble: Trouble) -> None:
        if trouble not in self._told:
            self._told.add(trouble)
            self._heard(trouble)


def check_free(port: str) -> None:
    """Raises LinkError, with what to do, for a port that is not there, is in use, or may not be opened."""
    try:
        serial.Serial(port, BAUD, exclusive=True).close()
    except (OSError, ValueError) as error:
        raise LinkError(_why(port, error)) from None


def _why(port: str, error: Exception) -> str:
    """In plain words."""
    number = getattr(error, "errno", None)
    if number == 13:
        return f"no permission for {port}: sudo usermod -aG dialout $USER, then log in again"
    if number in (11, 16):
        return f"{port} is in use by another program: close it (ModemManager and brltty are known for that)"
    return f"{port} cannot be used, is it the board's? ({error})"

"""The host's side of the line: one command at a time, sent again until it is answered; events once each. Sans-I/O.

Bytes and times in, bytes and what the board says out. A session begins with the handshake (`Q`), and again whenever the
board has started anew or has not answered for too long; what it should show is then sent once more.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from firmware_bridge.contact import Pressed
from firmware_bridge.dice import Die, DieState, Source
from firmware_bridge.errors import LinkError
from firmware_bridge.frames import Frame, Reader
from firmware_bridge.protocol import COUNTS, HOST, PALETTE, TIMES, VERSION

ACK, HEARTBEAT, RESEND = (TIMES[name] / 1000 for name in ("ack", "heartbeat", "resend"))
REMEMBERED = 32
"""Events by which a repeated one is known: four times as many as the board can keep."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who answered. cause: bits of why it started (protocol.md). uptime: milliseconds. board: its id, '' = none yet."""

    name: str
    firmware: str
    protocol: int
    lights: int
    chip: str
    cause: int
    uptime: int
    board: str


@dataclass(frozen=True, slots=True)
class Up:
    """The board has answered. restarted: it was there before, and has started anew."""

    identity: Identity
    restarted: bool


@dataclass(frozen=True, slots=True)
class Down:
    """It does not answer any more."""


@dataclass(frozen=True, slots=True)
class Warned:
    """host-silent, events-lost, settings-lost."""

    why: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to a command: its letter, a, n, g or s, and what came with it."""

    command: str
    kind: str
    payload: str


Said = Up | Down | Pressed | Die | Warned | Answered

DICE: dict[str, tuple[Source, str]] = {
    "0": ("roller", "0"), "1": ("roller", "1"), "2": ("module", "0"), "3": ("module", "1")
}  # fmt: skip
"""The board's numbers of dice -> source and name."""
STATES = {"R": DieState.ROLLING, "S": DieState.STABLE, "T": DieState.TILTED, "M": DieState.MOVED}


class Session:
    """`feed` what was received, write what `due` gives. Times are seconds that only grow."""

    def __init__(self) -> None:
        self.identity: Identity | None = None
        self.retries = 0
        """Commands that had to be sent again, since the beginning."""
        self._reader = Reader()
        self._sequence = 0
        self._queue: deque[tuple[str, str]] = deque()
        self._open: Frame | None = None
        self._tries = 0
        self._again = 0.0
        self._spoken = 0.0
        self._acks: deque[str] = deque()
        self._had: deque[tuple[int, str, str]] = deque(maxlen=REMEMBERED)
        self._lights: str | None = None
        self._to_show = self._restarted = False

    # -- what the host wants

    def lights(self, digits: str) -> None:
        """What the lights shall show, from now on and after every interruption. Raises LinkError for no such digits."""
        if len(digits) != COUNTS["lights"] or not set(digits) <= set(PALETTE):
            raise LinkError(f"lights are {COUNTS['lights']} digits of the palette, not {digits!r}")
        self._to_show = self._to_show or digits != self._lights
        self._lights = digits

    def command(self, letter: str, payload: str = "") -> None:
        """One of the host's commands, in its turn. Raises LinkError for an unknown one, FrameError."""
        if letter not in HOST or letter in "QKL":
            raise LinkError(f"no such command: {letter!r}")
        Frame(0, letter, payload)
        self._queue.append((letter, payload))

    def interrupted(self) -> None:
        """The line was cut: whatever comes next begins with the handshake."""
        self._reader = Reader()
        self._acks.clear()
        self._lost()

    # -- the line

    def due(self, t: float) -> tuple[bytes, list[Said]]:
        """What to write now, and whether the board has stopped to answer."""
        out, said = b"", list[Said]()
        while self._acks and self._open is None:  # not into the time in which the lights' signal is sent
            out += self._next("K", self._acks.popleft()).encode()
        if self._open is not None and t >= self._again:
            if self._tries < COUNTS["tries"]:
                self.retries += 1
                out += self._send(self._open, t)
            elif self.identity is not None:
                said.append(Down())
                self._lost()
            else:
                self._open = None
                self._spoken = t
        if self._open is None:
            wanted = self._wanted(t)
            if wanted is not None:
                self._tries = 0
                out += self._send(self._next(*wanted), t)
        return out, said

    def feed(self, data: bytes, t: float) -> list[Said]:
        """What the board says with these bytes."""
        said: list[Said] = []
        for frame in self._reader.feed(data):
            if frame.type in "bdw":
                said += self._event(frame)
            elif frame.type == "z":
                if self.identity is not None:  # it has started anew: whatever was open is lost
                    self._lost()
                    self._restarted = True
            elif self._open is not None and frame.sequence == self._open.sequence:
                said += self._answer(self._open, frame)
        return said

    def _wanted(self, t: float) -> tuple[str, str] | None:
        """The next command, where there is one."""
        if self.identity is None:
            return ("Q", "") if t >= self._spoken + RESEND or not self._spoken else None
        if self._to_show and self._lights is not None:
            self._to_show = False
            return "L", self._lights
        if self._queue:
            return self._queue.popleft()
        return ("P", "") if t >= self._spoken + HEARTBEAT else None

    def _next(self, letter: str, payload: str) -> Frame:
        self._sequence = (self._sequence + 1) & 0xFF
        return Frame(self._sequence, letter, payload)

    def _send(self, frame: Frame, t: float) -> bytes:
        self._open, self._tries = frame, self._tries + 1
        self._again, self._spoken = t + ACK, t
        return frame.encode()

    def _lost(self) -> None:
        """Back to the handshake; the lights are to be sent again."""
        self.identity, self._open, self._spoken = None, None, 0.0
        self._to_show = self._lights is not None

    def _answer(self, asked: Frame, frame: Frame) -> list[Said]:
        if asked.type == "Q":
            return self._identified(frame)
        if frame.type not in "angs":
            return []
        self._open = None
        if frame.type == "n" and asked.type == "L":
            self._to_show = True
        return [Answered(asked.type, frame.type, frame.payload)] if asked.type not in "LP" else []

    def _identified(self, frame: Frame) -> list[Said]:
        """Raises LinkError for a board that speaks another version."""
        parts = frame.payload.split(",")
        if frame.type != "q" or len(parts) != 8:
            return []
        try:
            numbers = [int(parts[i]) for i in (2, 3, 5, 6)]
        except ValueError:
            return []
        self._open = None
        identity = Identity(parts[0], parts[1], numbers[0], numbers[1], parts[4], numbers[2], numbers[3], parts[7])
        if identity.protocol != VERSION:
            raise LinkError(
                f"the board speaks protocol {identity.protocol}, this program {VERSION}: nardy-hw flash puts its "
                "firmware on the board"
            )
        self.identity = identity
        restarted, self._restarted = self._restarted, False
        return [Up(identity, restarted)]

    def _event(self, frame: Frame) -> list[Said]:
        """An event, the first time it comes; acknowledged each time."""
        self._acks.append(f"{frame.sequence:02X}")
        key = frame.sequence, frame.type, frame.payload
        if key in self._had:
            return []
        self._had.append(key)
        parts = frame.payload.split(",")
        try:
            match frame.type, parts:
                case "b", [button, state, ms]:
                    return [Pressed(int(button), int(state), int(ms))]
                case "d", [die, state, face, quality, _]:
                    source, name = DICE[die]
                    return [Die(source, name, STATES[state], int(face), int(quality))]
                case "w", [why]:
                    return [Warned(why)]
        except (ValueError, LookupError):
            pass
        return []

"""Frames of the serial line: `$SSTpayload*CCCC` and a line feed, all ASCII.

SS: sequence number, two hex digits. T: type, one letter. CCCC: CRC-16/CCITT-FALSE over SS..payload, four hex digits.
`$` always starts afresh, so that a torn frame costs only itself; carriage returns are ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from firmware_bridge.errors import FrameError
from firmware_bridge.protocol import MAX_BODY

_BODY = re.compile(rb"([0-9A-F]{2})([A-Za-z])([ -#%-)+-~]*)")


@dataclass(frozen=True, slots=True)
class Frame:
    """sequence: 0..255. type: one ASCII letter. payload: printable ASCII without `$` and `*`. Raises FrameError."""

    sequence: int
    type: str
    payload: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.sequence <= 255:
            raise FrameError(f"a frame's sequence is 0 to 255, not {self.sequence}")
        if len(self.type) != 1 or not (self.type.isascii() and self.type.isalpha()):
            raise FrameError(f"a frame's type is one letter, not {self.type!r}")
        if not all(" " <= c <= "~" and c not in "$*" for c in self.payload):
            raise FrameError(f"a frame's payload is printable ASCII without $ and *, not {self.payload!r}")
        if 3 + len(self.payload) > MAX_BODY:
            raise FrameError(f"a frame holds {MAX_BODY} bytes, this one has {3 + len(self.payload)}")

    def encode(self) -> bytes:
        body = f"{self.sequence:02X}{self.type}{self.payload}".encode("ascii")
        return b"$" + body + f"*{crc16(body):04X}\n".encode("ascii")


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, not reflected. Check value of b"123456789": 0x29B1."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021) & 0xFFFF if crc & 0x8000 else crc << 1
    return crc


class Reader:
    """Bytes in, whole frames out. Anything else is dropped and counted in `dropped`."""

    def __init__(self) -> None:
        self._body: bytearray | None = None
        self.dropped = 0

    def feed(self, data: bytes) -> list[Frame]:
        frames = []
        for byte in data:
            if byte == ord("$"):
                self.dropped += self._body is not None
                self._body = bytearray()
            elif self._body is None or byte == ord("\r"):
                continue
            elif byte == ord("\n"):
                frame = _parse(bytes(self._body))
                self._body = None
                if frame is None:
                    self.dropped += 1
                else:
                    frames.append(frame)
            elif len(self._body) == MAX_BODY + 5:  # `*CCCC` comes on top
                self._body = None
                self.dropped += 1
            else:
                self._body.append(byte)
        return frames


def _parse(line: bytes) -> Frame | None:
    body, star, crc = line.rpartition(b"*")
    told = _BODY.fullmatch(body)
    if not star or told is None or len(body) > MAX_BODY or crc != f"{crc16(body):04X}".encode():
        return None
    sequence, kind, payload = (part.decode("ascii") for part in told.groups())
    return Frame(int(sequence, 16), kind, payload)

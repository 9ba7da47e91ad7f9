"""What a picture file's bytes say of themselves: its size, and whether they are whole.

Decoders fill what is missing with grey or smear and say nothing; the marks that the formats carry tell.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable

Size = tuple[int, int]


class Unsound(Exception):
    """Why the bytes are no whole picture, in a word or two."""


def size_of(data: bytes) -> Size:
    """(width, height) in pixels of a JPEG, PNG, BMP, WebP or TIFF. Raises Unsound."""
    for start, read in _FORMATS.items():
        if data.startswith(start):
            try:
                return read(data)
            except (struct.error, IndexError):
                raise Unsound("torn: its end is missing") from None
    raise Unsound("no JPEG, PNG, BMP, WebP or TIFF")


SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers that begin a frame and carry its size."""

ZEROS = 64
"""Bytes of a lost sector at least. Where no code of only noughts ends a block, they would be blocks full of the finest
noise: 1345 rendered stills and photographs, some encoded anew at qualities 10 to 100, have at most 5 such in a row."""


def _jpeg(data: bytes) -> Size:
    size, at, scans, restarts, progressive, flat = None, 2, 0, 0, False, True
    while True:
        if data[at] != 0xFF:
            if scans:
                raise Unsound("damaged")
            at = data.find(b"\xff", at)  # some cameras pad
            if at < 0:
                raise Unsound("damaged")
            continue
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker == 0xD9:
            break
        (length,) = struct.unpack_from(">H", data, at + 2)
        body = data[at + 4 : at + 2 + length]
        if marker in SIZES:
            height, width = struct.unpack_from(">HH", body, 1)
            size = (width, height)
            progressive = marker not in (0xC0, 0xC1)
        elif marker == 0xDD:
            (restarts,) = struct.unpack(">H", body)
        elif marker == 0xC4:
            flat = flat and _ends_with_zeros(body)
        at += 2 + length
        if marker == 0xDA:
            scans += 1
            at = _scan(data, at, restarts, flat or progressive)
    if size is None or not scans:
        raise Unsound("damaged")
    return size


def _scan(data: bytes, at: int, restarts: int, zeros_may: bool) -> int:
    """Where the scan's coded data end: at the next marker. Within them only restarts may come, and in turn."""
    for turn, found in enumerate(re.compile(rb"\xff[\x01-\xfe]").finditer(data, at)):
        marker = data[found.start() + 1]
        if not 0xD0 <= marker <= 0xD7:
            break
        if not restarts or marker != 0xD0 + turn % 8:
            raise Unsound("damaged")
    else:
        raise Unsound("torn: its end is missing")
    if not (marker == 0xD9 or marker in (0xC4, 0xDA, 0xDB, 0xDC, 0xDD, 0xFE) or 0xE0 <= marker <= 0xEF):
        raise Unsound("damaged")
    if not zeros_may and data.find(bytes(ZEROS), at, found.start()) >= 0:
        raise Unsound("damaged")
    return found.start()


def _ends_with_zeros(tables: bytes) -> bool:
    """Is 'the rest of the block is empty' coded by noughts alone in each of these Huffman tables?"""
    at = 0
    while at < len(tables):
        if tables[at] >> 4 and tables[at + 17]:
            return False
        at += 17 + sum(tables[at + 1 : at + 17])
    return True


def _png(data: bytes) -> Size:
    width, height = struct.unpack_from(">II", data, 16)
    at, kind = 8, b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", data, at)
        (check,) = struct.unpack_from(">I", data, at + 8 + length)
        if check != zlib.crc32(memoryview(data)[at + 4 : at + 8 + length]):
            raise Unsound("damaged")
        at += 12 + length
    return width, height


def _bmp(data: bytes) -> Size:
    width, height = struct.unpack_from("<ii", data, 18)
    return width, abs(height)


def _webp(data: bytes) -> Size:
    kind, (length,) = data[12:16], struct.unpack_from("<I", data, 4)
    if len(data) < length + 8:
        raise Unsound("torn: its end is missing")
    if kind == b"VP8X":
        low = struct.unpack_from("<HBHB", data, 24)
        return low[0] + (low[1] << 16) + 1, low[2] + (low[3] << 16) + 1
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def _tiff(data: bytes) -> Size:
    order = "<" if data[0] == 0x49 else ">"
    (at,) = struct.unpack_from(order + "I", data, 4)
    (entries,) = struct.unpack_from(order + "H", data, at)
    told = {}
    for i in range(entries):
        tag, kind = struct.unpack_from(order + "HH", data, at + 2 + 12 * i)
        (told[tag],) = struct.unpack_from(order + ("H" if kind == 3 else "I"), data, at + 10 + 12 * i)
    try:
        return told[256], told[257]
    except KeyError:
        raise Unsound("damaged") from None


_FORMATS: dict[bytes, Callable[[bytes], Size]] = {
    b"\xff\xd8": _jpeg,
    b"\x89PNG\r\n\x1a\n": _png,
    b"BM": _bmp,
    b"RIFF": _webp,
    b"II*\0": _tiff,
    b"MM\0*": _tiff,
}

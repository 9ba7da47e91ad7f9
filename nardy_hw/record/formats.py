"""Which formats a match can be written in, and read from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nardy_hw.errors import InputError
from nardy_hw.record.ids_list import to_ids
from nardy_hw.record.jsonl import read_jsonl, to_jsonl
from nardy_hw.record.mat import to_mat, to_snowie
from nardy_hw.record.mat_reader import read_mat
from nardy_hw.record.ogxm import MAGIC, read_ogxm, to_ogxm
from nardy_hw.record.sgf import to_sgf
from nardy_hw.record.sgf_reader import read_sgf
from nardy_hw.record.store import MatchRecord
from nardy_hw.record.text import FIRST, to_text
from nardy_hw.record.text_reader import read_text
from nardy_hw.record.transcript import Told

WRITERS: dict[str, Callable[[MatchRecord], str | bytes]] = {
    "mat": to_mat,
    "sgf": to_sgf,
    "snowie": to_snowie,
    "jsonl": to_jsonl,
    "text": to_text,
    "ogxm": to_ogxm,
    "ids": to_ids,
}

MOST_BYTES = 50_000_000
"""Of a file that is read: the longest match of ours is under one million."""


def read_match(path: Path) -> Told:
    """The match of a file of any format. Raises InputError with the file, the line and the reason."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"it is {path.stat().st_size:,} bytes long: no match file is")
        data = path.read_bytes()
        if data.startswith(MAGIC):
            return read_ogxm(data)
        text = data.decode("utf-8-sig")
        return _reader(text)(text)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a match file: byte {error.start} is not UTF-8 text") from None
    except InputError as error:
        raise InputError(f"{path}, {error}") from None


def _reader(text: str) -> Callable[[str], Told]:
    """By how it begins."""
    begin = text.lstrip()
    if begin.startswith("{"):
        return read_jsonl
    if begin.startswith("("):
        return read_sgf
    return read_text if begin.startswith(FIRST) else read_mat

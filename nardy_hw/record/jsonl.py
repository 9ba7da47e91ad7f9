"""JSON Lines: a header line with the match, then every event as it was said. Loses nothing. jsonl.md is the schema."""

from __future__ import annotations

from typing import Any

import msgspec

from nardy_hw.errors import InputError, NardyError
from nardy_hw.record.store import MatchInfo, MatchRecord
from nardy_hw.record.transcript import Told
from nardy_hw.referee.events import AnyEvent, decode, encode

NAME, VERSION = "nardy-hw", 1


def to_jsonl(record: MatchRecord) -> str:
    """The match as text, one object a line."""
    header = msgspec.json.encode({"format": NAME, "version": VERSION, **msgspec.to_builtins(record.info)}).decode()
    return "\n".join([header, *(encode(event).decode() for event in record.events)]) + "\n"


def read_jsonl(text: str) -> Told:
    """The match of a file, its events as they were said. Raises InputError, naming the line."""
    info: MatchInfo | None = None
    events: list[AnyEvent] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            if info is None:
                info = _info(msgspec.json.decode(line))
            else:
                events.append(decode(line))
        except (msgspec.DecodeError, NardyError) as error:
            raise InputError(f"line {number}: {error}") from None
    if info is None:
        raise InputError("line 1: an empty file")
    return Told(info, tuple(events))


def _info(header: Any) -> MatchInfo:
    if not isinstance(header, dict) or header.get("format") != NAME:
        raise InputError(f'the first line is a header with "format": "{NAME}"')
    if header.get("version") != VERSION:
        raise InputError(f"version {header.get('version')!r}: this program reads version {VERSION}: update it")
    return msgspec.convert({k: v for k, v in header.items() if k not in ("format", "version")}, MatchInfo)

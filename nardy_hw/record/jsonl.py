"""JSON Lines: a header line with the match, then every event as it was said. Loses nothing."""

from __future__ import annotations

import msgspec

from nardy_hw.record.store import MatchRecord
from nardy_hw.referee.events import encode

FORMAT = {"format": "nardy-hw", "version": 1}


def to_jsonl(record: MatchRecord) -> str:
    """The match as text, one object a line."""
    header = msgspec.json.encode({**FORMAT, **msgspec.to_builtins(record.info)}).decode()
    return "\n".join([header, *(encode(event).decode() for event in record.events)]) + "\n"

"""The tables of the record, version by version, and the hash chain that ties a match's events together.

Each event's hash is that of the one before and its own text; the first one's that of the match's number and info. The
match's row holds the last hash and the number of events, so that an event that was changed, or is missing anywhere,
shows. Whoever can write the file can make a new chain: the last hash on a printed match sheet then tells.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import msgspec

APPLICATION = int.from_bytes(b"nrdy")
"""Marks the file as ours: PRAGMA application_id."""

HASH_BYTES = 16


def first_hash(match_id: int, info: str) -> bytes:
    """Before any event. info: as stored."""
    return blake2b(f"nardy-hw match {match_id}\n{info}".encode(), digest_size=HASH_BYTES).digest()


def next_hash(last: bytes, event: str) -> bytes:
    """event: as stored."""
    return blake2b(last + event.encode(), digest_size=HASH_BYTES).digest()


def searched(info: dict[str, Any]) -> tuple[str, str]:
    """What searches look in, of the match's info as plain values: the players; event and place. Without case."""
    pairs = ("white", "black"), ("event", "place")
    players, occasion = ("\n".join(str(info.get(key, "")) for key in pair).casefold() for pair in pairs)
    return players, occasion


def _version_1(db: sqlite3.Connection) -> None:
    for statement in (
        "CREATE TABLE matches (id INTEGER PRIMARY KEY AUTOINCREMENT, info TEXT NOT NULL)",
        "CREATE TABLE events (match_id INTEGER NOT NULL REFERENCES matches (id), seq INTEGER NOT NULL, "
        "event TEXT NOT NULL, PRIMARY KEY (match_id, seq)) WITHOUT ROWID",
        "CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END",
        "CREATE TRIGGER events_last BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never removed'); END",
    ):
        db.execute(statement)


def _version_2(db: sqlite3.Connection) -> None:
    """The hash chain; columns to list and to search by. points: White's and Black's so far."""
    for statement in (
        "DROP TRIGGER events_stay",
        "ALTER TABLE events ADD COLUMN hash BLOB NOT NULL DEFAULT x''",
        *(
            f"ALTER TABLE matches ADD COLUMN {column}"
            for column in (
                "events INTEGER NOT NULL DEFAULT 0",
                "hash BLOB NOT NULL DEFAULT x''",
                "started TEXT NOT NULL DEFAULT ''",
                "players TEXT NOT NULL DEFAULT ''",
                "occasion TEXT NOT NULL DEFAULT ''",
                "white_points INTEGER NOT NULL DEFAULT 0",
                "black_points INTEGER NOT NULL DEFAULT 0",
                "over INTEGER NOT NULL DEFAULT 0",
            )
        ),
    ):
        db.execute(statement)
    for match_id, info in db.execute("SELECT id, info FROM matches").fetchall():
        told = msgspec.json.decode(info)
        last, count, points, over = first_hash(match_id, info), 0, [0, 0], False
        for count, event in db.execute("SELECT seq, event FROM events WHERE match_id = ? ORDER BY seq", (match_id,)):
            last = next_hash(last, event)
            db.execute("UPDATE events SET hash = ? WHERE match_id = ? AND seq = ?", (last, match_id, count))
            fields = msgspec.json.decode(event)
            points = fields["score"] if fields["type"] == "score" else points
            over = over or fields["type"] == "match_over"
        db.execute(
            "UPDATE matches SET events = ?, hash = ?, started = ?, players = ?, occasion = ?, "
            "white_points = ?, black_points = ?, over = ? WHERE id = ?",
            (count, last, told["started"], *searched(told), *points, over, match_id),
        )
    for statement in (
        "CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END",
        "CREATE TRIGGER matches_stay BEFORE UPDATE OF id, info, started, players, occasion ON matches "
        "BEGIN SELECT RAISE(ABORT, 'what a match began with is never changed'); END",
        "CREATE TRIGGER matches_last BEFORE DELETE ON matches "
        "BEGIN SELECT RAISE(ABORT, 'matches are never removed'); END",
    ):
        db.execute(statement)


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_version_1, _version_2)
"""From each version to the next; PRAGMA user_version counts them."""

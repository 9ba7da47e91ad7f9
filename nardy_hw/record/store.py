"""The record: one SQLite file of matches and their events, append-only, durable when `append` returns."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import msgspec

from nardy_hw.errors import StoreError
from nardy_hw.referee.events import AnyEvent, Event, decode, encode
from nardy_hw.rules.position import Variant

FILE = "matches.db"
WhiteHome = Literal["near-right", "near-left", "far-right", "far-left"]

MIGRATIONS = (
    """
    CREATE TABLE matches (id INTEGER PRIMARY KEY AUTOINCREMENT, info TEXT NOT NULL);
    CREATE TABLE events (
        match_id INTEGER NOT NULL REFERENCES matches (id),
        seq INTEGER NOT NULL,
        event TEXT NOT NULL,
        PRIMARY KEY (match_id, seq)
    ) WITHOUT ROWID;
    CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
    CREATE TRIGGER events_last BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never removed'); END;
    """,
)
"""From each schema version to the next; PRAGMA user_version counts them."""


class MatchInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What is known before the first throw. length: points of the match, 0 = single games. started: UTC, ISO 8601."""

    variant: Variant
    white: str = "White"
    black: str = "Black"
    length: int = 0
    started: str = msgspec.field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    white_home: WhiteHome = "near-right"
    event: str = ""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """One match: its number in the store, and all that was said, in order."""

    id: int
    info: MatchInfo
    events: tuple[AnyEvent, ...]


def default_path() -> Path:
    """$XDG_STATE_HOME/nardy-hw/matches.db, or the same under ~/.local/state."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "nardy-hw" / FILE


class Store:
    """The open record. Use as a context manager; `close()` twice is fine. Every method raises StoreError."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._db: sqlite3.Connection | None = connection
        self._path = path

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        """Opens the file, or makes it with its folder."""
        path = path or default_path()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(path, isolation_level=None, timeout=5)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"cannot open the record {path}: {_why(error)}") from None
        store = cls(connection, path)
        try:
            store._prepare(connection)
        except BaseException:
            store.close()
            raise
        return store

    def _prepare(self, db: sqlite3.Connection) -> None:
        try:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if version == 0 and tables:
                raise StoreError(f"{self._path} is a database of another program")
            if version > len(MIGRATIONS):
                raise StoreError(f"{self._path} was written by a newer nardy-hw (version {version}): update this one")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")  # what has been announced survives a pulled plug
            for number, script in enumerate(MIGRATIONS[version:], version + 1):
                db.executescript(f"BEGIN; {script} PRAGMA user_version = {number}; COMMIT;")
        except sqlite3.Error as error:
            raise StoreError(f"cannot use the record {self._path}: {_why(error)}") from None

    def begin(self, info: MatchInfo) -> int:
        """A new match's number; they count from 1."""
        cursor = self._do("INSERT INTO matches (info) VALUES (?)", (msgspec.json.encode(info).decode(),))
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def append(self, match_id: int, event: Event) -> int:
        """The event's sequence number, once it is safely on disk."""
        cursor = self._do(
            "INSERT INTO events SELECT ?, COALESCE(MAX(seq), 0) + 1, ? FROM events WHERE match_id = ? RETURNING seq",
            (match_id, encode(event).decode(), match_id),
        )
        return int(cursor.fetchall()[0][0])

    def matches(self) -> list[tuple[int, MatchInfo, int]]:
        """(number, info, how many events) of every match, the oldest first."""
        rows = self._do(
            "SELECT id, info, (SELECT COUNT(*) FROM events WHERE match_id = id) FROM matches ORDER BY id", ()
        ).fetchall()
        return [(number, self._info(number, info), count) for number, info, count in rows]

    def match(self, match_id: int) -> MatchRecord:
        """One match whole."""
        row = self._do("SELECT info FROM matches WHERE id = ?", (match_id,)).fetchone()
        if row is None:
            raise StoreError(f"there is no match {match_id} in {self._path}: see nardy-hw matches list")
        rows = self._do("SELECT seq, event FROM events WHERE match_id = ? ORDER BY seq", (match_id,)).fetchall()
        events = []
        for expected, (seq, text) in enumerate(rows, 1):
            try:
                if seq != expected:
                    raise ValueError("missing")
                events.append(decode(text))
            except ValueError as error:
                raise StoreError(f"event {expected} of match {match_id} in {self._path} is damaged: {error}") from None
        return MatchRecord(match_id, self._info(match_id, row[0]), tuple(events))

    def _info(self, number: int, text: str) -> MatchInfo:
        try:
            return msgspec.json.decode(text, type=MatchInfo)
        except msgspec.DecodeError as error:
            raise StoreError(f"match {number} in {self._path} is damaged: {error}") from None

    def _do(self, statement: str, values: tuple[object, ...]) -> sqlite3.Cursor:
        if self._db is None:
            raise StoreError(f"the record {self._path} is closed")
        try:
            return self._db.execute(statement, values)
        except sqlite3.Error as error:
            raise StoreError(f"cannot use the record {self._path}: {_why(error)}") from None

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _why(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)

"""The record: one SQLite file of matches and their events, append-only, durable when `append` returns."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

import msgspec

from nardy_hw.errors import InputError, StoreError
from nardy_hw.referee.events import AnyEvent, Event, decode, encode
from nardy_hw.rules.position import Variant

FILE = "matches.db"
APPLICATION = int.from_bytes(b"nrdy")
"""Marks the file as ours: PRAGMA application_id."""
WhiteHome = Literal["near-right", "near-left", "far-right", "far-left"]

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE matches (id INTEGER PRIMARY KEY AUTOINCREMENT, info TEXT NOT NULL)",
        "CREATE TABLE events (match_id INTEGER NOT NULL REFERENCES matches (id), seq INTEGER NOT NULL, "
        "event TEXT NOT NULL, PRIMARY KEY (match_id, seq)) WITHOUT ROWID",
        "CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END",
        "CREATE TRIGGER events_last BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never removed'); END",
    ),
)
"""Statements from each schema version to the next; PRAGMA user_version counts them."""


class MatchInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What is known before the first throw.

    length: points of the match, 0 = single games. started: UTC, ISO 8601. event, place: as the players call them.
    profile: the settings that the table has agreed on (referee.profile); empty: the rulebook's. chouette: its players,
    the box and the captain first, where one is played.
    Raises InputError for text that cannot be kept, a negative length, or a time that is none.
    """

    variant: Variant
    white: str = "White"
    black: str = "Black"
    length: int = 0
    started: str = msgspec.field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    white_home: WhiteHome = "near-right"
    event: str = ""
    place: str = ""
    profile: dict[str, Any] = {}
    chouette: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for text in (self.white, self.black, self.event, self.place):
            try:
                text.encode()
            except UnicodeEncodeError:  # bytes of the command line that are no text
                raise InputError(f"{text!a} is not UTF-8: write it in UTF-8") from None
        if self.length < 0:
            raise InputError(f"a match is to 1 point or more, or 0 for single games, not {self.length}")
        try:
            datetime.fromisoformat(self.started)
        except ValueError:
            raise InputError(f"{self.started!r} is no time: write 2026-05-31T18:00:00+00:00") from None


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
            store = cls(sqlite3.connect(path, isolation_level=None, timeout=5), path)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"cannot open the record {path}: {_why(error)}") from None
        try:
            store._prepare()
        except BaseException:
            store.close()
            raise
        return store

    def _prepare(self) -> None:
        """Brings the file to the newest schema, one version at a time."""
        if self._do("SELECT 1 FROM sqlite_master LIMIT 1") and self._number("application_id") != APPLICATION:
            raise StoreError(f"{self._path} is a database of another program: name another file for the record")
        self._do("PRAGMA journal_mode = WAL")
        self._do("PRAGMA synchronous = FULL")  # what has been announced survives a pulled plug
        if self._number("user_version") != len(MIGRATIONS):
            self._migrate()

    def _migrate(self) -> None:
        self._do("BEGIN IMMEDIATE")  # whoever opens it at the same time waits, then finds it done
        version = self._number("user_version")
        if version > len(MIGRATIONS):
            raise StoreError(f"{self._path} was written by a newer nardy-hw (version {version}): update this one")
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                self._do(statement)
        self._do(f"PRAGMA user_version = {len(MIGRATIONS)}")
        self._do(f"PRAGMA application_id = {APPLICATION}")
        self._do("COMMIT")

    def begin(self, info: MatchInfo) -> int:
        """A new match's number; they count from 1."""
        text = msgspec.json.encode(info).decode()
        return int(self._do("INSERT INTO matches (info) VALUES (?) RETURNING id", (text,))[0][0])

    def add(self, info: MatchInfo, events: Sequence[Event]) -> int:
        """A match whole, as of a file: its number, once all of it is on disk."""
        self._do("BEGIN IMMEDIATE")
        try:
            number = self.begin(info)
            for event in events:
                self.append(number, event)
        except BaseException:
            self._do("ROLLBACK")
            raise
        self._do("COMMIT")
        return number

    def extend(self, match_id: int, events: Sequence[Event]) -> None:
        """Appends events that follow from one another: all of them are on disk when this returns, or none is."""
        if not events:
            return
        self._do("BEGIN IMMEDIATE")
        try:
            for event in events:
                self.append(match_id, event)
        except BaseException:
            self._do("ROLLBACK")
            raise
        self._do("COMMIT")

    def append(self, match_id: int, event: Event) -> int:
        """The event's sequence number, from 1, once it is safely on disk. InputError when there is no such match."""
        rows = self._do(
            "INSERT INTO events SELECT id, (SELECT COALESCE(MAX(seq), 0) + 1 FROM events WHERE match_id = id), ? "
            "FROM matches WHERE id = ? RETURNING seq",
            (encode(event).decode(), self._wanted(match_id)),
        )
        if not rows:
            raise self._unknown(match_id)
        return int(rows[0][0])

    def matches(self) -> list[tuple[int, MatchInfo, int]]:
        """(number, info, how many events) of every match, the oldest first."""
        rows = self._do("SELECT id, info, (SELECT COUNT(*) FROM events WHERE match_id = id) FROM matches ORDER BY id")
        return [(number, self._info(number, info), count) for number, info, count in rows]

    def match(self, match_id: int) -> MatchRecord:
        """One match whole. InputError when there is none of that number."""
        infos = self._do("SELECT info FROM matches WHERE id = ?", (self._wanted(match_id),))
        if not infos:
            raise self._unknown(match_id)
        events = []
        rows = self._do("SELECT seq, event FROM events WHERE match_id = ? ORDER BY seq", (match_id,))
        for expected, (seq, text) in enumerate(rows, 1):
            try:
                if seq != expected:
                    raise ValueError("it is missing")
                events.append(decode(text))
            except ValueError as error:
                raise StoreError(f"event {expected} of match {match_id} in {self._path} is damaged: {error}") from None
        return MatchRecord(match_id, self._info(match_id, infos[0][0]), tuple(events))

    def _wanted(self, match_id: int) -> int:
        if not 0 < match_id < 1 << 63:  # what SQLite can hold
            raise self._unknown(match_id)
        return match_id

    def _unknown(self, match_id: int) -> InputError:
        return InputError(f"there is no match {match_id} in {self._path}: see nardy-hw matches list")

    def _info(self, number: int, text: str) -> MatchInfo:
        try:
            return msgspec.json.decode(text, type=MatchInfo)
        except msgspec.DecodeError as error:
            raise StoreError(f"match {number} in {self._path} is damaged: {error}") from None

    def _number(self, pragma: str) -> int:
        return int(self._do(f"PRAGMA {pragma}")[0][0])

    def _do(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """The rows. A change is on disk when this returns: SQLite commits it as the last row is fetched."""
        if self._db is None:
            raise StoreError(f"the record {self._path} is closed")
        try:
            return self._db.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"cannot use the record {self._path}: {_why(error)}") from None

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _why(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)

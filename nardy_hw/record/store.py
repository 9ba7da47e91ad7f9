"""The record: one SQLite file of matches and their events, append-only, durable when `append` returns."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import msgspec

from nardy_hw.errors import InputError, RecordDamaged, StoreError
from nardy_hw.record.schema import APPLICATION, MIGRATIONS, first_hash, next_hash, searched
from nardy_hw.referee.events import AnyEvent, Event, MatchOver, Scored, decode, encode
from nardy_hw.rules.position import Variant

FILE = "matches.db"
WhiteHome = Literal["near-right", "near-left", "far-right", "far-left"]

DAMAGED = sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB
AFTER_ANY = "\U0010ffff"
"""Sorts after what any time goes on with."""
BACKUP_PAGES = 256
"""Copied at a time: 1 MB, some tens of milliseconds on a card, in which the referee's next event may wait."""


class MatchInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What is known before the first throw.

    length: points of the match, 0 = single games. started: UTC, ISO 8601. event, place: as the players call them.
    profile: the settings that the table has agreed on (referee.profile); empty: the rulebook's. chouette: its players,
    the box and the captain first, where one is played. board: which one it was played on, '' = not known.
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
    board: str = ""

    def __post_init__(self) -> None:
        for text in (self.white, self.black, self.event, self.place, self.board):
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


class Listed(NamedTuple):
    """A line of the list of matches. info: JSON of its MatchInfo. events: how many. points: so far. over: C9."""

    id: int
    info: str
    events: int
    white_points: int
    black_points: int
    over: int

    @property
    def about(self) -> MatchInfo:
        """Raises RecordDamaged."""
        return info_of(self.id, self.info)


def default_path() -> Path:
    """$XDG_STATE_HOME/nardy-hw/matches.db, or the same under ~/.local/state."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "nardy-hw" / FILE


class Store:
    """The open record. Use as a context manager; `close()` twice is fine. Every method raises StoreError, or
    RecordDamaged where the file itself is."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._db: sqlite3.Connection | None = connection
        self.path = path

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
            raise StoreError(f"{self.path} is a database of another program: name another file for the record")
        self._do("PRAGMA journal_mode = WAL")
        self._do("PRAGMA synchronous = FULL")  # what has been announced survives a pulled plug
        if self._number("user_version") != len(MIGRATIONS):
            self._migrate()

    def _migrate(self) -> None:
        with self._transaction() as db:  # whoever opens it at the same time waits, then finds it done
            version = self._number("user_version")
            if version > len(MIGRATIONS):
                raise StoreError(f"{self.path} was written by a newer nardy-hw (version {version}): update this one")
            for step in MIGRATIONS[version:]:
                step(db)
            self._do(f"PRAGMA user_version = {len(MIGRATIONS)}")
            self._do(f"PRAGMA application_id = {APPLICATION}")

    # -- writing

    def begin(self, info: MatchInfo) -> int:
        """A new match's number; they count from 1."""
        with self._transaction():
            return self._begin(info)

    def append(self, match_id: int, event: Event) -> int:
        """The event's sequence number, from 1, once it is safely on disk. InputError when there is no such match."""
        with self._transaction():
            return self._append(match_id, (event,))

    def extend(self, match_id: int, events: Sequence[Event]) -> None:
        """Appends events that follow from one another: all of them are on disk when this returns, or none is."""
        if events:
            with self._transaction():
                self._append(match_id, events)

    def add(self, info: MatchInfo, events: Sequence[Event], match_id: int | None = None) -> int:
        """A match whole, as of a file: its number, once all of it is on disk. match_id: a number that is free."""
        with self._transaction():
            number = self._begin(info, match_id)
            self._append(number, events)
            return number

    def _begin(self, info: MatchInfo, match_id: int | None = None) -> int:
        text = msgspec.json.encode(info).decode()
        number = int(
            self._do(
                "INSERT INTO matches (id, info, started, players, occasion) VALUES (?, ?, ?, ?, ?) RETURNING id",
                (match_id, text, info.started, *searched(msgspec.to_builtins(info))),
            )[0][0]
        )
        self._do("UPDATE matches SET hash = ? WHERE id = ?", (first_hash(number, text), number))
        return number

    def _append(self, match_id: int, events: Sequence[Event]) -> int:
        """The last one's sequence number."""
        rows = self._do(
            "SELECT events, hash, white_points, black_points, over FROM matches WHERE id = ?",
            (self._wanted(match_id),),
        )
        if not rows:
            raise self._unknown(match_id)
        count, last, *score, over = rows[0]
        for event in events:
            text = encode(event).decode()
            count, last = count + 1, next_hash(last, text)
            self._do("INSERT INTO events VALUES (?, ?, ?, ?)", (match_id, count, text, last))
            if isinstance(event, Scored):
                score = [*event.score]
            over = over or isinstance(event, MatchOver)
        self._do(
            "UPDATE matches SET events = ?, hash = ?, white_points = ?, black_points = ?, over = ? WHERE id = ?",
            (count, last, *score, over, match_id),
        )
        return int(count)

    # -- reading

    def matches(self, *, player: str = "", event: str = "", since: str = "", until: str = "") -> list[Listed]:
        """Every match, the oldest first. player, event: found in a player's name, in the event or the place, whatever
        the case. since, until: dates, both included: 2026, 2026-05 or 2026-05-31 (UTC)."""
        found = self._do(
            "SELECT id, info, events, white_points, black_points, over FROM matches "
            "WHERE instr(players, ?) AND instr(occasion, ?) AND started >= ? AND started < ? ORDER BY id",
            (player.casefold(), event.casefold(), since, until + AFTER_ANY),
        )
        return list(map(Listed._make, found))

    def match(self, match_id: int) -> MatchRecord:
        """One match whole. InputError when there is none of that number."""
        info, _, _ = self._row(match_id)
        events = []
        rows = self._do("SELECT seq, event FROM events WHERE match_id = ? ORDER BY seq", (match_id,))
        for expected, (seq, text) in enumerate(rows, 1):
            try:
                if seq != expected:
                    raise ValueError("it is missing")
                events.append(decode(text))
            except ValueError as error:
                raise RecordDamaged(
                    f"event {expected} of match {match_id} in {self.path} is damaged: {error}"
                ) from None
        return MatchRecord(match_id, info_of(match_id, info), tuple(events))

    def seal(self, match_id: int) -> str:
        """The last hash of the match's chain, as 32 hexadecimal digits: it changes with any event."""
        return bytes(self._row(match_id)[2]).hex()

    def fault(self, match_id: int) -> str:
        """What the hash chain says is wrong with a match; '' when nothing is."""
        info, count, head = self._row(match_id)
        last, expected = first_hash(match_id, info), 0
        rows = self._do("SELECT seq, event, hash FROM events WHERE match_id = ? ORDER BY seq", (match_id,))
        for expected, (seq, text, stored) in enumerate(rows, 1):
            last = next_hash(last, text)
            if seq != expected:
                return f"match {match_id}: event {expected} is missing"
            if last != stored:
                return f"match {match_id}: {'event 1 or the info' if seq == 1 else f'event {seq}'} was changed"
        if expected < count:
            return f"match {match_id}: events {expected + 1} to {count} are missing"
        return "" if last == head else f"match {match_id}: the chain does not end as it should: it was changed"

    def damage(self) -> str:
        """What SQLite finds wrong with the file itself; '' when nothing is."""
        try:
            told = [str(row[0]) for row in self._do("PRAGMA quick_check(1)")]
        except RecordDamaged as error:
            return str(error)
        return "" if told == ["ok"] else told[0].replace("\n", " ")

    def backup(self, path: Path, progress: Callable[[float], None] = lambda share: None) -> None:
        """A whole copy, made while others write; it takes its place when it is complete. Raises StoreError."""
        if self._db is None:
            raise StoreError(f"the record {self.path} is closed")
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            if path.exists() and (not path.is_file() or path.samefile(self.path)):
                raise StoreError(f"cannot back up to {path}: it is {'the record' if path.is_file() else 'no file'}")
            copy = sqlite3.connect(part)
            try:
                self._db.backup(
                    copy, pages=BACKUP_PAGES, progress=lambda _, left, all_: progress(1 - left / max(all_, 1))
                )
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, which can be copied on
            finally:
                copy.close()
            part.replace(path)
        except (OSError, sqlite3.Error) as error:
            with suppress(OSError):
                part.unlink()
            if isinstance(error, StoreError):
                raise
            raise StoreError(f"cannot back up to {path}: {_why(error)}") from None

    # -- parts

    def _row(self, match_id: int) -> tuple[str, int, bytes]:
        rows = self._do("SELECT info, events, hash FROM matches WHERE id = ?", (self._wanted(match_id),))
        if not rows:
            raise self._unknown(match_id)
        info, count, head = rows[0]
        return str(info), int(count), bytes(head)

    def _wanted(self, match_id: int) -> int:
        if not 0 < match_id < 1 << 63:  # what SQLite can hold
            raise self._unknown(match_id)
        return match_id

    def _unknown(self, match_id: int) -> InputError:
        return InputError(f"there is no match {match_id} in {self.path}: see nardy-hw matches list")

    def _number(self, pragma: str) -> int:
        return int(self._do(f"PRAGMA {pragma}")[0][0])

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All of what is done in it is on disk at its end, or none is."""
        self._do("BEGIN IMMEDIATE")
        assert self._db is not None
        try:
            yield self._db
            self._do("COMMIT")
        except BaseException as error:
            if self._db is not None and self._db.in_transaction:  # a full disk rolls back by itself
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise self._failed(error) from None
            raise

    def _do(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """The rows."""
        if self._db is None:
            raise StoreError(f"the record {self.path} is closed")
        try:
            return self._db.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise self._failed(error) from None

    def _failed(self, error: sqlite3.Error) -> StoreError:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED:
            return RecordDamaged(
                f"the record {self.path} is damaged: {error}; nardy-hw matches verify --recover saves what is whole"
            )
        return StoreError(f"cannot use the record {self.path}: {_why(error)}")

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def info_of(number: int, text: str) -> MatchInfo:
    """A stored MatchInfo. Raises RecordDamaged."""
    try:
        return msgspec.json.decode(text, type=MatchInfo)
    except msgspec.DecodeError as error:
        raise RecordDamaged(f"match {number} is damaged: {error}") from None


def _why(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)

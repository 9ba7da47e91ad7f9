"""The record at the start of a day: was it closed as it should be, is it whole, and if not, what of it can be saved."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

import msgspec

from nardy_hw.errors import RecordDamaged, StoreError
from nardy_hw.record.schema import first_hash, next_hash
from nardy_hw.record.store import MatchInfo, Store, default_path
from nardy_hw.referee.events import AnyEvent, decode

LOG, INDEX = "-wal", "-shm"
CHAINED = 2
"""The first schema version with hashes."""


def open_checked(path: Path | None = None, say: Callable[[str], None] = print) -> Store:
    """The store, looked through; what was wrong, and what was done about it, is said in plain lines.

    A damaged file is put aside under another name, and all that is whole in it taken over into a new one. Raises
    StoreError where even that fails.
    """
    path = path or default_path()
    unclean = _size(Path(f"{path}{LOG}")) > 0
    try:
        store = Store.open(path)
        damage = store.damage()
    except RecordDamaged as error:
        damage = str(error)
    else:
        if damage:
            store.close()
    if damage:
        aside = put_aside(path)
        say(f"the record {path} is damaged and was put aside as {aside.name}: {damage[:200]}")
        store = Store.open(path)
        for line in take_over(aside, store):
            say(line)
        return store
    listed = store.matches()
    newest = listed[-1] if listed else None
    if newest and unclean:
        say(f"the record was not closed last time: match {newest.id} has {newest.events} events, all whole")
    if newest and (fault := store.fault(newest.id)):
        say(f"{fault}: nardy-hw matches verify tells more")
    return store


def put_aside(path: Path) -> Path:
    """The new name of the file; its log goes with it."""
    aside = path.with_name(f"{path.name}.damaged-{datetime.now():%Y%m%d-%H%M%S}")
    try:
        path.rename(aside)
        if Path(f"{path}{LOG}").exists():
            Path(f"{path}{LOG}").rename(f"{aside}{LOG}")
        Path(f"{path}{INDEX}").unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"cannot put {path} aside: {error.strerror}") from None
    return aside


def take_over(damaged: Path, store: Store) -> Iterator[str]:
    """Every match of the damaged file, each as far as its events are whole, under its own number; tells of each that
    is not complete."""
    saved = 0
    with closing(sqlite3.connect(f"file:{quote(str(damaged))}?mode=rw", uri=True)) as db:
        db.execute("PRAGMA writable_schema = ON")  # else SQLite reads nothing of a file that was cut short
        for number in _numbers(db):
            with suppress(sqlite3.Error, ValueError, TypeError):
                info, events, wanted = _whole(db, number)
                store.add(info, events, number)
                saved += 1
                if len(events) < wanted:
                    yield f"match {number}: {len(events)} of {wanted} events are saved"
                continue
            yield f"match {number} is lost"
    yield f"{saved} match{'es' * (saved != 1)} saved from {damaged.name}"


def _numbers(db: sqlite3.Connection) -> range:
    """Of the matches that there were."""
    for query in ("SELECT seq FROM sqlite_sequence WHERE name = 'matches'", "SELECT MAX(id) FROM matches"):
        with suppress(sqlite3.Error, IndexError, TypeError, ValueError):
            return range(1, int(db.execute(query).fetchall()[0][0]) + 1)
    return range(0)


def _whole(db: sqlite3.Connection, number: int) -> tuple[MatchInfo, list[AnyEvent], int]:
    """The info, the events up to the first that is missing or changed, and how many there were."""
    chained = db.execute("PRAGMA user_version").fetchall()[0][0] >= CHAINED
    columns = "info, events" if chained else "info, 0"
    text, wanted = db.execute(f"SELECT {columns} FROM matches WHERE id = ?", (number,)).fetchall()[0]
    info = msgspec.json.decode(text, type=MatchInfo)
    last = first_hash(number, text)
    events: list[AnyEvent] = []
    with suppress(sqlite3.Error, ValueError, TypeError, IndexError):
        while True:
            event, stored = db.execute(
                f"SELECT event, {'hash' if chained else 'NULL'} FROM events WHERE match_id = ? AND seq = ?",
                (number, len(events) + 1),
            ).fetchall()[0]
            last = next_hash(last, event)
            if chained and last != stored:
                break
            events.append(decode(event))
    return info, events, wanted


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0

"""The store: what has been appended stays, in order, whatever happens; what is not ours is refused in one line."""

import signal
import sqlite3
import subprocess
import sys

import pytest

from nardy_hw.errors import InputError, NardyError, StoreError
from nardy_hw.record import store as store_module
from nardy_hw.record.store import MatchInfo, Store
from nardy_hw.referee import events as e
from nardy_hw.rules.position import Player, Position, Variant

START = Position.start(Variant.SHORT)
WHITE, BLACK = Player
LONG = MatchInfo(variant=Variant.LONG, white="Анна", black="Ben", length=5, white_home="far-left", event="Cup")
FAULT = {
    "player": WHITE,
    "dice": (3, 1),
    "code": "wrong_distance",
    "rule": "S6",
    "text": "8/3",
    "repair": "3 back to 8",
}
EVENTS = (
    e.Started(t=0, frame=0, position=START),
    e.NoRoll(t=1, frame=2, player=WHITE, code="dice_cocked", rule="R2"),
    e.Roll(t=2.25, frame=3, player=WHITE, dice=(3, 1), source="electronic"),
    e.WarningGiven(t=3, frame=4, position=START, **FAULT),
    e.ViolationSeen(t=3, frame=5, position=START, **FAULT),
    e.Stands(t=4, frame=6, player=WHITE, dice=(3, 1), position=START),
    e.Lost(t=5, frame=7, why="the board moved"),
    e.Found(t=6, frame=8),
    e.Unsure(t=6, frame=9, why="a hand lies on point 4"),
    e.PlayMade(t=7, frame=10, player=BLACK, dice=(6, 6), text="no play", position=START, confidence=0.5),
    e.GameOver(t=8, frame=11, winner=BLACK, points=3),
)

WRITER = """
import itertools, sys
from pathlib import Path
from nardy_hw.record.store import MatchInfo, Store
from nardy_hw.referee.events import Lost
store = Store.open(Path(sys.argv[1]))
number = store.begin(MatchInfo(variant="short"))
for i in itertools.count(1):
    print(store.append(number, Lost(t=i, frame=i, why="x" * 200)), flush=True)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "matches.db"


def test_comes_back_as_it_was(path):
    with Store.open(path) as store:
        assert store.matches() == []
        short = MatchInfo(variant=Variant.SHORT)
        assert [store.begin(LONG), store.begin(short)] == [1, 2]
        assert [store.append(1, event) for event in EVENTS] == list(range(1, 12))
        assert store.append(2, EVENTS[0]) == 1
    with Store.open(path) as store:
        listed = store.matches()
        assert [(m.id, m.about, m.events) for m in listed] == [(1, LONG, 11), (2, short, 1)]
        kept = store.match(1)
        assert (kept.id, kept.info, kept.events) == (1, LONG, EVENTS)
        assert store.append(1, EVENTS[0]) == 12


def test_default_place(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    Store.open().close()
    assert (tmp_path / "nardy-hw" / "matches.db").is_file()
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    Store.open().close()
    assert (tmp_path / ".local" / "state" / "nardy-hw" / "matches.db").is_file()


@pytest.mark.parametrize("statement", ["UPDATE events SET event = '{}'", "DELETE FROM events"])
def test_only_ever_appended(path, statement):
    with Store.open(path) as store:
        store.append(store.begin(LONG), EVENTS[0])
    db = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="events are never"):
        db.execute(statement)
    db.close()
    with Store.open(path) as store:
        assert store.match(1).events == EVENTS[:1]


def test_killed_while_writing(path):
    """Every number that was given out is there after SIGKILL."""
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        lines = [writer.stdout.readline() for _ in range(100)]
        writer.send_signal(signal.SIGKILL)
        said = [int(line) for line in lines + writer.stdout.readlines() if line.endswith("\n")]
    assert said == list(range(1, len(said) + 1))
    with Store.open(path) as store:
        kept = store.match(1).events
    assert len(kept) - len(said) in (0, 1)  # one may have been stored, and its number not yet said
    assert [event.frame for event in kept] == list(range(1, len(kept) + 1))


def test_full_disk(path):
    """The event that found no room is refused, none before it is lost, and the record goes on when there is room."""
    with Store.open(path) as store:
        number = store.begin(LONG)
        pages = store._do("PRAGMA page_count")[0][0]
        store._do(f"PRAGMA max_page_count = {pages + 4}")
        said = 0
        with pytest.raises(StoreError, match="full"):
            for frame in range(1000):
                said = store.append(number, e.Lost(t=0, frame=frame, why="x" * 500))
        assert said > 4
        assert len(store.match(number).events) == said
        store._do("PRAGMA max_page_count = 100000")
        assert store.append(number, EVENTS[0]) == said + 1
    with Store.open(path) as store:
        assert len(store.match(number).events) == said + 1


def refused(kind, what, *args):
    with pytest.raises(kind) as error:
        what(*args)
    assert isinstance(error.value, NardyError)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_foreign_files(tmp_path):
    text = tmp_path / "notes.db"
    text.write_text("Dear diary, " * 100)
    assert "not a database" in refused(StoreError, Store.open, text)
    foreign = tmp_path / "photos.db"
    db = sqlite3.connect(foreign)
    db.execute("CREATE TABLE photos (id INTEGER)")
    db.execute("PRAGMA user_version = 1")
    db.commit()
    db.close()
    before = foreign.read_bytes()
    assert "another program" in refused(StoreError, Store.open, foreign)
    assert foreign.read_bytes() == before


def test_newer_version(path, monkeypatch):
    Store.open(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    assert "version 99" in refused(StoreError, Store.open, path)


def test_next_version_keeps_what_is_there(path, monkeypatch):
    with Store.open(path) as store:
        store.append(store.begin(LONG), EVENTS[0])
    newest = len(store_module.MIGRATIONS)
    later = lambda db: db.execute("CREATE TABLE later (x)")  # noqa: E731
    monkeypatch.setattr(store_module, "MIGRATIONS", (*store_module.MIGRATIONS, later))
    with Store.open(path) as store:
        assert store._do("PRAGMA user_version") == [(newest + 1,)]
        assert store.match(1).events == EVENTS[:1]


def test_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").touch()
    assert str(tmp_path / "file") in refused(StoreError, Store.open, tmp_path / "file" / "matches.db")
    assert "cannot" in refused(StoreError, Store.open, tmp_path)


@pytest.mark.parametrize("number", [0, -1, 2, 1 << 64])
def test_unknown_match(path, number):
    with Store.open(path) as store:
        store.begin(LONG)
        assert f"no match {number} " in refused(InputError, store.match, number)
        assert f"no match {number} " in refused(InputError, store.append, number, EVENTS[0])
        assert [(m.id, m.about, m.events) for m in store.matches()] == [(1, LONG, 0)]


def test_closed(path):
    store = Store.open(path)
    store.close()
    store.close()
    assert "is closed" in refused(StoreError, store.matches)
    assert "is closed" in refused(StoreError, store.append, 1, EVENTS[0])


def test_damage_is_named(path):
    with Store.open(path) as store:
        store.append(store.begin(LONG), EVENTS[0])
        store._do("INSERT INTO events VALUES (1, 2, '{\"type\": \"roll\"}', x'')")
        assert "event 2 of match 1" in refused(StoreError, store.match, 1)

"""The hash chain: what was changed or is missing shows. Earlier schema versions, copies, and files that are damaged."""

import shutil
import sqlite3
import threading
from pathlib import Path

import pytest

from nardy_hw.errors import RecordDamaged, StoreError
from nardy_hw.record.recovery import open_checked
from nardy_hw.record.schema import MIGRATIONS
from nardy_hw.record.store import MatchInfo, Store
from nardy_hw.referee.events import Lost, MatchOver, Scored
from nardy_hw.rules.position import Player, Variant

STORES = Path(__file__).parents[1] / "data" / "stores"
INFO = MatchInfo(variant=Variant.SHORT, white="Ona", black="Žygimantas", event="Cup")


def lost(frame):
    return Lost(t=frame, frame=frame, why=f"number {frame}")


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "matches.db"
    with Store.open(path) as store:
        store.add(INFO, [lost(n) for n in range(1, 21)])
        store.add(INFO, [lost(n) for n in range(1, 4)])
    return path


def tamper(path, *statements):
    """As somebody would who knows SQLite."""
    db = sqlite3.connect(path)
    for trigger in ("events_stay", "events_last", "matches_stay", "matches_last"):
        db.execute(f"DROP TRIGGER {trigger}")
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


@pytest.mark.parametrize(
    "statement, fault",
    [
        ("UPDATE events SET event = replace(event, 'number 7', 'number 8') WHERE match_id = 1", "event 7 was changed"),
        ("UPDATE events SET event = event || ' ' WHERE match_id = 1 AND seq = 20", "event 20 was changed"),
        ("DELETE FROM events WHERE match_id = 1 AND seq = 5", "event 5 is missing"),
        ("DELETE FROM events WHERE match_id = 1 AND seq > 18", "events 19 to 20 are missing"),
        ("UPDATE matches SET info = replace(info, 'Ona', 'Ana') WHERE id = 1", "event 1 or the info was changed"),
        ("UPDATE matches SET hash = x'00' WHERE id = 1", "the chain does not end as it should"),
        ("UPDATE events SET seq = 21 WHERE match_id = 1 AND seq = 20", "event 20 is missing"),
    ],
)
def test_what_was_done_to_it_shows(path, statement, fault):
    tamper(path, statement)
    with Store.open(path) as store:
        assert fault in store.fault(1)
        assert store.fault(2) == ""


def test_seal_changes_with_any_event(path):
    with Store.open(path) as store:
        before = store.seal(1)
        assert len(before) == 32
        assert store.seal(2) not in ("", before)
        store.append(1, lost(21))
        assert store.seal(1) != before
        assert store.fault(1) == ""


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS)))
def test_earlier_versions(version, tmp_path):
    """A match to 5 whose first game was won by a pass, and one of long nardy, as version 1 wrote them."""
    path = tmp_path / "matches.db"
    shutil.copy(STORES / f"v{version}.db", path)
    with Store.open(path) as store:
        assert store._do("PRAGMA user_version") == [(len(MIGRATIONS),)]
        first, second = store.matches()
        assert (first.events, first.white_points, first.black_points, first.over) == (22, 1, 0, 0)
        assert (first.about.black, second.about.variant) == ("Петро", Variant.LONG)
        assert [m.id for m in store.matches(player="ПЕТРО")] == [1]
        assert [m.id for m in store.matches(since="2026-06")] == [2]
        assert store.match(1).events[-1].score == (1, 0)
        assert store.fault(1) == store.fault(2) == ""
        assert store.append(2, lost(1)) == 3
        assert store.fault(2) == ""


def test_search(path):
    with Store.open(path) as store:
        store.add(
            MatchInfo(variant=Variant.LONG, white="Ёлкин", place="Šiauliai", started="2027-01-02T10:00:00+00:00"), []
        )
        assert [m.id for m in store.matches(player="ŽYGIMANTAS")] == [1, 2]
        assert [m.id for m in store.matches(event="šiau")] == [m.id for m in store.matches(player="ёлкин")] == [3]
        assert [m.id for m in store.matches(player="ona", event="cup")] == [1, 2]
        assert store.matches(player="cup") == store.matches(event="ona") == []
        assert [m.id for m in store.matches(since="2027", until="2027-01-02")] == [3]
        assert store.matches(until="2020") == store.matches(player="nobody") == []


def test_points_are_listed(path):
    with Store.open(path) as store:
        score = Scored(t=0, frame=0, winner=Player.BLACK, points=4, how="off", score=(0, 4))
        store.extend(2, [score, MatchOver(t=0, frame=0, winner=Player.BLACK, score=(0, 4))])
        listed = store.matches()[1]
        assert (listed.white_points, listed.black_points, listed.over, listed.events) == (0, 4, 1, 5)


def test_backup_while_another_writes(path, tmp_path):
    """The copy is whole, with all that was there when it began."""
    stop = threading.Event()

    def write():
        with Store.open(path) as store:
            while not stop.is_set():
                store.append(1, lost(99))

    writer = threading.Thread(target=write)
    writer.start()
    shares = []
    try:
        with Store.open(path) as store:
            store.backup(tmp_path / "copy.db", shares.append)
    finally:
        stop.set()
        writer.join()
    assert sorted(p.name for p in tmp_path.iterdir() if "copy" in p.name) == ["copy.db"]
    assert shares[-1] == 1.0
    with Store.open(tmp_path / "copy.db") as copy:
        assert copy.damage() == copy.fault(1) == copy.fault(2) == ""
        assert len(copy.match(1).events) >= 20


def test_backup_that_cannot_be(path, tmp_path):
    with Store.open(path) as store:
        for where in (path, tmp_path, tmp_path / "no" / "folder.db"):
            with pytest.raises(StoreError, match="cannot back up to"):
                store.backup(where)
        assert store.damage() == ""


def test_whole_and_closed_says_nothing(path):
    said = []
    open_checked(path, said.append).close()
    assert said == []


def test_not_closed(path, tmp_path):
    """As after a pulled plug: the log is still there."""
    crashed = tmp_path / "crashed.db"
    with Store.open(path) as store:
        store.append(2, lost(4))
        shutil.copy(path, crashed)
        shutil.copy(f"{path}-wal", f"{crashed}-wal")
    said = []
    with open_checked(crashed, said.append) as store:
        assert len(store.match(2).events) == 4
    assert said == ["the record was not closed last time: match 2 has 4 events, all whole"]


@pytest.fixture
def large(tmp_path):
    path = tmp_path / "large.db"
    with Store.open(path) as store:
        for match in range(1, 6):
            store.add(INFO, [lost(n * match) for n in range(1, 301)])
    return path


def test_torn_file_is_saved_as_far_as_it_is_whole(large):
    """Half of it: the first matches are there, to the last event that is whole; the file itself is kept."""
    whole = large.read_bytes()
    large.write_bytes(whole[: len(whole) // 8192 * 4096])
    with pytest.raises(RecordDamaged, match="verify --recover"), Store.open(large) as store:
        for number in range(1, 6):
            store.match(number)
    said = []
    with open_checked(large, said.append) as store:
        saved = {m.id: store.match(m.id).events for m in store.matches()}
        assert all(store.fault(number) == "" for number in saved)
        assert store.append(store.begin(INFO), lost(1)) == 1
    assert sum(map(len, saved.values())) > 300
    for number, events in saved.items():
        assert events == tuple(lost(n * number) for n in range(1, len(events) + 1))
    assert said[0].startswith(f"the record {large} is damaged and was put aside as large.db.damaged-")
    assert said[-1].startswith(f"{len(saved)} matches saved from large.db.damaged-")
    assert len(list(large.parent.glob("large.db.damaged-*"))) >= 1


def test_a_changed_page_is_found(large):
    """One byte of one event: SQLite does not notice, the chain does."""
    data = bytearray(large.read_bytes())
    at = data.rindex(b"number 1500")
    data[at + 7] = ord("9")
    large.write_bytes(bytes(data))
    said = []
    with open_checked(large, said.append) as store:
        assert store.damage() == ""
        assert "event 300 was changed" in store.fault(5)
    assert said == ["match 5: event 300 was changed: nardy-hw matches verify tells more"]


def test_nothing_left(large):
    large.write_bytes(b"\0" * 100 + b"x" * 5000)
    said = []
    with open_checked(large, said.append) as store:
        assert store.matches() == []
    assert said[-1].startswith("0 matches saved from large.db.damaged-")

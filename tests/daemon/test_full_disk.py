"""A disk that takes no more in the middle of a match: the referee says so, goes on judging, loses nothing."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from driven_match import Table

from nardy_hw.errors import StoreError
from nardy_hw.record.store import Store
from nardy_hw.referee.states import Phase


def driven(store):
    table = Table(store, "m07")
    while table.conduct.referee.standing.phase is not Phase.OVER:
        table.step()
        yield table


def fill(store):
    """No page more, as on a full disk; the log may still have room for some."""
    pages = store._do("PRAGMA page_count")[0][0]
    store._do(f"PRAGMA max_page_count = {pages}")


def test_goes_on_and_catches_up(tmp_path):
    with Store.open(tmp_path / "whole.db") as store:
        for table in driven(store):
            assert table.conduct.unsaved == ""
        whole = store.match(1).events
    with Store.open(tmp_path / "full.db") as store:
        saved, told = 0, []
        for step, table in enumerate(driven(store)):
            if step == 40:
                fill(store)
            kept = len(store.match(1).events)
            assert kept >= saved, "an event that was saved is gone"
            saved = kept
            unsaved = table.conduct.unsaved
            assert bool(unsaved) is (kept < len(table.said)), "what is not saved is said"
            if unsaved:
                told.append(unsaved)
        assert table.said == list(whole), "it has judged as ever"
        assert told[-1].startswith(f"{len(whole) - saved} events are NOT RECORDED: cannot use the record")
        assert "full" in told[-1]
        with pytest.raises(StoreError, match="NOT RECORDED"):
            table.conduct.save()
        store._do("PRAGMA max_page_count = 100000")
        table.conduct.save()
        assert table.conduct.unsaved == ""
        assert store.match(1).events == whole
        assert store.fault(1) == ""

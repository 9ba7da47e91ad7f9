"""Pictures within their budget: the oldest matches that are over go first, the newest stays; events are not touched."""

import pytest

from nardy_hw.errors import StoreError
from nardy_hw.record.evidence import Evidence
from nardy_hw.record.store import MatchInfo, Store
from nardy_hw.referee.events import Lost, MatchOver
from nardy_hw.rules.position import Player, Variant

OVER = MatchOver(t=9, frame=0, winner=Player.WHITE, score=(1, 0))


@pytest.fixture
def store(tmp_path):
    """Matches 1 to 5; 2 and 4 are over."""
    with Store.open(tmp_path / "matches.db") as store:
        for number in range(1, 6):
            store.add(MatchInfo(variant=Variant.SHORT), [OVER if number in (2, 4) else Lost(t=0, frame=0, why="")])
        yield store


def filled(store, budget):
    evidence = Evidence.beside(store.path, budget)
    for number in range(1, 6):
        for t in range(10):
            evidence.keep(number, t / 4, "after", b"x" * 100)
    return evidence


def kept(evidence):
    return sorted(int(folder.name) for folder in evidence.folder.iterdir())


@pytest.mark.parametrize(
    "budget, left",
    [(5000, [1, 2, 3, 4, 5]), (4999, [1, 3, 4, 5]), (3000, [1, 3, 5]), (2500, [3, 5]), (0, [5])],
)
def test_which_go_first(store, budget, left):
    evidence = filled(store, budget)
    before = [store.match(number).events for number in range(1, 6)]
    assert evidence.prune(store.matches()) == (5 - len(left), 1000 * (5 - len(left)))
    assert kept(evidence) == left
    assert evidence.size() == 1000 * len(left)
    assert [store.match(number).events for number in range(1, 6)] == before


def test_names_are_in_the_order_of_the_match(store):
    evidence = Evidence.beside(store.path, 1000)
    for t in (3599.5, 7.25, 100):
        evidence.keep(1, t, "before", b"")
    assert [p.name for p in sorted((evidence.folder / "00001").iterdir())] == [
        "000007.25-before.jpg", "000100.00-before.jpg", "003599.50-before.jpg",
    ]  # fmt: skip


def test_no_pictures_at_all(store):
    assert Evidence.beside(store.path, 0).prune(store.matches()) == (0, 0)


def test_where_nothing_can_be_written(store):
    evidence = Evidence.beside(store.path, 1000)
    evidence.folder.write_text("a file")
    with pytest.raises(StoreError, match="cannot keep the picture"):
        evidence.keep(1, 0, "before", b"")

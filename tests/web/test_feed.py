"""The hub: versions, listeners, many threads."""

from __future__ import annotations

from threading import Thread

import pytest
from scenes import LONG, WHITE, jpeg, play, roll, started

from nardy_hw.referee.core import State
from nardy_hw.rules.position import Position
from nardy_hw.web.feed import Feed


def test_begin_names_the_table() -> None:
    feed = Feed()
    feed.begin("Final", LONG, ("Rūta", "Saulius"), "far-left", white_is_light=False, turn=WHITE)
    view = feed.now.view
    assert (view.table.title, view.table.names, view.table.white_home) == ("Final", ("Rūta", "Saulius"), "far-left")
    assert view.position == Position.start(LONG)
    assert view.to_move is WHITE
    assert not view.table.white_is_light


def test_each_change_rings_and_rises() -> None:
    feed, rings = Feed(), []
    with feed.listening(lambda: rings.append(feed.now.version)):
        feed.push(started())
        feed.push(roll())
        feed.set_state("hand")
        feed.set_state("hand")  # said before: no change
    feed.push(play())  # nobody listens any more
    assert rings == [1, 2, 3]
    assert feed.now.version == 4


def test_state_word() -> None:
    feed = Feed()
    feed.set_state("lost")
    assert feed.now.view.state is State.LOST
    with pytest.raises(ValueError, match="asleep"):
        feed.set_state("asleep")


def test_only_the_latest_picture_is_held() -> None:
    feed, rings = Feed(), []
    assert feed.picture is None
    with feed.listening(lambda: rings.append(feed.now.picture)):
        feed.set_picture(jpeg())
        feed.set_picture(b"newer")
    assert feed.picture == b"newer"
    assert rings == [1, 2]
    assert feed.now.version == 0


def test_no_change_is_lost_between_threads() -> None:
    feed = Feed()
    threads = [Thread(target=lambda: [feed.push(roll()) for _ in range(200)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert feed.now.version == 800


def test_notice_stays_over_a_new_game():
    feed = Feed()
    feed.set_notice("3 events are NOT RECORDED")
    version = feed.now.version
    feed.set_notice("3 events are NOT RECORDED")
    assert feed.now.version == version
    feed.push(started())
    assert feed.now.view.notice == "3 events are NOT RECORDED"
    feed.set_notice("")
    assert feed.now.view.notice == ""

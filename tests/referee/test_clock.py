"""The clock: a delay of 12 seconds a turn, then the player's own reserve."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardy_hw.referee.clock import Clock
from nardy_hw.rules.position import Player

W, B = Player.WHITE, Player.BLACK


def test_the_first_seconds_of_a_turn_do_not_count():
    clock = Clock(120.0, 12.0)
    clock.start(W, 100.0)
    assert (clock.remaining(W, 112.0), clock.delay_left(105.0)) == (120.0, 7.0)
    clock.start(B, 130.0)  # 30 seconds, 18 of them his own
    assert (clock.remaining(W, 500.0), clock.remaining(B, 140.0)) == (102.0, 120.0)
    clock.start(W, 141.0)
    assert clock.delay_left(141.0) == 12.0


def test_a_stopped_clock_takes_nothing_and_goes_on_with_the_same_delay():
    clock = Clock(120.0, 12.0)
    clock.start(W, 0.0)
    clock.stop(5.0)
    assert clock.running is None
    clock.start(W, 100.0)
    assert clock.delay_left(100.0) == 7.0
    assert clock.remaining(W, 112.0) == 115.0


def test_a_flag_falls_once_and_the_clock_runs_on():
    clock = Clock(10.0, 2.0)
    clock.start(B, 0.0)
    assert [clock.tick(t) for t in (11.9, 12.0, 13.0)] == [[], [B], []]
    assert clock.remaining(B, 99.0) == 0.0
    clock.adjust(B, 60.0)
    assert clock.tick(99.0) == [B]  # the time that he was given is used too


def test_time_that_goes_backwards_gives_nothing_back():
    clock = Clock(120.0, 0.0)
    clock.start(W, 100.0)
    clock.stop(110.0)
    clock.start(W, 90.0)
    clock.stop(80.0)
    assert clock.remaining(W, 0.0) == 110.0


def test_restored_as_recorded():
    clock = Clock(120.0, 12.0)
    clock.restore((33.5, 0.0))
    assert (clock.remaining(W, 5.0), clock.remaining(B, 5.0), clock.running) == (33.5, 0.0, None)
    clock.start(B, 0.0)
    assert clock.tick(50.0) == []  # that it had fallen was told before


@given(st.lists(st.tuples(st.sampled_from([W, B, None]), st.floats(0, 100)), max_size=20), st.floats(0, 20))
def test_no_time_is_lost_or_won(turns, delay):
    clock, t, used = Clock(10_000.0, delay), 0.0, dict.fromkeys(Player, 0.0)
    turn, free = None, 0.0
    for player, seconds in turns:
        if player is None:
            clock.stop(t)
        else:
            clock.start(player, t)
            free = delay if player is not turn else free
            turn = player
        t += seconds
        if player is not None:
            used[player] += max(0.0, seconds - free)
            free = max(0.0, free - seconds)
        assert clock.tick(t) == []
    for player in Player:
        assert clock.remaining(player, t) == pytest.approx(10_000.0 - used[player], abs=1e-6)

"""The clock: a delay of 12 seconds a turn, then the player's own reserve."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardy_hw.referee.clock import Clock
from nardy_hw.referee.profile import Profile
from nardy_hw.rules.position import Player

W, B = Player.WHITE, Player.BLACK


def press(clock, t):
    """The player whose time runs ends his turn."""
    if clock.running is not None:
        clock.start(clock.running.other, t)
    else:
        clock.stop(t)  # it learns the time


def test_twelve_seconds_a_turn_and_two_minutes_a_point():
    profile = Profile()
    assert (profile.clock, profile.delay_s, profile.reserve_s_per_point) == (False, 12.0, 120.0)


def test_the_first_seconds_of_a_turn_do_not_count():
    clock = Clock(120.0, 12.0)
    clock.start(W, 100.0)
    assert (clock.remaining(W, 112.0), clock.delay_left(105.0)) == (120.0, 7.0)
    clock.start(B, 130.0)  # 30 seconds, 18 of them his own
    assert (clock.remaining(W, 500.0), clock.remaining(B, 140.0)) == (102.0, 120.0)
    clock.start(W, 141.0)
    assert clock.delay_left(141.0) == 12.0


def test_a_press_ends_the_turn_and_begins_the_others():
    clock = Clock(120.0, 12.0)
    press(clock, 5.0)
    assert clock.running is None  # no turn has begun
    clock.start(W, 10.0)
    press(clock, 32.0)
    assert (clock.running, clock.remaining(W, 40.0), clock.delay_left(40.0)) == (B, 110.0, 4.0)
    clock.stop(50.0)
    press(clock, 60.0)
    assert clock.running is None  # stopped, for whatever reason: a press does not set it going


def test_a_stopped_clock_takes_nothing_and_goes_on_with_the_same_delay():
    clock = Clock(120.0, 12.0)
    assert clock.running is None
    clock.start(W, 0.0)
    clock.stop(5.0)
    assert (clock.running, clock.delay_left(50.0)) == (None, 7.0)
    clock.start(W, 100.0)
    assert clock.delay_left(100.0) == 7.0
    clock.stop(102.0)
    clock.start(W, 200.0)
    clock.start(W, 201.0)  # it runs already
    assert (clock.running, clock.delay_left(202.0)) == (W, 3.0)
    assert clock.remaining(W, 210.0) == 115.0


def test_after_a_rest_the_delay_is_whole_again():
    clock = Clock(120.0, 12.0)
    clock.start(W, 0.0)
    clock.rest(30.0)
    assert (clock.running, clock.remaining(W, 90.0), clock.delay_left(90.0)) == (None, 102.0, 0.0)
    clock.start(W, 100.0)
    assert clock.delay_left(100.0) == 12.0


def test_a_flag_falls_once_and_the_clock_runs_on():
    clock = Clock(10.0, 2.0)
    clock.start(B, 0.0)
    assert [clock.tick(t) for t in (11.9, 12.0, 13.0)] == [[], [B], []]
    assert clock.remaining(B, 99.0) == 0.0
    clock.adjust(B, 60.0)
    assert clock.tick(99.0) == [B]  # the time that he was given is used too


def test_a_flag_that_falls_between_two_looks_is_told_though_the_turn_is_over():
    clock = Clock(10.0, 2.0)
    clock.start(W, 0.0)
    press(clock, 13.0)
    clock.stop(14.0)
    assert [clock.tick(t) for t in (14.0, 15.0)] == [[W], []]


def test_no_flag_falls_within_the_delay():
    clock = Clock(0.0, 12.0)  # nothing but the delay
    clock.start(W, 0.0)
    assert clock.tick(11.9) == []
    press(clock, 11.95)
    assert clock.tick(23.9) == []
    assert clock.tick(24.0) == [B]


def test_what_a_director_gives_is_there_whatever_was_overrun():
    clock = Clock(10.0, 2.0)
    clock.start(W, 0.0)
    assert clock.tick(40.0) == [W]
    clock.adjust(W, 60.0)
    assert (clock.tick(41.0), clock.remaining(W, 41.0)) == ([], 59.0)
    clock.adjust(B, -3.0)
    clock.adjust(W, -500.0)
    assert (clock.remaining(B, 41.0), clock.remaining(W, 41.0), clock.tick(41.0)) == (7.0, 0.0, [W])


def test_time_that_goes_backwards_gives_nothing_back_and_takes_nothing_twice():
    clock = Clock(120.0, 0.0)
    clock.start(W, 100.0)
    clock.stop(110.0)
    clock.start(W, 90.0)
    clock.stop(80.0)
    assert clock.remaining(W, 0.0) == 110.0
    clock.start(W, 90.0)
    clock.tick(130.0)
    assert clock.remaining(W, 95.0) == 90.0
    press(clock, 95.0)  # at 130, as far as the clock knows
    assert (clock.remaining(W, 140.0), clock.remaining(B, 140.0)) == (90.0, 110.0)


def test_restored_from_the_reserves_alone():
    clock = Clock(120.0, 12.0)
    clock.restore((33.5, 0.0))
    assert (clock.remaining(W, 5.0), clock.remaining(B, 5.0), clock.running) == (33.5, 0.0, None)
    clock.start(B, 0.0)
    assert clock.tick(50.0) == []  # that it had fallen was told before


STEPS = st.lists(st.tuples(st.sampled_from([W, B, "press", "stop", "resume", "tick"]), st.floats(-30, 60)), max_size=40)


@given(STEPS, st.sampled_from([0.0, 12.0, 0.1]), st.sampled_from([0.0, 60.0, 10_000.0]))
def test_no_time_is_lost_or_won_and_no_flag_falls_early(steps, delay, reserve):
    clock, t, latest = Clock(reserve, delay), 0.0, float("-inf")
    used, flags = dict.fromkeys(Player, 0.0), []
    turn, running, free = None, None, 0.0
    for step, seconds in steps:
        t += seconds
        passed, latest = max(t - latest, 0.0), max(t, latest)  # the first is endless, while nothing runs
        if running is not None:
            used[running] += max(0.0, passed - free)
            free = max(0.0, free - passed)
        match step:
            case "press":
                press(clock, t)
                if running is not None:
                    turn = running = running.other
                    free = delay
            case "stop":
                clock.stop(t)
                running = None
            case "resume":
                if turn is not None:
                    clock.start(turn, t)
                else:
                    clock.stop(t)
                running = turn
            case "tick":
                flags += clock.tick(t)
            case player:
                clock.start(player, t)
                free = delay if player is not turn else free
                turn = running = player
        assert all(used[player] >= reserve - 1e-6 for player in flags)
        assert clock.running is running
        for player in Player:
            assert clock.remaining(player, t) == pytest.approx(max(0.0, reserve - used[player]), abs=1e-6)
    flags += clock.tick(t)
    assert len(flags) == len(set(flags))
    assert set(flags) >= {player for player in Player if used[player] > reserve + 1e-6}

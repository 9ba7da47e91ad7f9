"""A match at the table beyond the single rules: the clock, doubts and ways back, dice that differ, seats."""

from __future__ import annotations

from dataclasses import replace

import pytest
from eye import Shown
from match_table import MatchTable, kinds, of
from test_rules_at_the_table import LONG, SHORT, START, B, W, at, moved, played, position

from nardy_hw.errors import RefusedError
from nardy_hw.referee import commands as c
from nardy_hw.referee import events as e
from nardy_hw.referee.core import State
from nardy_hw.referee.states import Phase
from nardy_hw.rules.position import Position

WHO = {"by": "Aigul", "reason": "seen by both"}


def test_what_is_wrong_is_said_after_three_seconds_of_stillness():
    table = MatchTable()
    points = list(START.points)
    points[5], points[4] = 4, 1
    wrong = Shown(tuple(points))
    assert table.show(wrong, seconds=2.5) == []
    assert [event.points for event in table.show(wrong, seconds=4.0)] == [(5, 6)]
    assert kinds(table.begin()) == ["game"]


def test_a_hand_over_the_board_is_waited_for():
    table = MatchTable()
    assert table.show(hand=True, seconds=5.0) == []
    assert table.show(hidden=(6,), seconds=5.0) == []
    assert kinds(table.begin()) == ["game"]


def test_a_setup_may_be_accepted_by_decision():
    table = MatchTable()
    assert kinds(table.do(c.AcceptSetup, **WHO)) == ["overruled", "game"]
    (overruled,) = of(table.said, e.Overruled)
    assert (overruled.by, overruled.what, overruled.reason) == ("Aigul", "setup", "seen by both")


def test_the_clock_runs_for_whoever_is_to_act():
    table = MatchTable(length=1, clock=True, delay_s=2.0, reserve_s_per_point=20.0)
    table.begin()
    table.opening(6, 1)
    begun = table.t
    table.show(seconds=8.0)
    table.play(W, (6, 1), "13/7 8/7")
    (read, *_) = of(table.said, e.ClockRead)[-1:]
    assert read.white == pytest.approx(20.0 - (table.t - begun - 2.0), abs=0.8)
    assert read.black == 20.0
    table.do(c.Double, B)
    table.show(seconds=5.0)  # White thinks
    table.do(c.Take, W)
    assert of(table.said, e.ClockRead)[-1].white == pytest.approx(read.white - 3.0, abs=0.8)
    table.show(seconds=24.0)
    assert [event.player for event in of(table.said, e.FlagFell)] == [B]
    assert table.referee.standing.phase is Phase.THROW  # the game goes on
    table.do(c.StopClock)
    stopped = of(table.said, e.ClockRead)[-1]
    table.show(seconds=5.0)
    table.do(c.AdjustClock, W, seconds=30.0, **WHO)
    assert of(table.said, e.ClockRead)[-1].white == pytest.approx(stopped.white + 30.0)
    assert MatchTable().referee.standing.clock is None
    with pytest.raises(RefusedError, match="no clock"):
        at(START).do(c.StopClock)


def test_a_doubt_is_settled_by_taking_what_is_seen():
    table = at(START)
    table.throw(W, 3, 1)
    after = moved(table, (8, 5), (6, 5))
    assert kinds(table.show(replace(after, hidden=(3, 5, 7)), seconds=3.0)) == ["unsure"]
    assert table.referee.state is State.UNSURE
    table.show(replace(after, hidden=(7,)))
    table.do(c.AcceptSeen, **WHO)
    assert table.referee.standing.position == Position(SHORT, after.points)
    assert table.referee.standing.to_move is B


def test_nothing_can_be_taken_as_seen_where_nothing_is_seen():
    table = MatchTable()
    table.do(c.SetBoard, position=START, turn=W, **WHO)
    with pytest.raises(RefusedError, match="set position"):
        table.do(c.AcceptSeen, **WHO)


def test_position_turn_and_dice_by_hand():
    table = at(START)
    table.show(Shown.of(START, field_found=False), seconds=3.0)
    assert table.referee.state is State.LOST
    table.position = position({24: 2, 6: 5, 1: -2})
    table.do(c.SetBoard, position=table.position, turn=B, dice=(6, 5), **WHO)
    table.show()
    assert table.referee.state is State.READING
    table.play(B, (6, 5), "24/13")
    assert kinds(table.do(c.EndTurn, B)) == ["play"]
    with pytest.raises(RefusedError, match="other game"):
        table.do(c.SetBoard, position=Position.start(LONG), **WHO)
    with pytest.raises(RefusedError, match="whose"):
        table.do(c.SetBoard, position=START, dice=(6, 5), **WHO)


def test_an_illegal_play_stands_by_decision():
    table = at(START)
    table.throw(W, 3, 1)
    wrong = moved(table, (13, 10), (13, 11))
    table.show(wrong)
    assert kinds(table.do(c.LetStand, **WHO)) == ["overruled", "stands"]
    assert table.referee.standing.position == Position(SHORT, wrong.points)
    assert table.referee.standing.to_move is B


def test_a_throw_is_cancelled_and_its_dice_are_not_read_again():
    table = at(START)
    table.throw(W, 3, 1)
    assert kinds(table.do(c.CancelThrow, **WHO)) == ["overruled", "throw_cancelled"]
    assert (table.referee.standing.phase, table.referee.standing.to_move) == (Phase.THROW, W)
    assert [roll.player for roll in of(table.throw(W, 6, 1), e.Roll)] == [W]


def test_told_dice_and_seen_dice_that_differ():
    table = at(START)
    (roll,) = of(table.do(c.Throw, W, dice=(6, 1), source="electronic"), e.Roll)
    assert roll.source == "electronic"
    said = table.throw(W, 6, 4, seconds=4.0)
    assert [(event.told, event.seen) for event in of(said, e.DiceDiffer)] == [((6, 1), (6, 4))]
    assert not of(said, e.Roll)
    table.do(c.Throw, W, dice=(6, 4))  # they say which it is
    assert kinds(table.play(W, (6, 4), "24/14")) == ["play"]


def test_the_wrong_players_electronic_dice():
    table = at(START, trusted_rolls=True)
    (refused,) = of(table.do(c.Throw, B, dice=(6, 1), source="electronic"), e.NoRoll)
    assert (refused.player, refused.code) == (B, "wrong_player")
    assert table.referee.standing.phase is Phase.THROW


def test_a_throw_that_comes_before_the_verdict_is_kept():
    table = at(START)
    table.throw(W, 3, 1)
    after = moved(table, (8, 5), (6, 5))
    hidden = {"hidden": (3, 5, 7)}
    assert kinds(table.show(replace(after, **hidden), seconds=1.5)) == ["unsure"]
    dice = (6, "flat", "left", 200.0, 300.0), (5, "flat", "left", 260.0, 300.0)
    assert not of(table.show(replace(after, **hidden), *dice), e.Roll)
    assert kinds(table.show(after, *dice)) == ["roll"]
    table.position = Position(SHORT, after.points)
    plays = of(table.play(B, (6, 5), "24/13"), e.PlayMade)
    assert [(play.player, play.text) for play in plays] == [(W, "8/5 6/5"), (B, "24/13")]
    assert table.referee.standing.to_move is W


def test_players_who_change_seats_throw_on_the_other_half():
    table = at(START)
    table.do(c.Resign, B)
    table.do(c.Accept, W)
    table.do(c.NextGame, swap=True)
    (game,) = of(table.begin(), e.GameStarted)
    assert game.swapped
    table.opening(2, 5)  # the right half is Black's now
    assert table.referee.standing.to_move is W
    table.referee = table.again()
    assert table.referee.standing.swapped


def test_after_an_interruption_the_board_is_compared_with_the_record():
    table = at(START)
    played(table, W, (3, 1), "8/5 6/5")
    table.referee = table.again()
    said = table.show(START, seconds=5.0)
    (unsure,) = of(said, e.Unsure)
    assert "points 5, 6, 8" in unsure.why
    table.show(moved(at(START), (8, 5), (6, 5)))
    assert [roll.player for roll in of(table.throw(B, 6, 5), e.Roll)] == [B]


def test_a_play_made_while_the_machine_was_off_counts():
    table = at(START)
    table.throw(W, 3, 1)
    table.referee = table.again()
    assert kinds(table.play(W, (3, 1), "8/5 6/5")) == ["play"]


def test_an_open_fault_is_still_open_after_an_interruption():
    table = at(START)
    table.throw(W, 3, 1)
    table.show(moved(table, (13, 10), (13, 11)))
    table.referee = table.again()
    assert table.referee.state is State.ILLEGAL
    assert kinds(table.play(W, (3, 1), "8/5 6/5")) == ["play"]


def test_commands_are_refused_where_they_make_no_sense():
    table = MatchTable()
    for kind, fields in ((c.Take, {"player": W}), (c.Double, {"player": W}), (c.EndTurn, {"player": B})):
        with pytest.raises(RefusedError, match="setup"):
            table.do(kind, **fields)
    table = at(START)
    table.do(c.Double, W)
    with pytest.raises(RefusedError, match="turn"):
        table.do(c.Take, W)

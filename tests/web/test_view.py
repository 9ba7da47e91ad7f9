"""What each event makes of the view."""

from __future__ import annotations

import pytest
from scenes import (
    AFTER,
    BEFORE,
    BLACK,
    LONG,
    SHORT,
    WHITE,
    WRONG,
    play,
    position,
    roll,
    stands,
    started,
    violation,
    warning,
)

from nardy_hw.referee import events as e
from nardy_hw.referee.core import State
from nardy_hw.rules.play import Move
from nardy_hw.rules.position import Player, Position
from nardy_hw.web.view import CALLS_KEPT, Fate, Result, Table, Throw, View, as_json, begin, reduce

LOST = e.Lost(t=1, frame=1, why="the board is not where it was calibrated")
FOUND = e.Found(t=2, frame=2)
UNSURE = e.Unsure(t=1, frame=1, why="bar/21 or not? look at points 21")
NO_ROLL = e.NoRoll(t=1, frame=1, player=WHITE, code="dice_cocked", rule="R2")
OVER = e.GameOver(t=9, frame=9, winner=BLACK, points=2)


def after(*events: e.Event, table: Table = Table()) -> View:  # noqa: B008  frozen
    view = begin(table, SHORT)
    for event in events:
        view = reduce(view, event)
    return view


@pytest.mark.parametrize(
    ("events", "state", "to_move", "shown", "fates"),
    [
        pytest.param([], State.WAITING, None, Position.start(SHORT), [], id="opening throw"),
        pytest.param([started()], State.WAITING, None, BEFORE, [], id="followed from here"),
        pytest.param([started(), roll()], State.READING, WHITE, BEFORE, [], id="thrown"),
        pytest.param([started(), roll(), play()], State.WAITING, BLACK, AFTER, [], id="played"),
        pytest.param([started(), play()], State.WAITING, BLACK, AFTER, [], id="played, the throw was missed"),
        pytest.param([started(), roll(), warning()], State.READING, WHITE, WRONG, ["open"], id="warned"),
        pytest.param([started(), roll(), warning(), play()], State.WAITING, BLACK, AFTER, ["put right"], id="heeded"),
        pytest.param([started(), roll(), violation()], State.ILLEGAL, WHITE, WRONG, ["open"], id="illegal"),
        pytest.param([started(), roll(), warning(), violation()], State.ILLEGAL, WHITE, WRONG, ["open"], id="one call"),
        pytest.param(
            [started(), roll(), violation(), play()], State.WAITING, BLACK, AFTER, ["put right"], id="righted"
        ),
        pytest.param([started(), roll(), violation(), stands()], State.WAITING, BLACK, WRONG, ["stands"], id="stands"),
        pytest.param([started(), roll(), LOST], State.LOST, WHITE, BEFORE, [], id="lost"),
        pytest.param([started(), roll(), LOST, FOUND], State.READING, WHITE, BEFORE, [], id="found in a turn"),
        pytest.param([started(), LOST, FOUND], State.WAITING, None, BEFORE, [], id="found between turns"),
        pytest.param(
            [roll(), violation(), LOST, FOUND], State.ILLEGAL, WHITE, WRONG, ["open"], id="found, still illegal"
        ),
        pytest.param([started(), roll(), UNSURE], State.UNSURE, WHITE, BEFORE, [], id="unsure"),
        pytest.param([started(), roll(), UNSURE, play()], State.WAITING, BLACK, AFTER, [], id="sure again"),
        pytest.param([started(), NO_ROLL], State.WAITING, None, BEFORE, [], id="thrown again"),
        pytest.param([started(), roll(), play(), OVER], State.OVER, None, AFTER, [], id="over"),
        pytest.param(
            [roll(), violation(), play(), roll(BLACK), started()], State.WAITING, None, BEFORE, [], id="new game"
        ),
    ],
)
def test_state_turn_position_and_calls(
    events: list[e.Event], state: State, to_move: Player | None, shown: Position, fates: list[str]
) -> None:
    view = after(*events)
    assert (view.state, view.to_move, view.shown) == (state, to_move, shown)
    assert [call.fate for call in view.calls] == fates


def test_known_first_player() -> None:
    assert after(started(), table=Table(turn=BLACK)).to_move is BLACK


def test_the_throw_lies_until_the_turn_ends() -> None:
    assert after(roll()).throw == Throw(WHITE, (4, 4))
    assert after(roll(), play()).throw is None
    assert after(roll(), violation(), stands()).throw is None


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("bar/21 24/20 6/2(2)", (Move(25, 21), Move(24, 20), Move(6, 2), Move(6, 2))),
        ("24/13", (Move(24, 13),)),
        ("6/5*", (Move(6, 5, True),)),
        ("6/off", (Move(6, 0),)),
        ("no play", ()),
    ],
)
def test_last_play_has_its_moves(text: str, moves: tuple[Move, ...]) -> None:
    last = after(roll(), play(text=text)).play
    assert last is not None
    assert (last.text, last.moves, last.dice) == (text, moves, (4, 4))


def test_a_call_says_all_that_the_referee_said() -> None:
    call = after(started(), roll(), violation()).calls[0]
    assert (call.code, call.rule, call.t, call.final) == ("bar_first", "S13", 65.4, True)
    assert call.text == "White moved 13/9 with a checker on the bar"
    assert call.repair == "White: 9 back to 13"
    assert not after(started(), roll(), warning()).calls[0].final


def test_marks_are_where_the_position_differs() -> None:
    assert after(started(), roll(), violation()).marks == (9, 13)
    assert after(started(), roll(), violation(), play()).marks == ()
    hit = position(SHORT, {6: 5, 8: 3, 13: 5, 21: 1, 24: 1}, {3: 1, 4: 1, 12: 4, 17: 2, 19: 6}, bar=(0, 1))
    assert after(started(), roll(), violation(position=hit)).marks == (21, 23, 25)


def test_remarks_go_with_the_next_turn() -> None:
    assert after(started(), NO_ROLL).remark == NO_ROLL
    assert after(started(), NO_ROLL, roll()).remark is None
    assert after(started(), roll(), UNSURE, violation()).remark is None


def test_result() -> None:
    assert after(started(), OVER).result == Result(BLACK, 2)


def test_calls_are_bounded() -> None:
    turns = [event for n in range(CALLS_KEPT + 5) for event in (roll(), violation(t=float(n)), play())]
    calls = after(*turns).calls
    assert len(calls) == CALLS_KEPT
    assert calls[-1].t == CALLS_KEPT + 4
    assert {call.fate for call in calls} == {Fate.PUT_RIGHT}


def test_long_game() -> None:
    assert after(started(Position.start(LONG))).shown.variant is LONG


def test_a_throw_that_is_cancelled_is_thrown_again() -> None:
    cancelled = e.ThrowCancelled(t=2, frame=2, player=Player.WHITE)
    view = after(started(), e.Roll(t=1, frame=1, player=Player.WHITE, dice=(3, 1)), cancelled)
    assert (view.throw, view.to_move) == (None, Player.WHITE)


def test_json() -> None:
    shown = as_json(after(started(), roll(), violation()))
    assert shown["state"] == "illegal"
    assert shown["roll"] == {"player": "white", "dice": [4, 4]}
    assert shown["position"] == BEFORE.to_json()
    assert shown["seen"] == WRONG.to_json()
    assert shown["calls"][0]["type"] == "violation"
    assert shown["calls"][0]["fate"] == "open"
    assert as_json(after(started(), UNSURE))["why"] == UNSURE.why
    assert as_json(after(started(), NO_ROLL))["why"] == "dice_cocked"
    assert as_json(after(play(), OVER))["result"] == {"winner": "black", "points": 2}

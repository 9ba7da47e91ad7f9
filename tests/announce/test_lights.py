"""What the lights say of a moment; worked out from the table of meanings in announce/lights.py."""

from __future__ import annotations

from dataclasses import replace

from nardy_hw.announce.lights import lights
from nardy_hw.referee import events as e
from nardy_hw.referee.standing import Standing
from nardy_hw.referee.states import Phase
from nardy_hw.rules.match import Match, Stakes
from nardy_hw.rules.position import Player, Position, Variant

START = Position.start(Variant.SHORT)
STANDING = Standing(Match.begin(Stakes()), START)


def at(phase, to_move=Player.WHITE):
    return replace(STANDING, phase=phase, to_move=to_move)


def lit(digits):
    """{light, counted from 1: digit}"""
    assert len(digits) == 28
    return {i: digit for i, digit in enumerate(digits, 1) if digit != "0"}


def fault(position):
    told = {"player": Player.WHITE, "dice": (3, 1), "code": "wrong_distance", "rule": "S6", "text": "", "repair": ""}
    return e.ViolationSeen(t=0, frame=0, position=position, **told)


def test_whose_turn_it_is():
    assert lit(lights(at(Phase.THROW), None)) == {27: "E"}
    assert lit(lights(at(Phase.MOVE, Player.BLACK), None)) == {28: "E"}
    assert lit(lights(at(Phase.OPENING, None), None)) == {}


def test_where_checkers_must_leave_and_come_back():
    points = list(START.points)
    points[12], points[9], points[10] = 3, 1, 1  # White 13/10 13/11
    wrong = replace(START, points=tuple(points))
    assert lit(lights(at(Phase.FAULT), fault(wrong))) == {13: "4", 10: "2", 11: "2"}
    points[18], points[9] = -4, 0
    black = replace(START, points=tuple(points), bar=(1, 1))
    assert lit(lights(at(Phase.FAULT), fault(black))) == {13: "4", 11: "2", 19: "4", 25: "2", 26: "2"}


def test_a_fault_that_the_players_may_not_know_of_is_not_shown():
    assert lit(lights(at(Phase.FAULT), None)) == {}


def test_who_is_to_answer_the_cube():
    assert lit(lights(at(Phase.DOUBLED), None)) == {26: "6", 28: "6"}


def test_what_is_not_set_up():
    assert lit(lights(at(Phase.SETUP, None), None, wrong=(6, 25))) == {6: "4", 25: "4", 26: "4"}


def test_a_doubt_points_at_nothing():
    assert lit(lights(at(Phase.MOVE), None, unsure=True)) == {27: "B", 28: "B"}

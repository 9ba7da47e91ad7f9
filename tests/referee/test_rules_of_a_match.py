"""Every numbered rule of a match (C), and each option of the open questions (A) that has effect, at a table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from match_table import MatchTable, kinds, of
from test_rules_at_the_table import HEADS, LONG, SHORT, START, B, W, at, called, moved, played, position

from nardy_hw.errors import RefusedError
from nardy_hw.referee import commands as c
from nardy_hw.referee import events as e
from nardy_hw.referee.audience import Audience
from nardy_hw.referee.match import Agreement
from nardy_hw.referee.profile import SETTINGS, SETTLED, Profile
from nardy_hw.referee.states import Phase
from nardy_hw.rules.options import RuleOptions
from nardy_hw.rules.position import Position


def wins(table, after, player=W, dice=(6, 5)):
    """The player bears off his last checkers; what is scored."""
    table.throw(player, *dice)
    return of(table.show(after), e.Scored)


def doubled(table, player=W, takes=True):
    table.do(c.Double, player)
    return table.do(c.Take if takes else c.Drop, player.other)


LAST = {1: 2, 24: -10, 23: -4}
WON = position({24: -10, 23: -4})
SAVED = {1: 2, 24: -10}
GAMMON = {1: 2, 12: -15}
BACKGAMMON = {1: 2, 3: -1, 12: -14}


def test_C1_a_game_counts_the_cube():
    table = at(LAST, length=7)
    doubled(table)
    (scored,) = wins(table, WON)
    assert scored.points == 2


@pytest.mark.parametrize(("points", "worth"), [(LAST, 1), (GAMMON, 2)])
def test_C2_a_gammon_counts_two(points, worth):
    after = position({p: n for p, n in points.items() if n < 0})
    (scored,) = wins(at(points, length=7), after)
    assert scored.points == worth


def test_C3_a_backgammon_counts_three():
    (scored,) = wins(at(BACKGAMMON, length=7), position({3: -1, 12: -14}))
    assert scored.points == 3


def test_C4_or_two_by_agreement():
    rules = RuleOptions(backgammon_value=2)
    (scored,) = wins(at(BACKGAMMON, length=7, rules=rules), position({3: -1, 12: -14}))
    assert scored.points == 2


def test_C5_the_cube_begins_in_the_middle():
    table = at(START)
    assert (table.referee.standing.match.cube.value, table.referee.standing.match.cube.owner) == (1, None)
    (double,) = table.do(c.Double, W)
    assert double.value == 2


def test_C6_only_before_the_throw_and_by_the_owner():
    table = at(START)
    (refused,) = table.do(c.Double, B)  # not his turn
    assert (refused.code, refused.rule) == ("cube_not_allowed", "C6")
    assert kinds(doubled(table)) == ["take"]
    (refused,) = table.do(c.Double, W)  # Black owns it now
    assert (refused.code, refused.rule) == ("cube_not_owner", "C6")
    played(table, W, (3, 1), "8/5 6/5")
    assert [event.value for event in table.do(c.Double, B)] == [4]


def test_C6_a_throw_does_not_count_while_the_cube_is_offered():
    table = at(START)
    table.do(c.Double, W)
    (refused,) = of(table.throw(W, 3, 1), e.NoRoll)
    assert (refused.code, refused.rule) == ("dice_too_early", "C6")
    table.do(c.Take, B)
    assert of(table.throw(W, 6, 1), e.Roll)


def test_C7_a_pass_loses_the_value_before_the_offer():
    table = at(START)
    doubled(table)
    played(table, W, (3, 1), "8/5 6/5")
    table.do(c.Double, B)
    scored = of(table.do(c.Drop, W), e.Scored)
    assert [(event.winner, event.points, event.how) for event in scored] == [(B, 2, "drop")]
    assert table.referee.standing.phase is Phase.SCORED


def crawford_table():
    """Two points each way to the Crawford game: White needs one."""
    table = at(GAMMON, length=3)
    wins(table, position({12: -15}))
    (game,) = of(table.begin(), e.GameStarted)
    return table, game


def test_C8_one_game_without_the_cube():
    table, game = crawford_table()
    assert (game.crawford, game.score) == (True, (2, 0))
    table.opening(1, 3)
    table.play(B, (3, 1), "8/5 6/5")
    (refused,) = table.do(c.Double, W)
    assert (refused.code, refused.rule) == ("cube_not_allowed", "C8")
    table.do(c.Resign, W, points=1)
    table.do(c.Accept, B)
    (game,) = of(table.begin(), e.GameStarted)
    assert (game.crawford, game.score, game.number) == (False, (2, 1), 3)
    table.opening(1, 3)
    table.play(B, (3, 1), "8/5 6/5")
    assert kinds(table.do(c.Double, W)) == ["double"]


def test_C9_the_first_to_the_points_wins():
    table = at(GAMMON, length=1)
    said = wins(table, position({12: -15})), table.said[-1]
    assert isinstance(said[1], e.MatchOver) and said[1].winner is W
    with pytest.raises(RefusedError):
        table.do(c.NextGame)
    assert Agreement(SHORT, 4).stakes.even and not Agreement(SHORT, 5).stakes.even


def test_C10_automatic_doubles_and_jacoby():
    table = MatchTable(length=0, jacoby=True, automatic_doubles=1)
    table.begin()
    assert [event.cube for event in of(table.opening(2, 2), e.OpeningTie)] == [2]
    assert [event.cube for event in of(table.opening(5, 5), e.OpeningTie)] == [2]
    table.do(c.SetBoard, by="d", reason="test", position=position(GAMMON), turn=W)
    (scored,) = wins(table, position({12: -15}))
    assert scored.points == 2  # the gammon does not count: the cube was not turned by a player


def test_C11_one_against_the_others():
    table = MatchTable(length=0, chouette=("Ona", "Petro", "Aigul"))
    table.begin()
    table.opening(3, 1)
    table.do(c.Resign, W)
    (lined,) = of(table.do(c.Accept, B), e.LinedUp)
    assert (lined.line, lined.score) == (("Petro", "Aigul", "Ona"), {"Ona": -2, "Petro": 1, "Aigul": 1})


def test_C12_what_was_agreed_on():
    agreed = Agreement(LONG, 3, Profile(cube="both"))
    assert (agreed.stakes.cube, agreed.stakes.length) == (True, 3)
    assert not Agreement(LONG, 3).stakes.cube


# -- the open questions


@pytest.mark.parametrize("timing", ["die", "turn"])
def test_A1_A2_when_walls_are_tested(timing):
    # 24/15 by way of 18, which closes six from 13 to 18; by way of 21 Black blocks it (vector l00067)
    points = {1: -1, 2: -1, 4: -1, 8: -1, 9: 1, 12: -6, 13: 1, 14: 1, 15: 1, 16: 2, 17: 1, 21: -3, 23: -2, 24: 8}
    table = at(points, variant=LONG, rules=RuleOptions(prime_timing=timing))
    table.throw(W, 6, 3)
    said = table.show(moved(table, (24, 15)))
    assert bool(of(said, e.PlayMade)) is (timing == "turn")
    assert [event.code for event in of(said, e.ViolationSeen)] == ["prime_rule"] * (timing == "die")


def test_A3_whose_path_a_wall_lies_on():
    # 24, 23, 22 and 3, 2, 1 lie across White's own edge; on Black's path they are the six points 15 to 10
    points = {24: 2, 23: 2, 22: 2, 3: 2, 2: 3, 4: 4, 12: -15}
    table = at(points, variant=LONG)
    assert called(table, W, (3, 1), moved(table, (4, 1), (4, 3))) == ("prime_rule", "L7")
    played(at(points, variant=LONG, rules=RuleOptions(prime_path="own")), W, (3, 1), "4/1 4/3")


@pytest.mark.parametrize(("prime", "legal"), [("off", True), ("never", False), ("ahead", False)])
def test_A6_six_in_a_row_by_agreement(prime, legal):
    table = at({24: 1, 22: 1, 21: 2, 20: 2, 19: 2, 18: 2, 16: 5, 12: -15}, variant=LONG, rules=RuleOptions(prime=prime))
    table.throw(W, 1, 3)
    said = table.show(moved(table, (24, 23), (16, 13)))
    assert bool(of(said, e.PlayMade)) is legal and bool(of(said, e.ViolationSeen)) is not legal


def test_A7_two_heads_only_if_needed():
    # Black's head is empty here, so that one checker can play all four threes
    points = {24: 15, 5: -15}
    for head_two, legal in (("always", True), ("only_if_needed", False)):
        table = at(points, variant=LONG, rules=RuleOptions(head_two=head_two, first_turn="full_head"))
        table.throw(W, 3, 3)
        said = table.show(moved(table, (24, 18), (24, 18)))
        assert bool(of(said, e.PlayMade)) is legal and bool(of(said, e.ViolationSeen)) is not legal


def test_A8_a_first_turn_read_from_a_full_head():
    # set by hand in mid game: by the counter White has had his first turn
    points = {24: 15, 12: -14, 8: -1}
    for first_turn, legal in (("full_head", True), ("turn_counter", False)):
        table = at(points, variant=LONG, rules=RuleOptions(first_turn=first_turn))
        table.throw(W, 4, 4)
        said = table.show(moved(table, (24, 16), (24, 16)))
        assert bool(of(said, e.PlayMade)) is legal and bool(of(said, e.ViolationSeen)) is not legal


@pytest.mark.parametrize(("equal", "over"), [(False, True), (True, False)])
def test_A10_the_second_player_has_a_last_turn(equal, over):
    table = at({1: 2, 13: -2}, turn=W, variant=LONG, equal_turns=equal)
    table.throw(W, 6, 5)
    table.show(position({13: -2}, variant=LONG))
    assert (table.referee.standing.phase is Phase.SCORED) is over
    if equal:
        table.throw(B, 6, 5)
        assert kinds(table.show(position({}, variant=LONG)))[-1] == "drawn"
        assert table.referee.standing.match.score == (0, 0)


def test_A11_a_cube_in_long_nardy():
    table = at(HEADS, variant=LONG, cube="both")
    assert kinds(table.do(c.Double, W)) == ["double"]
    assert kinds(at(HEADS, variant=LONG).do(c.Double, W)) == ["no_double"]


def test_A12_home_mars_counts_three():
    rules = RuleOptions(home_mars=True)
    points = {1: 2, 12: -15}
    (scored,) = wins(at(points, variant=LONG, rules=rules), position({12: -15}, variant=LONG))
    assert scored.points == 3


def test_A15_the_last_checker_may_go_by_one_die():
    # 5/2*/off uses both numbers, 5/off by the 6 only one
    points = {5: 1, 2: -1, 16: -1, 19: -1, 20: -1, 21: -1, 24: -1}
    after = position({p: n for p, n in points.items() if n < 0})
    table = at(points)
    table.throw(W, 6, 3)
    assert of(table.show(after), e.GameOver)
    table = at(points, rules=RuleOptions(lenient_final_bearoff=False))
    assert called(table, W, (6, 3), after)[1] == "S9"


def test_A17_the_cubes_highest_value():
    table = at(START, length=0, cube_cap=2)
    doubled(table)
    played(table, W, (3, 1), "8/5 6/5")
    assert [event.code for event in table.do(c.Double, B)] == ["cube_not_allowed"]


def test_A19_automatic_doubles_by_agreement():
    table = MatchTable(length=0, automatic_doubles=2)
    table.begin()
    assert [of(table.opening(n, n), e.OpeningTie)[0].cube for n in (2, 3, 4)] == [2, 4, 4]


def test_A20_jacoby_is_for_single_games():
    (scored,) = wins(at(GAMMON, length=5, jacoby=True), position({12: -15}))
    assert scored.points == 2
    (scored,) = wins(at(GAMMON, length=0, jacoby=True), position({12: -15}))
    assert scored.points == 1


def test_A21_an_even_length_is_played_in_any_case():
    for told in ("warn", "allow"):
        table = MatchTable(length=4, even_length=told)
        assert isinstance(table.begin()[-1], e.GameStarted) and table.agreed.stakes.even


def test_A22_a_die_on_a_checker_by_agreement():
    assert of(at(START).throw(W, 3, 1, "on_checker"), e.NoRoll)
    assert of(at(START, dice_on_checkers="valid").throw(W, 3, 1, "on_checker"), e.Roll)


MINE = [(3, "flat", "right", 700.0, 500.0), (1, "flat", "right", 640.0, 500.0)]
THEIRS = [(6, "flat", "left", 200.0, 300.0), (5, "flat", "left", 260.0, 300.0)]


def test_A23_a_throw_too_early_may_stand():
    table = at(START, premature="stands")
    table.show(None, *MINE)
    made = table.after(W, (3, 1), "8/5 6/5")
    assert not of(table.show(None, *MINE, *THEIRS), e.NoRoll)
    said = table.show(made, *THEIRS)
    assert kinds(said)[:2] == ["play", "roll"]


@pytest.mark.parametrize("ends", ["any", "both"])
def test_A24_one_die_lifted(ends):
    table = at(START, turn_end=ends)
    table.show(None, *MINE)
    said = table.show(table.after(W, (3, 1), "8/5 6/5"), MINE[0], seconds=2.0)
    assert kinds(said) == (["play"] if ends == "any" else [])
    assert kinds(table.show()) == ([] if ends == "any" else ["play"])


def test_A24_the_clock_ends_the_turn():
    table = at(START, turn_end="clock")
    table.show(None, *MINE)
    table.position = table.after(W, (3, 1), "8/5 6/5")
    assert table.show(seconds=3.0) == []
    assert kinds(table.do(c.EndTurn, W)) == ["play"]


def test_A24_a_button_ends_the_turn_while_the_dice_lie():
    table = at(START)
    table.show(None, *MINE)
    table.show(table.after(W, (3, 1), "8/5 6/5"), *MINE)
    assert kinds(table.do(c.EndTurn, W)) == ["play"]
    with pytest.raises(RefusedError, match="end_turn"):
        table.do(c.EndTurn, W)


def at_fault(**settings):
    table = at(START, **settings)
    table.show(None, *MINE)
    wrong = moved(table, (13, 10), (13, 11))
    table.position = Position(SHORT, wrong.points)
    table.show()
    assert table.referee.standing.phase is Phase.FAULT
    return table


def test_A25_the_other_player_may_let_it_stand():
    with pytest.raises(RefusedError, match="put right"):
        at_fault().do(c.Condone, B)
    table = at_fault(illegal="condonable")
    with pytest.raises(RefusedError, match="own"):
        table.do(c.Condone, W)
    assert kinds(table.do(c.Condone, B)) == ["stands"]
    assert table.referee.standing.to_move is B


def test_A25_an_offer_of_the_cube_ends_the_time_for_corrections():
    table = at_fault()
    assert kinds(table.do(c.Double, B)) == ["stands", "double"]
    table.do(c.Take, W)
    assert of(table.throw(B, 6, 5), e.Roll)


def test_A25_what_never_stands_must_be_put_right():
    table = at_fault(never_condoned=("wrong_distance",))
    (refused,) = of(table.throw(B, 6, 5), e.NoRoll)
    assert (refused.player, refused.code, refused.rule) == (B, "dice_too_early", "A25")
    with pytest.raises(RefusedError, match="put right"):
        table.do(c.Double, B)
    assert of(table.show(table.referee.standing.position) or [], e.PlayMade) == []
    made = moved(at(START), (8, 5), (6, 5))
    assert kinds(table.show(Position(SHORT, made.points))) == ["play"]
    assert of(table.throw(B, 4, 2), e.Roll)


def heard(table, **settings):
    audience = Audience(Profile(**settings))
    return [event for said in table.said for event in audience.hears(said)]


def test_A26_who_hears_of_a_fault():
    table = at_fault()
    assert of(heard(table), e.ViolationSeen)
    assert not of(heard(table, announce="silent_log"), e.ViolationSeen)
    assert not of(heard(table, announce="on_request"), e.ViolationSeen)
    table.do(c.AskCheck, B)
    assert of(heard(table, announce="on_request"), e.ViolationSeen)
    assert not of(heard(table, mode="silent"), e.ViolationSeen)


def test_A26_in_silent_mode_nothing_helps():
    table = at({24: 1, 20: -2, 1: 14, 23: -13}, mode="silent")
    table.throw(W, 6, 4)
    assert of(table.said, e.Announced)
    helps = e.Announced, e.WarningGiven, e.ViolationSeen, e.Unsure, e.NoRoll, e.DiceDiffer
    assert not [event for event in heard(table, mode="silent") if isinstance(event, helps)]


def test_A27_dice_anywhere_by_agreement():
    table = at(START, throw_half="any")
    (roll,) = of(table.show(None, *THEIRS), e.Roll)
    assert roll.player is W


def test_A28_both_dice_are_thrown_again_or_one():
    bad = [MINE[0], (1, "cocked", "right", 640.0, 500.0)]
    again = [MINE[0], (5, "flat", "right", 560.0, 420.0)]
    table = at(START)
    table.show(None, *bad)
    (refused,) = of(table.show(None, *again), e.NoRoll)
    assert (refused.code, refused.rule) == ("dice_count", "A28")
    table = at(START, invalid_die="one")
    table.show(None, *bad)
    assert of(table.show(None, *again), e.Roll)


def test_A30_resignations():
    with pytest.raises(RefusedError, match="A30"):
        at(START, resignations=False).do(c.Resign, W)
    table = at(START)
    doubled(table)
    table.do(c.Resign, W, points=2)
    with pytest.raises(RefusedError, match="answers"):
        table.do(c.Accept, W)
    assert kinds(table.do(c.Refuse, B)) == ["resignation_refused"]
    assert table.referee.standing.phase is Phase.THROW
    table.do(c.Resign, B, points=2)
    assert [(s.winner, s.points, s.how) for s in of(table.do(c.Accept, W), e.Scored)] == [(W, 4, "resign")]


def test_A34_the_last_winner_may_throw_first():
    for first, phase in (("opening", Phase.OPENING), ("winner", Phase.THROW)):
        table = at(HEADS, variant=LONG, first_throw=first)
        table.do(c.Resign, W)
        table.do(c.Accept, B)
        table.begin()
        assert table.referee.standing.phase is phase
        assert table.referee.standing.to_move is (B if first == "winner" else None)


# -- none is missing

HERE = Path(__file__).parent


def named(letter):
    text = "".join((HERE / f"{name}.py").read_text() for name in ("test_rules_at_the_table", "test_rules_of_a_match"))
    names = re.findall(r"def (test_\w+)", text)
    return {number for name in names for number in re.findall(rf"_({letter}\d+)(?=_)", name)}


@pytest.mark.parametrize(("letter", "last"), [("S", 21), ("C", 12), ("L", 9), ("R", 6)])
def test_every_rule_is_played(letter, last):
    assert named(letter) >= {f"{letter}{n}" for n in range(1, last + 1)}


def test_every_open_question_is_played_or_settled():
    assert set(SETTINGS) | set(SETTLED) == {f"A{n}" for n in range(1, 36)}
    assert not set(SETTINGS) & set(SETTLED)
    assert named("A") >= set(SETTINGS)

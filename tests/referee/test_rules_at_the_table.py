"""Every numbered rule of the rulebook, played at a table: R, S and L here, the match in test_rules_of_a_match.py."""

from __future__ import annotations

import pytest
from eye import Shown
from match_table import MatchTable, kinds, of

from nardy_hw.errors import RefusedError
from nardy_hw.referee import commands as c
from nardy_hw.referee import events as e
from nardy_hw.referee.states import Phase
from nardy_hw.rules.ids import position_id
from nardy_hw.rules.position import Player, Position, Variant

W, B = Player.WHITE, Player.BLACK
SHORT, LONG = Variant.SHORT, Variant.LONG


def position(points, bar=(0, 0), variant=SHORT):
    """points: {board point: count}, White +; what is missing is off."""
    row = tuple(points.get(p, 0) for p in range(1, 25))
    white = sum(n for n in row if n > 0) + bar[0]
    black = -sum(n for n in row if n < 0) + bar[1]
    return Position(variant, row, bar, (15 - white, 15 - black))


def at(points, turn=W, bar=(0, 0), variant=SHORT, **settings):
    """A table where this stands, and this player is to throw."""
    table = MatchTable(variant, **settings)
    table.position = points if isinstance(points, Position) else position(points, bar, variant)
    table.do(c.SetBoard, by="director", reason="test", position=table.position, turn=turn)
    table.show()
    return table


def moved(table, *steps, sign=1):
    """What stands there with checkers moved from board point to board point, whatever the rules; 0 = off, 25 = bar."""
    points, bar = list(table.position.points), list(table.position.bar)
    side = 0 if sign > 0 else 1
    for start, end in steps:
        if start == 25:
            bar[side] -= 1
        else:
            points[start - 1] -= sign
        if end == 25:
            bar[side] += 1
        elif end:
            points[end - 1] += sign
    return Shown(tuple(points), tuple(bar))


def called(table, player, dice, shown):
    """(code, rule) of the call that this gets when the dice are lifted; the board is put back before it returns."""
    table.throw(player, *dice)
    (violation,) = of(table.show(shown), e.ViolationSeen)
    assert violation.player is player and violation.repair
    assert table.referee.standing.phase is Phase.FAULT
    return violation.code, violation.rule


def played(table, player, dice, text):
    """The legal play is taken as such."""
    table.throw(player, *dice)
    (play,) = of(table.play(player, dice, text), e.PlayMade)
    assert (play.player, play.text) == (player, text)
    return play.position


def no_play(table, player, dice):
    """Nothing can be played: announced, and the turn passes with the dice."""
    forced = of(table.throw(player, *dice), e.Announced)
    assert [event.text for event in forced] == ["no play"]
    (play,) = of(table.show(), e.PlayMade)
    assert (play.text, table.referee.standing.to_move) == ("no play", player.other)


START = Position.start(SHORT)


def test_S1_fifteen_checkers_a_side():
    table = MatchTable()
    fourteen = list(START.points)
    fourteen[5] -= 1
    (wrong,) = table.show(Shown(tuple(fourteen)), seconds=4.0)
    assert (wrong.code, wrong.points) == ("setup_wrong", (6,))


def test_S2_each_counts_his_own_way():
    table = at(START, B)
    after = played(table, B, (6, 2), "24/18 13/11")
    assert (after.points[0], after.points[6], after.points[13], after.points[11]) == (-1, -1, -1, -4)


def test_S3_the_start_position():
    table = MatchTable()
    (game,) = of(table.begin(), e.GameStarted)
    assert position_id(game.position, W) == "4HPwATDgc/ABMA"


def test_S4_the_higher_die_begins_and_plays_both_and_a_tie_is_thrown_again():
    table = MatchTable()
    table.begin()
    assert kinds(table.opening(4, 4)) == ["tie"]
    (roll,) = of(table.opening(2, 5), e.Roll)
    assert (roll.player, sorted(roll.dice)) == (B, [2, 5])


def test_S5_turns_alternate():
    table = at(START)
    played(table, W, (3, 1), "8/5 6/5")
    (refused,) = of(table.throw(W, 6, 5, seconds=2.0), e.NoRoll)
    assert (refused.player, refused.code) == (W, "wrong_player")


def test_S6_the_stop_between_must_be_free():
    table = at({24: 2, 19: -2, 23: -2, 1: 13, 2: -11})
    assert called(table, W, (5, 1), moved(table, (24, 18))) == ("blocked_stop", "S6")


def test_S7_two_enemies_block_a_point():
    table = at(START)
    both = list(START.points)
    both[23], both[18], both[12] = 1, (1, 5), 5  # 24/19 onto five of Black's
    assert called(table, W, (5, 2), Shown(tuple(both))) == ("blocked_point", "S7")


def test_S8_a_double_is_four_moves():
    played(at(START), W, (3, 3), "8/5(2) 6/3(2)")


def test_S9_both_numbers_must_be_played():
    table = at(START)
    assert called(table, W, (3, 1), moved(table, (8, 5))) == ("die_not_played", "S9")


def test_S10_the_larger_where_only_one_can_be_played():
    # 20/14 and 20/17 are both free, and what is left of the throw is blocked from either
    points = {20: 1, 11: -2, 8: -2, 14: 0, 17: 0, 1: -2, 2: -9, 3: 0}
    table = at(points | {4: 0})
    assert called(table, W, (6, 3), moved(table, (20, 17))) == ("larger_die_required", "S10")


def test_S11_as_many_of_a_double_as_possible_and_none_where_none_can_be():
    table = at(START)
    assert called(table, W, (3, 3), moved(table, (8, 5), (8, 5))) == ("die_not_played", "S11")
    no_play(at({19: -2, 20: -2, 21: -2, 22: -2, 23: -2, 24: -2, 1: 14, 2: -3}, bar=(1, 0)), W, (6, 5))


def test_S12_a_hit_checker_goes_to_the_bar():
    table = at({24: 2, 21: -1, 8: 3, 6: 10, 1: -14})
    after = played(table, W, (3, 2), "24/21* 8/6")
    assert after.bar == (0, 1)
    table = at({24: 2, 21: -1, 8: 3, 6: 10, 1: -14})
    both = list(table.position.points)
    both[23], both[20], both[7], both[5] = 1, (1, 1), 2, 11
    assert called(table, W, (3, 2), Shown(tuple(both))) == ("hit_not_lifted", "S12")


def test_S13_the_bar_comes_first():
    table = at({13: 5, 8: 3, 6: 5, 24: 1, 19: -5, 1: -10}, bar=(1, 0))
    assert called(table, W, (4, 2), moved(table, (13, 9), (8, 6))) == ("bar_first", "S13")


def test_S14_a_checker_enters_by_one_die():
    points = {13: 5, 8: 3, 6: 5, 24: 1, 21: -2, 23: -2, 1: -11}
    no_play(at(points, bar=(1, 0)), W, (4, 2))
    table = at(points, bar=(1, 0))
    assert called(table, W, (4, 2), moved(table, (25, 19))) == ("blocked_stop", "S6")


def test_S15_one_of_two_on_the_bar_enters_and_the_rest_is_lost():
    table = at({13: 5, 8: 3, 6: 5, 21: -2, 1: -13}, bar=(2, 0))
    after = played(table, W, (4, 3), "bar/22")
    assert after.bar == (1, 0)


def test_S16_nobody_bears_off_before_all_are_home():
    table = at({7: 1, 5: 7, 3: 7, 24: -15})
    assert called(table, W, (5, 3), moved(table, (5, 0), (3, 0))) == ("bear_off_too_early", "S16")


HOME = {5: 3, 4: 4, 2: 4, 1: 4, 24: -10, 23: -5}


def test_S17_a_number_takes_off_from_its_point_or_moves_inside():
    played(at(HOME), W, (5, 4), "5/off 4/off")
    played(at(HOME), W, (4, 1), "5/1 5/4")


def test_S18_a_higher_number_takes_off_from_the_highest_point():
    played(at(HOME), W, (6, 4), "5/off 4/off")
    table = at(HOME)
    assert called(table, W, (3, 1), moved(table, (2, 0), (1, 0))) == ("bear_off_gap", "S18")


def test_S19_a_number_that_can_be_played_must_be():
    table = at(HOME)
    assert called(table, W, (5, 4), moved(table, (5, 0))) == ("die_not_played", "S9")


def test_S20_a_checker_that_is_hit_must_come_home_first():
    table = at({5: 3, 4: 4, 1: 3, 24: -10, 23: -3, 2: -2}, bar=(1, 0))
    assert called(table, W, (5, 4), moved(table, (25, 20), (4, 0)))[0] == "bear_off_too_early"


def test_S21_the_first_to_bear_off_all_wins():
    table = at({1: 2, 24: -10, 23: -4})
    table.throw(W, 6, 5)
    said = table.show(position({24: -10, 23: -4}))
    assert [(event.winner, event.points) for event in of(said, e.GameOver)] == [(W, 1)]


# -- long nardy

HEADS = Position.start(LONG)


def test_L1_both_heads_hold_fifteen():
    table = MatchTable(LONG)
    (game,) = of(table.begin(), e.GameStarted)
    assert (game.position.points[23], game.position.points[11]) == (15, -15)


def test_L2_both_move_the_same_way_round():
    table = at(HEADS, B, variant=LONG)
    after = played(table, B, (2, 1), "24/21")
    assert after.points[8] == -1
    table = at({20: 10, 10: 5, 12: -15}, variant=LONG)
    assert called(table, W, (2, 1), moved(table, (10, 13))) == ("wrong_direction", "L2")


def test_L3_one_die_each_begins_the_game():
    table = MatchTable(LONG)
    table.begin()
    assert kinds(table.opening(2, 2)) == ["tie"]
    assert of(table.opening(6, 4), e.Roll)[0].player is W


def test_L4_every_number_that_can_be_played_must_be():
    table = at({24: 13, 18: 2, 12: -15}, variant=LONG)
    assert called(table, W, (3, 1), moved(table, (18, 15))) == ("die_not_played", "L4")


def test_L5_a_single_checker_holds_its_point():
    table = at({24: 13, 18: 2, 12: -14, 15: -1}, variant=LONG)
    both = list(table.position.points)
    both[17], both[14], both[23], both[22] = 1, (1, 1), 12, 1
    assert called(table, W, (3, 1), Shown(tuple(both))) == ("blocked_point", "L5")


def test_L6_one_checker_leaves_the_head_and_two_on_a_first_special_double():
    played(at(HEADS, variant=LONG), W, (3, 3), "24/18(2)")
    table = at({24: 14, 20: 1, 12: -14, 8: -1}, variant=LONG)
    assert called(table, W, (2, 1), moved(table, (24, 22), (24, 23))) == ("head_rule", "L6")


def test_L7_no_six_in_a_row_without_an_opponent_ahead():
    table = at({24: 9, 22: 1, 21: 1, 20: 1, 19: 1, 18: 1, 16: 1, 12: -15}, variant=LONG)
    assert called(table, W, (1, 5), moved(table, (24, 23), (16, 11)))[0] in ("prime_rule", "head_rule")
    table = at({24: 1, 22: 1, 21: 2, 20: 2, 19: 2, 18: 2, 16: 5, 12: -15}, variant=LONG)
    assert called(table, W, (1, 3), moved(table, (24, 23), (16, 13))) == ("prime_rule", "L7")


def test_L8_bearing_off_from_home_alone():
    table = at({6: 5, 5: 5, 7: 1, 3: 4, 18: -15}, variant=LONG)
    assert called(table, W, (6, 5), moved(table, (6, 0), (5, 0))) == ("bear_off_too_early", "L8")
    played(at({4: 5, 3: 5, 18: -15}, variant=LONG), W, (6, 5), "4/off(2)")


def test_L9_mars_counts_two():
    table = at({1: 2, 18: -15}, variant=LONG)
    table.throw(W, 6, 5)
    said = table.show(position({18: -15}, variant=LONG))
    assert [(event.winner, event.points) for event in of(said, e.Scored)] == [(W, 2)]
    with pytest.raises(RefusedError, match="resign"):
        table.do(c.Resign, B)


# -- at the table


def test_R1_each_throws_on_his_right_half():
    table = at(START)
    (refused,) = of(table.show(None, (3, "flat", "right"), (1, "flat", "left")), e.NoRoll)
    assert (refused.code, refused.rule) == ("dice_off_side", "R2")


@pytest.mark.parametrize("state", ["cocked", "on_checker"])
def test_R2_dice_that_do_not_lie_flat_are_thrown_again(state):
    table = at(START)
    (refused,) = of(table.throw(W, 3, 1, state), e.NoRoll)
    assert (refused.code, refused.rule) == (f"dice_{state}", "R2")
    assert of(table.throw(W, 6, 5), e.Roll)


def test_R2_three_dice_are_one_too_many():
    table = at(START)
    three = ((n, "flat", "right", 500.0 + 60 * n, 300.0) for n in (1, 2, 3))
    (refused,) = of(table.show(None, *three, seconds=3.0), e.NoRoll)
    assert (refused.code, refused.rule) == ("dice_count", "R2")


def test_R3_a_play_may_change_until_the_dice_are_lifted():
    table = at(START, mode="monitor")
    table.throw(W, 3, 1)
    lying = [(3, "flat", "right", 700.0, 500.0), (1, "flat", "right", 640.0, 500.0)]
    assert table.show(moved(table, (13, 10), (13, 11)), *lying) == []
    (play,) = of(table.play(W, (3, 1), "8/5 6/5"), e.PlayMade)
    assert play.text == "8/5 6/5"


def test_R4_a_throw_before_the_dice_are_lifted_is_thrown_again():
    table = at(START)
    mine = [(3, "flat", "right", 700.0, 500.0), (1, "flat", "right", 640.0, 500.0)]
    theirs = [(6, "flat", "left", 200.0, 300.0), (5, "flat", "left", 260.0, 300.0)]
    table.show(None, *mine)
    (refused,) = of(table.show(table.after(W, (3, 1), "8/5 6/5"), *mine, *theirs), e.NoRoll)
    assert (refused.player, refused.code, refused.rule) == (B, "dice_too_early", "R4")


def test_R4_but_not_where_the_play_was_forced():
    table = at({24: 1, 20: -2, 1: 14, 23: -13})
    mine = [(4, "flat", "right", 700.0, 500.0), (6, "flat", "right", 640.0, 500.0)]
    theirs = [(6, "flat", "left", 200.0, 300.0), (5, "flat", "left", 260.0, 300.0)]
    assert "forced" in kinds(table.show(None, *mine))
    said = table.show(table.after(W, (6, 4), "24/18 18/14"), *mine, *theirs)
    assert kinds(said)[:2] == ["play", "roll"]


def test_R5_an_illegal_play_stands_from_the_next_throw_on():
    table = at(START)
    wrong = moved(table, (13, 10), (13, 11))
    called(table, W, (3, 1), wrong)
    table.position = Position(SHORT, wrong.points)
    said = table.throw(B, 6, 5)
    assert kinds(said)[:2] == ["stands", "roll"]
    assert table.referee.standing.position == table.position


def test_R6_the_cube_is_offered_before_the_throw():
    table = at(START)
    table.throw(W, 3, 1)
    (refused,) = table.do(c.Double, W)
    assert (refused.code, refused.rule) == ("cube_not_allowed", "C6")

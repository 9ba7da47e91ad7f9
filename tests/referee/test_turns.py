"""Every way that a turn can go, scene by scene. The plays and codes are worked out from the rulebook."""

from dataclasses import replace

import pytest
from eye import Eye, Level, Shown, Table, thrown, watch

from nardy_hw.errors import DiceError
from nardy_hw.referee.core import State
from nardy_hw.referee.events import (
    Found,
    GameOver,
    Lost,
    NoRoll,
    OpeningTie,
    PlayMade,
    Roll,
    Stands,
    Started,
    Unsure,
    ViolationSeen,
    WarningGiven,
)
from nardy_hw.referee.margins import UNCHANGED_SECONDS
from nardy_hw.referee.profile import Profile
from nardy_hw.rules.position import Player, Position, Variant

W, B = Player.WHITE, Player.BLACK
SHORT, LONG = Position.start(Variant.SHORT), Position.start(Variant.LONG)


def kinds(events):
    return [type(event) for event in events]


def short(points, bar=(0, 0)):
    """points: {board point: count}, White +; what is missing is off."""
    row = tuple(points.get(p, 0) for p in range(1, 25))
    white = sum(n for n in row if n > 0) + bar[0]
    black = -sum(n for n in row if n < 0) + bar[1]
    return Position(Variant.SHORT, row, bar, (15 - white, 15 - black))


def shifted(position, *steps):
    """steps: (from, to) board points, one of White's checkers each; whatever the rules."""
    points = list(position.points)
    for start, end in steps:
        points[start - 1] -= 1
        points[end - 1] += 1
    return replace(position, points=tuple(points))


# -- the throw


def test_a_throw_needs_three_still_reads():
    table = Table(SHORT)
    assert table.throw(W, 3, 1, seconds=0.75) == []
    (roll,) = table.throw(W, 6, 4)
    assert (roll.player, sorted(roll.dice), roll.source) == (W, [4, 6], "camera")
    assert (roll.frame, roll.t) == (6, 1.5)
    assert table.referee.state is State.READING


def test_the_first_event_says_from_where_the_game_is_followed():
    table = Table(SHORT)
    table.show()
    (started,) = table.said
    assert (type(started), started.position, started.frame) == (Started, SHORT, 0)


def test_at_thirty_frames_a_second_three_frames_are_not_enough():
    table = Table(SHORT, eye=Eye(fps=30))
    assert table.throw(W, 3, 1, seconds=0.4) == []
    assert kinds(table.throw(W, 3, 1, seconds=0.6)) == [Roll]


def test_a_die_missed_in_one_read_of_three_is_forgiven():
    table = Table(SHORT)
    frames = [*table.eye.see(Shown.of(SHORT, thrown("right", 3, 1)))]
    frames[2] = replace(frames[2], dice=frames[2].dice[:1])
    assert kinds(watch(table.referee, iter(frames))) == [Started, Roll]


@pytest.mark.parametrize(("state", "code"), [("cocked", "dice_cocked"), ("on_checker", "dice_on_checker")])
def test_an_invalid_throw_is_refused_once_and_thrown_again(state, code):
    table = Table(SHORT)
    dice = thrown("right", 3, 1, state)
    (refused,) = table.show(None, *dice)
    assert (type(refused), refused.player, refused.code, refused.rule) == (NoRoll, W, code, "R2")
    assert table.show(None, *dice, seconds=3.0) == []
    (roll,) = table.throw(W, 6, 5)
    assert sorted(roll.dice) == [5, 6]


def test_a_die_that_only_seemed_cocked_counts_when_it_is_played():
    table = Table(SHORT)
    cocked = thrown("right", 3, 1, "cocked")
    assert kinds(table.show(None, *cocked)) == [NoRoll]
    made = table.play(W, (3, 1), "8/5 6/5")
    (roll,) = table.show(made, *cocked)
    assert (type(roll), sorted(roll.dice)) == (Roll, [1, 3])
    assert kinds(table.show(made)) == [PlayMade]


def test_or_after_it_was_lifted():
    table = Table(SHORT)
    table.show(None, *thrown("right", 3, 1, "cocked"))
    table.show(table.play(W, (3, 1), "8/5 6/5"))
    roll, play, _ = table.throw(B, 6, 5)
    assert (sorted(roll.dice), play.text) == ([1, 3], "8/5 6/5")


def test_one_die_on_each_half_is_off_side():
    table = Table(SHORT)
    (refused,) = table.show(None, (3, "flat", "right"), (1, "flat", "left"))
    assert (refused.code, refused.rule, refused.player) == ("dice_off_side", "R2", W)


def test_a_cocked_die_read_as_flat_and_thrown_again():
    table = Table(SHORT)
    assert kinds(table.throw(W, 3, 1)) == [Roll]
    (roll,) = table.throw(W, 6, 4)
    assert (type(roll), sorted(roll.dice)) == (Roll, [4, 6])
    (play,) = table.show(table.play(W, (6, 4), "24/18 13/9"))
    assert play.dice in [(6, 4), (4, 6)]


def test_dice_moved_aside_are_the_same_throw():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    assert table.show(None, (3, "flat", "right", 500.0, 100.0), (1, "flat", "right", 540.0, 100.0)) == []
    assert kinds(table.show(table.play(W, (3, 1), "8/5 6/5"))) == [PlayMade]


# -- the opening


def test_the_higher_die_begins_and_plays_both_after_a_tie():
    table = Table(SHORT, None)
    assert table.referee.to_move is None
    tie = (4, "flat", "left", 200.0, 100.0), (4, "flat", "right", 600.0, 100.0)
    assert [(type(event), event.dice) for event in table.show(None, *tie)] == [(OpeningTie, (4, 4))]
    won = (5, "flat", "left", 250.0, 150.0), (3, "flat", "right", 650.0, 150.0)
    (roll,) = table.show(None, *won)
    assert (roll.player, sorted(roll.dice), table.referee.to_move) == (B, [3, 5], B)
    assert table.show(table.play(B, (5, 3), "8/3 6/3"), *won) == []
    (play,) = table.show()
    assert (play.player, play.text) == (B, "8/3 6/3")
    assert table.referee.to_move is W


def test_an_opening_die_that_is_cocked():
    table = Table(SHORT, None)
    events = table.show(None, (5, "flat", "left"), (3, "cocked", "right"))
    assert [event.code for event in events] == ["dice_cocked"]


# -- legal plays


def test_a_play_is_final_when_the_dice_are_gone():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    made = table.play(W, (3, 1), "8/5 6/5")
    assert table.show(made, *thrown("right", 3, 1)) == []
    (play,) = table.show()
    assert (type(play), play.player, play.text, play.position) == (PlayMade, W, "8/5 6/5", made)
    assert play.confidence > 0.99
    assert (table.referee.to_move, table.referee.position, table.referee.state) == (B, made, State.WAITING)


def test_or_when_the_other_player_has_thrown():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    table.show(table.play(W, (3, 1), "8/5 6/5"), *thrown("right", 3, 1))
    play, roll = table.throw(B, 6, 5)
    assert (type(play), play.player) == (PlayMade, W)
    assert (type(roll), roll.player) == (Roll, B)


def test_it_may_be_changed_while_the_dice_lie():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    table.show(table.play(W, (3, 1), "8/5 6/5"), *thrown("right", 3, 1))
    table.show(SHORT, *thrown("right", 3, 1))
    other = table.play(W, (3, 1), "24/23 13/10")
    table.show(other, *thrown("right", 3, 1))
    (play,) = table.show()
    assert play.position == other


def test_half_a_play_is_no_fault_while_the_dice_lie():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    assert table.show(shifted(SHORT, (8, 5)), *thrown("right", 3, 1), seconds=3.0) == []


def test_dice_that_one_scene_hides_in_part_are_not_gone():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    assert table.show(shifted(SHORT, (8, 5)), *thrown("right", 3, 1)[:1], seconds=3.0) == []


def test_a_hand_over_the_board_is_waited_for():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    assert table.show(shifted(SHORT, (8, 4)), hand=True, seconds=3.0) == []
    assert table.referee.state is State.HAND


def test_no_play():
    # Black's home is closed, White is on the bar
    closed = dict.fromkeys(range(19, 25), -2) | {13: -3, 6: 5, 8: 5, 4: 4}
    table = Table(short(closed, bar=(1, 0)))
    table.throw(W, 6, 5)
    (play,) = table.show()
    assert (play.text, play.position, table.referee.to_move) == ("no play", table.position, B)


def test_a_move_where_none_is_possible_is_illegal():
    """S10: White is on the bar against a closed board; the unmoved board before the dice go is no play yet."""
    closed = dict.fromkeys(range(19, 25), -2) | {13: 5}
    table = Table(short(closed, bar=(1, 0)))
    table.throw(W, 3, 1)
    (violation,) = table.show(shifted(table.position, (13, 10)))
    assert (type(violation), violation.code, violation.player) == (ViolationSeen, "bar_first", W)


def test_a_play_that_is_changed_before_the_next_throw_is_said_again():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    made = table.play(W, (3, 1), "24/23 13/10")
    other = table.play(W, (3, 1), "8/5 6/5")
    assert [play.position for play in table.show(made)] == [made]
    assert [play.position for play in table.show(other)] == [other]
    assert kinds(table.throw(B, 6, 5)) == [Roll]


def test_the_first_turn_of_long_nardy_may_take_two_from_the_head():
    table = Table(LONG)
    table.throw(W, 6, 6)
    (play,) = table.show(shifted(LONG, (24, 18), (24, 18)))
    assert play.text == "24/18(2)"
    # not so in White's next turn, though it is a 6-6 again
    table.throw(B, 2, 1)
    table.show(table.play(B, (2, 1), "24/21", first_turn=True))
    table.throw(W, 3, 3)
    (fault,) = table.show(shifted(table.position, (24, 21), (24, 21), (18, 15), (18, 15)))
    assert fault.code == "head_rule"


def test_a_game_that_did_not_begin_here_has_no_first_turns():
    begun = shifted(LONG, (24, 23))
    table = Table(begun)
    table.throw(W, 6, 6)
    (fault,) = table.show(shifted(begun, (24, 18), (24, 18)))
    assert (type(fault), fault.code) == (ViolationSeen, "head_rule")


# -- illegal plays


def wrong(table):
    """White plays 13/8 6/5 of 3-1, and lifts his dice."""
    table.throw(W, 3, 1)
    return table.show(shifted(table.position, (13, 8), (6, 5)))


def test_a_violation_that_is_put_right():
    table = Table(SHORT)
    (fault,) = wrong(table)
    assert (type(fault), fault.player, fault.code, fault.rule) == (ViolationSeen, W, "wrong_distance", "S6")
    assert fault.position == shifted(SHORT, (13, 8), (6, 5))
    assert "8 back to 13" in fault.repair
    assert (table.referee.state, table.referee.position) == (State.ILLEGAL, SHORT)
    assert table.show(SHORT) == []
    assert table.referee.state is State.ILLEGAL
    right = table.play(W, (3, 1), "13/10 6/5")
    (play,) = table.show(right)
    assert (type(play), play.position, table.referee.state) == (PlayMade, right, State.WAITING)


def test_another_illegal_position_on_the_way_is_not_called_again():
    table = Table(SHORT)
    wrong(table)
    assert table.show(shifted(SHORT, (13, 8))) == []
    assert table.show(shifted(SHORT, (13, 11))) == []


def test_a_violation_that_stands():
    table = Table(SHORT)
    wrong(table)
    stood = table.position
    stands, roll = table.throw(B, 6, 5)
    assert (type(stands), stands.player, stands.position) == (Stands, W, stood)
    assert (type(roll), roll.player) == (Roll, B)
    (play,) = table.show(table.play(B, (6, 5), "24/13"))
    assert (type(play), play.text) == (PlayMade, "24/13")


def test_what_stands_is_what_lies_there_at_the_throw():
    table = Table(SHORT)
    wrong(table)
    stood = shifted(SHORT, (13, 7), (6, 5))
    table.show(stood)
    (stands, _) = table.throw(B, 6, 5)
    assert stands.position == stood


def test_put_back_and_left_so_stands_too():
    table = Table(SHORT)
    wrong(table)
    table.show(SHORT)
    (stands, _) = table.throw(B, 6, 5)
    assert stands.position == SHORT


def test_a_violation_seen_only_as_the_other_throws():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    table.show(shifted(SHORT, (13, 8), (6, 5)), *thrown("right", 3, 1))
    assert kinds(table.throw(B, 6, 5)) == [ViolationSeen, Stands, Roll]


def test_a_warning_once_while_the_dice_lie_and_then_put_right():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    (warning,) = table.show(shifted(SHORT, (13, 8)), *thrown("right", 3, 1), seconds=3.0)
    assert (type(warning), warning.code) == (WarningGiven, "wrong_distance")
    assert table.show(None, *thrown("right", 3, 1)) == []
    table.show(table.play(W, (3, 1), "8/5 6/5"), *thrown("right", 3, 1))
    assert kinds(table.show()) == [PlayMade]


@pytest.mark.parametrize("mode", ["silent", "monitor"])
def test_no_warnings_where_they_are_not_wanted(mode):
    table = Table(SHORT, profile=Profile(mode=mode))
    table.throw(W, 3, 1)
    assert table.show(shifted(SHORT, (13, 8)), *thrown("right", 3, 1), seconds=3.0) == []
    assert kinds(table.show()) == [ViolationSeen]


def test_both_colours_on_a_point():
    table = Table(SHORT)
    table.throw(W, 5, 1)
    points = list(shifted(SHORT, (6, 5)).points)
    points[23] -= 1
    (fault,) = table.show(Shown([*points[:18], (1, 5), *points[19:]]))
    assert (fault.code, fault.position) == ("blocked_point", SHORT)


def test_a_hidden_place_that_matters_accuses_nobody_until_it_is_seen():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    events = table.show(shifted(SHORT, (13, 8), (6, 5)), hidden=(8, 13), seconds=1.5)
    assert kinds(events) == [Unsure]
    assert kinds(table.show(seconds=1.5)) == [ViolationSeen]


def test_nothing_moved_is_waited_for_long():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    assert table.show(seconds=UNCHANGED_SECONDS) == []
    (unsure,) = table.show(seconds=1.5)
    assert (type(unsure), table.referee.state) == (Unsure, State.UNSURE)
    fault, stands, roll = table.throw(B, 6, 5)
    assert (fault.code, stands.position, roll.player) == ("die_not_played", SHORT, B)


def test_dice_hidden_for_a_while_cost_nothing():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    table.show(seconds=3.0)
    table.show(None, *thrown("right", 3, 1))
    table.show(table.play(W, (3, 1), "8/5 6/5"), *thrown("right", 3, 1))
    assert kinds(table.show()) == [PlayMade]


# -- doubt


def doubtful(table, odds, *values):
    """A throw of White's whose first die may be either of two values; odds: of the first."""
    shown = Shown.of(table.position, thrown("right", values[0], 1))
    frames = [*table.eye.see(shown)]
    for n, frame in enumerate(frames):
        row = [1e-4] * 6
        row[values[0] - 1], row[values[1] - 1] = odds, 1 - odds
        dice = (replace(frame.dice[0], values=tuple(row)), frame.dice[1])
        frames[n] = replace(frame, dice=dice)
    return watch(table.referee, iter(frames))


def test_a_doubtful_die_is_the_one_that_the_play_fits():
    table = Table(SHORT)
    roll = doubtful(table, 0.62, 5, 6)[-1]
    assert sorted(roll.dice) == [1, 5]
    corrected, play = table.show(table.play(W, (6, 1), "13/7 8/7"))
    assert (type(corrected), corrected.dice) == (Roll, (6, 1))
    assert (type(play), play.dice, play.text) == (PlayMade, (6, 1), "13/7 8/7")


def test_a_misread_die_accuses_nobody():
    table = Table(SHORT)
    doubtful(table, 0.98, 5, 6)  # 1 in 50 for the six: too little to take it for one, too much to accuse
    made = table.play(W, (6, 1), "13/7 8/7")
    (unsure,) = table.show(made, seconds=2.0)
    assert (type(unsure), "6-1" in unsure.why) == (Unsure, True)
    play, roll = table.throw(B, 6, 5)
    assert (type(play), play.dice, play.position, type(roll)) == (PlayMade, (6, 1), made, Roll)


def test_a_missed_throw_is_inferred():
    table = Table(SHORT)
    made = table.play(W, (3, 1), "8/5 6/5")
    table.show(made)
    unsure, play, roll = table.throw(B, 6, 5)
    assert (type(unsure), "not seen" in unsure.why) == (Unsure, True)
    assert (type(play), play.player, sorted(play.dice), play.position) == (PlayMade, W, [1, 3], made)
    assert (type(roll), roll.player) == (Roll, B)


def test_a_throw_that_was_glimpsed_is_said_with_the_play():
    table = Table(SHORT)
    table.throw(W, 3, 1, seconds=0.75)
    made = table.play(W, (3, 1), "8/5 6/5")
    table.show(made, hand=True)
    table.show(made)
    said = table.throw(B, 6, 5)
    assert kinds(said) == [Roll, PlayMade, Roll]
    assert sorted(said[0].dice) == [1, 3]


def test_the_other_players_throw_while_nothing_was_played():
    table = Table(SHORT)
    events = table.throw(B, 6, 5, seconds=3.0)
    assert [(type(event), event.player, event.code, event.rule) for event in events] == [
        (NoRoll, B, "wrong_player", "S5")
    ]
    assert table.referee.to_move is W
    assert kinds(table.throw(W, 3, 1)) == [Roll]


def test_an_undecided_turn_is_decided_by_the_next_one():
    # 8/5 6/5 and 8/7 6/3 differ on 3, 5 and 7 alone, and these are covered
    table = Table(SHORT)
    table.throw(W, 3, 1)
    made = table.play(W, (3, 1), "8/5 6/5")
    assert kinds(table.show(made, hidden=(3, 5, 7), seconds=1.5)) == [Unsure]
    said = table.show(made, *thrown("left", 6, 5), hidden=(3, 5, 7))
    assert kinds(said) == []  # the throw waits for the play before it
    table.show(made, hand=True)
    assert kinds(table.said[-1:]) == [Roll]
    (first, second) = table.show(table.play(B, (6, 5), "24/13", before=made))
    assert (first.player, first.position) == (W, made)
    assert (second.player, second.text) == (B, "24/13")


def test_or_by_more_frames_after_the_throw():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    made = table.play(W, (3, 1), "8/7 6/3")
    table.show(made, *thrown("right", 3, 1), hidden=(3, 5, 7))
    table.show(made, *thrown("left", 6, 5), hidden=(3, 5, 7))
    rest = [*table.eye.see(Shown.of(made, thrown("left", 6, 5)))][1:]
    play, roll = watch(table.referee, iter(rest))
    assert (type(play), play.position, roll.player) == (PlayMade, made, B)


def test_a_board_that_has_changed_by_itself_accuses_nobody():
    table = Table(SHORT)
    pushed = shifted(SHORT, (8, 7))
    unsure, roll = table.show(pushed, *thrown("right", 6, 5))
    assert (type(unsure), "7, 8" in unsure.why, type(roll)) == (Unsure, True, Roll)
    resumed, play = table.show(table.play(W, (6, 5), "24/13", before=pushed))
    assert (type(resumed), resumed.position) == (Started, pushed)
    assert (play.text, play.position) == ("24/13", table.position)


def test_between_turns_it_is_remarked_on_once():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    table.show(table.play(W, (3, 1), "8/5 6/5"))
    assert kinds(table.show(shifted(table.position, (24, 20), (13, 10)), seconds=5.0)) == [Unsure]


def test_a_place_that_was_misread_as_he_threw_is_not_held_against_him():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    table.show(table.play(W, (3, 1), "8/5 6/5"))
    points = list(table.referee.position.points)
    points[11] = -4  # Black's five on 12 look like four
    table.show(Shown(points, dice=thrown("left", 6, 5)))
    made = table.play(B, (6, 5), "24/13")
    seen = list(made.points)
    assert seen[11] == -6
    seen[11] = -4  # and so do six
    (play,) = table.show(Shown(seen))
    assert (type(play), play.position) == (PlayMade, made)


def test_a_colour_that_flips_with_the_light_as_the_other_throws():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    made = table.play(W, (3, 1), "8/5 6/5")
    table.show(made, *thrown("right", 3, 1))
    flipped = list(made.points)
    flipped[11], flipped[0] = 5, 2
    play, roll = table.show(Shown(flipped, dice=thrown("left", 6, 5)))
    assert (type(play), play.position, type(roll)) == (PlayMade, made, Roll)


# -- the other player's throw


def test_a_throw_before_the_dice_are_lifted_is_too_early():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    table.show(table.play(W, (3, 1), "8/5 6/5"), *thrown("right", 3, 1))
    both = *thrown("right", 3, 1), *thrown("left", 6, 5)
    (early,) = table.show(None, *both, seconds=2.0)
    assert (early.player, early.code, early.rule) == (B, "dice_too_early", "R4")
    assert kinds(table.show()) == [PlayMade]
    assert kinds(table.throw(B, 4, 4)) == [Roll]


def test_but_not_once_the_sides_have_passed_each_other():
    table = Table(short({3: 8, 2: 7, 20: -15}))
    table.throw(W, 3, 2)
    table.show(table.play(W, (3, 2), "3/off 2/off"), *thrown("right", 3, 2))
    both = *thrown("right", 3, 2), *thrown("left", 6, 5)
    assert kinds(table.show(None, *both)) == [PlayMade, Roll]


def test_used_dice_that_nobody_lifts_are_not_a_new_throw():
    table = Table(short({3: 8, 2: 7, 20: -15}))
    table.throw(W, 3, 2)
    table.show(table.play(W, (3, 2), "3/off 2/off"), *thrown("right", 3, 2))
    table.show(None, *thrown("right", 3, 2), *thrown("left", 6, 5))
    made = table.play(B, (6, 5), "5/off(2)")
    assert table.show(made, *thrown("right", 3, 2), *thrown("left", 6, 5), seconds=2.0) == []
    (play,) = table.show(made, *thrown("right", 3, 2))
    assert (play.player, play.position) == (B, made)
    assert table.show(made, *thrown("right", 3, 2), seconds=2.0) == []


def test_the_position_is_confirmed_while_the_throw_lies_and_nothing_has_moved():
    table = Table(SHORT)
    assert not table.referee.confirmed
    table.throw(W, 3, 1)
    assert table.referee.confirmed
    table.show(hand=True)
    assert not table.referee.confirmed
    late = Table(SHORT)
    late.show(late.play(W, (3, 1), "8/5 6/5"), *thrown("right", 3, 1))
    assert late.referee.to_move is W
    assert not late.referee.confirmed  # he has moved already


# -- given throws


def test_given_throws_begin_and_end_turns():
    table = Table(SHORT, trusted_rolls=True)
    table.show()
    (roll,) = table.referee.roll(1.0, 4, W, (3, 1), "electronic")
    assert (roll.dice, roll.source, roll.t) == ((3, 1), "electronic", 1.0)
    made = table.play(W, (3, 1), "8/5 6/5")
    assert table.show(made) == []  # no dice were ever seen: nothing says that he is done
    play, roll = table.referee.roll(2.0, 8, B, (6, 6), "typed")
    assert (play.text, play.dice, roll.player) == ("8/5 6/5", (3, 1), B)


def test_the_cameras_dice_then_tell_only_the_end():
    table = Table(SHORT, trusted_rolls=True)
    table.referee.roll(0.0, 0, W, (3, 1), "electronic")
    assert table.throw(W, 6, 6) == []
    (play,) = table.show(table.play(W, (3, 1), "8/5 6/5"))
    assert play.dice == (3, 1)
    assert table.throw(B, 6, 5) == []


def test_with_given_throws_dice_need_only_be_there_to_be_gone():
    table = Table(SHORT, trusted_rolls=True)
    table.referee.roll(0.0, 0, W, (3, 1), "electronic")
    table.show(None, (6, "cocked", "right"))
    (fault,) = table.show(shifted(SHORT, (13, 8), (6, 5)))
    assert fault.code == "wrong_distance"


def test_a_play_that_the_camera_sees_only_after_the_given_throw():
    table = Table(SHORT, trusted_rolls=True)
    table.referee.roll(0.0, 0, W, (3, 1), "electronic")
    table.show(shifted(SHORT, (8, 5)))
    made = table.play(W, (3, 1), "8/5 6/5")
    table.show(made, still=False)
    assert table.referee.roll(2.0, 8, B, (6, 5), "electronic") == []
    play, roll = table.show(made)
    assert (play.text, roll.player) == ("8/5 6/5", B)


def test_a_turn_of_which_nothing_was_seen_before_the_next_given_throw():
    table = Table(SHORT, trusted_rolls=True)
    table.referee.roll(0.0, 0, W, (3, 1), "electronic")
    table.referee.roll(0.1, 0, B, (6, 5), "electronic")
    made = table.play(W, (3, 1), "8/5 6/5")
    play, roll = table.show(made)
    assert (play.player, play.position, roll.player) == (W, made, B)


def test_a_throw_typed_again_replaces_the_first():
    table = Table(SHORT, trusted_rolls=True)
    table.referee.roll(0.0, 0, W, (3, 1), "typed")
    table.referee.roll(0.5, 2, W, (4, 1), "typed")
    table.show(table.play(W, (4, 1), "24/23 13/9"))
    (play, _) = table.referee.roll(2.0, 8, B, (6, 5), "typed")
    assert play.dice == (4, 1)


@pytest.mark.parametrize("dice", [(0, 3), (3, 7), (3,), (3, 3, 3)])
def test_dice_that_cannot_be_thrown(dice):
    with pytest.raises(DiceError, match="1 to 6"):
        Table(SHORT).referee.roll(0.0, 0, W, dice, "typed")


# -- the camera, and the end


def test_lost_and_found():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    (lost,) = table.show(field_found=False, seconds=3.0)
    assert (type(lost), table.referee.state) == (Lost, State.LOST)
    made = table.play(W, (3, 1), "8/5 6/5")
    found, play = table.show(made)
    assert (type(found), type(play), play.position) == (Found, PlayMade, made)


def test_one_frame_without_the_board_is_nothing():
    table = Table(SHORT)
    assert table.show(field_found=False, seconds=0.5) == []


def test_the_last_checker_ends_the_game():
    table = Table(short({1: 1, 20: -15}))
    table.throw(W, 3, 1)
    play, over = table.show(short({20: -15}))
    assert (play.text, type(over), over.winner, over.points) == ("1/off", GameOver, W, 2)
    assert table.referee.state is State.OVER
    assert table.throw(B, 6, 5) == []
    assert table.referee.roll(9.0, 40, B, (6, 5), "typed") == []
    assert table.referee.finish(9.0, 40) == []


def test_finish_says_the_play_though_the_dice_lie():
    table = Table(SHORT)
    table.throw(W, 3, 1)
    table.show(table.play(W, (3, 1), "8/5 6/5"), *thrown("right", 3, 1))
    (play,) = table.referee.finish(3.0, 12)
    assert (play.text, play.frame) == ("8/5 6/5", 12)


def test_finish_does_not_invent_a_play_nor_accuse():
    table = Table(SHORT)
    assert kinds(table.referee.finish(0.0, 0)) == [Started]
    table.throw(W, 3, 1)
    assert table.referee.finish(1.0, 4) == []
    table.show(shifted(SHORT, (13, 8)), *thrown("right", 3, 1))
    assert table.referee.finish(3.0, 12) == []


def test_white_may_play_the_darker_checkers():
    table = Table(SHORT, eye=Eye(Level(noise=0.5), white_is_light=False))
    table.throw(W, 3, 1)
    (play,) = table.show(table.play(W, (3, 1), "8/5 6/5"))
    assert play.text == "8/5 6/5"

from collections import Counter
from dataclasses import dataclass

import pytest
from golden import at, position, records, stand, turns

from nardy_hw.errors import DiceError, PositionError
from nardy_hw.rules.explain import explain
from nardy_hw.rules.notation import format_play
from nardy_hw.rules.options import STRICT, RuleOptions
from nardy_hw.rules.position import Placement, Player, Position, Variant
from nardy_hw.rules.violations import MESSAGES, RULES, Code

WHITE, BLACK = Player.WHITE, Player.BLACK

OPENING = {24: 2, 13: 5, 8: 3, 6: 5}
BLOT = {24: 1, 20: 1, 13: 5, 8: 3, 6: 5}
"""As Black, from the opening: 24/20, a blot on White's 5."""
HEADS = {24: 15}
ONE_SHORT = {24: 9, 19: 1, 18: 1, 17: 1, 16: 1, 15: 1, 14: 1}


@dataclass
class Case:
    """What White did with the dice, both sides in their own numbers; the code, rule, repair and points wanted first."""

    code: str
    rule: str
    variant: str
    white: tuple[dict, dict]
    black: tuple[dict, dict]
    dice: tuple[int, int]
    repair: str
    points: tuple[int, ...]
    first_turn: bool = False


CASES = {
    "a black checker was moved": Case(
        "opponents_checker_moved", "S6", "short",
        (OPENING, OPENING), (OPENING, {24: 2, 13: 4, 8: 4, 6: 5}), (6, 5),
        "Black, by White's numbers: 17 back to 12", (12, 17),
    ),
    "a black checker went into the tray": Case(
        "opponents_checker_moved", "S6", "short",
        (OPENING, {24: 1, 18: 1, 13: 4, 8: 4, 6: 5}), (OPENING, {24: 2, 13: 5, 8: 3, 6: 4}), (6, 5),
        "Black, by White's numbers: 1 from the tray back to 19", (19,),
    ),
    "13/9 with a checker on the bar": Case(
        "bar_first", "S13", "short",
        ({25: 1, 13: 5, 8: 4, 6: 5}, {25: 1, 13: 4, 9: 1, 8: 4, 6: 5}), (OPENING, OPENING), (4, 4),
        "White: 9 back to 13", (25, 13, 9),
    ),
    "one entered and moved on, the other still on the bar": Case(
        "bar_first", "S13", "short",
        ({25: 2, 13: 5, 8: 3, 6: 5}, {25: 1, 18: 1, 13: 5, 8: 3, 6: 5}), (OPENING, OPENING), (4, 3),
        "White: 18 back to bar", (25, 18),
    ),
    "8/10": Case(
        "wrong_direction", "S6", "short",
        (OPENING, {24: 2, 13: 5, 10: 1, 8: 2, 6: 5}), (OPENING, OPENING), (2, 1),
        "White: 10 back to 8", (8, 10),
    ),
    "long 15/20": Case(
        "wrong_direction", "L2", "long",
        ({24: 14, 15: 1}, {24: 14, 20: 1}), (HEADS, HEADS), (5, 5),
        "White: 20 back to 15", (15, 20),
    ),
    "24/19 onto five black checkers": Case(
        "blocked_point", "S7", "short",
        (OPENING, {24: 1, 19: 1, 13: 5, 8: 3, 6: 5}), (OPENING, OPENING), (5, 4),
        "White: 19 back to 24", (24, 19),
    ),
    "a point of two was hit and cleared": Case(
        "blocked_point", "S7", "short",
        (OPENING, {24: 1, 19: 1, 13: 5, 8: 3, 6: 5}),
        ({24: 2, 13: 5, 8: 6, 6: 2}, {25: 2, 24: 2, 13: 5, 8: 6}), (5, 4),
        "White: 19 back to 24", (24, 19),
    ),
    "long: one checker owns its point": Case(
        "blocked_point", "L5", "long",
        ({24: 14, 15: 1}, {24: 14, 9: 1}), ({24: 14, 21: 1}, {24: 14, 21: 1}), (6, 5),
        "White: 9 back to 15", (15, 9),
    ),
    "24/14 with 5-5, 19 is held": Case(
        "blocked_stop", "S6", "short",
        (OPENING, {24: 1, 14: 1, 13: 5, 8: 3, 6: 5}), (OPENING, OPENING), (5, 5),
        "White: 14 back to 24", (24, 14),
    ),
    "6/off, one still on 7": Case(
        "bear_off_too_early", "S16", "short",
        ({7: 1, 6: 7, 5: 7}, {7: 1, 6: 6, 5: 7}), ({6: 15}, {6: 15}), (6, 1),
        "White: 1 from the tray back to 6", (6, 0),
    ),
    "checkers swept into the tray from anywhere": Case(
        "bear_off_too_early", "S16", "short",
        (OPENING, {24: 2, 13: 3, 8: 3, 6: 5}), (OPENING, OPENING), (6, 1),
        "White: 2 from the tray back to 13", (13, 0),
    ),
    "4/off with a 5, one on 6 (the Lithuanian text's example)": Case(
        "bear_off_gap", "S18", "short",
        ({6: 1, 4: 2}, {6: 1, 4: 1}), ({6: 15}, {6: 15}), (5, 2),
        "White: 1 from the tray back to 4", (4, 0),
    ),
    "long: 3/off with a 4, one on 5": Case(
        "bear_off_gap", "L8", "long",
        ({5: 2, 3: 2}, {5: 2, 3: 1}), ({1: 15}, {1: 15}), (4, 4),
        "White: 1 from the tray back to 3", (3, 0),
    ),
    "two from the head with 6-5": Case(
        "head_rule", "L6", "long",
        (HEADS, {24: 13, 19: 1, 18: 1}), (HEADS, HEADS), (6, 5),
        "White: take it back, play 24/13", (24,), first_turn=True,
    ),
    "three from the head on a first 3-3": Case(
        "head_rule", "L6", "long",
        (HEADS, {24: 12, 21: 3}), (HEADS, HEADS), (3, 3),
        "White: take it back, play 24/15 24/21", (24,), first_turn=True,
    ),
    "19/13 makes six in a row, all Black behind": Case(
        "prime_rule", "L7", "long",
        (ONE_SHORT, {24: 8, 23: 1, 18: 1, 17: 1, 16: 1, 15: 1, 14: 1, 13: 1}), (HEADS, HEADS), (6, 1),
        "", (18, 17, 16, 15, 14, 13),
    ),
    "a third checker, 6/5": Case(
        "too_many_moves", "S6", "short",
        (OPENING, {24: 1, 18: 1, 13: 4, 8: 4, 6: 4, 5: 1}), (OPENING, OPENING), (6, 5),
        "White: 5 back to 6", (6, 5),
    ),
    "13/9 with 6-5": Case(
        "wrong_distance", "S6", "short",
        (OPENING, {24: 2, 13: 4, 9: 1, 8: 3, 6: 5}), (OPENING, OPENING), (6, 5),
        "White: 9 back to 13", (13, 9),
    ),
    "8/5 6/5 onto a blot left standing": Case(
        "hit_not_lifted", "S12", "short",
        (OPENING, {24: 2, 13: 5, 8: 2, 6: 4, 5: 2}), (BLOT, BLOT), (3, 1),
        "Black's checker on White's 5 to the bar", (5,),
    ),
    "8/5 6/5 onto a blot that went into the tray": Case(
        "hit_not_lifted", "S12", "short",
        (OPENING, {24: 2, 13: 5, 8: 2, 6: 4, 5: 2}), (BLOT, {24: 1, 13: 5, 8: 3, 6: 5}), (3, 1),
        "Black's checker on White's 5 to the bar", (5,),
    ),
    "24/18 13/11, and a blot on 5 lifted": Case(
        "lifted_without_hit", "S12", "short",
        (OPENING, {24: 1, 18: 1, 13: 4, 11: 1, 8: 3, 6: 5}), (BLOT, {25: 1, 24: 1, 13: 5, 8: 3, 6: 5}), (6, 2),
        "Black's checker from the bar back to White's 5", (5,),
    ),
    "6/5 where 6/4 is the larger and only one can be played": Case(
        "larger_die_required", "S10", "short",
        ({6: 1}, {5: 1}), ({24: 1, 22: 2}, {24: 1, 22: 2}), (2, 1),
        "White: take it back, play 6/4", (),
    ),
    "8/7, after which no 6; 12/5 plays both": Case(
        "both_dice_playable", "S9", "short",
        ({12: 1, 8: 1}, {12: 1, 7: 1}), ({24: 2, 23: 2, 19: 2}, {24: 2, 23: 2, 19: 2}), (6, 1),
        "White: take it back, play 12/5", (),
    ),
    "13/7 alone with 6-5": Case(
        "die_not_played", "S9", "short",
        ({13: 1, 6: 14}, {7: 1, 6: 14}), ({1: 15}, {1: 15}), (6, 5),
        "White: play 7/2", (7,),
    ),
    "nothing moved": Case(
        "die_not_played", "L4", "long",
        (HEADS, HEADS), (HEADS, HEADS), (6, 5),
        "White: play 24/13", (24, 18), first_turn=True,
    ),
    "two of four 3s": Case(
        "die_not_played", "S11", "short",
        ({13: 1, 1: 14}, {7: 1, 1: 14}), ({6: 15}, {6: 15}), (3, 3),
        "White: play 7/1", (7, 4),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_a_referee_says_first(name):
    case = CASES[name]
    before = at(case.variant, case.white[0], case.black[0])
    after = stand(case.variant, case.white[1], case.black[1])
    verdict = explain(before, WHITE, case.dice, after, first_turn=case.first_turn, options=STRICT)
    assert verdict.play is None
    first = verdict.violations[0]
    assert (first.code, first.rule) == (case.code, case.rule)
    if case.repair:
        assert first.repair == case.repair
    if case.points:
        assert first.points == case.points
    assert verdict.nearest


@pytest.mark.parametrize("name", CASES)
def test_the_same_for_black_in_his_own_numbers(name):
    """The two games are the same for both players, each in his own numbers; only the names change sides."""
    case = CASES[name]
    kwargs = {"first_turn": case.first_turn, "options": STRICT}
    white = explain(at(case.variant, case.white[0], case.black[0]), WHITE, case.dice,
                    stand(case.variant, case.white[1], case.black[1]), **kwargs)  # fmt: skip
    black = explain(at(case.variant, case.black[0], case.white[0]), BLACK, case.dice,
                    stand(case.variant, case.black[1], case.white[1]), **kwargs)  # fmt: skip

    def other(text):
        return text.replace("White", "\0").replace("Black", "White").replace("\0", "Black")

    assert [v.code for v in black.violations] == [v.code for v in white.violations]
    assert [v.message for v in black.violations] == [other(v.message) for v in white.violations]
    assert [v.repair for v in black.violations] == [other(v.repair) for v in white.violations]
    assert [v.points for v in black.violations] == [v.points for v in white.violations]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a black checker was moved", "Black's checker was moved, by White's numbers 12/17"),
        ("13/9 with a checker on the bar", "White moved 13/9 with a checker on the bar"),
        ("24/14 with 5-5, 19 is held", "White cannot play 24/14: Black holds 19 on the way"),
        ("6/off, one still on 7", "White played 6/off with a checker still on 7"),
        (
            "4/off with a 5, one on 6 (the Lithuanian text's example)",
            "White cannot take off 4 with a 5: a checker is on 6",
        ),
        ("two from the head with 6-5", "White took 2 checkers from the head; 1 may leave it"),
        (
            "19/13 makes six in a row, all Black behind",
            "White held six points in a row, 18 to 13, with no checker of Black's ahead",
        ),
        ("13/7 alone with 6-5", "White can still play 7/2"),
    ],
)
def test_messages_carry_their_data(name, message):
    case = CASES[name]
    before = at(case.variant, case.white[0], case.black[0])
    after = stand(case.variant, case.white[1], case.black[1])
    assert explain(before, WHITE, case.dice, after, first_turn=case.first_turn).violations[0].message == message


def test_every_code_has_its_rule_and_words_and_the_table_shows_it():
    assert set(RULES) == set(MESSAGES) == set(Code)
    assert {case.code for case in CASES.values()} == set(Code) - {Code.CHECKER_MISSING, Code.CHECKER_EXTRA}


@pytest.mark.parametrize(("more", "code"), [(-1, "checker_missing"), (1, "checker_extra")])
@pytest.mark.parametrize("player", Player)
def test_not_fifteen(more, code, player):
    shown = stand("short", OPENING, OPENING)
    sides = {WHITE: list(shown.white), BLACK: list(shown.black)}
    sides[player][13 if player is WHITE else 12] += more
    after = Placement(Variant.SHORT, tuple(sides[WHITE]), tuple(sides[BLACK]))
    verdict = explain(Position.start(Variant.SHORT), WHITE, (6, 5), after)
    assert [v.code for v in verdict.violations] == [code]
    assert verdict.violations[0].message == f"{player.title()} has {15 + more} checkers, not 15"


def test_a_legal_play():
    start = Position.start(Variant.SHORT)
    verdict = explain(start, WHITE, (3, 1), stand("short", {24: 2, 13: 5, 8: 2, 6: 4, 5: 2}, OPENING))
    assert (verdict.text, verdict.violations, verdict.nearest) == ("8/5 6/5", (), ())
    assert format_play(verdict.play) == "8/5 6/5"


def test_staying_is_legal_where_nothing_can_be_played_and_nothing_else_is():
    closed = at("short", {25: 1, 6: 14}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 5})
    stayed = explain(closed, WHITE, (6, 6), closed)
    assert (stayed.play.moves, stayed.play.after, stayed.text) == ((), closed, "no play")
    moved = explain(closed, WHITE, (6, 6), at("short", {25: 1, 6: 13}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 5}))
    assert moved.violations[0].code == "bar_first"
    assert [format_play(play) for play in moved.nearest] == ["no play"]


@pytest.mark.parametrize("timing", ["die", "turn"])
def test_staying_behind_a_wall_that_stood_uncalled_is_not_playing(timing):
    walled = at("long", {24: 8, 23: 1, 18: 1, 17: 1, 16: 1, 15: 1, 14: 1, 13: 1}, HEADS)
    verdict = explain(walled, WHITE, (6, 1), walled, options=RuleOptions(prime_timing=timing))
    assert [v.code for v in verdict.violations] == ["die_not_played"]


def test_a_wall_only_on_the_way_breaks_the_rule_die_by_die():
    """Every order of these moves puts the wall up, and it is gone again at the end: legal with the option `turn`."""
    seen = 0
    for record, mover in turns("long_moves"):
        before, dice, first = position("long", record["pos"], mover), tuple(record["dice"]), record["first"]
        strict = set(record["legal"])
        for text in record.get("legal_if_prime_checked_at_end_of_turn", []):
            if text not in strict:
                seen += 1
                after = position("long", text, mover)
                assert explain(before, mover, dice, after, first_turn=first).violations[0].code == "prime_rule"
                options = RuleOptions(prime_timing="turn")
                assert explain(before, mover, dice, after, first_turn=first, options=options).play is not None
    assert seen > 100


UNPLAYED = {"die_not_played", "both_dice_playable", "larger_die_required"}


@pytest.mark.parametrize(("variant", "total"), [("short", 9181), ("long", 8981)])
def test_every_golden_illegal_position_breaks_the_rules_of_playing_all(variant, total):
    """The listed positions are reached with some of the dice, against S9, S10, S11 and L4 alone."""
    codes = Counter()
    for record, mover in turns(f"{variant}_moves"):
        before, dice = position(variant, record["pos"], mover), tuple(record["dice"])
        for text in record["illegal"]:
            verdict = explain(before, mover, dice, position(variant, text, mover),
                              first_turn=record.get("first", False), options=STRICT)  # fmt: skip
            assert verdict.play is None
            assert [v.code in UNPLAYED for v in verdict.violations] == [True], record["id"]
            assert (verdict.violations[0].code == "larger_die_required") == (record["kind"] == "larger")
            codes[verdict.violations[0].code] += 1
    assert sum(codes.values()) == total
    assert set(codes) == UNPLAYED


def test_every_position_illegal_only_by_a_wall():
    seen = 0
    for record, mover in turns("long_moves"):
        before, dice = position("long", record["pos"], mover), tuple(record["dice"])
        for text in record["illegal_only_by_prime"]:
            seen += 1
            after = position("long", text, mover)
            verdict = explain(before, mover, dice, after, first_turn=record["first"], options=STRICT)
            assert [v.code for v in verdict.violations] == ["prime_rule"], record["id"]
    assert seen == 1580


ACCEPTED = {
    "wrong_pip_count": {"wrong_distance", "too_many_moves", "die_not_played"},
    "moved_with_man_on_bar": {"bar_first"},
    "moved_opponent_checker": {"opponents_checker_moved"},
    "landed_on_blocked": {"blocked_point", "blocked_stop"},
    "did_not_play_playable_die": {"die_not_played", "both_dice_playable"},
    "smaller_die_played": {"larger_die_required"},
    "two_from_head": {"head_rule"},
    "six_prime": {"prime_rule"},
    "bear_off_too_early": {"bear_off_too_early"},
    "put_back_elsewhere": {"wrong_distance", "too_many_moves", "opponents_checker_moved", "wrong_direction"},
    "wrong_direction": {"wrong_direction"},
}


@pytest.mark.parametrize(
    "turn", records("table_turns"), ids=lambda t: f"{t['game']}-{t['frame']}-{t['error'] or 'legal'}"
)
def test_turns_played_at_a_table(turn):
    """Four rendered games with planned errors; positions as they stood, two colours on a point included."""
    variant = Variant(turn["variant"])
    before, after = (Placement(variant, *map(tuple, turn[key].values())) for key in ("before", "after"))
    verdict = explain(
        before.position(), Player(turn["player"]), tuple(turn["dice"]), after, first_turn=turn["first_turn"]
    )
    if turn["error"] is None:
        assert verdict.play is not None
    else:
        assert verdict.violations[0].code in ACCEPTED[turn["error"]]


def test_illegal_walls_of_a_bot_that_did_not_see_them():
    refused = 0
    for game, mover in turns("long_games_illegal_wall"):
        for action in game["actions"]:
            if action.get("seed_legal", True):
                continue
            before, after = (position("long", action[key], mover) for key in ("before", "after"))
            verdict = explain(before, mover, tuple(action["dice"]), after, first_turn=action["first"])
            assert verdict.violations[0].code == "prime_rule"
            refused += 1
    assert refused >= 2


def test_refuses_what_cannot_be_compared():
    short, long = (Position.start(variant) for variant in (Variant.SHORT, Variant.LONG))
    with pytest.raises(PositionError, match="short nardy, the other long"):
        explain(short, WHITE, (6, 5), long)
    with pytest.raises(DiceError):
        explain(short, WHITE, (6, 7), short)

"""What the lights say of a moment, and that it can be told apart without colours."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocol import PALETTE
from nardy_hw.announce.lights import BEATS, DARK, SIGNS, TICK, Hints, frame, hints, lights
from nardy_hw.referee import events as e
from nardy_hw.referee.standing import Standing
from nardy_hw.referee.states import Phase
from nardy_hw.rules.match import Match, Stakes
from nardy_hw.rules.notation import parse_moves
from nardy_hw.rules.plays import legal_plays
from nardy_hw.rules.position import Player, Position, Variant

START = Position.start(Variant.SHORT)
STANDING = Standing(Match.begin(Stakes()), START)
MODES = ("silent", "monitor", "club", "training")


def at(phase, to_move=Player.WHITE):
    return replace(STANDING, phase=phase, to_move=to_move)


def lit(shown):
    """{light, counted from 1: sign}"""
    assert len(shown) == 28
    return {i: name for i, name in enumerate(shown, 1) if name}


def fault(position):
    told = {"player": Player.WHITE, "dice": (3, 1), "code": "wrong_distance", "rule": "S6", "text": "", "repair": ""}
    return e.ViolationSeen(t=0, frame=0, position=position, **told)


def moved_wrong():
    points = list(START.points)
    points[12], points[9], points[10] = 3, 1, 1  # White 13/10 13/11
    return replace(START, points=tuple(points))


@pytest.mark.parametrize("mode", MODES)
def test_whose_turn_it_is_stands_at_his_tray(mode):
    assert lit(lights(at(Phase.THROW), mode)) == {27: "turn"}
    assert lit(lights(at(Phase.MOVE, Player.BLACK), mode)) == {28: "turn"}
    assert lit(lights(at(Phase.OPENING, None), mode)) == {}


def test_where_checkers_must_leave_and_come_back():
    wrong = moved_wrong()
    assert lit(lights(at(Phase.FAULT), "club", fault=fault(wrong))) == {13: "back", 10: "leave", 11: "leave"}
    points = list(wrong.points)
    points[18], points[9] = -4, 0
    black = replace(START, points=tuple(points), bar=(1, 1))
    expected = {13: "back", 11: "leave", 19: "back", 25: "leave", 26: "leave"}
    assert lit(lights(at(Phase.FAULT), "training", fault=fault(black))) == expected


def test_monitor_mode_tells_that_it_is_illegal_and_no_more():
    assert lit(lights(at(Phase.FAULT), "monitor", fault=fault(moved_wrong()))) == {25: "attention"}


def test_silent_mode_has_one_amber():
    assert lit(lights(at(Phase.FAULT), "silent")) == {}  # nobody at the table is told of a fault
    assert lit(lights(at(Phase.MOVE), "silent", unsure=True)) == {25: "attention", 27: "turn"}
    assert PALETTE[SIGNS["attention"].digit] == PALETTE["4"]


def test_who_is_to_answer_the_cube():
    assert lit(lights(at(Phase.DOUBLED), "silent")) == {26: "cube", 28: "cube"}


def test_who_throws_again():
    assert lit(lights(at(Phase.THROW), "silent", void=Player.WHITE)) == {27: "dice"}
    assert lit(lights(at(Phase.OPENING, None), "club", void=Player.BLACK)) == {28: "dice"}


def test_what_is_not_set_up():
    assert lit(lights(at(Phase.SETUP, None), "silent", wrong=(6, 25))) == {6: "setup", 25: "setup", 26: "setup"}


def test_a_doubt_points_at_nothing():
    assert lit(lights(at(Phase.MOVE), "club", unsure=True)) == {27: "doubt", 28: "doubt"}


def test_hints_for_white_and_black():
    plays = legal_plays(START, Player.WHITE, (6, 1))
    advice = hints(Variant.SHORT, Player.WHITE, plays, parse_moves("13/7 8/7"))
    # by a 1: 23, 7, 5 (12 is Black's); by a 6: 18, 7, 2; by both with one checker: 6 (17 is Black's)
    assert {light + 1 for light in advice.targets} == {23, 7, 5, 18, 2, 6}
    shown = lit(lights(at(Phase.MOVE), "training", advice=advice))
    assert (shown[13], shown[8], shown[7], shown[27]) == ("best_from", "best_from", "best_to", "turn")
    black = hints(Variant.SHORT, Player.BLACK, (), parse_moves("13/7 8/7"))
    assert black.best == ((11, 17), (16, 17))  # his 13 is point 12, his 7 point 18
    long = hints(Variant.LONG, Player.BLACK, (), parse_moves("24/20"))
    assert long.best == ((11, 7),)  # his head is point 12
    off = hints(Variant.SHORT, Player.BLACK, (), parse_moves("6/off bar/22"))
    assert off.best == ((18, 27), (25, 2))


advices = st.builds(
    Hints,
    st.frozensets(st.integers(0, 27)),
    st.lists(st.tuples(st.integers(0, 27), st.integers(0, 27)), max_size=4).map(tuple),
)


@given(
    st.sampled_from(list(Phase)),
    st.sampled_from(MODES),
    advices,
    st.booleans(),
    st.sampled_from([None, *Player]),
    st.booleans(),
)
def test_no_hint_where_the_mode_forbids_it(phase, mode, advice, unsure, void, called):
    told = {"fault": fault(moved_wrong()) if called else None, "unsure": unsure, "void": void}
    with_advice, without = (lights(at(phase), mode, advice=one, **told) for one in (advice, None))
    if mode != "training" or phase is not Phase.MOVE:
        assert with_advice == without
    for number, name in lit(with_advice).items():
        place = "point" if number <= 24 else "bar" if number <= 26 else "tray"
        if name not in ("target", "best_from", "best_to"):  # the test's advice knows no places
            assert place in SIGNS[name].places
        if mode in ("silent", "monitor"):
            assert place != "point" and name not in ("leave", "back", "target", "best_from", "best_to", "doubt")


def test_signs_that_a_light_may_show_differ_in_their_beat():
    """So that nobody needs to see colours to read them."""
    for place in ("point", "bar", "tray"):
        beats = [sign.beat for sign in SIGNS.values() if place in sign.places]
        assert len(set(beats)) == len(beats)


def test_beats_are_told_apart():
    """By how often they change in a second, or by the share of it in which they are lit."""

    def rhythm(beat):
        whole = BEATS[beat] * (720 // len(BEATS[beat]))
        changes = sum(a != b for a, b in zip(whole, whole[1:] + whole[:1], strict=True))
        return changes / 36, whole.count("1") / 720  # a second; share

    for one, two in combinations(BEATS, 2):
        (changes, share), (others, other_share) = rhythm(one), rhythm(two)
        assert abs(changes - others) >= 0.5 or abs(share - other_share) >= 0.2, (one, two)


def test_no_beat_flickers():
    """At most three flashes in any second (WCAG 2.3.1); the quick one, of a single small light, has one more."""
    for name, beat in BEATS.items():
        whole = beat * 60
        flashes = max(sum(a == "0" and b == "1" for a, b in pairwise(whole[i : i + 21])) for i in range(40))
        assert flashes <= (4 if name == "quick" else 3)


def test_frames_change_at_most_twenty_times_a_second():
    shown = ("leave", "back", *DARK[:22], "attention", "", "turn", "doubt")
    frames = [frame(shown, k / 1000) for k in range(10_000)]
    assert sum(a != b for a, b in pairwise(frames)) <= 10 / TICK
    assert frames[0][:2] == "24" and frames[0][24] == "4" and frames[0][26] == "E"
    quick, slow = ("".join(f[i] for f in frames[25::50]) for i in (0, 1))
    assert quick.startswith("222000222000") and slow.startswith("4" * 10 + "0" * 10 + "4" * 10)
    assert {f[24] for f in frames} == {"4"}
    assert frame(DARK, 3.0) == "0" * 28

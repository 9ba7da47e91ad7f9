"""Evidence and the likeliest placement, against values worked out by hand and against brute force."""

import numpy as np
import pytest
from eye import CLEAR, POOR, Eye, Level, Shown
from hypothesis import given, settings
from hypothesis import strategies as st

from nardy_hw.referee.belief import Evidence, best_guess, likeliest, placement, places_apart
from nardy_hw.referee.margins import CHANGE, EVIDENCE_CAP, PLACE_FLOOR
from nardy_hw.rules.plays import legal_plays
from nardy_hw.rules.position import Player, Position, Variant

SHORT, LONG = Position.start(Variant.SHORT), Position.start(Variant.LONG)


def scene(shown: Shown, level: Level = CLEAR, seed: int = 0, white_is_light: bool = True) -> Evidence:
    return Evidence.of([*Eye(level, seed, white_is_light).see(shown)][1:], white_is_light)


def moved(position: Position, *steps: tuple[int, int, int], off: tuple[int, int] = (0, 0)) -> Position:
    """steps: (point, White's and Black's +, change)."""
    points = list(position.points)
    for point, change, _ in steps:
        points[point - 1] += change
    return Position(position.variant, tuple(points), position.bar, off)


@pytest.mark.parametrize("start", [SHORT, LONG])
def test_the_true_position_costs_nothing(start):
    seen = scene(Shown.of(start), Level(noise=0.0))
    assert seen.score(start) == 0
    assert best_guess(seen, start).position == start
    assert seen.misread(start) == frozenset()


def test_each_wrong_place_costs_its_table_up_to_the_floor():
    # step 2 a checker, no noise, two reads' worth: 6 and 5 are off by one, 2 * 2 each
    seen = scene(Shown.of(SHORT), Level(step=2.0, noise=0.0))
    one = moved(SHORT, (6, -1, 0), (5, 1, 0))
    assert seen.score(one) == pytest.approx(-2 * 2.0 * EVIDENCE_CAP)
    # all five from 6 to 5: -10 a read on both places, at the floor together
    assert seen.score(moved(SHORT, (6, -5, 0), (5, 5, 0))) == pytest.approx(2 * PLACE_FLOOR)


def test_the_bar_counts():
    hit = Position(Variant.SHORT, moved(SHORT, (24, -1, 0), off=(1, 0)).points, (1, 0))
    seen = scene(Shown.of(hit), Level(step=2.0, noise=0.0))
    assert seen.score(hit) == 0
    assert seen.score(SHORT) == pytest.approx(-2 * 2.0 * EVIDENCE_CAP)


def test_white_may_be_the_darker_side():
    one = legal_plays(SHORT, Player.WHITE, (6, 1))[0].after
    eye = Eye(CLEAR, 3, white_is_light=False)
    seen = Evidence.of([*eye.see(Shown.of(one))][1:], white_is_light=False)
    assert best_guess(seen, SHORT).position == one
    assert seen.score(one) > seen.score(SHORT)


def test_a_covered_place_says_nothing():
    seen = scene(Shown.of(SHORT, hidden=(6, 5)))
    assert seen.score(moved(SHORT, (6, -1, 0), (5, 1, 0))) == pytest.approx(seen.score(SHORT))
    assert [*seen.hidden.nonzero()[0]] == [4, 5]


def test_a_place_covered_in_one_read_of_three_is_seen_in_the_others():
    eye = Eye(Level(noise=0.0))
    reads = [*eye.see(Shown.of(SHORT, hidden=(6,)), 0.5), *eye.see(Shown.of(SHORT), 1.0)][1:4]
    seen = Evidence.of(reads, True)
    assert not seen.hidden.any()
    assert seen.points[5, 14] == PLACE_FLOOR  # two reads of 'not black', each worth one


def test_what_changed_costs_and_what_is_off_stays_off():
    before = moved(LONG, (24, -3, 0), off=(3, 0))
    shown = Shown.of(moved(LONG, (24, -2, 0), off=(2, 0)))  # a checker taken back from the tray
    guess = best_guess(scene(shown), before)
    assert guess.position is None or guess.position.off[0] >= 3
    play = legal_plays(LONG, Player.WHITE, (6, 5), first_turn=True)[0].after
    guess = best_guess(scene(Shown.of(play), Level(noise=0.0)), LONG)
    assert (guess.fit, guess.total) == (0, -2 * CHANGE)  # 24 and 13


def test_both_colours_on_a_point():
    # White's 24/18 beside Black's five on 19, which is then mixed
    points = list(SHORT.points)
    points[23] = 1
    shown = Shown([*points[:18], (1, 5), *points[19:]])
    guess = best_guess(scene(shown), SHORT)
    assert (guess.shown.white[19], guess.shown.black[19], guess.position) == (1, 5, None)
    assert places_apart(guess.shown, placement(SHORT)) == [19, 24]


@pytest.mark.parametrize("start", [SHORT, LONG])
def test_one_observation_alone(start):
    (seen,) = [*Eye(POOR, 5).see(Shown.of(start), 0.25)]
    assert likeliest(seen, start.variant, white_is_light=True).variant is start.variant
    (seen,) = [*Eye(CLEAR, 5, white_is_light=False).see(Shown.of(start), 0.25)]
    assert likeliest(seen, start.variant, white_is_light=False) == start


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([SHORT, LONG]), st.data())
def test_no_position_beats_the_best_guess(seed, before, data):
    rng = np.random.default_rng(seed)
    seen = Evidence(
        rng.uniform(PLACE_FLOOR, 0, (24, 31)),
        np.full((24, 16), PLACE_FLOOR),
        rng.uniform(PLACE_FLOOR, 0, (2, 16)),
        np.zeros(24, bool),
    )
    guess = best_guess(seen, before)
    assert sum(guess.shown.white) == sum(guess.shown.black) == 15
    assert guess.fit == pytest.approx(seen.fit(guess.shown))
    player = data.draw(st.sampled_from(list(Player)))
    position = before
    for _ in range(data.draw(st.integers(1, 6))):
        dice = data.draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
        plays = legal_plays(position, player, dice)
        position = data.draw(st.sampled_from(plays)).after if plays else position
        player = player.other
    changed = sum(
        (a > 0) * (a != b) + (b > 0) * (a != b) if a * b > 0 else (a != 0) + (b != 0)
        for a, b in zip(before.points, position.points, strict=True)
        if a != b
    )
    same_colour = sum(1 for a, b in zip(before.points, position.points, strict=True) if a != b and a * b > 0)
    cost = CHANGE * (changed - same_colour + sum(a != b for a, b in zip(before.bar, position.bar, strict=True)))
    assert guess.total >= seen.score(position) - cost - 1e-9

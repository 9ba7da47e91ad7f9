"""When two dice are a throw."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.dice import Die, DieState, Pair

ROLL, TILT, MOVE = DieState.ROLLING, DieState.TILTED, DieState.MOVED


def said(words: str) -> list[Die]:
    """'a~ a5 a/ a-': die a rolls, lies with 5, tilted, moved."""
    states = {"~": ROLL, "/": TILT, "-": MOVE}
    return [
        Die("ble", w[0], states.get(w[1], DieState.STABLE), int(w[1]) if w[1].isdigit() else 0) for w in words.split()
    ]


def throws(words: str, pair: Pair | None = None) -> list[tuple[int, int]]:
    pair = pair or Pair()
    return [throw for die in said(words) if (throw := pair.hears(die)) is not None]


@pytest.mark.parametrize(
    ("words", "thrown"),
    [
        ("a~ b~ a5 b3", [(5, 3)]),
        ("b~ b3 a~ a5", [(5, 3)]),  # in the order of their names, one after the other as at the opening
        ("a~ b~ b3 a~ a6 a2", [(6, 3)]),  # thrown once more before the other lay; said again afterwards
        ("a5 b3", []),  # laid, not thrown
        ("a~ b~ a5 b/", []),  # one is tilted
        ("a~ b~ a5 b/ b~ b3", []),  # and then both are thrown again (R2)
        ("a~ b~ a5 b/ a~ b~ b3 a1", [(1, 3)]),
        ("a~ b~ a5 a- b3", []),  # picked up too early
        ("a~ b~ a5 b3 a2", [(5, 3)]),  # turned by hand later
        ("a~ b~ a5 b3 a~ a2 b~ b6", [(5, 3), (2, 6)]),
        ("a~ a5 c~ c2 b~ b6", [(5, 2)]),  # the third is not in the game
        ("a~ b~ a0 b3", []),
    ],
)
def test_what_is_a_throw(words, thrown):
    assert throws(words) == thrown


def test_the_first_named_die_is_first():
    assert throws("x~ x1 a~ a6 b~ b2", Pair(("b", "a"))) == [(2, 6)]


def test_a_tilted_die_is_told_until_it_is_taken():
    pair = Pair()
    for die, void in zip(said("a~ b~ a5 b/ a- b~ b3"), [0, 0, 0, 1, 1, 0, 0], strict=True):
        pair.hears(die)
        assert pair.void is bool(void)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("~/-123456")).map("".join), max_size=40))
def test_a_throw_needs_two_rolls_that_ended_well(words):
    pair, rolled = Pair(), {"a": False, "b": False}
    for word, die in zip(words, said(" ".join(words)), strict=True):
        throw = pair.hears(die)
        rolled[die.name] = rolled[die.name] or die.state is ROLL
        if throw is not None:
            assert word[1].isdigit() and all(rolled.values())
            assert throw["ab".index(die.name)] == die.face
            rolled = {"a": False, "b": False}

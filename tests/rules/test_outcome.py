import pytest
from golden import at, position, records

from nardy_hw.rules.options import RuleOptions
from nardy_hw.rules.outcome import Outcome, outcome
from nardy_hw.rules.position import Player, Position, Variant


@pytest.mark.parametrize("variant", Variant)
def test_nobody_has_won_at_the_start(variant):
    assert outcome(Position.start(variant)) is None


@pytest.mark.parametrize(
    ("variant", "loser", "options", "points"),
    [
        ("short", {6: 14}, {}, 1),  # one off (C2)
        ("short", {7: 15}, {}, 2),  # none off
        ("short", {18: 15}, {}, 2),  # next to the winner's home
        ("short", {19: 1, 6: 14}, {}, 3),  # in it (C3)
        ("short", {24: 1, 6: 14}, {}, 3),
        ("short", {25: 1, 6: 14}, {}, 3),  # on the bar (A16)
        ("short", {25: 1, 6: 12}, {}, 1),  # the Lithuanian text: on the bar, but two are off
        ("short", {25: 1, 6: 14}, {"backgammon_value": 2}, 2),  # C4
        ("long", {6: 14}, {}, 1),
        ("long", {6: 15}, {}, 2),  # mars (L9)
        ("long", {24: 15}, {}, 2),
        ("long", {24: 15}, {"home_mars": True}, 3),  # A12
        ("long", {24: 14, 6: 1}, {"home_mars": True}, 2),
        ("long", {7: 14}, {"home_mars": True}, 1),
    ],
)
def test_what_a_game_is_worth(variant, loser, options, points):
    assert outcome(at(variant, {}, loser), RuleOptions(**options)) == Outcome(Player.WHITE, points)
    assert outcome(at(variant, loser, {}), RuleOptions(**options)) == Outcome(Player.BLACK, points)


def test_the_ends_of_the_long_games():
    ended = 0
    for game in records("long_games"):
        last = game["actions"][-1]
        mover = {"W": Player.WHITE, "B": Player.BLACK}[last["p"]]
        assert outcome(position("long", last["after"], mover)) == Outcome(mover, game["points"])
        assert last["p"] == game["winner"]
        ended += 1
    assert ended == 34

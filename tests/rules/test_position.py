import pytest
from golden import stand

from nardy_hw.errors import InputError, PositionError
from nardy_hw.rules.options import RuleOptions
from nardy_hw.rules.position import Placement, Player, Position, Variant, own_point, seen_from


def test_the_starts():
    """S3 and L1, in the program's one numbering."""
    short, long = Position.start(Variant.SHORT), Position.start(Variant.LONG)
    assert short.points == (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)
    assert {i + 1: n for i, n in enumerate(long.points) if n} == {24: 15, 12: -15}
    for player in Player:
        assert {p: n for p, n in enumerate(short.counts(player)) if n} == {24: 2, 13: 5, 8: 3, 6: 5}
        assert {p: n for p, n in enumerate(long.counts(player)) if n} == {24: 15}


@pytest.mark.parametrize(
    ("variant", "point", "own"),
    [
        (Variant.SHORT, 1, 24),
        (Variant.SHORT, 13, 12),
        (Variant.LONG, 12, 24),
        (Variant.LONG, 13, 1),
        (Variant.LONG, 1, 13),
    ],
)
def test_blacks_own_numbers(variant, point, own):
    assert own_point(variant, Player.BLACK, point) == own
    assert own_point(variant, Player.BLACK, own) == point
    assert own_point(variant, Player.WHITE, point) == point
    assert seen_from(variant, Player.BLACK, range(1, 25))[own - 1] == point


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"variant": "middle"}, "variant"),
        ({"variant": None}, "variant"),
        ({"points": [0] * 23}, "24 points"),
        ({"points": [16, *[0] * 22, -15]}, "white has 16"),
        ({"points": [15, *[0] * 22, -14]}, "black has 14"),
        ({"points": [15.0, *[0] * 22, -15]}, "whole numbers"),
        ({"points": [True, *[0] * 22, -15]}, "whole numbers"),
        ({"points": [[15, -1], *[0] * 22, -14]}, "whole numbers"),
        ({"points": "x"}, "points"),
        ({"points": None}, "points"),
        ({"bar": {"white": -1, "black": 0}}, "negative"),
        ({"bar": 3}, "bar"),
        ({"off": {"white": "1", "black": 0}}, "off"),
        ({"variant": "long", "points": [14, *[0] * 22, -15], "bar": {"white": 1, "black": 0}}, "no bar"),
    ],
)
def test_positions_that_cannot_be(change, why):
    good = {"variant": "short", "points": [15, *[0] * 22, -15]}
    Position.from_json(good)
    with pytest.raises(PositionError, match=why):
        Position.from_json(good | change)
    with pytest.raises(PositionError):
        Position.from_json([good])


def test_a_placement_holds_what_no_position_does():
    both = stand("short", {24: 2, 13: 13}, {1: 1, 6: 14})  # Black's own 1 is White's 24
    assert both.position() is None
    assert both.counts(Player.BLACK)[1] == 1
    assert both.points[23] == 1
    fourteen = Placement(Variant.SHORT, (0, 14, *[0] * 24), (15, *[0] * 25))
    assert fourteen.position() is None
    with pytest.raises(PositionError, match="26 counts"):
        Placement(Variant.SHORT, (15,), (15,))
    start = Position.start(Variant.LONG)
    assert stand("long", {24: 15}, {24: 15}).position() == start


@pytest.mark.parametrize(
    "wrong",
    [
        {"prime": "sometimes"},
        {"prime_timing": None},
        {"prime_path": "mine"},
        {"head_two": True},
        {"first_turn": ""},
        {"lenient_final_bearoff": 1},
        {"backgammon_value": 4},
        {"backgammon_value": True},
        {"home_mars": "no"},
    ],
)
def test_options_refuse_other_values_by_name(wrong):
    with pytest.raises(InputError, match=next(iter(wrong))):
        RuleOptions(**wrong)

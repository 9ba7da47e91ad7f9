"""What dice lying still say of the throw."""

import math

import pytest

from nardy_hw.referee.throws import THROWS, Dice, any_throw, best, either, glimpsed, known, probability, throws_of
from nardy_hw.vision.observation import DieReading


def die(values: dict[int, float], at: tuple[float, float] = (700.0, 300.0), state: str = "flat") -> DieReading:
    row = tuple(values.get(n, 0.0) for n in range(1, 7))
    value = max(values, key=lambda n: values[n])
    return DieReading(value, state, "right" if at[0] > 480 else "left", at, max(row), row)


def read(*reads: list[DieReading]) -> Dice:
    dice = Dice()
    for readings in reads:
        dice.read(readings)
    return dice


FIVE, TWO = die({5: 1.0}), die({2: 1.0}, (650.0, 350.0))


def test_two_clear_dice():
    throws = throws_of(read([FIVE, TWO], [TWO, FIVE], [FIVE, TWO]).lying())
    assert set(throws) == set(THROWS)
    assert (best(throws), throws[5, 2]) == ((5, 2), 0)
    assert probability(throws) == pytest.approx(1, abs=1.1e-3)  # ten times the floor of 1e-4: five others, two dice


def test_a_double_has_one_way_and_any_other_throw_two():
    even = die({1: 0.5, 2: 0.5}), die({1: 0.5, 2: 0.5}, (650.0, 350.0))
    throws = throws_of(read([*even]).lying())
    assert throws[2, 1] == 0
    assert throws[1, 1] == throws[2, 2] == pytest.approx(-math.log(2))


def test_reads_of_a_die_that_lies_still_repeat_each_other():
    six_or_five = die({6: 0.8, 5: 0.2})
    one, three, nine = (throws_of(read(*[[six_or_five, TWO]] * n).lying()) for n in (1, 3, 9))
    assert one[5, 2] == pytest.approx(-math.log(4))
    assert three[5, 2] == nine[5, 2] == pytest.approx(one[5, 2])


def test_one_read_of_three_that_is_wrong_leaves_a_doubt():
    right, wrong = die({6: 0.99, 1: 0.01}), die({1: 0.99, 6: 0.01})
    throws = throws_of(read([right, TWO], [wrong, TWO], [right, TWO]).lying())
    assert best(throws) == (6, 2)
    assert throws[2, 1] == pytest.approx(-math.log(99) / 3)  # two against one, together one read


def test_a_die_is_lying_where_most_reads_show_it():
    dice = read([FIVE, TWO], [FIVE], [FIVE, TWO])
    assert len(dice.lying()) == 2
    dice = read([FIVE, TWO], [FIVE], [FIVE])
    assert [d.reads for d in dice.lying()] == [3]
    assert len(dice.seen) == 2


def test_a_flat_die_that_nobody_can_read_is_none_yet():
    glint = die({2: 0.3, 3: 0.3, 4: 0.2, 6: 0.2}, (800.0, 200.0))
    dice = read([FIVE, TWO, glint], [FIVE, TWO, glint], [FIVE, TWO, glint])
    assert [d.centre for d in dice.lying()] == [FIVE.centre, TWO.centre]
    assert len(dice.seen) == 3  # a turn is not over while anything lies where its dice lay


def test_cocked_dice_must_be_surely_so():
    cocked = die({5: 1.0}, state="cocked")
    assert read([cocked], [cocked], [cocked]).lying()[0].invalid == "cocked"
    doubtful = read([cocked], [FIVE], [cocked]).lying()[0]
    assert (doubtful.invalid, doubtful.flat) == (None, False)
    assert read([FIVE], [FIVE], [cocked]).lying()[0].flat


def test_throws_that_nobody_saw():
    assert any_throw()[6, 5] == 0
    assert any_throw()[6, 6] == pytest.approx(-math.log(2))
    assert known((2, 5)) == {(5, 2): 0.0}


def test_a_glimpse_is_believed_less():
    clear = throws_of(read([FIVE, TWO]).lying())
    half = glimpsed(clear)
    assert best(half) == (5, 2)
    # a tenth of the belief is spread over the 36 ways to throw: 6-4 has two of them
    assert math.exp(half[6, 4]) == pytest.approx(0.1 * 2 / 36 / (0.9 + 0.1 * 2 / 36), rel=1e-2)


def test_what_either_reading_allows_is_allowed():
    both = either(known((5, 2)), known((6, 2)))
    assert both[5, 2] == both[6, 2] == 0
    assert both[6, 6] == -math.inf

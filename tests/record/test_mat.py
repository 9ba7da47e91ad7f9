"""The finer points of `.mat`: the bar, a dance, what was put right, the headers."""

import pytest
from played import BLACK, SHORT, WHITE, moved, played, record, started

from nardy_hw.errors import ExportError
from nardy_hw.record.mat import to_mat
from nardy_hw.referee.events import Doubled, Dropped, NoRoll, Roll, Scored, Taken, ViolationSeen

ONE = moved(SHORT, (13, -1), (8, +1), (6, -1), (3, +1))  # White 13/8 6/3
TWO = moved(ONE, (1, +1), (3, -2), (12, +1), (16, -1), bar=(1, 0))  # Black 24/22* 13/9
OPENING = (
    started(),
    NoRoll(t=0, frame=0, player=WHITE, code="dice_cocked", rule="R2"),
    Roll(t=0, frame=0, player=WHITE, dice=(5, 3)),
    played(WHITE, (5, 3), "13/8 6/3", ONE),
    Roll(t=0, frame=0, player=BLACK, dice=(2, 4)),
    ViolationSeen(
        t=1, frame=0, player=BLACK, dice=(2, 4), code="wrong_distance", rule="S6",
        text="24/21", repair="21 back to 24", position=ONE,
    ),
    played(BLACK, (2, 4), "24/22* 13/9", TWO),
)  # fmt: skip
FIRST_ROW = "  1) 53: 13/8 6/3                         42: 24/22* 13/9"


def rows(*more, **info):
    return to_mat(record(*OPENING, *more, **info)).splitlines()


def test_only_the_final_play_shows():
    assert rows()[-1] == FIRST_ROW


def test_bar_and_dance():
    """White has one on the bar: with 6-6 he cannot enter on Black's 6 point."""
    assert rows(played(WHITE, (6, 6), "no play", TWO))[-1] == "  2) 66: Cannot Move"
    entered = moved(TWO, (22, +1), (6, -1), (5, +1))
    assert rows(played(WHITE, (1, 3), "bar/22 6/5", entered))[-1] == "  2) 31: 25/22 6/5"


def test_right_column_begins_where_an_empty_cell_would_end():
    """The longest play there is still ends two blanks before it."""
    longest = "33: " + "25/22* 22/19* 19/16* 16/13*"
    assert len("  1) ") + len(longest) + 2 <= FIRST_ROW.index("42:") == 42


@pytest.mark.parametrize("length", [0, 5])
def test_headers(length):
    """Single games: no Jacoby rule; matches: the Crawford rule."""
    text = rows(length=length, event="Club: night", place="Vilnius [hall]")
    assert f" {length} point match" in text
    assert ('; [Jacoby "Off"]' in text) is (length == 0)
    assert ('; [Crawford "On"]' in text) is (length == 5)
    assert '; [Event "Club night"]' in text
    assert '; [Site "Vilnius hall"]' in text


def test_a_turn_that_is_missing():
    with pytest.raises(ExportError, match=r"game 1, play 3 was not seen.*use --format sgf"):
        roll = Roll(t=2, frame=0, player=BLACK, dice=(3, 1))
        rows(roll, played(BLACK, (3, 1), "8/5 6/5", moved(TWO, (17, +1), (19, +1), (20, -2), bar=(1, 0))))


def test_equal_names_stay_apart():
    text = to_mat(record(started(), white="x" * 40, black="x" * 40))
    assert f" 1 {'x' * 29} : 0" in text
    assert f" 2 {'x' * 29} : 0" in text


def test_cube():
    """In cells of their own, which importers take by their width."""
    double, take = Doubled(t=2, frame=0, player=WHITE, value=2), Taken(t=2, frame=0, player=BLACK, value=2)
    assert rows(double, take)[-1] == "  2)  Doubles => 2                         Takes"
    again = Doubled(t=3, frame=0, player=BLACK, value=4)
    dropped = Dropped(t=3, frame=0, player=WHITE)
    lost = Scored(t=3, frame=0, winner=BLACK, points=2, how="drop", score=(0, 2))
    text = rows(double, take, played(WHITE, (6, 6), "no play", TWO), again, dropped, lost, length=2)
    assert text[-2:] == [
        "  3) 66: Cannot Move                       Doubles => 4",
        "  4)  Drops                                Wins 2 points and the match",
    ]

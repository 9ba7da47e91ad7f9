"""Events as games of turns, and the text of match files."""

import pytest

from nardy_hw.errors import ExportError
from nardy_hw.record.columns import safe_name
from nardy_hw.record.games import Break, Cubing, Game, Ply, games
from nardy_hw.record.mat import to_mat
from nardy_hw.record.store import MatchInfo, MatchRecord
from nardy_hw.record.text import to_text
from nardy_hw.referee.events import Doubled, GameOver, PlayMade, Roll, SetByHand, Stands, Started, Taken
from nardy_hw.rules.position import Player, Position, Variant

WHITE, BLACK = Player
START = Position.start(Variant.SHORT)
ONE = Position(Variant.SHORT, (-2, 0, 0, 0, 2, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2))
TWO = Position(Variant.SHORT, (0, 0, -1, 0, 2, 4, -1, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2))
THIRD = Position(Variant.SHORT, (0, 0, -1, 0, 1, 4, -1, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 1, 0, 0, 2))
"""The opening, 31: 8/5 6/5; 62: 24/18 24/22; then nothing that one turn can do."""


def started(position=START):
    return Started(t=0, frame=0, position=position)


def play(player, dice, text, position):
    return PlayMade(t=0, frame=0, player=player, dice=dice, text=text, position=position, confidence=1)


FIRST = play(WHITE, (1, 3), "8/5 6/5", ONE)
SECOND = play(BLACK, (6, 2), "24/18 24/22", TWO)
STOOD = Stands(t=0, frame=0, player=BLACK, dice=(6, 2), position=THIRD)
CHANGED = play(WHITE, (1, 3), "24/20", THIRD)
SECOND_ROLL = Roll(t=0, frame=0, player=BLACK, dice=(6, 2))
DOUBLE = Doubled(t=0, frame=0, player=BLACK, value=2)
TAKE = Taken(t=0, frame=0, player=WHITE, value=2)
OVER = GameOver(t=0, frame=0, winner=BLACK, points=2)
PLY1B = Ply(WHITE, (1, 3), "24/20", THIRD)
PLY1, PLY2 = Ply(WHITE, (1, 3), "8/5 6/5", ONE), Ply(BLACK, (6, 2), "24/18 24/22", TWO)


@pytest.mark.parametrize(
    "events, expected",
    [
        ([], []),
        ([started()], [Game(START)]),
        ([started(), FIRST, SECOND, OVER], [Game(START, [PLY1, PLY2], BLACK, 2, "off")]),
        ([started(), FIRST, STOOD], [Game(START, [PLY1, Ply(BLACK, (6, 2), None, THIRD)])]),
        ([started(), FIRST, started(TWO)], [Game(START, [PLY1, Break(TWO)])]),
        ([started(), FIRST, started(ONE), SECOND], [Game(START, [PLY1, PLY2])]),
        ([started(), started(), FIRST], [Game(START, [PLY1])]),
        ([started(), FIRST, started(), FIRST], [Game(START, [PLY1]), Game(START, [PLY1])]),
        ([started(), FIRST, OVER, started(ONE)], [Game(START, [PLY1], BLACK, 2, "off"), Game(ONE, score=(0, 2))]),
    ],
    ids=["none", "started", "over", "stands", "turns missing", "taken up", "twice", "left unfinished", "several"],
)
def test_games(events, expected):
    assert games(events) == expected


def test_plays_without_a_start():
    with pytest.raises(ExportError, match="before any position"):
        games([FIRST])


@pytest.mark.parametrize(
    "name, safe",
    [
        ("Ona", "Ona"),
        ("  Ona \n Maria ", "Ona Maria"),
        ("Ann: the [first]", "Ann the first"),
        ('The "Fox"', "The Fox"),
        ("", "Player"),
        ("[:]", "Player"),
        ("x" * 40, "x" * 31),
        ("я" * 20, "я" * 15),
    ],
)
def test_safe_name(name, safe):
    assert safe_name(name) == safe


def record(*events, **info):
    about = {"variant": Variant.SHORT, "white": "Ona", "black": "Petro", "started": "2026-05-31T18:04:00+00:00"}
    return MatchRecord(7, MatchInfo(**about | info), events)


GOLDEN = """\
; [Match ID "nardy-hw-20260531180400-7"]
; [Player 1 "Ona"]
; [Player 2 "Petro"]
; [EventDate "2026.05.31"]
; [EventTime "18.04"]
; [Variation "Backgammon"]
; [Crawford "On"]
; [Nardy-hw "INFO"]

 2 point match

 Game 1
 Ona : 0                                  Petro : 0
  1) 31: 8/5 6/5                          62: 24/18 24/22
                                           Wins 1 point

 Game 2
 Ona : 0                                  Petro : 1
  1)                                      31: 8/5 6/5
      Wins 2 points and the match
"""


INFO = (
    "%7B%22variant%22%3A%22short%22%2C%22white%22%3A%22Ona%22%2C%22black%22%3A%22Petro%22%2C%22length%22%3A2%2C"
    "%22started%22%3A%222026-05-31T18%3A04%3A00%2B00%3A00%22%2C%22white_home%22%3A%22near-right%22%2C"
    "%22event%22%3A%22%22%2C%22place%22%3A%22%22%2C%22profile%22%3A%7B%7D%2C%22chouette%22%3A%5B%5D%2C%22board%22%3A%22%22%7D"
)
"""The whole of the match's info, percent-encoded JSON."""


def test_mat_to_the_letter():
    mirrored = Position(Variant.SHORT, tuple(-n for n in ONE.points[::-1]))
    over = GameOver(t=0, frame=0, winner=BLACK, points=1), GameOver(t=0, frame=0, winner=WHITE, points=2)
    second = play(BLACK, (3, 1), "8/5 6/5", mirrored)
    assert to_mat(record(started(), FIRST, SECOND, over[0], started(), second, over[1], length=2)) == GOLDEN.replace(
        "INFO", INFO
    )


@pytest.mark.parametrize(
    "events, info, why",
    [
        ([started(), FIRST, started(TWO)], {}, "not seen"),
        ([started(ONE), SECOND], {}, "opening position"),
        ([], {"length": 65}, "65 points"),
        ([], {"variant": Variant.LONG}, "long nardy"),
    ],
)
def test_what_mat_cannot_hold(events, info, why):
    with pytest.raises(ExportError, match=why):
        to_mat(record(*events, **info))
    assert to_text(record(*events, **info))


@pytest.mark.parametrize(
    "events, expected",
    [
        ([Roll(t=0, frame=0, player=WHITE, dice=(1, 3)), FIRST, CHANGED], [PLY1B]),
        ([FIRST, SECOND_ROLL, CHANGED, SECOND], [PLY1B, PLY2]),
        ([FIRST, SetByHand(t=0, frame=0, position=TWO, turn=WHITE, dice=None)], [PLY1, Break(TWO)]),
        ([FIRST, DOUBLE, TAKE, SECOND], [PLY1, Cubing(BLACK, "double", 2), Cubing(WHITE, "take", 2), PLY2]),
    ],
    ids=["changed in time", "changed late", "set by hand", "cube"],
)
def test_turns(events, expected):
    assert games([started(), *events])[0].turns == expected


def test_text_says_what_stood_and_what_was_not_seen():
    lines = to_text(record(started(ONE), STOOD, started(TWO))).splitlines()
    assert "      starts from 1B2 5W2 6W4 8W2 12B5 13W5 17B3 19B5 24W2" in lines
    assert any(line.endswith("62: illegal, and stood") for line in lines)
    assert "      stands: 3B1 5W1 6W4 7B1 8W2 12B5 13W5 17B3 19B5 21W1 24W2" in lines
    assert "      not seen; goes on from 3B1 5W2 6W4 7B1 8W2 12B5 13W5 17B3 19B5 24W2" in lines

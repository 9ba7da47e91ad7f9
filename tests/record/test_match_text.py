"""What a record looks like for people, and as our own JSON Lines."""

import json
from pathlib import Path
from typing import get_args

import pytest
from played import BLACK, LONG, WHITE, moved, played, record, started, stood

from nardy_hw.errors import InputError
from nardy_hw.record import jsonl
from nardy_hw.record.board import draw
from nardy_hw.record.jsonl import read_jsonl, to_jsonl
from nardy_hw.record.store import MatchInfo
from nardy_hw.record.text import to_text
from nardy_hw.referee.events import AnyEvent, GameOver, ViolationSeen, decode
from nardy_hw.rules.position import Position, Variant

SCHEMA = Path(jsonl.__file__).with_name("jsonl.md")
HEADER = '{"format": "nardy-hw", "version": 1, "variant": "short"}'
ONE = moved(LONG, (24, -1), (13, +1))  # White 24/13
WRONG = moved(ONE, (12, +2), (6, -1), (5, -1))  # Black 24/18 24/17: two from the head
STOOD = (
    started(LONG),
    played(WHITE, (6, 5), "24/13", ONE),
    ViolationSeen(
        t=61, frame=0, player=BLACK, dice=(6, 1), code="head_rule", rule="L6",
        text="two checkers from the head", repair="18 back to 24", position=WRONG,
    ),
    stood(BLACK, (6, 1), WRONG),
    GameOver(t=99, frame=0, winner=WHITE, points=2),
)  # fmt: skip

TEXT = """\
nardy-hw text 1: long nardy, match to 3
Ona (White) - Petro (Black)
2026-05-31T18:04:00+00:00, Club night, Vilnius

 Game 1
 Ona : 0                                  Petro : 0
  1) 65: 24/13                            61: illegal, and stood
      stands: 5B1 6B1 12B13 13W1 24W14
      Wins 2 points

 Illegal plays
   1:01  black: two checkers from the head (rule L6)
"""


def test_long_nardy_as_text():
    kept = record(*STOOD, variant=Variant.LONG, length=3, event="Club night", place="Vilnius")
    *lines, blank, info = to_text(kept).splitlines(keepends=True)
    assert "".join(lines) == TEXT
    assert (blank, info[:9]) == ("\n", "Nardy-hw ")


def test_json_lines():
    header, *events = to_jsonl(record(*STOOD, variant=Variant.LONG, white="Анна")).splitlines()
    assert json.loads(header) == {
        "format": "nardy-hw", "version": 1, "variant": "long", "white": "Анна", "black": "Petro", "length": 0,
        "started": "2026-05-31T18:04:00+00:00", "white_home": "near-right", "event": "", "place": "", "profile": {},
        "chouette": [], "board": "",
    }  # fmt: skip
    assert tuple(map(decode, events)) == STOOD


def test_the_schema_names_every_event_and_field():
    rows = [line.strip("|").split(" | ") for line in SCHEMA.read_text().splitlines() if line.startswith("| ")]
    header, events = (
        rows[1 : rows.index([" type", "fields", "meaning "])],
        rows[rows.index([" type", "fields", "meaning "]) + 1 :],
    )
    fields = {name.strip() for row in header for name in row[0].split(",")}
    assert fields == {"format", "version", *MatchInfo.__struct_fields__}
    told = {row[0].strip(): [] if row[1] == "-" else row[1].split(", ") for row in events}
    assert told == {
        kind.__struct_config__.tag: [f for f in kind.__struct_fields__ if f not in ("t", "frame")]
        for kind in get_args(AnyEvent)
    }


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "line 1: an empty file"),
        ("[]\n", 'line 1: the first line is a header with "format"'),
        ('{"format": "nardy-hw", "version": 2}', "line 1: version 2: this program reads version 1"),
        ('{"format": "nardy-hw", "version": 1, "variant": "chess"}', "line 1: Invalid enum value 'chess'"),
        (HEADER + "\n\n{}", "line 3: Object missing required field `type`"),
        (HEADER + '\n{"type": "dance", "t": 0, "frame": 0}', "line 2: Invalid value 'dance'"),
        (HEADER + '\n{"type": "roll", "t": 0, "frame": 0, "player": "white", "dice": [1]}', "line 2: Expected `array`"),
        (HEADER + '\n{"type": "found", "t": 0', "line 2: "),
    ],
)
def test_json_lines_that_are_refused(text, why):
    with pytest.raises(InputError) as error:
        read_jsonl(text)
    assert str(error.value).startswith(why)


def test_board():
    points = [0] * 24
    points[0], points[11], points[12], points[23] = 6, -2, 1, -11
    drawn = draw(Position(Variant.SHORT, tuple(points), (3, 1), (5, 1)))
    rows = [" ".join(line.split()) for line in drawn.splitlines()]
    assert rows[0] == "13 14 15 16 17 18 | 19 20 21 22 23 24"
    assert rows[1] == "O . . . . . | . . . . . X"
    assert rows[5] == ". . . . . . | . . . . . 11"
    assert rows[6] == "bar O3 X1 off O5 X1"
    assert rows[7] == ". . . . . . | . . . . . 6"
    assert rows[11] == "X . . . . . | . . . . . O"
    assert rows[12] == "12 11 10 9 8 7 | 6 5 4 3 2 1"

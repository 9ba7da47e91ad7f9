import io
import json
import sys

import pytest

from nardy_hw.cli import main
from nardy_hw.rules.position import Position, Variant

SHORT, LONG = (Position.start(variant).to_json() for variant in (Variant.SHORT, Variant.LONG))
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def after(*moves):
    """The opening with White's checkers moved."""
    points = list(SHORT["points"])
    for start, end in moves:
        points[start - 1] -= 1
        points[end - 1] += 1
    return {**SHORT, "points": points}


@pytest.fixture
def nardy(capsys, monkeypatch):
    def run(*args, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def batch(nardy):
    def run(command, *questions):
        lines = [q if isinstance(q, bytes) else json.dumps(q).encode() for q in questions]
        code, out, err = nardy(command, "--batch", stdin=b"\n".join(lines))
        assert not err
        return code, [json.loads(line) for line in out.splitlines()]

    return run


@pytest.fixture
def file(tmp_path):
    def write(name, value):
        path = tmp_path / name
        path.write_text(json.dumps(value))
        return path

    return write


def test_legal_for_people(nardy):
    code, out, _ = nardy("legal", "--xgid", OPENING)
    assert code == 0
    plays = out.splitlines()
    assert "8/5 6/5" in plays
    assert len(plays) == len(set(plays)) == 16  # what GNU Backgammon lists for an opening 3-1


def test_player_and_dice_on_the_line_win_over_the_xgid(nardy):
    _, out, _ = nardy("legal", "--xgid", OPENING, "--player", "black", "--dice", "6,5", "--json")
    assert {"24/13", "24/18 13/8"} <= {play["text"] for play in json.loads(out)["plays"]}


def test_legal_by_position_id(nardy):
    code, out, _ = nardy("legal", "--position-id", "4HPwATDgc/ABMA", "--player", "black", "--dice", "3,1")
    assert code == 0
    assert "8/5 6/5" in out.splitlines()


def test_legal_from_a_file_and_from_standard_input(nardy, file):
    args = ("--player", "white", "--dice", "6,5", "--first-turn", "--json")
    one = nardy("legal", "--position", file("p.json", LONG), *args)
    other = nardy("legal", "--position", "-", *args, stdin=json.dumps(LONG).encode())
    assert one == other
    assert [play["text"] for play in json.loads(one[1])["plays"]] == ["24/13"]


def test_legal_says_no_play(nardy, file):
    points, counts = [0] * 18 + [-2] * 5 + [-5], {"white": 14, "black": 0}
    path = file("p.json", {"variant": "short", "points": points, "bar": {"white": 1, "black": 0}, "off": counts})
    assert nardy("legal", "--position", path, "--player", "white", "--dice", "6,6") == (0, "no play\n", "")


def test_check_for_people(nardy, file):
    position = ("--position", file("p.json", SHORT), "--player", "white", "--dice", "3,1")
    good = nardy("check", *position, "--after", file("good.json", after((8, 5), (6, 5))))
    assert good == (0, "legal: 8/5 6/5\n", "")
    code, out, _ = nardy("check", *position, "--after", file("bad.json", after((13, 8), (6, 5))))
    assert code == 1
    assert out.splitlines()[:3] == [
        "illegal: 13/8 6/5",
        "  White moved 13/8: not by a number of 3-1 (wrong_distance, rule S6)",
        "    White: 8 back to 13",
    ]


def test_check_as_json(nardy, file):
    code, out, _ = nardy("check", "--xgid", OPENING, "--after", file("a.json", after((8, 5))), "--json")
    answer = json.loads(out)
    assert code == 1
    assert (answer["legal"], answer["text"]) == (False, "8/5")
    (wrong,) = answer["violations"]
    assert (wrong["code"], wrong["rule"]) == ("die_not_played", "S9")


def test_legal_batch(batch):
    code, (one, two, three) = batch(
        "legal",
        {"id": "a", "position": LONG, "player": "white", "dice": [6, 5], "first_turn": True},
        {"id": 2, "position": LONG, "player": "black", "dice": [6, 6], "first_turn": True},
        {"id": None, "position": SHORT, "player": "white", "dice": [3, 1]},
    )
    assert code == 0
    assert (one["id"], [play["text"] for play in one["plays"]]) == ("a", ["24/13"])
    assert one["plays"][0]["position"]["points"][12] == 1
    assert (two["id"], [play["text"] for play in two["plays"]]) == (2, ["24/18(2)"])
    assert two["plays"][0]["position"]["points"][5] == -2  # Black's 18 is point 6
    assert (three["id"], len(three["plays"])) == (None, 16)


def test_check_batch_reads_the_end_of_the_game_strictly(batch):
    """A15: 4/off ends the game with one die, 3-6 may use both; commands ask for both."""
    points = [0, -1, 0, 0, 1, *[0] * 9, 0, -1, 0, 0, -1, -1, -1, 0, -1, 0]
    before = {"variant": "short", "points": points, "off": {"white": 14, "black": 9}}
    done = {**before, "points": [n if n < 0 else 0 for n in points], "off": {"white": 15, "black": 9}}
    hit = {**done, "points": [0, *done["points"][1:]], "bar": {"white": 0, "black": 1}}
    hit["points"][1] = 0
    asked = {"position": before, "player": "white", "dice": [6, 3]}
    code, (short_cut, both) = batch("check", {**asked, "after": done}, {**asked, "after": hit})
    assert code == 0, "an illegal play is an answer, not a failure of the batch"
    assert short_cut["legal"] is False
    assert (both["legal"], both["text"], both["violations"]) == (True, "5/2* 2/off", [])


START_QUESTION = {"position": SHORT, "player": "white", "dice": [3, 1]}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        ([1], "object"),
        ("text", "object"),
        ({}, "position is missing"),
        ({**START_QUESTION, "position": None}, "position"),
        ({**START_QUESTION, "position": {**SHORT, "points": [16, *SHORT["points"][1:]]}}, "white has 31 checkers"),
        ({**START_QUESTION, "position": {**SHORT, "points": [[1, -1], *SHORT["points"][1:]]}}, "whole numbers"),
        ({**START_QUESTION, "player": "red"}, "'white' or 'black'"),
        ({**START_QUESTION, "player": ["white"]}, "'white' or 'black'"),
        ({**START_QUESTION, "dice": [0, 1]}, "from 1 to 6"),
        ({**START_QUESTION, "dice": [7, 1]}, "from 1 to 6"),
        ({**START_QUESTION, "dice": [3]}, "two numbers"),
        ({**START_QUESTION, "dice": "31"}, "two numbers"),
        ({**START_QUESTION, "dice": [3, [1]]}, "from 1 to 6"),
        ({**START_QUESTION, "first_turn": 1}, "first_turn"),
        ({"position": SHORT, "player": "white"}, "dice is missing"),
    ],
)
@pytest.mark.parametrize("command", ["legal", "check"])
def test_a_bad_line_is_answered_and_the_batch_goes_on(batch, command, line, why):
    good = {"id": 3, **START_QUESTION, "after": SHORT}
    bad = {"id": 2, "after": SHORT, **line} if isinstance(line, dict) else line
    code, answers = batch(command, {"id": 1, **START_QUESTION, "after": SHORT}, bad, good)
    assert code == 2
    assert [answer["id"] for answer in answers] == [1, 2 if isinstance(line, dict) else None, 3]
    assert ["error" in answer for answer in answers] == [False, True, False]
    assert set(answers[1]) == {"id", "error"}
    assert why in answers[1]["error"]
    assert "\n" not in answers[1]["error"]


def test_check_batch_names_what_is_wrong_with_after(batch):
    code, answers = batch(
        "check",
        {"id": 1, **START_QUESTION},
        {"id": 2, **START_QUESTION, "after": LONG},
    )
    assert code == 2
    assert [answer["error"] for answer in answers] == [
        "after is missing",
        "one position is short nardy, the other long",
    ]


def test_blank_lines_are_passed_over(batch):
    assert batch("legal", b"", b"  ") == (0, [])


@pytest.mark.parametrize(
    "args",
    [
        ("legal", "--position", "nowhere.json", "--player", "white", "--dice", "6,5"),
        ("legal", "--position", "-", "--player", "white", "--dice", "6,5"),
        ("legal", "--position-id", "4HPwATDgc/ABMA", "--dice", "6,5"),
        ("legal", "--position-id", "nonsense", "--player", "white", "--dice", "6,5"),
        ("legal", "--position-id", "4HPwATDgc/ABMA", "--player", "white"),
        ("legal", "--xgid", "nonsense"),
        ("legal", "--xgid", OPENING, "--dice", "six"),
        ("legal", "--xgid", OPENING, "--dice", "6"),
        ("check", "--xgid", OPENING),
        ("check", "--position", "-", "--after", "-", "--player", "white", "--dice", "6,5"),
    ],
)
def test_bad_use_is_one_line_on_stderr(nardy, args):
    code, out, err = nardy(*args)
    assert (code, out) == (2, "")
    assert err.startswith(f"nardy-hw {args[0]}: ")
    assert err.count("\n") == 1

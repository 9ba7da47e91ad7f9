import json
import re
from pathlib import Path

import pytest

from nardy_hw.cli import main
from nardy_hw.record.store import MatchInfo, Store
from nardy_hw.referee.events import PlayMade, Roll, Started, decode
from nardy_hw.rules.position import Player, Position, Variant

START = {variant: Position.start(variant) for variant in Variant}
AFTER = Position(Variant.SHORT, (-2, 0, 0, 0, 2, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2))
EVENTS = (
    Started(t=0, frame=0, position=START[Variant.SHORT]),
    Roll(t=61, frame=1, player=Player.WHITE, dice=(3, 1)),
    PlayMade(t=65.5, frame=2, player=Player.WHITE, dice=(3, 1), text="8/5 6/5", position=AFTER, confidence=0.9),
)


@pytest.fixture
def nardy(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(*args):
        code = main(["matches", *map(str, args)])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def two_matches(nardy):
    """1: a play of short nardy. 2: long nardy."""
    when = "2026-05-31T18:04:00+00:00"
    with Store.open() as store:
        store.begin(MatchInfo(variant=Variant.SHORT, white="Ona", black="Petro", length=5, started=when))
        for event in EVENTS:
            store.append(1, event)
        store.append(store.begin(MatchInfo(variant=Variant.LONG)), Started(t=0, frame=0, position=START[Variant.LONG]))


def test_none_yet(nardy):
    code, out, err = nardy("list")
    assert (code, err) == (0, "")
    assert out.startswith("no matches yet")
    assert nardy("list", "--json") == (0, "", "")


@pytest.mark.usefixtures("two_matches")
def test_list(nardy):
    code, out, _ = nardy("list")
    lines = out.splitlines()
    assert (code, len(lines)) == (0, 2)
    assert lines[0].split()[:3] == ["1", "2026-05-31", "18:04"]
    assert lines[0].endswith("Ona - Petro  0-0")
    found = [json.loads(line) for line in nardy("list", "--json")[1].splitlines()]
    assert [(match["id"], match["variant"], match["events"]) for match in found] == [(1, "short", 3), (2, "long", 1)]
    assert (found[0]["white"], found[0]["black"], found[0]["length"]) == ("Ona", "Petro", 5)


@pytest.mark.usefixtures("two_matches")
def test_show(nardy):
    code, out, _ = nardy("show", 1)
    assert code == 0
    assert "1:01.0  white throws 3-1" in out
    assert "white plays 8/5 6/5" in out
    code, out, _ = nardy("show", 1, "--json")
    assert tuple(decode(line) for line in out.splitlines()) == EVENTS


@pytest.mark.usefixtures("two_matches")
@pytest.mark.parametrize("form, inside", [("mat", "31: 8/5 6/5"), ("text", "31: 8/5 6/5"), ("jsonl", '"8/5 6/5"')])
def test_export(nardy, tmp_path, form, inside):
    output = tmp_path / "match"
    output.write_text("what was there before")
    code, _, err = nardy("export", 1, "--format", form, "--output", output)
    assert (code, err) == (0, "")
    assert inside in output.read_text()
    assert "before" not in output.read_text()
    if form == "jsonl":
        header, *events = output.read_text().splitlines()
        assert json.loads(header)["white"] == "Ona"
        assert tuple(map(decode, events)) == EVENTS


@pytest.mark.usefixtures("two_matches")
@pytest.mark.parametrize(
    "number, form, output, why",
    [
        (1, "mat", "missing/match", "No such file"),
        (1, "mat", "file/match", "Not a directory"),
        (1, "text", "folder", "folder"),
        (1, "text", "", "cannot write"),
        (3, "mat", "match", "no match 3"),
        (1 << 70, "text", "match", "no match"),
        (2, "mat", "match", "long nardy"),
    ],
)
def test_refused(nardy, tmp_path, monkeypatch, number, form, output, why):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    code, out, err = nardy("export", number, "--format", form, "--output", output)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert why in err
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("args", [("show", 1), ("list",)])
def test_foreign_store(nardy, tmp_path, args):
    folder = tmp_path / "state" / "nardy-hw"
    folder.mkdir(parents=True)
    (folder / "matches.db").write_text("no database " * 50)
    code, out, err = nardy(*args)
    assert (code, out, err.count("\n")) == (2, "", 1)


MATCHES = Path(__file__).parents[1] / "data" / "vectors" / "matches"


@pytest.mark.parametrize("form", ["mat", "sgf", "snowie", "text", "jsonl", "ogxm"])
def test_import_what_was_exported(nardy, tmp_path, form):
    assert nardy("import", MATCHES / "m07.mat", MATCHES / "m05.sgf") == (0, "1\n2\n", "")
    assert nardy("export", 1, "--format", form, "--output", tmp_path / "match")[0] == 0
    assert nardy("import", tmp_path / "match") == (0, "3\n", "")
    first, _, third = (json.loads(line) for line in nardy("list", "--json")[1].splitlines())
    assert {**first, "id": 3} == third
    assert (first["score"], first["over"], first["length"]) == ([10, 0], True, 5)


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "line 1: no match"),
        (" 5 point match\n\n Game 1\n Ona : 0   Petro : 0\n  1) 31: 8/5 6/5      31: 8/4 6/5\n  2) 31: 13/2\n", None),
        (" 5 point match\n Game 1\n Ona : 0   Petro : 0\n  1) 31: 8/5 9/8\n", "line 4: '8/5 9/8' cannot be played"),
        (" 5 point match\n Game 1\n Ona : 0   Petro : 0\n  1) 31: 8/1\n", "line 4: '8/1' cannot be played"),
        (" 65 point match\n", "line 1: a match to 65 points"),
        (" 5 point match\n Game 1\n nobody\n", "line 3: 'nobody' where a game's score is expected"),
        (" 5 point match\n Game 1\n A : 0   B : 0\n  1)  Takes\n", "line 4: white answers a double"),
        (" 5 point match\n Game 1\n A : 0   B : 0\n  1)  Doubles => 8\n", "line 4: the cube is at 1"),
        (" 5 point match\n Game 1\n A : 0   B : 5\n", "line 3: a game at 0-5 in a match to 5"),
        (" 5 point match\n Game 1\n A : 0   B : 0\n      Wins 7 points\n", "line 4: 7 points cannot be won"),
        ("(;FF[4]GM[1])", "line 1: not a game of backgammon"),
        ("(;FF[4]GM[6]\n;W[31hefe]\n;W[31hefe])", "line 3: two turns of white"),
        ("(;FF[4]GM[6]\n;W[31hefe]", "line 2: the file ends in the middle of a game"),
        ("(;FF[4]GM[6]\n;W[97hefe])", "line 2: '97hefe' is neither a throw"),
        ("nardy-hw text 1: short nardy\n", "line 1: the file begins with"),
        ('{"format": "chess"}', "line 1: the first line is a header"),
        ("OGXM\0\0", "not a whole OGXM file"),
    ],
)  # fmt: skip
def test_files_that_are_refused(nardy, tmp_path, text, why):
    """Each names the line, and nothing of it is kept; an illegal play that can be made has stood."""
    path = tmp_path / "match"
    path.write_text(text)
    code, out, err = nardy("import", path)
    if why is None:
        assert (code, out) == (0, "1\n")
        return
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{path}, {why}" in err
    assert nardy("list", "--json")[1] == ""


def test_import_of_what_is_no_file(nardy, tmp_path):
    (tmp_path / "picture").write_bytes(bytes(range(128, 256)))
    for path, why in (
        (tmp_path, "Is a directory"),
        (tmp_path / "none", "No such file"),
        (tmp_path / "picture", "UTF-8"),
    ):
        code, out, err = nardy("import", path)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert why in err


def test_filters(nardy):
    nardy("import", *sorted(MATCHES.glob("m0[1-3].mat")))
    assert len(nardy("list", "--player", "oNA", "--since", "2026-11", "--until", "2026-11-30")[1].splitlines()) == 3
    for nothing in (("--player", "Timur"), ("--event", "Cup"), ("--until", "2026-10"), ("--since", "2026-12-01")):
        assert nardy("list", *nothing) == (0, "no such match\n", "")
    code, _, err = nardy("list", "--since", "yesterday")
    assert code == 2
    assert "--since is a date" in err


def test_export_of_all(nardy, tmp_path):
    nardy("import", *sorted(MATCHES.glob("m0[1-3].mat")))
    with Store.open() as store:
        store.begin(MatchInfo(variant=Variant.LONG, white="a/b", black=".."))
    code, out, err = nardy("export", "--all", "--format", "sgf", "--output", tmp_path / "out")
    assert (code, out) == (1, f"{tmp_path / 'out'}: 3 of 4 matches as sgf\n")
    assert "not exported: match 4 is long nardy" in err
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [f"0000{n}-Ona-Petro.sgf" for n in (1, 2, 3)]
    assert nardy("export", "--all", "--format", "text", "--output", tmp_path / "text")[0] == 0
    assert (tmp_path / "text" / "00004-a-b---.txt").is_file()
    assert nardy("export", "--format", "sgf", "--output", tmp_path / "x")[0] == 2


def test_statistics(nardy):
    """m07: Ona wins 2 and 8 points; 44 throws of hers."""
    nardy("import", MATCHES / "m07.mat")
    code, out, err = nardy("stats")
    assert (code, err) == (0, "")
    ona = next(line for line in out.splitlines() if line.startswith("Ona"))
    assert ona.split() == ["Ona", "1", "1", "2", "2", "10", "0", "0", "-"]
    assert "dice of file: 1:" in out
    players = [json.loads(line) for line in nardy("stats", "--json")[1].splitlines()]
    assert players[0]["player"] == "Ona"
    assert sum(players[2]["faces"]) == 2 * len(re.findall(r"\d\d:", (MATCHES / "m07.mat").read_text()))


def test_backup_and_verify(nardy, tmp_path):
    nardy("import", MATCHES / "m07.mat", MATCHES / "m05.mat")
    assert nardy("verify") == (0, "2 of 2 matches are whole and as they were recorded\n", "")
    assert nardy("backup", tmp_path / "copy.db")[0] == 0
    with Store.open(tmp_path / "copy.db") as copy:
        assert [row.events for row in copy.matches()] == [180, 182]
    with Store.open() as store:
        store._do("DROP TRIGGER events_last")
        store._do("DELETE FROM events WHERE match_id = 2 AND seq = 7")
    code, out, err = nardy("verify")
    assert (code, out) == (1, "1 of 2 matches are whole and as they were recorded\n")
    assert err == "NOT AS IT WAS RECORDED: match 2: event 7 is missing\n"
    assert [json.loads(line)["whole"] for line in nardy("verify", "--json")[1].splitlines()] == [True, False]
    assert nardy("verify", 1)[0] == 0
    assert nardy("show", 1)[0] == 0


def test_recover(nardy, tmp_path):
    nardy("import", MATCHES / "m07.mat", MATCHES / "m05.mat")
    path = tmp_path / "state" / "nardy-hw" / "matches.db"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 8192 * 4096])
    for args in (("list",), ("verify",)):
        code, out, err = nardy(*args)
        assert (out, err.count("\n")) == ("", 1)
        assert code in (1, 2)
        assert "--recover" in err
    code, out, err = nardy("verify", "--recover")
    assert code == 0
    assert "put aside as matches.db.damaged-" in out
    assert nardy("list")[0] == 0


def test_prune(nardy, tmp_path):
    nardy("import", MATCHES / "m07.mat", MATCHES / "m05.mat")
    folder = tmp_path / "state" / "nardy-hw" / "evidence" / "00001"
    folder.mkdir(parents=True)
    (folder / "a.jpg").write_bytes(b"x" * 2_000_000)
    assert nardy("prune", "--keep-mb", 2) == (0, "pictures of 0 matches removed, 0.0 MB\n", "")
    assert nardy("prune", "--keep-mb", 1) == (0, "pictures of 1 match removed, 2.0 MB\n", "")
    assert nardy("prune", "--keep-mb", -1)[0] == 2

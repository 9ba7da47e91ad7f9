import json

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
    assert lines[0].endswith("Ona - Petro")
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

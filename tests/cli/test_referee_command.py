"""A match on the recorded game: agreed on, followed, interrupted and gone on with."""

import subprocess
import sys

import pytest

from nardy_hw.cli import main
from nardy_hw.daemon.demo import DATA
from nardy_hw.record.store import MatchInfo, Store
from nardy_hw.referee import events as e
from nardy_hw.rules.position import Player, Position, Variant

RUN = "import sys; from nardy_hw.cli import main; sys.exit(main())"
GAME = [str(DATA / "game.mp4"), "--calibration", str(DATA / "calibration.toml")]


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "nardy-hw" / "matches.db"


def test_a_match_is_followed_and_gone_on_with(state, monkeypatch, capsys):
    start = [sys.executable, "-c", RUN, "referee", *GAME, "--length", "4", "--white", "Rūta", "--json"]
    process = subprocess.Popen(start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdin.write("white double\nnonsense\n")
    process.stdin.flush()
    seen = 0
    while '"type":"play"' not in (line := process.stdout.readline()) or (seen := seen + 1) < 3:
        assert line
    process.kill()
    _, err = process.communicate()
    assert "match 1: nardy-hw referee --resume 1" in err and "4 points is unusual" in err
    assert "not done: 'double' cannot be done now" in err and "'nonsense'" in err
    with Store.open(state) as store:
        before = store.match(1)
        assert (before.info.white, before.info.length, before.info.profile["name"]) == ("Rūta", 4, "kazakh")
        assert isinstance(before.events[0], e.GameStarted)
        assert sum(isinstance(event, e.PlayMade) for event in before.events) >= 3


def test_an_even_length_by_a_profile_of_ones_own(state, tmp_path):
    own = tmp_path / "club.toml"
    own.write_text('base = "wbgf"\neven_length = "allow"\n', encoding="utf-8")
    start = [sys.executable, "-c", RUN, "referee", *GAME, "--length", "4", "--profile", str(own)]
    process = subprocess.Popen(
        start, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline()  # what was agreed on is accepted
    process.kill()
    _, err = process.communicate()
    assert "match 1" in err and "unusual" not in err
    with Store.open(state) as store:
        assert store.match(1).info.profile["even_length"] == "allow"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--profile", "kazak"], "'kazakh'"),
        (["--profile", "nowhere.toml"], "nowhere.toml"),
        (["--length", "200"], "1 to 99"),
        (["--chouette", "Ona,Petro"], "3 players"),
        (["--chouette", "Ona,Petro,Aigul", "--length", "5"], "game by game"),
        (["--resume", "7"], "no match 7"),
        (["--resume", "0"], "no match 0"),
    ],
)
def test_what_cannot_be_agreed_on(state, capsys, words, told):
    assert main(["referee", *GAME, *words]) == 2
    err = capsys.readouterr().err
    assert told in err and len(err.splitlines()) == 1
    if state.exists():
        with Store.open(state) as store:
            assert store.matches() == []


def test_a_match_that_cannot_be_gone_on_with(state, capsys):
    with Store.open(state) as store:
        long = store.begin(MatchInfo(variant=Variant.LONG))
        over = store.begin(MatchInfo(variant=Variant.SHORT, length=1))
        start = Position.start(Variant.SHORT)
        events = [
            e.GameStarted(t=0, frame=0, number=1, score=(0, 0), crawford=False, position=start),
            e.Resigned(t=1, frame=1, player=Player.WHITE, points=1),
            e.Scored(t=2, frame=2, winner=Player.BLACK, points=1, how="resign", score=(0, 1)),
            e.MatchOver(t=2, frame=2, winner=Player.BLACK, score=(0, 1)),
        ]
        store.extend(over, events)
    for number, told in ((long, "--variant long"), (over, "is over")):
        assert main(["referee", *GAME, "--resume", str(number)]) == 2
        err = capsys.readouterr().err
        assert told in err and len(err.splitlines()) == 1


def test_what_is_connected_is_tried_before_a_match_is_begun(state, tmp_path, capsys):
    config = tmp_path / "config.toml"
    for text, told in (
        ("[devices]\ndice = 'roller'", "say which board"),
        ("[devices]\ndice = 'ble'\nble = ['AA', 'aa']", "names two dice"),
        ("[pins]\ndriver = 'mock'\nwhite = 17\nblack = 17", "share a pin"),
    ):
        config.write_text(text)
        assert main(["referee", *GAME, "--config", str(config)]) == 2
        out, err = capsys.readouterr()
        assert told in err and err.count("\n") == 1 and not out
    with Store.open(state) as store:
        assert not list(store.matches())

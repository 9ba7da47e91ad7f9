"""The recorded game through the whole pipeline, against what the recording is known to show."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from nardy_hw.daemon.demo import Summary, play
from nardy_hw.daemon.page import Page
from nardy_hw.record.store import Store
from nardy_hw.referee.events import Event, PlayMade, Roll, ViolationSeen

TRUTH = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "data" / "demo" / "truth.jsonl").read_text().splitlines()
]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Event], Summary, list[Event]]:
    """What was said, the summary, and what the record holds."""
    with Store.open(tmp_path_factory.mktemp("state") / "matches.db") as store:
        said = list(play(store, Page.open(None), real_pace=False))
        summary = said.pop()
        assert isinstance(summary, Summary)
        return [e for e in said if isinstance(e, Event)], summary, list(store.match(summary.match).events)


def test_throws_and_plays_are_those_of_the_game(played: tuple[list[Event], Summary, list[Event]]) -> None:
    events = played[0]
    rolls = [(str(e.player), sorted(e.dice)) for e in events if isinstance(e, Roll)]
    wanted = [(t["roll"], t["dice"]) for t in TRUTH if "roll" in t]
    assert len(wanted) == 25
    assert sum(roll in rolls for roll in wanted) >= 23
    plays = [e.position.to_json() for e in events if isinstance(e, PlayMade)]
    positions = [t["position"] for t in TRUTH if "play" in t]
    assert sum(position in plays for position in positions) >= 23


def test_illegal_plays_are_called_and_nobody_is_accused_falsely(
    played: tuple[list[Event], Summary, list[Event]],
) -> None:
    called = [(str(e.player), str(e.code)) for e in played[0] if isinstance(e, ViolationSeen)]
    final = [t for t in TRUTH if t.get("final")]
    assert len(final) == 5
    codes = iter(called)
    right = sum(any(p == t["illegal"] and c in t["codes"] for p, c in codes) for t in final)
    assert right >= 3
    assert len({code for _, code in called}) >= 3
    assert len(called) <= len(final)
    assert all(e.repair and e.rule for e in played[0] if isinstance(e, ViolationSeen))


def test_all_that_was_said_is_in_the_record(played: tuple[list[Event], Summary, list[Event]]) -> None:
    said, summary, kept = played
    assert kept == said
    assert summary.events.total() == len(said)
    assert summary.seconds > 80


def lights_of(events: str) -> list[str]:
    """The first colours of the board's lights that an event stream gives with a point lit."""
    with urllib.request.urlopen(events, timeout=10) as stream:
        for line in stream:
            if line == b"event: lights\n":
                lamps = json.loads(next(stream).decode().removeprefix("data: "))
                if any(lamps[:24]):
                    return lamps
    return []


def test_the_page_shows_the_game_while_it_runs(tmp_path: Path) -> None:
    """The command itself, at real pace: page, picture and state come up; Ctrl-C ends it with exit 0."""
    environment = os.environ | {"XDG_STATE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", "import sys; from nardy_hw.cli import main; sys.exit(main())"]
    process = subprocess.Popen(
        [*command, "demo", "--port", "8437", "--json"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # where the tests are a shell's background job, Ctrl-C is ignored by all that they start
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        state: dict[str, Any] = {}
        deadline = time.monotonic() + 60
        while not state.get("roll") and time.monotonic() < deadline:
            time.sleep(0.5)
            try:
                with urllib.request.urlopen("http://127.0.0.1:8437/api/v1/state", timeout=5) as answer:
                    state = json.load(answer)
            except (urllib.error.URLError, ConnectionError):
                assert process.poll() is None, process.communicate()
        assert state["roll"]["player"] == "black"
        assert sorted(state["roll"]["dice"]) == [2, 4]
        lamps = lights_of("http://127.0.0.1:8437/events")
        assert len(lamps) == 28 and any(lamps[:24])  # where a checker may legally go, as the simulated board shines
        with urllib.request.urlopen("http://127.0.0.1:8437/camera.jpg", timeout=5) as answer:
            assert answer.read(2) == b"\xff\xd8"
    finally:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 0, err
    assert json.loads(out.splitlines()[0])["type"] == "game"
    assert "Traceback" not in err

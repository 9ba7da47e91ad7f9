"""A match goes on from its record, wherever the process was killed."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from nardy_hw.record.store import Store
from nardy_hw.referee import events as e

DRIVER = Path(__file__).with_name("driven_match.py")
KILLS = int(os.environ.get("NARDY_HW_KILLS", "12"))
"""tests/bench/referee.py has 200."""


def start(store, name):
    process = subprocess.Popen([sys.executable, DRIVER, store, name], stdout=subprocess.PIPE, text=True)
    with process.stdout as out:
        assert out.readline() == "ready\n"
    return process


def story(path):
    """What was said, without when and how surely, and without where the following was taken up again."""
    with Store.open(path) as store:
        events = store.match(1).events
    told = [
        {key: getattr(event, key) for key in event.__struct_fields__ if key not in ("t", "frame", "confidence")}
        for event in events
        if not isinstance(event, e.Started)
    ]
    return told, [event.t for event in events]


def test_killed_at_random_instants(tmp_path):
    assert start(tmp_path / "whole.db", "m07").wait(60) == 0
    whole, _ = story(tmp_path / "whole.db")
    rng, path = random.Random(5), tmp_path / "killed.db"
    seen, kills = 0, 0
    for _ in range(KILLS * 3):
        process = start(path, "m07")
        time.sleep(rng.uniform(0, 2.0 / KILLS))
        process.send_signal(signal.SIGKILL)
        if process.wait() == 0:
            break
        kills += 1
        record, _ = story(path)
        assert len(record) >= seen, "an event that was committed is gone"
        assert record == whole[: len(record)], (record[-6:], whole[len(record) - 6 : len(record) + 1])
        seen = len(record)
        if kills == KILLS:
            assert start(path, "m07").wait(60) == 0
            break
    print(f"{kills} kills")
    record, times = story(path)
    assert record == whole
    assert times == sorted(times)
    assert kills >= KILLS / 3

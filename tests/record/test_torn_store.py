"""Files cut short and writes that fail: what was reported as stored is there, or one line says what is not."""

import subprocess
import sys

import pytest

from nardy_hw.errors import StoreError
from nardy_hw.record.store import MatchInfo, Store
from nardy_hw.referee.events import Lost
from nardy_hw.rules.position import Variant

WRITER = """
import itertools, resource, sys
from pathlib import Path
from nardy_hw.errors import StoreError
from nardy_hw.record.store import MatchInfo, Store
from nardy_hw.referee.events import Lost
from nardy_hw.rules.position import Variant
with Store.open(Path(sys.argv[1])) as store:
    number = store.begin(MatchInfo(variant=Variant.SHORT))
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    try:
        for i in itertools.count(1):
            print(store.append(number, Lost(t=i, frame=i, why="x" * 200)), flush=True)
    except StoreError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
"""


def frames(path):
    with Store.open(path) as store:
        return [event.frame for event in store.match(1).events]


def test_write_that_fails_half_way(tmp_path):
    path = tmp_path / "matches.db"
    done = subprocess.run([sys.executable, "-c", WRITER, str(path)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.startswith(f"cannot use the record {path}: ")
    assert done.stderr.count("\n") == 1
    said = [int(line) for line in done.stdout.splitlines()]
    assert len(said) > 10
    assert frames(path) == said == list(range(1, len(said) + 1))


def test_torn_tail_of_the_log(tmp_path):
    """Of the write-ahead log, as a copy made while the referee runs may have it, the whole transactions count."""
    path, copy = tmp_path / "matches.db", tmp_path / "copy.db"
    with Store.open(path) as store:
        number = store.begin(MatchInfo(variant=Variant.SHORT))
        for frame in range(1, 21):
            store.append(number, Lost(t=0, frame=frame, why="moved"))
        copy.write_bytes(path.read_bytes())
        log = (tmp_path / "matches.db-wal").read_bytes()
    (tmp_path / "copy.db-wal").write_bytes(log[: len(log) - 2000])
    assert frames(path) == list(range(1, 21))
    assert frames(copy) == list(range(1, 20))


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_torn_file(tmp_path, part):
    path = tmp_path / "matches.db"
    with Store.open(path) as store:
        number = store.begin(MatchInfo(variant=Variant.SHORT))
        for frame in range(200):
            store.append(number, Lost(t=0, frame=frame, why="x" * 200))
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * part)])
    with pytest.raises(StoreError) as error:
        frames(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)

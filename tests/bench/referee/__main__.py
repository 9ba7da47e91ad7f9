"""The core over whole games: the golden games as they were played, then with a slip in every turn; its cost; kills.

    python -m tests.bench.referee [--games N] [--only games,slips,cost,kills]

Scenes come from the simulated eye of the tests, so that what is measured is the core and nothing else. The cost is
printed beside that of reading one frame of the demo in the same run.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

TESTS = Path(__file__).parents[2]
sys.path[:0] = [str(TESTS / "referee"), str(TESTS / "rules")]

from eye import Level  # noqa: E402
from golden import position  # noqa: E402
from match_table import HALVES, MatchTable, of  # noqa: E402
from slips import slips  # noqa: E402

from nardy_hw.referee import commands as c  # noqa: E402
from nardy_hw.referee import events as e  # noqa: E402
from nardy_hw.rules.plays import legal_plays  # noqa: E402
from nardy_hw.rules.position import Player, Position, Variant  # noqa: E402

SHARP = Level(step=10.0, noise=0.3)
"""An eye whose evidence for one checker is above every margin: what is not called then is the core's doing."""

Turn = tuple[Player, tuple[int, int], Position]


def golden(variant: Variant) -> Iterator[tuple[str, list[Turn]]]:
    """Games as (name, turns): player, dice, position after. X and W are White."""
    with gzip.open(TESTS / "data" / "vectors" / f"{variant}_games.jsonl.gz", "rt") as lines:
        for line in lines:
            game = json.loads(line)
            turns = []
            for action in game["actions"]:
                if action.get("a", "move") != "move":
                    continue
                player = Player.WHITE if action["p"] in "XW" else Player.BLACK
                turns.append((player, tuple(action["dice"]), position(variant, action["after"], player)))
            yield game["id"], turns


class Timed:
    """Seconds of every call of the referee."""

    def __init__(self, table: MatchTable) -> None:
        self.seconds: list[float] = []
        observe = table.referee.observe

        def timed(seen: Any) -> list[e.Event]:
            begun = time.perf_counter()
            events = observe(seen)
            self.seconds.append(time.perf_counter() - begun)
            return events

        table.referee.observe = timed  # type: ignore[method-assign]


def begin(variant: Variant, first: Player) -> MatchTable:
    table = MatchTable(variant, 0, level=SHARP, mode="monitor", cube="none")
    table.do(c.SetBoard, by="bench", reason="start", position=Position.start(variant), turn=first)
    return table


def whole(variant: Variant, games: int) -> tuple[str, list[float]]:
    """The games as they were played: every play, and nothing said against one."""
    turns_in_all = right = 0
    false: Counter[str] = Counter()
    seconds: list[float] = []
    for name, turns in list(golden(variant))[:games]:
        table = begin(variant, turns[0][0])
        timed = Timed(table)
        for player, dice, after in turns:
            table.throw(player, *dice)
            table.show(after)
        seconds += timed.seconds
        plays = [(p.player, p.position) for p in of(table.said, e.PlayMade)]
        wanted = [(player, after) for player, _, after in turns]
        right += sum(a == b for a, b in zip(plays, wanted, strict=False))
        turns_in_all += len(turns)
        bad = of(table.said, e.Fault) + of(table.said, e.Unsure) + of(table.said, e.Stands) + of(table.said, e.NoRoll)
        false.update(type(event).__name__ for event in bad)
        if len(plays) != len(wanted) or bad:
            print(f"   {name}: {len(plays)} plays of {len(wanted)}, {[type(event).__name__ for event in bad]}")
    said = ", ".join(f"{n} {kind}" for kind, n in false.items()) or "none"
    return f"{variant}: plays {right}/{turns_in_all}; calls, doubts and refused throws: {said}", seconds


def wrong(variant: Variant, games: int) -> None:
    """A slip in every turn, of each kind in its turn; put right at once."""
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    corrected = turns_in_all = 0
    for number, (name, turns) in enumerate(list(golden(variant))[:games]):
        table = begin(variant, turns[0][0])
        before = Position.start(variant)
        thrown: set[Player] = set()
        for index, (player, dice, after) in enumerate(turns):
            plays = legal_plays(before, player, dice, first_turn=player not in thrown)
            thrown.add(player)
            made = list(slips(before, player, dice, plays))
            table.throw(player, *dice)
            if made:
                slip = made[(index + number) % len(made)]
                calls = of(table.show(slip.board.shown()), e.ViolationSeen)
                code = calls[0].code if calls else "(nothing)"
                word = "right" if code == slip.code else "as good" if code in slip.others else code
                tally[slip.kind][word] += 1
                if word not in ("right", "as good"):
                    print(f"   {name} turn {index}: {slip.kind} called {code}")
            said = table.show(after)
            turns_in_all += 1
            corrected += any(p.position == after for p in of(said, e.PlayMade))
            before = after
    total: Counter[str] = Counter()
    for kind, words in sorted(tally.items()):
        print(f"   {kind:20} {dict(words)}")
        total.update(words)
    n = sum(total.values())
    print(
        f"{variant}: slips called {n - total['(nothing)']}/{n}, by their code {total['right']}, by one as good "
        f"{total['as good']}; put right and played on {corrected}/{turns_in_all}"
    )


def frame_seconds() -> float:
    """The cost of reading one frame of the demo: the median of 20."""
    from calibration.file import load
    from nardy_hw.daemon.demo import DATA
    from nardy_hw.vision.eyes import Eyes
    from nardy_hw.vision.sources import open_source

    eyes = Eyes(load(DATA / "calibration.toml"))
    taken = []
    with open_source(str(DATA / "game.mp4")) as source:
        for frame, _ in zip(source, range(20), strict=False):
            begun = time.perf_counter()
            eyes.read(frame)
            taken.append(time.perf_counter() - begun)
    return float(np.median(taken))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--only", default="games,slips,kills")
    args = parser.parse_args()
    only = args.only.split(",")
    if "games" in only:
        read = frame_seconds()
        for variant in Variant:
            line, seconds = whole(variant, args.games)
            ms = np.percentile(np.array(seconds) * 1000, (50, 99, 100))
            print(line)
            print(
                f"{variant}: one frame costs the core {ms[0]:.2f} ms, 99th percentile {ms[1]:.2f}, most {ms[2]:.2f}: "
                f"{ms[1] / read / 1000:.3f} of reading it ({read * 1000:.0f} ms)"
            )
    if "slips" in only:
        for variant in Variant:
            wrong(variant, args.games)
    if "kills" in only:
        test = TESTS / "daemon" / "test_killed.py"
        command = [sys.executable, "-m", "pytest", "-q", "-s", str(test)]
        done = subprocess.run(command, env=os.environ | {"NARDY_HW_KILLS": "200"}, check=False)
        print(f"kills: {'nothing lost' if done.returncode == 0 else 'FAILED'}")


if __name__ == "__main__":
    assert HALVES
    main()

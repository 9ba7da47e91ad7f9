"""The recorded game of the demo: the whole pipeline, with or without the page."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from calibration.file import load
from nardy_hw.daemon.page import Page
from nardy_hw.daemon.pipeline import follow
from nardy_hw.daemon.table import seats
from nardy_hw.record.store import MatchInfo, Store
from nardy_hw.referee.core import Referee
from nardy_hw.referee.events import Event
from nardy_hw.rules.position import Player, Position, Variant
from nardy_hw.vision.eyes import Eyes
from nardy_hw.vision.sources import open_source

DATA = Path(str(files("nardy_hw.demo"))) / "data"
SECONDS = 82.5
"""Of play in the recording."""

FIRST = Player.BLACK
"""Who won the opening throw, which the recording leaves out."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What came of it. seconds: of play; took: of computing, waiting left out. match: its number in the record."""

    events: Counter[str]
    seconds: float
    took: float
    match: int

    def __str__(self) -> str:
        n = self.events
        return (
            f"{n['roll']} throws, {n['play']} plays, {n['violation']} illegal plays and {n['warning']} warnings "
            f"in {self.seconds:.0f} s of play, computed {self.seconds / self.took:.1f} times as fast as it was played; "
            f"recorded as match {self.match}: nardy-hw matches show {self.match}"
        )


def play(store: Store, page: Page, *, real_pace: bool) -> Iterator[Event | Summary]:
    """Plays the game: every event, once it is recorded and on the page; the summary last.

    Raises SourceError, StoreError.
    """
    calibration = load(DATA / "calibration.toml")
    position = Position.start(Variant(calibration.layout.variant))
    referee = Referee(position, turn=FIRST, seats=seats(calibration))
    info = MatchInfo(variant=position.variant, white="Rūta", black="Timur", white_home=calibration.layout.white_home)
    match = store.begin(info)
    page.begin("Demo: a recorded game", info, calibration, FIRST)
    counts: Counter[str] = Counter()
    begun, waited, last = time.monotonic(), 0.0, 0.0
    with open_source(str(DATA / "game.mp4")) as source:
        for step in follow(source, Eyes(calibration), referee):
            if real_pace:
                pause = begun + step.frame.t - time.monotonic()
                if pause > 0:
                    time.sleep(pause)
                    waited += pause
            last = step.frame.t
            for event in step.events:
                store.append(match, event)
                counts[str(event.__struct_config__.tag)] += 1
                page.push(event)
                yield event
            page.show(step.frame.picture, referee.state)
    yield Summary(counts, last, time.monotonic() - begun - waited, match)

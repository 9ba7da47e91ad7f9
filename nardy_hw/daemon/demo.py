"""The recorded game of the demo: the whole pipeline, with or without the page."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from calibration.file import load
from firmware_bridge.errors import BuildError
from firmware_bridge.sim import any_board
from nardy_hw.daemon.conduct import Conduct, conducted
from nardy_hw.daemon.devices import Devices
from nardy_hw.daemon.page import Page
from nardy_hw.daemon.table import seats
from nardy_hw.record.store import MatchInfo, Store
from nardy_hw.referee.audience import Audience
from nardy_hw.referee.events import Event
from nardy_hw.referee.profile import load_profile
from nardy_hw.rules.position import Variant
from nardy_hw.settings import Devices as Connected
from nardy_hw.settings import Settings
from nardy_hw.vision.sources import open_source

DATA = Path(str(files("nardy_hw.demo"))) / "data"
SECONDS = 82.5
"""Of play in the recording."""


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
    """Plays the game: every event, once it is recorded and on the page; the summary last. At its real pace a simulated
    board of lights is beside it, whose lights are on the page.

    Raises SourceError, StoreError, BridgeError.
    """
    calibration = load(DATA / "calibration.toml")
    profile = replace(load_profile("kazakh"), mode="training")
    variant, home = Variant(calibration.layout.variant), calibration.layout.white_home
    info = MatchInfo(variant=variant, white="Rūta", black="Timur", white_home=home, profile=profile.settings)
    match = store.begin(info)
    page.begin("Demo: a recorded game", info, calibration, None)
    conduct, players = Conduct(store, match, seats(calibration)), Audience(profile)
    counts: Counter[str] = Counter()
    begun, waited, last = time.monotonic(), 0.0, 0.0
    with open_source(str(DATA / "game.mp4")) as source, _lights(page, real_pace) as devices:
        for moment in conducted(source, calibration, conduct, tuple):
            if real_pace:
                pause = begun + moment.frame.t - time.monotonic()
                if pause > 0:
                    time.sleep(pause)
                    waited += pause
            last = moment.frame.t
            for event in moment.events:
                counts[str(event.__struct_config__.tag)] += 1
                for heard in players.hears(event):
                    page.push(heard)
                    devices.hears(heard)
                yield event
            page.show(moment.frame.picture, conduct.referee.state, conduct.unsaved)
            devices.show(conduct.referee.standing, conduct.referee.state, conduct.referee.plays)
    conduct.save()
    yield Summary(counts, last, time.monotonic() - begun - waited, match)


@contextmanager
def _lights(page: Page, shown: bool) -> Iterator[Devices]:
    """The devices of the demo: a simulated board, or nothing at all."""
    if not shown:
        with Devices(Settings(), "training") as devices:
            yield devices
        return
    with TemporaryDirectory() as folder:
        port = Path(folder) / "board"

        def watch(_: object) -> None:
            with suppress(BuildError):  # it has ended: the game goes on
                page.lights(board.lights())  # as they shine, decoded from the strip's signal

        settings = Settings(devices=Connected(board=str(port)))
        with any_board(port) as board, Devices(settings, "training", watch) as devices:
            yield devices

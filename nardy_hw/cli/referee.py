"""Command: referee. A match at a board: cube, score, corrections and all, from the camera and from what people say."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from calibration.file import Calibration
    from nardy_hw.daemon.conduct import Conduct
    from nardy_hw.errors import NardyError
    from nardy_hw.record.store import MatchInfo
    from nardy_hw.referee.commands import Command


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `referee`."""
    parser = commands.add_parser(
        "referee",
        help="a match at a board; say 'white double', 'black take', 'white throw 6 5', ... on standard input",
    )
    parser.add_argument("source", metavar="SOURCE", help="picamera, /dev/videoN, a video, or a folder of images")
    parser.add_argument("--calibration", type=Path, required=True, metavar="FILE")
    parser.add_argument("--fps", type=float, help="frames a second, where the source does not know")
    parser.add_argument("--white", default="White", metavar="NAME")
    parser.add_argument("--black", default="Black", metavar="NAME")
    parser.add_argument("--length", type=int, default=0, metavar="POINTS", help="0, as left out: single games")
    parser.add_argument("--profile", default="kazakh", metavar="NAME|FILE.toml", help="the manners of the table")
    parser.add_argument(
        "--chouette", metavar="NAMES", help="three or more, the box and the captain first: Ona,Petro,Aigul"
    )
    parser.add_argument("--event", default="")
    parser.add_argument("--resume", type=int, metavar="MATCH", help="go on with a match of the record")
    parser.add_argument("--port", type=int, help="the page, on this port of this machine")
    parser.add_argument("--config", type=Path, metavar="FILE.toml", help="what is connected; /etc/nardy-hw/config.toml")
    parser.add_argument("--board", metavar="PORT|auto", help="a board of lights and buttons on this serial port")
    parser.add_argument(
        "--dice",
        choices=("camera", "roller", "module", "ble"),
        help="who reads them: the board's own roller, its dice modules, Bluetooth dice",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from calibration.file import load
    from nardy_hw.cli.connected import settings_of
    from nardy_hw.daemon.conduct import Conduct, agreement, conducted
    from nardy_hw.daemon.devices import Devices
    from nardy_hw.daemon.page import Page
    from nardy_hw.daemon.table import seats
    from nardy_hw.record.recovery import open_checked
    from nardy_hw.referee.audience import Audience
    from nardy_hw.referee.events import encode
    from nardy_hw.referee.text import describe
    from nardy_hw.vision.sources import open_source

    calibration, settings = load(args.calibration), settings_of(args)
    # a service manager's stop is as good as Ctrl-C: everything said so far is recorded
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with (
        open_source(args.source, args.fps, calibration.geometry.size) as source,
        open_checked(say=_note) as store,
        Page.open(args.port) as page,
        ExitStack() as opened,
    ):
        info = _info(args, calibration) if args.resume is None else store.match(args.resume).info
        profile = agreement(info).profile
        devices = opened.enter_context(Devices(settings, profile.mode, page.lights))
        match = store.begin(info) if args.resume is None else args.resume
        conduct = Conduct(store, match, seats(calibration), trusted_rolls=settings.devices.dice != "camera")
        _fits(conduct, args, calibration)
        players = Audience(profile)
        page.begin(conduct.info.event or "Live", conduct.info, calibration, None)
        print(f"match {match}: nardy-hw referee --resume {match} ... goes on with it", file=sys.stderr)
        agreed = conduct.referee.agreed
        if agreed.stakes.even and agreed.profile.even_length == "warn":
            print(f"nardy-hw referee: a match to {args.length} points is unusual, lengths are odd", file=sys.stderr)
        try:
            said = _listen()
            referee = conduct.referee

            def commands() -> Iterator[Command | NardyError]:
                yield from said()
                yield from devices.commands(referee.standing)

            unsaved = ""
            for moment in conducted(source, calibration, conduct, commands):
                for why in moment.refused:
                    print(f"not done: {why}", file=sys.stderr, flush=True)
                for event in moment.events:
                    print(encode(event).decode() if args.json else describe(event), flush=True)
                    for heard in players.hears(event):
                        page.push(heard)
                        devices.hears(heard)
                if conduct.unsaved != unsaved:
                    unsaved = conduct.unsaved
                    _note(unsaved or "recorded again, and nothing is missing")
                page.show(moment.frame.picture, referee.state, unsaved)
                devices.show(referee.standing, referee.state, referee.plays)
                while devices.news:
                    print(f"connected: {devices.news.pop(0)}", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            print("\nstopped", file=sys.stderr)
        conduct.save()
        _note("what was said is recorded")
    return 0


def _note(text: str) -> None:
    print(f"nardy-hw referee: {text}", file=sys.stderr, flush=True)


def _fits(conduct: Conduct, args: argparse.Namespace, calibration: Calibration) -> None:
    """Raises InputError for a match that cannot be gone on with at this board."""
    from nardy_hw.errors import InputError
    from nardy_hw.referee.states import Phase

    variant = calibration.layout.variant
    if conduct.info.variant != variant:
        raise InputError(
            f"match {conduct.match_id} is {conduct.info.variant} nardy, {args.calibration} is for {variant}: "
            f"calibrate with --variant {conduct.info.variant}"
        )
    if conduct.referee.standing.phase is Phase.OVER:
        raise InputError(f"match {conduct.match_id} is over: nardy-hw matches show {conduct.match_id}")


def _info(args: argparse.Namespace, calibration: Calibration) -> MatchInfo:
    """What was agreed on, as it is recorded. Raises InputError."""
    from nardy_hw.daemon.conduct import agreement
    from nardy_hw.errors import InputError
    from nardy_hw.record.store import MatchInfo
    from nardy_hw.referee.profile import load_profile, parse_profile
    from nardy_hw.rules.chouette import Chouette
    from nardy_hw.rules.position import Variant

    if args.profile.endswith(".toml"):
        try:
            text = Path(args.profile).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "not a text file"
            raise InputError(f"cannot read the profile {args.profile}: {why}") from None
        profile = parse_profile(text, args.profile)
    else:
        profile = load_profile(args.profile)
    names = tuple(name.strip() for name in args.chouette.split(",")) if args.chouette else ()
    if names:
        Chouette.begin(names)
        if args.length:
            raise InputError("a chouette is for points, game by game: leave --length out")
    info = MatchInfo(
        variant=Variant(calibration.layout.variant),
        white=args.white,
        black=args.black,
        length=args.length,
        white_home=calibration.layout.white_home,
        event=args.event,
        profile=profile.settings,
        chouette=names,
    )
    _ = agreement(info).stakes  # refused before anything is recorded
    return info


def _listen() -> Callable[[], Iterable[Command | NardyError]]:
    """Reads standard input beside the game: a function that gives what was said since it was last called."""
    from queue import Empty, SimpleQueue

    from nardy_hw.errors import NardyError
    from nardy_hw.referee.commands import parse

    said: SimpleQueue[Command | NardyError] = SimpleQueue()

    def read() -> None:
        for line in sys.stdin or ():
            if line.strip():
                try:
                    said.put(parse(line))
                except NardyError as error:
                    said.put(error)

    threading.Thread(target=read, daemon=True).start()

    def heard() -> Iterable[Command | NardyError]:
        while True:
            try:
                yield said.get_nowait()
            except Empty:
                return

    return heard

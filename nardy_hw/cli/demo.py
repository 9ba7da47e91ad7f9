"""Command: demo. A recorded game through the whole pipeline, page and all."""

from __future__ import annotations

import argparse
import signal
import sys
import threading


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `demo`."""
    parser = commands.add_parser("demo", help="a recorded game through the whole pipeline, web page and all")
    parser.add_argument("--headless", action="store_true", help="no page, as fast as it goes")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--json", action="store_true", help="events as JSON Lines")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from nardy_hw.daemon.demo import SECONDS, Summary, play, progress
    from nardy_hw.daemon.page import Page
    from nardy_hw.record.store import Store
    from nardy_hw.referee.events import encode
    from nardy_hw.referee.text import describe

    # a service manager's stop is as good as Ctrl-C: everything said so far is recorded
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with Store.open() as store, Page.open(None if args.headless else args.port) as page:
        if page.address and not args.json:
            print(f"the page: {page.address}   (Ctrl-C ends)", flush=True)
        for item in play(store, page.show, real_pace=not args.headless):
            if isinstance(item, Summary):
                print(file=sys.stderr)
                print(item, file=sys.stderr if args.json else sys.stdout, flush=True)
                continue
            page.push(item)
            if sys.stderr.isatty():
                print("\r\033[K", end="", file=sys.stderr)
            print(encode(item).decode() if args.json else describe(item), flush=True)
            progress(item.t, SECONDS)
        if page.address:
            threading.Event().wait()  # the page stays up until Ctrl-C
    return 0

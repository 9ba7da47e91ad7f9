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
    from nardy_hw.cli.progress import bar
    from nardy_hw.daemon.demo import SECONDS, Summary, play
    from nardy_hw.daemon.page import Page
    from nardy_hw.record.recovery import open_checked
    from nardy_hw.referee.events import encode
    from nardy_hw.referee.text import describe

    # a service manager's stop is as good as Ctrl-C: everything said so far is recorded
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with (
        open_checked(say=lambda text: print(f"nardy-hw demo: {text}", file=sys.stderr)) as store,
        Page.open(None if args.headless else args.port) as page,
    ):
        if page.address:
            print(f"the page: {page.address}   (Ctrl-C ends)", file=sys.stderr, flush=True)
        try:
            for item in play(store, page, real_pace=not args.headless):
                if isinstance(item, Summary):
                    print(f"\n{item}", file=sys.stderr if args.json else sys.stdout, flush=True)
                    continue
                bar(1.0)
                print(encode(item).decode() if args.json else describe(item), flush=True)
                bar(item.t / SECONDS, f"{item.t:.0f} of {SECONDS:.0f} s")
            if page.address:
                print("the page stays up until Ctrl-C", file=sys.stderr, flush=True)
                threading.Event().wait()
        except KeyboardInterrupt:  # the usual way to end it
            print("\nstopped; what was said is recorded: nardy-hw matches list", file=sys.stderr)
    return 0

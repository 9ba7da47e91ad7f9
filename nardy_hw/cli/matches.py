"""Commands: matches list, show, export, import, stats, backup, verify, prune."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from nardy_hw.errors import ExportError, InputError

if TYPE_CHECKING:
    from nardy_hw.record.store import Listed, MatchInfo, Store

_T = TypeVar("_T")
FORMATS = ("mat", "sgf", "snowie", "jsonl", "text", "html", "ogxm", "ids")
ENDINGS = {"snowie": "txt", "text": "txt", "ogxm": "gvab", "ids": "tsv"}


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `matches`."""
    parser = commands.add_parser("matches", help="the record: list, show, export, import, stats, backup, verify, prune")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    every = actions.add_parser("list", help="every match, the oldest first")
    every.set_defaults(run=list_matches)
    show = actions.add_parser("show", help="a match play by play")
    show.add_argument("id", type=int)
    show.set_defaults(run=show_match)
    export = actions.add_parser("export", help="a match file for other programs or people")
    export.add_argument("id", type=int, nargs="?", help="or --all")
    export.add_argument("--all", action="store_true", help="every match, each into a file of its own in a folder")
    export.add_argument("--format", choices=FORMATS, required=True)
    export.add_argument("--output", type=Path, required=True, metavar="FILE|FOLDER")
    export.set_defaults(run=export_matches)
    importing = actions.add_parser("import", help="match files into the record: prints their numbers there")
    importing.add_argument(
        "file", type=Path, nargs="+", metavar="FILE", help=".mat, SGF, Snowie text, OGXM, our text or JSON Lines"
    )
    importing.set_defaults(run=import_matches)
    stats = actions.add_parser("stats", help="results, time for a turn, and whether the dice are fair")
    stats.set_defaults(run=show_statistics)
    backup = actions.add_parser("backup", help="a whole copy of the record, also while it is written")
    backup.add_argument("file", type=Path, metavar="FILE")
    backup.set_defaults(run=back_up)
    verify = actions.add_parser("verify", help="was anything changed, is anything missing? exit 1 if so")
    verify.add_argument("id", type=int, nargs="*", help="these matches alone")
    verify.add_argument("--recover", action="store_true", help="of a damaged record, save what is whole")
    verify.set_defaults(run=verify_matches)
    prune = actions.add_parser("prune", help="remove the oldest matches' pictures, never what was recorded")
    prune.add_argument("--keep-mb", type=int, required=True, metavar="MB", help="until this much is left")
    prune.set_defaults(run=prune_pictures)
    for listing in (every, export, stats):
        listing.add_argument("--player", default="", metavar="TEXT", help="in the name of one of the two")
        listing.add_argument("--event", default="", metavar="TEXT", help="in the event or the place")
        listing.add_argument("--since", default="", metavar="DATE", help="2026, 2026-05 or 2026-05-31 (UTC)")
        listing.add_argument("--until", default="", metavar="DATE", help="the same; that day, month or year included")
    for telling in (every, show, stats, verify):
        telling.add_argument("--json", action="store_true", help="one JSON object a line")


def list_matches(args: argparse.Namespace) -> int:
    import msgspec

    from nardy_hw.record.store import Store

    with Store.open() as store:
        rows = _found(store, args)
    for row in rows:
        if args.json:
            points = {"score": [row.white_points, row.black_points], "over": bool(row.over)}
            about = msgspec.to_builtins(row.about)
            print(msgspec.json.encode({"id": row.id, **about, "events": row.events, **points}).decode())
        else:
            print(f"{row.id:4}  {_title(row.about)}  {row.white_points}-{row.black_points}{'  over' * row.over}")
    if not rows and not args.json:
        sought = args.player or args.event or args.since or args.until
        print("no such match" if sought else "no matches yet: nardy-hw replay --record, or nardy-hw demo")
    return 0


def show_match(args: argparse.Namespace) -> int:
    from nardy_hw.record.board import draw
    from nardy_hw.record.store import Store
    from nardy_hw.referee.events import encode
    from nardy_hw.referee.text import describe

    with Store.open() as store:
        record, fault = store.match(args.id), store.fault(args.id)
    if not args.json:
        print(_title(record.info))
    for event in record.events:
        if args.json:
            print(encode(event).decode())
            continue
        print(describe(event))
        position = getattr(event, "position", None)
        if position is not None:
            print(draw(position))
    return _faulty([fault])


def export_matches(args: argparse.Namespace) -> int:
    from nardy_hw.record.formats import WRITERS
    from nardy_hw.record.store import Store

    if (args.id is None) is not args.all:
        raise InputError("name one match by its number, or --all of them")
    writer = WRITERS[args.format]
    with Store.open() as store:
        if not args.all:
            fault = store.fault(args.id)
            write_whole(args.output, writer(store.match(args.id)))
            print(f"{args.output}: match {args.id} as {args.format}")
            return _faulty([fault])
        return _export_all(store, args)


def _export_all(store: Store, args: argparse.Namespace) -> int:
    """Those that the format cannot hold are named, and the rest written."""
    from nardy_hw.record.columns import safe_names
    from nardy_hw.record.formats import WRITERS

    rows, refused = _found(store, args), 0
    try:
        args.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {args.output}: {error.strerror}") from None
    for row in _shown(rows):
        record = store.match(row.id)
        names = "-".join(safe_names(record.info))
        name = (
            f"{row.id:05}-{''.join(c if c.isalnum() else '-' for c in names)}.{ENDINGS.get(args.format, args.format)}"
        )
        try:
            write_whole(args.output / name, WRITERS[args.format](record))
        except ExportError as error:
            refused += 1
            print(f"not exported: {error}", file=sys.stderr)
    print(f"{args.output}: {len(rows) - refused} of {len(rows)} matches as {args.format}")
    return 1 if refused else 0


def import_matches(args: argparse.Namespace) -> int:
    from nardy_hw.record.formats import read_match
    from nardy_hw.record.store import Store

    with Store.open() as store:
        for path in _shown(args.file):
            told = read_match(path)
            print(store.add(told.info, told.events), flush=True)
    return 0


def show_statistics(args: argparse.Namespace) -> int:
    import msgspec

    from nardy_hw.record.statistics import statistics
    from nardy_hw.record.store import Store

    with Store.open() as store:
        rows = _found(store, args)
        found = statistics(store.match(row.id) for row in _shown(rows))
    if args.json:
        for name, s in found.players.items():
            counts = msgspec.to_builtins(s) | {"seconds": s.mean_s, "median_seconds": s.median_s}
            print(msgspec.json.encode({"player": name, **counts}).decode())
        for (board, source), dice in found.dice.items():
            told = {"board": board, "dice": source, "faces": dice.faces}
            print(msgspec.json.encode({**told, "chi_square": dice.chi_square, "chance": dice.chance}).decode())
        return 0
    print(f"{len(rows)} match{'es' * (len(rows) != 1)}\n")
    if found.players:
        print(f"{'':24} matches   won  games   won  points   lost  illegal  s a turn (median)")
    for name, s in sorted(found.players.items(), key=lambda item: (-item[1].won, -item[1].points_won, item[0])):
        time = f"{s.mean_s:.1f} ({s.median_s:.1f})" if s.mean_s is not None else "-"
        print(
            f"{_short(name):24} {s.matches:7} {s.won:5} {s.games:6} {s.games_won:5} {s.points_won:7} {s.points_lost:6} "
            f"{s.faults:8}  {time}"
        )
    for (board, source), dice in sorted(found.dice.items()):
        verdict = f"chance of fair dice {dice.chance:.1%}" if dice.chance is not None else "too few to tell"
        faces = " ".join(f"{face}:{n}" for face, n in enumerate(dice.faces, 1))
        print(
            f"\ndice of {source}{f' on {board}' * bool(board)}: {faces}   chi-square {dice.chi_square:.1f}, {verdict}"
        )
    return 0


def back_up(args: argparse.Namespace) -> int:
    from nardy_hw.cli.progress import bar
    from nardy_hw.record.store import Store

    with Store.open() as store:
        store.backup(args.file, lambda share: bar(share, str(args.file)))
    bar(1.0)
    print(f"{args.file}: the whole record")
    return 0


def verify_matches(args: argparse.Namespace) -> int:
    from nardy_hw.record.recovery import open_checked
    from nardy_hw.record.store import Store

    if args.recover:
        open_checked().close()
    with Store.open() as store:
        if damage := store.damage():
            print(f"the record {store.path} is damaged: {damage}; --recover saves what is whole", file=sys.stderr)
            return 1
        numbers = args.id or [row.id for row in store.matches()]
        faults = {number: store.fault(number) for number in _shown(numbers)}
        if args.json:
            import msgspec

            for number, fault in faults.items():
                told = {"id": number, "whole": not fault, "fault": fault, "seal": store.seal(number)}
                print(msgspec.json.encode(told).decode())
    whole = sum(not fault for fault in faults.values())
    if not args.json:
        print(f"{whole} of {len(faults)} matches are whole and as they were recorded")
    return _faulty(faults.values())


def prune_pictures(args: argparse.Namespace) -> int:
    from nardy_hw.record.evidence import Evidence
    from nardy_hw.record.store import Store

    if args.keep_mb < 0:
        raise InputError(f"--keep-mb is 0 or more, not {args.keep_mb}")
    with Store.open() as store:
        evidence = Evidence.beside(store.path, args.keep_mb * 1_000_000)
        matches, freed = evidence.prune(store.matches())
    print(f"pictures of {matches} match{'es' * (matches != 1)} removed, {freed / 1e6:.1f} MB")
    return 0


def write_whole(path: Path, content: str | bytes) -> None:
    """Whole or not at all: written beside, then put in place of what was there. Raises InputError."""
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"cannot write {path}: it is not a file")
        path = path.resolve()  # a link stays a link
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            with part.open("xb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError:
            with suppress(OSError):
                part.unlink()
            raise
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None


def _found(store: Store, args: argparse.Namespace) -> list[Listed]:
    for name in ("since", "until"):
        _check_date(name, getattr(args, name))
    return store.matches(player=args.player, event=args.event, since=args.since, until=args.until)


def _check_date(name: str, text: str) -> None:
    from datetime import date

    try:
        if text:
            date.fromisoformat(text + "0000-01-01"[len(text) :])
    except ValueError:
        raise InputError(f"--{name} is a date such as 2026, 2026-05 or 2026-05-31, not {text!r}") from None


def _shown(items: Sequence[_T]) -> Iterator[_T]:
    """The items, with a progress bar of them."""
    from nardy_hw.cli.progress import bar

    for index, item in enumerate(items):
        bar(index / len(items), f"{index} of {len(items)}")
        yield item
    bar(1.0)


def _faulty(faults: Iterable[str]) -> int:
    found = [fault for fault in faults if fault]
    for fault in found:
        print(f"NOT AS IT WAS RECORDED: {fault}", file=sys.stderr)
    return 1 if found else 0


def _title(info: MatchInfo) -> str:
    length = f"to {info.length}" if info.length else "single"
    when = info.started[:16].replace("T", " ")
    return f"{when}  {info.variant:5}  {length:6}  {_short(info.white)} - {_short(info.black)}"


def _short(name: str) -> str:
    from nardy_hw.record.columns import safe_name

    return safe_name(name)

"""Commands: matches list, show, export, import."""

from __future__ import annotations

import argparse
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from nardy_hw.errors import InputError

if TYPE_CHECKING:
    from nardy_hw.record.store import MatchInfo, MatchRecord

FORMATS = ("mat", "sgf", "snowie", "jsonl", "text", "ogxm")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `matches`."""
    parser = commands.add_parser("matches", help="the record: list, show, export, import")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    every = actions.add_parser("list", help="every match, the oldest first")
    every.add_argument("--json", action="store_true")
    every.set_defaults(run=list_matches)
    show = actions.add_parser("show", help="a match play by play")
    show.add_argument("id", type=int)
    show.add_argument("--json", action="store_true", help="its events as JSON Lines")
    show.set_defaults(run=show_match)
    export = actions.add_parser("export", help="a match file for other programs or people")
    export.add_argument("id", type=int)
    export.add_argument("--format", choices=FORMATS, required=True)
    export.add_argument("--output", type=Path, required=True, metavar="FILE")
    export.set_defaults(run=export_match)
    importing = actions.add_parser("import", help="a match file into the record: prints its number there")
    importing.add_argument("file", type=Path, metavar="FILE", help=".mat, SGF, Snowie text, our text or JSON Lines")
    importing.set_defaults(run=import_match)


def list_matches(args: argparse.Namespace) -> int:
    import msgspec

    from nardy_hw.record.store import Store

    with Store.open() as store:
        rows = store.matches()
    for number, info, count in rows:
        if args.json:
            print(msgspec.json.encode({"id": number, **msgspec.to_builtins(info), "events": count}).decode())
        else:
            print(f"{number:4}  {_title(info)}")
    if not rows and not args.json:
        print("no matches yet: nardy-hw replay --record, or nardy-hw demo")
    return 0


def show_match(args: argparse.Namespace) -> int:
    from nardy_hw.record.board import draw
    from nardy_hw.referee.events import encode
    from nardy_hw.referee.text import describe

    record = _record(args.id)
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
    return 0


def export_match(args: argparse.Namespace) -> int:
    from nardy_hw.record.formats import WRITERS

    write_whole(args.output, WRITERS[args.format](_record(args.id)))
    print(f"{args.output}: match {args.id} as {args.format}")
    return 0


def import_match(args: argparse.Namespace) -> int:
    from nardy_hw.record.formats import read_match
    from nardy_hw.record.store import Store

    told = read_match(args.file)
    with Store.open() as store:
        print(store.add(told.info, told.events))
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


def _record(number: int) -> MatchRecord:
    from nardy_hw.record.store import Store

    with Store.open() as store:
        return store.match(number)


def _title(info: MatchInfo) -> str:
    from nardy_hw.record.columns import safe_name

    length = f"to {info.length}" if info.length else "single"
    when = info.started[:16].replace("T", " ")
    return f"{when}  {info.variant:5}  {length:6}  {safe_name(info.white)} - {safe_name(info.black)}"

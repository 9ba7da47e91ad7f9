"""Commands: legal, check. A position and a throw -> every legal play, or whether what was played is legal.

Both read A15 strictly: as many dice as possible are played even when fewer would end the game.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nardy_hw.errors import InputError, NardyError

if TYPE_CHECKING:
    from nardy_hw.rules.position import Player, Position

    Question = tuple[Position, Player, tuple[int, int], bool]
    Answer = Callable[[dict[str, Any]], dict[str, Any]]


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `legal` and `check`."""
    legal = commands.add_parser("legal", help="a position and dice -> every legal play")
    legal.set_defaults(run=run_legal)
    check = commands.add_parser("check", help="a position, dice and the position after -> legal, or what is wrong")
    check.add_argument("--after", metavar="FILE|-", help="the position after the play, JSON")
    check.set_defaults(run=run_check)
    for parser in (legal, check):
        position = parser.add_mutually_exclusive_group(required=True)
        position.add_argument("--batch", action="store_true", help="JSON Lines on standard input, answers in order")
        position.add_argument("--position", metavar="FILE|-", help="the position, JSON")
        position.add_argument("--position-id", metavar="ID", help="short nardy: GNU Position ID, --player on roll")
        position.add_argument("--xgid", help="short nardy: XGID, which may give the player and the dice too")
        parser.add_argument("--player", choices=("white", "black"), help="who plays")
        parser.add_argument("--dice", metavar="A,B", help="the throw, as 6,5")
        parser.add_argument("--first-turn", action="store_true", help="the player's first turn (long nardy's head)")
        parser.add_argument("--json", action="store_true")


def run_legal(args: argparse.Namespace) -> int:
    from nardy_hw.rules.notation import NO_PLAY

    if args.batch:
        return batch(legal)
    answer = legal(asked_by(args))
    if args.json:
        print(json.dumps(answer))
    else:
        print("\n".join(play["text"] for play in answer["plays"]) or NO_PLAY)
    return 0


def run_check(args: argparse.Namespace) -> int:
    if args.batch:
        return batch(check)
    if args.after is None:
        raise InputError("check needs --after FILE, the position after the play")
    if args.after == args.position == "-":
        raise InputError("--position and --after cannot both be standard input: name a file for one")
    answer = check(asked_by(args) | {"after": _read_json(args.after)})
    print(json.dumps(answer) if args.json else as_text(answer))
    return 0 if answer["legal"] else 1


def batch(answer: Answer) -> int:
    """A line of JSON for each line of standard input; a bad line is answered with its error, and the rest go on."""
    failed = False
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        reply: dict[str, Any] = {"id": None}
        try:
            asked = _parsed(line)
            if not isinstance(asked, dict):
                raise InputError("a question is a JSON object")
            reply["id"] = asked.get("id")
            reply |= answer(asked)
        except NardyError as error:
            failed = True
            reply["error"] = str(error)
        print(json.dumps(reply), flush=True)
    return 2 if failed else 0


def asked_by(args: argparse.Namespace) -> dict[str, Any]:
    """The question of a single command, in the form of a batch line."""
    from nardy_hw.rules.ids import from_position_id, from_xgid
    from nardy_hw.rules.position import Player

    player, dice = args.player, args.dice and _dice(args.dice)
    shown: Any = None
    if args.xgid:
        position, on_roll, thrown = from_xgid(args.xgid)
        shown, player, dice = position.to_json(), player or str(on_roll), dice or (thrown and list(thrown))
    elif args.position_id and player:
        shown = from_position_id(args.position_id, Player(player)).to_json()
    elif args.position:
        shown = _read_json(args.position)
    if not player or not dice:
        raise InputError("say who plays and what was thrown: --player white|black --dice A,B")
    return {"position": shown, "player": player, "dice": dice, "first_turn": args.first_turn}


def legal(asked: dict[str, Any]) -> dict[str, Any]:
    """The answer of `legal` to one question, its id aside. Raises NardyError, naming the key that is wrong."""
    from nardy_hw.rules.notation import format_play
    from nardy_hw.rules.options import STRICT
    from nardy_hw.rules.plays import legal_plays

    position, player, dice, first_turn = question(asked)
    plays = legal_plays(position, player, dice, first_turn=first_turn, options=STRICT)
    return {"plays": [{"text": format_play(play), "position": play.after.to_json()} for play in plays]}


def check(asked: dict[str, Any]) -> dict[str, Any]:
    """The answer of `check` to one question, its id aside. Raises NardyError, naming the key that is wrong."""
    from nardy_hw.rules.explain import explain
    from nardy_hw.rules.notation import format_play
    from nardy_hw.rules.options import STRICT
    from nardy_hw.rules.position import Position

    position, player, dice, first_turn = question(asked)
    after = Position.from_json(_key(asked, "after"))
    verdict = explain(position, player, dice, after, first_turn=first_turn, options=STRICT)
    return {
        "legal": verdict.play is not None,
        "text": verdict.text,
        "violations": [
            {"code": v.code, "rule": v.rule, "message": v.message, "repair": v.repair, "points": list(v.points)}
            for v in verdict.violations
        ],
        "nearest": [format_play(play) for play in verdict.nearest],
    }


def as_text(answer: dict[str, Any]) -> str:
    """The answer of `check` for people."""
    if answer["legal"]:
        return f"legal: {answer['text']}"
    lines = [f"illegal: {answer['text']}"]
    for wrong in answer["violations"]:
        lines += [f"  {wrong['message']} ({wrong['code']}, rule {wrong['rule']})", f"    {wrong['repair']}"]
    return "\n".join([*lines, f"  nearest: {', '.join(answer['nearest'])}"])


def question(asked: dict[str, Any]) -> Question:
    """The position, player, dice and first turn of one question."""
    from nardy_hw.rules.position import Player, Position

    position = Position.from_json(_key(asked, "position"))
    try:
        player = Player(_key(asked, "player"))
    except ValueError:
        raise InputError(f"player is 'white' or 'black', not {asked['player']!r}") from None
    dice, first_turn = _key(asked, "dice"), asked.get("first_turn", False)
    if not isinstance(dice, list) or len(dice) != 2:
        raise InputError(f"dice is a list of two numbers, not {dice!r}")
    if not isinstance(first_turn, bool):
        raise InputError(f"first_turn is true or false, not {first_turn!r}")
    return position, player, (dice[0], dice[1]), first_turn


def _read_json(name: str) -> Any:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from None
    return _parsed(data)


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:  # not JSON, not UTF-8, or nested beyond reason
        raise InputError(f"not JSON: {error}") from None


def _dice(text: str) -> list[int]:
    try:
        return [int(die) for die in text.split(",")]
    except ValueError:
        raise InputError(f"dice are written 6,5, not {text!r}") from None


def _key(asked: dict[str, Any], key: str) -> Any:
    if key not in asked:
        raise InputError(f"{key} is missing")
    return asked[key]

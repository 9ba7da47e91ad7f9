"""Reads SGF FF[4]GM[6]: what GNU Backgammon and this program write. Analysis and comments are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from nardy_hw.errors import InputError, NardyError
from nardy_hw.record.mat_reader import read_info
from nardy_hw.record.sgf import BAR_LETTER, OFF_LETTER, OURS, POINTS
from nardy_hw.record.store import MatchInfo
from nardy_hw.record.transcript import UNCAPPED, Told, Transcript
from nardy_hw.rules.notation import NO_PLAY
from nardy_hw.rules.position import BAR, CHECKERS, Player, Position, Variant, own_point

PLAYER = {"W": Player.WHITE, "B": Player.BLACK}
TOKEN = re.compile(r"\s*(?:(?P<mark>[();])|(?P<key>[A-Za-z]+)|\[(?P<value>(?:\\.|[^\]\\])*)\])", re.DOTALL)
MOVE = re.compile(r"([1-6])([1-6])((?:[a-z][a-z])*)")
RESULT = re.compile(r"([WB])\+(\d+)(R?)")

Node = dict[str, list[str]]


@dataclass(slots=True)
class _Tree:
    """A game: its nodes with the lines that they begin in."""

    nodes: list[tuple[int, Node]] = field(default_factory=list)


def read_sgf(text: str) -> Told:
    """The match of a file. Raises InputError, naming the line."""
    trees = list(_trees(text))
    if not trees:
        raise InputError("line 1: no game: an SGF file begins with (;FF[4]GM[6]")
    line, root = trees[0].nodes[0]
    try:
        told = Transcript(_info(root))
    except NardyError as error:
        raise InputError(f"line {line}: {error}") from None
    for tree in trees:
        _read_game(tree, told)
    return told.whole


def _trees(text: str) -> Iterator[_Tree]:
    """Every game's main line; of variations the first."""
    line = end = depth = 0
    line, closed = 1, 0
    tree, key = _Tree(), ""
    node: Node | None = None
    while match := TOKEN.match(text, end):
        start = match.start(match.lastgroup or 0)
        line += text.count("\n", end, start)
        value = match["value"]
        if match["mark"] == "(":
            depth += 1
            if depth == 1:
                tree, node, closed = _Tree(), None, 0
        elif match["mark"] == ")":
            depth -= 1
            closed += 1
            if depth < 0:
                raise InputError(f"line {line}: a bracket that closes nothing")
            if depth == 0 and tree.nodes:
                yield tree
        elif match["mark"] == ";":
            if depth == 0:
                raise InputError(f"line {line}: a node outside a game")
            node = {}
            if not closed:
                tree.nodes.append((line, node))
        elif match["key"]:
            key = "".join(c for c in match["key"] if c.isupper())
        elif node is None or not key:
            raise InputError(f"line {line}: a value without a property")
        else:
            node.setdefault(key, []).append(value)
        line += text.count("\n", start, match.end())
        end = match.end()
    if text[end:].strip() or depth:
        line += text.count("\n", end, len(text) - len(text[end:].lstrip()))
        raise InputError(f"line {line}: {'the file ends in the middle of a game' if depth else 'this is not SGF'}")


def _read_game(tree: _Tree, told: Transcript) -> None:
    (line, root), *nodes = tree.nodes
    thrown: tuple[Player, tuple[int, int]] | None = None
    try:
        if root.get("GM", [""])[0] != "6":
            raise InputError("not a game of backgammon: GM[6] is missing")
        score = int(_parts(root).get("ws", 0)), int(_parts(root).get("bs", 0))
        start = _set_up(root) if "AE" in root else None
        if start is None and nodes and _is_set_up(nodes[0][1]):
            start = _set_up(nodes.pop(0)[1])
        told.game(score)
        told.cube_at(int(root.get("CV", ["1"])[0]))
        if start is not None:
            told.start_from(start)
        for line, node in nodes:  # noqa: B007  the line is for the message
            if thrown and not _is_set_up(node):
                raise InputError("a throw without its play")
            thrown = _read_node(node, told, thrown)
        if result := RESULT.fullmatch(root.get("RE", [""])[0]):
            told.won(PLAYER[result[1]], int(result[2]))
    except NardyError as error:
        raise InputError(f"line {line}: {error}") from None
    except ValueError as error:
        raise InputError(f"line {line}: not a number: {str(error)[:80]}") from None


def _read_node(
    node: Node, told: Transcript, thrown: tuple[Player, tuple[int, int]] | None
) -> tuple[Player, tuple[int, int]] | None:
    """Who has thrown what, where the next node tells the board after it."""
    for key, player in PLAYER.items():
        if key in node:
            _read_move(player, node[key][0].strip(), told)
            return None
    if "DI" in node:
        dice = MOVE.fullmatch(node["DI"][0])
        side = PLAYER.get(node.get("PL", [""])[0])
        if dice is None or side is None:
            raise InputError("DI is two dice, in a node with PL, which says whose they are")
        return side, (int(dice[1]), int(dice[2]))
    if _is_set_up(node):
        position = _set_up(node)
        if thrown:
            told.stood(*thrown, position)
        else:
            told.gap(position)
    return None


def _read_move(player: Player, text: str, told: Transcript) -> None:
    words = {"double": told.double, "take": told.take, "drop": told.drop}
    if text in words:
        words[text](player)
        return
    move = MOVE.fullmatch(text)
    if move is None:
        raise InputError(f"{text[:20]!r} is neither a throw with its moves nor a word on the cube")
    letters = move[3]
    pairs = [(letters[i], letters[i + 1]) for i in range(0, len(letters), 2)]
    played = " ".join(f"{_place(player, start)}/{_place(player, end)}" for start, end in pairs)
    told.play(player, (int(move[1]), int(move[2])), played or NO_PLAY)


def _place(player: Player, letter: str) -> int:
    if letter == BAR_LETTER:
        return BAR
    return 0 if letter == OFF_LETTER else own_point(Variant.SHORT, player, POINTS.index(letter) + 1)


def _is_set_up(node: Node) -> bool:
    return any(key in node for key in ("AE", "AW", "AB"))


def _set_up(node: Node) -> Position:
    """The board of a node that clears it first, as GNU Backgammon's does."""
    if not any(value.startswith("a:") for value in node.get("AE", [])):
        raise InputError("a board that is not cleared first with AE[a:y] is not read")
    counts = {player: [0] * (BAR + 1) for player in Player}
    for key, player in PLAYER.items():
        for value in node.get(f"A{key}", []):
            if len(value) != 1 or value not in POINTS + BAR_LETTER:
                raise InputError(f"A{key}[{value[:10]}] is no place for a checker")
            counts[player][BAR if value == BAR_LETTER else POINTS.index(value) + 1] += 1
    white, black = counts[Player.WHITE], counts[Player.BLACK]
    points = tuple(white[p] - black[p] for p in range(1, BAR))
    if any(white[p] and black[p] for p in range(1, BAR)):
        raise InputError("both colours on one point")
    off = CHECKERS - sum(white), CHECKERS - sum(black)
    return Position(Variant.SHORT, points, (white[BAR], black[BAR]), off)


def _parts(root: Node) -> dict[str, str]:
    """`MI[length:5][game:0]` as a mapping."""
    found = (value.partition(":") for value in root.get("MI", []))
    return {name: value for name, _, value in found}


def _info(root: Node) -> MatchInfo:
    if ours := root.get(OURS):
        return read_info(ours[0])
    try:
        length = int(_parts(root).get("length", 0))
    except ValueError:
        raise InputError("MI[length:...] is not a number") from None
    rules = root.get("RU", [""])[0]
    profile: dict[str, Any] = dict(UNCAPPED)
    if not length:
        profile["jacoby"] = "Jacoby" in rules
    elif "Crawford" not in rules:
        profile["crawford"] = False
    return MatchInfo(
        variant=Variant.SHORT,
        white=_text(root, "PW") or "White",
        black=_text(root, "PB") or "Black",
        length=length,
        started=_when(_text(root, "DT")),
        event=_text(root, "EV"),
        place=_text(root, "PC"),
        profile=profile,
    )


def _text(root: Node, key: str) -> str:
    return " ".join(re.sub(r"\\(.)", r"\1", root.get(key, [""])[0], flags=re.DOTALL).split())


def _when(date: str) -> str:
    try:
        when = datetime.strptime(date[:10], "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        when = datetime.now(UTC)
    return when.isoformat(timespec="seconds")

"""GNU Backgammon's Position ID and XGID: a short nardy position in one word.

A Position ID holds, for the player who is not on roll and then for the one who is, his points 1..24 and his bar in his
own numbering, each as so many ones and a zero; the bits, least significant first, are ten bytes in base 64.
An XGID is `XGID=board:cube:owner:turn:dice:score:score:rules:length:limit`; White is the player in capitals.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence

from nardy_hw.errors import NotationError, PositionError
from nardy_hw.rules.position import BAR, CHECKERS, OFF, Placement, Player, Position, Variant, seen_from

_XGID = re.compile(r"(?:XGID=)?([-A-Oa-o]{26}):\d+:-?\d:(-?1):([1-6]{2}|00|D|B|R)(?::.*)?")


def position_id(position: Position, on_roll: Player) -> str:
    """14 characters. Raises PositionError for long nardy."""
    _short_only(position)
    bits = "".join("1" * n + "0" for player in (on_roll.other, on_roll) for n in position.counts(player)[1:])
    data = int(bits[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(data).decode().rstrip("=")


def from_position_id(text: str, on_roll: Player) -> Position:
    """Raises NotationError for text that is no Position ID."""
    try:
        data = base64.b64decode(text + "==", validate=True)
    except (binascii.Error, ValueError):
        data = b""
    runs = f"{int.from_bytes(data, 'little'):080b}"[::-1].split("0")
    if len(text) != 14 or len(data) != 10 or any(runs[50:]):
        raise NotationError(f"a Position ID is 14 characters that GNU Backgammon wrote, not {text!r}")
    counts = [len(run) for run in runs[:50]]
    counts += [0] * (50 - len(counts))
    return _position(text, {on_roll.other: counts[:25], on_roll: counts[25:]})


def xgid(position: Position, on_roll: Player, dice: tuple[int, int] | None = None) -> str:
    """A money game with the cube in the middle. Raises PositionError for long nardy."""
    _short_only(position)
    board = [-position.bar[1], *position.points, position.bar[0]]
    letters = "".join("-" if not n else chr(64 + n) if n > 0 else chr(96 - n) for n in board)
    thrown = "00" if dice is None else f"{dice[0]}{dice[1]}"
    return f"XGID={letters}:0:0:{1 if on_roll is Player.WHITE else -1}:{thrown}:0:0:0:0:10"


def from_xgid(text: str) -> tuple[Position, Player, tuple[int, int] | None]:
    """The position, who is on roll, and the dice if thrown. Raises NotationError for text that is no XGID."""
    match = _XGID.fullmatch(text.strip())
    if match is None:
        raise NotationError(f"an XGID is XGID=26 letters:cube:owner:turn:dice and more, not {text!r}")
    letters, turn, thrown = match.groups()
    board = [0 if c == "-" else ord(c) - 64 if c.isupper() else 96 - ord(c) for c in letters]
    if board[0] > 0 or board[BAR] < 0:
        raise NotationError(
            f"{text!r}: the first letter is the bar of the small letters, the last that of the capitals"
        )
    white = [max(n, 0) for n in board[1:]]
    black = [max(-n, 0) for n in board[BAR - 1 :: -1]]
    dice = (int(thrown[0]), int(thrown[1])) if thrown.isdigit() and thrown != "00" else None
    on_roll = Player.WHITE if turn == "1" else Player.BLACK
    return _position(text, {Player.WHITE: white, Player.BLACK: black}), on_roll, dice


def _short_only(position: Position) -> None:
    if position.variant is not Variant.SHORT:
        raise PositionError("Position ID and XGID are for short nardy; long nardy has neither")


def _position(text: str, own: dict[Player, Sequence[int]]) -> Position:
    """From the counts of both players' own points 1..24 and bar."""
    sides: list[tuple[int, ...]] = []
    for player in Player:
        *points, bar = own[player]
        off = CHECKERS - sum(points) - bar
        if off < OFF:
            raise NotationError(f"{text!r} has more than 15 checkers a side")
        sides.append((off, *seen_from(Variant.SHORT, player, points), bar))
    position = Placement(Variant.SHORT, *sides).position()
    if position is None:
        raise NotationError(f"{text!r} has both colours on one point")
    return position

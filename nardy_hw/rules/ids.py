"""GNU Backgammon's Position ID and Match ID, and XGID: a short nardy position, and how the match stands, in one word.

A Position ID holds, for the player who is not on roll and then for the one who is, his points 1..24 and his bar in his
own numbering, each as so many ones and a zero; the bits, least significant first, are ten bytes in base 64.
A Match ID is nine bytes of bit fields, least significant first; White is its player 0.
An XGID is `XGID=board:cube:owner:turn:dice:score:score:rules:length:limit`; White is the player in capitals.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence

from nardy_hw.errors import NotationError, PositionError
from nardy_hw.rules.match import Match, Stakes
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


def match_id(match: Match, on_roll: Player, dice: tuple[int, int] | None = None) -> str:
    """12 characters: score, cube and turn of a game that is being played. An open offer is the other's to answer.

    dice: thrown. Raises PositionError where the cube or the score is more than the ID has bits for.
    """
    cube, offered = match.cube, match.offered is not None
    owner = 3 if cube.owner is None else cube.owner.side
    fields = (
        (cube.value.bit_length() - 1, 4),
        (owner, 2),
        (on_roll.side, 1),
        (match.crawford, 1),
        (1, 3),  # a game is being played
        (on_roll.other.side if offered else on_roll.side, 1),
        (offered, 1),
        (0, 2),  # no resignation
        *((die, 3) for die in dice or (0, 0)),
        *((n, 15) for n in (match.stakes.length, *match.score)),
        (not _jacoby(match), 1),
    )
    if any(value >> width for value, width in fields):
        raise PositionError(f"a Match ID has no room for a cube at {cube.value} or the score {match.score}")
    number, shift = 0, 0
    for value, width in fields:
        number |= int(value) << shift
        shift += width
    return base64.b64encode(number.to_bytes(9, "little")).decode()


def xgid(
    position: Position,
    on_roll: Player,
    dice: tuple[int, int] | None = None,
    match: Match | None = None,
) -> str:
    """match: score and cube; a single game with the cube in the middle when left out. Raises PositionError for long
    nardy."""
    _short_only(position)
    match = match or Match.begin(Stakes())
    board = [-position.bar[1], *position.points, position.bar[0]]
    letters = "".join("-" if not n else chr(64 + n) if n > 0 else chr(96 - n) for n in board)
    thrown = "D" if match.offered else "00" if dice is None else f"{dice[0]}{dice[1]}"
    owner = 0 if match.cube.owner is None else _sign(match.cube.owner)
    rules = match.crawford if match.stakes.length else _jacoby(match)
    cube = match.cube.value.bit_length() - 1
    return (
        f"XGID={letters}:{cube}:{owner}:{_sign(on_roll)}:{thrown}:{match.score[0]}:{match.score[1]}"
        f":{rules:d}:{match.stakes.length}:10"
    )


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


def _sign(player: Player) -> int:
    return 1 if player is Player.WHITE else -1


def _jacoby(match: Match) -> bool:
    return match.stakes.jacoby and not match.stakes.length


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

"""Positions and events for the tests of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np

from nardy_hw.referee import events as e
from nardy_hw.rules.position import Player, Position, Variant

WHITE, BLACK = Player.WHITE, Player.BLACK
SHORT, LONG = Variant.SHORT, Variant.LONG
Counts = Mapping[int, int]


def position(
    variant: Variant, white: Counts, black: Counts, bar: tuple[int, int] = (0, 0), off: tuple[int, int] = (0, 0)
) -> Position:
    """From point -> count of each player, by the numbers on the board."""
    points = tuple(white.get(p, 0) - black.get(p, 0) for p in range(1, 25))
    return Position(variant, points, bar, off)


# Black has hit: White's checker is on the bar, he throws 4-4 and plays 13/9 instead of entering.
BEFORE = position(SHORT, {6: 5, 8: 3, 13: 5, 24: 1}, {3: 1, 4: 1, 12: 4, 17: 2, 19: 6, 23: 1}, bar=(1, 0))
WRONG = position(SHORT, {6: 5, 8: 3, 9: 1, 13: 4, 24: 1}, {3: 1, 4: 1, 12: 4, 17: 2, 19: 6, 23: 1}, bar=(1, 0))
AFTER = position(SHORT, {2: 2, 6: 3, 8: 3, 13: 5, 20: 1, 21: 1}, {3: 1, 4: 1, 12: 4, 17: 2, 19: 6, 23: 1})

TEXT, REPAIR = "White moved 13/9 with a checker on the bar", "White: 9 back to 13"


def started(where: Position = BEFORE) -> e.Started:
    return e.Started(t=0, frame=0, position=where)


def roll(player: Player = WHITE, dice: tuple[int, int] = (4, 4)) -> e.Roll:
    return e.Roll(t=60, frame=1, player=player, dice=dice)


def play(
    player: Player = WHITE, dice: tuple[int, int] = (4, 4), text: str = "bar/21 24/20 6/2(2)", where: Position = AFTER
) -> e.PlayMade:
    return e.PlayMade(t=75, frame=3, player=player, dice=dice, text=text, position=where, confidence=0.99)


def violation(**changes: Any) -> e.ViolationSeen:
    return e.ViolationSeen(**(_fault() | changes))


def warning(**changes: Any) -> e.WarningGiven:
    return e.WarningGiven(**(_fault() | changes))


def stands(where: Position = WRONG) -> e.Stands:
    return e.Stands(t=80, frame=4, player=WHITE, dice=(4, 4), position=where)


def _fault() -> dict[str, Any]:
    return {
        "t": 65.4,
        "frame": 2,
        "player": WHITE,
        "dice": (4, 4),
        "code": "bar_first",
        "rule": "S13",
        "text": TEXT,
        "repair": REPAIR,
        "position": WRONG,
    }


def jpeg(width: int = 64, height: int = 48) -> bytes:
    """A picture as the camera gives one."""
    ok, data = cv2.imencode(".jpg", np.full((height, width, 3), 90, np.uint8))
    assert ok
    return data.tobytes()

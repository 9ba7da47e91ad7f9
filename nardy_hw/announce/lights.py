"""What the lights at the points say. Pure: the standing and what the players may know in, 28 palette digits out.

Each meaning is told by its place as well as by its colour: a tray's light is its player's, lights at points are about
those points. Lights: points 1 to 24, White's and Black's bar, White's and Black's tray (firmware_bridge/protocol.md).
"""

from __future__ import annotations

from nardy_hw.referee import events as e
from nardy_hw.referee.standing import Standing
from nardy_hw.referee.states import Phase
from nardy_hw.rules.position import Player, Position

LIGHTS = 28
BAR, TRAY = 24, 26
"""The first of the two bars' lights, and of the two trays'."""

DARK, WAITS, LEAVE, BACK, CUBE, SETUP, DOUBT = "0", "E", "2", "4", "6", "4", "B"
"""Dim white: whose turn it is. Red: a checker must leave, amber: one must come back. Magenta: the cube is offered.
Amber before a game: not set up as it should be. Dim amber: the referee is not sure, or does not see the board."""


def lights(now: Standing, fault: e.ViolationSeen | None, *, wrong: tuple[int, ...] = (), unsure: bool = False) -> str:
    """fault: the open one, where the players may know of it. wrong: points that are not set up, 25 = bar.

    unsure: the referee's doubt, or that the board is lost; told by both trays, so that no point is hinted at.
    """
    shown = [DARK] * LIGHTS
    if now.phase in (Phase.SETUP, Phase.SCORED):
        for point in wrong:
            for light in [point - 1] if point <= 24 else [BAR, BAR + 1]:
                shown[light] = SETUP
    elif now.phase is Phase.FAULT and fault is not None:
        _repair(shown, now.position, fault.position)
    elif now.phase is Phase.DOUBLED and now.to_move is not None:
        shown[BAR + now.to_move.other.side] = shown[TRAY + now.to_move.other.side] = CUBE
    elif now.phase in (Phase.THROW, Phase.MOVE) and now.to_move is not None:
        shown[TRAY + now.to_move.side] = WAITS
    if unsure:
        shown[TRAY] = shown[TRAY + 1] = DOUBT
    return "".join(shown)


def _repair(shown: list[str], confirmed: Position, seen: Position) -> None:
    """Where there are too many of a side, checkers must leave; where too few, come back."""
    for player in Player:
        sign = 1 if player is Player.WHITE else -1
        was, now = ([max(0, n * sign) for n in position.points] for position in (confirmed, seen))
        for i, (before, there) in enumerate(zip(was, now, strict=True)):
            if there != before:
                shown[i] = LEAVE if there > before else BACK
        side = player.side
        for light, before, there in (
            (BAR + side, confirmed.bar[side], seen.bar[side]),
            (TRAY + side, confirmed.off[side], seen.off[side]),
        ):
            if there != before:
                shown[light] = LEAVE if there > before else BACK

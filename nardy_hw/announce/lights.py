"""What the lights at the points say. Pure: the standing and what the players may know in, a sign for each light out.

Nothing is told by colour alone: of the signs that one light may show each has a beat of its own, and a sign's place
tells whom or which point it means. Lights: points 1 to 24, White's and Black's bar, White's and Black's tray
(firmware_bridge/protocol.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from nardy_hw.referee import events as e
from nardy_hw.referee.standing import Standing
from nardy_hw.referee.states import Phase
from nardy_hw.rules.play import Move, Play
from nardy_hw.rules.position import BAR, OFF, Player, Position, Variant, own_point

LIGHTS = 28
BAR_LIGHT, TRAY_LIGHT = 24, 26
"""The first of the two bars' lights, and of the two trays'."""

TICK = 0.05
"""Seconds: the lights change twenty times a second at most."""

Mode = Literal["silent", "monitor", "club", "training"]
Place = Literal["point", "bar", "tray"]

BEATS = {
    "steady": "1",
    "slow": "1" * 10 + "0" * 10,
    "quick": "111000",
    "wink": "1" * 17 + "000",
    "twice": "11001100" + "0" * 12,
    "thrice": "110011001100" + "0" * 12,
    "long": "1" * 24 + "0" * 12,
    "spark": "11" + "0" * 18,
}
"""Lit or dark, tick after tick, over and over."""


@dataclass(frozen=True, slots=True)
class Sign:
    """digit: of the palette. beat: a name of BEATS. places: where it may be shown."""

    digit: str
    beat: str
    places: frozenset[Place]
    means: str


def _sign(digit: str, beat: str, places: str, means: str) -> Sign:
    where: dict[str, Place] = {"point": "point", "bar": "bar", "tray": "tray"}
    return Sign(digit, beat, frozenset(where[place] for place in places.split()), means)


SIGNS = {
    "turn": _sign("E", "steady", "tray", "it is this player's turn"),
    "leave": _sign("2", "quick", "point bar tray", "a checker must leave here"),
    "back": _sign("4", "slow", "point bar tray", "a checker must come back here"),
    "target": _sign("1", "wink", "point tray", "a checker may legally go here"),
    "best_from": _sign("3", "long", "point bar", "the best play begins here"),
    "best_to": _sign("5", "spark", "point tray", "the best play ends here"),
    "dice": _sign("F", "twice", "tray", "this player throws both dice again"),
    "cube": _sign("6", "thrice", "bar tray", "this player answers the cube"),
    "setup": _sign("4", "twice", "point bar", "not set up as it should be"),
    "doubt": _sign("B", "long", "tray", "the referee is not sure, or does not see the board"),
    "attention": _sign("4", "steady", "bar", "something is to be looked at: silent and monitor mode say no more"),
}

Shown = tuple[str, ...]
"""The name of a sign for each light, '' = dark."""

DARK: Shown = ("",) * LIGHTS


@dataclass(frozen=True, slots=True)
class Hints:
    """Lights, counted from 0. targets: where a legal play may bring a checker. best: from and to, of the best one."""

    targets: frozenset[int] = frozenset()
    best: tuple[tuple[int, int], ...] = ()


def hints(variant: Variant, player: Player, plays: Iterable[Play], best: Iterable[Move] = ()) -> Hints:
    """Of every legal play of a throw; best: the moves of the one that the table is advised to make."""
    targets = {light_of(variant, player, move.end) for play in plays for move in play.moves}
    advised = [(light_of(variant, player, m.start), light_of(variant, player, m.end)) for m in best]
    return Hints(frozenset(targets), tuple(advised))


def light_of(variant: Variant, player: Player, own: int) -> int:
    """The light of a place in the player's own numbering, 25 = bar, 0 = off; counted from 0."""
    if own == BAR:
        return BAR_LIGHT + player.side
    if own == OFF:
        return TRAY_LIGHT + player.side
    return own_point(variant, player, own) - 1


def lights(
    now: Standing,
    mode: Mode,
    *,
    fault: e.ViolationSeen | None = None,
    wrong: tuple[int, ...] = (),
    unsure: bool = False,
    void: Player | None = None,
    advice: Hints | None = None,
) -> Shown:
    """fault: the open one, where the players may know of it. wrong: points that are not set up, 25 = bar.

    unsure: the referee's doubt, or that the board is lost: never told at a point. void: whose throw does not count.
    advice: shown in training mode alone, whoever asks for it.
    """
    shown = [""] * LIGHTS
    tells = mode in ("club", "training")
    attention = unsure and not tells
    if now.phase in (Phase.SETUP, Phase.SCORED):
        for point in wrong:
            for light in [point - 1] if point <= 24 else [BAR_LIGHT, BAR_LIGHT + 1]:
                shown[light] = "setup"
    elif now.phase is Phase.FAULT and fault is not None:
        if tells:
            _repair(shown, now.position, fault.position)
        else:
            attention = True
    elif now.phase is Phase.DOUBLED and now.to_move is not None:
        other = now.to_move.other.side
        shown[BAR_LIGHT + other] = shown[TRAY_LIGHT + other] = "cube"
    elif now.phase in (Phase.OPENING, Phase.THROW) and void is not None:
        shown[TRAY_LIGHT + void.side] = "dice"
    elif now.phase in (Phase.THROW, Phase.MOVE) and now.to_move is not None:
        if now.phase is Phase.MOVE and mode == "training" and advice is not None:
            _advise(shown, advice)
        shown[TRAY_LIGHT + now.to_move.side] = shown[TRAY_LIGHT + now.to_move.side] or "turn"
    if unsure and tells:
        shown[TRAY_LIGHT] = shown[TRAY_LIGHT + 1] = "doubt"
    if attention:
        shown[BAR_LIGHT] = "attention"
    return tuple(shown)


def frame(shown: Shown, t: float) -> str:
    """The palette digits of a moment, seconds of any clock."""
    tick = int(t / TICK)
    return "".join(_digit(SIGNS[name], tick) if name else "0" for name in shown)


def _digit(sign: Sign, tick: int) -> str:
    beat = BEATS[sign.beat]
    return sign.digit if beat[tick % len(beat)] == "1" else "0"


def _advise(shown: list[str], advice: Hints) -> None:
    for light in advice.targets:
        shown[light] = "target"
    for start, end in advice.best:
        shown[end] = "best_to"
        shown[start] = "best_from"


def _repair(shown: list[str], confirmed: Position, seen: Position) -> None:
    """Where there are too many of a side, checkers must leave; where too few, come back."""
    for player in Player:
        sign = 1 if player is Player.WHITE else -1
        was, now = ([max(0, n * sign) for n in position.points] for position in (confirmed, seen))
        for i, (before, there) in enumerate(zip(was, now, strict=True)):
            if there != before:
                shown[i] = "leave" if there > before else "back"
        side = player.side
        for light, before, there in (
            (BAR_LIGHT + side, confirmed.bar[side], seen.bar[side]),
            (TRAY_LIGHT + side, confirmed.off[side], seen.off[side]),
        ):
            if there != before:
                shown[light] = "leave" if there > before else "back"

"""What the referee says. One struct per event; `encode` gives the JSON object of the command line (design: replay).

Every event carries `t` (seconds since the source began) and `frame` (its number in the source).
Codes are stable and never translated; texts are.

A second `roll` of a player before his play replaces the first (thrown again, or read better); a second `play` of a
player before the next roll replaces the first (changed in time). A play that only the next turn decides comes after
that turn's roll, and before its play. `started` in mid game: the thread was lost, and is taken up from there.
"""

from __future__ import annotations

from typing import Any

import msgspec

from nardy_hw.rules.position import Player, Position


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    t: float
    frame: int


class Started(Event, frozen=True, kw_only=True, tag="started"):
    """The game is followed from this position on."""

    position: Position


class Roll(Event, frozen=True, kw_only=True, tag="roll"):
    """A valid throw. dice: as thrown. source: who read it."""

    player: Player
    dice: tuple[int, int]
    source: str = "camera"


class NoRoll(Event, frozen=True, kw_only=True, tag="no_roll"):
    """A throw that does not count (R2, R4); thrown again. code: dice_cocked, dice_on_checker, dice_off_side, ..."""

    player: Player
    code: str
    rule: str


class PlayMade(Event, frozen=True, kw_only=True, tag="play"):
    """A legal play, final. text in the mover's own numbering, 'no play' when there was none. confidence 0..1."""

    player: Player
    dice: tuple[int, int]
    text: str
    position: Position
    confidence: float


class Fault(Event, frozen=True, kw_only=True):
    """Base of violation and warning: what is wrong, by which rule, and how to put it right.

    text: what was done, for people. repair: the physical repair ('13 back to 8'). position: as seen; the one before
    where no position can say what is seen (both colours on a point).
    """

    player: Player
    dice: tuple[int, int]
    code: str
    rule: str
    text: str
    repair: str
    position: Position


class ViolationSeen(Fault, frozen=True, kw_only=True, tag="violation"):
    """An illegal play that is final (R3)."""


class WarningGiven(Fault, frozen=True, kw_only=True, tag="warning"):
    """The position stands still and no continuation can make it legal, while the dice still lie."""


class Stands(Event, frozen=True, kw_only=True, tag="stands"):
    """An illegal play that was not put right before the next throw (R5, A25)."""

    player: Player
    dice: tuple[int, int]
    position: Position


class Lost(Event, frozen=True, kw_only=True, tag="lost"):
    """Camera or board moved: nothing is read until `found`."""

    why: str


class Found(Event, frozen=True, kw_only=True, tag="found"):
    """The board fits its calibration again."""


class Unsure(Event, frozen=True, kw_only=True, tag="unsure"):
    """Neither legal nor illegal is certain; why says what would settle it."""

    why: str


class GameOver(Event, frozen=True, kw_only=True, tag="game_over"):
    """The winner has borne off 15 (S21, L9). points: 1, 2 or 3 before the cube (C1-C3, L9)."""

    winner: Player
    points: int


AnyEvent = Started | Roll | NoRoll | PlayMade | ViolationSeen | WarningGiven | Stands | Lost | Found | Unsure | GameOver


_encoder = msgspec.json.Encoder()


def encode(event: Event) -> bytes:
    """One line of JSON, without the line end."""
    return _encoder.encode(as_json(event))


def as_json(event: Event) -> dict[str, Any]:
    """The event's JSON object, the position in the form of the command line."""
    obj: dict[str, Any] = msgspec.to_builtins(event)
    position = getattr(event, "position", None)
    if position is not None:
        obj["position"] = position.to_json()
    return obj


def decode(line: bytes | str) -> AnyEvent:
    """The event of one line of JSON. Raises msgspec.DecodeError (a ValueError) with the field that is wrong."""
    obj = msgspec.json.decode(line)
    try:
        position = obj["position"]
        obj["position"] = position | {k: [position[k]["white"], position[k]["black"]] for k in ("bar", "off")}
    except (KeyError, TypeError):
        pass  # no position, or one that convert refuses by name
    event: AnyEvent = msgspec.convert(obj, AnyEvent)
    return event

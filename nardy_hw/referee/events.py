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


# -- of a match


class GameStarted(Event, frozen=True, kw_only=True, tag="game"):
    """The checkers of a new game stand ready. number: from 1. score: White's, Black's. crawford: no cube (C8).

    turn: who throws first; None: the opening throw tells. swapped: have the players changed seats?
    """

    number: int
    score: tuple[int, int]
    crawford: bool
    position: Position
    turn: Player | None = None
    swapped: bool = False


class SetupWrong(Event, frozen=True, kw_only=True, tag="setup_wrong"):
    """The board is not as it should be, and stands still (A35). points: the board's own numbers, 25 = the bar."""

    points: tuple[int, ...]
    code: str = "setup_wrong"
    rule: str = "A35"


class OpeningTie(Event, frozen=True, kw_only=True, tag="tie"):
    """Equal opening dice: thrown again (S4, L3). cube: its value now, as they may double it (C10). dice: (0, 0) where a
    match file does not tell them."""

    dice: tuple[int, int]
    cube: int


class Announced(Event, frozen=True, kw_only=True, tag="forced"):
    """A throw with one legal play, or 'no play' (S11): text in the mover's own numbering."""

    player: Player
    dice: tuple[int, int]
    text: str


class DiceDiffer(Event, frozen=True, kw_only=True, tag="dice_differ"):
    """The camera is sure of another throw than was told: somebody must say which it is. The one told counts."""

    player: Player
    told: tuple[int, int]
    seen: tuple[int, int]


class Doubled(Event, frozen=True, kw_only=True, tag="double"):
    """The cube is offered (C6). value: what the game will be played for if it is taken."""

    player: Player
    value: int


class NoDouble(Event, frozen=True, kw_only=True, tag="no_double"):
    """An offer that does not count. code: cube_not_allowed, cube_not_owner."""

    player: Player
    code: str
    rule: str


class Taken(Event, frozen=True, kw_only=True, tag="take"):
    """The offer is taken: the player owns the cube at this value (C7)."""

    player: Player
    value: int


class Dropped(Event, frozen=True, kw_only=True, tag="drop"):
    """The offer is passed: the player loses what the game stood at (C7)."""

    player: Player


class Voted(Event, frozen=True, kw_only=True, tag="vote"):
    """Chouette: what one of the team says to doubling, or to the box's double (C11)."""

    name: str
    yes: bool


class LinedUp(Event, frozen=True, kw_only=True, tag="chouette"):
    """Chouette: the box, the captain and the others, as they go on, and what each has won or lost (C11)."""

    line: tuple[str, ...]
    score: dict[str, int]


class Resigned(Event, frozen=True, kw_only=True, tag="resign"):
    """A resignation is offered (A30). points: 1, 2 or 3 before the cube."""

    player: Player
    points: int


class ResignationRefused(Event, frozen=True, kw_only=True, tag="resignation_refused"):
    """The player does not accept: the game goes on where it was."""

    player: Player


class Drawn(Event, frozen=True, kw_only=True, tag="drawn"):
    """Both have borne off 15 in the same number of turns (A10): nobody scores."""


class Scored(Event, frozen=True, kw_only=True, tag="score"):
    """A game's end in points. points: times the cube. how: borne 'off', 'drop', or 'resign'. score: the match's now."""

    winner: Player
    points: int
    how: str
    score: tuple[int, int]


class MatchOver(Event, frozen=True, kw_only=True, tag="match_over"):
    """The winner has the points that the match is played to (C9)."""

    winner: Player
    score: tuple[int, int]


class Overruled(Event, frozen=True, kw_only=True, tag="overruled"):
    """A person with the right to it has decided. by: who. what: 'stands', 'position', 'throw', 'setup', 'clock'."""

    by: str
    what: str
    reason: str


class SetByHand(Event, frozen=True, kw_only=True, tag="set"):
    """Position, turn and maybe dice as a person has set them: the game is followed from here."""

    position: Position
    turn: Player | None
    dice: tuple[int, int] | None


class Asked(Event, frozen=True, kw_only=True, tag="asked"):
    """The player has asked whether the other's play was legal (A26): what was kept back may be said."""

    player: Player


class ThrowCancelled(Event, frozen=True, kw_only=True, tag="throw_cancelled"):
    """The open throw does not count: the player throws again."""

    player: Player


class ClockRead(Event, frozen=True, kw_only=True, tag="clock"):
    """Seconds of reserve that White and Black have left, when the clock changes over or is stopped."""

    white: float
    black: float


class FlagFell(Event, frozen=True, kw_only=True, tag="flag"):
    """The player's time is used up. The game goes on: what it means is the director's to say."""

    player: Player


AnyEvent = (
    Started
    | Roll
    | NoRoll
    | PlayMade
    | ViolationSeen
    | WarningGiven
    | Stands
    | Lost
    | Found
    | Unsure
    | GameOver
    | GameStarted
    | SetupWrong
    | OpeningTie
    | Announced
    | DiceDiffer
    | Doubled
    | NoDouble
    | Taken
    | Dropped
    | Voted
    | LinedUp
    | Resigned
    | ResignationRefused
    | Drawn
    | Scored
    | MatchOver
    | Overruled
    | SetByHand
    | Asked
    | ThrowCancelled
    | ClockRead
    | FlagFell
)

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

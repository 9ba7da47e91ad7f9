"""What people tell the referee, by page, button or voice. One struct per command; `decode` reads the JSON object.

Those with `by` and `reason` are a director's (or at home anybody's): each is kept in the record with who and why.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from nardy_hw.errors import InputError
from nardy_hw.rules.position import Player, Position

Die = Annotated[int, msgspec.Meta(ge=1, le=6)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """Base of all."""


class OfPlayer(Command, frozen=True, kw_only=True):
    player: Player


class ByPerson(Command, frozen=True, kw_only=True):
    by: Text
    reason: Text


class Throw(OfPlayer, frozen=True, kw_only=True, tag="throw"):
    """A throw that is known without the camera. source: 'roller', 'module', 'ble', 'page'."""

    dice: tuple[Die, Die]
    source: str = "page"


class EndTurn(OfPlayer, frozen=True, kw_only=True, tag="end_turn"):
    """The player has finished his play: his button, the clock, the page (R3, A24)."""


class Double(OfPlayer, frozen=True, kw_only=True, tag="double"):
    """He offers the cube (C6)."""


class Take(OfPlayer, frozen=True, kw_only=True, tag="take"):
    """He takes it (C7)."""


class Drop(OfPlayer, frozen=True, kw_only=True, tag="drop"):
    """He passes (C7)."""


class Resign(OfPlayer, frozen=True, kw_only=True, tag="resign"):
    """He gives the game up for 1, 2 or 3 points before the cube (A30)."""

    points: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1


class Accept(OfPlayer, frozen=True, kw_only=True, tag="accept"):
    """He accepts the other's resignation."""


class Refuse(OfPlayer, frozen=True, kw_only=True, tag="refuse"):
    """He does not."""


class Vote(Command, frozen=True, kw_only=True, tag="vote"):
    """Chouette: one of the team agrees to double, or takes what the box has offered, or does not (C11)."""

    name: Text
    yes: bool


class Condone(OfPlayer, frozen=True, kw_only=True, tag="condone"):
    """He lets the other's illegal play stand (A25)."""


class AskCheck(OfPlayer, frozen=True, kw_only=True, tag="ask"):
    """He asks whether the play was legal, where nothing is said unasked (A26)."""


class LetStand(ByPerson, frozen=True, kw_only=True, tag="let_stand"):
    """An illegal play stands by decision."""


class AcceptSetup(ByPerson, frozen=True, kw_only=True, tag="accept_setup"):
    """The board is set up as it should be, whatever is seen of it."""


class AcceptSeen(ByPerson, frozen=True, kw_only=True, tag="accept_seen"):
    """What the camera sees is the position; the open turn is over."""


class SetBoard(ByPerson, frozen=True, kw_only=True, tag="set"):
    """Position, turn and dice by hand. turn None: the opening throw is still to come. dice None: not thrown yet."""

    position: Position
    turn: Player | None = None
    dice: tuple[Die, Die] | None = None


class CancelThrow(ByPerson, frozen=True, kw_only=True, tag="cancel_throw"):
    """The open throw does not count."""


class NextGame(Command, frozen=True, kw_only=True, tag="next_game"):
    """The board is being set up again: say what is wrong with it. swap: the players have changed seats."""

    swap: bool = False


class StopClock(Command, frozen=True, kw_only=True, tag="stop_clock"):
    """Nobody's time runs until `StartClock`, or the next throw."""


class StartClock(Command, frozen=True, kw_only=True, tag="start_clock"):
    """It runs again for whoever is to act."""


class AdjustClock(ByPerson, frozen=True, kw_only=True, tag="adjust_clock"):
    """Gives a player so many seconds of reserve, or takes them."""

    player: Player
    seconds: Annotated[float, msgspec.Meta(ge=-86_400, le=86_400)]


AnyCommand = (
    Throw
    | EndTurn
    | Double
    | Take
    | Drop
    | Resign
    | Accept
    | Refuse
    | Vote
    | Condone
    | AskCheck
    | LetStand
    | AcceptSetup
    | AcceptSeen
    | SetBoard
    | CancelThrow
    | NextGame
    | StopClock
    | StartClock
    | AdjustClock
)


def decode(obj: Any) -> AnyCommand:
    """The command of a JSON object. Raises InputError with the field that is wrong, PositionError."""
    if isinstance(obj, dict) and "position" in obj:
        obj = obj | {"position": msgspec.to_builtins(Position.from_json(obj["position"]))}
    try:
        command: AnyCommand = msgspec.convert(obj, AnyCommand)
    except msgspec.ValidationError as error:
        raise InputError(f"command: {error}") from None
    return command


SPOKEN: dict[str, type[OfPlayer]] = {
    "done": EndTurn,
    "double": Double,
    "take": Take,
    "pass": Drop,
    "resign": Resign,
    "accept": Accept,
    "refuse": Refuse,
    "condone": Condone,
    "ask": AskCheck,
    "throw": Throw,
}
"""The words for the players' commands: 'white double', 'black throw 6 5', 'white resign 2'."""


def parse(line: str) -> AnyCommand:
    """A command as people type it, or as a JSON object. Raises InputError with what could have been meant."""
    line = line.strip()
    if line.startswith("{"):
        try:
            return decode(msgspec.json.decode(line))
        except msgspec.DecodeError as error:
            raise InputError(f"command: {error}") from None
    match line.lower().split():
        case ["next"]:
            return NextGame()
        case ["vote", name, ("yes" | "no") as word]:
            return decode({"do": "vote", "name": line.split()[1] if name else name, "yes": word == "yes"})
        case [("white" | "black") as player, word, *numbers] if word in SPOKEN and all(n.isdecimal() for n in numbers):
            obj: dict[str, Any] = {"do": SPOKEN[word].__struct_config__.tag, "player": player}
            if word == "throw":
                obj["dice"] = [int(n) for n in numbers]
            elif word == "resign" and numbers:
                obj["points"] = int(numbers[0])
            elif numbers:
                raise InputError(f"command: '{player} {word}' takes no number")
            return decode(obj)
    words = ", ".join(SPOKEN)
    raise InputError(f"command {line[:40]!r}: say white or black, then {words}; or next, vote NAME yes|no, or JSON")

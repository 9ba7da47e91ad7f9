"""What the page shows, as a value, and how each event changes it. Pure: no lock, no clock, no words of the page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from nardy_hw.referee import events as e
from nardy_hw.referee.core import State
from nardy_hw.rules.notation import parse_moves
from nardy_hw.rules.play import Move
from nardy_hw.rules.position import BAR, OFF, Player, Position, Variant
from nardy_hw.web.layout import WhiteHome

CALLS_KEPT = 100
"""A long match at club level gives a few calls a game; older ones are in the record."""


class Fate(StrEnum):
    """What became of a call."""

    OPEN = "open"
    PUT_RIGHT = "put right"
    STANDS = "stands"


@dataclass(frozen=True, slots=True)
class Table:
    """What is known before the game. names: White's, Black's. turn: who throws first, None = the opening throw.

    lights: is there a board of lights?
    """

    title: str = ""
    names: tuple[str, str] = ("White", "Black")
    white_home: WhiteHome = "near-right"
    white_is_light: bool = True
    turn: Player | None = None
    lights: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A violation (final) or a warning. t in seconds since the source began; text, repair as the referee said them."""

    t: float
    final: bool
    player: Player
    dice: tuple[int, int]
    code: str
    rule: str
    text: str
    repair: str
    fate: Fate = Fate.OPEN


@dataclass(frozen=True, slots=True)
class Throw:
    player: Player
    dice: tuple[int, int]


@dataclass(frozen=True, slots=True)
class LastPlay:
    """What ended the last turn. text and moves in the mover's own numbering; empty where an illegal play stands."""

    player: Player
    dice: tuple[int, int]
    text: str
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Result:
    winner: Player
    points: int


@dataclass(frozen=True, slots=True)
class View:
    """The table as the page shows it.

    position: the last confirmed one. seen: what stands there instead, while a call is open.
    throw: the dice that are being played, None between turns. remark: why nothing counts or nothing is certain.
    calls: oldest first, at most CALLS_KEPT. notice: what everybody must know beside the game: nothing is recorded.
    """

    table: Table = Table()
    position: Position = Position.start(Variant.SHORT)  # noqa: RUF009  frozen
    seen: Position | None = None
    to_move: Player | None = None
    throw: Throw | None = None
    play: LastPlay | None = None
    state: State = State.WAITING
    remark: e.NoRoll | e.Unsure | e.Lost | None = None
    calls: tuple[Call, ...] = ()
    result: Result | None = None
    notice: str = ""

    @property
    def shown(self) -> Position:
        return self.seen or self.position

    @property
    def open_call(self) -> Call | None:
        """The call that waits to be put right."""
        return self.calls[-1] if self.calls and self.calls[-1].fate is Fate.OPEN else None

    @property
    def marks(self) -> tuple[int, ...]:
        """Where the open call's position differs from the confirmed one: points 1..24, 25 = bar, 0 = tray."""
        if self.seen is None:
            return ()
        was, seen = self.position, self.seen
        points = [i + 1 for i in range(24) if was.points[i] != seen.points[i]]
        return (*points, *[BAR] * (was.bar != seen.bar), *[OFF] * (was.off != seen.off))


def begin(table: Table, variant: Variant) -> View:
    """Before the first event of a game."""
    return View(table, Position.start(variant), to_move=table.turn)


def reduce(view: View, event: e.Event) -> View:
    """The view after the event."""
    match event:
        case e.Started(position=position):
            return replace(begin(view.table, position.variant), position=position, notice=view.notice)
        case e.Roll(player=player, dice=dice):
            return _turn(view, throw=Throw(player, dice), to_move=player, state=State.READING)
        case e.PlayMade(player=player, dice=dice, text=text, position=position):
            play = LastPlay(player, dice, text, parse_moves(text))
            return _turn(_settled(view, Fate.PUT_RIGHT), position=position, play=play, to_move=player.other)
        case e.Stands(player=player, dice=dice, position=position):
            play = LastPlay(player, dice, "", ())
            return _turn(_settled(view, Fate.STANDS), position=position, play=play, to_move=player.other)
        case e.ViolationSeen():
            return replace(_called(view, event), state=State.ILLEGAL)
        case e.WarningGiven():
            return _called(view, event)
        case e.NoRoll():
            return replace(view, remark=event, state=_state(view))
        case e.Unsure():
            return replace(view, remark=event, state=State.UNSURE)
        case e.Lost():
            return replace(view, remark=event, state=State.LOST)
        case e.Found():
            return replace(view, remark=None, state=_state(view))
        case e.GameOver(winner=winner, points=points):
            return _turn(view, result=Result(winner, points), to_move=None, state=State.OVER)
        case e.GameStarted(position=position, turn=turn):
            return replace(begin(view.table, position.variant), position=position, to_move=turn)
        case e.SetByHand(position=position, turn=turn, dice=dice):
            throw = Throw(turn, dice) if turn and dice else None
            return _turn(view, position=position, to_move=turn, throw=throw)
        case e.ThrowCancelled(player=player):
            return _turn(view, to_move=player)
        case _:
            return view  # of the match: not shown here


def _turn(view: View, **changes: Any) -> View:
    """A turn begins or ends: what was said of the one before is done with."""
    fresh: dict[str, Any] = {"seen": None, "throw": None, "remark": None, "state": State.WAITING}
    return replace(view, **(fresh | changes))


def _called(view: View, event: e.Fault) -> View:
    """With the call. An open one of the same turn is replaced: it was the same fault, or was changed into this one."""
    call = Call(
        t=event.t,
        final=isinstance(event, e.ViolationSeen),
        player=event.player,
        dice=event.dice,
        code=event.code,
        rule=event.rule,
        text=event.text,
        repair=event.repair,
    )
    earlier = view.calls[:-1] if view.open_call else view.calls
    return replace(view, seen=event.position, remark=None, calls=(*earlier, call)[-CALLS_KEPT:])


def _settled(view: View, fate: Fate) -> View:
    if view.open_call is None:
        return view
    return replace(view, calls=(*view.calls[:-1], replace(view.open_call, fate=fate)))


def _state(view: View) -> State:
    """The word while nothing else is known."""
    if view.result:
        return State.OVER
    if view.open_call and view.open_call.final:
        return State.ILLEGAL
    return State.READING if view.throw else State.WAITING


def as_json(view: View) -> dict[str, Any]:
    """The JSON object of the page's state; the position in the form of the command line."""
    table = view.table
    return {
        "title": table.title,
        "variant": str(view.position.variant),
        "players": {"white": table.names[0], "black": table.names[1]},
        "white_home": table.white_home,
        "state": str(view.state),
        "why": getattr(view.remark, "why", None) or getattr(view.remark, "code", None),
        "to_move": view.to_move and str(view.to_move),
        "position": view.position.to_json(),
        "seen": view.seen and view.seen.to_json(),
        "roll": view.throw and {"player": str(view.throw.player), "dice": list(view.throw.dice)},
        "last_play": view.play
        and {"player": str(view.play.player), "dice": list(view.play.dice), "text": view.play.text},
        "calls": [_call_json(call) for call in view.calls],
        "result": view.result and {"winner": str(view.result.winner), "points": view.result.points},
    }


def _call_json(call: Call) -> dict[str, Any]:
    return {
        "t": call.t,
        "type": "violation" if call.final else "warning",
        "player": str(call.player),
        "dice": list(call.dice),
        "code": call.code,
        "rule": call.rule,
        "text": call.text,
        "repair": call.repair,
        "fate": str(call.fate),
    }

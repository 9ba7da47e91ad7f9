"""Records of a few plays, written by hand."""

from typing import Any

from nardy_hw.record.store import MatchInfo, MatchRecord
from nardy_hw.referee.events import AnyEvent, PlayMade, Stands, Started
from nardy_hw.rules.position import Player, Position, Variant

SHORT, LONG = Position.start(Variant.SHORT), Position.start(Variant.LONG)
WHITE, BLACK = Player.WHITE, Player.BLACK
Pair = tuple[int, int]


def started(position: Position = SHORT) -> Started:
    return Started(t=0, frame=0, position=position)


def played(player: Player, dice: tuple[int, int], text: str, after: Position) -> PlayMade:
    return PlayMade(t=0, frame=0, player=player, dice=dice, text=text, position=after, confidence=1.0)


def stood(player: Player, dice: tuple[int, int], after: Position) -> Stands:
    return Stands(t=0, frame=0, player=player, dice=dice, position=after)


def moved(
    before: Position, *changes: tuple[int, int], bar: tuple[int, int] = (0, 0), off: tuple[int, int] = (0, 0)
) -> Position:
    """The position with (point, by how much) changed, +1 = a White checker more or a Black one fewer."""
    points = list(before.points)
    for point, by in changes:
        points[point - 1] += by
    return Position(before.variant, tuple(points), bar, off)


def record(*events: AnyEvent, **info: Any) -> MatchRecord:
    known = {"variant": Variant.SHORT, "white": "Ona", "black": "Petro", "started": "2026-05-31T18:04:00+00:00"}
    return MatchRecord(7, MatchInfo(**known | info), events)

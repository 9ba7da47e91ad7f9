"""A match's events as games of turns, which is how match files see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from nardy_hw.errors import ExportError
from nardy_hw.referee.events import AnyEvent, GameOver, PlayMade, Stands, Started
from nardy_hw.rules.position import Player, Position


@dataclass(frozen=True, slots=True)
class Ply:
    """One turn as it ended. text: the play; None where an illegal one stood, and `position` is all that is known."""

    player: Player
    dice: tuple[int, int]
    text: str | None
    position: Position


@dataclass(slots=True)
class Game:
    """One game. broken: after how many plies the thread was lost and taken up again, or None."""

    start: Position
    plies: list[Ply] = field(default_factory=list)
    winner: Player | None = None
    points: int = 0
    broken: int | None = None


def games(events: Iterable[AnyEvent]) -> list[Game]:
    """Every game that was begun, violations that were put right left out."""
    found: list[Game] = []
    for event in events:
        match event:
            case Started():
                if found and found[-1].winner is None and found[-1].plies:
                    found[-1].broken = len(found[-1].plies)
                    found[-1].plies.append(Ply(found[-1].plies[-1].player.other, (0, 0), None, event.position))
                elif found and found[-1].winner is None:
                    found[-1] = Game(event.position)
                else:
                    found.append(Game(event.position))
            case PlayMade():
                _last(found).plies.append(Ply(event.player, event.dice, event.text, event.position))
            case Stands():
                _last(found).plies.append(Ply(event.player, event.dice, None, event.position))
            case GameOver():
                _last(found).winner, _last(found).points = event.winner, event.points
    return found


def _last(found: list[Game]) -> Game:
    if not found:
        raise ExportError("the record has plays before any position: it is not a whole match")
    return found[-1]

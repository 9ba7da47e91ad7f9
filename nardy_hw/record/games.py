"""A match's events as games of turns, which is how match files see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from nardy_hw.errors import ExportError
from nardy_hw.referee.events import AnyEvent, GameOver, PlayMade, Scored, Stands, Started
from nardy_hw.rules.position import Player, Position


@dataclass(frozen=True, slots=True)
class Ply:
    """One turn as it ended. text: the play; None where an illegal one stood, and `position` is all that is known."""

    player: Player
    dice: tuple[int, int]
    text: str | None
    position: Position


@dataclass(frozen=True, slots=True)
class Break:
    """Turns that were not seen: the game goes on from `position`."""

    position: Position


@dataclass(slots=True)
class Game:
    """One game. winner None and points 0 where it was not played out."""

    start: Position
    turns: list[Ply | Break] = field(default_factory=list)
    winner: Player | None = None
    points: int = 0

    def before(self, turn: int) -> Position:
        """Where the checkers were when turn number `turn`, from 0, began."""
        return self.turns[turn - 1].position if turn else self.start


def games(events: Iterable[AnyEvent]) -> list[Game]:
    """Every game that was begun, violations that were put right left out. Raises ExportError without a beginning."""
    found: list[Game] = []
    for event in events:
        if isinstance(event, Started):
            _start(found, event.position)
        elif isinstance(event, PlayMade | Stands):
            text = event.text if isinstance(event, PlayMade) else None
            _last(found).turns.append(Ply(event.player, event.dice, text, event.position))
        elif isinstance(event, GameOver | Scored):  # before the cube, and with it; or dropped, or resigned
            game = _last(found)
            game.winner, game.points = event.winner, event.points
    return found


def _start(found: list[Game], position: Position) -> None:
    """A new game, or the one that was going on: where it was left, or with turns missing."""
    game = found[-1] if found else None
    if game is None or game.winner is not None or position == Position.start(position.variant):
        if game is not None and not game.turns:
            found.pop()
        found.append(Game(position))
    elif position != game.before(len(game.turns)):
        game.turns.append(Break(position))


def _last(found: list[Game]) -> Game:
    if not found:
        raise ExportError("the record has plays before any position: use --format jsonl")
    return found[-1]

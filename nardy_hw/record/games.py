"""A match's events as games of turns, which is how match files see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from nardy_hw.errors import ExportError
from nardy_hw.referee import events as e
from nardy_hw.rules.position import Player, Position

How = Literal["off", "drop", "resign", ""]


@dataclass(frozen=True, slots=True)
class Ply:
    """One throw as its turn ended. text: the play; None where an illegal one stood, and `position` is all that is
    known."""

    player: Player
    dice: tuple[int, int]
    text: str | None
    position: Position


@dataclass(frozen=True, slots=True)
class Cubing:
    """A word on the cube. value: what the game is played for if the double is taken; 0 with a drop."""

    player: Player
    what: Literal["double", "take", "drop"]
    value: int = 0


@dataclass(frozen=True, slots=True)
class Break:
    """Turns that were not seen, or a board set by hand: the game goes on from `position`."""

    position: Position


Turn = Ply | Cubing | Break


@dataclass(slots=True)
class Game:
    """One game. score: White's and Black's before it. cube: its value at the first throw, more than 1 after automatic
    doubles. winner None and points 0 where it was not played out, or drawn. how: borne off, dropped or resigned.
    """

    start: Position
    turns: list[Turn] = field(default_factory=list)
    winner: Player | None = None
    points: int = 0
    how: How = ""
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    cube: int = 1

    def before(self, turn: int) -> Position:
        """Where the checkers were when turn number `turn`, from 0, began."""
        for earlier in reversed(self.turns[:turn]):
            if not isinstance(earlier, Cubing):
                return earlier.position
        return self.start

    @property
    def end(self) -> Position:
        """The position in the end, or so far."""
        return self.before(len(self.turns))

    @property
    def over(self) -> bool:
        return self.winner is not None

    @property
    def score_after(self) -> tuple[int, int]:
        white, black = self.score
        white += self.points * (self.winner is Player.WHITE)
        return white, black + self.points * (self.winner is Player.BLACK)


def games(events: Iterable[e.AnyEvent]) -> list[Game]:
    """Every game that was begun, violations that were put right left out. Raises ExportError without a beginning."""
    reading = _Reading()
    for event in events:
        reading.hear(event)
    return reading.games


class _Reading:
    """thrown: who has thrown since his last play, as a play without a throw of its own replaces the last one."""

    def __init__(self) -> None:
        self.games: list[Game] = []
        self._thrown: set[Player] = set()
        self._drawn = False

    def hear(self, event: e.AnyEvent) -> None:
        match event:
            case e.GameStarted(position=position, score=score, crawford=crawford):
                self._begin(Game(position, score=score, crawford=crawford))
            case e.Started(position=position):
                self._start(position)
            case e.SetByHand(position=position):
                self._go_on(position)
            case e.Roll(player=player):
                self._thrown.add(player)
            case e.ThrowCancelled(player=player):
                self._thrown.discard(player)
            case e.PlayMade():
                self._ply(Ply(event.player, event.dice, event.text, event.position))
            case e.Stands():
                self._ply(Ply(event.player, event.dice, None, event.position))
            case e.OpeningTie(cube=cube):
                self._last.cube = cube
            case e.Doubled(player=player, value=value):
                self._last.turns.append(Cubing(player, "double", value))
            case e.Taken(player=player, value=value):
                self._last.turns.append(Cubing(player, "take", value))
            case e.Dropped(player=player):
                self._last.turns.append(Cubing(player, "drop"))
            case e.GameOver(winner=winner, points=points):
                self._over(winner, points, "off")
            case e.Scored(winner=winner, points=points, how=how):
                self._over(winner, points, _HOW.get(how, "off"))
            case e.Drawn():
                self._drawn = True

    @property
    def _last(self) -> Game:
        if not self.games:
            raise ExportError("the record has plays before any position: use --format jsonl")
        return self.games[-1]

    def _ply(self, ply: Ply) -> None:
        turns = self._last.turns
        if ply.player not in self._thrown and turns and isinstance(turns[-1], Ply) and turns[-1].player is ply.player:
            turns.pop()  # changed in time: the later one is the play
        self._thrown.discard(ply.player)
        turns.append(ply)

    def _over(self, winner: Player, points: int, how: How) -> None:
        game = self._last
        game.winner, game.points, game.how = winner, points, how

    def _begin(self, game: Game) -> None:
        if self.games and not self.games[-1].turns and not self.games[-1].over:
            self.games.pop()
        self.games.append(game)
        self._thrown.clear()
        self._drawn = False

    def _start(self, position: Position) -> None:
        """A new game, or the one that was going on: where it was left, or with turns missing."""
        game = self.games[-1] if self.games else None
        if game is None or game.over or self._drawn:
            self._begin(Game(position, score=game.score_after if game else (0, 0)))
        elif position == Position.start(position.variant) and game.turns:
            self._begin(Game(position, score=game.score))
        else:
            self._go_on(position)

    def _go_on(self, position: Position) -> None:
        if not self.games:
            self._begin(Game(position))
        elif position != self._last.end:
            if self._last.turns:
                self._last.turns.append(Break(position))
            else:
                self._last.start = position


_HOW: dict[str, How] = {"drop": "drop", "resign": "resign"}

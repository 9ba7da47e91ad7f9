"""Where a match stands: a value that is nothing but its events, folded. What is recorded is enough to go on from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from nardy_hw.referee import events as e
from nardy_hw.referee.states import AFTER, Phase
from nardy_hw.rules.chouette import Chouette
from nardy_hw.rules.match import Match
from nardy_hw.rules.position import Player, Position


@dataclass(frozen=True, slots=True)
class Standing:
    """match: score and cube. position: the last confirmed one. to_move: who throws, plays, or has doubled; None before
    the opening throw is won. dice: the open throw, source: who read it. thrown: who has had a turn in this game.
    opener: who began it. fault: the violation that is open. seen: what stood there when it was called.
    resigned: the offer that is open, back: the state in which it came. won: by the board, not yet scored.
    clock: seconds of reserve when last read. chouette: where one is played, White is the box; votes: of the team, to
    the question that is open.
    """

    match: Match
    position: Position
    phase: Phase = Phase.SETUP
    to_move: Player | None = None
    dice: tuple[int, int] | None = None
    source: str = "camera"
    thrown: frozenset[Player] = frozenset()
    opener: Player | None = None
    fault: e.ViolationSeen | None = None
    resigned: e.Resigned | None = None
    back: Phase = Phase.THROW
    won: e.GameOver | None = None
    swapped: bool = False
    clock: tuple[float, float] | None = None
    chouette: Chouette | None = None
    votes: tuple[tuple[str, bool], ...] = ()

    @property
    def actor(self) -> Player | None:
        """Whose time runs."""
        if self.phase in (Phase.THROW, Phase.MOVE, Phase.FAULT):
            return self.to_move
        if self.phase is Phase.DOUBLED and self.to_move is not None:
            return self.to_move.other
        return None

    def after(self, event: e.Event) -> Standing:
        """The standing once this has been said."""
        after = self._folded(event)
        if self.chouette is None:
            return after
        votes = self.votes if isinstance(event, e.Voted | e.ClockRead) else ()
        if isinstance(event, e.Voted):
            votes = (*(vote for vote in votes if vote[0] != event.name), (event.name, event.yes))
        return replace(after, chouette=self._together(self.chouette, event), votes=votes)

    def _together(self, chouette: Chouette, event: e.Event) -> Chouette:
        """What the event means for box and team."""
        votes = dict(self.votes)
        match event:
            case e.OpeningTie():
                return replace(chouette, cube=self.match.tie().cube.value)
            case e.GameStarted() if not chouette.game:
                return chouette.start()
            case e.Doubled(player=player):
                return chouette.box_offers() if player is Player.WHITE else chouette.team_offers(votes)
            case e.Taken() | e.Dropped():
                if chouette.offered == "team":
                    return chouette.box_answers(takes=isinstance(event, e.Taken))
                return chouette.team_answers(votes)
            case e.SetByHand() if chouette.game:
                return replace(chouette, offered=None)
            case e.SetByHand():
                return chouette.start()
            case e.Scored(winner=winner, how=how) if how != "drop":
                told = self.resigned or self.won
                return chouette.won(by_box=winner is Player.WHITE, points=told.points if told else 1)
            case e.Drawn():
                return replace(chouette, game=False, playing=())
        return chouette

    def _folded(self, event: e.Event) -> Standing:
        """All but the chouette."""
        match event:
            case e.Started(position=position):
                return replace(self, position=position)
            case e.GameStarted(turn=turn):
                return self._begun(event)._at("game (turn known)" if turn else "game")
            case e.OpeningTie():
                return replace(self, match=self.match.tie())
            case e.Roll(player=player, dice=dice, source=source):
                return self._at(
                    "roll",
                    to_move=player,
                    dice=dice,
                    source=source,
                    thrown=self.thrown | {player},
                    opener=self.opener or player,
                )
            case e.PlayMade(player=player, position=position) | e.Stands(player=player, position=position):
                if player is not self.to_move or self.dice is None:  # of the turn before, decided or changed late
                    return replace(self, position=position)
                tag = "play" if isinstance(event, e.PlayMade) else "stands"
                return self._at(tag, position=position, to_move=player.other, dice=None, fault=None)
            case e.ViolationSeen(player=player) if player is self.to_move:
                return self._at("violation", fault=event)
            case e.ThrowCancelled():
                return self._at("throw_cancelled", dice=None, thrown=self.thrown - {event.player})
            case e.Doubled(player=player):
                return self._at("double", match=self.match.offer(player), to_move=player, dice=None, fault=None)
            case e.Taken():
                return self._at("take", match=self.match.take())
            case e.Dropped():
                return self._at("drop")
            case e.Resigned():
                return self._at("resign", resigned=event, back=self.phase)
            case e.ResignationRefused():
                return self._at("resignation_refused", resigned=None)
            case e.GameOver():
                return self._at("game_over", won=event)
            case e.Drawn():
                return self._at("drawn", match=self.match.drawn())
            case e.Scored():
                return self._at("score", match=self._scored(event), won=None, resigned=None)
            case e.MatchOver():
                return self._at("match_over")
            case e.SetByHand():
                return self._set(event)
            case e.ClockRead(white=white, black=black):
                return replace(self, clock=(white, black))
            case _:
                return self

    def _at(self, tag: str, **changes: Any) -> Standing:
        """The next state; the same one where the event does not lead from here."""
        after = AFTER.get((self.phase, tag), self.phase)
        return replace(self, phase=self.back if after is None else after, **changes)

    def _begun(self, event: e.GameStarted) -> Standing:
        match = self.match.next_game() if self.phase is Phase.SCORED else self.match
        new = Standing(match, event.position, self.phase, event.turn, swapped=event.swapped, clock=self.clock)
        return replace(new, chouette=self.chouette)

    def _scored(self, event: e.Scored) -> Match:
        if event.how == "drop":
            return self.match.drop()
        told = self.resigned or self.won
        return self.match.won(event.winner, told.points if told else 1)

    def _set(self, event: e.SetByHand) -> Standing:
        tag = "set (turn unknown)" if event.turn is None else "set (dice known)" if event.dice else "set"
        thrown = frozenset(Player) if event.position != Position.start(event.position.variant) else frozenset()
        match = self.match.withdraw()
        changes = {"to_move": event.turn, "dice": event.dice, "source": "page", "thrown": thrown, "match": match}
        return self._at(tag, position=event.position, fault=None, resigned=None, won=None, **changes)


def standing_of(match: Match, start: Position, record: Iterable[e.Event], chouette: Chouette | None = None) -> Standing:
    """The standing after all of a record."""
    standing = Standing(match, start, chouette=chouette)
    for event in record:
        standing = standing.after(event)
    return standing

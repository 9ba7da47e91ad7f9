"""What a match file tells, as the events that the referee would have said: each play by the rules of the game, each
word on the cube by those of the match.

The readers of files call it action by action. It raises InputError for what cannot have happened, and they say in which
line.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import msgspec

from nardy_hw.errors import InputError, MatchError, NotationError
from nardy_hw.record.games import Ply
from nardy_hw.record.moves import as_told
from nardy_hw.record.store import MatchInfo
from nardy_hw.referee import events as e
from nardy_hw.referee.match import Agreement
from nardy_hw.referee.profile import profile_of
from nardy_hw.rules.match import Cube, Match
from nardy_hw.rules.notation import NO_PLAY, format_play, format_steps, parse_moves, parse_play
from nardy_hw.rules.outcome import outcome
from nardy_hw.rules.play import Play
from nardy_hw.rules.plays import legal_plays
from nardy_hw.rules.position import BAR, OFF, Placement, Player, Position, own_point

SOURCE = "file"
"""Of a roll that nobody here has seen."""

UNCAPPED: dict[str, Any] = {"name": "imported", "cube_cap": 0}
"""The profile of a match that was not played at this table: the cube goes as far as it went."""

_Event = TypeVar("_Event", bound=e.Event)


@dataclass(frozen=True, slots=True)
class Told:
    """A match as a file tells it: what a store needs to keep it."""

    info: MatchInfo
    events: tuple[e.AnyEvent, ...]


class Transcript:
    """One match. Times are not known: every event is at 0."""

    def __init__(self, info: MatchInfo) -> None:
        self.info = info if info.profile else msgspec.structs.replace(info, profile=UNCAPPED)
        profile = profile_of(dict(self.info.profile), "of the file")
        self._options = profile.rules
        self._match = Match.begin(Agreement(info.variant, info.length, profile).stakes)
        self._position = Position.start(info.variant)
        self.events: list[e.AnyEvent] = []
        self._begun = 0
        self._thrown: set[Player] = set()
        self._mover: Player | None = None
        self._passed: tuple[Player, tuple[int, int]] | None = None
        self._dropped = False

    @property
    def position(self) -> Position:
        """Where the checkers are now."""
        return self._position

    @property
    def match(self) -> Match:
        """How the match stands now."""
        return self._match

    @property
    def whole(self) -> Told:
        """All of it, so far."""
        return Told(self.info, tuple(self.events))

    def game(self, score: tuple[int, int] | None = None) -> None:
        """The next game begins. score: as the file says, where it does."""
        if self._match.winner is not None:
            raise InputError(f"a game after the match, which {self._match.winner} has won")
        if self.events:
            unfinished = self._match if self._match.over else self._match.withdraw().drawn()
            self._match = unfinished.next_game()
        if score is not None and score != self._match.score:
            self._match = self._from_score(score)
        self._position = Position.start(self.info.variant)
        self._begun = len(self.events)
        self._thrown.clear()
        self._mover = self._passed = None
        self._dropped = False
        m = self._match
        self._say(e.GameStarted, number=m.game, score=m.score, crawford=m.crawford, position=self._position)

    def start_from(self, position: Position) -> None:
        """The game that has just begun did not begin from the opening."""
        self._position = position
        self.events[self._begun] = msgspec.structs.replace(self.events[self._begun], position=position)

    def cube_at(self, value: int) -> None:
        """Automatic doubles in the game that has just begun."""
        self._infer_ties(value)
        if self._match.cube.value != value:
            raise InputError(f"the cube cannot begin at {value}")

    def play(self, player: Player, dice: tuple[int, int], text: str) -> None:
        """A throw and its play. One that breaks the rules but can be moved has stood. `no play`: none was made; where
        there was a legal one, that stood as well, unless the game ends here."""
        self._turn_of(player)
        first = player not in self._thrown
        legal = legal_plays(self._position, player, dice, first_turn=first, options=self._options)
        if text == NO_PLAY and legal:
            self._roll(player, dice)
            self._passed = player, dice
            return
        play = self._legal(player, dice, text, legal)
        if play is None:
            self.stood(player, dice, self._moved(player, text))
            return
        self._roll(player, dice)
        told = _text(self._position, Ply(player, dice, text, play.after), play)
        self._position = play.after
        self._say(e.PlayMade, player=player, dice=dice, text=told, position=play.after, confidence=1.0)

    def stood(self, player: Player, dice: tuple[int, int], position: Position) -> None:
        """A throw and an illegal play that stood."""
        self._turn_of(player)
        self._roll(player, dice)
        self._stands(player, dice, position)

    def gap(self, position: Position) -> None:
        """Turns that are not known: the game goes on from there."""
        self._settle()
        self._position, self._mover = position, None
        self._say(e.Started, position=position)

    def double(self, player: Player, value: int | None = None) -> None:
        """The cube is offered. value: as the file says. More than double means automatic doubles before the game."""
        self._settle()
        if self._mover is player:
            raise InputError(f"{player} doubles after his own throw")
        if self._match.crawford:
            self._without_crawford()
        self._infer_ties(value // 2 if value else self._match.cube.value)
        expected = self._match.cube.value * 2
        if value is not None and value != expected:
            raise InputError(f"the cube is at {expected // 2}: a double is to {expected}, not {value}")
        self._match = self._step(self._match.offer, player)
        self._say(e.Doubled, player=player, value=expected)

    def take(self, player: Player) -> None:
        self._answers(player)
        self._match = self._match.take()
        self._say(e.Taken, player=player, value=self._match.cube.value)

    def drop(self, player: Player) -> None:
        self._answers(player)
        self._dropped = True
        self._say(e.Dropped, player=player)

    def won(self, winner: Player, points: int) -> None:
        """The game's end, as the file says: borne off, dropped, or else resigned."""
        m = self._match
        if m.over:
            raise InputError("a result of a game that is over already")
        self._passed = None
        end = outcome(self._position, self._options)
        how = "drop" if self._dropped else "off" if end else "resign"
        if how == "drop":
            expected, rightful = m.cube.value, m.offered
        else:
            if m.offered is not None:
                raise InputError("a result, while the cube is offered: it is to be taken or dropped first")
            expected, rightful = m.cube.value * (end.points if end else 1), end.winner if end else winner
        if rightful is not winner:
            raise InputError(f"{rightful} has won this game, not {winner}")
        times = self._worth(points, expected, how)
        if how == "off":
            self._say(e.GameOver, winner=winner, points=times)
        elif how == "resign":
            self._say(e.Resigned, player=winner.other, points=times)
        score = (m.score[0] + points * (winner is Player.WHITE), m.score[1] + points * (winner is Player.BLACK))
        self._match = replace(self._match, score=score, over=True, offered=None, last_winner=winner)
        self._say(e.Scored, winner=winner, points=points, how=how, score=score)
        if (champion := self._match.winner) is not None:
            self._say(e.MatchOver, winner=champion, score=score)

    # -- parts

    def _say(self, kind: type[_Event], **fields: Any) -> None:
        self.events.append(kind(t=0.0, frame=0, **fields))  # type: ignore[arg-type]

    def _roll(self, player: Player, dice: tuple[int, int]) -> None:
        self._thrown.add(player)
        self._mover = player
        self._say(e.Roll, player=player, dice=dice, source=SOURCE)

    def _stands(self, player: Player, dice: tuple[int, int], position: Position) -> None:
        self._position = position
        self._say(e.Stands, player=player, dice=dice, position=position)

    def _settle(self) -> None:
        """A turn that was passed against the rules has stood, as the game went on."""
        if not self.events:
            raise InputError("a play before the first game")
        if self._match.over or self._dropped:
            raise InputError("the game goes on after its end")
        if self._passed is not None:
            player, dice = self._passed
            self._passed = None
            self._stands(player, dice, self._position)

    def _turn_of(self, player: Player) -> None:
        self._settle()
        if self._match.offered is not None:
            raise InputError(f"{player} throws while the cube is offered")
        if self._mover is player:
            raise InputError(f"two turns of {player} after one another")
        if outcome(self._position, self._options):
            raise InputError("a throw after all checkers were borne off")

    def _answers(self, player: Player) -> None:
        self._settle()
        if self._match.offered is not player.other:
            raise InputError(f"{player} answers a double that was not offered")

    def _step(self, step: Any, *given: object) -> Match:
        try:
            after: Match = step(*given)
        except MatchError as error:
            raise InputError(str(error)) from None
        return after

    def _legal(self, player: Player, dice: tuple[int, int], text: str, legal: tuple[Play, ...]) -> Play | None:
        """The moves as written, one by one; or joined, or in another order; or with stars elsewhere, as programs differ
        in which stop of a run they put the star of a hit."""
        if text == NO_PLAY:
            return Play((), self._position)
        with suppress(InputError):
            after = self._moved(player, text)
            if exact := next((play for play in legal if play.after == after), None):
                return exact
        first = player not in self._thrown
        for wording in (text, text.replace("*", "")):
            with suppress(NotationError):
                return parse_play(wording, self._position, player, dice, first_turn=first, options=self._options)
        return None

    def _moved(self, player: Player, text: str) -> Position:
        """The moves made one by one, whatever the dice. InputError where one cannot be: nothing there, or blocked."""
        try:
            moves = parse_moves(text)
        except NotationError as error:
            raise InputError(str(error)) from None
        variant = self.info.variant
        own, enemy = self._position.counts(player), self._position.counts(player.other)
        for move in moves:
            if not own[move.start]:
                raise InputError(f"{text!r} cannot be played: {player} has no checker on {move.start}")
            own[move.start] -= 1
            own[move.end] += 1
            if OFF < move.end < BAR:
                board = own_point(variant, player, move.end)
                there = own_point(variant, player.other, board)
                if enemy[there] > 1 or (enemy[there] and variant != "short"):
                    raise InputError(f"{text!r} cannot be played: {move.end} is held by {player.other}")
                enemy[BAR] += enemy[there]
                enemy[there] = 0
        sides = {player: own, player.other: enemy}
        placed = []
        for side in Player:
            off, *points, bar = sides[side]
            board_order = [points[own_point(variant, side, point) - 1] for point in range(1, 25)]
            placed.append((off, *board_order, bar))
        position = Placement(variant, *placed).position()
        if position is None:
            raise InputError(f"{text!r} cannot be played")
        return position

    def _tie(self) -> None:
        """An automatic double: which number came twice is not told."""
        self._match = replace(self._match, cube=Cube(self._match.cube.value * 2), automatic=self._match.automatic + 1)
        tie = e.OpeningTie(t=0.0, frame=0, dice=(0, 0), cube=self._match.cube.value)
        self.events.insert(self._begun + self._match.automatic, tie)

    def _infer_ties(self, value: int) -> None:
        """Of single games: the cube was turned by equal opening dice, of which `.mat` has no word."""
        m = self._match
        if m.stakes.length or m.cube.owner is not None or value.bit_count() != 1:
            return
        while self._match.cube.value < value:
            self._tie()

    def _worth(self, points: int, expected: int, how: str) -> int:
        """Points before the cube."""
        m = self._match
        if how == "drop" and points != expected:
            self._infer_ties(points)
        elif how == "off" and points > expected and not points % expected:
            self._infer_ties(m.cube.value * points // expected)
        elif how == "resign" and points % expected:
            self._infer_ties(points & -points)
        cube = self._match.cube.value
        if points % cube or points // cube not in (1, 2, 3) or (how == "drop" and points != cube):
            raise InputError(f"{points} points cannot be won with the cube at {cube}")
        return points // cube

    def _from_score(self, score: tuple[int, int]) -> Match:
        """The file's score is believed: it may begin in the middle of a match, or leave out games."""
        length = self._match.stakes.length
        if length and max(score) >= length:
            raise InputError(f"a game at {score[0]}-{score[1]} in a match to {length}")
        m = replace(self._match, score=score)
        crawford = m.stakes.crawford and m.stakes.cube and length > 1 and length - 1 in score
        crawford = crawford and (not m.crawford_done or self._match.crawford)
        return replace(m, crawford=crawford, crawford_done=m.crawford_done or crawford)

    def _without_crawford(self) -> None:
        """A double in what would be the Crawford game: the rule was not played."""
        self.info = msgspec.structs.replace(self.info, profile={**self.info.profile, "crawford": False})
        m = self._match
        self._match = replace(m, stakes=replace(m.stakes, crawford=False), crawford=False, crawford_done=False)
        self.events[self._begun] = msgspec.structs.replace(self.events[self._begun], crawford=False)


def _text(before: Position, ply: Ply, play: Play) -> str:
    """The file's own choice of stops and order, in our words; ours where it has left out a hit."""
    if steps := as_told(before, ply):
        return format_steps(steps)
    told = (ply.text or NO_PLAY).lower()
    if {m.end for m in parse_moves(told) if m.hit} != {m.end for m in play.moves if m.hit}:
        return format_play(play)
    return re.sub(r"\b25\b", "bar", re.sub(r"/0\b", "/off", told))

"""The referee of a whole match: set-up, games, cube, score, clock, corrections, the end. Sans-I/O: frames, throws,
commands and ticks in, events out; where the match stands is `Standing`, the fold of those events.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from nardy_hw.errors import MatchError, RefusedError
from nardy_hw.referee import commands as c
from nardy_hw.referee import events as e
from nardy_hw.referee.board_check import BoardCheck
from nardy_hw.referee.clock import Clock
from nardy_hw.referee.core import Referee, State
from nardy_hw.referee.profile import Profile
from nardy_hw.referee.seats import Seats
from nardy_hw.referee.standing import Standing, standing_of
from nardy_hw.referee.states import IN_GAME, MAY, Phase
from nardy_hw.referee.words import changed
from nardy_hw.rules.chouette import Chouette
from nardy_hw.rules.match import Match, Stakes
from nardy_hw.rules.notation import format_play
from nardy_hw.rules.outcome import outcome
from nardy_hw.rules.play import Play
from nardy_hw.rules.position import CHECKERS, Player, Position, Variant
from nardy_hw.vision.observation import Observation

_Event = TypeVar("_Event", bound=e.Event)


@dataclass(frozen=True, slots=True)
class Agreement:
    """What the players have agreed on before the first throw (C12).

    length: points, 0 = single games for points. chouette: three names or more, in the order of their opening dice: the
    box plays White, the team Black, game after game (C11).
    """

    variant: Variant
    length: int = 0
    profile: Profile = Profile()  # noqa: RUF009  frozen
    chouette: tuple[str, ...] = ()

    @property
    def stakes(self) -> Stakes:
        """The same as the rules of a match ask for it."""
        p = self.profile
        cube = p.cube == "both" or (p.cube == "short" and self.variant is Variant.SHORT)
        return Stakes(
            length=self.length,
            cube=cube,
            crawford=p.crawford,
            jacoby=p.jacoby,
            automatic_doubles=p.automatic_doubles,
            cube_cap=p.cube_cap,
        )


class MatchReferee:
    """One match. record: the events so far, of a match that goes on; the board is then compared with them.

    trusted_rolls: as of `Referee`. Frames and commands come in order of time, in seconds of one clock.
    """

    def __init__(
        self, agreed: Agreement, seats: Seats, record: Sequence[e.Event] = (), *, trusted_rolls: bool = False
    ) -> None:
        self.agreed = agreed
        self._seats = seats
        self._trusted_rolls = trusted_rolls
        self._start = Position.start(agreed.variant)
        team = Chouette.begin(agreed.chouette, jacoby=agreed.profile.jacoby) if agreed.chouette else None
        self._now = standing_of(Match.begin(agreed.stakes), self._start, record, team)
        self._t, self._frame = 0.0, 0
        self._clock = self._new_clock()
        self._swap = self._now.swapped
        self._asked_for_setup = self._now.phase is Phase.SETUP
        in_game = self._now.phase in IN_GAME
        self._check = self._new_check(self._now.position if in_game else self._start)
        self._resumed = in_game
        self._game = self._new_game()

    # -- how it stands

    @property
    def standing(self) -> Standing:
        return self._now

    @property
    def position(self) -> Position:
        """As `Referee.position`."""
        return self._game.position

    @property
    def plays(self) -> tuple[Play, ...]:
        """As `Referee.plays`."""
        return self._game.plays

    @property
    def confirmed(self) -> bool:
        """As `Referee.confirmed`."""
        return self._now.phase in IN_GAME and self._game.confirmed

    @property
    def state(self) -> State:
        """The one word for the table."""
        if self._now.phase is Phase.OVER:
            return State.OVER
        return self._game.state

    @property
    def swapped(self) -> bool:
        """Do the players sit, or are they to sit in the next game, on the other's side?"""
        return self._swap

    # -- what comes in

    def observe(self, seen: Observation) -> list[e.Event]:
        """What one more frame says."""
        events = self._at(seen.t, seen.frame)
        phase = self._now.phase
        if phase in (Phase.SETUP, Phase.SCORED):
            return events + self._set_up(seen)
        if phase not in IN_GAME:
            return events
        if self._resumed:
            events += self._compare(seen)
        self._game.waits = phase in (Phase.DOUBLED, Phase.RESIGNED)
        return events + self._say(self._game.observe(seen))

    def tick(self, t: float) -> list[e.Event]:
        """Time passes, and nothing else: the clock."""
        return self._at(t, self._frame)

    def finish(self, t: float, frame: int) -> list[e.Event]:
        """The source has ended."""
        events = self._at(t, frame)
        return events + self._say(self._game.finish(t, frame)) if self._now.phase in IN_GAME else events

    def perform(self, command: c.Command, t: float, frame: int = 0) -> list[e.Event]:
        """What follows from a command. Raises RefusedError, with the reason, where it cannot be followed now."""
        phase = self._now.phase
        if phase not in MAY[type(command)]:
            heard = ", ".join(MAY[type(command)])
            name = command.__struct_config__.tag
            raise RefusedError(f"'{name}' cannot be done now: the match is at '{phase}', and it is for {heard}")
        events = self._at(t, frame or self._frame)
        return events + self._obey(command)

    # -- commands

    def _obey(self, command: c.Command) -> list[e.Event]:
        now = self._now
        match command:
            case c.Throw(player=player, dice=dice, source=source):
                self._game.waits = now.phase in (Phase.DOUBLED, Phase.RESIGNED)
                return self._say(self._game.roll(self._t, self._frame, player, dice, source))
            case c.EndTurn(player=player):
                self._turn_of(player)
                return self._say(self._game.end_turn(self._t, self._frame))
            case c.Double(player=player):
                return self._double(player)
            case c.Vote(name=name, yes=yes):
                if now.chouette is None or name not in now.chouette.playing:
                    raise RefusedError(f"{name} is not of the team in this game")
                return self._say([self._event(e.Voted, name=name, yes=yes)])
            case c.Take(player=Player.BLACK) | c.Drop(player=Player.BLACK) if now.chouette is not None:
                raise RefusedError("each of the team answers the box for himself")
            case c.Take(player=player):
                self._turn_of(player.other)
                return self._say([self._event(e.Taken, player=player, value=now.match.take().cube.value)])
            case c.Drop(player=player):
                self._turn_of(player.other)
                return self._say([self._event(e.Dropped, player=player)])
            case c.Resign(player=player, points=points):
                return self._resign(player, points)
            case c.Accept(player=player):
                return self._say([self._scored("resign", self._offerer(player).other, now.match)])
            case c.Refuse(player=player):
                self._offerer(player)
                return self._say([self._event(e.ResignationRefused, player=player)])
            case c.Condone(player=player):
                self._may_condone(player)
                return self._say(self._game.let_stand(self._t, self._frame))
            case c.AskCheck(player=player):
                return self._say([self._event(e.Asked, player=player)])
            case c.LetStand():
                return self._overrule(command, "stands", self._game.let_stand(self._t, self._frame))
            case c.AcceptSetup():
                return self._overrule(command, "setup", [self._game_started()])
            case c.AcceptSeen():
                return self._overrule(command, "position", [self._seen_as_true()])
            case c.SetBoard():
                return self._overrule(command, "position", [self._set_board(command)])
            case c.CancelThrow():
                assert now.to_move is not None
                self._game.cancel_throw()
                return self._overrule(command, "throw", [self._event(e.ThrowCancelled, player=now.to_move)])
            case c.NextGame(swap=swap):
                self._swap = now.swapped is not swap
                self._asked_for_setup = True
                self._check = self._new_check(self._start)
                return []
            case _:
                return self._obey_clock(command)

    def _obey_clock(self, command: c.Command) -> list[e.Event]:
        if self._clock is None:
            raise RefusedError("there is no clock in this match: agree on one before the match")
        match command:
            case c.StopClock():
                self._clock.stop(self._t)
                return self._say([self._clock_read(self._clock)])
            case c.StartClock():
                if self._now.actor is None:
                    raise RefusedError("nobody is to act: the clock starts with the first turn")
                self._clock.start(self._now.actor, self._t)
                return self._say([self._clock_read(self._clock)])
            case c.AdjustClock(player=player, seconds=seconds):
                self._clock.adjust(player, seconds)
                return self._overrule(command, "clock", [self._clock_read(self._clock)])
        raise TypeError(f"no such command: {command!r}")

    def _double(self, player: Player) -> list[e.Event]:
        """Before his throw only (C6); like a throw it ends the other's turn and his time for corrections (A25)."""
        now = self._now
        code = now.match.may_double(player)
        if now.to_move is player:
            if now.phase is not Phase.THROW:
                code = "cube_not_allowed"
        elif now.phase is Phase.THROW or not self._game.turn_is_over:
            code = "cube_not_allowed"
        if code is not None:
            rule = "C8" if now.match.crawford else "C6"
            return self._say([self._event(e.NoDouble, player=player, code=code, rule=rule)])
        if now.phase is Phase.FAULT and self._never_stands():
            raise RefusedError("the illegal play must be put right first")
        if now.chouette is not None and player is Player.BLACK:
            try:
                now.chouette.team_offers(dict(now.votes))
            except MatchError as error:
                raise RefusedError(str(error)) from None
        events = []
        if now.to_move is not player:
            events = self._say(self._game.end_by_offer(self._t, self._frame))
            if self._now.phase not in (Phase.THROW, Phase.MOVE, Phase.FAULT):
                return events
        value = self._now.match.cube.value * 2
        return events + self._say([self._event(e.Doubled, player=player, value=value)])

    def _resign(self, player: Player, points: int) -> list[e.Event]:
        if not self.agreed.profile.resignations:
            raise RefusedError("there are no resignations in this match (A30): play on")
        most = self._most_points()
        if points > most:
            raise RefusedError(
                f"a game of {self.agreed.variant} nardy is lost by {most} points at most, before the cube"
            )
        return self._say([self._event(e.Resigned, player=player, points=points)])

    def _most_points(self) -> int:
        rules = self.agreed.profile.rules
        if self.agreed.variant is Variant.LONG:
            return 3 if rules.home_mars else 2
        return rules.backgammon_value

    def _offerer(self, answering: Player) -> Player:
        """Who has offered the resignation that this player may answer."""
        assert self._now.resigned is not None
        if self._now.resigned.player is answering:
            raise RefusedError(f"{answering.title()} has offered: {answering.other.title()} answers")
        return self._now.resigned.player

    def _may_condone(self, player: Player) -> None:
        if self._now.to_move is player:
            raise RefusedError(f"the play is {player.title()}'s own: {player.other.title()} may let it stand")
        if self.agreed.profile.illegal != "condonable" or self._never_stands():
            raise RefusedError("the illegal play must be put right: it cannot be let stand (A25)")

    def _never_stands(self) -> bool:
        fault = self._now.fault
        return fault is not None and fault.code in self.agreed.profile.never_condoned

    def _turn_of(self, player: Player) -> None:
        if self._now.to_move is not player:
            whose = self._now.to_move
            raise RefusedError(f"it is {whose.title()}'s turn" if whose else "nobody's turn has begun")

    def _overrule(self, command: c.ByPerson, what: str, events: Iterable[e.Event]) -> list[e.Event]:
        said = self._event(e.Overruled, by=command.by, what=what, reason=command.reason)
        return self._say([said, *events])

    def _seen_as_true(self) -> e.Event:
        """What the camera sees; the open turn, if anything was moved in it, is over."""
        now, seen = self._now, self._game.seen_position
        if seen is None:
            raise RefusedError("the camera sees no position: put the board right, or set position and turn by hand")
        if now.dice is not None and now.to_move is not None and seen != now.position:
            return self._event(e.SetByHand, position=seen, turn=now.to_move.other, dice=None)
        return self._event(e.SetByHand, position=seen, turn=now.to_move, dice=now.dice)

    def _set_board(self, command: c.SetBoard) -> e.Event:
        if command.position.variant is not self.agreed.variant:
            raise RefusedError(f"the match is of {self.agreed.variant} nardy, the position is of the other game")
        if command.dice is not None and command.turn is None:
            raise RefusedError("dice need a turn: say whose they are")
        return self._event(e.SetByHand, position=command.position, turn=command.turn, dice=command.dice)

    # -- what the board says

    def _set_up(self, seen: Observation) -> list[e.Event]:
        """Before a game: begins it once the board stands ready; says what is wrong where that was asked for (A35)."""
        if not self._check.observe(seen):
            return []
        if self._check.fits:
            return self._say([self._game_started()])
        if not self._asked_for_setup or not self._check.wrong:
            return []
        return self._say([self._event(e.SetupWrong, points=self._check.wrong)])

    def _compare(self, seen: Observation) -> list[e.Event]:
        """After an interruption: does the board still show what was recorded?"""
        if self._now.dice is not None or self._now.position != self._game.position:
            self._resumed = False  # a play is being made
            return []
        if not self._check.observe(seen):
            return []
        self._resumed = not self._check.fits
        if self._check.fits or not self._check.wrong:
            return []
        return self._say([self._event(e.Unsure, why=changed([*self._check.wrong]))])

    def _game_started(self) -> e.GameStarted:
        now, winner = self._now, self._now.match.last_winner
        match = now.match.next_game() if now.phase is Phase.SCORED else now.match
        turn = winner if self.agreed.profile.first_throw == "winner" else None
        return self._event(
            e.GameStarted,
            number=match.game,
            score=match.score,
            crawford=match.crawford,
            position=self._start,
            turn=turn,
            swapped=self._swap,
        )

    # -- what is said

    def _at(self, t: float, frame: int) -> list[e.Event]:
        self._t, self._frame = max(t, self._t), frame
        events = self._settle()
        if self._clock is None:
            return events
        return events + [self._event(e.FlagFell, player=player) for player in self._clock.tick(self._t)]

    def _event(self, kind: type[_Event], **fields: Any) -> _Event:
        return kind(t=self._t, frame=self._frame, **fields)

    def _say(self, events: Iterable[e.Event]) -> list[e.Event]:
        """The events with all that follows from them; the standing is theirs from now on."""
        said: list[e.Event] = []
        for event in events:
            if isinstance(event, e.GameOver) and self._now.phase not in (Phase.THROW, Phase.MOVE):
                continue  # followed from the position already
            said += self._take(event)
            said += self._settle()
        return said

    def _settle(self) -> list[e.Event]:
        """What follows from the standing alone: the end of a game, its score, the end of the match."""
        said: list[e.Event] = []
        while (event := self._due()) is not None:
            said += self._take(event)
        return said

    def _take(self, event: e.Event) -> list[e.Event]:
        """One event, and what is said with it."""
        if isinstance(event, e.OpeningTie):
            event = self._event(e.OpeningTie, dice=event.dice, cube=self._now.match.tie().cube.value)
        actor = self._now.actor
        self._now = self._now.after(event)
        said = [event]
        match event:
            case e.Roll(player=player, dice=dice) if len(self._game.plays) == 1:
                only = format_play(self._game.plays[0])
                said.append(self._event(e.Announced, player=player, dice=dice, text=only))
            case e.GameStarted() | e.SetByHand():
                self._resumed = self._asked_for_setup = False
                self._game = self._new_game()
            case e.Scored() | e.Drawn():
                if (team := self._now.chouette) is not None:
                    said.append(self._event(e.LinedUp, line=team.line, score=dict(team.score)))
                self._asked_for_setup, self._swap = False, self._now.swapped
                self._check = self._new_check(self._start)
        return said + self._change_clock(actor)

    def _due(self) -> e.Event | None:
        now = self._now
        if now.phase is Phase.DOUBLED and now.chouette is not None and now.chouette.offered == "box":
            if len(now.votes) < len(now.chouette.playing):
                return None
            if not any(yes for _, yes in now.votes):
                return self._event(e.Dropped, player=Player.BLACK)
            return self._event(e.Taken, player=Player.BLACK, value=now.match.take().cube.value)
        if now.phase is Phase.ENDED:
            if now.won is not None:
                return self._scored("off", now.won.winner, now.match)
            assert now.to_move is not None
            return self._scored("drop", now.to_move, now.match)
        if now.phase is Phase.SCORED and now.match.winner is not None:
            return self._event(e.MatchOver, winner=now.match.winner, score=now.match.score)
        if now.phase is Phase.THROW and CHECKERS in now.position.off and not self.agreed.profile.equal_turns:
            end = outcome(now.position, self.agreed.profile.rules)
            assert end is not None
            return self._event(e.GameOver, winner=end.winner, points=end.points)
        return None

    def _scored(self, how: str, winner: Player, match: Match) -> e.Scored:
        now = self._now
        if how == "drop":
            after = match.drop()
        else:
            told = now.resigned or now.won
            after = match.won(winner, told.points if told else 1)
        points = after.score[winner.side] - match.score[winner.side]
        return self._event(e.Scored, winner=winner, points=points, how=how, score=after.score)

    # -- parts

    def _new_game(self) -> Referee:
        now = self._now
        seats = replace(self._seats, white_half=self._seats.half(Player.BLACK)) if now.swapped else self._seats
        game = Referee(
            now.position,
            turn=now.to_move,
            seats=seats,
            profile=self.agreed.profile,
            trusted_rolls=self._trusted_rolls,
            thrown=now.thrown,
            opener=now.opener,
        )
        if now.dice is not None and now.to_move is not None:
            game.resume(now.to_move, now.dice, lay=now.source == "camera", fault=now.fault is not None)
        return game

    def _new_check(self, position: Position) -> BoardCheck:
        return BoardCheck(position, self._seats.white_is_light)

    def _new_clock(self) -> Clock | None:
        p = self.agreed.profile
        if not p.clock:
            return None
        clock = Clock(p.reserve_s_per_point * max(self.agreed.length, 1), p.delay_s)
        if self._now.clock is not None:
            clock.restore(self._now.clock)
        return clock

    def _change_clock(self, before: Player | None) -> list[e.Event]:
        """It runs for whoever is to act; what is left is recorded whenever that changes."""
        actor = self._now.actor
        if self._clock is None or actor is before:
            return []
        if actor is None:
            self._clock.rest(self._t)
        else:
            self._clock.start(actor, self._t)
        read = self._clock_read(self._clock)
        self._now = self._now.after(read)
        return [read]

    def _clock_read(self, clock: Clock) -> e.ClockRead:
        white, black = (clock.remaining(player, self._t) for player in Player)
        return self._event(e.ClockRead, white=round(white, 1), black=round(black, 1))

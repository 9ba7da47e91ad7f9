"""The referee: follows a game through what is seen and thrown. Sans-I/O: observations in, events out.

A turn: the player to move throws, the dice lie still (`roll`); he plays, and may change his play while they lie (R3);
he lifts them, or the other player throws: the turn is judged. Legal: `play`. Illegal: `violation`, then the correction
is followed until it is legal (`play`) or the next throw comes (`stands`, R5). Neither certain: `unsure`, and it keeps
looking.
"""

from __future__ import annotations

import math
from dataclasses import replace
from enum import StrEnum

from nardy_hw.referee.belief import Evidence, evidence, likeliest
from nardy_hw.referee.events import (
    Event,
    Found,
    GameOver,
    Lost,
    NoRoll,
    PlayMade,
    Roll,
    Stands,
    Started,
    Unsure,
    ViolationSeen,
    WarningGiven,
)
from nardy_hw.referee.judge import Judgement, Turn, hopeless, judge
from nardy_hw.referee.margins import DRIFT, ONE_DIE_SECONDS, READS, SCENE_SECONDS, UNCHANGED_SECONDS
from nardy_hw.referee.seats import Seats
from nardy_hw.referee.throws import DiceWatch, Place, Throw, any_throw, known
from nardy_hw.rules import Player, Position, RuleOptions, explain, outcome
from nardy_hw.rules.explain import Violation, explain_landing
from nardy_hw.rules.notation import format_play
from nardy_hw.vision.observation import Observation


class Mode(StrEnum):
    """How much is said at the table (design: modes)."""

    SILENT = "silent"
    MONITOR = "monitor"
    CLUB = "club"
    TRAINING = "training"


class State(StrEnum):
    """The one word for the table."""

    WAITING = "waiting"
    HAND = "hand"
    READING = "reading"
    ILLEGAL = "illegal"
    UNSURE = "unsure"
    LOST = "lost"
    OVER = "over"


class Referee:
    """One game. `position` is the last confirmed one; `to_move` None until the opening throw is won (S4, L3)."""

    def __init__(
        self,
        start: Position,
        *,
        turn: Player | None = None,
        seats: Seats,
        options: RuleOptions = RuleOptions(),  # noqa: B008  frozen
        mode: Mode = Mode.CLUB,
        trusted_rolls: bool = False,
    ) -> None:
        self.position = start
        self.to_move = turn
        self._seats = seats
        self._options = options
        self._warns = mode in (Mode.CLUB, Mode.TRAINING)
        self._camera_rolls = not trusted_rolls
        self._opening = start == Position.start(start.variant)
        self._has_thrown: set[Player] = set()
        self._turn: Turn | None = None
        self._roll: tuple[int, int] = (0, 0)
        self._fault: Violation | None = None
        self._wrong: Position | None = None
        self._places: tuple[Place, ...] = ()
        self._watch = DiceWatch()
        self._reads: list[Observation] = []
        self._settled: list[Observation] = []
        self._gone_since: float | None = None
        self._refused: tuple[Place, ...] = ()
        self._warned: Position | None = None
        self._said_unsure = False
        self._drifted = False
        self._unfound = 0
        self._lost = False
        self._hand = False
        self._started = False
        self._over = False

    @property
    def state(self) -> State:
        if self._over:
            return State.OVER
        if self._lost:
            return State.LOST
        if self._fault is not None:
            return State.ILLEGAL
        if self._said_unsure:
            return State.UNSURE
        if self._hand:
            return State.HAND
        return State.WAITING if self._turn is None else State.READING

    def observe(self, seen: Observation) -> list[Event]:
        """What one more frame says."""
        events: list[Event] = self._begin(seen.t, seen.frame)
        if self._over:
            return events
        events += self._field(seen)
        self._hand = seen.hand or not seen.still
        if self._lost or not seen.field_found or not seen.still:
            if not seen.still:
                self._reads = []
                self._watch.moved()
            return events
        if seen.hand:
            self._reads = []
            return events
        self._reads = [*self._reads[-5:], seen]
        if len(self._reads) >= READS:
            self._settled = self._reads
        self._watch.see(seen.dice)
        events += self._next_throw(seen)
        if self._turn is not None and not self._over:
            events += self._follow(seen)
        return events

    def roll(self, t: float, frame: int, player: Player, dice: tuple[int, int], source: str) -> list[Event]:
        """A throw known without the camera: electronic dice, or typed. It ends the other player's turn."""
        events = self._begin(t, frame)
        if self._over:
            return events
        if self._turn is not None:
            if player is self._turn.player:
                return events  # he has thrown already; a turn has one throw
            events += self._end_by_throw(t, frame)
        if self._over:
            return events
        if self.to_move is not None and player is not self.to_move:
            events += self._missed(t, frame)
        self.to_move = player
        return events + self._thrown(t, frame, player, dice, known(dice), source)

    def finish(self, t: float, frame: int) -> list[Event]:
        """The source has ended: judges the turn that was open."""
        events = self._begin(t, frame)
        if self._turn is None or not self._reads or self._over:
            return events
        found = judge(self._turn, self._evidence())
        if found.word == "legal" and self._ended(found):
            return events + self._made(t, frame, found)
        if found.word == "illegal" and self._fault is None and self._gone_since is not None:
            return events + self._illegal(t, frame, found)
        return events

    def _ended(self, found: Judgement) -> bool:
        """A turn with something to play is not over while nothing was moved."""
        return found.play.after != self.position or not found.play.moves

    # -- the parts of a turn

    def _evidence(self) -> Evidence:
        """What stands on the board: this scene once it has stood long enough, before that the last one that did."""
        reads = self._reads if len(self._reads) >= READS or not self._settled else self._settled
        return evidence(reads, self._seats.white_is_light)

    def _begin(self, t: float, frame: int) -> list[Event]:
        if self._started:
            return []
        self._started = True
        return [Started(t=t, frame=frame, position=self.position)]

    def _field(self, seen: Observation) -> list[Event]:
        """`lost` after some reads without the board, `found` as soon as it is seen again."""
        if not seen.still:
            return []
        self._unfound = 0 if seen.field_found else self._unfound + 1
        if self._unfound >= READS and not self._lost:
            self._lost = True
            self._reads = []
            return [Lost(t=seen.t, frame=seen.frame, why="the board is not where it was calibrated")]
        if seen.field_found and self._lost:
            self._lost = False
            return [Found(t=seen.t, frame=seen.frame)]
        return []

    def _next_throw(self, seen: Observation) -> list[Event]:
        """Looks for a valid throw of whoever may throw now."""
        if not self._camera_rolls:
            return []
        if self.to_move is None:
            return self._opening_throw(seen)
        thrower = self.to_move if self._turn is None else self.to_move.other
        half = self._seats.half(thrower)
        thrown = self._watch.settled(half)
        if thrown is None:
            other = self._watch.settled(self._seats.half(thrower.other)) if self._turn is None else None
            if other is not None and all(d.state == "flat" for d in other.dice) and other.places != self._refused:
                # the next player's dice although this one's throw was never read
                if self._moved_since():
                    self._refused = ()
                    events = self._missed(seen.t, seen.frame)
                    self.to_move = thrower.other
                    return events + self._accept(seen, thrower.other)
                return self._refuse(seen, thrower, "dice_off_side", "R1", other.places)
            return []
        bad = next((d.state for d in thrown.dice if d.state != "flat"), None)
        if bad is not None:
            return self._refuse(seen, thrower, f"dice_{bad}", "R2", thrown.places)
        if self._turn is not None:
            events = self._end_by_throw(seen.t, seen.frame)
            return events if self._over else events + self._accept(seen, thrower)
        return self._accept(seen, thrower)

    def _refuse(self, seen: Observation, player: Player, code: str, rule: str, places: tuple[Place, ...]) -> list[Event]:
        """Says once for each throw that it does not count."""
        if len(places) == len(self._refused) and all(
            math.dist(a, b) < 12 for a, b in zip(places, self._refused, strict=True)
        ):
            return []
        self._refused = places
        return [NoRoll(t=seen.t, frame=seen.frame, player=player, code=code, rule=rule)]

    def _opening_throw(self, seen: Observation) -> list[Event]:
        """One die on each half: the higher begins and plays both; a tie is thrown again (S4, L3)."""
        thrown = self._watch.settled()
        if thrown is None or {d.half for d in thrown.dice} != {"left", "right"}:
            return []
        if any(d.state != "flat" for d in thrown.dice):
            return self._refuse(seen, Player.WHITE, f"dice_{max(d.state for d in thrown.dice)}", "R2", thrown.places)
        high, low = sorted(thrown.dice, key=lambda d: -d.value)
        if high.value == low.value:
            return []
        self.to_move = self._seats.thrower(high.half)
        self._places = thrown.places
        return self._thrown(seen.t, seen.frame, self.to_move, (high.value, low.value), thrown.throws, "camera")

    def _accept(self, seen: Observation, player: Player) -> list[Event]:
        thrown = self._watch.settled(self._seats.half(player))
        if thrown is None:
            return []
        self._places = thrown.places
        dice = thrown.best
        return self._thrown(seen.t, seen.frame, player, dice, thrown.throws, "camera")

    def _thrown(
        self, t: float, frame: int, player: Player, dice: tuple[int, int], throws: dict[Throw, float], source: str
    ) -> list[Event]:
        events = self._check_thread(t, frame)
        first = self._opening and player not in self._has_thrown
        self._has_thrown.add(player)
        self._turn = Turn(self.position, player, throws, first, self._options)
        self._roll = dice
        self._fault = self._wrong = self._warned = None
        self._gone_since = None
        self._said_unsure = False
        self._refused = ()
        return [*events, Roll(t=t, frame=frame, player=player, dice=dice, source=source)]

    def _check_thread(self, t: float, frame: int) -> list[Event]:
        """Before a turn begins: does the board still show the confirmed position? If not, nobody is accused of it."""
        if not self._settled:
            return []
        seen = self._evidence()
        guess = likeliest(seen, self.position.variant, self.position)
        if guess.mixed is not None or guess.penalised - seen.score(self.position) < DRIFT:
            return []
        places = ", ".join(str(i + 1) for i in range(24) if guess.position.points[i] != self.position.points[i])
        self.position = guess.position
        return [Unsure(t=t, frame=frame, why=f"the position has changed without a throw that was seen: points {places}")]

    def _moved_since(self) -> bool:
        """Does the board clearly show another position than the confirmed one?"""
        if len(self._reads) < READS:
            return False
        seen = self._evidence()
        guess = likeliest(seen, self.position.variant, self.position)
        return guess.penalised - seen.score(self.position) > DRIFT

    def _missed(self, t: float, frame: int) -> list[Event]:
        """The player to move has played, but his throw was never read: the likeliest throw and play."""
        if self.to_move is None or not self._settled:
            return []
        player = self.to_move
        first = self._opening and player not in self._has_thrown
        self._has_thrown.add(player)
        turn = Turn(self.position, player, any_throw(), first, self._options)
        found = judge(turn, self._evidence())
        events: list[Event] = [Unsure(t=t, frame=frame, why=f"{player}'s throw was not seen")]
        if found.word == "legal" and found.play.moves:
            self._turn = turn
            self._roll = found.throw
            events += self._made(t, frame, found)
        return events

    def _follow(self, seen: Observation) -> list[Event]:
        """The open turn: are the dice gone, and what lies there now?"""
        assert self._turn is not None
        here = [d for d in self._watch.fresh(seen.dice) if d.half == self._seats.half(self._turn.player)]
        if self._fault is None:
            if len(here) >= 2:
                self._gone_since = None
            elif self._gone_since is None:
                self._gone_since = self._reads[0].t if len(self._reads) > 1 else seen.t
        if len(self._reads) < READS or seen.t - self._reads[0].t < SCENE_SECONDS:
            return []
        gone = self._fault is not None or (
            self._gone_since is not None
            and seen.t - self._gone_since >= (ONE_DIE_SECONDS if here else SCENE_SECONDS)
        )
        if not gone:
            return self._warn(seen) if self._warns else []
        found = judge(self._turn, self._evidence())
        if found.word == "legal":
            return self._made(seen.t, seen.frame, found)
        if self._fault is not None:
            if found.word == "illegal" and found.guess.mixed is None:
                self._wrong = found.guess.position
            return []
        unchanged = found.guess.mixed is None and found.guess.position == self.position
        patient = self._gone_since is not None and seen.t - self._gone_since < UNCHANGED_SECONDS
        if unchanged and patient:
            return []
        if found.word == "illegal" and not self._hidden(found):
            return self._illegal(seen.t, seen.frame, found)
        return self._doubt(seen.t, seen.frame, found)

    def _hidden(self, found: Judgement) -> bool:
        """Is a place that matters covered?"""
        seen = self._evidence()
        differ = [
            i for i in range(24) if len({p.points[i] for p in (found.guess.position, found.play.after, self.position)}) > 1
        ]
        return any(seen.hidden[i] for i in differ)

    def _warn(self, seen: Observation) -> list[Event]:
        assert self._turn is not None
        what = self._evidence()
        found = judge(self._turn, what)
        if found.word != "illegal" or self._warned == found.guess.position or self._hidden(found):
            return []
        if not hopeless(self._turn, what):
            return []
        self._warned = found.guess.position
        fault = self._name(found)
        return [WarningGiven(t=seen.t, frame=seen.frame, **self._fault_fields(found, fault))]

    def _end_by_throw(self, t: float, frame: int) -> list[Event]:
        """The other player has thrown: the turn is over, whatever was made of it (R3-R5)."""
        assert self._turn is not None
        player = self._turn.player
        if self._fault is None:
            events: list[Event] = []
            found = judge(self._turn, self._evidence())
            if found.word == "illegal" and not self._hidden(found):
                events = self._illegal(t, frame, found)
            else:
                if found.word == "unsure":
                    events = self._doubt(t, frame, found)
                return events + self._made(t, frame, found)
        else:
            events = []
            found = judge(self._turn, self._evidence())
            if found.word == "legal":
                return self._made(t, frame, found)
            if found.word == "illegal" and found.guess.mixed is None:
                self._wrong = found.guess.position
        stood = self._wrong or self.position
        events.append(Stands(t=t, frame=frame, player=player, dice=self._roll, position=stood))
        return events + self._close(stood, t, frame)

    def _close(self, position: Position, t: float = 0.0, frame: int = 0) -> list[Event]:
        """The turn is over with this position: the other player throws next."""
        assert self._turn is not None
        self.to_move = self._turn.player.other
        self.position = position
        self._turn = None
        self._fault = self._wrong = None
        self._said_unsure = False
        self._watch.spend(self._places)
        self._places = ()
        end = outcome(position, self._options)
        if end is None:
            return []
        self._over = True
        return [GameOver(t=t, frame=frame, winner=end.winner, points=end.points)]

    def _made(self, t: float, frame: int, found: Judgement) -> list[Event]:
        assert self._turn is not None
        dice = self._roll if {found.throw} == {(max(self._roll), min(self._roll))} else found.throw
        event = PlayMade(
            t=t,
            frame=frame,
            player=self._turn.player,
            dice=dice,
            text=format_play(found.play),
            position=found.play.after,
            confidence=round(found.confidence, 4),
        )
        return [event, *self._close(found.play.after, t, frame)]

    def _illegal(self, t: float, frame: int, found: Judgement) -> list[Event]:
        assert self._turn is not None
        self._fault = self._name(found)
        self._wrong = found.guess.position if found.guess.mixed is None else None
        self._said_unsure = False
        # the throw has been held against him: only its own plays put it right
        self._turn = replace(self._turn, throws=known(self._roll))
        return [ViolationSeen(t=t, frame=frame, **self._fault_fields(found, self._fault))]

    def _name(self, found: Judgement) -> Violation:
        """The first broken rule."""
        assert self._turn is not None
        turn = self._turn
        if found.guess.mixed is not None:
            return explain_landing(turn.before, turn.player, found.guess.mixed)
        after = found.guess.position
        verdict = explain(turn.before, turn.player, self._roll, after, first_turn=turn.first, options=turn.options)
        return verdict.violations[0]

    def _fault_fields(self, found: Judgement, fault: Violation) -> dict[str, object]:
        assert self._turn is not None
        return {
            "player": self._turn.player,
            "dice": self._roll,
            "code": fault.code,
            "rule": fault.rule,
            "text": fault.message,
            "repair": fault.repair,
            "position": found.guess.position,
        }

    def _doubt(self, t: float, frame: int, found: Judgement) -> list[Event]:
        if self._said_unsure:
            return []
        self._said_unsure = True
        seen, legal = found.guess.position, found.play.after
        differ = [i + 1 for i in range(24) if seen.points[i] != legal.points[i]]
        where = f"points {', '.join(map(str, differ))}" if differ else "the bar and the trays"
        return [Unsure(t=t, frame=frame, why=f"{format_play(found.play)} or not? look at {where}")]

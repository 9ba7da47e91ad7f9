"""The turns of a game: the open one, the one before while it is not decided, and what is said of them."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from nardy_hw.referee.belief import Evidence, best_guess, placement, places_apart
from nardy_hw.referee.contact import contact
from nardy_hw.referee.events import (
    DiceDiffer,
    Drawn,
    Event,
    GameOver,
    PlayMade,
    Roll,
    Stands,
    Started,
    Unsure,
    ViolationSeen,
    WarningGiven,
)
from nardy_hw.referee.judge import Judgement, Origin, Turn, hopeless, judge, origins_after
from nardy_hw.referee.lying import Lying
from nardy_hw.referee.margins import (
    DIFFER_SURE,
    DRIFT,
    DRIFT_SECONDS,
    KEPT_READS,
    ONE_LIFTED_SECONDS,
    REPLACE,
    REROLL,
    ROLL_SURE,
    UNCHANGED_SECONDS,
    UNSURE_SECONDS,
)
from nardy_hw.referee.profile import Profile
from nardy_hw.referee.scene import Scene
from nardy_hw.referee.throws import Die, Throw, Throws, best, either, joined, probability, throws_of
from nardy_hw.referee.words import changed, doubt, fault
from nardy_hw.rules.notation import format_play
from nardy_hw.rules.outcome import outcome
from nardy_hw.rules.play import Play
from nardy_hw.rules.position import BAR, CHECKERS, Placement, Player, Position, Variant

EVEN = math.log(0.5)


class Turns:
    """Follows turns. The caller sets `t` and `frame` before each call, tells of throws, and brings settled scenes.

    turn: the open one. unsure: that was said, and is not settled yet. at_fault: a violation was called and is not put
    right, fault_code the last one's. confirmed: the board shows `position` under a throw, and nobody has moved yet.
    has_thrown: who has had a turn (L6, A8). pressed: the mover has said that he has finished. resumed: the turn was
    open before all was interrupted, and its dice may be gone by now.
    """

    def __init__(
        self,
        start: Position,
        to_move: Player | None,
        lying: Lying,
        profile: Profile,
        thrown: Collection[Player] = (),
        opener: Player | None = None,
    ) -> None:
        self.t = 0.0
        self.frame = 0
        self.to_move = to_move
        self.turn: Turn | None = None
        self.unsure = self.at_fault = self.confirmed = self.over = self.pressed = self.resumed = False
        self.fault_code = ""
        self.has_thrown = set(thrown)
        self._opener = opener
        self._lying = lying
        self._profile, self._options = profile, profile.rules
        self._warns = profile.mode in ("club", "training")
        self._told = self._differed = False  # are the dice known without the camera? did it differ?
        self._opening = bool(thrown) or start == Position.start(start.variant)
        self._origins: tuple[Origin, ...] = (Origin(start),)
        self._said = start  # the last position that an event carried as true
        self._roll: Throw = (0, 0)
        self._last: Scene | None = None  # the last settled scene that is over
        self._gone_since: float | None = None
        self._wrong: Position | None = None  # what stands there after a violation
        self._called: Origin | None = None  # the same, of the turn before
        self._legal: Judgement | None = None  # of the last settled scene of the open turn, where it was that
        self._warned: set[Placement] = set()
        self._closed: Turn | None = None  # the turn before, until somebody moves again
        self._closed_roll: Throw | None = None  # its dice; None where nobody saw them
        self._checked = True  # that the board showed what it should as the open turn began
        self._suspect: Placement | None = None  # what it seems to have been, while it is not decided

    @property
    def position(self) -> Position:
        return self._origins[0].position

    @property
    def pending(self) -> bool:
        """May the scene that lies there still decide the turn before?"""
        return self._suspect is not None and self._closed is not None

    def last_seen(self, scene: Scene | None) -> Evidence | None:
        """This scene where it is settled, before that the last one that was."""
        if scene is None or not scene.settled:
            scene = self._last
        return None if scene is None else scene.evidence()

    def leave(self, scene: Scene | None, hand: bool) -> None:
        """Something moves: the scene is over. With a turn open, what moves is no longer the turn before."""
        self.confirmed = False
        if scene is not None and scene.settled:
            self._last = scene
        if self.turn is None:
            return
        if scene is not None and scene.settled:
            seen = scene.evidence()
            found = judge(self.turn, seen)
            self._legal = found if found.word == "legal" else None
        if scene is not None:
            self._lying.leave(scene, self.turn.player)
        if scene is not None or hand:
            self._closed = None
            self._checked = True

    # -- the open turn

    def new_turn(self, player: Player, throws: Throws) -> Turn:
        return Turn(player, self._origins, throws, self._opening and player not in self.has_thrown, self._options)

    def begin(
        self, player: Player, throws: Throws, roll: Throw, dice: list[Die], scene: Scene | None, *, told: bool
    ) -> list[Event]:
        """A valid throw; a second one of a player replaces his first. scene: the one in which it lies.

        told: it is known without the camera.
        """
        if self.turn is not None:
            self.has_thrown.discard(player)
        self.to_move, self.turn = player, self.new_turn(player, throws)
        self._roll, self._lying.of_turn, self._checked = roll, dice, False
        self.has_thrown.add(player)
        self._opener = self._opener or player
        self._told, self._differed, self.pressed, self.resumed = told, False, False, False
        self._gone_since = self._wrong = self._legal = None
        self._warned = set()
        self.at_fault = False
        if self._suspect is None:
            self._closed = None
        return [] if scene is None or not scene.settled else self._check(self.turn, scene.evidence())

    def _check(self, turn: Turn, seen: Evidence) -> list[Event]:
        """Before anybody moves: does the board show the position that it should? Nobody is accused of what does not."""
        self._checked = True
        before = turn.before
        if len(turn.origins) > 1:
            return []
        found = judge(turn, seen)
        if found.clear and found.made.play.moves:
            return []  # he has moved already
        other = self._drift(seen)
        if other is None:
            turn.doubted = seen.misread(before)
            self.confirmed = True
            return []
        turn.origins = self._origins = (Origin(before, EVEN), Origin(other, EVEN))
        return self._wonder(changed(places_apart(placement(other), placement(before))))

    def _drift(self, seen: Evidence) -> Position | None:
        """Another position that the board clearly shows. A checker less in one place alone is misread, not gone."""
        guess, before = best_guess(seen, self.position), self.position
        apart = places_apart(guess.shown, placement(before))
        other = guess.position
        if other is None or guess.total - seen.score(before) < DRIFT or (other.off != before.off and len(apart) < 3):
            return None
        return None if any(seen.hidden[place - 1] for place in apart if place < BAR) else other

    def follow(self, scene: Scene) -> list[Event]:
        """The open turn in a settled scene: are the dice gone, and what lies there now?"""
        assert self.turn is not None
        turn, seen = self.turn, scene.evidence()
        events = [] if self._checked else self._check(turn, seen)
        events += self._follow_dice(turn, scene, seen)
        gone = self._gone(scene, turn.player)
        one = self._profile.turn_end == "any" and self._lying.one_lifted(scene, turn.player)
        if not (self.at_fault or self.pressed or gone or one):
            self._gone_since = None
            return events + (self._warn(turn, scene, seen) if self._warns else [])
        if self._gone_since is None:
            self._gone_since = scene.began
        found = judge(turn, seen, scene.each())
        if found.word == "legal":
            return events + self.close(turn, self._roll, found, seen)
        if self.at_fault:
            if found.word == "illegal":
                self._wrong = found.guess.position
            return events
        if not (self.pressed or gone) and self.t - self._gone_since < ONE_LIFTED_SECONDS:
            return events
        idle = found.guess.position == turn.before
        # what was a legal play before the dice went is not called illegal after; a board as it was is no play yet
        played = self._legal is not None and bool(self._legal.made.play.moves)
        if found.word == "illegal" and not idle and not played:
            return events + self._accuse(turn, self._roll, found)
        since, patience = (self._gone_since, UNCHANGED_SECONDS) if idle else (scene.began, UNSURE_SECONDS)
        return events + (self._wonder(doubt(turn, found)) if self.t - since >= patience else [])

    def _gone(self, scene: Scene, player: Player) -> bool:
        """Are the dice lifted, where that ends a turn (A24)?"""
        if self._profile.turn_end == "clock":
            return False
        return self._lying.gone(scene, player) or (self.resumed and not self._lying.mine(scene, player))

    def _follow_dice(self, turn: Turn, scene: Scene, seen: Evidence) -> list[Event]:
        """More reads of the throw; and dice that were moved aside, or thrown again."""
        before, mine = self._lying.of_turn, self._lying.mine(scene, turn.player)
        if self._told:
            self._lying.of_turn = mine or before
            return self._compare(turn, mine, scene)
        if len(mine) != 2 or not all(die.flat for die in mine):
            return []
        if not before:
            self._lying.of_turn = mine
            return []
        dice = before if any(die in before for die in mine) else joined(before, mine)
        throws = throws_of(dice)
        if dice is mine:  # they lie elsewhere
            again = probability(throws) >= ROLL_SURE and best_guess(seen, turn.before).position == turn.before
            if best(throws) != best(turn.throws) and not again:
                throws = either(throws, turn.throws)
        turn.throws = throws
        if throws[max(self._roll), min(self._roll)] > -REROLL:
            return []
        self._roll = best(throws)  # it was another throw than was said
        return [Roll(t=self.t, frame=self.frame, player=turn.player, dice=self._roll)]

    def _compare(self, turn: Turn, mine: list[Die], scene: Scene) -> list[Event]:
        """Of a throw that was told: does the camera plainly see another one? Said once a turn."""
        if self._differed or scene.reads < KEPT_READS or len(mine) != 2 or not all(die.flat for die in mine):
            return []
        throws = throws_of(mine)
        if probability(throws) < DIFFER_SURE or best(throws) in turn.throws:
            return []
        self._differed = True
        return [DiceDiffer(t=self.t, frame=self.frame, player=turn.player, told=self._roll, seen=best(throws))]

    def _warn(self, turn: Turn, scene: Scene, seen: Evidence) -> list[Event]:
        """While the dice lie: once for each position that cannot become legal."""
        found = judge(turn, seen, scene.each())
        if found.word != "illegal" or found.guess.shown in self._warned or not hopeless(turn, seen, found.guess):
            return []
        self._warned.add(found.guess.shown)
        return [WarningGiven(t=self.t, frame=self.frame, **fault(turn, self._roll, found))]

    def may_be_cut_short(self) -> bool:
        """May the other player throw before the dice are lifted (R4)?"""
        assert self.turn is not None
        turn = self.turn
        forced = all(len(turn.plays(turn.before, throw)[0]) == 1 for throw, _ in turn.possible())
        return forced or not contact(turn.before)

    @property
    def ended(self) -> bool:
        """Has the mover finished, as far as those at the table can tell? True between turns."""
        return self.turn is None or self.pressed or self.at_fault or self._gone_since is not None

    def plays(self) -> tuple[Play, ...]:
        """As `Referee.plays`."""
        if self.turn is None or len(self.turn.origins) > 1:
            return ()
        return self.turn.plays(self.turn.before, (max(self._roll), min(self._roll)))[0]

    def seen_position(self, scene: Scene | None) -> Position | None:
        """As `Referee.seen_position`."""
        seen = self.last_seen(scene)
        return None if seen is None else best_guess(seen, self.position).position

    def cancel(self) -> None:
        """The open throw does not count."""
        if self.turn is None:
            return
        player = self.turn.player
        self.has_thrown.discard(player)
        self._lying.use(player)
        self.turn, self.to_move, self.at_fault, self.unsure = None, player, False, False

    # -- the end of a turn

    def end_by_throw(self, scene: Scene) -> list[Event]:
        """The other player's dice lie: the turn is over, whatever was made of it (R3-R5)."""
        assert self.turn is not None
        turn, seen = self.turn, scene.evidence()
        found = judge(turn, seen, scene.each())
        if found.word == "unsure" and self._last is not None:
            both = judge(turn, seen + self._last.evidence())
            found = both if both.word == "legal" else found
        if found.word != "legal" and self._legal is not None:
            found = self._legal  # nobody has had the time to change it since
        if found.word != "illegal":
            return self.close(turn, self._roll, found, seen)
        events = [] if self.at_fault else self._accuse(turn, self._roll, found)
        self._hand_on(turn, None)
        return events + self._stands(turn.player, self._roll, found.guess.position or turn.before)

    def let_stand(self, scene: Scene | None) -> list[Event]:
        """What was called stands at once."""
        assert self.turn is not None
        turn, position = self.turn, self._wrong or self.seen_position(scene)
        self._hand_on(turn, None)
        return self._stands(turn.player, self._roll, position or turn.before)

    def end_unseen(self, scene: Scene | None) -> list[Event]:
        """The same for a throw that the camera need not see: the board may have changed since it was last seen well."""
        assert self.turn is not None
        if scene is not None and scene.settled:
            return self.end_by_throw(scene)
        turn, seen = self.turn, self.last_seen(scene)
        found = None if seen is None else judge(turn, seen)
        if found is not None and seen is not None and found.word == "legal":
            return self.close(turn, self._roll, found, seen)
        self._leave_open(turn, self._roll, found, seen)
        return []

    def close(self, turn: Turn, roll: Throw | None, found: Judgement, seen: Evidence) -> list[Event]:
        """A turn is over, and no fault is found: says the play, or that it is not decided. roll: None if unseen."""
        if found.word == "legal":
            self._hand_on(turn, roll)
            return self._say_play(turn, roll, found)
        if found.clear:
            self._hand_on(turn, roll)
            return self._wonder(doubt(turn, found)) + self._say_play(turn, None, found)
        events = self._settle(turn.player.other, found.made.origin)
        turn.origins = (Origin(found.made.origin.position),)
        self._leave_open(turn, roll, found, seen)
        return events + self._wonder(doubt(turn, found))

    def _leave_open(self, turn: Turn, roll: Throw | None, found: Judgement | None, seen: Evidence | None) -> None:
        """The turn is over and not decided: the scenes until somebody moves may tell, or the next turn."""
        self._called = Origin(self._wrong, 0.0, None, roll) if self.at_fault and self._wrong is not None else None
        self._hand_on(turn, roll)
        self._suspect = placement(turn.before)
        if found is not None and seen is not None:
            self._suspect = found.guess.shown
            self._origins = origins_after(found, seen, self._called)

    def _hand_on(self, turn: Turn, roll: Throw | None) -> None:
        self._lying.use(turn.player)
        self.to_move, self.turn = turn.player.other, None
        self._closed, self._closed_roll = turn, roll
        self.at_fault = False

    def reconsider(self, scene: Scene) -> list[Event]:
        """The turn before, while nobody has moved since: is it decided now, or was it changed after all?"""
        if self._closed is None or (self._closed_roll is None and self._suspect is None):
            return []
        turn, seen = self._closed, scene.evidence()
        found = judge(turn, seen, scene.each())
        if self._suspect is None:
            return self._changed_mind(turn, scene, seen, found)
        if found.word == "legal":
            return self._say_play(turn, self._closed_roll, found)
        suspect, self._suspect = self._suspect, found.guess.shown
        roll = self._closed_roll
        if found.word == "illegal" and roll is not None and self._suspect == suspect:
            events = [] if self._called is not None else self._accuse(turn, roll, found)
            return events + self._stands(turn.player, roll, found.guess.position or turn.before)
        self._believe(origins_after(found, seen, self._called))
        return self._wonder(doubt(turn, found))

    def _changed_mind(self, turn: Turn, scene: Scene, seen: Evidence, found: Judgement) -> list[Event]:
        """After a play, before the next throw."""
        if self.turn is not None:
            return []
        after = found.made.play.after
        if found.word == "legal" and after != self.position:
            better = seen.score(after) - seen.score(self.position)
            return self._say_play(turn, self._closed_roll, found) if better >= REPLACE else []
        other = self._drift(seen) if self.t - scene.began >= DRIFT_SECONDS else None
        return [] if other is None else self._wonder(changed(places_apart(placement(other), placement(self.position))))

    def finish(self, scene: Scene | None) -> list[Event]:
        """Nothing more will be seen: the open turn where it is clear, and the likeliest of the one before."""
        for last in (scene, self._last):
            if self.turn is not None and last is not None:
                found = judge(self.turn, last.evidence())
                if found.word == "legal":
                    return self.close(self.turn, self._roll, found, last.evidence())
        if self._suspect is None or self.to_move is None:
            return []
        return self._settle(self.to_move.other, self._origins[0])

    # -- what is said

    def _say_play(self, turn: Turn, roll: Throw | None, found: Judgement) -> list[Event]:
        made = found.made
        events = self._settle(turn.player.other, made.origin) if len(turn.origins) > 1 or made.origin.play else []
        if roll is None or (max(roll), min(roll)) != made.throw:
            if roll is not None and self.turn is None:
                events.append(Roll(t=self.t, frame=self.frame, player=turn.player, dice=made.throw))
            roll = made.throw
        self._closed_roll = roll
        turn.origins = (Origin(made.origin.position),)
        played = Origin(made.play.after, math.log(found.confidence), made.play, roll)
        return self._settle(turn.player, played, events) + self._true(made.play.after)

    def _settle(self, player: Player, origin: Origin, events: Sequence[Event] = ()) -> list[Event]:
        """What led to this position, where that has not been said."""
        if origin.position == self._said and (origin.play is None or origin.play.moves):
            return [*events]
        self._said = origin.position
        if origin.throw is None:
            return [*events, Started(t=self.t, frame=self.frame, position=origin.position)]
        if origin.play is None:
            said = Stands(t=self.t, frame=self.frame, player=player, dice=origin.throw, position=origin.position)
            return [*events, said]
        made = PlayMade(
            t=self.t,
            frame=self.frame,
            player=player,
            dice=origin.throw,
            text=format_play(origin.play),
            position=origin.position,
            confidence=round(math.exp(origin.weight), 4),
        )
        return [*events, made]

    def _accuse(self, turn: Turn, roll: Throw, found: Judgement) -> list[Event]:
        self.at_fault, self._wrong = True, found.guess.position
        fields = fault(turn, roll, found)
        self.fault_code = fields["code"]
        return [ViolationSeen(t=self.t, frame=self.frame, **fields)]

    def _stands(self, player: Player, roll: Throw, position: Position) -> list[Event]:
        self.at_fault, self._wrong = False, None
        said = Stands(t=self.t, frame=self.frame, player=player, dice=roll, position=position)
        return [said, *self._true(position)]

    def _wonder(self, why: str) -> list[Event]:
        if self.unsure:
            return []
        self.unsure = True
        return [Unsure(t=self.t, frame=self.frame, why=why)]

    def _true(self, position: Position) -> list[Event]:
        """The position is settled."""
        self.unsure, self._suspect, self._said = False, None, position
        self._believe((Origin(position),))
        end = outcome(position, self._options)
        if end is None:
            return []
        if self._profile.equal_turns and position.variant is Variant.LONG:  # A10
            if end.winner is self._opener and self.to_move is not self._opener:
                return []  # the other has as many turns
            if position.off == (CHECKERS, CHECKERS):
                self.over = True
                return [Drawn(t=self.t, frame=self.frame)]
        self.over = True
        return [GameOver(t=self.t, frame=self.frame, winner=end.winner, points=end.points)]

    def _believe(self, origins: tuple[Origin, ...]) -> None:
        self._origins = origins
        if self.turn is not None:
            self.turn.origins = origins

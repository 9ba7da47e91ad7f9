"""The referee: follows a game through what is seen and thrown. Sans-I/O: observations and throws in, events out.

A turn: the player to move throws, the dice lie still (`roll`); he plays, and may change his play while they lie (R3);
he lifts them, or the other player throws: the turn is judged. Legal: `play`. Illegal: `violation`, then the correction
is followed until it is legal (`play`) or the next throw comes (`stands`, R5). Neither certain: `unsure`, and it keeps
looking, if need be through the next player's turn.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from enum import StrEnum

from nardy_hw.errors import DiceError
from nardy_hw.referee.belief import Evidence
from nardy_hw.referee.events import Event, Found, Lost, NoRoll, OpeningTie, Roll, Started, Unsure
from nardy_hw.referee.judge import judge
from nardy_hw.referee.lying import Lying
from nardy_hw.referee.margins import ACCEPT, KEPT_READS, READS, ROLL_SURE, UNCHANGED_SECONDS
from nardy_hw.referee.profile import Profile
from nardy_hw.referee.scene import Scene
from nardy_hw.referee.seats import Seats
from nardy_hw.referee.throws import Die, Throws, any_throw, best, glimpsed, joined, known, probability, throws_of
from nardy_hw.referee.turns import Turns
from nardy_hw.rules.play import Play
from nardy_hw.rules.position import Player, Position
from nardy_hw.vision.observation import Observation

__all__ = ["Referee", "Seats", "State"]


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
    """One game, from `start` on. turn: who throws first; None: the opening throw tells (S4, L3).

    profile: the manners of the table. trusted_rolls: throws come through `roll` alone; the camera's dice only tell when
    a turn is over. thrown: who has had a turn before `start` (L6, A8). opener: who has begun (A10).
    Frames come in order; times are seconds in the source's own time.
    """

    def __init__(
        self,
        start: Position,
        *,
        turn: Player | None = None,
        seats: Seats,
        profile: Profile = Profile(),  # noqa: B008  frozen
        trusted_rolls: bool = False,
        thrown: Collection[Player] = (),
        opener: Player | None = None,
    ) -> None:
        self.waits = False
        """Is something to be answered before anybody may throw (a cube, a resignation)?"""
        self._seats, self._profile = seats, profile
        self._reads_dice = not trusted_rolls
        self._lying = Lying(seats)
        self._turns = Turns(start, turn, self._lying, profile, thrown, opener)
        self._scene: Scene | None = None
        self._glimpse: list[Die] = []
        self._refused: list[Die] = []
        self._wondered = False
        self._held: list[Event] = []
        self._unfound = 0
        self._lost = self._hand = self._started = False

    @property
    def position(self) -> Position:
        """The last confirmed one; the likeliest where a turn is not decided yet."""
        return self._turns.position

    @property
    def to_move(self) -> Player | None:
        """Who throws or plays; None until the opening throw is won."""
        return self._turns.to_move

    @property
    def confirmed(self) -> bool:
        """Does the board show `position`, as far as a valid throw can confirm it, with nothing moved since?

        The one time at which the eyes may learn from it. True from the throw's scene until that scene ends.
        """
        return self._turns.confirmed

    @property
    def state(self) -> State:
        if self._turns.over:
            return State.OVER
        if self._lost:
            return State.LOST
        if self._turns.at_fault:
            return State.ILLEGAL
        if self._turns.unsure:
            return State.UNSURE
        if self._hand:
            return State.HAND
        return State.WAITING if self._turns.turn is None else State.READING

    @property
    def plays(self) -> tuple[Play, ...]:
        """Every legal play of the open throw, an empty one where nothing can be moved; () where none is known."""
        return self._turns.plays()

    @property
    def turn_is_over(self) -> bool:
        """Has the open turn ended for those at the table, though it is not decided? True between turns."""
        return self._turns.ended

    @property
    def seen_position(self) -> Position | None:
        """What the board most likely shows now; None where nothing was seen of it, or what is seen is no position."""
        return self._turns.seen_position(self._scene)

    def observe(self, seen: Observation) -> list[Event]:
        """What one more frame says."""
        events = self._at(seen.t, seen.frame)
        if self._turns.over:
            return events
        events += self._field(seen)
        self._hand = seen.hand or not seen.still
        if self._hand or self._lost or not seen.field_found:
            self._leave_scene(seen.hand and seen.still)
            return events + self._release()
        if self._scene is None:
            self._scene = Scene(self._seats.white_is_light)
        if self._profile.dice_on_checkers == "valid":
            seen = replace(
                seen, dice=tuple(replace(d, state="flat") if d.state == "on_checker" else d for d in seen.dice)
            )
        self._scene.add(seen)
        if self._scene.due():
            events += self._look(self._scene)
        return events

    def roll(self, t: float, frame: int, player: Player, dice: tuple[int, int], source: str) -> list[Event]:
        """A throw known without the camera: electronic dice, or typed. It ends the other player's turn.

        A second throw of one player replaces his first. Raises DiceError for dice that are not two of 1..6.
        """
        if len(dice) != 2 or not all(type(die) is int and 1 <= die <= 6 for die in dice):
            raise DiceError(f"dice are two numbers of 1 to 6, not {dice!r}")
        events = self._at(t, frame) + self._release(always=True)
        if self._turns.over:
            return events
        turns = self._turns
        if self.waits or (turns.to_move is not player and self._must_be_put_right()):
            return [*events, self._no_roll(player, "dice_too_early", "C6" if self.waits else "A25")]
        if turns.to_move is None and dice[0] == dice[1]:
            return [*events, OpeningTie(t=t, frame=frame, dice=dice, cube=1)]
        if turns.turn is not None and player is not turns.turn.player:
            events += turns.end_unseen(self._scene)
        elif turns.turn is None and turns.to_move not in (None, player):
            said = self._missed(player, turns.last_seen(self._scene))
            if not said or isinstance(said[0], NoRoll):
                return [*events, self._no_roll(player, "wrong_player", "S5")]
            events += said
        if turns.over:
            return events
        return events + self._thrown(player, known(dice), dice, source, [])

    def resume(self, player: Player, dice: tuple[int, int], *, lay: bool, fault: bool) -> None:
        """Takes up a turn that was open when all was interrupted. lay: its dice lay on the board. fault: was called."""
        self._turns.begin(player, known(dice), dice, [], None, told=not lay)
        self._turns.at_fault, self._turns.resumed = fault, lay

    def end_turn(self, t: float, frame: int) -> list[Event]:
        """The player to move says that he has finished (R3, A24): judged as soon as the board stands still."""
        events = self._at(t, frame)
        if self._turns.turn is None or self._turns.over:
            return events
        self._turns.pressed = True
        if self._scene is not None and self._scene.settled:
            events += self._turns.follow(self._scene)
        return events

    def end_by_offer(self, t: float, frame: int) -> list[Event]:
        """The other player offers the cube: as his throw, it ends the turn and the time for corrections (A25)."""
        events = self._at(t, frame) + self._release(always=True)
        return events + (self._turns.end_unseen(self._scene) if self._turns.turn is not None else [])

    def let_stand(self, t: float, frame: int) -> list[Event]:
        """The illegal play that was called stands by decision."""
        return self._at(t, frame) + self._turns.let_stand(self._scene)

    def cancel_throw(self) -> None:
        """The open throw does not count, and its dice are not read again where they lie."""
        self._turns.cancel()

    def finish(self, t: float, frame: int) -> list[Event]:
        """The source has ended: says of the open turn what can be said."""
        events = self._at(t, frame) + self._release(always=True)
        return events if self._turns.over else events + self._turns.finish(self._scene)

    def _release(self, always: bool = False) -> list[Event]:
        """A throw that was kept back, as the turn before it may yet be decided."""
        if self._turns.pending and not always:
            return []
        held, self._held = self._held, []
        return held

    def _at(self, t: float, frame: int) -> list[Event]:
        self._turns.t, self._turns.frame = self._t, self._frame = t, frame
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
            return [Lost(t=seen.t, frame=seen.frame, why=seen.reason or "the board is not to be seen")]
        if seen.field_found and self._lost:
            self._lost = False
            return [Found(t=seen.t, frame=seen.frame)]
        return []

    def _leave_scene(self, hand: bool) -> None:
        """Something moves: the scene is over."""
        scene, self._scene = self._scene, None
        if scene is not None and self._turns.turn is None and self.to_move is not None:
            mine = self._on(self._lying.fresh(scene), self.to_move)
            if len(mine) == 2:
                self._glimpse = joined(self._glimpse, mine)
        self._turns.leave(scene, hand)

    def _look(self, scene: Scene) -> list[Event]:
        """A settled scene."""
        events = self._turns.reconsider(scene) + self._release()
        if self._turns.over:
            return events
        if self._turns.turn is None:
            return events + (self._await_throw(scene) if self._reads_dice else [])
        player = self._turns.turn.player
        theirs = self._lying.theirs(scene, player)
        if self._reads_dice and len(theirs) == 2 and all(die.flat for die in theirs) and not self.waits:
            lie = bool(self._lying.mine(scene, player)) and not self._turns.pressed
            if lie and self._profile.premature == "stands":  # they wait there until he has finished (A23)
                return events + self._turns.follow(scene)
            if lie and not self._turns.may_be_cut_short():
                return events + self._refuse(player.other, "dice_too_early", "R4", theirs)
            if self._must_be_put_right():
                return events + self._turns.follow(scene) or self._refuse(player.other, "dice_too_early", "A25", theirs)
            events += self._turns.end_by_throw(scene)
            return events if self._turns.over else events + self._read(player.other, theirs, scene)
        return events + self._turns.follow(scene)

    def _must_be_put_right(self) -> bool:
        """Is a fault open that no throw lets stand?"""
        return self._turns.at_fault and self._turns.fault_code in self._profile.never_condoned

    def _on(self, dice: list[Die], player: Player) -> list[Die]:
        """Those on the half where the player throws (R1)."""
        if self._profile.throw_half == "any" and self.to_move is not None:
            return dice if player is self.to_move else []
        return [die for die in dice if die.half == self._seats.half(player)]

    def _await_throw(self, scene: Scene) -> list[Event]:
        """Looks for a valid throw of whoever may throw now."""
        dice = self._lying.fresh(scene)
        player = self.to_move
        if self.waits:
            flat = len(dice) == 2 and all(die.flat for die in dice)
            return (
                self._refuse(player or self._seats.thrower(dice[0].half), "dice_too_early", "C6", dice) if flat else []
            )
        if self._half_thrown(dice):
            return self._refuse(player or self._seats.thrower(dice[0].half), "dice_count", "A28", dice)
        if player is None:
            return self._opening_throw(dice, scene)
        mine, theirs = self._on(dice, player), self._on(dice, player.other)
        if len(mine) == 2:
            mine = joined(self._glimpse, mine)
            if all(die.flat for die in mine) or self._played(player, mine, scene):
                return self._read(player, mine, scene)
            return self._invalid(player, mine)
        if len(theirs) == 2 and not mine:
            if not all(die.flat for die in theirs):
                return []
            events = self._missed(player.other, scene.evidence())
            if self._turns.over or self.to_move is player:
                return events
            return events + self._read(player.other, theirs, scene)
        if len(mine) == len(theirs) == 1:
            return self._invalid(player, dice) or (
                self._refuse(player, "dice_off_side", "R2", dice) if all(die.flat for die in dice) else []
            )
        if len(mine) > 2 and scene.reads >= KEPT_READS and all(die.flat for die in mine):
            return self._refuse(player, "dice_count", "R2", mine)
        if len(mine) == 1 and not theirs and self._t - scene.began >= UNCHANGED_SECONDS and not self._wondered:
            self._wondered = True
            return [Unsure(t=self._t, frame=self._frame, why=f"one die alone is seen: {player.title()} throws two")]
        return []

    def _half_thrown(self, dice: list[Die]) -> bool:
        """Was only one die of a refused throw thrown again, where both should be (A28)?"""
        if self._profile.invalid_die == "one" or len(dice) != 2 or len(self._refused) != 2:
            return False
        stayed = [die for die in dice if die.at([old.centre for old in self._refused])]
        return len(stayed) == 1

    def _opening_throw(self, dice: list[Die], scene: Scene) -> list[Event]:
        """One die on each half: the higher begins and plays both; a tie is thrown again (S4, L3)."""
        if len(dice) != 2:
            return []
        if dice[0].half == dice[1].half:  # thrown for elsewhere: whoever throws both begins
            player = self._seats.thrower(dice[0].half)
            return self._invalid(player, dice) or self._read(player, dice, scene)
        high, low = sorted(dice, key=lambda die: -int(die.values().argmax()))
        player = self._seats.thrower(high.half)
        refused = self._invalid(player, dice)
        if refused:
            return refused
        value = int(high.values().argmax()) + 1
        if value == int(low.values().argmax()) + 1:
            tie = OpeningTie(t=self._t, frame=self._frame, dice=(value, value), cube=1)
            return [tie] if self._new_refusal(dice) else []
        return self._read(player, dice, scene)

    def _invalid(self, player: Player, dice: list[Die]) -> list[Event]:
        """A die that is cocked or rests on a checker (R2)."""
        word = next((word for die in dice if (word := die.invalid)), None)
        return [] if word is None else self._refuse(player, f"dice_{word}", "R2", dice)

    def _refuse(self, player: Player, code: str, rule: str, dice: list[Die]) -> list[Event]:
        """Says once for each throw that it does not count."""
        return [self._no_roll(player, code, rule)] if self._new_refusal(dice) else []

    def _no_roll(self, player: Player, code: str, rule: str) -> Event:
        return NoRoll(t=self._t, frame=self._frame, player=player, code=code, rule=rule)

    def _new_refusal(self, dice: list[Die]) -> bool:
        """Remembers a throw that does not count. False when it is the one that was refused last."""
        places = [die.centre for die in self._refused]
        if self._refused and all(die.at(places) for die in dice):
            return False
        self._refused = dice
        return True

    def _read(self, player: Player, dice: list[Die], scene: Scene) -> list[Event]:
        """Two dice that count, once it is clear enough what they show."""
        throws = throws_of(dice)
        if probability(throws) < ROLL_SURE and scene.reads < KEPT_READS:
            return []
        return self._thrown(player, throws, best(throws), "camera", dice)

    def _played(self, player: Player, dice: list[Die], scene: Scene) -> bool:
        """Does the board show a legal play of dice that did not seem flat? Then at the table they were."""
        found = judge(self._turns.new_turn(player, throws_of(dice)), scene.evidence())
        return found.word == "legal" and bool(found.made.play.moves)

    def _thrown(
        self, player: Player, throws: Throws, dice: tuple[int, int], source: str, seen: list[Die]
    ) -> list[Event]:
        self._glimpse, self._refused, self._wondered = [], [], False
        events = self._turns.begin(player, throws, dice, seen, self._scene, told=source != "camera")
        self._held.append(Roll(t=self._t, frame=self._frame, player=player, dice=dice, source=source))
        return events + self._release()

    def _missed(self, thrower: Player, seen: Evidence | None) -> list[Event]:
        """`thrower` has thrown though the other is to move: his throw was missed. The likeliest throw and play."""
        player, turns = thrower.other, self._turns
        if seen is None:
            return []
        throws = glimpsed(throws_of(self._glimpse)) if self._glimpse else any_throw()
        turn = turns.new_turn(player, throws)
        found = judge(turn, seen)
        unchanged = found.guess.position == turn.before and found.lead >= ACCEPT
        if unchanged and (found.word != "legal" or found.made.play.moves):
            if self._wondered:
                return []
            self._wondered = True
            return [self._no_roll(thrower, "wrong_player", "S5")]
        sure = bool(self._glimpse) and found.word == "legal"
        said: Event = (
            Roll(t=self._t, frame=self._frame, player=player, dice=found.made.throw)
            if sure
            else Unsure(t=self._t, frame=self._frame, why=f"{player.title()}'s throw was not seen")
        )
        self._glimpse = []
        turns.has_thrown.add(player)
        return [said, *turns.close(turn, found.made.throw if sure else None, found, seen)]

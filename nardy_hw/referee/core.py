"""The referee: follows a game through what is seen and thrown. Sans-I/O: observations and throws in, events out.

A turn: the player to move throws, the dice lie still (`roll`); he plays, and may change his play while they lie (R3);
he lifts them, or the other player throws: the turn is judged. Legal: `play`. Illegal: `violation`, then the correction
is followed until it is legal (`play`) or the next throw comes (`stands`, R5). Neither certain: `unsure`, and it keeps
looking, if need be through the next player's turn.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from nardy_hw.errors import DiceError
from nardy_hw.referee.belief import Evidence
from nardy_hw.referee.events import Event, Found, Lost, NoRoll, Roll, Started, Unsure
from nardy_hw.referee.judge import judge
from nardy_hw.referee.lying import Lying
from nardy_hw.referee.margins import ACCEPT, KEPT_READS, READS, ROLL_SURE
from nardy_hw.referee.scene import Scene
from nardy_hw.referee.seats import Seats
from nardy_hw.referee.throws import Die, Throws, any_throw, best, glimpsed, joined, known, probability, throws_of
from nardy_hw.referee.turns import Turns
from nardy_hw.rules.options import DEFAULT, RuleOptions
from nardy_hw.rules.position import Player, Position
from nardy_hw.vision.observation import Observation

__all__ = ["Mode", "Referee", "Seats", "State"]

Mode = Literal["silent", "monitor", "club", "training"]
"""How much is said at the table (design, section 6: warnings in club and training mode alone)."""


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

    trusted_rolls: throws come through `roll` alone; the camera's dice only tell when a turn is over.
    Frames come in order; times are seconds in the source's own time.
    """

    def __init__(
        self,
        start: Position,
        *,
        turn: Player | None = None,
        seats: Seats,
        options: RuleOptions = DEFAULT,
        mode: Mode = "club",
        trusted_rolls: bool = False,
    ) -> None:
        self._seats = seats
        self._reads_dice = not trusted_rolls
        self._lying = Lying(seats)
        warns = mode in ("club", "training")
        self._turns = Turns(start, turn, self._lying, options, warns=warns, reads_dice=not trusted_rolls)
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
        if turns.turn is not None and player is not turns.turn.player:
            events += turns.end_unseen(self._scene)
        elif turns.turn is None and turns.to_move not in (None, player):
            events += self._missed(player, turns.last_seen(self._scene))
        if turns.over:
            return events
        return events + self._thrown(player, known(dice), dice, source, [])

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
        if self._reads_dice and len(theirs) == 2 and all(die.flat for die in theirs):
            if self._lying.mine(scene, player) and not self._turns.may_be_cut_short():
                return events + self._refuse(player.other, "dice_too_early", "R4", theirs)
            events += self._turns.end_by_throw(scene)
            return events if self._turns.over else events + self._read(player.other, theirs, scene)
        return events + self._turns.follow(scene)

    def _on(self, dice: list[Die], player: Player) -> list[Die]:
        """Those on the half where the player throws (R1)."""
        return [die for die in dice if die.half == self._seats.half(player)]

    def _await_throw(self, scene: Scene) -> list[Event]:
        """Looks for a valid throw of whoever may throw now."""
        dice = self._lying.fresh(scene)
        player = self.to_move
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
        return []

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
        if refused or int(high.values().argmax()) == int(low.values().argmax()):
            return refused
        return self._read(player, dice, scene)

    def _invalid(self, player: Player, dice: list[Die]) -> list[Event]:
        """A die that is cocked or rests on a checker (R2)."""
        word = next((word for die in dice if (word := die.invalid)), None)
        return [] if word is None else self._refuse(player, f"dice_{word}", "R2", dice)

    def _refuse(self, player: Player, code: str, rule: str, dice: list[Die]) -> list[Event]:
        """Says once for each throw that it does not count."""
        places = [die.centre for die in self._refused]
        if self._refused and all(die.at(places) for die in dice):
            return []
        self._refused = dice
        return [NoRoll(t=self._t, frame=self._frame, player=player, code=code, rule=rule)]

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
        events = self._turns.begin(player, throws, dice, seen, self._scene)
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
            return [
                Unsure(
                    t=self._t, frame=self._frame, why=f"{thrower.title()} has thrown, but {player.title()} is to throw"
                )
            ]
        sure = bool(self._glimpse) and found.word == "legal"
        said: Event = (
            Roll(t=self._t, frame=self._frame, player=player, dice=found.made.throw)
            if sure
            else Unsure(t=self._t, frame=self._frame, why=f"{player.title()}'s throw was not seen")
        )
        self._glimpse = []
        turns.has_thrown.add(player)
        return [said, *turns.close(turn, found.made.throw if sure else None, found, seen)]

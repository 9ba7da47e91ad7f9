"""Score, cube and Crawford: what a match is played for, game by game (C1-C10, L9, A11, A16-A20, A30)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from nardy_hw.errors import InputError, MatchError
from nardy_hw.rules.position import Player

LONGEST = 99
"""Points of the longest match: nobody plays more, and a slip of the finger should show."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What was agreed on (C12).

    length: points of the match, 0 = single games for points (money). cube: is it used? crawford: C8. jacoby: gammons
    count once the cube was turned; for money alone (C10, A20). automatic_doubles: the most in one game, for money alone
    (C10, A19). cube_cap: the highest value, 0 = none (A17).
    Raises InputError for numbers that make no sense.
    """

    length: int = 0
    cube: bool = True
    crawford: bool = True
    jacoby: bool = False
    automatic_doubles: int = 0
    cube_cap: int = 64

    def __post_init__(self) -> None:
        if not 0 <= self.length <= LONGEST:
            raise InputError(f"a match is to 1 to {LONGEST} points, or 0 for single games, not {self.length}")
        if self.automatic_doubles < 0:
            raise InputError(f"automatic doubles are 0 or more a game, not {self.automatic_doubles}")
        if self.cube_cap and (self.cube_cap < 2 or self.cube_cap.bit_count() != 1):
            raise InputError(f"the cube's highest value is 2, 4, 8 ... or 0 for none, not {self.cube_cap}")

    @property
    def even(self) -> bool:
        """An even length is unusual: worth a warning, no more (C9, A21)."""
        return self.length > 0 and self.length % 2 == 0


@dataclass(frozen=True, slots=True)
class Cube:
    """value: what the game is played for; 1 shows as 64. owner: who may double; None: it is centred (C5, C6)."""

    value: int = 1
    owner: Player | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A match at one moment; each step gives the next one.

    score: White's, Black's. game: the number of this game, from 1. crawford: is this the Crawford game? crawford_done:
    has it begun? offered: who offers the cube now. automatic: doubles by equal opening dice in this game. over: is this
    game over? last_winner: who won the last game that was won.
    Raises MatchError for a step that is not possible now.
    """

    stakes: Stakes
    score: tuple[int, int] = (0, 0)
    game: int = 1
    crawford: bool = False
    crawford_done: bool = False
    cube: Cube = field(default_factory=Cube)
    offered: Player | None = None
    automatic: int = 0
    over: bool = False
    last_winner: Player | None = None

    @classmethod
    def begin(cls, stakes: Stakes) -> Match:
        """Before the first game."""
        return cls(stakes)

    @property
    def winner(self) -> Player | None:
        """Who has the points of the match (C9)."""
        if not self.stakes.length:
            return None
        return next((p for p in Player if self.score[p.side] >= self.stakes.length), None)

    def may_double(self, player: Player) -> str | None:
        """None if he may offer the cube before his throw; otherwise the violation's code (C6, C8, A17, A18)."""
        cap = self.stakes.cube_cap
        if not self.stakes.cube or self.crawford or self.over or self.offered or (cap and self.cube.value >= cap):
            return "cube_not_allowed"
        return "cube_not_owner" if self.cube.owner is player.other else None

    def offer(self, player: Player) -> Match:
        """He offers the cube at twice its value."""
        if code := self.may_double(player):
            raise MatchError(f"{player} may not double: {code}")
        return replace(self, offered=player)

    def withdraw(self) -> Match:
        """An open offer is taken back by decision."""
        return replace(self, offered=None)

    def take(self) -> Match:
        """The value doubles and the taker owns the cube (C7)."""
        taker = self._doubler().other
        return replace(self, cube=Cube(self.cube.value * 2, taker), offered=None)

    def drop(self) -> Match:
        """The doubler wins what the cube showed before the offer; no gammon (C7, A33)."""
        return self._won(self._doubler(), self.cube.value)

    def tie(self) -> Match:
        """Equal opening dice: an automatic double where that was agreed on, the cube staying centred (C10, A17, A19).

        An opening thrown again after the players turned the cube, as when a board is set by hand, doubles nothing.
        """
        self._unoffered()
        stakes, value = self.stakes, self.cube.value
        if stakes.length or not stakes.cube or self.automatic >= stakes.automatic_doubles:
            return self
        if self.cube.owner or (stakes.cube_cap and value >= stakes.cube_cap):
            return self
        return replace(self, cube=Cube(value * 2), automatic=self.automatic + 1)

    def won(self, winner: Player, points: int) -> Match:
        """Borne off, or resigned: points 1, 2 or 3 before the cube (C1, C2, L9)."""
        if points not in (1, 2, 3):
            raise MatchError(f"a game is won by 1, 2 or 3 points before the cube, not {points}")
        self._unoffered()
        jacoby = self.stakes.jacoby and not self.stakes.length and self.stakes.cube and self.cube.owner is None
        return self._won(winner, self.cube.value * (1 if jacoby else points))

    def drawn(self) -> Match:
        """Nobody has won the game (A10)."""
        self._unoffered()
        return replace(self, over=True)

    def next_game(self) -> Match:
        """The next game: the cube centred again, and none in the one after somebody first needs one point (C8)."""
        if not self.over:
            raise MatchError(f"game {self.game} is not over")
        if self.winner is not None:
            raise MatchError(f"the match is over: {self.winner} has won")
        stakes = self.stakes
        crawford = stakes.crawford and stakes.cube and not self.crawford_done
        crawford = crawford and stakes.length > 1 and stakes.length - 1 in self.score
        return Match(
            stakes,
            self.score,
            self.game + 1,
            crawford,
            self.crawford_done or crawford,
            last_winner=self.last_winner,
        )

    def _won(self, winner: Player, points: int) -> Match:
        self._running()
        score = (self.score[0] + points * (winner is Player.WHITE), self.score[1] + points * (winner is Player.BLACK))
        return replace(self, score=score, over=True, offered=None, last_winner=winner)

    def _running(self) -> None:
        if self.over:
            raise MatchError(f"game {self.game} is over already")

    def _unoffered(self) -> None:
        self._running()
        if self.offered is not None:
            raise MatchError(f"{self.offered} has offered the cube: it is to be taken or passed first")

    def _doubler(self) -> Player:
        if self.offered is None:
            raise MatchError("no cube is offered")
        return self.offered

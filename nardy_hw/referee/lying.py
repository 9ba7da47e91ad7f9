"""Whose dice lie where: the open turn's, used ones that nobody has lifted, and new ones."""

from __future__ import annotations

from nardy_hw.referee.scene import Scene
from nardy_hw.referee.seats import Seats
from nardy_hw.referee.throws import Die, Place, joined
from nardy_hw.rules.position import Player


class Lying:
    """of_turn: the open turn's two dice, with all that was read of them; empty where none were seen."""

    def __init__(self, seats: Seats) -> None:
        self.of_turn: list[Die] = []
        self._seats = seats
        self._used: dict[Player, list[Place]] = {}

    def fresh(self, scene: Scene) -> list[Die]:
        """Lying dice but those of used throws, which are where they were."""
        dice = scene.dice.lying()
        for places in self._used.values():
            if all(any(die.at([place]) for die in dice) for place in places):
                dice = [die for die in dice if not die.at(places)]
        return dice

    def mine(self, scene: Scene, player: Player) -> list[Die]:
        """The open turn's dice, where they were thrown or moved aside on their half."""
        half, places = self._seats.half(player), [die.centre for die in self.of_turn]
        return [die for die in scene.dice.lying() if die.half == half or die.at(places)]

    def theirs(self, scene: Scene, player: Player) -> list[Die]:
        """Dice of the player who waits."""
        mine = self.mine(scene, player)
        return [die for die in self.fresh(scene) if die not in mine]

    def gone(self, scene: Scene, player: Player) -> bool:
        """Were dice seen before that no read of this scene shows?"""
        places = [die.centre for die in self.of_turn]
        return bool(places) and not any(die.at(places) for die in scene.dice.seen) and not self.mine(scene, player)

    def one_lifted(self, scene: Scene, player: Player) -> bool:
        """Does one of the turn's dice lie where it was, while no read of this scene shows the other one anywhere?"""
        places = [die.centre for die in scene.dice.seen]
        lifted = [die for die in self.of_turn if not die.at(places)]
        return len(self.of_turn) == 2 and len(lifted) == 1 and len(self.mine(scene, player)) == 1

    def use(self, player: Player) -> None:
        """The open turn is over."""
        if self.of_turn:
            self._used[player] = [die.centre for die in self.of_turn]
        self.of_turn = []

    def leave(self, scene: Scene, player: Player) -> None:
        """What this scene showed of the open turn's dice is kept."""
        mine = self.mine(scene, player)
        if len(mine) == 2 and not any(die in self.of_turn for die in mine):
            self.of_turn = joined(self.of_turn, mine)

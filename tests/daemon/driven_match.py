"""A process that referees a match of GNU Backgammon at a simulated table, from wherever its record says that it is.

    python driven_match.py STORE MATCH_FILE

Prints `ready` once it has taken the match up. The people at the table go on from what the referee shows them.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "referee"))

from eye import CLEAR, Eye, Shown
from match_files import Game, games_of

from nardy_hw.daemon.conduct import Conduct
from nardy_hw.record.store import MatchInfo, Store
from nardy_hw.referee import commands as c
from nardy_hw.referee import events as e
from nardy_hw.referee.seats import Seats
from nardy_hw.referee.states import Phase
from nardy_hw.rules.position import Player, Position, Variant


class Table:
    def __init__(self, store: Store, name: str) -> None:
        self.length, self.games = games_of(name)
        if not store.matches():
            store.begin(MatchInfo(variant=Variant.SHORT, length=self.length))
        self.said = list(store.match(1).events)
        self.conduct = Conduct(store, 1, Seats())
        self.eye = Eye(CLEAR, seed=len(self.said))
        self.throws = len(self.said)

    def run(self) -> None:
        while self.conduct.referee.standing.phase is not Phase.OVER:
            self.step()

    def step(self) -> None:
        """What the people do next, seeing where the match stands."""
        now = self.conduct.referee.standing
        if now.phase in (Phase.SETUP, Phase.SCORED):
            return self.show(Position.start(Variant.SHORT))
        game = self.games[now.match.game - 1]
        turn = self.turn(game)
        if turn is None:
            loser = game.winner.other
            if now.phase is Phase.RESIGNED:
                return self.do(c.Accept(player=game.winner))
            return self.do(c.Resign(player=loser, points=game.points // now.match.cube.value))
        if turn.what == "double":
            return self.do(c.Double(player=turn.player))
        if turn.what in ("take", "drop"):
            return self.do((c.Take if turn.what == "take" else c.Drop)(player=turn.player))
        if now.phase is Phase.MOVE:
            return self.show(turn.after)
        self.throws += 1
        y = 100.0 + 47.0 * (self.throws % 8)
        high, low = max(turn.dice), min(turn.dice)
        mine, other = ("right", "left") if turn.player is Player.WHITE else ("left", "right")
        at = {"right": 600.0, "left": 200.0}
        second = other if now.phase is Phase.OPENING else mine
        dice = (high, "flat", mine, at[mine] + 15 * high, y), (low, "flat", second, at[second] + 90 + 15 * low, y)
        return self.show(now.position, *dice)

    def turn(self, game: Game):
        """The first turn of the game's file that is not in the record yet; None: only the resignation is left."""
        begun = max(i for i, event in enumerate(self.said) if isinstance(event, e.GameStarted))
        done = [event for event in self.said[begun:] if isinstance(event, e.PlayMade | e.Doubled | e.Taken)]
        return game.turns[len(done)] if len(done) < len(game.turns) else None

    def show(self, position: Position, *dice) -> None:
        for seen in self.eye.see(Shown.of(position, dice)):
            self.said += self.conduct.observe(seen)

    def do(self, command: c.Command) -> None:
        self.said += self.conduct.perform(command, self.eye.frame / self.eye.fps, self.eye.frame)


def main() -> None:
    with Store.open(Path(sys.argv[1])) as store:
        table = Table(store, sys.argv[2])
        print("ready", flush=True)
        table.run()


if __name__ == "__main__":
    main()

"""A board and the host's session on one line."""

from __future__ import annotations

from firmware_bridge.session import Said, Session
from firmware_bridge.sim.board import SimulatedBoard
from firmware_bridge.sim.stand_in import StandIn


class Wired:
    """A board and a session, one millisecond at a time."""

    STEP = 0.001

    def __init__(self, board: SimulatedBoard | StandIn) -> None:
        self.board, self.session = board, Session()
        self.t, self.said = 0.0, list[Said]()

    def run(self, seconds: float) -> list[Said]:
        """What the host hears meanwhile."""
        heard: list[Said] = []
        end = self.t + seconds
        while self.t < end:
            out, said = self.session.due(self.t)
            self.board.send(out)
            heard += said
            self.t += self.STEP
            heard += self.session.feed(self.board.run(self.STEP), self.t)
        self.said += heard
        return heard

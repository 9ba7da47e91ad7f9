"""The firmware that is flashed, in a simulated microcontroller, in lockstep with the host's side of the line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.session import Said, Session
from firmware_bridge.sim.board import SimulatedBoard, build


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """board.elf and board_sim. Missing tools fail the tests: what is tested is what is flashed."""
    return build(tmp_path_factory.mktemp("board"))


class Wired:
    """A board and a session, one millisecond at a time."""

    STEP = 0.001

    def __init__(self, board: SimulatedBoard) -> None:
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


@pytest.fixture
def board(built: tuple[Path, Path]) -> Iterator[SimulatedBoard]:
    elf, program = built
    with SimulatedBoard(program, elf) as simulated:
        yield simulated


@pytest.fixture
def wired(board: SimulatedBoard) -> Wired:
    return Wired(board)

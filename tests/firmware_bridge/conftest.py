"""The firmware that is flashed, in a simulated microcontroller, in lockstep with the host's side of the line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from wired import Wired

from firmware_bridge.sim.board import SimulatedBoard, build
from firmware_bridge.sim.stand_in import StandIn


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """board.elf and board_sim. Missing tools fail the tests: what is tested is what is flashed."""
    return build(tmp_path_factory.mktemp("board"))


@pytest.fixture(params=["mcu", "python"])
def board(request: pytest.FixtureRequest) -> Iterator[SimulatedBoard | StandIn]:
    """The firmware itself, and the board in Python that stands in for it: both keep to the same protocol."""
    if request.param == "mcu":
        elf, program = request.getfixturevalue("built")
        with SimulatedBoard(program, elf) as simulated:
            yield simulated
    else:
        with StandIn() as stand_in:
            yield stand_in


@pytest.fixture
def wired(board: SimulatedBoard | StandIn) -> Wired:
    return Wired(board)

"""The firmware that is flashed, in a simulated microcontroller, in lockstep with the host's side of the line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from wired import Wired

from firmware_bridge.sim.board import SimulatedBoard, build


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """board.elf and board_sim. Missing tools fail the tests: what is tested is what is flashed."""
    return build(tmp_path_factory.mktemp("board"))


@pytest.fixture
def board(built: tuple[Path, Path]) -> Iterator[SimulatedBoard]:
    elf, program = built
    with SimulatedBoard(program, elf) as simulated:
        yield simulated


@pytest.fixture
def wired(board: SimulatedBoard) -> Wired:
    return Wired(board)

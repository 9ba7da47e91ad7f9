"""The board without the board: its own firmware in simavr, or, where that is missing, a board in Python."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.errors import BuildError
from firmware_bridge.sim.board import SimulatedBoard, build, cache
from firmware_bridge.sim.stand_in import StandIn


def any_board(link: Path) -> SimulatedBoard | StandIn:
    """A board on a terminal at `link`: the real firmware where it can be built and run here. Raises BuildError."""
    try:
        elf, program = build(cache())
    except BuildError:
        return StandIn(link)
    return SimulatedBoard(program, elf, link)

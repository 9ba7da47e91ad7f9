"""The link on a terminal, as a real port behaves: found, exclusive, unplugged, reset, and all as it was again."""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.contact import Pressed
from firmware_bridge.errors import LinkError
from firmware_bridge.link import Link, Trouble
from firmware_bridge.protocol import PALETTE
from firmware_bridge.session import Answered, Down, Up
from firmware_bridge.sim.board import SimulatedBoard


class Ears:
    """All that a link says, to be waited for."""

    def __init__(self) -> None:
        self._said: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.all: list[object] = []

    def __call__(self, said: object) -> None:
        self.all.append(said)
        self._said.put(said)

    def wait(self, kind: type, seconds: float = 4.0, where: Callable[[object], bool] = lambda _: True) -> object:
        end = time.monotonic() + seconds
        while True:
            said = self._said.get(timeout=max(0.01, end - time.monotonic()))
            if isinstance(said, kind) and where(said):
                return said


def soon(true: Callable[[], bool], seconds: float = 2.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def port(built: tuple[Path, Path], tmp_path: Path) -> Iterator[tuple[Path, SimulatedBoard]]:
    elf, program = built
    link = tmp_path / "board"
    with SimulatedBoard(program, elf, link) as board:
        yield link, board


def test_a_board_is_found_among_ports_that_are_none(port):
    path, board = port
    master, slave = os.openpty()  # a port where nobody answers
    ears = Ears()
    ports = [str(path) + "-gone", os.ttyname(slave), str(path)]
    with Link(ears, ports=lambda: ports) as link:
        assert "board-gone" in ears.wait(Trouble).why
        assert ears.wait(Up, 8.0).identity.name == "nardy-board"
        link.lights("1" * 28)
        soon(lambda: board.lights() == [PALETTE["1"]] * 28)
        link.command("G")
        assert ears.wait(Answered).payload.startswith("1" * 28)
        board.press(0, True)
        assert (ears.wait(Pressed).button, link.up) == (0, True)
        with pytest.raises(LinkError):
            link.lights("12")
    os.close(master)
    os.close(slave)


def test_unplugged_and_plugged_in_again(port):
    path, board = port
    ears = Ears()
    with Link(ears, ports=lambda: [str(path)]) as link:
        ears.wait(Up)
        link.lights("2" * 28)
        soon(lambda: board.lights() == [PALETTE["2"]] * 28)
        board.ask("unplug")
        ears.wait(Down)
        assert not link.up
        board.press(1, True)  # while nobody can hear it
        link.lights("3" * 28)
        time.sleep(0.3)
        board.ask("plug")
        begun = time.monotonic()
        ears.wait(Up)
        assert time.monotonic() - begun < 2.0
        assert (ears.wait(Pressed).button, link.up) == (1, True)
        soon(lambda: board.lights() == [PALETTE["3"]] * 28)


def test_a_reset_is_no_end(port):
    path, board = port
    ears = Ears()
    with Link(ears, ports=lambda: [str(path)]) as link:
        ears.wait(Up)
        link.lights("5" * 14 + "0" * 14)
        soon(lambda: board.lights() == [PALETTE["5"]] * 14 + [(0, 0, 0)] * 14)
        board.ask("reset")
        assert ears.wait(Up).restarted
        soon(lambda: board.lights() == [PALETTE["5"]] * 14 + [(0, 0, 0)] * 14)


def test_a_port_has_one_user(port):
    path, _ = port
    ears, others = Ears(), Ears()
    with Link(ears, ports=lambda: [str(path)]):
        ears.wait(Up)
        with Link(others, ports=lambda: [str(path)]):
            assert "in use" in others.wait(Trouble).why


def test_two_boards_are_told_apart_by_their_ids(built, tmp_path):
    elf, program = built
    links = [tmp_path / name for name in ("one", "two")]
    boards = [SimulatedBoard(program, elf, link) for link in links]
    try:
        for link, name in zip(links, ("table-1", "table-2"), strict=True):
            ears = Ears()
            with Link(ears, ports=lambda link=link: [str(link)]) as named:
                ears.wait(Up)
                named.command("I", name)
                ears.wait(Answered)
        ears = Ears()
        with Link(ears, board="table-2", ports=lambda: [str(link) for link in links]) as second:
            assert ears.wait(Up).identity.board == "table-2"
            second.lights("6" * 14 + "0" * 14)
            soon(lambda: boards[1].lights()[:14] == [PALETTE["6"]] * 14)
            assert boards[0].lights() == [(0, 0, 0)] * 28
    finally:
        for board in boards:
            board.close()


def test_closed_twice_and_without_a_board(tmp_path):
    link = Link(Ears(), ports=list)
    link.close()
    link.close()
    assert not link.up

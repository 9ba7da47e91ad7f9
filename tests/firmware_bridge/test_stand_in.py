"""The board in Python against the firmware itself, step by step; and on a terminal."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from test_link import Ears, soon
from wired import Wired

from firmware_bridge.contact import Pressed
from firmware_bridge.dice import Die
from firmware_bridge.errors import BuildError
from firmware_bridge.link import Link
from firmware_bridge.protocol import PALETTE
from firmware_bridge.session import Answered, Down, Up
from firmware_bridge.sim.board import SimulatedBoard
from firmware_bridge.sim.stand_in import StandIn

commands = st.one_of(
    st.tuples(st.just("L"), st.text("0123456789ABCDEF", min_size=28, max_size=28)),
    st.tuples(st.just("B"), st.sampled_from([*"0123456789", "", "x", "10"])),
    st.tuples(st.just("D"), st.sampled_from(["A0", "A1", "A2", "O", "R", ""])),
    st.tuples(st.just("I"), st.sampled_from(["a", "club-7_A", "a" * 16, "a" * 17, "", "a b", "\xe9".encode().hex()])),
    st.tuples(st.sampled_from("PX"), st.sampled_from(["", "x"])),
    st.tuples(st.just("press"), st.integers(0, 1)),
    st.tuples(st.just("module"), st.tuples(st.integers(0, 1), st.sampled_from(["", "R", "S3", "S6", "T2", "M0"]))),
    st.tuples(st.sampled_from(["wait", "reset", "silence"]), st.none()),
)


def told(wired: Wired) -> tuple[object, ...]:
    """What can be seen of a board from outside, but for its times and its chance."""
    wired.session.command("G")
    wired.run(0.15)
    answers = [(a.command, a.kind, a.payload) for a in wired.said if isinstance(a, Answered)]
    pressed = [(p.button, p.state) for p in wired.said if isinstance(p, Pressed)]
    dice = [(d.source, d.name, d.state, d.source == "roller" or d.face) for d in wired.said if isinstance(d, Die)]
    ups = [(u.identity.board, u.restarted) for u in wired.said if isinstance(u, Up)]
    return answers, pressed, dice, ups, wired.board.lights()


@example(steps=[("press", 0), ("L", "0" * 28), ("L", "0" * 28), ("reset", None)])
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(commands, max_size=12))
def test_both_say_and_show_the_same(built: tuple[Path, Path], steps: list[tuple[str, object]]) -> None:
    elf, program = built
    with ExitStack() as stack:
        boards = stack.enter_context(SimulatedBoard(program, elf)), stack.enter_context(StandIn())
        both = [Wired(board) for board in boards]
        for wired in both:
            wired.run(0.3)
        down = [False, False]
        for kind, value in steps:
            for wired in both:
                match kind, value:
                    case "L", digits:
                        wired.session.lights(digits)
                    case "press", button:
                        wired.board.press(button, not down[button])
                    case "module", (number, state):
                        wired.board.module(number, state[:1], int(state[1:] or 0))
                        wired.run(0.4)
                    case "wait", _:
                        wired.run(1.0)
                    case "silence", _:
                        wired.board.run(2.5)
                        wired.run(0.4)
                    case "reset", _:
                        wired.board.ask("reset")
                    case letter, payload if letter != "X":
                        wired.session.command(letter, payload)
                wired.run(0.2)
            if kind == "press":
                down[value] = not down[value]
        mcu, python = (told(wired) for wired in both)
        assert python == mcu


def test_the_link_finds_it_on_a_terminal(tmp_path: Path) -> None:
    path, ears = tmp_path / "board", Ears()
    with StandIn(path) as board, Link(ears, ports=lambda: [str(path)]) as link:
        assert ears.wait(Up).identity.chip == "python"
        link.lights("4" * 14 + "0" * 14)
        soon(lambda: board.lights() == [PALETTE["4"]] * 14 + [(0, 0, 0)] * 14)
        board.noise(0.005, 0.005, 0.005)
        board.press(1, True)
        assert ears.wait(Pressed).button == 1
        board.noise(0, 0, 0)
        board.ask("unplug")
        ears.wait(Down)
        board.ask("plug")
        ears.wait(Up)
        with pytest.raises(BuildError, match="simavr"):
            board.ask("hang")
    assert not path.is_symlink()
    board.close()


def test_no_room_for_a_terminal(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="nowhere"):
        StandIn(tmp_path / "nowhere" / "board")

"""The firmware at work: lights, buttons, dice, events, silence, hangs, settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from wired import Wired

from firmware_bridge import protocol
from firmware_bridge.contact import Pressed
from firmware_bridge.dice import Die, DieState
from firmware_bridge.errors import LinkError
from firmware_bridge.frames import Frame, Reader
from firmware_bridge.protocol import PALETTE
from firmware_bridge.session import Answered, Down, Session, Up, Warned

DARK = [(0, 0, 0)] * 28

only_mcu = pytest.mark.parametrize("board", ["mcu"], indirect=True)
"""What the board in Python does not have: the strip's signal, the bus, hangs, bytes that overrun."""


def of(said, kind):
    return [one for one in said if isinstance(one, kind)]


def answered(wired, letter, payload=""):
    """The payload that answers a command."""
    wired.session.command(letter, payload)
    (heard,) = of(wired.run(0.05), Answered)
    assert heard.command == letter
    return heard.kind, heard.payload


def test_both_sides_are_made_from_one_document():
    here = Path(protocol.__file__).parent
    assert (here / "firmware" / "protocol.h").read_text() == protocol.header()
    assert (here / "protocol.md").read_text() == protocol.document()


@only_mcu
def test_who_it_is(wired):
    (up,) = of(wired.run(0.1), Up)
    identity = up.identity
    assert (identity.name, identity.protocol, identity.lights, identity.chip) == ("nardy-board", 1, 28, "m328p")
    assert identity.firmware in (Path(protocol.__file__).parent / "firmware" / "Makefile").read_text()
    assert not up.restarted


@only_mcu
def test_every_colour_of_the_palette_on_every_light(wired):
    digits = "0123456789ABCDEF" + "0" * 12
    wired.board.run(0.05)  # nobody listens while it starts
    wired.session.lights(digits)
    wired.run(0.1)
    assert wired.board.lights() == [PALETTE[digit] for digit in digits]
    microseconds, frames, bad, shortest0, longest0, shortest1, longest1, lost, _ = map(
        int, wired.board.ask("stat").split()
    )
    assert (bad, lost) == (0, 0) and frames >= 2 and microseconds > 90_000
    assert 220 <= shortest0 <= longest0 <= 380  # of the WS2812B's data sheet
    assert 580 <= shortest1 <= longest1 <= 1000


def test_the_limiter_acts_and_keeps_the_colour(wired):
    wired.session.lights("7" * 28)  # 28 times 3 times 100/255 of 20 mA: 659 mA
    wired.run(0.1)
    lights = wired.board.lights()
    assert len(set(lights)) == 1
    red, green, blue = lights[0]
    assert red == green == blue
    assert 0.93 * 400 <= 28 * 3 * red / 255 * 20 + 28 <= 400
    assert int(answered(wired, "S")[1].split(",")[5]) <= 400


def test_brightness_is_kept(wired):
    wired.session.lights("2" + "0" * 27)
    wired.run(0.1)
    assert answered(wired, "B", "3") == ("a", "")
    assert wired.board.lights()[0] == (160 * 3 // 9, 0, 0)
    assert answered(wired, "B", "x")[0] == "n"
    wired.board.ask("reset")
    (up,) = of(wired.run(0.3), Up)
    assert up.restarted
    assert answered(wired, "G")[1].split(",")[2] == "3"
    assert wired.board.lights()[0] == (53, 0, 0)  # and the lights are shown again


def test_the_boards_id_is_kept(wired):
    wired.run(0.1)
    assert answered(wired, "I", "club-7_A") == ("a", "")
    for bad in ("", "a" * 17, "a b", "a,b"):
        assert answered(wired, "I", bad)[0] == "n"
    wired.board.ask("reset")
    (up,) = of(wired.run(0.3), Up)
    assert up.identity.board == "club-7_A"


def test_a_button_is_heard_once_each_way(wired):
    wired.run(0.1)
    for level in (True, False, True, False, True):  # its contact bounces
        wired.board.press(0, level)
        wired.run(0.002)
    assert of(wired.run(0.2), Pressed)[0].state == 1
    wired.board.press(0, False)
    wired.run(0.1)
    wired.board.press(1, True)
    wired.run(1.0)
    wired.board.press(1, False)
    wired.run(0.1)
    assert [(p.button, p.state) for p in of(wired.said, Pressed)] == [(0, 1), (0, 0), (1, 1), (1, 2), (1, 0)]
    assert answered(wired, "G")[1].split(",")[1:4:2] == ["0", "0"]  # nothing is pressed, nothing waits


def test_an_event_survives_a_reset(board):
    board.run(0.05)
    board.press(1, True)
    board.run(0.02)  # nobody has heard it yet
    board.ask("reset")
    wired = Wired(board)
    (pressed,) = of(wired.run(0.5), Pressed)
    assert (pressed.button, pressed.state) == (1, 1) and pressed.ms > 50  # from before the reset
    assert wired.session.identity.cause == 2  # the reset pin


def test_a_reset_is_no_press(wired):
    wired.run(0.1)
    for _ in range(3):
        wired.board.ask("reset")
        wired.run(0.3)
    assert not of(wired.said, Pressed)


def test_shorter_than_the_debounce_is_no_press(wired):
    wired.run(0.1)
    wired.board.press(0, True)
    wired.run(0.006)
    wired.board.press(0, False)
    assert not of(wired.run(0.2), Pressed)


def test_an_event_comes_again_until_it_is_acknowledged(board):
    board.run(0.05)
    board.press(1, True)
    reader, seen = Reader(), []
    for _ in range(100):
        seen += [frame for frame in reader.feed(board.run(0.01)) if frame.payload.startswith("1,1,")]
    assert 4 <= len(seen) <= 5 and len({(f.sequence, f.payload) for f in seen}) == 1  # every 250 ms
    board.send(Frame(0, "K", f"{seen[0].sequence:02X}").encode())
    board.run(0.02)
    assert not [frame for frame in reader.feed(board.run(1.0)) if frame.payload.startswith("1,1,")]


def test_the_oldest_of_more_events_than_it_can_keep_gives_way(board):
    board.run(0.05)
    for i in range(12):
        board.press(0, i % 2 == 0)
        board.run(0.03)
    reader, session = Reader(), Session()
    seen = {frame.sequence for frame in reader.feed(board.run(0.6)) if frame.type == "b"}
    assert len(seen) == 8 and max(seen) - min(seen) == 7
    out, _ = session.due(0.0)
    board.send(out)
    session.feed(board.run(0.02), 0.02)
    session.command("S")
    board.send(session.due(0.02)[0])
    (heard,) = of(session.feed(board.run(0.03), 0.05), Answered)
    assert int(heard.payload.split(",")[6]) >= 4


def test_the_roller_rolls_two_dice_when_its_button_is_pressed(wired):
    wired.run(0.1)
    assert answered(wired, "D", "A1") == ("a", "")
    wired.board.press(0, True)
    assert not of(wired.run(0.7), Die)  # the other button
    wired.board.press(1, True)
    said = of(wired.run(0.7), Die)
    assert {d.source for d in said} == {"roller"}
    assert [(d.name, d.state) for d in said] == [("0", "rolling"), ("1", "rolling"), ("0", "stable"), ("1", "stable")]
    assert all(1 <= d.face <= 6 for d in said[2:]) and [d.face for d in said[:2]] == [0, 0]
    assert answered(wired, "G")[1].split(",")[4] == "-"  # armed for one throw
    assert answered(wired, "D", "R") == ("a", "")
    wired.run(0.6)
    assert [d.state for d in of(wired.said, Die)] == ["rolling", "rolling", "stable", "stable"] * 2
    assert answered(wired, "D", "A2")[0] == "n"


def test_the_lights_go_dark_when_the_host_falls_silent(board):
    wired = Wired(board)
    wired.session.lights("1" * 28)
    wired.run(0.1)
    assert board.lights() != DARK
    wired.run(1.0)
    assert board.lights() != DARK  # the heartbeat holds them
    board.run(1.7)
    assert board.lights() != DARK
    board.run(0.6)
    assert board.lights() == DARK
    assert of(wired.run(0.6), Warned) == [Warned("host-silent")]


def test_a_repeated_command_is_answered_again_and_not_done_again(board):
    reader = Reader()
    board.run(0.05)
    board.send(Frame(7, "D", "R").encode())
    first = [f.payload for f in reader.feed(board.run(0.02)) if f.type == "a"]
    board.send(Frame(7, "D", "R").encode())
    again = [f.payload for f in reader.feed(board.run(0.02)) if f.type == "a"]
    assert (first, again) == ([""], [",again"])


def test_nonsense_is_refused_and_survived(wired):
    wired.run(0.1)
    for letter, payload in (("D", "Q"), ("B", ""), ("I", ""), ("R", "x")):
        assert answered(wired, letter, payload)[0] == "n"
    wired.board.send(bytes(range(256)) * 20 + b"$" * 300)
    wired.run(0.7)
    assert answered(wired, "G")[0] == "g"
    with pytest.raises(LinkError):
        wired.session.lights("x" * 28)
    with pytest.raises(LinkError):
        wired.session.command("Z")


def test_asked_to_start_again(wired):
    wired.run(0.1)
    wired.session.command("R")
    said = wired.run(0.5)
    (up,) = of(said, Up)
    assert (up.restarted, up.identity.cause) == (True, 32)
    assert up.identity.uptime < 400


@only_mcu
def test_a_firmware_that_hangs_starts_again_by_itself(wired):
    wired.session.lights("8" * 28)
    wired.run(0.1)
    wired.board.ask("hang")
    said = wired.run(1.5)
    assert of(said, Up)[-1].identity.cause == 16
    wired.run(0.1)
    assert wired.board.lights() == [PALETTE["8"]] * 28
    assert not of(wired.said, Pressed)


def test_another_version_is_explained():
    session = Session()
    out, _ = session.due(0.0)
    (asked,) = Reader().feed(out)
    answer = Frame(asked.sequence, "q", "nardy-board,9.0,2,28,m328p,1,5,").encode()
    with pytest.raises(LinkError, match=r"protocol 2.*nardy-hw flash"):
        session.feed(answer, 0.01)


def test_a_board_that_does_not_answer_is_down_within_a_second_and_comes_back(wired):
    wired.session.lights("3" * 28)
    wired.run(0.1)
    session, t = wired.session, wired.t
    said = []
    while not said and t < wired.t + 2:
        said = session.due(t)[1]
        t += 0.001
    assert said == [Down()] and t - wired.t < 1.0
    wired.t = t
    wired.board.ask("reset")
    assert of(wired.run(0.5), Up)
    wired.run(0.1)
    assert wired.board.lights() == [PALETTE["3"]] * 28


def test_dice_modules_are_heard_when_they_change(wired):
    wired.run(0.1)
    assert not of(wired.said, Die)  # none is there
    wired.board.module(1, "R")
    wired.run(0.3)
    wired.board.module(1, "S", 5, 7)
    wired.board.module(0, "T", 2)
    wired.run(0.5)
    wired.board.module(1, "")
    wired.run(0.6)
    one, two = ([die for die in of(wired.said, Die) if die.name == name] for name in "01")
    assert one == [Die("module", "0", DieState.TILTED, 2, 9)]
    assert two == [
        Die("module", "1", DieState.ROLLING, 0, 9),
        Die("module", "1", DieState.STABLE, 5, 7),
        Die("module", "1", DieState.MOVED, 0, 0),
    ]


@only_mcu
@pytest.mark.parametrize(
    "answer", ["53050700", "53050", "53", "530007a5", "530707a0", "58050798", "ffffffff", "00000000"]
)
def test_a_module_that_talks_nonsense_is_not_believed(wired, answer):
    wired.run(0.1)
    wired.board.ask(f"module 0 {answer}")
    wired.run(0.5)
    assert not of(wired.said, Die)
    assert answered(wired, "G")[0] == "g"


@only_mcu
def test_a_face_that_is_read_once_is_no_face(wired):
    wired.run(0.1)
    for i in range(60):
        wired.board.module(0, "S", 1 + i % 6)
        wired.run(0.02)
    faces = [d.face for d in of(wired.said, Die)]
    assert len(faces) <= 3  # two readings alike by chance at most

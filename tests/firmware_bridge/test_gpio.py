"""Buttons, buzzer and light on the Pi's pins: gpiozero's own mock stands in for the header."""

from __future__ import annotations

import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_link import Ears, soon

from firmware_bridge.contact import Contact, Pressed
from firmware_bridge.errors import LinkError
from firmware_bridge.gpio import PinMap, Pins, factory


@pytest.fixture
def wired():
    ears = Ears()
    with Pins(ears, PinMap(white=17, black=27, buzzer=22, status=23), "mock") as pins:
        header = {n: pins._made[0].pin(n) for n in (17, 27, 22, 23)}
        yield ears, pins, header


def test_a_press_is_heard_once_however_its_contact_bounces(wired):
    ears, _, header = wired
    for _ in range(4):
        header[17].drive_low()
        header[17].drive_high()
    header[17].drive_low()
    first = ears.wait(Pressed)
    assert (first.button, first.state) == (0, 1)
    header[17].drive_high()
    assert (ears.wait(Pressed).button, ears.all[-1].state) == (0, 0)
    header[27].drive_low()
    assert (ears.wait(Pressed).button, ears.all[-1].state) == (1, 1)
    assert (ears.wait(Pressed).button, ears.all[-1].state) == (1, 2)  # held
    header[27].drive_high()
    assert ears.wait(Pressed).state == 0
    assert len(ears.all) == 5


def test_shorter_than_a_bounce_is_nothing(wired):
    ears, _, header = wired
    header[17].drive_low()
    header[17].drive_high()
    time.sleep(0.05)
    assert not ears.all


def test_the_buzzer_and_the_light(wired):
    _, pins, header = wired
    header[22].clear_states()
    pins.beep(2)
    soon(lambda: len(header[22].states) >= 5)
    assert [bool(state.state) for state in header[22].states] == [False, True, False, True, False]
    pins.light("on")
    assert header[23].state
    pins.light("quick")
    pins.light("quick")
    soon(lambda: not header[23].state)
    soon(lambda: header[23].state)
    pins.light("off")
    assert not header[23].state


def test_parts_that_are_not_there_are_left_out():
    with Pins(Ears(), PinMap(), "mock") as pins:
        pins.beep()
        pins.light("on")
    pins.close()


def test_no_pins_are_never_mock_pins():
    with pytest.raises(LinkError, match=r"Raspberry Pi|python3-lgpio"):
        Pins(Ears(), PinMap(white=17))  # the driver of a real Pi, on a machine that is none
    with pytest.raises(LinkError, match="lgpio, rpigpio, pigpio, mock, not 'fake'"):
        factory("fake")


def test_gpiozero_is_asked_for(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("gpiozero")]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(LinkError, match="pins need gpiozero: sudo apt install"):
        factory("mock")


@pytest.mark.parametrize(
    "pins", [{"white": 1}, {"white": 28}, {"buzzer": True}, {"white": 17, "status": 17}, {"white": "4"}]
)
def test_pins_that_are_none(pins):
    with pytest.raises(LinkError, match=r"from 2 to 27|share a pin"):
        PinMap(**pins)


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 900)), max_size=40))
def test_a_contact_tells_each_change_that_lasts(levels):
    """Sampled each millisecond: exactly the levels that stood for ten of them are told, in turn."""
    contact, ms, said = Contact(1), 0, []
    told, run, last, held, long = [], 0, False, 0, False
    down = False
    for level, length in levels:
        for _ in range(length):
            ms += 1
            said += contact.sample(level, ms)
            run = run + 1 if level == last else 1
            last = level
            if level != down and run == 10:
                down, held, long = level, ms, False
                told.append(Pressed(1, int(level), ms))
            elif level and down and not long and ms - held >= 800:
                long = True
                told.append(Pressed(1, 2, ms))
    assert said == told

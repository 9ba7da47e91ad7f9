"""Bluetooth dice: their messages, byte for byte as documented by their makers, and dice that come and go."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_link import Ears, soon

from firmware_bridge import ble
from firmware_bridge.ble import BleDice, Found, Present, godice, pixels
from firmware_bridge.dice import Die, DieState, Pair
from firmware_bridge.errors import LinkError
from firmware_bridge.link import Trouble

STABLE, TILTED, MOVED, ROLLING = DieState.STABLE, DieState.TILTED, DieState.MOVED, DieState.ROLLING


@pytest.mark.parametrize(
    ("message", "state", "face"),
    [
        ("52", ROLLING, 0),
        ("53c00000", STABLE, 1),  # (-64, 0, 0)
        ("53000040", STABLE, 2),
        ("53004000", STABLE, 3),
        ("5300c000", STABLE, 4),
        ("530000c0", STABLE, 5),
        ("53400000", STABLE, 6),
        ("533ef505", STABLE, 6),  # a table that is not level: (62, -11, 5)
        ("5346fe02", STABLE, 6),
        ("53c0000a", STABLE, 1),
        ("532d2d00", TILTED, None),  # halfway between 3 and 6
        ("533a1c00", TILTED, 6),  # 26 degrees
        ("5453400000", TILTED, 6),  # TS: as it says itself
        ("4653004000", MOVED, 3),  # FS: fell over in a hand
        ("4d530000c0", MOVED, 5),  # MS
        ("53000000", TILTED, None),
    ],
)
def test_what_a_godice_says(message, state, face):
    die = godice("A", bytes.fromhex(message))
    assert (die.source, die.name, die.state) == ("ble", "A", state)
    assert face is None or die.face == face


@pytest.mark.parametrize("message", ["", "42617463", "436f6c02", "53", "534000", "5253", "5353400000", "58400000"])
def test_what_says_nothing_of_how_a_godice_lies(message):
    assert godice("A", bytes.fromhex(message)) is None


@pytest.mark.parametrize(
    ("message", "state", "face"),
    [("030100", STABLE, 1), ("030105", STABLE, 6), ("030300", ROLLING, 1), ("030402", TILTED, 3), ("030202", MOVED, 3),
     ("030503", MOVED, 4)],
)  # fmt: skip
def test_what_pixels_say(message, state, face):
    assert pixels("B", bytes.fromhex(message)) == Die("ble", "B", state, face)


@pytest.mark.parametrize("message", ["", "03", "0301", "030000", "030106", "030600", "2264", "226401", "03010000"])
def test_what_says_nothing_of_how_a_pixels_die_lies(message):
    assert pixels("B", bytes.fromhex(message)) is None


@given(st.binary(max_size=8))
def test_no_bytes_are_a_fault(message):
    for read in (godice, pixels):
        die = read("A", message)
        assert die is None or (0 <= die.face <= 6 and 0 <= die.quality <= 9)
        assert die is None or die.state is not STABLE or die.face


def test_a_throw_of_two_makes():
    pair = Pair()
    one = [godice("A", bytes.fromhex(m)) for m in ("52", "53004000")]
    two = [pixels("B", bytes.fromhex(m)) for m in ("030300", "030105")]
    assert [pair.hears(die) for die in (one[0], two[0], two[1], one[1])] == [None, None, None, (3, 6)]


class Air:
    """A radio with dice within reach that say what a test wants."""

    def __init__(self, dice):
        self.dice, self.mouths, self.searches = dice, {}, 0
        self.broken = None

    async def find(self):
        self.searches += 1
        if self.broken:
            raise LinkError(self.broken)
        return [Found(address, make, None) for address, make in self.dice.items()]

    async def follow(self, die, heard, connected):
        mouth = self.mouths[die.address] = asyncio.Queue()
        connected()
        while (message := await mouth.get()) is not None:
            heard(message)

    def say(self, dice, address, *messages):
        for message in messages:
            dice._loop.call_soon_threadsafe(self.mouths[address].put_nowait, message)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(ble, "PAUSE", 0.01)


def test_dice_come_speak_go_and_come_again():
    air, ears = Air({"AA": "GoDice", "BB": "Pixels"}), Ears()
    with BleDice(ears, radio=air) as dice:
        assert {ears.wait(Present).name for _ in range(2)} == {"AA", "BB"}
        air.say(dice, "AA", b"R", b"Bat\x50", b"S\x40\x00\x00")
        assert ears.wait(Die) == Die("ble", "AA", ROLLING)
        assert ears.wait(Die) == Die("ble", "AA", STABLE, 6, 9)
        air.say(dice, "AA", None)  # out of reach
        assert ears.wait(Die).state is MOVED
        assert ears.wait(Present) == Present("AA", "GoDice", False)
        assert ears.wait(Present) == Present("AA", "GoDice", True)
    dice.close()
    dice.close()
    assert {one.name for one in ears.all[-2:]} <= {"AA", "BB"}


def test_the_dice_that_are_wanted_and_no_others():
    air, ears = Air({"AA": "GoDice", "BB": "Pixels", "CC": "GoDice"}), Ears()
    with BleDice(ears, ("bb", "cc"), radio=air):
        assert {ears.wait(Present).name for _ in range(2)} == {"BB", "CC"}
        searches = air.searches
        with suppress(Exception):
            ears.wait(Present, 0.1)
        assert set(air.mouths) == {"BB", "CC"} and air.searches == searches  # both are here: it looks no more


def test_a_radio_that_fails_is_told_once_and_tried_again():
    air, ears = Air({"AA": "GoDice"}), Ears()
    air.broken = "Bluetooth is off"
    with BleDice(ears, radio=air):
        assert ears.wait(Trouble) == Trouble("Bluetooth", "Bluetooth is off")
        soon(lambda: air.searches > 3)
        air.broken = None
        assert ears.wait(Present).there
        assert len([one for one in ears.all if isinstance(one, Trouble)]) == 1


def test_a_machine_without_bluetooth_is_told_what_to_do():
    ears = Ears()
    with BleDice(ears):  # the real radio; machines that run tests have none
        said = ears.wait((Trouble, Present), 10.0)
        assert isinstance(said, Present) or "bluetoothctl power on" in said.why


def test_bleak_is_asked_for_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "bleak", None)
    with pytest.raises(LinkError, match=r"pip install 'nardy-hw\[ble\]'"):
        BleDice(Ears())

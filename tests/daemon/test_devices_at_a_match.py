"""The board's firmware, its buttons and its lights, at a match: the whole way from a contact to the record and back."""

from __future__ import annotations

import threading
import time

import pytest
from match_table import MatchTable, of

from firmware_bridge.errors import LinkError
from firmware_bridge.protocol import PALETTE
from firmware_bridge.sim.board import SimulatedBoard, build
from nardy_hw.daemon.devices import Devices
from nardy_hw.errors import InputError
from nardy_hw.referee import commands as c
from nardy_hw.referee import events as e
from nardy_hw.referee.audience import Audience
from nardy_hw.referee.states import Phase
from nardy_hw.rules.plays import legal_plays
from nardy_hw.rules.position import Player, Variant
from nardy_hw.settings import Devices as Connected
from nardy_hw.settings import Pins, Settings

DARK = (0, 0, 0)


class Room:
    """A table with a board of lights: people press and move, the referee hears, the lights follow."""

    def __init__(self, simulated: SimulatedBoard, board: Devices) -> None:
        self.simulated, self.board = simulated, board
        self.table = MatchTable(Variant.SHORT, 3, trusted_rolls=True)
        self.players = Audience(self.table.agreed.profile)
        self._told = 0

    def until(self, true, seconds=5.0):
        """Lets things happen until it is so."""
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, self.table.referee.standing.phase
            now = self.table.referee.standing
            for command in self.board.commands(now):
                self.table.said += self.table.referee.perform(command, self.table.t, self.table.eye.frame)
            for event in self.table.said[self._told :]:
                for heard in self.players.hears(event):
                    self.board.hears(heard)
            self._told = len(self.table.said)
            self.board.show(self.table.referee.standing, self.table.referee.state, self.table.referee.plays)
            time.sleep(0.01)

    def press(self, button):
        self.simulated.press(button, True)
        time.sleep(0.05)
        self.simulated.press(button, False)

    def lit(self):
        return {i: light for i, light in enumerate(self.simulated.lights(), 1) if light != DARK}

    def phase(self):
        return self.table.referee.standing.phase


@pytest.fixture(params=["roller"])
def room(request, tmp_path):
    elf, program = build(tmp_path)
    port = tmp_path / "board"
    settings = Settings(devices=Connected(board=str(port), dice=request.param))
    with SimulatedBoard(program, elf, port) as simulated, Devices(settings, "club") as board:
        yield Room(simulated, board)


def test_a_turn_with_the_boards_dice_buttons_and_lights(room):
    table = room.table
    room.until(lambda: any("answers" in news for news in room.board.news))
    table.begin()
    table.show()
    while room.phase() is Phase.OPENING:  # ties are thrown again
        thrown = len(table.said)
        room.press(0)
        room.until(lambda thrown=thrown: len(table.said) > thrown)
    (roll,) = of(table.said, e.Roll)
    assert roll.source == "roller" and roll.dice[0] != roll.dice[1]
    assert roll.player is (Player.WHITE if roll.dice[0] > roll.dice[1] else Player.BLACK)
    mover = list(Player).index(roll.player)
    room.until(lambda: room.lit() == {27 + mover: PALETTE["E"]})
    # a play that is none: two checkers from the other side's numbers, then the button
    points = list(table.position.points)
    sign, start, end = (1, 6, 7) if roll.player is Player.WHITE else (-1, 19, 18)
    points[start - 1] -= 2 * sign
    points[end - 1] += 2 * sign
    table.show(type(table.position)(Variant.SHORT, tuple(points)))
    room.press(mover)
    room.until(lambda: room.phase() is Phase.FAULT)
    room.until(lambda: 27 + mover not in room.lit())
    lights = set()
    room.until(lambda: lights.add(frozenset(room.lit().items())) or len(lights) == 4)
    back, leave = (start, PALETTE["4"]), (end, PALETTE["2"])
    assert lights == {frozenset({back, leave}), frozenset({back}), frozenset({leave}), frozenset()}  # each has its beat
    play = legal_plays(table.referee.standing.position, roll.player, roll.dice, first_turn=True)[0]
    table.show(play.after)
    room.until(lambda: room.phase() is Phase.THROW)
    room.until(lambda: room.lit() == {28 - mover: PALETTE["E"]})
    assert of(table.said, e.PlayMade)[0].position == play.after


@pytest.mark.parametrize("room", ["module"], indirect=True)
def test_a_throw_of_dice_modules(room):
    table, simulated = room.table, room.simulated
    room.until(lambda: any("answers" in news for news in room.board.news))
    table.begin()
    table.show()

    def throw(*dice):
        for number in range(2):
            simulated.module(number, "R")
        time.sleep(0.25)
        for number, (state, face) in enumerate(dice):
            simulated.module(number, state, face)

    throw(("S", 2), ("T", 5))  # one leans: nothing is thrown
    time.sleep(0.4)
    room.until(lambda: room.board._pair.void)
    assert not of(table.said, e.Roll)
    throw(("S", 2), ("S", 5))
    room.until(lambda: of(table.said, e.Roll))
    (roll,) = of(table.said, e.Roll)
    assert (roll.player, roll.dice, roll.source) == (Player.BLACK, (2, 5), "module")
    assert not room.board._pair.void


def test_pins_at_a_match():
    """White's button on the Pi's own header ends his turn; the buzzer and the light tell of a fault."""
    table = MatchTable(Variant.SHORT, 3)
    settings = Settings(pins=Pins(driver="mock", white=17, buzzer=22, status=23))
    with Devices(settings, "club") as devices:
        header = devices._pins._made[0]
        table.begin()
        table.opening(4, 2)
        points = list(table.position.points)
        points[5] -= 2
        points[6] += 2
        table.show(type(table.position)(Variant.SHORT, tuple(points)))
        header.pin(17).drive_low()
        end = time.monotonic() + 2
        while not (commands := list(devices.commands(table.referee.standing))):
            assert time.monotonic() < end
        assert commands == [c.EndTurn(player=Player.WHITE)]
        players = Audience(table.agreed.profile)
        header.pin(22).clear_states()
        for event in table.said:
            for heard in players.hears(event):
                devices.hears(heard)
        assert of(table.said, e.ViolationSeen)
        devices.show(table.referee.standing, table.referee.state)
        time.sleep(0.5)
        assert sum(bool(state.state) for state in header.pin(22).states) == 2  # two tones
        assert len({bool(state.state) for state in header.pin(23).states}) == 2
    devices.close()


@pytest.mark.parametrize("dice", ["roller", "module"])
def test_the_boards_dice_need_a_board(dice):
    with pytest.raises(InputError, match="which board"):
        Devices(Settings(devices=Connected(dice=dice)), "club")


def test_a_part_that_cannot_be_had_leaves_nothing_open():
    before = threading.active_count()
    with pytest.raises(LinkError):
        Devices(Settings(devices=Connected(board="auto"), pins=Pins(driver="mock", white=99)), "club")
    assert threading.active_count() == before

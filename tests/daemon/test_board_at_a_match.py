"""The board's firmware, its buttons and its lights, at a match: the whole way from a contact to the record and back."""

from __future__ import annotations

import time

import pytest
from match_table import MatchTable, of

from firmware_bridge.protocol import PALETTE
from firmware_bridge.sim.board import SimulatedBoard, build
from nardy_hw.daemon.board import Board
from nardy_hw.referee import events as e
from nardy_hw.referee.audience import Audience
from nardy_hw.referee.states import Phase
from nardy_hw.rules.plays import legal_plays
from nardy_hw.rules.position import Player, Variant

DARK = (0, 0, 0)


class Room:
    """A table with a board of lights: people press and move, the referee hears, the lights follow."""

    def __init__(self, simulated: SimulatedBoard, board: Board) -> None:
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
            self.board.show(self.table.referee.standing, self.table.referee.state)
            time.sleep(0.01)

    def press(self, button):
        self.simulated.press(button, True)
        time.sleep(0.05)
        self.simulated.press(button, False)

    def lit(self):
        return {i: light for i, light in enumerate(self.simulated.lights(), 1) if light != DARK}

    def phase(self):
        return self.table.referee.standing.phase


@pytest.fixture
def room(tmp_path):
    elf, program = build(tmp_path)
    port = tmp_path / "board"
    with SimulatedBoard(program, elf, port) as simulated, Board(str(port), roller=True) as board:
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
    assert roll.source == "electronic" and roll.dice[0] != roll.dice[1]
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
    room.until(lambda: room.lit() == {start: PALETTE["4"], end: PALETTE["2"]})
    play = legal_plays(table.referee.standing.position, roll.player, roll.dice, first_turn=True)[0]
    table.show(play.after)
    room.until(lambda: room.phase() is Phase.THROW)
    room.until(lambda: room.lit() == {28 - mover: PALETTE["E"]})
    assert of(table.said, e.PlayMade)[0].position == play.after

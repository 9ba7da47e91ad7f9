"""A lossy line: lights and buttons through lost, flipped and doubled bytes, and what must be true of them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from wired import Wired

from firmware_bridge.contact import Pressed
from firmware_bridge.dice import Die
from firmware_bridge.protocol import PALETTE
from firmware_bridge.session import Down
from firmware_bridge.sim.board import SimulatedBoard


@dataclass
class Tally:
    frames: int = 0
    retries: int = 0
    downs: int = 0
    wrong_lights: int = 0  # that nobody had asked for, or older ones after newer
    late: int = 0
    presses: int = 0
    heard: int = 0
    false_events: int = 0
    false_rolls: int = 0


def noisy(elf: Path, program: Path, frames: int, share: float, seed: int) -> Tally:
    """So many lights frames, every seventh with a press of a button. share: of bytes lost, of flipped, of doubled."""
    rng, tally = random.Random(seed), Tally(frames)
    digits = list(PALETTE)[8:15]  # dim: the limiter stays out of it
    with SimulatedBoard(program, elf) as board:
        wired = Wired(board)
        wired.run(0.2)
        board.noise(share, share, share, seed)
        shown, at = [_colours("0" * 28)], 0
        expected: list[tuple[int, int]] = []
        for number in range(frames):
            want = "".join(rng.choices(digits, k=28))
            wired.session.lights(want)
            shown.append(_colours(want))
            if number % 7 == 0:
                button = rng.randrange(2)
                for down in (True, False):
                    board.press(button, down)
                    expected.append((button, int(down)))
                    wired.run(0.02)
            for _ in range(60):
                wired.run(0.01)
                lights = tuple(board.lights())
                if lights == shown[-1]:
                    at = len(shown) - 1
                    break
                if lights in shown[at:]:
                    at = shown.index(lights, at)
                elif lights != shown[0]:  # dark it may fall at any time
                    tally.wrong_lights += 1
            else:
                tally.late += 1
        board.noise(0, 0, 0)
        wired.run(1.5)  # what still waits comes through
        heard = [(p.button, p.state) for p in wired.said if isinstance(p, Pressed) and p.state < 2]
        tally.presses, tally.heard = len(expected), len(heard)
        tally.false_events = sum(a != b for a, b in zip(sorted(heard), sorted(expected), strict=False))
        tally.false_rolls = sum(isinstance(one, Die) for one in wired.said)
        tally.downs = sum(isinstance(one, Down) for one in wired.said)
        tally.retries = wired.session.retries
    return tally


def _colours(digits: str) -> tuple[tuple[int, int, int], ...]:
    return tuple(PALETTE[digit] for digit in digits)

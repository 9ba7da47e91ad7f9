"""Common dice under the camera, as the events of dice that speak for themselves: for the test of dice, not for a match,
where the referee weighs every read."""

from __future__ import annotations

import math

from firmware_bridge.dice import Die, DieState
from nardy_hw.vision.observation import DieReading, Observation

READS = 3
"""Alike and in a row, before a die counts as lying."""

SAME = 12.0
"""Pixels: a die that lies still is read this near its last place. Two dice side by side are a die's width apart."""


class CameraDice:
    """Two dice at most are followed, named 0 and 1 from left to right. Observations come in order of time."""

    def __init__(self) -> None:
        self._lying: list[DieReading] = []
        self._reads = 0
        self._told: list[DieReading] = []

    def hears(self, seen: Observation) -> list[Die]:
        """What the dice say with one more frame. Dice that a hand has only passed over are not thrown again."""
        if not seen.still or seen.hand or not seen.field_found:
            self._reads = 0
            return []
        dice = sorted(seen.dice, key=lambda die: die.centre)
        self._reads = self._reads + 1 if _alike(dice, self._lying) else 1
        self._lying = dice
        if self._reads != READS or _alike(dice, self._told):
            return []
        gone = [Die("camera", str(i), DieState.MOVED, 0, 0) for i in range(len(self._told))]
        self._told = dice if len(dice) == 2 else []
        return [
            *gone,
            *[Die("camera", str(i), DieState.ROLLING) for i in range(len(self._told))],
            *[
                Die("camera", str(i), DieState.STABLE if d.state == "flat" else DieState.TILTED, d.value, _quality(d))
                for i, d in enumerate(self._told)
            ],
        ]


def _alike(dice: list[DieReading], before: list[DieReading]) -> bool:
    return len(dice) == len(before) and all(
        (a.value, a.state) == (b.value, b.state) and math.dist(a.centre, b.centre) < SAME
        for a, b in zip(dice, before, strict=True)
    )


def _quality(die: DieReading) -> int:
    return min(9, int(die.confidence * 10))

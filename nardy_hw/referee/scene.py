"""A scene: the still, hand-free reads between two motions. Nothing moves within it."""

from __future__ import annotations

from collections import deque

from nardy_hw.referee.belief import Evidence
from nardy_hw.referee.margins import AGAIN_SECONDS, KEPT_READS, READS, SETTLED_SECONDS
from nardy_hw.referee.throws import Dice
from nardy_hw.vision.observation import Observation


class Scene:
    """Collects the reads of one scene."""

    def __init__(self, white_is_light: bool) -> None:
        self.dice = Dice()
        self.began = 0.0
        self.reads = 0
        self._white_is_light = white_is_light
        self._kept: deque[Observation] = deque(maxlen=KEPT_READS)
        self._looked: float | None = None

    def add(self, seen: Observation) -> None:
        if not self.reads:
            self.began = seen.t
        self.reads += 1
        self._kept.append(seen)
        self.dice.read(seen.dice)

    @property
    def settled(self) -> bool:
        """Has it stood for long enough to be spoken of?"""
        return self.reads >= READS and self._kept[-1].t - self.began >= SETTLED_SECONDS

    def due(self) -> bool:
        """Is it worth another look? Each time for the reads that are kept, then once in a while."""
        now = self._kept[-1].t
        if not self.settled or (
            self.reads > KEPT_READS and self._looked is not None and now - self._looked < AGAIN_SECONDS
        ):
            return False
        self._looked = now
        return True

    def evidence(self) -> Evidence:
        """What all kept reads together say."""
        return Evidence.of(self._kept, self._white_is_light)

    def each(self) -> list[Evidence]:
        """What each of them says alone."""
        return [Evidence.of((seen,), self._white_is_light) for seen in self._kept]

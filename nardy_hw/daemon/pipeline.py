"""The one loop: frames in, events out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nardy_hw.referee.core import Referee
from nardy_hw.referee.events import Event
from nardy_hw.rules.position import Player
from nardy_hw.vision.eyes import Eyes
from nardy_hw.vision.observation import Observation
from nardy_hw.vision.sources import Frame, Source


@dataclass(frozen=True, slots=True)
class GivenRoll:
    """A throw that is known without the camera (electronic or typed dice). t: seconds in the source's time."""

    t: float
    player: Player
    dice: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One frame, what was seen in it, and what the referee says to it."""

    frame: Frame
    seen: Observation
    events: tuple[Event, ...]


def follow(source: Source, eyes: Eyes, referee: Referee, rolls: Iterable[GivenRoll] = ()) -> Iterator[Step]:
    """Follows a source to its end. The eyes learn from the known start and from each position that a throw confirms.

    Raises SourceError when the source breaks off, SizeMismatch when its frames do not fit the calibration.
    """
    waiting = deque(sorted(rolls, key=lambda roll: roll.t))
    taught = confirmed = False
    last: Step | None = None
    for frame in source:
        seen = eyes.look(frame)
        if not taught and seen.still and seen.field_found and not seen.hand:
            eyes.teach(referee.position.points)
            taught = True
            seen = eyes.read(frame)
        events: list[Event] = []
        while waiting and waiting[0].t <= frame.t:
            given = waiting.popleft()
            events += referee.roll(frame.t, frame.number, given.player, given.dice, "given")
        events += referee.observe(seen)
        if referee.confirmed and not confirmed:  # once a throw: light changes slowly
            eyes.teach(referee.position.points)
        confirmed = referee.confirmed
        if last is not None:
            yield last
        last = Step(frame, seen, tuple(events))
    if last is not None:
        end = tuple(referee.finish(last.frame.t, last.frame.number))
        yield Step(last.frame, last.seen, last.events + end)

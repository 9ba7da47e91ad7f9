"""A match with its record: every event is on disk before anybody hears of it, and what is on disk is gone on with.

Where the disk takes no more, the referee goes on judging and says that it does so without a record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from calibration.file import Calibration
from nardy_hw.errors import InputError, NardyError, PositionError, RefusedError, StoreError
from nardy_hw.record.store import MatchInfo, Store
from nardy_hw.referee import commands as c
from nardy_hw.referee.events import Event, GameStarted
from nardy_hw.referee.match import Agreement, MatchReferee
from nardy_hw.referee.profile import Profile, profile_of
from nardy_hw.referee.seats import Seats
from nardy_hw.vision.eyes import Eyes
from nardy_hw.vision.observation import Observation
from nardy_hw.vision.sources import Frame, Source

RETRY_S = 5.0
"""Between tries to write to a record that took no more, when nothing happens on the board."""


def agreement(info: MatchInfo) -> Agreement:
    """What the players have agreed on, as it was recorded. Raises InputError for a profile that is none."""
    profile = profile_of(info.profile, str(info.profile.get("name", "of the record"))) if info.profile else Profile()
    return Agreement(info.variant, info.length, profile, info.chouette)


class Conduct:
    """One match of the store, new or interrupted. Times of frames and commands count from this start of the program;
    those of the events go on from the last one recorded.

    unsaved: why the last events are not on disk; '' when all are. They are written as soon as that can be done.
    """

    def __init__(self, store: Store, match_id: int, seats: Seats, *, trusted_rolls: bool = False) -> None:
        record = store.match(match_id)
        self.match_id = match_id
        self.info = record.info
        self.referee = MatchReferee(agreement(record.info), seats, record.events, trusted_rolls=trusted_rolls)
        self._store = store
        self._before = record.events[-1].t if record.events else 0.0
        self.unsaved = ""
        self._waiting: list[Event] = []
        self._try_again = 0.0

    def observe(self, seen: Observation) -> Sequence[Event]:
        """As `MatchReferee.observe`, recorded."""
        return self._kept(self.referee.observe(replace(seen, t=seen.t + self._before)), seen.t)

    def perform(self, command: c.Command, t: float, frame: int = 0) -> Sequence[Event]:
        """As `MatchReferee.perform`, recorded. Raises RefusedError."""
        return self._kept(self.referee.perform(command, t + self._before, frame), t)

    def tick(self, t: float) -> Sequence[Event]:
        """As `MatchReferee.tick`, recorded."""
        return self._kept(self.referee.tick(t + self._before), t)

    def finish(self, t: float, frame: int) -> Sequence[Event]:
        """As `MatchReferee.finish`, recorded."""
        return self._kept(self.referee.finish(t + self._before, frame), t)

    def save(self) -> None:
        """Writes what waits. Raises StoreError, with what is not recorded, when that still cannot be done."""
        try:
            self._store.extend(self.match_id, self._waiting)
        except StoreError as error:
            n = len(self._waiting)
            raise StoreError(f"{n} event{'s are' if n > 1 else ' is'} NOT RECORDED: {error}") from None
        self._waiting.clear()
        self.unsaved = ""

    def _kept(self, events: Sequence[Event], t: float) -> Sequence[Event]:
        self._waiting += events
        if self._waiting and (events or t >= self._try_again):
            self._try_again = t + RETRY_S
            try:
                self.save()
            except StoreError as error:
                self.unsaved = str(error)
        return events


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """One frame of a match: what was said to it and to the commands since the last one, and what was refused."""

    frame: Frame
    events: tuple[Event, ...]
    refused: tuple[str, ...]


def conducted(
    source: Source, calibration: Calibration, conduct: Conduct, commands: Callable[[], Iterable[c.Command | NardyError]]
) -> Iterator[Moment]:
    """Follows a source to its end, which may decide the last play. commands: what people have said since it was last
    asked; errors are passed on.

    The eyes learn from each start position and from each position that a throw confirms.
    Raises SourceError when the source breaks off, SizeMismatch.
    """
    referee, eyes = conduct.referee, Eyes(calibration)
    confirmed = swapped = False
    last: Frame | None = None
    for frame in source:
        events: list[Event] = []
        refused: list[str] = []
        for command in commands():
            try:
                if isinstance(command, NardyError):
                    raise command
                events += conduct.perform(command, frame.t, frame.number)
            except (RefusedError, InputError, PositionError) as error:
                refused.append(str(error))
        if referee.swapped is not swapped:
            swapped = referee.swapped
            eyes.sit(calibration.layout.opposite if swapped else calibration.layout)
        events += conduct.observe(eyes.look(frame))
        begun = any(isinstance(event, GameStarted) for event in events)
        if begun or (referee.confirmed and not confirmed):
            eyes.teach(referee.position.points)
        confirmed = referee.confirmed
        yield Moment(frame, tuple(events), tuple(refused))
        last = frame
    if last is not None and (end := conduct.finish(last.t, last.number)):
        yield Moment(last, tuple(end), ())

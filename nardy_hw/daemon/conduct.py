"""A match with its record: every event is on disk before anybody hears of it, and what is on disk is gone on with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nardy_hw.record.store import MatchInfo, Store
from nardy_hw.referee import commands as c
from nardy_hw.referee.events import Event
from nardy_hw.referee.match import Agreement, MatchReferee
from nardy_hw.referee.profile import Profile, profile_of
from nardy_hw.referee.seats import Seats
from nardy_hw.vision.observation import Observation


def agreement(info: MatchInfo) -> Agreement:
    """What the players have agreed on, as it was recorded. Raises InputError for a profile that is none."""
    profile = profile_of(info.profile, str(info.profile.get("name", "of the record"))) if info.profile else Profile()
    return Agreement(info.variant, info.length, profile, info.chouette)


class Conduct:
    """One match of the store, new or interrupted. Times of frames and commands count from this start of the program;
    those of the events go on from the last one recorded.

    Raises StoreError when an event cannot be kept: nobody has heard of it then.
    """

    def __init__(self, store: Store, match_id: int, seats: Seats, *, trusted_rolls: bool = False) -> None:
        record = store.match(match_id)
        self.match_id = match_id
        self.info = record.info
        self.referee = MatchReferee(agreement(record.info), seats, record.events, trusted_rolls=trusted_rolls)
        self._store = store
        self._before = record.events[-1].t if record.events else 0.0

    def observe(self, seen: Observation) -> Sequence[Event]:
        """As `MatchReferee.observe`, recorded."""
        return self._kept(self.referee.observe(replace(seen, t=seen.t + self._before)))

    def perform(self, command: c.Command, t: float, frame: int = 0) -> Sequence[Event]:
        """As `MatchReferee.perform`, recorded. Raises RefusedError."""
        return self._kept(self.referee.perform(command, t + self._before, frame))

    def tick(self, t: float) -> Sequence[Event]:
        """As `MatchReferee.tick`, recorded."""
        return self._kept(self.referee.tick(t + self._before))

    def _kept(self, events: Sequence[Event]) -> Sequence[Event]:
        self._store.extend(self.match_id, events)
        return events

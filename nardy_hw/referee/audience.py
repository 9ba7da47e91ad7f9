"""Who may hear what: the director hears everything, the table what its mode and its manners let it hear (A26)."""

from __future__ import annotations

from nardy_hw.referee import events as e
from nardy_hw.referee.profile import Profile

HELP = (e.WarningGiven, e.Announced)
"""What helps a player in his turn: in club and training mode alone."""

CALLS = (e.ViolationSeen, e.Unsure, e.NoRoll, e.DiceDiffer)
"""What says of a play or a throw that it is wrong, or may be."""


class Audience:
    """The players' side of a match, for every surface that they can see or hear: page, lights, voice."""

    def __init__(self, profile: Profile) -> None:
        self._helps = profile.mode in ("club", "training")
        self._calls = profile.mode != "silent" and profile.announce == "always"
        self._on_request = profile.mode != "silent" and profile.announce == "on_request"
        self._kept: e.ViolationSeen | None = None

    def hears(self, event: e.Event) -> list[e.Event]:
        """What the players are told of one event."""
        match event:
            case e.Asked() if self._kept is not None and self._on_request:
                kept, self._kept = self._kept, None
                return [event, kept]
            case e.ViolationSeen() if not self._calls:
                self._kept = event
                return []
            case e.NoRoll() if self._on_request:
                return [event]  # a throw must be good before anybody can play
            case e.Stands() if not self._calls:
                self._kept = None
                return [e.Started(t=event.t, frame=event.frame, position=event.position)]  # as it lies there
            case e.Roll() | e.PlayMade() | e.SetByHand():
                self._kept = None
        if isinstance(event, HELP) and not self._helps:
            return []
        return [] if isinstance(event, CALLS) and not self._calls else [event]

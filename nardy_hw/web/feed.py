"""The hub between the referee's thread and the page: one side writes and never waits, the other reads and listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock

from nardy_hw.referee.core import State
from nardy_hw.referee.events import Event
from nardy_hw.rules.position import Player, Variant
from nardy_hw.web.layout import WhiteHome
from nardy_hw.web.view import Table, View, begin, reduce


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The view at one moment. version rises with each change; picture counts the camera's pictures, 0 = none yet.

    lights: colours (#rrggbb, '' = dark) of the board's 28, () where there is no board of lights.
    """

    view: View
    version: int
    picture: int
    lights: tuple[str, ...] = ()


class Feed:
    """Thread-safe. Holds the latest view and the latest picture, nothing older."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._now = Snapshot(View(), 0, 0)
        self._jpeg: bytes | None = None
        self._listeners: tuple[Callable[[], None], ...] = ()

    def begin(
        self,
        title: str,
        variant: Variant,
        names: tuple[str, str] = ("White", "Black"),
        white_home: WhiteHome = "near-right",
        *,
        white_is_light: bool = True,
        turn: Player | None = None,
    ) -> None:
        """A game is to be followed. turn: who throws first, None = the opening throw decides."""
        self._change(
            lambda view: begin(Table(title, names, white_home, white_is_light, turn, view.table.lights), variant)
        )

    def push(self, event: Event) -> None:
        self._change(lambda view: reduce(view, event))

    def set_state(self, word: str) -> None:
        """The referee's state word; ValueError for one that is none."""
        state = State(word)
        if state is not self._now.view.state:
            self._change(lambda view: replace(view, state=state))

    def set_notice(self, text: str) -> None:
        """As `View.notice`; '' takes it away."""
        if text != self._now.view.notice:
            self._change(lambda view: replace(view, notice=text))

    def set_picture(self, jpeg: bytes) -> None:
        with self._lock:
            self._jpeg = jpeg
            self._now = replace(self._now, picture=self._now.picture + 1)
        self._ring()

    def set_lights(self, colours: tuple[str, ...]) -> None:
        """As `Snapshot.lights`, in the board's order: points 1 to 24, White's and Black's bar, their trays."""
        if colours == self._now.lights:
            return
        if not self._now.view.table.lights:
            self._change(lambda view: replace(view, table=replace(view.table, lights=True)))
        with self._lock:
            self._now = replace(self._now, lights=colours)
        self._ring()

    @property
    def now(self) -> Snapshot:
        return self._now

    @property
    def picture(self) -> bytes | None:
        """The latest camera picture, JPEG."""
        return self._jpeg

    @contextmanager
    def listening(self, ring: Callable[[], None]) -> Iterator[None]:
        """Calls `ring` after each change, in the writer's thread: it must return at once and never raise."""
        with self._lock:
            self._listeners = (*self._listeners, ring)
        try:
            yield
        finally:
            with self._lock:
                self._listeners = tuple(other for other in self._listeners if other != ring)

    def _change(self, step: Callable[[View], View]) -> None:
        with self._lock:
            self._now = replace(self._now, view=step(self._now.view), version=self._now.version + 1)
        self._ring()

    def _ring(self) -> None:
        for ring in self._listeners:
            ring()

"""The open event streams of viewers. However many watch, a change costs the referee's thread one call."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from nardy_hw.web.feed import Feed
from nardy_hw.web.page import parts

KEEP_ALIVE = 15.0
"""Seconds. Phones' networks drop a silent connection after 30 s at the earliest."""
RETRY = 1000
"""Milliseconds after which a browser that lost the line tries again."""


class Streams:
    """Messages for each viewer: the view, the newest picture's number, the lights. A slow one skips some."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self._closed = False
        self._written = (-1, "")

    @asynccontextmanager
    async def lifespan(self, _app: Any) -> AsyncIterator[None]:
        """Follows the feed while the application runs."""
        self._loop = asyncio.get_running_loop()
        self._closed = False
        with self._feed.listening(self._ring):
            yield
        self._loop = None

    def close(self) -> None:
        """Ends every stream. From any thread, at any time."""
        self._closed = True
        self._ring()

    async def messages(self) -> AsyncIterator[str]:
        """Server-sent events, the current view first.

        A view is the whole table, so a viewer who comes back needs no more than the current one, whatever his
        Last-Event-ID says.
        """
        yield f"retry: {RETRY}\n\n"
        version = picture = -1
        lights: tuple[str, ...] = ()
        while not self._closed:
            changed, now = self._changed, self._feed.now  # in this order, or a change between them would be missed
            if now.version != version:
                version = now.version
                yield self._view()
            if now.picture != picture:
                picture = now.picture
                yield f"event: picture\ndata: {picture}\n\n"
            if now.lights != lights:
                lights = now.lights
                yield f"event: lights\ndata: {json.dumps(lights)}\n\n"
            try:
                await asyncio.wait_for(changed.wait(), KEEP_ALIVE)
            except TimeoutError:
                yield ": still here\n\n"

    def _view(self) -> str:
        """The current view's message, written once for all viewers."""
        now = self._feed.now
        if self._written[0] != now.version:
            data = json.dumps(parts(now.view), ensure_ascii=False)
            self._written = now.version, f"event: view\nid: {now.version}\ndata: {data}\n\n"
        return self._written[1]

    def _ring(self) -> None:
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop has just been closed: nobody is watching
                loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

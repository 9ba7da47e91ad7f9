"""The page beside a running game: tells the web what happens, and serves it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import cv2
import numpy as np

from calibration.field import Picture
from calibration.file import Calibration
from nardy_hw.record.store import MatchInfo
from nardy_hw.referee.core import State
from nardy_hw.referee.events import Event
from nardy_hw.rules.position import Player
from nardy_hw.web.app import create_app
from nardy_hw.web.feed import Feed
from nardy_hw.web.server import Server

WIDTH = 640
"""Pixels of the camera picture on the page: about 30 kB each."""


class Page:
    """A context that serves the page, or does nothing where there is none. address: where it is, or ''."""

    def __init__(self, feed: Feed | None, server: Server | None, address: str) -> None:
        self._feed, self._server, self.address = feed, server, address

    @classmethod
    def open(cls, port: int | None) -> Self:
        """Serves on 127.0.0.1; port None serves nothing. Raises NardyError when the port is taken."""
        if port is None:
            return cls(None, None, "")
        feed = Feed()
        server = Server(create_app(feed), "127.0.0.1", port)
        server.start()
        return cls(feed, server, server.url)

    def begin(self, title: str, info: MatchInfo, calibration: Calibration, turn: Player | None) -> None:
        """A game begins: who plays, and how the board lies."""
        if self._feed:
            names, light = (info.white, info.black), calibration.white == "light"
            self._feed.begin(title, info.variant, names, info.white_home, white_is_light=light, turn=turn)

    def push(self, event: Event) -> None:
        if self._feed:
            self._feed.push(event)

    def show(self, picture: Picture, state: State, notice: str = "") -> None:
        """The state word, what everybody must know beside it, and the camera's picture."""
        if self._feed is None:
            return
        self._feed.set_state(str(state))
        self._feed.set_notice(notice)
        scale = WIDTH / picture.shape[1]
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
        ok, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])
        if ok:
            self._feed.set_picture(np.asarray(jpeg).tobytes())

    def lights(self, colours: Sequence[tuple[int, int, int]]) -> None:
        """Red, green and blue of the board's lights, 0..255 as driven; shown as bright as they look."""
        if self._feed:
            self._feed.set_lights(tuple("#" + "".join(map(_seen, c)) if any(c) else "" for c in colours))

    def close(self) -> None:
        if self._server:
            self._server.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _seen(value: int) -> str:
    """Two hex digits. A light is driven in proportion, a screen by the power of 2.2."""
    return f"{round(255 * float(value / 255) ** (1 / 2.2)):02x}"

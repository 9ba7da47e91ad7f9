from __future__ import annotations

from collections.abc import Iterator

import pytest
from scenes import BEFORE, SHORT, started

from nardy_hw.web.app import create_app
from nardy_hw.web.feed import Feed
from nardy_hw.web.server import Server


@pytest.fixture
def feed() -> Feed:
    """A table whose game has begun."""
    feed = Feed()
    feed.begin("Table 3", SHORT, ("Aigerim", "Jonas"))
    feed.push(started(BEFORE))
    return feed


@pytest.fixture
def server(feed: Feed) -> Iterator[Server]:
    """The page of `feed`, served on a free port."""
    server = Server(create_app(feed), port=0)
    server.start()
    yield server
    server.stop()

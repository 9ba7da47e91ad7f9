"""The application on a real port: event streams, start and stop."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import httpx
import pytest
from scenes import REPAIR, jpeg, play, roll, violation

from nardy_hw.errors import NardyError
from nardy_hw.web.app import create_app
from nardy_hw.web.feed import Feed
from nardy_hw.web.page import PARTS
from nardy_hw.web.server import Server

Message = dict[str, str]


@contextmanager
def watching(server: Server, **headers: str) -> Iterator[Iterator[Message]]:
    """A viewer's stream, as messages of `event`, `id`, `data`."""
    with httpx.stream("GET", server.url + "events", headers=headers, timeout=10) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        yield messages(answer)


def messages(answer: httpx.Response) -> Iterator[Message]:
    fields: Message = {}
    for line in answer.iter_lines():
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "event" in fields:
            yield fields
            fields = {}
        else:
            fields = {}


def test_the_current_view_comes_at_once_and_then_each_change(server: Server, feed: Feed) -> None:
    with watching(server) as stream:
        first = next(stream)
        assert (first["event"], first["id"]) == ("view", str(feed.now.version))
        assert set(json.loads(first["data"])) == set(PARTS)
        assert next(stream) == {"event": "picture", "data": "0"}
        feed.push(roll())
        assert "Reading" in json.loads(next(stream)["data"])["status"]
        feed.push(violation())
        message = next(stream)
        view = json.loads(message["data"])
        assert message["id"] == str(feed.now.version)
        assert "Illegal play" in view["status"]
        assert REPAIR in view["calls"]
        assert 'data-mark="9"' in view["table"]
        feed.set_picture(jpeg())
        assert next(stream) == {"event": "picture", "data": "1"}


@pytest.mark.parametrize("last", ["1", "0", "999999", "-1", "not a number", "1; drop", "9" * 400])
def test_whoever_comes_back_gets_the_current_view(server: Server, feed: Feed, last: str) -> None:
    feed.push(roll())
    with watching(server, **{"Last-Event-ID": last}) as stream:
        message = next(stream)
        assert message["id"] == str(feed.now.version)
        assert "Reading" in json.loads(message["data"])["status"]


def test_a_view_is_one_line_of_data(server: Server, feed: Feed) -> None:
    feed.push(violation(text="one\ntwo\r\nevent: forged"))
    with watching(server) as stream:
        assert "forged" in json.loads(next(stream)["data"])["status"]
        assert next(stream)["event"] == "picture"


def test_many_viewers_see_the_same(server: Server, feed: Feed) -> None:
    seen: list[str] = []

    def watch() -> None:
        with watching(server) as stream:
            seen.append(next(m["data"] for m in stream if m["event"] == "view" and "bar/21" in m["data"]))

    viewers = [Thread(target=watch) for _ in range(8)]
    for viewer in viewers:
        viewer.start()
    feed.push(roll())
    feed.push(play())
    for viewer in viewers:
        viewer.join()
    assert len(seen) == 8
    assert len(set(seen)) == 1


def test_stop_ends_open_streams(server: Server) -> None:
    with watching(server) as stream:
        next(stream)
        server.stop()
        assert [m["event"] for m in stream] in ([], ["picture"])  # the stream ends, it does not break off
    with pytest.raises(httpx.ConnectError):
        httpx.get(server.url)


def test_stop_twice_and_start_again(server: Server) -> None:
    server.stop()
    server.stop()
    server.start()
    with watching(server) as stream:
        assert next(stream)["event"] == "view"


def test_stop_before_start(feed: Feed) -> None:
    Server(create_app(feed), port=0).stop()


def test_taken_port(feed: Feed) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(NardyError) as caught:
            Server(create_app(feed), port=port).start()
    said = str(caught.value)
    assert said.startswith(f"the page cannot be served at 127.0.0.1:{port}: ")
    assert "in use" in said.lower()
    assert "\n" not in said


@pytest.mark.parametrize(("host", "port"), [("no-such-host.invalid", 0), ("127.0.0.1", 70000), ("192.0.2.1", 0)])
def test_address_that_cannot_be_had(feed: Feed, host: str, port: int) -> None:
    with pytest.raises(NardyError, match="the page cannot be served at"):
        Server(create_app(feed), host, port).start()


def test_url_of_ipv6() -> None:
    assert Server(create_app(Feed()), "::1", 8080).url == "http://[::1]:8080/"

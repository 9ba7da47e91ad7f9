"""Routes, headers and refusals, in process."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx
import pytest
from scenes import BEFORE, REPAIR, SHORT, TEXT, jpeg, play, roll, violation
from starlette.applications import Starlette

from nardy_hw.web.app import create_app
from nardy_hw.web.feed import Feed
from nardy_hw.web.guard import HEADERS


class Client:
    """Asks the application in process, as if the connection had come in on the address of `base`."""

    def __init__(self, app: Starlette, base: str = "http://192.168.1.5") -> None:
        self._app = app
        self._base = base

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            async with httpx.AsyncClient(transport=httpx.ASGITransport(self._app), base_url=self._base) as client:
                return await client.request(method, path, **options)

        return asyncio.run(ask())

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)


@pytest.fixture
def client(feed: Feed) -> Client:
    return Client(create_app(feed, hosts=["nardy.local"]))


def test_page_shows_the_table(client: Client, feed: Feed) -> None:
    feed.push(roll())
    feed.push(violation())
    html = client.get("/").text
    for text in ("Table 3", "Aigerim", "Jonas", "Short nardy", "Illegal play", "4-4", TEXT, REPAIR, "rule S13", "1:05"):
        assert text in html
    assert 'data-mark="13"' in html


def test_page_before_any_game() -> None:
    html = Client(create_app(Feed())).get("/").text
    assert "nardy referee" in html
    assert "Opening throw" in html
    assert "No calls so far." in html
    assert "/camera.jpg" not in html


def test_last_play_is_shown(client: Client, feed: Feed) -> None:
    feed.push(roll())
    feed.push(play())
    assert "4-4: bar/21 24/20 6/2(2)" in client.get("/").text


def test_names_are_text_only(client: Client, feed: Feed) -> None:
    feed.begin("<script>alert(1)</script>", SHORT, ("<img src=x onerror=alert(1)>", "\"'&"))
    html = client.get("/").text
    assert "<script>alert" not in html
    assert "<img src=x" not in html
    assert html.count("&lt;img src=x onerror=alert(1)&gt;") >= 2  # the seat and the board's label


def test_state(client: Client, feed: Feed) -> None:
    feed.push(roll())
    answer = client.get("/api/v1/state").json()
    assert answer["version"] == feed.now.version
    assert answer["state"] == "reading"
    assert answer["players"] == {"white": "Aigerim", "black": "Jonas"}
    assert answer["position"] == BEFORE.to_json()
    assert answer["roll"] == {"player": "white", "dice": [4, 4]}


def test_camera(client: Client, feed: Feed) -> None:
    none = client.get("/camera.jpg")
    assert none.status_code == 503
    assert none.text == "The camera has given no picture yet.\n"
    feed.set_picture(jpeg())
    some = client.get("/camera.jpg?17")
    assert (some.status_code, some.headers["content-type"]) == (200, "image/jpeg")
    assert some.content == feed.picture
    assert some.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/api/v1/state", 200),
        ("GET", "/camera.jpg", 503),
        ("GET", "/static/page.css", 200),
        ("GET", "/static/page.js", 200),
        ("GET", "/static/icon.svg", 200),
        ("GET", "/nowhere", 404),
        ("GET", "/static/none.css", 404),
        ("GET", "/static/../app.py", 404),
        ("GET", "/static/%2e%2e/app.py", 404),
        ("GET", "/api/v2/state", 404),
        ("POST", "/", 405),
        ("DELETE", "/camera.jpg", 405),
        ("PUT", "/api/v1/state", 405),
        ("POST", "/events", 405),
        ("POST", "/static/page.js", 405),
    ],
)
def test_every_answer_is_plain_and_guarded(client: Client, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    if status >= 400:
        assert answer.headers["content-type"].startswith("text/plain")
        assert "Traceback" not in answer.text


def test_nothing_inline_and_nothing_from_outside(client: Client, feed: Feed) -> None:
    feed.push(roll())
    feed.push(violation())
    html = client.get("/").text
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*src=)", html)
    assert not re.search(r"(?:src|href)=\"(?!/[^/])", html)
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    for name in ("page.css", "page.js"):
        assert "://" not in client.get(f"/static/{name}").text


def test_page_weighs_little(client: Client, feed: Feed) -> None:
    """The whole page without the camera's picture stays below 150 kB, with a full list of calls."""
    for _ in range(100):
        feed.push(roll())
        feed.push(violation())
        feed.push(play())
    assert sum(len(client.get(path).content) for path in ("/", "/static/page.css", "/static/page.js")) < 150_000


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost", True),
        ("localhost:8080", True),
        ("LocalHost.", True),
        ("127.0.0.1:8080", True),
        ("127.8.9.1", True),
        ("[::1]:8080", True),
        ("192.168.1.5", True),  # the address the connection came in on
        ("192.168.1.5:80", True),
        ("nardy.local", True),
        ("NARDY.local:8080", True),
        ("192.168.1.6", False),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("nardy.local.evil.example", False),
        ("[::2]", False),
        ("", False),
        ("@localhost", False),
    ],
)
def test_only_known_hosts(client: Client, host: str, known: bool) -> None:
    for path in ("/", "/api/v1/state"):
        answer = client.get(path, headers={"host": host})
        assert answer.status_code == (200 if known else 400)
        if not known:
            assert "not served under that name" in answer.text
            assert answer.headers["content-security-policy"]

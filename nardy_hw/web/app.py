"""The web application: the page, its events, the camera's picture, the state as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from nardy_hw.web.feed import Feed
from nardy_hw.web.guard import KnownHost, SafeHeaders
from nardy_hw.web.page import page
from nardy_hw.web.streams import Streams
from nardy_hw.web.view import as_json

LATEST = {"Cache-Control": "no-store"}


def create_app(feed: Feed, hosts: Iterable[str] = ()) -> Starlette:
    """The application over a feed. hosts: names, beside loopback and the address listened on, that it answers to."""
    streams = Streams(feed)

    async def show(_: Request) -> Response:
        return HTMLResponse(page(feed.now), headers=LATEST)

    async def events(_: Request) -> Response:
        return StreamingResponse(streams.messages(), media_type="text/event-stream", headers=LATEST)

    async def camera(_: Request) -> Response:
        jpeg = feed.picture
        if jpeg is None:
            return PlainTextResponse("The camera has given no picture yet.\n", 503, headers=LATEST)
        return Response(jpeg, media_type="image/jpeg", headers=LATEST)

    async def state(_: Request) -> Response:
        now = feed.now
        return JSONResponse({"version": now.version, "picture": now.picture} | as_json(now.view), headers=LATEST)

    app = Starlette(
        routes=[
            Route("/", show),
            Route("/events", events),
            Route("/camera.jpg", camera),
            Route("/api/v1/state", state),
            Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
        ],
        middleware=[Middleware(SafeHeaders), Middleware(KnownHost, hosts=tuple(hosts))],
        lifespan=streams.lifespan,
    )
    app.state.streams = streams
    return app

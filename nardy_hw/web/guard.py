"""What keeps a stranger's page from reading ours: which names we answer to, and the headers of every answer."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    # everything from here and nothing inline: text that got past the templates' escaping still could not run
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class SafeHeaders:
    """Adds HEADERS to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


class KnownHost:
    """Answers only to loopback names, the address that the connection came in on, and `hosts`.

    A name that an attacker points at this machine (DNS rebinding) is none of these: refused with 400.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self._app = app
        self._names = {"localhost", *(host.lower() for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._known(scope):
            refused = PlainTextResponse("This page is not served under that name. Use the machine's address.\n", 400)
            await refused(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _known(self, scope: Scope) -> bool:
        name = _name(Headers(scope=scope).get("host", ""))
        server = scope.get("server")
        return name in self._names or (server is not None and name == server[0].lower()) or _is_loopback(name)


def _name(host: str) -> str:
    """A Host header without its port, brackets and closing dot, lower case."""
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    return name.removesuffix(".").lower()


def _is_loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False

"""The application on a port, in a thread of its own."""

from __future__ import annotations

import socket
from threading import Thread

import uvicorn
from starlette.applications import Starlette

from nardy_hw.errors import NardyError

GRACE = 1
"""Seconds that answers under way have when the server stops; event streams end by themselves at once."""


class Server:
    """Serves `create_app`'s application. port 0 takes a free one; `url` names it."""

    def __init__(self, app: Starlette, host: str = "127.0.0.1", port: int = 8080) -> None:
        self._app = app
        self._host = host
        self._port = port
        self._uvicorn: uvicorn.Server | None = None
        self._thread: Thread | None = None

    @property
    def url(self) -> str:
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self._port}/"

    def start(self) -> None:
        """Listens from the moment it returns. Raises NardyError when the address cannot be had."""
        listening = self._listen()
        self._port = listening.getsockname()[1]
        config = uvicorn.Config(
            self._app,
            http="h11",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE,
        )
        self._uvicorn = uvicorn.Server(config)
        self._thread = Thread(target=self._uvicorn.run, args=([listening],), name="web", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the open streams and the thread; twice is fine."""
        if self._uvicorn is None or self._thread is None:
            return
        self._uvicorn.should_exit = True
        self._app.state.streams.close()
        self._thread.join()
        self._uvicorn = self._thread = None

    def _listen(self) -> socket.socket:
        if not 0 <= self._port <= 65535:
            raise NardyError(f"the page cannot be served at port {self._port}; choose one from 1 to 65535")
        try:
            family, _, _, _, address = socket.getaddrinfo(self._host, None, type=socket.SOCK_STREAM)[0]
            return socket.create_server((str(address[0]), self._port), family=family)
        except OSError as error:
            where, why = f"{self._host}:{self._port}", str(error.strerror).partition(" (")[0]
            raise NardyError(f"the page cannot be served at {where}: {why}; free the port or choose another") from None

"""Reads that may hang: a camera whose driver or cable has gone answers never."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

SECONDS = 5.0
"""Without a picture, after which a camera has stalled: the longest exposure of a Pi camera in a dark room is 1 s, and a
USB camera takes up to 3 s for its first picture."""


class Stalled(Exception):
    """No answer in time."""


class Deadline(Generic[T]):
    """Calls `read` in a thread of its own, left behind should it hang. Raises Stalled, or what `read` raises."""

    def __init__(self, read: Callable[[], T]) -> None:
        self._read = read
        self._asked: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[T | Exception] = queue.SimpleQueue()
        self.hangs = False
        threading.Thread(target=self._work, daemon=True).start()

    def __call__(self) -> T:
        self._asked.put(True)
        try:
            answer = self._answers.get(timeout=SECONDS)
        except queue.Empty:
            self.hangs = True
            raise Stalled from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        """Lets the thread end."""
        self._asked.put(False)

    def _work(self) -> None:
        while self._asked.get():
            try:
                answer: T | Exception = self._read()
            except Exception as error:  # handed on to whoever asked
                answer = error
            self._answers.put(answer)

"""A button's contact, that bounces: pressed, released and held long, as the board's firmware tells them. Sans-I/O."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.protocol import TIMES

DEBOUNCE, LONG = TIMES["debounce"], TIMES["long_press"]


@dataclass(frozen=True, slots=True)
class Pressed:
    """button: 0 White's, 1 Black's. state: 1 pressed, 0 released, 2 held long. ms: its own device's time."""

    button: int
    state: int
    ms: int


class Contact:
    """One button. down: how it stands when nobody has touched it yet."""

    def __init__(self, button: int) -> None:
        self._button = button
        self.down = False
        self._since = self._changed = 0
        self._changing = self._long = False

    def restart(self) -> None:
        """Time begins anew. A button that is down stays so, and is not told as held: nobody knows for how long."""
        self._changing, self._long = False, self.down

    @property
    def waits(self) -> bool:
        """Will it have something to say without a new edge?"""
        return self._changing or (self.down and not self._long)

    def sample(self, down: bool, ms: int) -> list[Pressed]:
        """How the contact stands now. Milliseconds that only grow."""
        if down == self.down:
            self._changing = False
            if down and not self._long and ms - self._since >= LONG:
                self._long = True
                return [Pressed(self._button, 2, ms)]
            return []
        if not self._changing:
            self._changing, self._changed = True, ms
        if ms - self._changed < DEBOUNCE - 1:  # the first of ten samples that are alike
            return []
        self.down, self._since, self._changing, self._long = down, ms, False, False
        return [Pressed(self._button, int(down), ms)]

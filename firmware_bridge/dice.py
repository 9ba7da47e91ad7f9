"""Dice that say themselves how they lie: one event, whoever carries it, and when two of them are a throw. Sans-I/O."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Source = Literal["roller", "module", "ble", "camera"]
"""The board's own roller, dice modules on the board's I2C, Bluetooth dice, and the camera's reading of common dice."""


class DieState(StrEnum):
    """Only a stable die counts: tilted lies against something, moved was laid, nudged or taken, not thrown."""

    ROLLING = "rolling"
    STABLE = "stable"
    TILTED = "tilted"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Die:
    """What one die says. name: which of its source's dice. face: 1..6, 0 unknown. quality: 0..9, how sure it is."""

    source: Source
    name: str
    state: DieState
    face: int = 0
    quality: int = 9


class Pair:
    """Two dice of one source, until they are a throw: both have rolled, and both lie, neither tilted nor touched since.

    names: the dice in order, the first is White's where each player throws one (S4, L3); () = the first two that speak,
    in the order of their names. A third die is not heard.
    """

    def __init__(self, names: tuple[str, ...] = ()) -> None:
        self._names = names
        self._known = set(names)
        self._rolled: set[str] = set()
        self._faces: dict[str, int] = {}
        self._tilted: set[str] = set()

    @property
    def void(self) -> bool:
        """Does a die lie tilted, so that both are thrown again (R2)?"""
        return bool(self._tilted)

    def hears(self, die: Die) -> tuple[int, int] | None:
        """The throw, when this is the word that completes it."""
        if die.name not in self._known:
            if len(self._known) == 2:
                return None
            self._known.add(die.name)
            self._names = tuple(sorted(self._known))
        self._faces.pop(die.name, None)
        self._tilted.discard(die.name)
        match die.state:
            case DieState.ROLLING:
                self._rolled.add(die.name)
            case DieState.TILTED:
                self._tilted.add(die.name)
                self.clear()
            case DieState.MOVED:
                self._rolled.discard(die.name)
            case DieState.STABLE if die.name in self._rolled and 1 <= die.face <= 6:
                self._faces[die.name] = die.face
        if len(self._faces) < 2:
            return None
        one, two = (self._faces[name] for name in self._names)
        self.clear()
        return one, two

    def clear(self) -> None:
        """Whatever was thrown so far is not part of the next throw."""
        self._rolled.clear()
        self._faces.clear()

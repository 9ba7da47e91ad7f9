"""Who sits where, and whose checkers are the light ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nardy_hw.rules.position import Player

Half = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Seats:
    """white_half: the half of the picture that is White's right-hand half, where he throws (R1)."""

    white_half: Half = "right"
    white_is_light: bool = True

    def half(self, player: Player) -> Half:
        if player is Player.WHITE:
            return self.white_half
        return "left" if self.white_half == "right" else "right"

    def thrower(self, half: Half) -> Player:
        return Player.WHITE if half == self.white_half else Player.BLACK

"""Where points, bar and trays lie in the drawing, as the camera sees the board: the near side is at the bottom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from nardy_hw.rules.position import BAR, OFF, Player, Variant, own_point

WhiteHome = Literal["near-right", "near-left", "far-right", "far-left"]
WHITE_HOMES: tuple[WhiteHome, ...] = get_args(WhiteHome)

# Units of the drawing. A point is 64 wide, so that on a phone of 360 px a checker is 21 px and the numbers are 10 px.
POINT = 64
RADIUS = 30
DEPTH = 5
"""Checkers drawn on one point; more are said by a number."""
STACK = 2 * RADIUS * DEPTH
GAP = 112
SIDE = 20
RAIL = 46
TRAY = 72
FIELD_WIDTH = 13 * POINT
FIELD_HEIGHT = 2 * STACK + GAP
WIDTH = 3 * SIDE + FIELD_WIDTH + TRAY
HEIGHT = 2 * RAIL + FIELD_HEIGHT
NEAR = HEIGHT - RAIL
FAR = RAIL
MIDDLE = HEIGHT / 2
SLAB = 17
"""Thickness of a checker on its edge in the tray: 15 of them fill a stack's length."""

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Layout:
    """The drawing's places for one `white_home`: the quarter where White's points 1-6 lie. White sits at that side."""

    white_home: WhiteHome = "near-right"

    def __post_init__(self) -> None:
        if self.white_home not in WHITE_HOMES:
            raise ValueError(f"white_home is one of {', '.join(WHITE_HOMES)}, not {self.white_home!r}")

    @property
    def home_right(self) -> bool:
        return self.white_home.endswith("right")

    @property
    def white_near(self) -> bool:
        return self.white_home.startswith("near")

    def sits_near(self, player: Player) -> bool:
        return self.white_near is (player is Player.WHITE)

    @property
    def left(self) -> float:
        """Left edge of the field; the trays stand on the side of White's home."""
        return SIDE if self.home_right else 2 * SIDE + TRAY

    @property
    def tray_left(self) -> float:
        return 2 * SIDE + FIELD_WIDTH if self.home_right else SIDE

    @property
    def bar_left(self) -> float:
        return self.left + 6 * POINT

    def is_near(self, point: int) -> bool:
        """Does the point stand on the near rail?"""
        return self.white_near is (point <= 12)

    def point_left(self, point: int) -> float:
        column = 12 - point if point <= 12 else point - 13
        if not self.home_right:
            column = 11 - column
        return self.left + POINT * (column + (column > 5))

    def checker(self, point: int, index: int) -> Spot:
        """Centre of the index-th checker (0 = at the rail) on a board point 1..24."""
        along = RADIUS + 2 * RADIUS * min(index, DEPTH - 1)
        return self.point_left(point) + POINT / 2, NEAR - along if self.is_near(point) else FAR + along

    def on_bar(self, player: Player, index: int) -> Spot:
        """Centre of a checker on the bar: each player's in the half where it enters, from the middle outwards."""
        along = GAP / 2 + 2 * RADIUS * min(index, DEPTH - 2)
        return self.bar_left + POINT / 2, MIDDLE - along if self.sits_near(player) else MIDDLE + along

    def slab(self, player: Player, index: int) -> Spot:
        """Centre of the index-th checker borne off, on its edge in the tray; each player's own half."""
        along = SLAB * (index + 0.5)
        return self.tray_left + TRAY / 2, NEAR - along if self.sits_near(player) else FAR + along

    def place(self, variant: Variant, player: Player, own: int, index: int) -> Spot:
        """Of a place in the player's own numbering: 25 = bar, 0 = off."""
        if own == BAR:
            return self.on_bar(player, index)
        if own == OFF:
            return self.slab(player, index)
        return self.checker(own_point(variant, player, own), index)

    def light(self, number: int) -> Spot:
        """Centre of a light of the board, counted from 1: beside its point's number, in the rail."""
        if number <= 24:
            return self.point_left(number) + POINT / 2, self._rail(self.is_near(number))
        player = Player.WHITE if number % 2 else Player.BLACK
        x = self.bar_left + POINT / 2 if number <= 26 else self.tray_left + TRAY / 2
        return x, self._rail(self.sits_near(player))

    @staticmethod
    def _rail(near: bool) -> float:
        return NEAR + RAIL / 2 if near else FAR - RAIL / 2

    def throws_right(self, player: Player) -> bool:
        """Does his right-hand half, where he throws (R1), lie right in the picture?"""
        return self.sits_near(player)

    def dice(self, player: Player) -> tuple[Spot, Spot]:
        """Centres of his two dice."""
        middle = self.left + POINT * (10 if self.throws_right(player) else 3)
        return (middle - 50, MIDDLE), (middle + 50, MIDDLE)

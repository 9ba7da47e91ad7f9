"""Where the checkers are: players, variants and the immutable `Position`.

Points are numbered 1..24 from White's side in both games; White moves 24 -> 1. Short: Black moves 1 -> 24.
Long: Black moves 12 -> 1, then 24 -> 13. A player's *own* number counts his way home: 24 -> 1, 25 = bar, 0 = off
(rulebook S2, L1, L2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from nardy_hw.errors import PositionError

CHECKERS = 15
BAR = 25
OFF = 0


class Player(StrEnum):
    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Player:
        return Player.BLACK if self is Player.WHITE else Player.WHITE

    @property
    def side(self) -> int:
        """Index in the (White's, Black's) pairs."""
        return 0 if self is Player.WHITE else 1


class Variant(StrEnum):
    SHORT = "short"
    LONG = "long"


def own_point(variant: Variant, player: Player, point: int) -> int:
    """The player's own number of board point 1..24. Its own inverse in both games (S2, L1)."""
    if player is Player.WHITE:
        return point
    if variant is Variant.SHORT:
        return 25 - point
    return point + 12 if point <= 12 else point - 12


def seen_from(variant: Variant, player: Player, points: Sequence[int]) -> list[int]:
    """The 24 values of `points` in the player's own order 1..24, or back again. Its own inverse, as `own_point`."""
    if player is Player.WHITE:
        return list(points)
    if variant is Variant.SHORT:
        return list(points[::-1])
    return [*points[12:], *points[:12]]


@dataclass(frozen=True, slots=True)
class Position:
    """Checkers on the board; hashable, and valid from the moment it exists.

    points: 24 counts, index 0 = point 1; +n White's, -n Black's checkers.
    bar, off: (White's, Black's) counts.
    Raises PositionError unless each side has 15 checkers, every count fits, and long nardy has an empty bar.
    """

    variant: Variant
    points: tuple[int, ...]
    bar: tuple[int, int] = (0, 0)
    off: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        if len(self.points) != 24:
            raise PositionError(f"a position has 24 points, this one has {len(self.points)}")
        if min(*self.bar, *self.off) < 0:
            raise PositionError("bar and off cannot be negative")
        if self.variant is Variant.LONG and self.bar != (0, 0):
            raise PositionError("long nardy has no bar (rule L5)")
        for index, player in enumerate(Player):
            sign = 1 if player is Player.WHITE else -1
            n = sum(v * sign for v in self.points if v * sign > 0) + self.bar[index] + self.off[index]
            if n != CHECKERS:
                raise PositionError(f"{player} has {n} checkers, not 15 (points, bar and off together)")

    @classmethod
    def trusted(cls, variant: Variant, points: tuple[int, ...], bar: tuple[int, int], off: tuple[int, int]) -> Position:
        """Without the checks, for positions that follow from a valid one by moving checkers: the caller is believed."""
        new, put = object.__new__(cls), object.__setattr__
        put(new, "variant", variant)
        put(new, "points", points)
        put(new, "bar", bar)
        put(new, "off", off)
        return new

    def counts(self, player: Player) -> list[int]:
        """The player's checkers at 0 = off, 1..24 = his own points, 25 = bar."""
        side, sign = player.side, 1 if player is Player.WHITE else -1
        own = [max(0, n * sign) for n in seen_from(self.variant, player, self.points)]
        return [self.off[side], *own, self.bar[side]]

    @classmethod
    def start(cls, variant: Variant) -> Position:
        """The opening position (S3, L1)."""
        points = [0] * 24
        if variant is Variant.SHORT:
            for own, n in ((24, 2), (13, 5), (8, 3), (6, 5)):
                points[own - 1] += n
                points[24 - own] -= n
        else:
            points[23], points[11] = CHECKERS, -CHECKERS
        return cls(variant, tuple(points))

    @classmethod
    def from_json(cls, obj: Any) -> Position:
        """From the JSON object of the command line; raises PositionError with the field that is wrong."""
        if not isinstance(obj, Mapping):
            raise PositionError("a position is an object with variant, points, bar and off")
        try:
            variant = Variant(str(obj.get("variant")))
        except ValueError:
            raise PositionError(f"variant is 'short' or 'long', not {obj.get('variant')!r}") from None
        points = obj.get("points")
        if not isinstance(points, list) or not all(type(v) is int for v in points):
            raise PositionError("points is a list of 24 whole numbers, +n White, -n Black")
        return cls(variant, tuple(points), _pair(obj, "bar"), _pair(obj, "off"))

    def to_json(self) -> dict[str, Any]:
        return {
            "variant": str(self.variant),
            "points": list(self.points),
            "bar": {"white": self.bar[0], "black": self.bar[1]},
            "off": {"white": self.off[0], "black": self.off[1]},
        }


@dataclass(frozen=True, slots=True)
class Placement:
    """What a board can show even where no `Position` may be: both colours on one point, or not 15 a side.

    white, black: 26 counts each at 0 = off, 1..24 = points from White's side, 25 = bar.
    """

    variant: Variant
    white: tuple[int, ...]
    black: tuple[int, ...]

    def __post_init__(self) -> None:
        for counts in (self.white, self.black):
            if len(counts) != 26 or min(counts) < 0:
                raise PositionError("a placement has 26 counts of 0 or more for each player")

    def counts(self, player: Player) -> list[int]:
        """As `Position.counts`."""
        counts = self.white if player is Player.WHITE else self.black
        return [counts[OFF], *seen_from(self.variant, player, counts[1:BAR]), counts[BAR]]

    @property
    def points(self) -> tuple[int, ...]:
        """As `Position.points`; both colours on one point are set off against each other."""
        return tuple(w - b for w, b in zip(self.white[1:BAR], self.black[1:BAR], strict=True))

    def position(self) -> Position | None:
        """The position it is, or None where it is none."""
        white, black = self.white, self.black
        if any(w and b for w, b in zip(white[1:BAR], black[1:BAR], strict=True)):
            return None
        try:
            return Position(self.variant, self.points, (white[BAR], black[BAR]), (white[OFF], black[OFF]))
        except PositionError:
            return None


def _pair(obj: Mapping[str, Any], key: str) -> tuple[int, int]:
    value = obj.get(key, {"white": 0, "black": 0})
    if not isinstance(value, Mapping):
        raise PositionError(f"{key} is an object with white and black")
    pair = value.get("white", 0), value.get("black", 0)
    if not all(type(v) is int for v in pair):
        raise PositionError(f"{key} holds whole numbers")
    return pair

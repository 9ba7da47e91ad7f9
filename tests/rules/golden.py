"""The golden vectors, and positions written by hand, as the package's values."""

import gzip
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from nardy_hw.rules.position import BAR, CHECKERS, Placement, Player, Position, Variant

VECTORS = Path(__file__).parents[1] / "data" / "vectors"


@cache
def records(name: str) -> list[dict[str, Any]]:
    with gzip.open(VECTORS / f"{name}.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


def turns(name: str) -> Iterator[tuple[dict[str, Any], Player]]:
    """Each record with a mover, White and Black by turns, so that both numberings are exercised."""
    for index, record in enumerate(records(name)):
        yield record, (Player.WHITE, Player.BLACK)[index % 2]


def stand(variant: str, white: Mapping[int, int], black: Mapping[int, int]) -> Placement:
    """Checkers at each player's own points, 25 = bar; those left out are off."""

    def counts(player: Player, own: Mapping[int, int]) -> tuple[int, ...]:
        placed = [0] * 26
        for point, n in own.items():
            placed[point if point == BAR else board_point(variant, player, point)] = n
        placed[0] = CHECKERS - sum(own.values())
        return tuple(placed)

    return Placement(Variant(variant), counts(Player.WHITE, white), counts(Player.BLACK, black))


def at(variant: str, white: Mapping[int, int], black: Mapping[int, int]) -> Position:
    """As `stand`, where it is a position."""
    found = stand(variant, white, black).position()
    assert found is not None, "both colours on one point, or more than 15 a side"
    return found


def board_point(variant: str, player: Player, own: int) -> int:
    """Written out again here, from rulebook S2 and L1, so that the tests do not lean on what they test."""
    if player is Player.WHITE:
        return own
    if variant == "short":
        return 25 - own
    return own + 12 if own <= 12 else own - 12


def position(variant: str, text: str, mover: Player) -> Position:
    """From the vectors' strings: the mover's points 1..24, in short nardy between the enemy's bar and his own."""
    values = [0 if c == "-" else ord(c) - 64 if c.isupper() else 96 - ord(c) for c in text]
    enemys_bar, own, bar = (-values[0], values[1:25], values[25]) if variant == "short" else (0, values, 0)
    points = [0] * 24
    for point, n in enumerate(own, 1):
        points[board_point(variant, mover, point) - 1] = n if mover is Player.WHITE else -n
    bars = (bar, enemys_bar) if mover is Player.WHITE else (enemys_bar, bar)
    white = sum(n for n in points if n > 0) + bars[0]
    black = -sum(n for n in points if n < 0) + bars[1]
    return Position(Variant(variant), tuple(points), bars, (CHECKERS - white, CHECKERS - black))

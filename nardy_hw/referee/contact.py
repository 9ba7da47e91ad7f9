"""Can the two sides still meet? (R4)"""

from __future__ import annotations

from nardy_hw.rules.position import BAR, Player, Position, Variant


def contact(position: Position) -> bool:
    """False once no checker can come upon one of the other side's."""
    white = [point for point, n in enumerate(position.counts(Player.WHITE)) if n and point]
    black = [point for point, n in enumerate(position.counts(Player.BLACK)) if n and point]
    if not white or not black:
        return False
    if position.variant is Variant.SHORT:
        return max(white) + max(black) > BAR
    return max(white) > 12 or max(black) > 12

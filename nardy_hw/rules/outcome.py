"""Who has won, and what the game is worth before the cube."""

from __future__ import annotations

from dataclasses import dataclass

from nardy_hw.rules.options import DEFAULT, RuleOptions
from nardy_hw.rules.position import CHECKERS, OFF, Player, Position, Variant


@dataclass(frozen=True, slots=True)
class Outcome:
    """winner: who has borne off 15. points: 1; 2 for a gammon or mars; 3 for a backgammon or home mars."""

    winner: Player
    points: int


def outcome(position: Position, options: RuleOptions = DEFAULT) -> Outcome | None:
    """None while the game goes on (S21, L9)."""
    winner = next((player for player in Player if position.off[player.side] == CHECKERS), None)
    if winner is None:
        return None
    loser = position.counts(winner.other)
    if loser[OFF]:
        return Outcome(winner, 1)
    if position.variant is Variant.LONG:
        return Outcome(winner, 3 if options.home_mars and not any(loser[1:7]) else 2)  # L9, A12
    return Outcome(winner, options.backgammon_value if any(loser[19:]) else 2)  # C2-C4: the bar counts (A16)

"""The rules of short and long nardy: pure values and functions, no I/O, no clock, the standard library alone.

position   Position, Placement, Player, Variant: where the checkers are
options    RuleOptions: the open questions as settings
play       Move, Play
plays      legal_plays, stops               explain    explain -> Verdict: legal, or what is wrong and how to mend it
search     the search behind them           reading, unplayed, misplayed, case, violations: what explain is made of
notation   plays as text                    outcome    who has won, and how much
ids        Position ID, Match ID and XGID (short nardy)
"""

from nardy_hw.rules.explain import Verdict, explain
from nardy_hw.rules.options import RuleOptions
from nardy_hw.rules.outcome import Outcome, outcome
from nardy_hw.rules.play import Move, Play
from nardy_hw.rules.plays import legal_plays, stops
from nardy_hw.rules.position import Placement, Player, Position, Variant
from nardy_hw.rules.violations import Code, Violation

__all__ = [
    "Code",
    "Move",
    "Outcome",
    "Placement",
    "Play",
    "Player",
    "Position",
    "RuleOptions",
    "Variant",
    "Verdict",
    "Violation",
    "explain",
    "legal_plays",
    "outcome",
    "stops",
]

"""The rules of short and long nardy: pure values and functions, no I/O, no clock, the standard library alone.

position   Position, Placement, Player, Variant: where the checkers are
options    RuleOptions: the open questions as settings
play       Move, Play
plays      legal_plays, stops               explain    explain -> Verdict: legal, or what is wrong and how to mend it
search     the search behind them           reading, unplayed, misplayed, case, violations: what explain is made of
notation   plays as text                    outcome    who has won, and how much
ids        Position ID and XGID (short nardy)
"""

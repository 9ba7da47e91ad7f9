"""Every number that the referee's judgement hangs on, with the measurement that chose it.

Scores are natural logs. Measured on the rendered games (tests/bench/replay.py prints them again).
"""

READS = 3
"""Still, hand-free reads of one scene that must agree before anything is said of it."""

SCENE_SECONDS = 0.45
"""And the time that they must span: three frames of a 4-a-second camera, six of a 12-a-second one."""

EVIDENCE_CAP = 2.0
"""Reads of a scene that stands still repeat each other's mistakes: however many, they count as two."""

CHANGE = 3.0
"""Cost of each place that differs from the last confirmed position, when rules are not asked: most checkers stay put."""

ACCUSE = 8.0
"""By how much the best explanation of all must beat every legal one before a play is called illegal."""

ACCEPT = 2.0
"""By how much the best legal result must beat the next one, and may trail the best of all, to be taken at once."""

DRIFT = 12.0
"""By how much the best position of all must beat the confirmed one for the thread to count as lost."""

THROW_FLOOR = -16.0
"""The least log-probability that any other throw keeps after the dice were read: the reader can be sure and wrong."""

UNCHANGED_SECONDS = 6.0
"""How long dice must be gone while nothing was moved though something could be: they may only be hidden."""

ONE_DIE_SECONDS = 1.5
"""The same when one of the two dice is still seen."""

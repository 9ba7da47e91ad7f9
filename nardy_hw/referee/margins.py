"""Every number that the referee's judgement hangs on, in one place. Scores are natural logs.

'Games' are the readings of the four rendered games (100 turns, 20 of them first played wrongly and final so, camera
nudged, board bumped, light changed four times), 'ten games' those and six more of other boards (84 turns), rendered
after every number here was chosen but VALUE_CAP and ROLL_SURE, and read with the weights of today; 'eye' is the
simulated one of the tests (tests/referee/eye.py).
"""

# -- when a scene may be spoken of

READS = 3
"""Still, hand-free reads that a scene needs."""

SETTLED_SECONDS = 0.45
"""The time that they must span: three frames of a 4-a-second camera (0.5 s), fifteen of a 30-a-second one."""

KEPT_READS = 6
"""Reads of one scene that are kept: the latest ones. More of a still picture tell nothing new."""

AGAIN_SECONDS = 1.0
"""After those, a scene that goes on is looked at once in this time."""

# -- what is believed of the checkers

EVIDENCE_CAP = 2.0
"""Reads of a still scene repeat each other's mistakes: however many, they count as two."""

PLACE_FLOOR = -10.0
"""What one place may cost a position at most, all reads together: no place alone shouts everything else down. Games:
the truth cost 6.5 or more in 0 of 4016 empty places, 3 of 1635 blots and pairs, 13 of 945 larger stacks; all but one
of these after a change of light."""

CHANGE = 1.5
"""Cost of each place, for each colour, that differs from the last confirmed position where the rules are not asked:
most checkers stay. A true play changes two to four places, so what ACCUSE asks for is on top of 3 to 6."""

MISSING = 2.0
"""Cost of each checker that is nowhere to be seen and that no legal play takes off: it may rather lie under others.
With 4 a checker taken off too early was seen on top of a stack, with 0 one laid there was seen as taken off."""

MISSING_OTHERS = 8.0
"""The same of the player who waits: nobody takes his away. (A change of light may turn them into the other colour.)"""

MIXED = 3.0
"""Cost of a checker among the other side's: a point of layers is misread so more often than anybody lands there."""

ACCEPT = 3.0
"""By how much a legal result may fit worse than the best of all, and must lead the next legal one, to be taken. Ten
games: true results fit worse by 0.2 at most and led the next one by 8.7 at least."""

ACCUSE = 6.5
"""By how much the best of all must beat every legal one before a play is called illegal. Ten games: 184 legal turns
up to 0.2, 38 illegal ones 6.5 to 38, one -1.5 (a checker under others). Eye, fair: legal up to 3 in 99 of 100."""

ACCUSE_EACH = 2.0
"""By how much it must do so in each single read: a third, as a read weighs half of what a scene may."""

DOUBT = 3.0
"""A place that was misread by this much when its count was known (as the dice fell) is not trusted in that turn. Games:
17 of 6596 places, and nearly always the same ones again in the scenes that followed."""

DOUBTED = 0.25
"""What a place that is not trusted still weighs."""

DRIFT = 8.0
"""By how much another position must beat the confirmed one, before anybody moves, for the thread to count as lost: two
places clearly read, 20 less the cost of change; never one alone, 10 at most."""

REPLACE = 6.0
"""By how much another legal result of the last turn must beat the one that was said, to be said in its place."""

RIVALS = 8
"""Positions that an undecided turn may leave to the next one."""

RIVAL_SPREAD = 8.0
"""And how far behind the best one of them may lie."""

SETUP_DOUBT = 5.0
"""A place that looks otherwise by this much is named before a game: half of what one may cost. It
accuses nobody."""

SETUP_SECONDS = 3.0
"""How long the board must stand still before what is wrong with it is said (A35): checkers are put down one by one."""

# -- what is believed of the dice

DIE_NEAR = 8.0
"""Pixels within which two readings are one die lying still. Readings of a still die scatter by under 2; dice are 18
and more across."""

LYING = 0.6
"""Share of a scene's reads in which a die must be seen: one miss in three is forgiven."""

LEGIBLE = 0.4
"""Mean confidence that a flat die must be read with to be one. Ten games: two of 1002 readings of
true dice are less sure (0.35), all others 0.53 and more; in a blurred game a glint that was read as a 2 at 0.3 kept a
turn open for six throws."""

STATE = 0.8
"""Share of a die's reads that must call it cocked, or on a checker, before the throw is refused."""

VALUE_FLOOR = 1e-4
"""The least probability of a value in one read."""

VALUE_CAP = 1.0
"""Reads of one still die count as this many: they repeat each other's mistakes. With 3 a rendered game of another board
had two legal plays accused, a 3 and a 6 each read four times as another number, at 0.74 and 0.87."""

ROLL_SURE = 0.6
"""Probability of a throw at which it is announced at once; less sure ones wait for KEPT_READS reads. Five games: the
same throws right from 0.4 to 0.6, with 0.8 five of 114 are never announced."""

THROW_POSSIBLE = -6.2
"""Log-probability (1 in 500) down to which another throw than the best excuses a play that it makes legal."""

THROW_LIKELY = -3.0
"""And down to which (1 in 20) it is taken for the throw when the play fits it alone."""

REROLL = 2.3
"""By how much (10 : 1) later reads must favour another throw before the one announced is corrected."""

GLIMPSE = 0.1
"""Share of doubt in a throw that was only glimpsed: dice that never lay for a settled scene."""

DIFFER_SURE = 0.98
"""Probability of another throw than was told from which the camera contradicts: of the still dice of ten games, two
were read as another number, at 0.74 and 0.87."""

ONE_LIFTED_SECONDS = 3.0
"""How long one die must be gone while the other lies, before a play that is not legal is final: a die may be missed by
the camera, and a hand that lifts one seldom waits so long before it takes the other."""

UNCHANGED_SECONDS = 5.0
"""How long dice must be gone, with nothing moved though something could be, before that is remarked on."""

UNSURE_SECONDS = 1.0
"""How long a scene without dice must have stood before it is said to be unclear."""

DRIFT_SECONDS = 2.0
"""How long the board must have shown another position, between two turns, before that is remarked on."""

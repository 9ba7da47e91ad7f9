"""What stands on all places together: no side has more than 15 checkers, and mostly it has all of them on the board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nardy_hw.choice import Offer, best_choice

Array = NDArray[np.float32]

ALL = 15

WHOLE = 1.0
"""Nats by which a side with all its checkers on the board is likelier than one with a certain number of them off.
Stills: 1676 of 1693 points and 62 of 76 boards; with 0 nats one board less, with 2 two points less."""

NEAR = 7.0
"""Nats below a place's best count down to which another one is looked at: the joint choice seldom costs 3."""


def jointly(said: Sequence[Array], bars: tuple[Array, Array], whole: tuple[bool, ...]) -> list[int]:
    """The signed counts of the points that are likeliest together with the bar's.

    said: for each point, (31,) log-probabilities of -15..15. bars: (16,) of 0..15 light, of 0..15 dark checkers.
    whole: of light, of dark: is everything seen, so that what is missing is off?
    """
    offers: list[Offer] = [[(max(n, 0), max(-n, 0), float(p[n + ALL])) for n in _near(p, ALL)] for p in said]
    offers.append([(n, 0, float(bars[0][n])) for n in _near(bars[0])])
    offers.append([(0, n, float(bars[1][n])) for n in _near(bars[1])])
    costs = np.zeros((ALL + 1, ALL + 1))
    costs[ALL] -= WHOLE * whole[0]
    costs[:, ALL] -= WHOLE * whole[1]
    taken, _ = best_choice(offers, costs)
    return [light - dark for light, dark in taken[: len(said)]]


def _near(p: Array, zero: int = 0) -> list[int]:
    """Counts worth a look; none at all is always possible, so that an answer is."""
    near = p >= p.max() - NEAR
    near[zero] = True
    return [int(i) - zero for i in np.flatnonzero(near)]

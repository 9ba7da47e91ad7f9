"""What stands on all places together: no side has more than 15 checkers, and mostly it has all of them on the board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

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
    offers = [[(max(n, 0), max(-n, 0), float(p[n + ALL])) for n in _near(p, ALL)] for p in said]
    offers.append([(n, 0, float(bars[0][n])) for n in _near(bars[0])])
    offers.append([(0, n, float(bars[1][n])) for n in _near(bars[1])])
    # best[l, d]: the highest sum over the places so far with l light and d dark checkers on them
    best = np.full((ALL + 1, ALL + 1), -np.inf)
    best[0, 0] = 0
    chosen = []
    for offer in offers:
        layers = np.full((len(offer), ALL + 1, ALL + 1), -np.inf)
        for layer, (light, dark, score) in zip(layers, offer, strict=True):
            layer[light:, dark:] = best[: ALL + 1 - light, : ALL + 1 - dark] + score
        chosen.append(layers.argmax(0))
        best = layers.max(0)
    best[ALL] += WHOLE * whole[0]
    best[:, ALL] += WHOLE * whole[1]
    light, dark = divmod(int(best.argmax()), ALL + 1)
    taken = []
    for offer, choice in zip(reversed(offers), reversed(chosen), strict=True):
        a, b, _ = offer[choice[light, dark]]
        taken.append(a - b)
        light, dark = light - a, dark - b
    return taken[::-1][: len(said)]


def _near(p: Array, zero: int = 0) -> list[int]:
    """Counts worth a look; none at all is always possible, so that an answer is."""
    near = p >= p.max() - NEAR
    near[zero] = True
    return [int(i) - zero for i in np.flatnonzero(near)]

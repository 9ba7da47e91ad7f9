"""What is said of a place: the networks' answers for its strip -> counts, colour and how sure that is."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nardy_hw.vision.checkers import PRIOR, Strips
from nardy_hw.vision.observation import FLAT, FLAT_MIXED, PlaceReading

HIDDEN = 0.5
"""Probability above which a place counts as covered."""

LAYERS = 0.15
"""Probability above which checkers lie on each other, so that the count seen is a lower bound."""

FULL, FULL_DOUBT = 5, 0.4
"""From five checkers on, counts differ by at most this many nats: on held-out boards 9 of 10 wrong counts are a column
of five or six taken for one with more on top of it, or the other way round."""

MIXED_RARE = 4.0
"""Nats against both colours on one point: a checker comes to lie among the other side's in one turn of 50 at most."""

FLOOR = -12.0
"""Nats: no single place may ever shout louder, however sure the network is of it."""

NO_BAR: NDArray[np.float32] = np.zeros(16, np.float32)
"""Of a half of the bar under a hand nothing is said."""


def place_reading(seen: Strips, i: int) -> PlaceReading:
    if seen.hidden[i] > HIDDEN:
        return PlaceReading(FLAT, FLAT_MIXED, None, 0, occluded=True)
    count, colour = seen.count[i], seen.colour[i]
    table = _signed(count, colour)
    # what a person would say he sees takes into account what is usual; what the referee weighs does not
    usual = _signed(count + PRIOR, colour)
    p = np.exp(usual - usual.max())
    p /= p.sum()
    best, confidence, at_least = _count(p, float(seen.layers[i]))
    # a full column may carry more on top, or lean: which of these counts it is, the last position knows better
    for side in (slice(None, 16 - FULL), slice(15 + FULL, None)):
        table[side] = np.maximum(table[side], table[side].max() - FULL_DOUBT)
    name: Literal["light", "dark", "mixed"] | None = None
    if best:
        name = "mixed" if colour[abs(best)].argmax() == 2 else "light" if best > 0 else "dark"
    mixed = count + colour[:, 2] - table.max() - MIXED_RARE
    mixed[:2] = FLOOR
    return PlaceReading(
        np.maximum(table - table.max(), FLOOR), np.maximum(mixed, FLOOR), name, abs(best), at_least, False, confidence
    )


def _count(p: NDArray[np.float32], layers: float) -> tuple[int, float, bool]:
    """Signed count that is safest to say, the probability that it is true, and whether it is 'at least' so many.

    p: (31,) probabilities of -15..15. layers: that checkers lie on each other. Where they may, the smaller count is
    true of both: five, with or without more on top.
    """
    said = p + layers * np.concatenate([_beyond(p[14::-1])[::-1], [0], _beyond(p[16:])])
    best = int(said.argmax())
    return best - 15, float(said[best]), layers > LAYERS and abs(best - 15) > 1


def _beyond(side: NDArray[np.float32]) -> NDArray[np.float32]:
    """Probabilities of 1..15 checkers -> of more than so many; a lone checker carries none."""
    more = side.sum() - side.cumsum()
    more[0] = 0
    return np.asarray(more, np.float32)


def _signed(count: NDArray[np.float32], colour: NDArray[np.float32]) -> NDArray[np.float32]:
    """Counts 0..15 and the colours' logs -> one table over -15..15, light positive."""
    return np.concatenate([count[:0:-1] + colour[:0:-1, 1], count[:1], count[1:] + colour[1:, 0]])


def bar_reading(seen: Strips) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Log-likelihoods of 0..15 light and 0..15 dark checkers on the bar, each colour being found on either half."""
    tables = []
    for colour in (0, 1):
        halves = []
        for i in (24, 25):
            if seen.hidden[i] > HIDDEN:
                halves.append(NO_BAR)
                continue
            mine = seen.count[i].copy()
            # checkers of the other colour there are none of this one
            mine[1:] += seen.colour[i, 1:, colour]
            mine[0] = np.logaddexp(seen.count[i, 0], (seen.count[i, 1:] + seen.colour[i, 1:, 1 - colour]).max())
            halves.append(mine - mine.max())
        both = np.full(16, -np.inf, np.float32)
        for a in range(16):
            for b in range(16 - a):
                both[a + b] = max(both[a + b], halves[0][a] + halves[1][b])
        tables.append(np.maximum(both - both.max(), FLOOR).astype(np.float32))
    return tables[0], tables[1]

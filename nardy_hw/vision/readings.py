"""What is said of a place: the networks' answers for its strip -> counts, colour and how sure that is."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nardy_hw.vision.checkers import PRIOR, Strips
from nardy_hw.vision.joint import jointly
from nardy_hw.vision.observation import FLAT, FLAT_MIXED, PlaceReading

Array = NDArray[np.float32]

HIDDEN = 0.5
"""Probability above which a place counts as covered."""

BESIDE, UNCERTAIN = 1, 0.9
"""A place so near to a covered one is never surer than this: of 183 such in games and stills 3 were wrong, two of them
fingertips that nothing else told of; of 1,915 others with a hand in the picture 10."""

PILE = 0.15
"""Probability that checkers lie on each other from which what is not seen of a side may lie there, and is not off."""

LAYERS = 0.03
"""Probability from which a count is said to be a lower bound. Games and stills: of 68 columns with a sixth checker on
top of five all reach it, 64 of them 0.047; of 270 columns of four 27 reach 0.008."""

FULL, FULL_DOUBT = 5, 0.4
"""From five checkers on, counts differ by at most this many nats: on held-out boards 9 of 10 wrong counts are a column
of five or six taken for one with more on top of it, or the other way round."""

UNSEEN = 3.0
"""And where four are seen five or more cost at most this many nats: four upper ones may hide five lower ones. Games: a
pile of nine in two layers was read as four, 4.6 nats surer than nine."""

MIXED_RARE = 4.0
"""Nats against both colours on one point: a checker comes to lie among the other side's in one turn of 50 at most."""

FLOOR = -12.0
"""Nats: no single place may ever shout louder, however sure the network is of it."""

NOTHING: Array = np.where(np.arange(31) == 15, 0, -np.inf).astype(np.float32)
"""What is said of a place under a hand: its checkers are not counted."""

TINY = np.float32(1e-9)
"""Added to probabilities so that none is without a logarithm."""

NO_BAR: Array = np.zeros(16, np.float32)
"""Of a half of the bar under a hand nothing is said."""


def readings(seen: Strips) -> tuple[tuple[PlaceReading, ...], Array, Array]:
    """Places 1..24, and the log-likelihoods of 0..15 light and 0..15 dark checkers on the bar."""
    bars = _bar(seen)
    # what a person would say he sees takes into account what is usual; what the referee weighs does not
    usual = [_signed(seen.count[i] + PRIOR, seen.colour[i]) for i in range(24)]
    said = [_safe(log, float(seen.layers[i])) for i, log in enumerate(usual)]
    hidden = seen.hidden > HIDDEN
    piles = {int(np.sign(p.argmax() - 15)) for i, p in enumerate(said) if seen.layers[i] > PILE}
    whole = tuple(not hidden.any() and side not in piles for side in (1, -1))
    shown = [NOTHING if hidden[i] else np.log(p + TINY) for i, p in enumerate(said)]
    counts = jointly(shown, (bars[0] + PRIOR, bars[1] + PRIOR), whole)
    sure = [float(said[i][n + 15]) for i, n in enumerate(counts)]
    for row in (range(12), range(12, 24)):
        for i in row:
            if any(hidden[j] for j in row if abs(i - j) <= BESIDE):
                sure[i] = min(sure[i], UNCERTAIN)
    return tuple(_place(seen, i, n, sure[i]) for i, n in enumerate(counts)), *bars


def _place(seen: Strips, i: int, n: int, confidence: float) -> PlaceReading:
    if seen.hidden[i] > HIDDEN:
        return PlaceReading(FLAT, FLAT_MIXED, None, 0, occluded=True)
    count, colour = seen.count[i], seen.colour[i]
    table = _signed(count, colour)
    # a full column may carry more on top, or lean: which of these counts it is, the last position knows better
    for side, nearly in ((slice(None, 16 - FULL), 16 - FULL), (slice(15 + FULL, None), 14 + FULL)):
        table[side] = np.maximum(table[side], max(table[side].max() - FULL_DOUBT, table[nearly] - UNSEEN))
    name: Literal["light", "dark", "mixed"] | None = None
    if n:
        name = "mixed" if colour[abs(n)].argmax() == 2 else "light" if n > 0 else "dark"
    mixed = count + colour[:, 2] - table.max() - MIXED_RARE
    mixed[:2] = FLOOR
    at_least = bool(seen.layers[i] > LAYERS and abs(n) > 1)
    return PlaceReading(
        np.maximum(table - table.max(), FLOOR), np.maximum(mixed, FLOOR), name, abs(n), at_least, False, confidence
    )


def _safe(log: Array, layers: float) -> Array:
    """(31,) logs for -15..15 -> the probability that it is true to say each, be it as 'at least'.

    layers: that checkers lie on each other. Where they may, the smaller count is true of both: five, with or without
    more on top.
    """
    p = np.exp(log - log.max())
    p /= p.sum()
    return np.asarray(p + layers * np.concatenate([_beyond(p[14::-1])[::-1], [0], _beyond(p[16:])]), np.float32)


def _beyond(side: Array) -> Array:
    """Probabilities of 1..15 checkers -> of more than so many; a lone checker carries none."""
    more = side.sum() - side.cumsum()
    more[0] = 0
    return np.asarray(np.maximum(more, 0), np.float32)


def _signed(count: Array, colour: Array) -> Array:
    """Counts 0..15 and the colours' logs -> one table over -15..15, light positive."""
    return np.concatenate([count[:0:-1] + colour[:0:-1, 1], count[:1], count[1:] + colour[1:, 0]])


def _bar(seen: Strips) -> tuple[Array, Array]:
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

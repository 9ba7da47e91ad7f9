"""One choice for every place of the board, the likeliest of all together under 15 checkers a side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Offer = Sequence[tuple[int, int, float]]
"""What may lie on a place: checkers of the one side, of the other, and the score (natural log) of it."""


def best_choice(offers: Sequence[Offer], costs: NDArray[np.float64]) -> tuple[list[tuple[int, int]], float]:
    """The counts chosen for each place, and their score: exact, by dynamic programming over the two running sums.

    costs: (most + 1, most + 1), of having so many of the one and of the other side on all places together; its shape
    says how many there may be. Every offer must hold (0, 0, ...), so that there is a choice.
    """
    rows, columns = costs.shape
    # best[a, b]: the highest score of the places so far with a and b checkers on them
    best = np.full((rows, columns), -np.inf)
    best[0, 0] = 0.0
    choices = []
    for offer in offers:
        layers = np.full((len(offer), rows, columns), -np.inf)
        for layer, (a, b, score) in zip(layers, offer, strict=True):
            if a < rows and b < columns:
                layer[a:, b:] = best[: rows - a, : columns - b] + score
        choices.append(layers.argmax(0))
        best = layers.max(0)
    best = best - costs
    total = float(best.max())
    a, b = divmod(int(best.argmax()), columns)
    taken = []
    for offer, choice in zip(reversed(offers), reversed(choices), strict=True):
        one, other, _ = offer[choice[a, b]]
        taken.append((one, other))
        a, b = a - one, b - other
    return taken[::-1], total

"""Are dice fair? Pearson's chi-square over the six faces."""

from __future__ import annotations

import math
from collections.abc import Sequence

LEAST = 60
"""Faces: ten of each expected. With fewer than five of each the chi-square distribution is no guide (Cochran 1954)."""


def chi_square(faces: Sequence[int]) -> float:
    """faces: how often each came, six counts. 0 for none at all."""
    each = sum(faces) / 6
    return sum((n - each) ** 2 for n in faces) / each if each else 0.0


def chance(faces: Sequence[int]) -> float:
    """How often fair dice are as uneven as this, or more, 0..1: the tail of chi-square with 5 degrees of freedom."""
    x = chi_square(faces)
    return math.erfc(math.sqrt(x / 2)) + math.sqrt(2 * x / math.pi) * math.exp(-x / 2) * (1 + x / 3)

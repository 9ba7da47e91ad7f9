"""Chi-square of dice against a printed table."""

from __future__ import annotations

import numpy as np
import pytest

from nardy_hw.record.fairness import chance, chi_square


@pytest.mark.parametrize(("x", "tail"), [(9.236, 0.10), (11.070, 0.05), (15.086, 0.01), (20.515, 0.001), (1.145, 0.95)])
def test_the_tail_is_that_of_the_tables(x, tail):
    """Critical values for 5 degrees of freedom, as every statistics text prints them."""
    n = 1e6
    off = np.sqrt(x * n / 6 / 2)
    faces = [n / 6 + off, n / 6 - off] + [n / 6] * 4
    assert chi_square(faces) == pytest.approx(x, rel=1e-6)
    assert chance(faces) == pytest.approx(tail, rel=0.01)


def test_even_and_empty_and_loaded():
    assert (chi_square([0] * 6), chance([0] * 6)) == (0.0, 1.0)
    assert chance([100] * 6) == pytest.approx(1.0)
    assert chance([100, 100, 100, 100, 100, 200]) < 1e-9

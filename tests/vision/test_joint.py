"""The points read together: by hand, and that no side ever has more than 15."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from nardy_hw.vision.joint import ALL, jointly

NO_BAR = np.array([0, *[-9.0] * 15], np.float32)


def place(**likely: float) -> np.ndarray:
    """Log-probabilities by signed count, e.g. p5=0.9, m5=0.1."""
    table = np.full(31, np.log(1e-5), np.float32)
    for name, p in likely.items():
        table[int(name[1:]) * (1 if name[0] == "p" else -1) + ALL] = np.log(p)
    return table


def test_the_least_sure_of_too_many_gives_way() -> None:
    """Light 5 + 5 + 5 and a fourth column that may be dark: it is."""
    said = [place(p5=0.99, m5=0.01)] * 3 + [place(p3=0.9, m3=0.1)] + [place(p0=1.0)] * 20
    assert jointly(said, (NO_BAR, NO_BAR), (False, False))[:4] == [5, 5, 5, -3]


def test_a_side_that_seems_whole_is_whole() -> None:
    """Ten surely and a column of four or five, the four a little likelier: five make it 15. Not where one is hidden."""
    said = [place(p5=0.99)] * 2 + [place(p4=0.55, p5=0.45)] + [place(p0=1.0)] * 21
    assert jointly(said, (NO_BAR, NO_BAR), (True, False))[2] == 5
    assert jointly(said, (NO_BAR, NO_BAR), (False, False))[2] == 4


def test_the_bar_counts() -> None:
    one = np.array([-9.0, 0, *[-9.0] * 14], np.float32)
    said = [place(p5=0.99)] * 2 + [place(p4=0.45, p5=0.55)] + [place(p0=1.0)] * 21
    assert jointly(said, (one, NO_BAR), (True, False))[2] == 4
    assert jointly(said, (one, NO_BAR), (False, False))[2] == 4  # 16 there cannot be


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_nobody_ever_has_more_than_fifteen(seed: int) -> None:
    rng = np.random.default_rng(seed)
    said = [np.log(rng.dirichlet(np.full(31, 0.3)) + 1e-9).astype(np.float32) for _ in range(24)]
    counts = jointly(said, (NO_BAR, NO_BAR), (True, True))
    assert len(counts) == 24
    assert sum(n for n in counts if n > 0) <= 15 and -sum(n for n in counts if n < 0) <= 15

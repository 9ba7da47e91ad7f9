"""Whose checkers: values worked out by hand from the definition."""

from __future__ import annotations

import numpy as np

from calibration.file import Appearance
from nardy_hw.vision.colours import SLOTS, lean, settle, standing, told

LOOKS = 8


def looks(sides: list[int]) -> np.ndarray:
    """Two looks far apart for the sides 0 and 1; the rest like nothing in particular."""
    out = np.zeros((26, LOOKS), np.float32)
    out[: len(sides), 0] = [3.0 * side for side in sides]
    return out


def there(n: int) -> np.ndarray:
    return (np.arange(26) < n).astype(np.float32)


def test_one_strip_that_errs_is_outvoted_by_those_that_look_like_it() -> None:
    alone = np.zeros(26, np.float32)
    alone[:6] = [3, 3, -1, -3, -3, -3]  # the third looks like the first two and is taken for the other side's
    nats = settle(alone, looks([0, 0, 0, 1, 1, 1]), there(6))
    assert (nats[:3] > 1).all() and (nats[3:6] < -1).all()


def test_strips_that_hold_no_checkers_have_no_vote() -> None:
    alone = np.zeros(26, np.float32)
    alone[:3] = [0.5, -4, -4]
    nats = settle(alone, looks([0, 0, 0]), there(1))
    assert nats[0] == np.float32(0.5)


def test_a_board_that_says_nothing_stays_undecided() -> None:
    assert (settle(np.zeros(26, np.float32), looks([0, 1, 0, 1]), there(4)) == 0).all()


def test_a_tone_like_the_light_checkers_leans_to_light_and_the_bar_has_none() -> None:
    appearance = Appearance(tones=((0.5, 0.5, 0.5), (-0.5, -0.5, -0.5)))
    tone = np.full((26, SLOTS, 3), 0.45, np.float32)
    tone[1] = -0.45
    nats = lean(tone, appearance)
    assert (nats[0] > 3).all() and (nats[1] < -3).all() and (nats[24:] == 0).all()
    assert (lean(tone, Appearance()) == 0).all()


def test_a_stranger_among_checkers_is_mixed() -> None:
    """The first checker light, the third dark: of three checkers that is neither side's column."""
    colour = np.log(np.full((26, 3), 1 / 3, np.float32))
    nats = np.zeros((26, SLOTS), np.float32)
    nats[0] = [8, 8, -8, -8, -8]
    every = told(colour, nats)
    assert every.shape == (26, 16, 3)
    np.testing.assert_allclose(np.exp(every).sum(2), 1, rtol=1e-5)
    assert every[0, 1].argmax() == 0 and every[0, 2].argmax() == 0 and every[0, 3].argmax() == 2


def test_checkers_reach_as_far_as_the_bare_board_is_hidden() -> None:
    bare = np.zeros((24, SLOTS, 3), np.float32)
    appearance = Appearance(tones=((1.5, 1.5, 1.5), (-1.5, -1.5, -1.5)), ground=tuple(bare.ravel().tolist()))
    tone = np.zeros((26, SLOTS, 3), np.float32)
    tone[4, :3] = 1.5
    tone[7, :] = -1.4
    nats = standing(tone, appearance)
    # 1.5 from the board at a spread of 0.5: 4.5 nats, of which one place may say 3; the bare ones as many against it
    assert nats[4].argmax() == 3 and nats[4, 3] == 9 and nats[4, 5] == 3
    assert nats[7].argmax() == 5 and (nats[7, 5:] == 15).all()
    assert nats[0].argmax() == 0


def test_nothing_is_told_of_a_board_that_nobody_saw_bare() -> None:
    tones = ((1.5, 1.5, 1.5), (-1.5, -1.5, -1.5))
    assert (standing(np.ones((26, SLOTS, 3), np.float32), Appearance(tones=tones)) == 0).all()

"""Noise on the line costs time, and nothing else. tests/bench/bridge.py has the long runs."""

import pytest
from noisy import noisy


@pytest.mark.parametrize(("frames", "share"), [(300, 0.001), (60, 0.01)])
def test_no_wrong_light_and_every_event_once(built, frames, share):
    tally = noisy(*built, frames, share, seed=7)
    assert tally.wrong_lights == 0
    assert (tally.heard, tally.false_events, tally.false_rolls) == (tally.presses, 0, 0)
    assert tally.retries > 0
    assert tally.late <= frames // 5

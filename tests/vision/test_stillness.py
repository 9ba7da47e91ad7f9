"""Motion, against pictures made by hand."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from nardy_hw.vision.stillness import Stillness

Picture = NDArray[np.uint8]


def table(seed: int = 0) -> Picture:
    rng = np.random.default_rng(seed)
    return cv2.GaussianBlur(rng.integers(60, 200, (720, 960, 3), np.uint8), (0, 0), 5)


def noisy(picture: Picture, seed: int) -> Picture:
    noise = np.random.default_rng(seed).normal(0, 15, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def test_the_first_frame_is_not_still() -> None:
    assert not Stillness().update(table())


def test_sensor_noise_is_still() -> None:
    still = Stillness()
    still.update(noisy(table(), 1))
    assert still.update(noisy(table(), 2))


@pytest.mark.parametrize("gain", [0.6, 0.9, 1.1])
def test_a_change_of_light_is_no_motion(gain: float) -> None:
    still = Stillness()
    still.update(np.full((720, 960, 3), 100, np.uint8))
    assert still.update(np.full((720, 960, 3), int(100 * gain), np.uint8))


@pytest.mark.parametrize(("radius", "what"), [(13, "a die"), (26, "a checker"), (150, "a hand")])
def test_what_comes_is_motion(radius: int, what: str) -> None:
    still, now = Stillness(), table()
    still.update(now)
    moved = now.copy()
    cv2.circle(moved, (431, 322), radius, (255, 255, 255), -1)
    assert not still.update(moved), what
    assert still.update(moved)


def test_another_size_is_motion() -> None:
    still = Stillness()
    still.update(table())
    assert not still.update(table()[:480, :640])

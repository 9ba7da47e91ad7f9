"""Has anything moved? Compares each frame with the one before."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

WIDTH = 160
"""Pixels at least of the small grey picture: a checker is then 8 or more."""

BLOCKS = 24
"""Across the picture: a block is about a checker."""

MOVED = 3.0
"""Grey levels by which a block's mean change stands out from the median block's. Four rendered games through a video
codec: at most 0.8 within a scene, at least 8.2 when one die or checker moves; noise of 15 grey levels: at most 1.4."""


class Stillness:
    """Remembers the last frame; `update` tells whether the new one shows the same scene."""

    def __init__(self) -> None:
        self._last: NDArray[np.float32] | None = None
        self.change = 0.0

    def update(self, picture: NDArray[np.uint8]) -> bool:
        """True when nothing has moved since the last frame. The first frame never counts as still."""
        now = _small(picture)
        last, self._last = self._last, now
        if last is None or last.shape != now.shape:
            self.change = float("inf")
            return False
        # a lamp switched on or an exposure step changes everything alike: that is not motion
        change = now - last * np.median((now + 1) / (last + 1))
        rows = max(1, round(BLOCKS * picture.shape[0] / picture.shape[1]))
        blocks = cv2.resize(np.abs(change), (BLOCKS, rows), interpolation=cv2.INTER_AREA)
        # nor is the sensor's noise, which every block has
        self.change = float(blocks.max() - np.median(blocks))
        return self.change < MOVED


def _small(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Every other row in grey, halved until it is small: halving is what OpenCV does fastest."""
    grey = cv2.cvtColor(picture[::2], cv2.COLOR_BGR2GRAY)
    while grey.shape[1] >= 2 * WIDTH:
        height, width = (n // 2 for n in grey.shape)
        if height == 0:
            break
        grey = cv2.resize(grey[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA)
    return grey.astype(np.float32)

"""Has anything moved? Compares each frame with the one before."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

WIDTH = 192
"""Of the small grey picture; a checker is then about 10 pixels."""

BLOCK = 8

MOVED = 3.0
"""Grey levels, mean over a block (about a checker) beyond the frame's median change.
Rendered games through a video codec: at most 0.85 within a scene, at least 8.6 when one die or checker moves."""


class Stillness:
    """Remembers the last frame; `update` tells whether the new one shows the same scene."""

    def __init__(self) -> None:
        self._last: NDArray[np.float32] | None = None
        self.change = 0.0

    def update(self, picture: NDArray[np.uint8]) -> bool:
        """True when nothing has moved since the last frame. The first frame never counts as still."""
        height = round(picture.shape[0] * WIDTH / picture.shape[1] / BLOCK) * BLOCK or BLOCK
        small = cv2.cvtColor(cv2.resize(picture, (WIDTH, height), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        blocks = small.astype(np.float32)
        last, self._last = self._last, blocks
        if last is None or last.shape != blocks.shape:
            self.change = float("inf")
            return False
        change = blocks - last
        # a lamp switched on or an exposure step changes everything alike: that is not motion
        change -= np.median(change)
        means = np.abs(change).reshape(height // BLOCK, BLOCK, WIDTH // BLOCK, BLOCK).mean((1, 3))
        self.change = float(means.max())
        return self.change < MOVED

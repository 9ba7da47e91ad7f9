"""Failing pictures, with what is wrong in them written where it is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from calibration.geometry import FIELD_CORNERS
from tests.bench.vision.truth import Scene

MOST = 40
"""Pictures of one kind."""

WIDEST = 1600
YELLOW, RED = (0, 230, 255), (60, 60, 255)

Mark = tuple[tuple[float, float], str]
"""Where in the picture, in pixels, and what to say there."""


@dataclass(slots=True)
class Failures:
    """Writes pictures to folder/KIND/; nothing where there is no folder."""

    folder: Path | None
    _written: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, name: str, scene: Scene, marks: Sequence[Mark], caption: str = "") -> None:
        if self.folder is None or self._written[kind] >= MOST:
            return
        self._written[kind] += 1
        (self.folder / kind).mkdir(parents=True, exist_ok=True)
        drawn = scene.picture
        scale = min(1.0, WIDEST / drawn.shape[1])
        drawn = np.asarray(cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        for (x, y), text in marks:
            at = (round(x * scale), round(y * scale))
            cv2.circle(drawn, at, 5, RED, 2, cv2.LINE_AA)
            _write(drawn, text, (at[0] - 24, at[1] - 9))
        if caption:
            _write(drawn, caption, (8, 24))
        cv2.imwrite(str(self.folder / kind / f"{name}.png"), drawn)


def spot(corners: Sequence[tuple[float, float]], place: int) -> tuple[float, float]:
    """Pixel in the middle of place 1..24, near enough for a label: the bar's width is taken as usual."""
    column = place - 1 if place <= 12 else 24 - place
    x = 1 - (column + 0.5) * 0.077 if column < 6 else 0.462 - (column - 5.5) * 0.077
    matrix = cv2.getPerspectiveTransform(FIELD_CORNERS, np.array(corners, np.float32))
    y = 0.1 + 0.07 * (place % 3)  # neighbours' labels would cover each other
    u, v = cv2.perspectiveTransform(np.array([[[x, 1 - y if place <= 12 else y]]], np.float32), matrix)[0, 0]
    return float(u), float(v)


def _write(picture: np.ndarray, text: str, at: tuple[int, int]) -> None:
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
    x, y = max(0, min(at[0], picture.shape[1] - width)), max(height, at[1])
    cv2.rectangle(picture, (x - 2, y - height - 2), (x + width + 2, y + below), (0, 0, 0), -1)
    cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, YELLOW, 1, cv2.LINE_AA)

"""Why a picture cannot be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.picture import read_picture
from nardy_hw.vision.plausible import unreadable

Picture = NDArray[np.uint8]
PICTURES = [read_picture(path) for path in sorted((Path(__file__).parent.parent / "data" / "vision").glob("*.jpg"))]
RNG = np.random.default_rng(0)


def grey(values: NDArray[Any]) -> Picture:
    return np.asarray(np.clip(values, 0, 255), np.uint8)


@pytest.mark.parametrize("picture", PICTURES)
def test_boards_can_be_read_in_every_light(picture: Picture) -> None:
    for gain, noise in ((1.0, 0.0), (1.0, 15.0), (0.6, 15.0), (1.4, 0.0), (0.3, 3.0)):
        seen = grey(picture * gain + RNG.normal(0, noise, picture.shape))
        assert unreadable(seen) == ""
        jpeg = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, 30])[1]
        assert unreadable(cv2.imdecode(jpeg, cv2.IMREAD_COLOR)) == ""  # type: ignore[arg-type]


@pytest.mark.parametrize("picture", PICTURES)
def test_what_cannot_be_read_is_named(picture: Picture) -> None:
    finger = RNG.normal(90, 4, picture.shape) + np.linspace(0, 12, picture.shape[1])[None, :, None]
    for word, spoilt in (
        ("too dark", grey(picture * 0.05)),
        ("too dark", np.zeros_like(picture)),
        ("washed out", grey(picture * 0.15 + 200)),
        ("washed out", np.full_like(picture, 255)),
        ("next to nothing", grey(finger)),
        ("next to nothing", np.full_like(picture, 128)),
        ("blurred", cv2.GaussianBlur(picture, (0, 0), 8)),
        ("noise", RNG.integers(0, 256, picture.shape, np.uint8)),
    ):
        assert word in unreadable(spoilt)  # type: ignore[arg-type]

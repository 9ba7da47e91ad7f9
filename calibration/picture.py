"""Reads picture files. What is damaged, torn or far too big is refused with what is wrong, never read in part."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import PictureError
from calibration.formats import Unsound, size_of

MOST_BYTES = 100 << 20
"""Of a picture file: the largest sensor's uncompressed picture fits."""

MOST_PIXELS = 64_500_000
"""The largest sensor of a Pi camera has 9248x6944; decoded they take 193 MB."""


def read_picture(path: Path) -> NDArray[np.uint8]:
    """A BGR picture; grey ones and such with transparency too. Raises PictureError with what is wrong."""
    if path.exists() and not path.is_file():
        raise PictureError(f"cannot read the picture {path}: it is not a file")
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= MOST_BYTES else b""
    except OSError as error:
        raise PictureError(f"cannot read the picture {path}: {error.strerror or error}") from None
    if size > MOST_BYTES:
        raise PictureError(f"the picture {path} is too big: {size >> 20} MB, at most {MOST_BYTES >> 20}")
    if not data:
        raise PictureError(f"the picture {path} is empty")
    try:
        width, height = size_of(data)
    except Unsound as why:
        raise PictureError(f"the picture {path} is {why}") from None
    if width * height > MOST_PIXELS:
        raise PictureError(
            f"the picture {path} is too big: {width}x{height}, at most {MOST_PIXELS // 1_000_000} megapixels"
        )
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        picture = None
    if picture is None:
        raise PictureError(f"the picture {path} is damaged")
    return picture  # type: ignore[return-value]

"""A folder of images in name order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from calibration.picture import read_picture
from nardy_hw.errors import SourceError
from nardy_hw.vision.sources.frame import Closing, Frame

SUFFIXES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}


class ImageFolder(Closing):
    """Each image file of a folder is a frame. Raises SourceError when there is none."""

    def __init__(self, path: Path, fps: float) -> None:
        try:
            self._files = sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES)
        except OSError as error:
            raise SourceError(f"cannot read the folder {path}: {error.strerror}") from None
        if not self._files:
            raise SourceError(f"there are no pictures in {path}")
        self.fps = fps

    def __iter__(self) -> Iterator[Frame]:
        for number, path in enumerate(self._files):
            yield Frame(number / self.fps, number, read_picture(path))

"""A video file, through OpenCV."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2

from nardy_hw.errors import SourceError
from nardy_hw.vision.sources.frame import Closing, Frame


class VideoFile(Closing):
    """Every frame of a video file. Raises SourceError when it cannot be opened, and when it ends before its time."""

    def __init__(self, path: Path, fps: float | None = None) -> None:
        self._path = path
        if path.stat().st_size == 0:
            raise SourceError(f"the video {path} is empty")
        self._video = cv2.VideoCapture(str(path))
        if not self._video.isOpened():
            raise SourceError(f"{path} is not a video that can be read, or is damaged")
        self._promised = int(self._video.get(cv2.CAP_PROP_FRAME_COUNT))
        own = self._video.get(cv2.CAP_PROP_FPS)
        self.fps = fps or (own if 0.1 <= own <= 1000 else 25.0)

    def __iter__(self) -> Iterator[Frame]:
        number = 0
        while True:
            ok, picture = self._video.read()
            if not ok:
                break
            yield Frame(number / self.fps, number, picture)  # type: ignore[arg-type]
            number += 1
        # Containers count a frame or two that no decoder returns; a torn file lacks many.
        if number == 0 or number < self._promised * 0.98 - 2:
            raise SourceError(f"the video {self._path} breaks off after {number} of {max(self._promised, 0)} frames")

    def close(self) -> None:
        self._video.release()

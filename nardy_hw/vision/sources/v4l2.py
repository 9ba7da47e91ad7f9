"""A USB or other V4L2 camera, through OpenCV."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import cv2

from nardy_hw.errors import SourceError
from nardy_hw.vision.sources.frame import Closing, Frame


class V4L2Camera(Closing):
    """Frames of /dev/videoN as they come. Raises SourceError when the camera is missing, busy or unplugged."""

    def __init__(self, path: Path, fps: float | None = None) -> None:
        self._path = path
        if not path.exists():
            raise SourceError(f"there is no camera {path}: is it plugged in?")
        self._camera = cv2.VideoCapture(str(path), cv2.CAP_V4L2)
        if not self._camera.isOpened():
            raise SourceError(f"the camera {path} does not answer: is another program using it?")
        self._camera.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # an old frame is worth less than a late one
        if fps is not None:
            self._camera.set(cv2.CAP_PROP_FPS, fps)
        self.fps = self._camera.get(cv2.CAP_PROP_FPS) or 10.0

    def __iter__(self) -> Iterator[Frame]:
        start, number = time.monotonic(), 0
        while True:
            ok, picture = self._camera.read()
            if not ok:
                raise SourceError(f"the camera {self._path} has stopped giving pictures: is it still plugged in?")
            yield Frame(time.monotonic() - start, number, picture)  # type: ignore[arg-type]
            number += 1

    def close(self) -> None:
        self._camera.release()

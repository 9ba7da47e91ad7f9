"""A USB or other V4L2 camera, through OpenCV."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import cv2

from nardy_hw.errors import SourceError
from nardy_hw.vision.sources.deadline import Deadline, Stalled
from nardy_hw.vision.sources.frame import Closing, Frame, Size


class V4L2Camera(Closing):
    """Frames of /dev/videoN as they come. Raises SourceError when the camera is missing, busy, stalled or unplugged.

    size: (width, height) that it is set to; raises SourceError, too, when it has no such size.
    """

    def __init__(self, path: Path, fps: float | None = None, size: Size | None = None) -> None:
        self._path = path
        if not path.exists():
            raise SourceError(f"there is no camera {path}: is it plugged in?")
        self._camera = cv2.VideoCapture(str(path), cv2.CAP_V4L2)
        if not self._camera.isOpened():
            raise SourceError(f"the camera {path} does not answer: is another program using it?")
        # uncompressed pictures of this size come over USB 2 at five a second at most
        self._camera.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        if size is not None:
            self._camera.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            self._camera.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
            has = (
                int(self._camera.get(cv2.CAP_PROP_FRAME_WIDTH)),
                int(self._camera.get(cv2.CAP_PROP_FRAME_HEIGHT)),
            )
            if has != size:
                self._camera.release()
                raise SourceError(
                    f"the camera {path} gives {has[0]}x{has[1]}, the calibration is for {size[0]}x{size[1]}: "
                    "calibrate with a picture of this camera"
                )
        self._camera.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # an old frame is worth less than a late one
        if fps is not None:
            self._camera.set(cv2.CAP_PROP_FPS, fps)
        self.fps = self._camera.get(cv2.CAP_PROP_FPS) or 10.0
        self._read = Deadline(self._camera.read)

    def __iter__(self) -> Iterator[Frame]:
        start, number = time.monotonic(), 0
        while True:
            try:
                ok, picture = self._read()
            except Stalled:
                raise SourceError(f"the camera {self._path} has stalled: unplug it and plug it in again") from None
            if not ok:
                raise SourceError(f"the camera {self._path} has stopped giving pictures: is it still plugged in?")
            yield Frame(time.monotonic() - start, number, picture)  # type: ignore[arg-type]
            number += 1

    def close(self) -> None:
        self._read.close()
        if not self._read.hangs:  # to let go of a camera that hangs would hang too
            self._camera.release()

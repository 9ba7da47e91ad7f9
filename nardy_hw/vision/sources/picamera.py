"""The Raspberry Pi's own camera, through picamera2 (Debian package python3-picamera2; the `pi` extra)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from nardy_hw.errors import SourceError
from nardy_hw.vision.sources.deadline import Deadline, Stalled
from nardy_hw.vision.sources.frame import Closing, Frame, Size

SIZE = (1280, 960)
"""Where none is asked for: a checker is then about 60 pixels, and the small computer keeps up."""


class PiCamera(Closing):
    """Frames of the first Pi camera as they come, of this size. Raises SourceError when the library or the camera is
    missing, or the camera stalls."""

    def __init__(self, fps: float, size: Size | None = None) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise SourceError(
                f"the Pi camera needs picamera2 ({error.name} is missing): apt install python3-picamera2, "
                "and make the venv with --system-site-packages"
            ) from None
        try:
            camera: Any = Picamera2()
            # picamera2's RGB888 is blue, green, red in memory: OpenCV's order.
            camera.configure(
                camera.create_video_configuration(
                    {"size": size or SIZE, "format": "RGB888"}, controls={"FrameRate": fps}
                )
            )
            camera.start()
        except (IndexError, RuntimeError) as error:
            raise SourceError(
                f"no Pi camera answers ({error}): is its cable seated, and no other program using it?"
            ) from None
        self._camera = camera
        self._read: Deadline[Any] = Deadline(lambda: camera.capture_array("main"))
        self.fps = fps

    def __iter__(self) -> Iterator[Frame]:
        start, number = time.monotonic(), 0
        while True:
            try:
                picture = self._read()
            except Stalled:
                raise SourceError("the Pi camera has stalled: is its cable seated? Then start again") from None
            except RuntimeError as error:
                raise SourceError(f"the Pi camera has stopped giving pictures ({error})") from None
            yield Frame(time.monotonic() - start, number, picture)
            number += 1

    def close(self) -> None:
        self._read.close()
        if not self._read.hangs:  # to let go of a camera that hangs would hang too
            self._camera.close()

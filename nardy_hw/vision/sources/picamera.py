"""The Raspberry Pi's own camera, through picamera2 (Debian package python3-picamera2; the `pi` extra)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from nardy_hw.errors import SourceError
from nardy_hw.vision.sources.frame import Closing, Frame

SIZE = (1280, 960)


class PiCamera(Closing):
    """Frames of the first Pi camera as they come. Raises SourceError when the library or the camera is missing."""

    def __init__(self, fps: float) -> None:
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
                camera.create_video_configuration({"size": SIZE, "format": "RGB888"}, controls={"FrameRate": fps})
            )
            camera.start()
        except (IndexError, RuntimeError) as error:
            raise SourceError(
                f"no Pi camera answers ({error}): is its cable seated, and no other program using it?"
            ) from None
        self._camera = camera
        self.fps = fps

    def __iter__(self) -> Iterator[Frame]:
        start, number = time.monotonic(), 0
        while True:
            yield Frame(time.monotonic() - start, number, self._camera.capture_array("main"))
            number += 1

    def close(self) -> None:
        self._camera.close()

"""Where frames come from: a video file, a folder of images, a V4L2 camera, the Pi's camera. One small protocol.

with open_source("game.mp4") as source:
    for frame in source:
        ...
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, Self

from nardy_hw.errors import SourceError
from nardy_hw.vision.sources.frame import Frame, Size

__all__ = ["Frame", "Source", "open_source"]


class Source(Protocol):
    """Frames in order, each once. `close()` may be called twice. Iterating raises SourceError when it breaks off."""

    fps: float

    def __iter__(self) -> Iterator[Frame]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exc: object) -> None: ...


def open_source(name: str, fps: float | None = None, size: Size | None = None) -> Source:
    """A video file, a folder of images, `/dev/videoN`, or `picamera`. fps overrides what the source says of itself.
    size: what a camera is set to; files have the size that they have.

    Raises SourceError: nothing there, nothing in it, or nothing that can be read.
    """
    if not name.strip():
        raise SourceError("the source is an empty name: give a video, a folder of images, /dev/videoN or picamera")
    if fps is not None and not 0.1 <= fps <= 1000:
        raise SourceError(f"fps is between 0.1 and 1000, not {fps:g}")
    if name == "picamera":
        from nardy_hw.vision.sources.picamera import PiCamera

        return PiCamera(fps or 10.0, size)
    path = Path(name)
    if name.startswith("/dev/video"):
        from nardy_hw.vision.sources.v4l2 import V4L2Camera

        return V4L2Camera(path, fps, size)
    if path.is_dir():
        from nardy_hw.vision.sources.folder import ImageFolder

        return ImageFolder(path, fps or 4.0)
    if not path.exists():
        raise SourceError(f"there is no video or folder {path}")
    from nardy_hw.vision.sources.video import VideoFile

    return VideoFile(path, fps)

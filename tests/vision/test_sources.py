"""Sources of frames, good and bad."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.errors import PictureError
from nardy_hw.errors import SourceError
from nardy_hw.vision.sources import deadline, open_source


def film(path: Path, frames: int = 12) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 8.0, (320, 240))
    assert writer.isOpened()
    for i in range(frames):
        writer.write(np.full((240, 320, 3), 20 * i, np.uint8))
    writer.release()
    return path


def test_a_video_gives_each_frame_its_time(tmp_path: Path) -> None:
    with open_source(str(film(tmp_path / "a.mp4"))) as source:
        frames = list(source)
    assert [f.number for f in frames] == list(range(12))
    assert [f.t for f in frames] == pytest.approx([i / 8 for i in range(12)])
    assert frames[5].picture.shape == (240, 320, 3)
    assert abs(int(frames[5].picture[120, 160, 0]) - 100) < 8


def test_fps_given_by_hand(tmp_path: Path) -> None:
    with open_source(str(film(tmp_path / "a.mp4")), fps=2.0) as source:
        assert [f.t for f in source][:3] == [0.0, 0.5, 1.0]


def test_a_folder_is_read_in_name_order(tmp_path: Path) -> None:
    for name, grey in (("b.png", 200), ("a.png", 10), ("notes.txt", 0)):
        if name.endswith("txt"):
            (tmp_path / name).write_text("not a picture")
        else:
            cv2.imwrite(str(tmp_path / name), np.full((60, 80, 3), grey, np.uint8))
    with open_source(str(tmp_path)) as source:
        assert [(f.number, f.t, int(f.picture[0, 0, 0])) for f in source] == [(0, 0.0, 10), (1, 0.25, 200)]


def test_closing_twice_is_fine(tmp_path: Path) -> None:
    source = open_source(str(film(tmp_path / "a.mp4")))
    source.close()
    source.close()


def test_sources_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").write_bytes(b"")
    (tmp_path / "text.mp4").write_text("no video at all")
    (tmp_path / "folder").mkdir()
    torn = tmp_path / "torn.mp4"
    torn.write_bytes(film(tmp_path / "a.mp4").read_bytes()[:300])  # the index at the end is gone
    for name, message in (
        ("missing.mp4", "no video or folder"),
        ("empty.mp4", "is empty"),
        ("text.mp4", "not a video"),
        ("torn.mp4", "not a video"),
        ("folder", "no pictures"),
    ):
        with pytest.raises(SourceError, match=message):
            open_source(str(tmp_path / name))
    for name in ("", " "):
        with pytest.raises(SourceError, match="empty name"):
            open_source(name)
    with pytest.raises(SourceError, match="fps is between"):
        open_source(str(tmp_path / "a.mp4"), fps=0.0)
    with pytest.raises(SourceError, match="no camera /dev/video99"):
        open_source("/dev/video99")


def test_a_torn_picture_in_a_folder_is_named(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.jpg"), np.zeros((60, 80, 3), np.uint8))
    whole = (tmp_path / "a.jpg").read_bytes()
    (tmp_path / "b.jpg").write_bytes(whole[: len(whole) // 2])
    with open_source(str(tmp_path)) as source, pytest.raises(PictureError, match=r"b\.jpg is torn"):
        list(source)


def test_the_pi_camera_says_what_to_install() -> None:
    with pytest.raises(SourceError, match="apt install python3-picamera2"):
        open_source("picamera")


def test_a_video_that_is_cut_short_says_so_after_its_last_frame(tmp_path: Path) -> None:
    writer = cv2.VideoWriter(str(tmp_path / "a.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 8.0, (320, 240))
    for i in range(40):
        writer.write(np.full((240, 320, 3), 5 * i, np.uint8))
    writer.release()
    data = (tmp_path / "a.avi").read_bytes()
    torn = tmp_path / "torn.avi"
    torn.write_bytes(data[: len(data) // 2])
    numbers = []
    with pytest.raises(SourceError, match=r"breaks off after|not a video"), open_source(str(torn)) as source:
        for frame in source:
            numbers.append(frame.number)
    assert numbers == list(range(len(numbers)))


class Camera:
    """A V4L2 camera of one size, played: gives `frames` pictures, then fails or hangs."""

    frames, has, hangs = 2, (640, 480), False

    def __init__(self, *_: object) -> None:
        self.told: dict[int, float] = {}
        self.released = 0
        Camera.last = self

    def isOpened(self) -> bool:
        return True

    def set(self, what: int, value: float) -> bool:
        self.told[what] = value
        return True

    def get(self, what: int) -> float:
        sizes = {cv2.CAP_PROP_FRAME_WIDTH: self.has[0], cv2.CAP_PROP_FRAME_HEIGHT: self.has[1]}
        return float(sizes.get(what, self.told.get(what, 0.0)))

    def read(self) -> tuple[bool, Any]:
        if self.frames:
            self.frames -= 1
            return True, np.zeros((self.has[1], self.has[0], 3), np.uint8)
        if self.hangs:
            time.sleep(3600)
        return False, None

    def release(self) -> None:
        self.released += 1

    last: Camera


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> type[Camera]:
    class Played(Camera):
        pass

    monkeypatch.setattr(cv2, "VideoCapture", Played)
    monkeypatch.setattr(Path, "exists", lambda path: True)
    monkeypatch.setattr(deadline, "SECONDS", 0.2)
    return Played


def test_a_usb_camera_is_set_to_the_calibrated_size(camera: type[Camera]) -> None:
    source = open_source("/dev/video7", fps=10.0, size=(640, 480))
    told = Camera.last.told
    assert (told[cv2.CAP_PROP_FRAME_WIDTH], told[cv2.CAP_PROP_FRAME_HEIGHT]) == (640, 480)
    assert told[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    assert told[cv2.CAP_PROP_BUFFERSIZE] == 1
    assert source.fps == 10.0
    source.close()
    with pytest.raises(SourceError, match="gives 640x480, the calibration is for 1280x960"):
        open_source("/dev/video7", size=(1280, 960))
    assert Camera.last.released


def test_a_usb_camera_that_is_unplugged(camera: type[Camera]) -> None:
    numbers = []
    with pytest.raises(SourceError, match="has stopped giving pictures"), open_source("/dev/video7") as source:
        for frame in source:
            numbers.append(frame.number)
    assert numbers == [0, 1]


def test_a_usb_camera_that_hangs(camera: type[Camera]) -> None:
    camera.hangs = True
    numbers = []
    with pytest.raises(SourceError, match="has stalled"), open_source("/dev/video7") as source:
        for frame in source:
            numbers.append(frame.number)
    assert numbers == [0, 1]
    assert not Camera.last.released  # that would hang too


def test_a_pi_camera_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    class Picamera2:
        def create_video_configuration(self, main: dict[str, Any], controls: dict[str, Any]) -> dict[str, Any]:
            assert main["size"] == (640, 480)
            return main

        def configure(self, _: dict[str, Any]) -> None: ...
        def start(self) -> None: ...
        def close(self) -> None: ...

        def capture_array(self, _: str) -> None:
            time.sleep(3600)

    module = ModuleType("picamera2")
    module.Picamera2 = Picamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(deadline, "SECONDS", 0.2)
    with pytest.raises(SourceError, match="Pi camera has stalled"), open_source("picamera", size=(640, 480)) as source:
        next(iter(source))

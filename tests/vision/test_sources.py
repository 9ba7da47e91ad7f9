"""Sources of frames, good and bad."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.errors import PictureError
from nardy_hw.errors import SourceError
from nardy_hw.vision.sources import open_source


def film(path: Path, frames: int = 12) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), 8.0, (320, 240))
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

"""Picture files, whole and not, written here."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.errors import PictureError
from calibration.picture import read_picture

Picture = NDArray[np.uint8]


def scene(height: int = 120, width: int = 160) -> Picture:
    noise = np.random.default_rng(0).integers(0, 255, (height, width, 3), np.uint8)
    return cv2.GaussianBlur(noise, (0, 0), 2)  # type: ignore[return-value]


def jpeg(*options: int) -> bytes:
    ok, data = cv2.imencode(".jpg", scene(), options)
    assert ok
    return data.tobytes()


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".bmp", ".webp", ".tiff"])
@pytest.mark.parametrize("kind", ["colour", "grey", "with transparency"])
def test_each_format_comes_as_blue_green_red(tmp_path: Path, suffix: str, kind: str) -> None:
    picture = scene()
    if kind == "grey":
        picture = picture[:, :, 0]
    elif kind == "with transparency" and suffix != ".jpg":
        picture = np.dstack([picture, np.full(picture.shape[:2], 90, np.uint8)])
    path = tmp_path / f"a{suffix}"
    assert cv2.imwrite(str(path), picture)
    read = read_picture(path)
    assert read.shape == (120, 160, 3)
    assert read.dtype == np.uint8
    shown = picture[:, :, :3] if picture.ndim == 3 else picture[:, :, None]
    assert np.abs(read.astype(int) - shown).mean() < 6


@pytest.mark.parametrize("size", [(240, 320), (2592, 4608)])
def test_small_and_big_pictures(tmp_path: Path, size: tuple[int, int]) -> None:
    cv2.imwrite(str(tmp_path / "a.jpg"), np.full((*size, 3), 90, np.uint8))
    assert read_picture(tmp_path / "a.jpg").shape == (*size, 3)


@pytest.mark.parametrize(
    "options",
    [
        (cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
        (cv2.IMWRITE_JPEG_RST_INTERVAL, 2),
        (cv2.IMWRITE_JPEG_OPTIMIZE, 1),
        (cv2.IMWRITE_JPEG_QUALITY, 100),
    ],
)
def test_every_kind_of_jpeg_is_whole(tmp_path: Path, options: tuple[int, int]) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(jpeg(*options))
    assert read_picture(path).shape == (120, 160, 3)
    # a phone's own data behind the end are no part of the picture
    path.write_bytes(jpeg(*options) + b"\xff\x01 and a film" + bytes(2000))
    assert read_picture(path).shape == (120, 160, 3)


@pytest.mark.parametrize("level", [0, 128, 255])
@pytest.mark.parametrize("progressive", [0, 1])
@pytest.mark.parametrize("optimize", [0, 1])
def test_a_flat_picture_is_whole(tmp_path: Path, level: int, progressive: int, optimize: int) -> None:
    options = [cv2.IMWRITE_JPEG_PROGRESSIVE, progressive, cv2.IMWRITE_JPEG_OPTIMIZE, optimize]
    cv2.imwrite(str(tmp_path / "a.jpg"), np.full((600, 800, 3), level, np.uint8), options)
    assert int(read_picture(tmp_path / "a.jpg")[0, 0, 0]) == level


def test_damage_in_the_middle_of_a_jpeg_is_noticed(tmp_path: Path) -> None:
    whole = jpeg()
    half = len(whole) // 2
    path = tmp_path / "a.jpg"
    rng = np.random.default_rng(1)
    for middle in (bytes(512), rng.integers(0, 256, 2000, np.uint8).tobytes(), b"\xff\x02", b"\xff\xd3"):
        path.write_bytes(whole[:half] + middle + whole[half + len(middle) :])
        with pytest.raises(PictureError, match=r"is (damaged|torn)"):
            read_picture(path)


def test_damage_in_a_png_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), scene())
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(PictureError, match="is damaged"):
        read_picture(path)


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".bmp", ".webp", ".tiff"])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
def test_a_torn_picture_is_named(tmp_path: Path, suffix: str, share: float) -> None:
    path = tmp_path / f"torn{suffix}"
    cv2.imwrite(str(path), scene())
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    with pytest.raises(PictureError, match=rf"torn\{suffix} is (torn|damaged)"):
        read_picture(path)


def huge_png(width: int, height: int) -> bytes:
    """A PNG of a few hundred bytes that says it has this size."""
    chunks = b""
    for kind, body in (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", b""),
        (b"IEND", b""),
    ):
        chunks += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return b"\x89PNG\r\n\x1a\n" + chunks


def test_a_huge_picture_is_refused_by_its_header(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(huge_png(60000, 60000))
    with pytest.raises(PictureError, match="too big: 60000x60000, at most 64 megapixels"):
        read_picture(path)
    path = tmp_path / "a.jpg"
    data = bytearray(jpeg())
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = struct.pack(">HH", 30000, 30000)
    path.write_bytes(data)
    with pytest.raises(PictureError, match="too big: 30000x30000"):
        read_picture(path)


def test_what_is_no_picture(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "text.jpg").write_text("not a picture")
    (tmp_path / "start.jpg").write_bytes(b"\xff\xd8")
    (tmp_path / "folder.jpg").mkdir()
    for name, message in (
        ("empty.jpg", "is empty"),
        ("text.jpg", "is no JPEG, PNG, BMP, WebP or TIFF"),
        ("start.jpg", "is torn"),
        ("folder.jpg", "not a file"),
        ("missing.jpg", "No such file"),
    ):
        with pytest.raises(PictureError, match=message):
            read_picture(tmp_path / name)

"""The calibration file: TOML that a person can read and edit, and beside it a reference picture. And the lens's file.

The reference (`NAME.reference.jpg` for `NAME.toml`) is what the camera saw at calibration: a bumped board or nudged
camera is found by comparing with it. A lens's file is the `[picture]` and `[lens]` of a calibration by themselves.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError, CalibrationFileError, SizeMismatch
from calibration.geometry import Geometry
from calibration.layout import Layout, Variant, WhiteHome
from calibration.lens import Lens
from calibration.picture import read_picture

FORMAT = 1
Trays = Literal["right", "left", "both", "none"]
Colour = Literal["light", "dark"]
Tone = tuple[float, float, float]


GROUND = 24 * 5 * 3
"""Numbers in an appearance's ground."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """What was learnt of this board: added to the log-likelihoods of the general reader.

    empty: for each place 1..24, nats in favour of 'no checker' (from the empty board). tones: what the light and the
    dark checkers look like (from a known position), or None: blue, green, red by the field's, as logs. ground: the same
    of the empty board, for each place where its checkers 1..5 from the rail would lie; or nothing.
    """

    empty: tuple[float, ...] = (0.0,) * 24
    tones: tuple[Tone, Tone] | None = None
    ground: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if len(self.empty) != 24:
            raise CalibrationFileError(f"appearance.empty has 24 numbers, one a place, not {len(self.empty)}")
        if len(self.ground) not in (0, GROUND):
            raise CalibrationFileError(
                f"appearance.ground has {GROUND} numbers (24 places, 5 tones), not {len(self.ground)}"
            )
        told = (*self.empty, *self.ground, *(v for tone in self.tones or () for v in tone))
        if not all(-100 < v < 100 for v in told):
            raise CalibrationFileError("appearance holds numbers between -100 and 100: delete the section to forget it")


@dataclass(frozen=True, slots=True)
class Calibration:
    """All that is known of one board under one camera. reference: BGR picture, or None where none was kept.

    With a lens, geometry and reference are in its straightened picture.
    """

    geometry: Geometry
    layout: Layout
    trays: Trays = "none"
    white: Colour = "light"
    appearance: Appearance = Appearance()
    reference: NDArray[np.uint8] | None = None
    lens: Lens | None = None

    def check_size(self, picture: NDArray[np.uint8], name: str) -> None:
        """Raises SizeMismatch unless the picture (name, for the message) has the calibration's size."""
        height, width = picture.shape[:2]
        if (width, height) != self.geometry.size:
            w, h = self.geometry.size
            raise SizeMismatch(
                f"{name} is {width}x{height}, the calibration is for {w}x{h}: calibrate again for this camera setting"
            )


_Pixels = Annotated[int, msgspec.Meta(ge=1, le=100_000)]


class _Picture(msgspec.Struct, forbid_unknown_fields=True):
    width: _Pixels
    height: _Pixels


class _Field(msgspec.Struct, forbid_unknown_fields=True):
    near_left: tuple[float, float]
    near_right: tuple[float, float]
    far_right: tuple[float, float]
    far_left: tuple[float, float]
    bar: tuple[float, float]
    point_length: float
    checker_radius: float
    trays: Trays = "none"


class _Layout(msgspec.Struct, forbid_unknown_fields=True):
    variant: Variant
    white_home: WhiteHome
    white: Colour = "light"


class _Appearance(msgspec.Struct, forbid_unknown_fields=True):
    empty: list[float]
    light: Tone | None = None
    dark: Tone | None = None
    ground: list[float] = []


class _Lens(msgspec.Struct, forbid_unknown_fields=True):
    focal: tuple[float, float]
    centre: tuple[float, float]
    distortion: tuple[float, float, float, float, float]
    rms: float = 0.0

    def of(self, picture: _Picture) -> Lens:
        return Lens((picture.width, picture.height), self.focal, self.centre, self.distortion, self.rms)


class _LensFile(msgspec.Struct, forbid_unknown_fields=True):
    format: Literal[1]
    picture: _Picture
    lens: _Lens


class _File(msgspec.Struct, forbid_unknown_fields=True):
    format: Literal[1]
    picture: _Picture
    field: _Field
    layout: _Layout
    appearance: _Appearance | None = None
    lens: _Lens | None = None


_Kind = TypeVar("_Kind", _File, _LensFile)


def dumps(calibration: Calibration) -> str:
    """The file's text, with a comment for whoever opens it."""
    g, a = calibration.geometry, calibration.appearance
    names = ("near_left", "near_right", "far_right", "far_left")
    corners = "\n".join(f"{name} = [{x:.2f}, {y:.2f}]" for name, (x, y) in zip(names, g.corners, strict=True))
    empty = ", ".join(f"{v:.2f}" for v in a.empty)
    straight = " of the picture that [lens] has straightened" if calibration.lens else ""
    tones = ""
    for name, tone in zip(("light", "dark"), a.tones or (), strict=False):
        tones += f"{name} = [{', '.join(f'{v:.3f}' for v in tone)}]\n"
    ground = f"ground = [{', '.join(f'{v:.2f}' for v in a.ground)}]\n" if a.ground else ""
    return f"""# Calibration of nardy-hw: where the board lies in the camera's picture. Safe to edit by hand.
format = {FORMAT}

[picture]
# Size in pixels of the pictures that this calibration is for.
width = {g.size[0]}
height = {g.size[1]}

[field]
# Inner corners of the playing field on its surface, in pixels (x, y){straight}. Near = bottom of the picture.
{corners}
# The bar's two edges and a checker's radius (at the height of its top), as fractions of the field's width.
bar = [{g.bar[0]:.4f}, {g.bar[1]:.4f}]
checker_radius = {g.checker_radius:.4f}
# A point's length, as a fraction of the field's height.
point_length = {g.point_length:.4f}
# Where checkers taken off lie: right, left, both, none.
trays = "{calibration.trays}"

[layout]
# The game (short, long), the quarter where White's points 1-6 lie, and which checkers are White's (light, dark).
variant = "{calibration.layout.variant}"
white_home = "{calibration.layout.white_home}"
white = "{calibration.white}"

[appearance]
# Learnt from the pictures of this board; delete this section to forget it. Nats in favour of 'empty' for each place,
# and the blue, green and red of the checkers, and of the places where they would lie, by the field's, as logarithms.
empty = [{empty}]
{tones}{ground}{_lens(calibration.lens) if calibration.lens else ""}"""


def dumps_lens(lens: Lens) -> str:
    """The text of a lens's own file."""
    return f"""# A camera's lens, found by `nardy-hw lens`: for `nardy-hw calibrate --lens`.
format = {FORMAT}

[picture]
# Size in pixels of the pictures that it was found in; others of the same shape will do.
width = {lens.size[0]}
height = {lens.size[1]}
{_lens(lens)}"""


def _lens(lens: Lens) -> str:
    return f"""
[lens]
# Focal lengths and centre (x, y) in pixels; distortion k1, k2, p1, p2, k3 as OpenCV has them; what was left over, in
# pixels.
focal = [{lens.focal[0]:.3f}, {lens.focal[1]:.3f}]
centre = [{lens.centre[0]:.3f}, {lens.centre[1]:.3f}]
distortion = [{", ".join(f"{k:.7g}" for k in lens.distortion)}]
rms = {lens.rms:.3f}
"""


def loads(text: str, name: str = "calibration") -> Calibration:
    """A calibration (without its reference picture) from the file's text. Raises CalibrationFileError."""
    f = _parse(text, name, _File)
    corners = (f.field.near_left, f.field.near_right, f.field.far_right, f.field.far_left)
    try:
        geometry = Geometry(
            (f.picture.width, f.picture.height), corners, f.field.bar, f.field.point_length, f.field.checker_radius
        )
        appearance = Appearance()
        if f.appearance:
            told = f.appearance
            tones = (told.light, told.dark) if told.light and told.dark else None
            appearance = Appearance(tuple(told.empty), tones, tuple(told.ground))
        lens = f.lens.of(f.picture) if f.lens else None
    except CalibrationError as error:
        raise CalibrationFileError(f"{name}: {error}") from None
    layout = Layout(f.layout.variant, f.layout.white_home)
    return Calibration(geometry, layout, f.field.trays, f.layout.white, appearance, lens=lens)


def loads_lens(text: str, name: str = "lens") -> Lens:
    """A lens from its file's text. Raises CalibrationFileError."""
    f = _parse(text, name, _LensFile)
    try:
        return f.lens.of(f.picture)
    except CalibrationError as error:
        raise CalibrationFileError(f"{name}: {error}") from None


def _parse(text: str, name: str, kind: type[_Kind]) -> _Kind:
    try:
        obj: dict[str, Any] = tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise CalibrationFileError(f"{name} is not TOML: {str(error)[:100]}") from None
    if not obj:
        raise CalibrationFileError(f"{name} is empty: calibrate again")
    try:
        return msgspec.convert(obj, kind)
    except msgspec.ValidationError as error:
        raise CalibrationFileError(f"{name}: {error}{_nearest(str(error))}") from None


def _nearest(message: str) -> str:
    """For an unknown key: the known key that was probably meant."""
    if "unknown field" not in message:
        return ""
    unknown = message.split("`")[1]
    structs = (_File, _Picture, _Field, _Layout, _Appearance, _Lens)
    near = difflib.get_close_matches(unknown, [k for s in structs for k in s.__struct_fields__], 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def reference_path(path: Path) -> Path:
    return path.with_name(path.stem + ".reference.jpg")


def load(path: Path) -> Calibration:
    """Reads a calibration and its reference picture. Raises CalibrationFileError, SizeMismatch."""
    calibration = loads(_text(path, "calibration"), str(path))
    reference = reference_path(path)
    if not reference.exists():
        return calibration
    picture = read_picture(reference)
    calibration.check_size(picture, str(reference))
    return replace(calibration, reference=picture)


def load_lens(path: Path) -> Lens:
    """Reads a lens's file. Raises CalibrationFileError."""
    return loads_lens(_text(path, "lens"), str(path))


def _text(path: Path, what: str) -> str:
    try:
        if path.exists() and not path.is_file():
            raise CalibrationFileError(f"cannot read the {what} {path}: it is not a file")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not a text file"
        raise CalibrationFileError(f"cannot read the {what} {path}: {why}") from None


def save(calibration: Calibration, path: Path) -> None:
    """Writes the file and its reference picture, each whole or not at all. Raises CalibrationFileError."""
    if calibration.reference is not None:
        ok, jpeg = cv2.imencode(".jpg", calibration.reference, [cv2.IMWRITE_JPEG_QUALITY, 90])
        assert ok
        _replace(reference_path(path), jpeg.tobytes())
    _replace(path, dumps(calibration).encode())


def save_lens(lens: Lens, path: Path) -> None:
    """Writes a lens's file, whole or not at all. Raises CalibrationFileError."""
    _replace(path, dumps_lens(lens).encode())


def _replace(path: Path, data: bytes) -> None:
    if path.exists() and not path.is_file():
        raise CalibrationFileError(f"cannot write {path}: it is not a file")
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise CalibrationFileError(f"cannot write {path}: {error.strerror}") from None

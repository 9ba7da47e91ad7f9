"""Corners, layout and file of a calibration."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.errors import CalibrationError, CalibrationFileError, CornersError, SizeMismatch
from calibration.file import Appearance, Calibration, dumps, load, loads, reference_path, save
from calibration.geometry import Corners, Geometry, check_corners, parse_corners
from calibration.layout import WHITE_HOMES, Layout, WhiteHome

SQUARE: Corners = ((100, 500), (700, 500), (700, 100), (100, 100))


def geometry(corners: Corners = SQUARE) -> Geometry:
    return Geometry((800, 600), corners, (0.46, 0.54), 0.42, 0.033)


@pytest.mark.parametrize(
    ("corners", "why"),
    [
        (((100, 500), (700, 500), (100, 100), (700, 100)), "far ones swapped: crossed"),
        (((100, 100), (700, 100), (700, 500), (100, 500)), "far and near swapped: a mirror picture"),
        (((700, 500), (100, 500), (100, 100), (700, 100)), "left and right swapped"),
        (((100, 900), (700, 500), (700, 100), (100, 100)), "one outside"),
        (((100, 130), (700, 130), (700, 100), (100, 100)), "30 pixels high"),
        (((100, 500), (400, 200), (700, 100), (100, 100)), "not convex"),
    ],
)
def test_corners_that_cannot_be_a_field(corners: Corners, why: str) -> None:
    with pytest.raises(CornersError):
        check_corners(corners, (800, 600))


@pytest.mark.parametrize(
    "text", ["", "1,2 3,4 5,6", "1,2 3,4 5,6 7", "a,b c,d e,f g,h", "1,2 3,4 5,6 nan,8", "1 2 3 4 5 6 7 8"]
)
def test_corner_text_that_is_none(text: str) -> None:
    with pytest.raises(CornersError, match="four pairs"):
        parse_corners(text)


def test_corner_text() -> None:
    assert parse_corners("100,500 700,500 700.5,100 100,100") == ((100, 500), (700, 500), (700.5, 100), (100, 100))


def test_places_lie_where_the_camera_sees_them() -> None:
    g = geometry()
    # six points of 0.46 / 6 to the right of the bar's right edge at 0.54
    assert g.point_x(1) == pytest.approx((1 - 0.46 / 12, 0.46 / 6))
    assert g.point_x(6) == pytest.approx((0.54 + 0.46 / 12, 0.46 / 6))
    assert g.point_x(7) == pytest.approx((0.46 - 0.46 / 12, 0.46 / 6))
    assert g.point_x(12)[0] == g.point_x(13)[0] == pytest.approx(0.46 / 12)
    assert g.point_x(24) == g.point_x(1)


@pytest.mark.parametrize(
    ("home", "place_of_1_6_7_24", "half"),
    [
        ("near-right", (1, 6, 7, 24), "right"),
        ("near-left", (12, 7, 6, 13), "right"),
        ("far-left", (13, 18, 19, 12), "left"),
        ("far-right", (24, 19, 18, 1), "left"),
    ],
)
def test_layouts(home: str, place_of_1_6_7_24: tuple[int, ...], half: str) -> None:
    layout = Layout("short", home)  # type: ignore[arg-type]
    assert tuple(layout.place(p) for p in (1, 6, 7, 24)) == place_of_1_6_7_24
    assert sorted(layout.place(p) for p in range(1, 25)) == list(range(1, 25))
    assert all(layout.place(layout.place(p)) == p for p in range(1, 25))
    assert layout.white_half == half


def test_file_round_trip(tmp_path: Path) -> None:
    reference = np.full((600, 800, 3), 90, np.uint8)
    calibration = Calibration(
        geometry(),
        Layout("long", "far-left"),
        "right",
        "dark",
        Appearance((0.5,) * 24, ((0.5, 0.25, 0.0), (-1.0, -0.5, -0.25)), (0.25, -0.5) * 180),
        reference,
    )
    save(calibration, tmp_path / "c.toml")
    again = load(tmp_path / "c.toml")
    assert (again.geometry, again.layout, again.trays, again.white, again.appearance) == (
        calibration.geometry,
        calibration.layout,
        "right",
        "dark",
        calibration.appearance,
    )
    assert again.reference is not None
    assert abs(int(again.reference[300, 400, 0]) - 90) <= 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c.reference.jpg", "c.toml"]


def test_appearance_may_be_deleted_by_hand() -> None:
    text = dumps(Calibration(geometry(), Layout(), appearance=Appearance((1.0,) * 24)))
    assert loads(text[: text.index("[appearance]")]).appearance == Appearance()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("checker_radius", "checker_radios", "did you mean 'checker_radius'"),
        ("format = 1", "format = 2", "format"),
        ("width = 800", "width = 'wide'", "int"),
        ("bar = [0.4600, 0.5400]", "bar = [0.5400, 0.4600]", "bar edges"),
        ("[field]", "[field", "not TOML"),
        ('white_home = "near-right"', 'white_home = "east"', "white_home"),
        ("near_left = [100.00, 500.00]", "near_left = [9000, 500]", "outside"),
    ],
)
def test_files_that_are_refused(old: str, new: str, message: str) -> None:
    text = dumps(Calibration(geometry(), Layout()))
    assert old in text
    with pytest.raises(CalibrationFileError, match=message):
        loads(text.replace(old, new))


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(SizeMismatch, match="640x480, the calibration is for 800x600"):
        Calibration(geometry(), Layout()).check_size(np.zeros((480, 640, 3), np.uint8), "x.jpg")


def test_unwritable_output_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="cannot write"):
        save(Calibration(geometry(), Layout()), tmp_path / "nowhere" / "c.toml")
    assert list(tmp_path.iterdir()) == []


def test_reference_lies_beside_the_file() -> None:
    assert reference_path(Path("/a/club.table.toml")) == Path("/a/club.table.reference.jpg")


@pytest.mark.parametrize("width", ["-1280", "9" * 400])
def test_an_absurd_size_is_refused_by_name(width: str) -> None:
    text = dumps(Calibration(geometry(), Layout())).replace("width = 800", f"width = {width}")
    with pytest.raises(CalibrationFileError, match=r"picture\.width|not TOML|out of range"):
        loads(text)


@pytest.mark.parametrize("home", WHITE_HOMES)
def test_changed_seats_turn_the_board_by_half_a_turn(home: WhiteHome) -> None:
    layout = Layout("short", home)
    for point in range(1, 25):
        assert layout.opposite.place(point) == (layout.place(point) + 11) % 24 + 1
    assert layout.opposite.opposite == layout
    assert layout.opposite.white_half != layout.white_half

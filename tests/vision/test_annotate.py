"""What is drawn over a picture: the words are collected as they are written, the marks by their colours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from calibration.file import Calibration
from calibration.geometry import Geometry
from calibration.layout import Layout
from calibration.lens import Lens
from nardy_hw.vision import ink
from nardy_hw.vision.annotate import BLUE, DARK, LIGHT, ORANGE, annotate
from nardy_hw.vision.observation import FLAT, FLAT_MIXED, DieReading, Observation, PlaceReading

SIXTH = (1.0,) + (0.0,) * 5


def board(width: int, height: int, lens: Lens | None = None) -> Calibration:
    corners = tuple((x * width, y * height) for x, y in ((0.2, 0.8), (0.8, 0.8), (0.7, 0.3), (0.3, 0.3)))
    geometry = Geometry((width, height), corners, (0.46, 0.54), 0.42, 0.03)  # type: ignore[arg-type]
    return Calibration(geometry, Layout(), lens=lens)


def place(colour: Any = None, count: int = 0, confidence: float = 1.0, **more: bool) -> PlaceReading:
    return PlaceReading(FLAT, FLAT_MIXED, colour, count, confidence=confidence, **more)


def seen(points: dict[int, PlaceReading], dice: tuple[DieReading, ...] = (), **more: Any) -> Observation:
    none = np.array([0] + [-12] * 15, np.float32)
    readings = tuple(points.get(i, place()) for i in range(1, 25))
    return Observation(0.0, 0, readings, none, none, dice, **more)


def corners(calibration: Calibration) -> np.ndarray:
    return np.array(calibration.geometry.corners, np.float32)


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    told: list[str] = []
    draw = ink.text

    def collect(picture: Any, centre: Any, text: str, *more: Any, **options: Any) -> None:
        told.append(text)
        draw(picture, centre, text, *more, **options)

    monkeypatch.setattr(ink, "text", collect)
    return told


def count(picture: np.ndarray, colour: tuple[int, int, int]) -> int:
    return int((picture == colour).all(-1).sum())


@pytest.mark.parametrize(("width", "height"), [(640, 480), (1280, 960), (4608, 2592)])
def test_every_size_has_room_for_what_is_written(width: int, height: int, words: list[str]) -> None:
    calibration = board(width, height)
    picture = np.full((height, width, 3), 90, np.uint8)
    before = picture.copy()
    drawn = annotate(picture, calibration, seen({6: place("light", 5)}), corners(calibration))
    assert (picture == before).all()
    assert drawn.shape[0] >= height
    assert drawn.shape[1] >= max(width, 1000)
    assert {str(i) for i in range(1, 25)} <= set(words)
    assert words.count("0") == 23 + 2  # and the two of the bar
    assert "5" in words
    assert any(w.startswith("field found; no hand; no dice") for w in words)


def test_counts_are_in_their_colours(words: list[str]) -> None:
    calibration = board(1280, 960)
    picture = np.full((960, 1280, 3), 90, np.uint8)
    light = annotate(picture, calibration, seen({1: place("light", 2, 0.97)}), corners(calibration))
    dark = annotate(picture, calibration, seen({1: place("dark", 15, 0.999, at_least=True)}), corners(calibration))
    both = annotate(picture, calibration, seen({1: place("mixed", 3)}), corners(calibration))
    assert {"2", "97%", "15+", "99%", "3"} <= set(words)
    assert "100%" not in words
    for drawn, has_light, has_dark in ((light, True, False), (dark, False, True), (both, True, True)):
        assert (count(drawn, LIGHT) > 100) == has_light
        assert (count(drawn, DARK) > 100) == has_dark
        assert count(drawn, ORANGE) == 0
        assert count(drawn, BLUE) > 1000


def test_what_is_doubtful_or_hidden_is_marked(words: list[str]) -> None:
    calibration = board(1280, 960)
    picture = np.full((960, 1280, 3), 90, np.uint8)
    readings = {8: place("dark", 4, 0.61), 13: place(occluded=True)}
    drawn = annotate(picture, calibration, seen(readings, hand=True), corners(calibration))
    assert "4?" in words
    assert "61%" in words
    assert count(drawn, ORANGE) > 100
    assert count(drawn, ink.WHITE) > 1000
    assert "field found; a hand is over the board; no dice; doubtful 8; hidden 13" in words


def test_dice_say_their_value_and_state(words: list[str]) -> None:
    calibration = board(1280, 960)
    picture = np.full((960, 1280, 3), 90, np.uint8)
    dice = (
        DieReading(5, "flat", "right", (800.0, 600.0), 0.98, SIXTH),
        DieReading(2, "cocked", "right", (810.0, 560.0), 0.95, SIXTH),
        DieReading(1, "on_checker", "left", (3.0, 3.0), 0.5, SIXTH),
    )
    annotate(picture, calibration, seen({}, dice), corners(calibration))
    assert {"5 98%", "2 cocked 95%", "1 on checker? 50%"} <= set(words)
    assert "field found; no hand; dice 5, 2 cocked, 1 on checker" in words


def test_a_field_that_is_not_found_says_so_and_shows_where_it_should_be(words: list[str]) -> None:
    calibration = board(1280, 960)
    picture = np.full((960, 1280, 3), 90, np.uint8)
    drawn = annotate(picture, calibration, seen({}, field_found=False, reason="it is dark"), corners(calibration))
    assert words == ["field not found: it is dark"]
    assert count(drawn, ORANGE) > 100
    assert count(drawn, BLUE) == 0


@pytest.mark.parametrize(
    ("lens", "least", "most"),
    [(None, -1, 1), (Lens((1280, 960), (1000, 1000), (640, 480), (-0.25, 0.06, 0, 0, 0)), 8, 99)],
)
def test_the_outline_bends_as_the_lens_does(lens: Lens | None, least: float, most: float) -> None:
    calibration = board(1280, 960, lens)
    drawn = annotate(np.full((960, 1280, 3), 90, np.uint8), calibration, seen({}), corners(calibration))
    blue = (drawn == BLUE).all(-1)
    columns = np.flatnonzero(blue.any(0))
    lowest = [int(np.flatnonzero(blue[:, x]).max()) for x in (columns[20], (columns[0] + columns[-1]) // 2)]
    assert least <= lowest[1] - lowest[0] <= most

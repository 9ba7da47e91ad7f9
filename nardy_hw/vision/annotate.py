"""Draws what was seen over the picture, for people who would rather look than read."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field import Picture
from calibration.file import Calibration
from calibration.geometry import FIELD_CORNERS
from nardy_hw.vision import ink
from nardy_hw.vision.ink import BLACK, WHITE, Points
from nardy_hw.vision.observation import DieReading, Observation, PlaceReading

DOUBTFUL = 0.9
"""Confidence below which a reading is marked: on 110 rendered stills one in 4 of those is wrong, of the others one in
300."""

ROOM = 56
"""Pixels between neighbouring points: small pictures are enlarged until two lines of text fit beside a point."""

LARGEST = 3000
"""Pixels of the longer side beyond which nothing is enlarged."""

BLUE, ORANGE = (233, 180, 86), (0, 159, 230)
"""Two of Okabe and Ito's colours, which nobody confuses; what they say a shape says too."""
LIGHT, DARK, EMPTY, BAND = (205, 235, 250), (48, 36, 30), (120, 120, 120), (40, 40, 40)

LEGEND = (
    "beside each point: checkers, 5+ being five or more, and how sure; dashed with ? is doubtful, hatched is hidden"
)


def annotate(picture: Picture, calibration: Calibration, seen: Observation, corners: NDArray[np.float32]) -> Picture:
    """The picture, enlarged where it is small, with the field, counts, bar, dice and the state drawn on and around it.

    picture: BGR, as it was taken. corners: where the field was found, (4, 2), as `Eyes.corners` has them (with a lens,
    in the straightened picture).
    """
    sheet = _Sheet(picture, calibration, corners)
    sheet.field(found=seen.field_found)
    if seen.field_found:
        for number, reading in enumerate(seen.points, 1):
            sheet.point(number, calibration.layout.place(number), reading)
        sheet.bar(seen)
        sheet.dice(seen.dice)
    return sheet.with_lines([_state(seen), LEGEND] if seen.field_found else [_state(seen)])


def _state(seen: Observation) -> str:
    if not seen.field_found:
        return f"field not found: {seen.reason}"
    doubtful = [str(i) for i, p in enumerate(seen.points, 1) if not p.occluded and p.confidence < DOUBTFUL]
    doubtful += ["bar"] * any(_barred(table)[1] < DOUBTFUL for table in (seen.bar_light, seen.bar_dark))
    hidden = [str(i) for i, p in enumerate(seen.points, 1) if p.occluded]
    told = [seen.reason or "field found", "a hand is over the board" if seen.hand else "no hand"]
    told.append("dice " + ", ".join(_die(d) for d in seen.dice) if seen.dice else "no dice")
    told += [f"{what} {' '.join(points)}" for what, points in (("doubtful", doubtful), ("hidden", hidden)) if points]
    return "; ".join(told)


def _barred(table: NDArray[np.float32]) -> tuple[int, float]:
    """The likeliest count of 0..15 and its probability."""
    p = np.exp(table - table.max())
    return int(p.argmax()), float(p.max() / p.sum())


def _die(die: DieReading) -> str:
    return str(die.value) if die.state == "flat" else f"{die.value} {die.state.replace('_', ' ')}"


def _sure(confidence: float) -> str:
    return f"{min(99, int(100 * confidence))}%"  # nothing is ever quite sure


def _far(side: Points, own: Points, taken: Sequence[Points]) -> list[float]:
    """Pixels between a place and all that is taken, but its own die."""
    return [float(np.hypot(*(side - other))) for other in taken if other is not own]


class _Sheet:
    """The picture with room around it. Places on the board are fractions of the field, y from the far rail."""

    def __init__(self, picture: Picture, calibration: Calibration, corners: NDArray[np.float32]) -> None:
        self._geometry, self._lens = calibration.geometry, calibration.lens
        self._matrix = cv2.getPerspectiveTransform(FIELD_CORNERS, corners.astype(np.float32))
        self._scale, self._shift = 1.0, np.zeros(2)
        size = np.array(picture.shape[1::-1])
        spacing = min(self._spacing(1.0), self._spacing(0.0))
        self._scale = float(max(1.0, min(ROOM / spacing, LARGEST / size.max())))
        self._width = max(1, round(self._scale * spacing / 22))
        tags = [self._beside(x, rail) for rail in (0.0, 1.0) for x in (0.0, 1.0)]
        room = 1.3 * max(self._spacing(1.0), self._spacing(0.0))
        low = np.minimum(0, np.min(tags, 0) - room).astype(int)
        big = cv2.resize(picture, None, fx=self._scale, fy=self._scale, interpolation=cv2.INTER_CUBIC)
        high = np.maximum(big.shape[1::-1], np.max(tags, 0) + room).astype(int)
        self._picture = np.full((*(high - low)[::-1], 3), BAND, np.uint8)
        self._picture[-low[1] : big.shape[0] - low[1], -low[0] : big.shape[1] - low[0]] = big
        self._shift = -low.astype(np.float64)

    def _at(self, *places: tuple[float, float]) -> Points:
        """Pixels of the sheet, (n, 2)."""
        seen = cv2.perspectiveTransform(np.array(places, np.float64)[:, None], self._matrix)
        pixels = np.asarray(seen, np.float64).reshape(-1, 2)
        return self._drawn(self._lens.points_to_picture(pixels) if self._lens else pixels)

    def _drawn(self, pixels: Points) -> Points:
        """Pixels of the picture in the sheet."""
        return (pixels + 0.5) * self._scale - 0.5 + self._shift

    def _x(self, place: int) -> float:
        return self._geometry.point_x(place)[0]

    def _spacing(self, rail: float) -> float:
        """Pixels between neighbouring points where they are narrowest along a rail: 0 the far one, 1 the near."""
        row = self._at(*((self._x(place), rail) for place in range(1, 13)))
        return float(np.hypot(*np.diff(row, axis=0).T).min())

    def _beside(self, x: float, rail: float) -> Points:
        """Where a tag stands: beyond the rail, on the frame."""
        foot, above = self._at((x, rail), (x, 0.9 * rail + 0.05))
        out = (foot - above) / np.hypot(*(foot - above))
        return np.asarray(foot + out * 0.75 * self._spacing(rail), np.float64)

    def field(self, *, found: bool) -> None:
        """The field's outline, and the bar's."""
        a, b = self._geometry.bar
        along = np.linspace(0, 1, 20)  # a lens bends what is straight: short pieces
        across = [[(x, y) for x in along] for y in (0.0, 1.0)]
        down = [[(x, y) for y in along] for x in (0.0, a, b, 1.0)]
        for edge in across + down:
            pixels = self._at(*edge)
            if found:
                ink.line(self._picture, pixels, BLUE, self._width)
            else:
                ink.dashes(self._picture, pixels, ORANGE, self._width)

    def point(self, number: int, place: int, reading: PlaceReading) -> None:
        """A point's tag, and marks on the point itself where it is doubtful or hidden."""
        rail = 1.0 if place <= 12 else 0.0
        x, wide = self._geometry.point_x(place)
        tip = rail + (0.5 - rail) * 2 * self._geometry.point_length
        strip = self._at(*((x + side * wide * 0.46, y) for side, y in ((-1, rail), (-1, tip), (1, tip), (1, rail))))
        size = 0.86 * self._spacing(rail)
        centre = self._beside(x, rail)
        foot = self._at((x, rail))[0]
        ink.text(self._picture, centre + (centre - foot) * 0.95, str(number), 0.28 * size, WHITE, BLACK)
        if reading.occluded:
            ink.hatch(self._picture, strip, WHITE, self._width)
            self._tag(centre, size, None, [])
            ink.hatch(self._picture, ink.box(centre, size, size), WHITE, self._width)
            return
        doubtful = reading.confidence < DOUBTFUL
        if doubtful:
            ink.dashes(self._picture, np.vstack([strip, strip[:1]]), ORANGE, self._width)
        count = f"{reading.count}{'+' if reading.at_least else ''}{'?' if doubtful else ''}"
        self._tag(centre, size, reading.colour, [count, _sure(reading.confidence)], doubtful=doubtful)

    def bar(self, seen: Observation) -> None:
        """The bar's checkers: light ones in a tag at the near rail, dark ones at the far rail."""
        x = sum(self._geometry.bar) / 2
        for rail, colour, table in ((1.0, "light", seen.bar_light), (0.0, "dark", seen.bar_dark)):
            count, sure = _barred(table)
            centre, size = self._beside(x, rail), 0.86 * self._spacing(rail)
            apart = np.hypot(*(centre - self._beside(self._x(6), rail)))  # a bar may be narrower than a point
            doubtful = sure < DOUBTFUL
            lines = [f"{count}{'?' if doubtful else ''}", _sure(sure)]
            self._tag(centre, min(size, 1.9 * apart - size), colour if count else None, lines, doubtful=doubtful)
            ink.text(self._picture, centre + (centre - self._at((x, rail))[0]) * 0.95, "bar", 0.28 * size, WHITE, BLACK)

    def dice(self, dice: Sequence[DieReading]) -> None:
        """A ring around each die, dashed unless it lies flat, and beside it what it shows."""
        radius = 0.55 * min(self._spacing(0.0), self._spacing(1.0))
        height = 0.5 * radius
        turn = np.linspace(0, 2 * np.pi, 41)
        circle = radius * np.stack([np.cos(turn), np.sin(turn)], 1)
        taken = list(self._drawn(np.array([d.centre for d in dice]).reshape(-1, 2)))
        for die, centre in zip(dice, tuple(taken), strict=True):
            doubtful = die.confidence < DOUBTFUL
            stroke = ink.line if die.state == "flat" else ink.dashes
            stroke(self._picture, centre + circle, ORANGE if doubtful else BLUE, self._width)
            words = f"{_die(die)}{'?' if doubtful else ''} {_sure(die.confidence)}"
            wide = ink.text_width(words, height) + height
            up, out = radius + 1.3 * height, radius + 0.6 * wide
            sides = [centre + side for side in ([0, -up], [0, up], [out, 0], [-out, 0])]
            # above where that is free, else wherever it is farthest from the other dice and what is said of them
            at = max(sides, key=lambda side: min([2.5 * radius, self._inside(side, wide), *_far(side, centre, taken)]))
            taken.append(at)
            ink.fill(self._picture, ink.box(at, wide, 2 * height), BLACK, 0.7)
            ink.text(self._picture, at, words, height, WHITE)

    def _inside(self, centre: Points, wide: float) -> float:
        """Pixels between a sign so wide and the sheet's edge; below 0 it reaches over it."""
        return float(min(*(centre - wide / 2), *(np.array(self._picture.shape[1::-1]) - centre - wide / 2)))

    def _tag(
        self, centre: Points, size: float, colour: str | None, lines: Sequence[str], *, doubtful: bool = False
    ) -> None:
        """A square in the checkers' colour with a count and how sure it is; of both colours where they are mixed."""
        square = ink.box(centre, size, size)
        if colour is None:
            ink.fill(self._picture, square, EMPTY, 0.55)
        else:
            ink.fill(self._picture, square, DARK if colour == "dark" else LIGHT)
        if colour == "mixed":
            ink.fill(self._picture, square[[0, 2, 3]], DARK)
        edge = np.vstack([square, square[:1]])
        if doubtful:
            ink.dashes(self._picture, edge, ORANGE, self._width)
        elif colour:
            ink.line(self._picture, edge, WHITE if colour == "dark" else BLACK, 1)
        words, around = (BLACK, None) if colour == "light" else (WHITE, BLACK)
        for text, row, height in zip(lines, (-0.16, 0.28), (0.4, 0.22), strict=False):
            at = centre + np.array([0, row * size])
            ink.text(self._picture, at, text, height * size, words, around, most=0.9 * size)

    def with_lines(self, lines: Sequence[str]) -> Picture:
        """The sheet with lines of text under it."""
        width = self._picture.shape[1]
        longest = max(ink.text_width(words, 100) for words in lines) / 100
        height = min(0.94 * width / longest, width / 60)
        band = np.full((round((2 * len(lines) + 1) * height), width, 3), BAND, np.uint8)
        for row, words in enumerate(lines):
            x = (ink.text_width(words, height)) / 2 + height
            ink.text(band, np.array([x, (2 * row + 1.5) * height]), words, height, WHITE)
        return np.vstack([self._picture, band])

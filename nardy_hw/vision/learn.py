"""Learns what this board looks like, from pictures whose position is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.field import (
    EDGE,
    HEIGHT,
    LENGTH,
    MARGIN,
    PLACES,
    POINT,
    RAIL_NEAR,
    REACH,
    WIDTH,
    Picture,
    rectify,
    sides,
)
from calibration.file import Appearance
from calibration.geometry import Corners, Geometry
from nardy_hw.vision.checkers import CheckerReader, Strips
from nardy_hw.vision.colours import SLOTS

WANTED = 1.0
"""Nats that an empty point should stand above any checker: only a point that all but reads as occupied is helped. More
hides real checkers: at 2.5 (and at most 4) one column of red on red was lost in 20 frames more of a rendered game."""

MOST = 2.0
"""Nats that may be added for it."""

TELLING = 3
"""Checkers that a column needs to tell how big they are."""

STRANGE = 3
"""Points of a known position that may look otherwise before it is taken for another one."""


def from_empty(reader: CheckerReader, picture: Picture, geometry: Geometry, corners: Corners) -> Appearance:
    """The bare board's look; points that the general reader takes for checkers on it (inlays) lose that pull."""
    seen = reader.read(rectify(picture, np.array(corners, np.float32)), geometry, Appearance())
    pull = WANTED - (seen.count[:24, 0] - seen.count[:24, 1:].max(1))
    bias = tuple(float(v) for v in np.clip(pull, 0, MOST))
    return Appearance(bias, ground=tuple(float(v) for v in seen.tone[:24].ravel()))


def checker_radius(empty: Picture, start: Picture, geometry: Geometry, counts: Sequence[int]) -> float:
    """The checkers' radius, from how far columns of known length hide the bare board.

    empty, start: rectified fields. counts: signed counts of places 1..24 at the start. The geometry's own radius where
    no column is long enough, or too long to lie flat, to tell.
    """
    columns = [
        (side, c, abs(counts[place - 1]))
        for side, row in enumerate(PLACES)
        for c, place in enumerate(row)
        if place <= 24
    ]
    columns = [one for one in columns if TELLING <= one[2] <= SLOTS]
    if not columns:
        return geometry.checker_radius
    tones = []
    for field in (empty, start):
        board = field[MARGIN : MARGIN + HEIGHT, MARGIN : MARGIN + WIDTH].mean((0, 1))
        tones.append(np.log(sides(field, geometry.bar) + np.float32(4)) - np.log(board + 4))
    apart = np.abs(tones[1] - tones[0]).sum(-1)  # (2, LENGTH, ACROSS)
    scale = LENGTH / (REACH + RAIL_NEAR)
    rail = LENGTH - 1 - RAIL_NEAR * scale

    def edge(radius: float) -> float:
        """How much more is hidden within the last checkers than beyond them, were this the radius."""
        rows, steps = radius * WIDTH / HEIGHT * scale, []
        for side, column, n in columns:
            x = EDGE + POINT * column + POINT // 2
            profile = np.median(apart[side, :, x - POINT // 4 : x + POINT // 4], axis=1)
            end = rail - 2 * n * rows
            within = profile[round(end + 0.2 * rows) : round(end + 1.8 * rows)]
            beyond = profile[max(0, round(end - 1.5 * rows)) : round(end - 0.2 * rows)]
            steps.append(float(np.median(within) - np.median(beyond)) if len(beyond) else 0.0)
        return float(np.mean(steps))

    tried = geometry.checker_radius * np.linspace(0.8, 1.25, 46)
    gains = np.array([edge(radius) for radius in tried])
    return float(np.average(tried, weights=np.maximum(gains - 0.9 * gains.max(), 1e-9)))


def from_position(appearance: Appearance, seen: Strips, counts: Sequence[int]) -> Appearance:
    """What the light and the dark checkers of a known position look like.

    counts: signed counts (light positive) of places 1..24. Unchanged when either colour stands on too few points to
    tell, or when what was seen is plainly not that position.
    """
    known = np.array(counts)
    clear = seen.hidden[:24] < 0.5
    occupied = seen.count[:24].argmax(1) > 0
    if (occupied != (known != 0))[clear].sum() > STRANGE:
        return appearance
    light, dark = seen.tone[:24, 0][(known > 0) & clear], seen.tone[:24, 0][(known < 0) & clear]
    if not len(light) or not len(dark):
        return appearance
    a, b = (tuple(float(v) for v in np.median(tone, axis=0)) for tone in (light, dark))
    return replace(appearance, tones=((a[0], a[1], a[2]), (b[0], b[1], b[2])))

"""Learns what this board looks like, from pictures whose position is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.field import Picture, rectify
from calibration.file import Appearance
from calibration.geometry import Corners, Geometry
from nardy_hw.vision.checkers import CheckerReader, Strips

WANTED = 1.0
"""Nats that an empty point should stand above any checker: only a point that all but reads as occupied is helped. More
hides real checkers: at 2.5 (and at most 4) one column of red on red was lost in 20 frames more of a rendered game."""

MOST = 2.0
"""Nats that may be added for it."""

STRANGE = 3
"""Points of a known position that may look otherwise before it is taken for another one."""


def from_empty(reader: CheckerReader, picture: Picture, geometry: Geometry, corners: Corners) -> Appearance:
    """The bare board's look; points that the general reader takes for checkers on it (inlays) lose that pull."""
    seen = reader.read(rectify(picture, np.array(corners, np.float32)), geometry, Appearance())
    pull = WANTED - (seen.count[:24, 0] - seen.count[:24, 1:].max(1))
    bias = tuple(float(v) for v in np.clip(pull, 0, MOST))
    return Appearance(bias, ground=tuple(float(v) for v in seen.tone[:24].ravel()))


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

"""Learns what this board looks like, from pictures whose position is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.field import Picture, rectify
from calibration.file import Appearance
from calibration.geometry import Corners, Geometry
from nardy_hw.vision.checkers import CheckerReader, Strips

WANTED = 6.0
"""Nats that an empty point should stand above any checker; on most boards it stands over 10 above."""

MOST = 6.0
"""Nats that may be added for it; more would begin to hide real checkers, which stand 8 and more above empty."""


def from_empty(reader: CheckerReader, picture: Picture, geometry: Geometry, corners: Corners) -> Appearance:
    """Points that the general reader takes for checkers on an empty board (inlays, rosettes) lose that pull."""
    seen = reader.read(rectify(picture, np.array(corners, np.float32)), geometry, Appearance())
    pull = WANTED - (seen.count[:24, 0] - seen.count[:24, 1:].max(1))
    return Appearance(tuple(float(v) for v in np.clip(pull, 0, MOST)))


def from_position(appearance: Appearance, seen: Strips, counts: Sequence[int]) -> Appearance:
    """Puts the border between light and dark midway between what the checkers of a known position look like.

    seen: read with this appearance. counts: signed counts (light positive) of places 1..24. Unchanged when either
    colour stands on too few points to tell.
    """
    lean = seen.colour[:24, 0] - seen.colour[:24, 1]
    told = seen.hidden[:24] < 0.5
    light, dark = lean[(np.array(counts) > 0) & told], lean[(np.array(counts) < 0) & told]
    if not len(light) or not len(dark):
        return appearance
    middle = (float(np.median(light)) + float(np.median(dark))) / 2
    return replace(appearance, colour=appearance.colour - middle)

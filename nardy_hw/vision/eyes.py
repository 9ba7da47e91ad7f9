"""The eyes: a frame in, an `Observation` out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.field import rectify
from calibration.file import Calibration
from calibration.layout import Layout
from nardy_hw.vision.checkers import CheckerReader, Strips
from nardy_hw.vision.dice import DiceReader
from nardy_hw.vision.learn import from_position
from nardy_hw.vision.observation import FLAT, FLAT_MIXED, Observation, PlaceReading
from nardy_hw.vision.plausible import unreadable
from nardy_hw.vision.readings import HIDDEN, NO_BAR, readings
from nardy_hw.vision.registration import Registration
from nardy_hw.vision.sources.frame import Frame
from nardy_hw.vision.stillness import Stillness

READS = 4
"""Times that one still scene is read; more of the same picture tells nothing new and keeps a small computer busy."""

BLIND = tuple(PlaceReading(FLAT, FLAT_MIXED, None, 0, occluded=True) for _ in range(24))


class Eyes:
    """Reads frames of one calibrated board, in order."""

    def __init__(self, calibration: Calibration) -> None:
        self._calibration = calibration
        self._checkers = CheckerReader()
        self._dice = DiceReader()
        self._still = Stillness()
        reference = calibration.reference
        self._registration = None if reference is None else Registration(reference, calibration.geometry)
        self.corners = np.array(calibration.geometry.corners, np.float32)
        self._appearance = calibration.appearance
        self._seen: Strips | None = None
        self._scene: Observation | None = None
        self._reads = 0

    def sit(self, layout: Layout) -> None:
        """The players sit like this from now on."""
        self._calibration = replace(self._calibration, layout=layout)
        self._scene = None

    def look(self, frame: Frame) -> Observation:
        """What is seen in the next frame of a source. Raises SizeMismatch for a frame of another size."""
        self._calibration.check_size(frame.picture, f"frame {frame.number}")
        if not self._still.update(frame.picture):
            self._scene, self._reads = None, 0
            return Observation(frame.t, frame.number, BLIND, NO_BAR, NO_BAR, (), still=False)
        if self._scene is None or self._reads < READS:
            self._scene = self.read(frame)
            self._reads += 1
        return replace(self._scene, t=frame.t, frame=frame.number)

    def read(self, frame: Frame) -> Observation:
        """What is seen in one frame taken to be still."""
        if why := unreadable(frame.picture):
            return _nothing(frame, why)
        lens = self._calibration.lens
        if lens:
            frame = replace(frame, picture=lens.undistort(frame.picture))
        if self._registration is not None:
            if not self._registration.locate(frame.picture):
                return _nothing(frame, self._registration.why, covered=self._registration.covered)
            self.corners = self._registration.corners
        field = rectify(frame.picture, self.corners)
        seen = self._checkers.read(field, self._calibration.geometry, self._appearance)
        self._seen = seen
        place = self._calibration.layout.place
        places, light, dark = readings(seen)
        points = tuple(places[place(point) - 1] for point in range(1, 25))
        dice = self._dice.read(frame.picture, self.corners)
        if lens:
            centres = lens.points_to_picture(np.array([d.centre for d in dice]).reshape(-1, 2)).tolist()
            dice = tuple(replace(d, centre=(x, y)) for d, (x, y) in zip(dice, centres, strict=True))
        return Observation(frame.t, frame.number, points, light, dark, dice, hand=bool((seen.hidden > HIDDEN).any()))

    def teach(self, points: Sequence[int]) -> None:
        """Tells what stood in the last frame read: signed counts of the board's points 1..24, White positive."""
        if self._seen is None:
            return
        place, sign = self._calibration.layout.place, 1 if self._calibration.white == "light" else -1
        by_place = [points[place(p) - 1] * sign for p in range(1, 25)]
        self._appearance = from_position(self._appearance, self._seen, by_place)
        self._scene = None


def _nothing(frame: Frame, why: str, *, covered: bool = False) -> Observation:
    """Nothing can be read. covered: the board is there under something, it is not lost."""
    return Observation(frame.t, frame.number, BLIND, NO_BAR, NO_BAR, (), hand=covered, field_found=covered, reason=why)

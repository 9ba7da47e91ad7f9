"""From a calibration to what the referee needs to know of the table."""

from __future__ import annotations

from calibration.file import Calibration
from nardy_hw.referee.core import Seats


def seats(calibration: Calibration) -> Seats:
    """Who throws where, and whose checkers are the light ones."""
    return Seats(calibration.layout.white_half, white_is_light=calibration.white == "light")

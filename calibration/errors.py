"""Everything that calibration raises on purpose.

CalibrationError
├── CornersError          (ValueError)  corners that cannot be a playing field
├── CalibrationFileError  (ValueError)  a calibration file that cannot be read or trusted
├── PictureError          (OSError)     a picture that cannot be read
├── SizeMismatch          (ValueError)  a picture of another size than the calibration's
└── LensError             (ValueError)  a lens that cannot be, or pictures that do not tell what the lens is
"""


class CalibrationError(Exception):
    """Base of all errors of this package."""


class CornersError(CalibrationError, ValueError):
    """Corners that cannot be a playing field."""


class CalibrationFileError(CalibrationError, ValueError):
    """A calibration file that cannot be read or trusted."""


class PictureError(CalibrationError, OSError):
    """A picture that cannot be read."""


class SizeMismatch(CalibrationError, ValueError):
    """A picture of another size than the calibration's."""


class LensError(CalibrationError, ValueError):
    """A lens that cannot be, or pictures that do not tell what the lens is."""

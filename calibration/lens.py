"""The camera's lens: how it bends straight lines, and the picture as a lens without that fault would take it.

The model is OpenCV's: a camera matrix K and the distortion k1, k2, p1, p2, k3. `calibration.lens_fit` finds a lens.

The straightened picture has the raw one's size and principal point. It is zoomed out so far that whatever the raw
picture shows stays in it: a field may reach into a corner. Beyond the raw picture its border is repeated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import LensError, SizeMismatch
from calibration.geometry import Corners

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]
"""Pixels (x, y), shape (n, 2); (0, 0) is the centre of the top-left pixel."""

STEEPEST = 0.1
"""Least growth of the raw picture's area by the straight one's, as a share of that in the middle: a lens that sees
115 degrees has 0.26 in its corners; below 0 the picture would be folded."""

SAME_SHAPE = 0.01
"""Part by which the shapes of two pictures may differ and yet be one lens's: 1280x960 and 4608x3456 do by none, the
next sensor modes (16:9 beside 4:3) by a third."""


@dataclass(frozen=True, slots=True)
class Lens:
    """One lens of one camera at one focus.

    size: (width, height) of its raw pictures in pixels. focal: (fx, fy) and centre: (cx, cy) in pixels. distortion:
    (k1, k2, p1, p2, k3). rms: what was left over in the fit, in pixels. Raises LensError for what cannot be a lens.
    """

    size: tuple[int, int]
    focal: tuple[float, float]
    centre: tuple[float, float]
    distortion: tuple[float, float, float, float, float] = (0.0,) * 5
    rms: float = 0.0

    def __post_init__(self) -> None:
        width, height = self.size
        if not np.isfinite((*self.focal, *self.centre, *self.distortion, self.rms)).all():
            raise LensError("the lens holds numbers that are none: calibrate the lens again")
        # 11 to 140 degrees across; a phone's wide lens has 0.55 widths, a 3x one 2.5
        if not all(0.18 * max(self.size) < f < 5 * max(self.size) for f in self.focal):
            raise LensError(f"focal lengths are 0.18 to 5 picture widths, not {self.focal} in {width}x{height}")
        if not all(0.8 < f / self.focal[0] < 1.25 for f in self.focal):
            raise LensError(f"the two focal lengths {self.focal} differ: pixels are square or nearly so")
        if not all(0.25 < c / s < 0.75 for c, s in zip(self.centre, self.size, strict=True)):
            raise LensError(f"the lens's centre {self.centre} is not near the middle of {width}x{height}")
        if not 0 <= self.rms < 0.05 * width:
            raise LensError(f"rms {self.rms:g} is an error in pixels, 0 or a little more")
        _zoom(self)  # a lens that folds its own picture is none

    @property
    def matrix(self) -> NDArray[np.float64]:
        """K of the raw picture, shape (3, 3)."""
        return _matrix(self.focal, self.centre)

    @property
    def straight_matrix(self) -> NDArray[np.float64]:
        """K of the straightened picture, shape (3, 3)."""
        zoom = _zoom(self)
        return _matrix((self.focal[0] * zoom, self.focal[1] * zoom), self.centre)

    def scaled(self, size: tuple[int, int]) -> Lens:
        """The same lens for pictures (width, height) of the same shape. Raises SizeMismatch for another shape."""
        (w, h), (width, height) = self.size, size
        if abs(width * h / (height * w) - 1) > SAME_SHAPE:
            raise SizeMismatch(f"the lens was calibrated at {w}x{h}, which is not of the shape of {width}x{height}")
        a, b = width / w, height / h
        centre = ((self.centre[0] + 0.5) * a - 0.5, (self.centre[1] + 0.5) * b - 0.5)
        return Lens(size, (self.focal[0] * a, self.focal[1] * b), centre, self.distortion, self.rms * a)

    def undistort(self, picture: Picture) -> Picture:
        """The straightened picture, of the same size. Raises SizeMismatch for a picture of another shape."""
        height, width = picture.shape[:2]
        lens = self if (width, height) == self.size else self.scaled((width, height))
        return cv2.remap(picture, *_maps(lens), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[return-value]

    def points_to_straight(self, points: Points) -> Points:
        """Where points (n, 2) of the raw picture lie in the straightened one."""
        points = np.asarray(points, np.float64)
        straight, _ = _straighten((points - self.centre) / self.focal, self.distortion)
        return straight * np.multiply(self.focal, _zoom(self)) + self.centre

    def corners_to_straight(self, corners: Corners) -> Corners:
        """A field's corners of the raw picture in the straightened one."""
        a, b, c, d = ((float(x), float(y)) for x, y in self.points_to_straight(np.array(corners)))
        return a, b, c, d

    def points_to_picture(self, points: Points) -> Points:
        """Where points (n, 2) of the straightened picture lie in the raw one: points_to_straight backwards."""
        points = np.asarray(points, np.float64)
        rays = (points - self.centre) / np.multiply(self.focal, _zoom(self))
        return _bend(rays, self.distortion) * self.focal + self.centre


def _matrix(focal: tuple[float, float], centre: tuple[float, float]) -> NDArray[np.float64]:
    return np.array([[focal[0], 0, centre[0]], [0, focal[1], centre[1]], [0, 0, 1]], np.float64)


def _bend(rays: Points, distortion: tuple[float, ...]) -> Points:
    """Where a lens puts what a straight one would put at `rays`: both (n, 2), in focal lengths from the centre."""
    k1, k2, p1, p2, k3 = distortion
    x, y = rays.T
    r = x * x + y * y
    radial = 1 + r * (k1 + r * (k2 + r * k3))
    return np.stack(
        [x * radial + 2 * p1 * x * y + p2 * (r + 2 * x * x), y * radial + p1 * (r + 2 * y * y) + 2 * p2 * x * y], 1
    )


def _straighten(bent: Points, distortion: tuple[float, ...]) -> tuple[Points, NDArray[np.float64]]:
    """`_bend` backwards by Newton's method (OpenCV's own fixed steps stop short of a wide lens's corners).

    Also how much area grows there in bending, shape (n,): 1 in the middle, 0 or NaN where the lens would fold.
    """
    rays, step = bent.copy(), 1e-6
    aside, down = np.array([step, 0]), np.array([0, step])
    with np.errstate(all="ignore"):
        for _ in range(12):  # 6 are enough at 115 degrees
            at = _bend(rays, distortion)
            missed = ~(np.abs(at - bent).max(1) < 1e-9)
            ax, ay = ((_bend(rays + aside, distortion) - at) / step).T
            bx, by = ((_bend(rays + down, distortion) - at) / step).T
            ex, ey = (at - bent).T
            growth = ax * by - bx * ay
            rays = rays - np.stack([by * ex - bx * ey, ax * ey - ay * ex], 1) / growth[:, None]
            if not missed.any():
                break
    growth[missed] = np.nan
    return rays, growth


@lru_cache(maxsize=8)
def _zoom(lens: Lens) -> float:
    """The straightened picture's focal length by the raw one's: at most 1. Raises LensError where the lens folds."""
    width, height = lens.size
    # to the outer edges of the outermost pixels: the same for the same lens at any size
    grid = np.stack(np.meshgrid(np.linspace(0, width, 33), np.linspace(0, height, 25)), -1).reshape(-1, 2) - 0.5
    rays, growth = _straighten((grid - lens.centre) / lens.focal, lens.distortion)
    if not (growth > STEEPEST).all():
        raise LensError("such a distortion would fold the picture: calibrate the lens again")
    reach = rays * lens.focal
    before = np.add(lens.centre, 0.5)
    room = np.where(reach > 0, lens.size - before, before)
    return float(min(1.0, (room / np.maximum(np.abs(reach), 1e-9)).min()))


@lru_cache(maxsize=2)  # 6 bytes a pixel: 70 MB at 4608x2592
def _maps(lens: Lens) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Where each pixel of the straightened picture lies in the raw one, in OpenCV's fixed-point form."""
    distortion = np.array(lens.distortion, np.float64)
    return cv2.initUndistortRectifyMap(  # type: ignore[return-value]
        lens.matrix, distortion, np.eye(3), lens.straight_matrix, lens.size, cv2.CV_16SC2
    )

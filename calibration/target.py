"""Boards that a lens is calibrated with, chessboard or ChArUco: their inner corners found in a picture."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import LensError

Grey = NDArray[np.uint8]
Points = NDArray[np.float32]

LOOK = 1600
"""Pixels of the longer side that are looked at: corners are then found to 0.1 px; more only costs time."""

LEAST = 8
"""Corners of a ChArUco board that is seen in part: less say next to nothing of the lens."""

STOP = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 40, 1e-3)
"""When a corner is fine enough: moved by less than a thousandth of a pixel."""

ASTRAY = 0.35
"""Squares by which a marker may lie beside its place on a flat board: a lens of 115 degrees bends up to 0.2."""


@dataclass(frozen=True, slots=True)
class View:
    """One picture of the board. board: inner corners in mm, shape (n, 3), z 0. pixels: where they are seen, (n, 2)."""

    board: Points
    pixels: Points


@dataclass(frozen=True, slots=True)
class Chessboard:
    """Inner corners across and down (one less than squares), and a square's side in mm. Must be seen whole."""

    across: int
    down: int
    square: float

    def __post_init__(self) -> None:
        _check(self.across, self.down, self.square)

    def find(self, picture: NDArray[np.uint8]) -> View | None:
        """The board as this BGR or grey picture shows it, or None."""
        grey, scale = _look(picture)
        size = self.across, self.down
        # of 20 rendered pictures all are found, 0.09 px from the truth (with the older finder 0.13 to 0.19)
        flags = cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_ACCURACY | cv2.CALIB_CB_EXHAUSTIVE
        found, corners = cv2.findChessboardCornersSB(grey, size, flags=flags)
        if not found:  # with a lamp mirrored in the board it finds 4 of 7, the older one all
            flags = cv2.CALIB_CB_ADAPTIVE_THRESH | cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_FAST_CHECK
            found, corners = cv2.findChessboardCorners(grey, size, flags=flags)
            if not found:
                return None
            corners = cv2.cornerSubPix(grey, corners, (5, 5), (-1, -1), STOP)
        board = np.zeros((self.across * self.down, 3), np.float32)
        board[:, :2] = np.mgrid[: self.across, : self.down].T.reshape(-1, 2) * self.square
        return View(board, _back(corners.reshape(-1, 2), scale))


@dataclass(frozen=True, slots=True)
class Charuco:
    """Squares across and down, a square's side in mm, and the markers' dictionary (`4x4_50`). May be seen in part.

    Only OpenCV's marker finder is asked, for its ChArUco classes differ from version to version. Both of OpenCV's
    patterns are known: with the first square black, and with it white (some boards from before 4.6).
    """

    across: int
    down: int
    square: float
    dictionary: str

    def __post_init__(self) -> None:
        _check(self.across, self.down, self.square)
        _detector(self.dictionary)

    def find(self, picture: NDArray[np.uint8]) -> View | None:
        """The board as this BGR or grey picture shows it, or None."""
        grey, scale = _look(picture)
        quads, ids, *_ = _detector(self.dictionary).detectMarkers(grey)
        if ids is None or len(ids) < 4:
            return None
        markers = np.array(quads, np.float64).reshape(-1, 4, 2)
        fits = [self._place(markers, ids.ravel(), first_white) for first_white in (False, True)]
        squares, kept, matrix = max(fits, key=lambda fit: len(fit[1]))
        if len(kept) < 4:
            return None
        return self._corners(grey, scale, squares, markers[kept], matrix)

    def _place(
        self, markers: NDArray[np.float64], ids: NDArray[np.int32], first_white: bool
    ) -> tuple[NDArray[np.float64], NDArray[np.intp], NDArray[np.float64]]:
        """Which markers lie where the pattern wants them: their squares (n, 2), their indices, board -> picture."""
        rows, columns = np.mgrid[: self.down, : self.across]
        white = np.stack([columns, rows], -1)[(rows + columns) % 2 == (0 if first_white else 1)]
        known = np.flatnonzero(ids < len(white))
        nothing = np.zeros((0, 2)), np.zeros(0, np.intp), np.eye(3)
        if len(known) < 4:
            return nothing
        squares = white[ids[known]].astype(np.float64)
        # from the picture to the board, so that the tolerance is in squares
        matrix, ok = cv2.findHomography(markers[known].mean(1), squares + 0.5, cv2.RANSAC, ASTRAY)
        if matrix is None or abs(np.linalg.det(matrix)) < 1e-12:
            return nothing
        kept = ok.ravel().astype(bool)
        return squares[kept], known[kept], np.linalg.inv(matrix)

    def _corners(
        self,
        grey: Grey,
        scale: float,
        squares: NDArray[np.float64],
        markers: NDArray[np.float64],
        matrix: NDArray[np.float64],
    ) -> View | None:
        # a marker's side by its square's: measured, so that nobody has to
        flat = cv2.perspectiveTransform(markers.reshape(-1, 1, 2), np.linalg.inv(matrix)).reshape(-1, 4, 2)
        side = min(float(np.median(np.hypot(*np.moveaxis(flat - np.roll(flat, 1, 1), -1, 0)))), 0.9)
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
        guesses: dict[tuple[int, int], list[tuple[Any, float]]] = {}
        for square, quad in zip(squares, markers, strict=True):
            marker = (square + 0.5 + (unit - 0.5) * side).astype(np.float32)
            # each marker says where the corners of its own square are: close by, a lens bends little
            local = cv2.getPerspectiveTransform(marker, quad.astype(np.float32))
            corners = cv2.perspectiveTransform((square + unit)[:, None], local).reshape(4, 2)
            pixels = np.hypot(*(quad - np.roll(quad, 1, 0)).T).min() / side
            for corner, guess in zip((square + unit).astype(int), corners, strict=True):
                if 0 < corner[0] < self.across and 0 < corner[1] < self.down:
                    guesses.setdefault((int(corner[0]), int(corner[1])), []).append((guess, pixels))
        board, found = [], []
        for (x, y), told in guesses.items():
            guess = np.mean([g for g, _ in told], axis=0)
            # the window must not reach the markers, which begin (1 - side) / 2 squares away
            window = int(min(p for _, p in told) * (1 - side) / 2)
            inside = window < guess[0] < grey.shape[1] - 1 - window and window < guess[1] < grey.shape[0] - 1 - window
            if window < 2 or not inside:
                continue
            corner = cv2.cornerSubPix(
                grey, guess.astype(np.float32).reshape(1, 1, 2), (window, window), (-1, -1), STOP
            ).reshape(2)
            if np.abs(corner - guess).max() < window:
                board.append((x, y, 0))
                found.append(corner)
        spread = np.ptp(np.array(board).reshape(-1, 3), axis=0) if board else np.zeros(3)
        if len(board) < LEAST or min(spread[:2]) < 2:  # a row or two of corners fit any lens
            return None
        return View(np.array(board, np.float32) * np.float32(self.square), _back(np.array(found), scale))


def _check(across: int, down: int, square: float) -> None:
    if not (3 <= across <= 50 and 3 <= down <= 50):
        raise LensError(f"a board has 3 to 50 across and down, not {across}x{down}")
    if not 1 <= square <= 1000:
        raise LensError(f"a square's side is in millimetres, 1 to 1000, not {square:g}")


def _look(picture: NDArray[np.uint8]) -> tuple[Grey, float]:
    """The picture in grey, LOOK pixels long at most, and how many of its pixels one of these is."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    scale = max(1.0, max(grey.shape) / LOOK)
    if scale > 1:
        grey = cv2.resize(grey, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA)
    return np.asarray(grey, np.uint8), scale


def _back(corners: NDArray[Any], scale: float) -> Points:
    return ((corners + 0.5) * scale - 0.5).astype(np.float32)


class _OldDetector:
    """The marker finder of OpenCV before 4.7, in the shape of the later one."""

    def __init__(self, dictionary: Any) -> None:
        self._dictionary, self._parameters = dictionary, cv2.aruco.DetectorParameters_create()  # type: ignore[attr-defined]

    def detectMarkers(self, grey: Grey) -> Any:
        return cv2.aruco.detectMarkers(grey, self._dictionary, parameters=self._parameters)  # type: ignore[attr-defined]


def _detector(name: str) -> Any:
    """OpenCV's marker finder for a dictionary by name. Raises LensError: no such dictionary, or no finder at all."""
    aruco = getattr(cv2, "aruco", None)
    if aruco is None:
        raise LensError(
            f"this OpenCV ({cv2.__version__}) was built without ArUco markers: install opencv-python-headless 4.7 or "
            "later, or Debian's python3-opencv, or take a plain chessboard"
        )
    names = [n.removeprefix("DICT_") for n in dir(aruco) if n.startswith("DICT_")]
    wanted = name.upper().removeprefix("DICT_")
    if wanted not in names:
        near = difflib.get_close_matches(wanted, names, 1, 0)
        raise LensError(f"there is no marker dictionary {name!r}; did you mean {near[0]}?")
    dictionary = aruco.getPredefinedDictionary(getattr(aruco, f"DICT_{wanted}"))
    if hasattr(aruco, "ArucoDetector"):
        return aruco.ArucoDetector(dictionary, aruco.DetectorParameters())
    return _OldDetector(dictionary)

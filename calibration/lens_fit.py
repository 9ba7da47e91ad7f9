"""Finds a lens from views of a flat board, and how far that lens is to be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import LensError
from calibration.lens import Lens
from calibration.target import View

FEWEST = 5
"""Different views. Of rendered sets of 4 one in two leaves the straight picture 3 px and more uncertain somewhere."""

DOUBT, WORTH = 0.0008, 0.1
"""Picture widths by which the straightened picture may be uncertain on average (1 px in 1280), or the part of what the
lens mends, whichever is more. The rendered sets of 10 have 0.14 px (truth: 0.04 and 0.09 px off; without the lens 1.0
and 2.3), sets of 4 up to 2.8, boards that stay in the middle of the picture 3 to 4. A lens of 110 degrees that is 2 px
uncertain mends 50."""

FOCAL_DOUBT = 0.02
"""Standard deviation of the focal length as a part of it: 0.001 to 0.005 in good sets; boards that all face the
camera squarely leave it open."""

SAME = 0.02
"""Picture widths: a view whose corners all lie nearer to another's tells nothing new."""

BEND = 4.0
"""Standard deviations from 0 at which k3 is tried; unneeded (up to 2.8 of its own in sets of 4 views) it makes the
picture's corners ten times less certain, needed (6 to 47 for lenses of 80 to 110 degrees) it mends 6 px there."""

MISFIT, ROUNDS = 4.0, 3
"""Times the median error: a corner beyond it was misread and is not used; a picture half of whose corners are beyond it
was blurred or moved. Of chance's errors 1 in 60000 is. Many wrong ones put the first fit off: once more, and again."""

GROUPS = 8
"""Fits that are made with some of the views left out, to see how much the lens owes to each."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A lens and what it rests on. used: the views' names. left_out: name -> why not.

    doubt: by how many pixels the straightened picture is uncertain, on average (jackknife standard error over a grid,
    up to a perspective, which the field's corners take up); most of all at `where`. distances: the nearest and the
    farthest view's, mm.
    """

    lens: Lens
    used: tuple[str, ...]
    left_out: Mapping[str, str]
    doubt: float
    where: str
    distances: tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Solved:
    lens: Lens
    views: Sequence[View]
    errors: Sequence[NDArray[np.float64]]  # of each view's corners, pixels
    focal_doubt: float  # standard deviation of the focal length by itself
    bend: float  # k3 in standard deviations
    distances: NDArray[np.float64]  # of each board, mm


def fit_lens(views: Mapping[str, View], size: tuple[int, int]) -> Fit:
    """The lens that took these views, by name, in pictures (width, height).

    Raises LensError where the views are too few or too much alike for a lens that is better than none.
    """
    left_out: dict[str, str] = {}
    kept: dict[str, View] = {}
    for name, view in views.items():
        twin = next((n for n, other in kept.items() if _alike(view, other, size[0])), None)
        if twin:
            left_out[name] = f"shows the board where {twin} does"
        else:
            kept[name] = view
    solutions = _solve(_enough(kept, left_out), size)
    for _ in range(ROUNDS):
        limit = MISFIT * float(np.median(np.concatenate(solutions[0].errors)))
        fitting = [errors <= limit for errors in solutions[0].errors]
        if all(fits.all() for fits in fitting):
            break
        for (name, view), fits in zip(tuple(kept.items()), fitting, strict=True):
            if fits.mean() > 0.5:
                kept[name] = View(view.board[fits], view.pixels[fits])
            else:
                left_out[name] = "does not fit the others: blurred, moved, or the board is not flat"
                del kept[name]
        solutions = _solve(_enough(kept, left_out), size)
    for solved in solutions:
        doubt, where = _doubt(solved)
        most = max(DOUBT * size[0], WORTH * _mends(solved.lens))
        if solved.focal_doubt < FOCAL_DOUBT and doubt < most:
            nearest, farthest = float(solved.distances.min()), float(solved.distances.max())
            return Fit(solved.lens, tuple(kept), left_out, doubt, where, (nearest, farthest))
    if solved.focal_doubt >= FOCAL_DOUBT:
        raise LensError(
            f"the focal length stays uncertain by {solved.focal_doubt:.0%}: tilt the board in some of the pictures, "
            "20 to 40 degrees to each side"
        )
    by = f" by {doubt:.1f} px" if doubt < size[0] else ""
    raise LensError(
        f"the lens stays uncertain{by} (at most {most:.1f} px), most {where}: take more pictures with the board there, "
        "tilted this way and that"
    )


def _enough(views: Mapping[str, View], left_out: Mapping[str, str]) -> Sequence[View]:
    if len(views) < FEWEST:
        alike = sum("shows the board where" in why for why in left_out.values())
        raise LensError(
            f"a lens needs {FEWEST} different views of the board at least, better 10 to 20: here are {len(views)}"
            + (f" ({alike} more are alike)" if alike else "")
        )
    return list(views.values())


def _alike(a: View, b: View, width: int) -> bool:
    if a.pixels.shape != b.pixels.shape or not np.array_equal(a.board, b.board):
        return False
    return bool(np.hypot(*(a.pixels - b.pixels).T).max() < SAME * width)


def _solve(views: Sequence[View], size: tuple[int, int]) -> Sequence[_Solved]:
    """The lenses that the views may be of, the likeliest first: with k3 where they ask for it, and without.

    Raises LensError when there is none.
    """
    plain, full = (_calibrate(views, size, flags) for flags in (cv2.CALIB_FIX_K3, 0))
    # corners that all lie off to one side (a lamp's glare) ask for k3 too, 5 deviations, and it is then found useless
    asked = full is not None and (plain is None or full.bend > BEND)
    solutions = [solved for solved in (full if asked else None, plain) if solved is not None]
    if not solutions:
        raise LensError(
            "the pictures fit no lens: are they all of one board, and by one camera? Where they are, take more, with "
            "the board in all corners of the picture and tilted this way and that"
        )
    return solutions


def _calibrate(views: Sequence[View], size: tuple[int, int], flags: int) -> _Solved | None:
    """What OpenCV makes of the views; None where that is no lens at all."""
    width, height = size
    # half-way between a phone's wide lens and a webcam: the fit finds its way from there
    start = np.array([[0.8 * width, 0, (width - 1) / 2], [0, 0.8 * width, (height - 1) / 2], [0, 0, 1]])
    try:
        rms, matrix, distortion, turns, moves, sds, *_ = cv2.calibrateCameraExtended(
            [v.board for v in views],
            [v.pixels[:, None] for v in views],
            size,
            start,
            np.zeros(5),
            flags=flags | cv2.CALIB_USE_INTRINSIC_GUESS,
        )
        k1, k2, p1, p2, k3 = distortion.ravel()[:5].tolist()
        (fx, _, cx), (_, fy, cy), _ = matrix.tolist()
        lens = Lens(size, (fx, fy), (cx, cy), (k1, k2, p1, p2, k3), float(rms))
    except (cv2.error, LensError):
        return None
    errors = []
    for view, turn, move in zip(views, turns, moves, strict=True):
        back, _ = cv2.projectPoints(view.board, turn, move, matrix, distortion)
        errors.append(np.hypot(*(back.reshape(-1, 2) - view.pixels).T).astype(np.float64))
    away = np.array([np.linalg.norm(m) for m in moves])
    sd = sds.ravel()
    return _Solved(lens, views, errors, sd[0] / fx, abs(k3) / (sd[8] or np.inf), away)


def _doubt(solved: _Solved) -> tuple[float, str]:
    """Pixels by which the straightened picture is uncertain on average, and where it is most so."""
    grid = _grid(solved.lens.size)
    straight = solved.lens.points_to_straight(grid)
    groups = min(len(solved.views), GROUPS)
    flags = 0 if solved.lens.distortion[4] else cv2.CALIB_FIX_K3
    square = np.zeros(len(grid))
    for group in range(groups):
        other = _calibrate([v for i, v in enumerate(solved.views) if i % groups != group], solved.lens.size, flags)
        if other is None:
            return np.inf, "in the corners"
        square += _apart(other.lens.points_to_straight(grid), straight) ** 2
    doubt = np.sqrt(square * (groups - 1) / groups)
    x, y = grid[doubt.argmax()] / grid.max(0)
    row, column = (
        ("at the top", "in the middle", "at the bottom")[int(y * 2.999)],
        ("left", "", "right")[int(x * 2.999)],
    )
    return float(doubt.mean()), f"{row} {column}".strip()


def _mends(lens: Lens) -> float:
    """Pixels by which the lens's raw picture is bent, on average."""
    grid = _grid(lens.size)
    return float(_apart(grid, lens.points_to_straight(grid)).mean())


def _grid(size: tuple[int, int]) -> NDArray[np.float64]:
    return np.stack(np.meshgrid(np.linspace(0, size[0] - 1, 9), np.linspace(0, size[1] - 1, 7)), -1).reshape(-1, 2)


def _apart(points: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pixels between points (n, 2) and others, the perspective that fits best taken away: shape (n,)."""
    matrix, _ = cv2.findHomography(points, others)
    x, y = (cv2.perspectiveTransform(points[:, None], matrix).reshape(-1, 2) - others).T
    return np.asarray(np.hypot(x, y), np.float64)

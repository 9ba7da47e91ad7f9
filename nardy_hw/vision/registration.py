"""Finds the board again after a bump or a nudge, by comparing with the calibration's reference picture.

Features of the board are tracked from the reference into the picture, beginning where the board was last; if they are
not there the whole picture is searched for it. A pose is believed only if the board looks there as it did at
calibration, cell by cell, as far as checkers and hands leave it free.

Unless told otherwise figures were measured on 396 frames of four rendered games against their empty board (light
changes, hands over a fifth of the field, all checkers on it), on 192 of them turned by up to 10 degrees and shifted by
up to 15% of the width (the whole picture, or only the board), and on 250 pictures that must not be found: other boards,
mirrored, turned by 20 to 180 degrees, zoomed, cut in half, noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field import Picture
from calibration.geometry import Geometry

Grey = NDArray[np.uint8]
Matrix = NDArray[np.float64]

WIDTH = 640
"""Pixels at most of the pictures compared, by whole-numbered steps: tracking is good to a tenth of a pixel there."""

LOG = np.round(73.2 * np.log1p(np.arange(256) / 8)).clip(0, 255).astype(np.uint8)
"""Grey levels as logarithms, so that more light adds a constant; the eighth keeps noise in the dark small."""

SURROUND = 13
"""Pixels around one that its contrast is taken from. Of 11, 13, 17 and 25 the first two keep most features (at least
0.5 of them) when the light changes from a window to a lamp, the last 0.36."""

AROUND = 0.12
"""Features come from the field and its frame, not from the table, which does not move with the board."""

FEATURES, APART, LEAST = 120, 8, 16
"""Features at most, pixels between two of them, and how many there must be to say anything."""

STILL, STAYS = 0.75, 0.6
"""Pixels that a feature may be off, and the share of the fitting ones that are not, for the board to have stayed where
it was. Without that rule, moved shadows moved the corners by up to 8 px of 960; with it by none, and bumps of 3 px and
more are seen."""

CELL, ACROSS, DOWN = 16, 12, 9
"""Pixels of a cell of the straightened board, and how many cells. Each is compared for itself: a lamp, a hand or a
checker spoils some of them only."""

ALIKE = 0.5
"""Correlation from which a cell counts as showing what it did."""

STAYED, MOVED = 0.5, 0.66
"""Share of cells alike that a board which stayed, or moved, needs. Right poses: 0.56 at least for frames as they come,
0.67 for turned ones that were found; wrong ones reach 0.63 (mirrored boards)."""

RELIT, RELIT_TRACKED, NUDGED = 0.28, 0.5, 0.5
"""Where so many features are found within pixels of where they were, fewer cells need be alike, where it stayed and
where it moved a little: another lamp spoils many. Six more games, with six changes of light: right poses 0.29 and 0.51
at least with 0.5 of the features; of 720 wrong ones (other boards, mirrored, turned) none has more than 0.46 of them,
and none that stayed more than 0.3."""

STAYED_TRACKED, MOVED_TRACKED = 0.35, 0.5
"""Share of the features that must agree that the board stayed, or moved. Frames as they come: 0.5 at least where it
stayed, 0.7 where it moved; turned ones that were found: 0.66; wrong poses with enough cells alike: at most 0.31."""

COVERED = 0.25
"""Share of cells alike, where the board was, from which it is taken to lie there yet under an arm or a cat: half of
what a board has with nothing but checkers on it. Nothing is read then either way."""

BENT, SCALED = 1.15, 0.1
"""How much the sides of the field may change against each other, and all of them. Found ones: at most 1.02 and 0.15;
a picture upside down of a board seen at a slant is bent by 1.3."""

OUTSIDE = 0.05
"""Fraction of the picture that a corner may lie beyond its edge, as at calibration."""

SEARCH_STEP = 4
TURNS = range(-12, 13, 2)
"""Pixels of the small picture that is searched, and degrees tried: tracking bridges a step between two of them."""

REACH = 0.2
"""Fraction of the width that the board may reach beyond the picture while it is searched for."""

MARGINS = (5.0, 3.0, 1.5, 1.5)
"""Pixels that features may be off the pose that they agree on, closing in on it."""


PLAIN = 16.0
"""Variance of a cell, in squared steps of LOG (of 5%), below which it shows nothing to compare."""

BACKWARDS, ALL = slice(None, None, -1), slice(None)
FLIPS = ((ALL, BACKWARDS), (BACKWARDS, ALL), (BACKWARDS, BACKWARDS))

OFF = (SEARCH_STEP - 1) / 2
TO_FULL = np.array([[SEARCH_STEP, 0, OFF], [0, SEARCH_STEP, OFF], [0, 0, 1]])
"""From the searched picture's pixels to those of the tracked one."""


@dataclass(frozen=True, slots=True, eq=False)
class _Pose:
    """A homography from the reference's pixels to the picture's, and the share of features that agree."""

    matrix: Matrix
    tracked: float
    stayed: bool = False


class Registration:
    """Remembers the reference and where its corners have moved to. corners: (4, 2), as in Geometry, pixels.

    why: after `locate` said no, the reason in words; covered: the board seems to lie where it was, but too much of it
    is hidden to be sure.
    """

    def __init__(self, reference: Picture, geometry: Geometry) -> None:
        self._step = max(1, -(-geometry.size[0] // WIDTH))
        self._home = np.array(geometry.corners, np.float32)
        self._field = ((self._home + 0.5) / self._step - 0.5).astype(np.float32)
        middle = self._field.mean(0)
        self._board = middle + (self._field - middle) * (1 + AROUND)
        log = self._shrink(reference)
        self._reference = _contrast(log)
        self._mask = cv2.fillConvexPoly(np.zeros_like(log), np.round(self._board).astype(np.int32), (255,))
        found = cv2.goodFeaturesToTrack(self._reference, FEATURES, 0.01, APART, mask=self._mask)
        self._points = np.zeros((0, 1, 2), np.float32) if found is None else np.asarray(found, np.float32)
        self._cells = self._straight(log, np.eye(3))
        self._matrix: Matrix = np.eye(3)
        self.corners = self._home
        self.why = ""
        self.covered = False

    def locate(self, picture: Picture) -> bool:
        """Updates `corners` from a still picture of the reference's size; False when the board is not found."""
        log = self._shrink(picture)
        now = _contrast(log)
        self.why, self.covered = "", False
        pose = self._track(now, self._matrix, MARGINS[-1])
        here = self._alike(log, self._matrix)
        if pose is not None and pose.stayed:
            relit = pose.tracked >= RELIT_TRACKED and here >= RELIT
            if relit or (pose.tracked >= STAYED_TRACKED and here >= STAYED):
                return True
        found = self._search(log, now, pose)
        if found is not None:
            return self._moved_to(found)
        self.covered = here >= COVERED and pose is not None and pose.stayed
        self.why = (
            "something covers the board"
            if self.covered
            else "the board is not where it was calibrated, nor near it: put board and camera back, or calibrate again"
        )
        return False

    def _moved_to(self, matrix: Matrix) -> bool:
        self._matrix = matrix
        corners = cv2.perspectiveTransform(self._field[:, None], matrix)[:, 0]
        self.corners = ((corners + 0.5) * self._step - 0.5).astype(np.float32)
        return True

    def _shrink(self, picture: Picture) -> Grey:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        if self._step > 1:
            height, width = (n // self._step for n in grey.shape)
            cut = grey[: height * self._step, : width * self._step]
            grey = cv2.resize(cut, (width, height), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.LUT(grey, LOG), np.uint8)

    def _track(self, now: Grey, guess: Matrix, margin: float) -> _Pose | None:
        """Where the features are, sought where `guess` says; None: hardly any is seen."""
        if len(self._points) < LEAST:
            return None
        seen = now if np.array_equal(guess, np.eye(3)) else _unmoved(now, guess)
        moved, ok, _ = cv2.calcOpticalFlowPyrLK(
            self._reference,
            seen,
            self._points,
            np.zeros_like(self._points),
            winSize=(21, 21),
            maxLevel=3,
            criteria=(cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 15, 0.03),
        )
        kept = ok.ravel() == 1
        old, new = self._points[kept], moved[kept]
        if len(old) < LEAST:
            return None
        matrix, inliers = cv2.findHomography(old, new, cv2.RANSAC, margin, maxIters=500)
        if matrix is None:
            return None
        agree = int(inliers.sum())
        still = int((np.hypot(*(new - old)[:, 0].T) < STILL).sum())
        stayed = still > STAYS * agree and margin == MARGINS[-1]
        return _Pose(guess if stayed else guess @ matrix, agree / len(self._points), stayed)

    def _search(self, log: Grey, now: Grey, near: _Pose | None) -> Matrix | None:
        """The pose at which the board is seen beyond doubt: near where it was, else wherever in the picture it fits."""
        if near is not None and self._certain(near, log, NUDGED):
            return near.matrix
        best, most = None, 0.0
        for guess in self._coarse(now):
            pose: _Pose | None = _Pose(guess, 1.0)
            for margin in MARGINS:
                pose = pose and self._track(now, pose.matrix, margin)
            alike = self._certain(pose, log, MOVED) if pose else 0.0
            if pose is not None and alike > most:
                best, most = pose.matrix, alike
        return best

    def _certain(self, pose: _Pose, log: Grey, least: float) -> float:
        """Share of cells alike at a new pose; 0 where it may be wrong."""
        if pose.tracked < MOVED_TRACKED or not self._sane(pose.matrix):
            return 0.0
        alike = self._alike(log, pose.matrix)
        # a board is often its own mirror image, but for the wood: it must fit the right way round best
        turned = max(self._alike(log, pose.matrix, flip) for flip in FLIPS)
        return alike if alike >= max(least, turned) else 0.0

    def _coarse(self, now: Grey) -> list[Matrix]:
        """The three likeliest poses by correlating the reference's board, turned, with the small picture."""
        size = (now.shape[1] // SEARCH_STEP, now.shape[0] // SEARCH_STEP)
        pad = round(REACH * size[0])
        here = cv2.copyMakeBorder(_small(now, size) - 128, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(0.0,))
        board = (_small(self._reference, size) - 128) * (_small(self._mask, size) / 255)
        outline = ((self._board + 0.5) / SEARCH_STEP - 0.5).astype(np.float32)
        middle = outline.mean(0)
        found = []
        for turn in TURNS:
            rotation = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), turn, 1.0)
            x, y, width, height = cv2.boundingRect(cv2.transform(outline[None], rotation)[0])
            x, y = max(x, 0), max(y, 0)
            template = cv2.warpAffine(board, rotation, size)[y : y + height, x : x + width]
            _, score, _, at = cv2.minMaxLoc(cv2.matchTemplate(here, template, cv2.TM_CCORR_NORMED))
            move = np.vstack([rotation, [0, 0, 1]])
            move[:2, 2] += (at[0] - pad - x, at[1] - pad - y)
            found.append((score, TO_FULL @ move @ np.linalg.inv(TO_FULL)))
        found.sort(key=lambda one: -one[0])
        return [pose for _, pose in found[:3]]

    def _sane(self, matrix: Matrix) -> bool:
        """Is the field as much in view as it was, and of about its size and shape?"""
        field = cv2.perspectiveTransform(self._field[:, None], matrix)[:, 0]
        height, width = self._reference.shape
        slack = OUTSIDE * np.array([width, height])
        if (field < -slack).any() or (field > slack / OUTSIDE + slack).any():
            return False
        sides = _sides(field) / _sides(self._field)
        return bool(sides.max() < BENT * sides.min() and abs(sides.mean() - 1) < SCALED)

    def _straight(self, log: Grey, matrix: Matrix) -> NDArray[np.float32]:
        """The board with its frame as from straight above, in cells: (DOWN, CELL, ACROSS, CELL)."""
        width, height = ACROSS * CELL, DOWN * CELL
        target = np.array([[0, height], [width, height], [width, 0], [0, 0]], np.float32) - 0.5
        to = cv2.getPerspectiveTransform(self._board.astype(np.float32), target) @ np.linalg.inv(matrix)
        straight = cv2.warpPerspective(log, to, (width, height), flags=cv2.INTER_LINEAR)
        return straight.reshape(DOWN, CELL, ACROSS, CELL).astype(np.float32)

    def _alike(self, log: Grey, matrix: Matrix, flip: tuple[slice, slice] | None = None) -> float:
        """Share of the board's cells that show what they did at calibration; `flip`: against the reference flipped."""
        cells = self._cells
        if flip is not None:
            whole = cells.reshape(DOWN * CELL, ACROSS * CELL)[flip]
            cells = whole.reshape(cells.shape)
        a, b = (x - x.mean((1, 3), keepdims=True) for x in (cells, self._straight(log, matrix)))
        plain = (a * a).mean((1, 3))
        told = plain > PLAIN
        if not told.any():
            return 0.0
        alike = (a * b).mean((1, 3)) / np.sqrt((plain + 4) * ((b * b).mean((1, 3)) + 4))
        return float((alike[told] > ALIKE).mean())


def _contrast(log: Grey) -> Grey:
    """Local contrast only, so that another light is the same picture."""
    off = cv2.subtract(log, cv2.blur(log, (SURROUND, SURROUND)), dtype=cv2.CV_32F)
    spread = np.sqrt(cv2.blur(cv2.multiply(off, off), (SURROUND, SURROUND))) + 4
    return np.clip(cv2.divide(off, spread, scale=40) + 128, 0, 255).astype(np.uint8)


def _unmoved(now: Grey, matrix: Matrix) -> Grey:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(
            now, matrix, now.shape[::-1], flags=flags, borderMode=cv2.BORDER_CONSTANT, borderValue=(128,)
        ),
        np.uint8,
    )


def _small(picture: NDArray[Any], size: tuple[int, int]) -> NDArray[np.float32]:
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def _sides(field: NDArray[Any]) -> NDArray[np.float32]:
    return np.asarray(np.hypot(*(np.roll(field, -1, 0) - field).T), np.float32)

"""Finds the board again after a bump or a nudge, by comparing with the calibration's reference picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field import Picture
from calibration.geometry import Geometry

WIDTH = 640
"""Pixels of the pictures compared: a shift of a tenth of a checker is then still half a pixel."""

FEATURES = 200
AROUND = 0.12
"""Features come from the field and its frame, not from the table, which does not move with the board."""

MIN_FOUND, MIN_SHARE = 20, 0.2
"""Inliers below which the board is lost. Four rendered games against their empty board: never below 0.35 of 200, with a
hand over a fifth of the field, all checkers on it and the light changed; against another board never above 0.07."""

MIN_SHIFT = 0.001
"""Fraction of the picture's width by which half of the inliers must have moved (1 px of 960). Rendered games: at most
0.0008 when nothing moved, at least 0.0034 after a bump; corners are then right to 0.7 px."""

MAX_SHIFT = 0.08
"""Beyond a twelfth of the picture the camera has been turned away, or the fit is a coincidence."""


class Registration:
    """Remembers the reference and where its corners have moved to."""

    def __init__(self, reference: Picture, geometry: Geometry) -> None:
        self._scale = WIDTH / geometry.size[0]
        self._corners = np.array(geometry.corners, np.float32)
        self._reference = self._prepare(reference)
        middle = self._corners.mean(0)
        board = (middle + (self._corners - middle) * (1 + AROUND)) * self._scale
        mask = np.zeros(self._reference.shape, np.uint8)
        cv2.fillConvexPoly(mask, board.astype(np.int32), 255)
        found = cv2.goodFeaturesToTrack(self._reference, FEATURES, 0.01, 8, mask=mask)
        self._points: NDArray[np.float32] = np.zeros((0, 1, 2), np.float32) if found is None else found  # type: ignore[assignment]
        self.corners = self._corners
        self.inliers = 0

    def _prepare(self, picture: Picture) -> Picture:
        grey = cv2.cvtColor(
            cv2.resize(picture, None, fx=self._scale, fy=self._scale, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
        )
        grey_f = grey.astype(np.float32)
        mean = cv2.GaussianBlur(grey_f, (0, 0), 8)
        spread = np.sqrt(cv2.GaussianBlur((grey_f - mean) ** 2, (0, 0), 8)) + 4
        # local contrast only, so that another light is the same picture
        return np.asarray(np.clip((grey_f - mean) / spread * 40 + 128, 0, 255), np.uint8)

    def locate(self, picture: Picture) -> bool:
        """Updates `corners` (4, 2) from a still picture of the reference's size; False when the board is not found."""
        self.inliers = 0
        if len(self._points) < MIN_FOUND:
            return True  # nothing to hold on to (a plain board): trust the calibration
        now = self._prepare(picture)
        moved, ok, _ = cv2.calcOpticalFlowPyrLK(
            self._reference, now, self._points, np.zeros_like(self._points), winSize=(21, 21), maxLevel=3
        )
        ok = ok.ravel().astype(bool)
        if ok.sum() < MIN_FOUND:
            return False
        matrix, inliers = cv2.findHomography(self._points[ok], moved[ok], cv2.RANSAC, 1.5)
        if matrix is None:
            return False
        self.inliers = int(inliers.sum())
        if self.inliers < max(MIN_FOUND, MIN_SHARE * len(self._points)):
            return False
        chosen = inliers.ravel().astype(bool)
        if np.median(np.abs(moved[ok] - self._points[ok])[chosen].max(2)) < MIN_SHIFT * WIDTH:
            self.corners = self._corners
            return True
        corners = cv2.perspectiveTransform(self._corners[:, None] * self._scale, matrix)[:, 0] / self._scale
        shift = np.abs(corners - self._corners).max() * self._scale / WIDTH
        if shift > MAX_SHIFT:
            return False
        self.corners = corners.astype(np.float32)
        return True

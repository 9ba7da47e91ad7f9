"""Pictures of chessboards and ChArUco boards, drawn through a known lens from known places."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.target import View

SQUARE = 24.0
"""mm"""
CELL = 40
"""Pixels of a square in the drawing of a board."""


def chessboard(across: int, down: int) -> NDArray[np.uint8]:
    """The drawing of a chessboard of so many squares, with a white edge a square wide."""
    board = np.kron(np.indices((down, across)).sum(0) % 2, np.ones((CELL, CELL))) * 255
    return np.pad(board, CELL, constant_values=255).astype(np.uint8)


def charuco(across: int, down: int) -> NDArray[np.uint8]:
    """The drawing of a ChArUco board as OpenCV draws it: dictionary 5x5_100, markers 0.7 of a square."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    size = (across * CELL, down * CELL)
    if hasattr(cv2.aruco, "CharucoBoard_create"):  # OpenCV before 4.7
        drawing = cv2.aruco.CharucoBoard_create(across, down, 1.0, 0.7, dictionary).draw(size)
    else:
        drawing = cv2.aruco.CharucoBoard((across, down), 1.0, 0.7, dictionary).generateImage(size)
    return np.pad(drawing, CELL, constant_values=255).astype(np.uint8)


def poses(count: int, reach: float) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Rotations and places (mm) of the board's middle: to the sides and corners, tilted this way and that.

    reach: how far from the axis the middle goes, in focal lengths.
    """
    for i in range(count):
        tilt, turn = 0.45 * np.array([np.sin(2.4 * i), np.cos(2.4 * i)]), 0.2 * np.sin(i)
        rotation = cv2.Rodrigues(np.array([*tilt, 0.0]))[0] @ cv2.Rodrigues(np.array([0, 0, turn]))[0]
        place = reach * np.array([((i % 4) - 1.5) / 1.5, 0.7 * ((i // 4) % 3 - 1.0)])
        distance = 400 + 40 * np.sin(3 * i)
        yield rotation, np.array([*(place * distance), distance])


def views(lens: Lens, count: int = 12, reach: float = 0.35, noise: float = 0.1) -> dict[str, View]:
    """Corners of a 9x6 chessboard as OpenCV projects them, whole boards only, `noise` pixels off."""
    board = np.zeros((54, 3), np.float32)
    board[:, :2] = (np.mgrid[:9, :6].T.reshape(-1, 2)) * SQUARE
    found = {}
    for i, (rotation, place) in enumerate(poses(count, reach)):
        shift = place - rotation @ [4 * SQUARE, 2.5 * SQUARE, 0]
        pixels, _ = cv2.projectPoints(board, rotation, shift, lens.matrix, np.array(lens.distortion))
        pixels = pixels.reshape(-1, 2) + np.random.default_rng(i).normal(0, noise, (54, 2))
        if ((pixels > 0) & (pixels < lens.size)).all():
            found[f"{i}.jpg"] = View(board, pixels.astype(np.float32))
    return found


def pictures(drawing: NDArray[np.uint8], lens: Lens, count: int = 12, reach: float = 0.35) -> list[NDArray[np.uint8]]:
    """What the lens, a mild one, sees of the drawing. OpenCV solves it, so that nothing rests on what is tested."""
    width, height = lens.size
    pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1).reshape(-1, 1, 2).astype(np.float64)
    rays = cv2.undistortPoints(pixels, lens.matrix, np.array(lens.distortion)).reshape(-1, 2)
    rays = np.c_[rays, np.ones(len(rays))]
    middle = np.array([drawing.shape[1] / 2, drawing.shape[0] / 2])
    taken = []
    for i, (rotation, place) in enumerate(poses(count, reach)):
        # where each ray meets the board's plane, in the drawing's pixels
        normal = rotation[:, 2]
        hit = rays * ((normal @ place) / (rays @ normal))[:, None] - place
        maps = (hit @ rotation[:, :2] / SQUARE * CELL + middle - 0.5).astype(np.float32).reshape(height, width, 2)
        picture = cv2.remap(drawing, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(150.0,))
        noise = np.random.default_rng(i).normal(0, 3, picture.shape)
        taken.append(np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) * 0.8 + 20 + noise, 0, 255).astype(np.uint8))
    return taken

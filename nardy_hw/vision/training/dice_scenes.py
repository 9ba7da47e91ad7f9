"""Pictures with dice for training: rendered boards as they are, with more dice drawn into them, real dice, no dice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import FIELD_CORNERS
from nardy_hw.vision.dice import FIELD, SIZE, matrix, rectify
from nardy_hw.vision.training.boards import records
from nardy_hw.vision.training.drawn_dice import COCKED, FLAT, ON_CHECKER, UNKNOWN, with_dice

PAIR = 2
"""More dice than that are thrown to learn from: such a board needs none drawn in."""

STATES = {"flat": FLAT, "frame": COCKED, "checker": COCKED, "on_checker": ON_CHECKER}


class Scene:
    """One picture: its field rectified, and its dice as (x, y, value, state) in rectified pixels.

    unclear: dice that are neither wanted nor false. drawn: some of the dice are not the renderer's. Pictures are kept
    as JPEG: thousands of them fit into memory.
    """

    def __init__(self, picture: NDArray[np.uint8], corners: NDArray[np.float32], drawn: bool = False) -> None:
        self.corners, self.drawn = corners, drawn
        self._picture, self._field = _packed(picture), _packed(rectify(picture, corners))
        self.dice: list[tuple[float, float, int, int]] = []
        self.unclear: list[tuple[float, float]] = []

    @property
    def picture(self) -> NDArray[np.uint8]:
        return np.asarray(cv2.imdecode(self._picture, cv2.IMREAD_COLOR), np.uint8)

    @property
    def field(self) -> NDArray[np.uint8]:
        return np.asarray(cv2.imdecode(self._field, cv2.IMREAD_COLOR), np.uint8)

    def add(self, centre: Any, value: int, state: int, clear: bool) -> None:
        """centre: pixels of the picture."""
        point = np.array([[centre]], np.float32)
        x, y = cv2.perspectiveTransform(point, matrix(self.corners))[0, 0]
        if 0 <= x < SIZE[0] and 0 <= y < SIZE[1]:
            if clear:
                self.dice.append((float(x), float(y), value, state))
            else:
                self.unclear.append((float(x), float(y)))


def _packed(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 95])[1], np.uint8)


def rendered(source: str, drawn: int, rng: np.random.Generator, keep: Callable[[int], bool]) -> Iterator[Scene]:
    """Scenes of a truth file 'TRUTH.jsonl[:ROOT]': each picture, then `drawn` times with dice drawn in.

    keep: whether to take the boards of that number; several pictures may show one board.
    """
    truth, _, root = source.partition(":")
    folder = Path(root) if root else Path(truth).parent
    for i, record in enumerate(records(Path(truth))):
        path = folder / record["file"]
        if not keep(record.get("seed", (0, i))[1]) or not path.exists():
            continue
        picture = np.asarray(cv2.imread(str(path)), np.uint8)
        yield _scene(picture, record)
        placed = "K" in record["camera"]  # a game tells its camera once
        room = record["hand_fraction"] < 0.02 and len(record["dice"]) <= PAIR
        for _ in range(drawn if placed and room else 0):
            canvas, added = with_dice(picture, record, rng)
            scene = _scene(canvas, record, True)
            for centre, value, state in added:
                scene.add(centre, value, state, True)
            yield scene


def _scene(picture: NDArray[np.uint8], record: dict[str, Any], drawn: bool = False) -> Scene:
    scene = Scene(picture, np.array(record["field_corners_px"], np.float32), drawn)
    for die in record["dice"]:
        if die["bbox"] is not None:
            clear = die["visible_frac"] > 0.6 and die["kind"] in STATES
            scene.add(die["centre_px"], die["value"], STATES.get(die["kind"], UNKNOWN), clear)
    return scene


def photographed(truth: Path, rng: np.random.Generator) -> Iterator[Scene]:
    """Scenes of photographs of dice alone, brought to sizes at which dice lie on boards. Their state is unknown."""
    for entry in json.loads(truth.read_text())["images"]:
        picture = cv2.imread(str(truth.parent / entry["file"]))
        if picture is None or not entry["dice"]:
            continue
        boxes = np.array([d["bbox"] for d in entry["dice"]], np.float64)
        across = float(np.median((boxes[:, 2:] - boxes[:, :2]).max(1)))
        for _ in range(3):
            scale = rng.uniform(10, 20) / across
            sharp = float(min(rng.uniform(1, 2.5), 1 / scale))  # pictures have more pixels than the rectified field
            scale *= sharp
            small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            # a field the size of the rectified one around the dice, so that a pixel is a pixel
            x, y = (boxes[rng.integers(len(boxes))][:2] * scale + rng.normal(0, 30, 2) * sharp).tolist()
            corners = (FIELD_CORNERS - 0.5) * FIELD * sharp + (x, y)
            scene = Scene(np.asarray(small, np.uint8), corners.astype(np.float32))
            for d in entry["dice"]:
                x0, y0, x1, y1 = np.array(d["bbox"]) * scale
                scene.add(((x0 + x1) / 2, (y0 + y1) / 2), int(d["value"] or 0), UNKNOWN, bool(d["value"]))
            yield scene


def nothing(folder: Path, rng: np.random.Generator) -> Iterator[Scene]:
    """Scenes of pictures without dice, at other sizes and from other sides."""
    for path in sorted(folder.iterdir()):
        picture = cv2.imread(str(path))
        if picture is None:
            continue
        h, w = picture.shape[:2]
        for _ in range(3):
            size = rng.uniform(0.5, 0.95, 2)
            corners = (FIELD_CORNERS - 0.5) * size + rng.uniform(0.45, 0.55, 2) + rng.normal(0, 0.06, (4, 2))
            yield Scene(np.asarray(picture, np.uint8), (corners * (w, h)).astype(np.float32), True)

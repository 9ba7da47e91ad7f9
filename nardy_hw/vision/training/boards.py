"""Rendered boards with truth -> training examples for the checker reader and the geometry finder.

One example a picture and a jitter of its corners: people click corners a little off, and boards get bumped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field import STRIPS, rectify, strips
from calibration.geometry import Geometry

IGNORE = -100
"""Targets that are not to be learnt: hidden by a hand, or not told by the truth."""

COLOURS = {"light": 0, "dark": 1, "mixed": 2}


@dataclass(frozen=True, slots=True)
class Example:
    """strips: (26, L, W, 3). count, colour, layers, hidden: (26,) targets, IGNORE where unknown.

    field: rectified picture. geometry: bar's two edges, point length, checker radius as the fractions of
    calibration.geometry, for the jittered field.
    """

    file: str
    strips: NDArray[np.uint8]
    count: NDArray[np.int64]
    colour: NDArray[np.int64]
    layers: NDArray[np.int64]
    hidden: NDArray[np.int64]
    field: NDArray[np.uint8]
    geometry: NDArray[np.float32]


def records(truth: Path) -> Iterator[dict[str, Any]]:
    """The pictures of a truth file (stills or a game) with what the game's header says filled in."""
    header: dict[str, Any] = {}
    for line in truth.read_text().splitlines():
        record = json.loads(line)
        if record.get("header"):
            header = record
        elif "field_corners_px" in record and "points" in record:
            yield {"board": header.get("board"), "style": header.get("style"), "pose": header.get("pose"), **record}


def geometry_of(record: dict[str, Any]) -> NDArray[np.float32]:
    """Bar edges, point length, and checker radius at checker-top height, from the truth's metres."""
    board, style = record["board"], record["style"]
    half = board["bar_w_m"] / board["field_w_m"] / 2
    height = record["pose"]["height_m"]
    radius = style["checker_diam_m"] / 2 / board["field_w_m"] * height / (height - style["checker_thick_m"])
    return np.array([0.5 - half, 0.5 + half, board["tri_len_m"] / board["field_h_m"], radius], np.float32)


def targets(record: dict[str, Any]) -> tuple[NDArray[np.int64], ...]:
    """Counts 0..15, colours (0 light, 1 dark, 2 mixed), layers (0, 1) and hidden by a hand (0, 1) of the 26 strips."""
    count = np.zeros(STRIPS, np.int64)
    colour = np.full(STRIPS, IGNORE, np.int64)
    layers = np.zeros(STRIPS, np.int64)
    hidden = np.zeros(STRIPS, np.int64)
    share = record["hand_occlusion_by_point"]
    for place in range(1, 25):
        entry, i = record["points"][str(place)], place - 1
        if share.get(str(place), 0) > 0:
            hidden[i] = 1 if share[str(place)] > 0.02 else IGNORE
        if hidden[i] == 1:
            count[i] = layers[i] = IGNORE
            continue
        count[i] = entry["count"]
        colour[i] = COLOURS[entry["colour"]] if entry["count"] else IGNORE
        layers[i] = int(entry.get("arrangement") == "layers")
    near = record["near_colour"]
    for i, name in ((24, "dark" if near == "light" else "light"), (25, near)):
        count[i] = record["bar"][name]
        colour[i] = COLOURS[name] if count[i] else IGNORE
        if record["hand_fraction"] > 0.03:
            count[i] = colour[i] = layers[i] = hidden[i] = IGNORE
    return count, colour, layers, hidden


def examples(truth: Path, root: Path, *, jitters: int, seed: int = 0) -> Iterator[Example]:
    """`jitters` examples a picture; with jitters=0 one, exactly as the truth has it."""
    rng = np.random.default_rng(seed)
    for record in records(truth):
        path = root / record["file"]
        picture = cv2.imread(str(path)) if path.exists() else None
        if picture is None:
            continue
        corners = np.array(record["field_corners_px"], np.float32)
        measured = geometry_of(record)
        told = targets(record)
        size = (picture.shape[1], picture.shape[0])
        span = np.hypot(*(corners[1] - corners[0]))
        for k in range(max(1, jitters)):
            moved, seen = corners, measured
            if jitters:
                # a click is right to about 0.4% of the width; a bump moves the whole board by up to 2%
                moved = corners + rng.normal(0, 0.004, (4, 2)) * span + rng.normal(0, 0.006, 2) * span
                moved = moved.astype(np.float32)
                seen = _seen_from(corners, moved, measured)
            given = seen + (rng.normal(0, 0.005, 4) if jitters else 0)
            geometry = Geometry(size, _corner_tuple(corners), (float(given[0]), float(given[1])), 0.4, 0.03)
            field = rectify(picture, moved)
            name = f"{record['file']}#{k}"
            yield Example(name, strips(field, geometry), *told, field, seen.astype(np.float32))


def _seen_from(
    true: NDArray[np.float32], moved: NDArray[np.float32], measured: NDArray[np.float32]
) -> NDArray[np.float64]:
    """The bar's edges as fractions of the moved field."""
    unit = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, true)
    back = cv2.getPerspectiveTransform(moved, unit)
    edges = np.array([[[measured[0], 0.5]], [[measured[1], 0.5]]], np.float32)
    x = cv2.perspectiveTransform(cv2.perspectiveTransform(edges, matrix), back)[:, 0, 0]
    return np.array([x[0], x[1], measured[2], measured[3]], np.float64)


def _corner_tuple(corners: NDArray[np.float32]) -> Any:
    return tuple((float(x), float(y)) for x, y in corners)

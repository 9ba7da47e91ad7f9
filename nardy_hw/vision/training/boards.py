"""Rendered boards with truth -> training examples for the checker reader and the geometry finder.

A board is kept as its rectified field with a mask of each colour's checkers; every time it is asked for an example it
comes with other corners (people click a little off, and boards get bumped), other colours and another light.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field import ACROSS, HEIGHT, LENGTH, MARGIN, STRIPS, WIDTH, rectify, side_maps
from calibration.geometry import FIELD_CORNERS
from calibration.measure import measure
from nardy_hw.vision import dice
from nardy_hw.vision.checkers import CELL

IGNORE = -100
"""Targets that are not to be learnt: hidden by a hand, or not told by the truth."""

COLOURS = {"light": 0, "dark": 1, "mixed": 2}

COVERED = 0.3
"""Share of a point under a hand from which its checkers cannot be learnt."""

HIDDEN = 0.03
"""Share from which a point counts as hidden; less of it may be called either way."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Board:
    """One picture. field: rectified, (h, w, 3) of calibration.field. light, dark: masks of the checkers, 0..255, or
    None where a hand hides some. last: of each strip, where the checker farthest from the rail is seen, (n, 2) pixels
    of field. geometry: bar's edges, point length, checker radius. The rest: (26,) targets."""

    file: str
    field: NDArray[np.uint8]
    light: NDArray[np.uint8] | None
    dark: NDArray[np.uint8] | None
    last: dict[int, Floats]
    geometry: Floats
    count: NDArray[np.int64]
    colour: NDArray[np.int64]
    layers: NDArray[np.int64]
    hidden: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Example:
    """sides: (2, LENGTH, ACROSS, 3). colour: 0 light, 1 dark, 2 mixed. ordered: is 'light' the lighter for certain?

    field: the whole field in the same light; geometry: as the moved corners see it. where: (2, rows, cells), the share
    of each CELL that checkers cover, IGNORE where a hand hides some.
    """

    field: NDArray[np.uint8]
    sides: NDArray[np.uint8]
    geometry: Floats
    count: NDArray[np.int64]
    colour: NDArray[np.int64]
    layers: NDArray[np.int64]
    hidden: NDArray[np.int64]
    where: Floats
    ordered: bool


def records(truth: Path) -> Iterator[dict[str, Any]]:
    """The pictures of a truth file (stills or a game) with what the game's header says filled in."""
    header: dict[str, Any] = {}
    for line in truth.read_text().splitlines():
        record = json.loads(line)
        if record.get("header"):
            header = record
        elif "field_corners_px" in record and "points" in record:
            yield {"board": header.get("board"), "style": header.get("style"), "pose": header.get("pose"), **record}


def geometry_of(record: dict[str, Any]) -> Floats:
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
        under = share.get(str(place), 0)
        if under > 0:
            hidden[i] = 1 if under > HIDDEN else IGNORE
        if under > COVERED:
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


def masks(
    record: dict[str, Any], corners: Floats, picture: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], dict[int, Floats]]:
    """Where the light and the dark checkers are seen in the rectified field, and each point's last one.

    A checker is seen as the hull of its top and its foot.
    """
    board, style = record["board"], record["style"]
    thick = style["checker_thick_m"] / board["field_w_m"] * WIDTH
    tall = (WIDTH / board["field_w_m"], HEIGHT / board["field_h_m"])
    radius = np.array(tall) * style["checker_diam_m"] / 2
    x, y, height = dice.eye(picture, corners) / dice.FIELD[0] * WIDTH - [MARGIN / 5, MARGIN / 5, 0]
    camera = np.array([x, y])
    to_field = cv2.getPerspectiveTransform(corners, (FIELD_CORNERS * [WIDTH, HEIGHT] + MARGIN).astype(np.float32))
    found = np.zeros((2, HEIGHT + 2 * MARGIN, WIDTH + 2 * MARGIN), np.uint8)
    circle = np.stack([np.cos(np.arange(24) * math.pi / 12), np.sin(np.arange(24) * math.pi / 12)], 1)
    last: dict[int, Floats] = {}
    reach = np.full(STRIPS, np.inf)
    for colour, place, layer, px, py in sorted(record["checkers_px"], key=lambda c: c[2]):
        if place in ("off", "hand"):
            continue
        top = cv2.perspectiveTransform(np.array([[[px, py]]], np.float32), to_field)[0, 0]
        rims = []
        for z in (layer * thick, (layer + 1) * thick):
            # seen from the camera, what is higher lies further out
            up, over = height / (height - z), height / (height - (layer + 1) * thick)
            rims.append(camera + (top - camera) * up / over + circle * radius * up)
        hull = cv2.convexHull(np.concatenate(rims).astype(np.float32))
        middle = abs(float(top[1]) - MARGIN - HEIGHT / 2)
        strip = _strip(record, top)
        if strip is not None and middle < reach[strip]:
            last[strip], reach[strip] = hull[:, 0], middle
        shape = np.round(hull * 16).astype(np.int32)
        for side in (0, 1):
            cv2.fillConvexPoly(found[side], shape, 255 * int(side == COLOURS[colour]), cv2.LINE_AA, 4)
    return found[0], found[1], last


def _strip(record: dict[str, Any], at: Floats) -> int | None:
    """The point (0..23) on which a checker is seen in the rectified field; None where it lies on the bar."""
    a, b, _, _ = geometry_of(record)
    x = float(at[0] - MARGIN) / WIDTH
    if not 0 < x < 1 or a < x < b:
        return None
    column = int(x / a * 6) if x < a else 6 + int((x - b) / (1 - b) * 6)
    return 11 - column if at[1] > MARGIN + HEIGHT / 2 else 12 + column


def boards(truth: Path, root: Path) -> Iterator[Board]:
    """The boards of one truth file."""
    for record in records(truth):
        path = root / record["file"]
        picture = cv2.imread(str(path)) if path.exists() else None
        if picture is None:
            continue
        corners = np.array(record["field_corners_px"], np.float32)
        light: NDArray[np.uint8] | None = None
        dark: NDArray[np.uint8] | None = None
        last: dict[int, Floats] = {}
        if record["hand_fraction"] == 0:
            light, dark, last = masks(record, corners, np.asarray(picture, np.uint8))
        field = rectify(np.asarray(picture, np.uint8), corners)
        yield Board(record["file"], field, light, dark, last, geometry_of(record), *targets(record))


def photographed(truth: Path, but: str) -> Iterator[Board]:
    """Photographs with truth (points as signed visible counts, light positive), except those whose names begin so.

    Where their checkers end is not known, nor on which half of the bar any lie.
    """
    for line in truth.read_text().splitlines():
        record = json.loads(line)
        if but and record["file"].startswith(but):
            continue
        picture = np.asarray(cv2.imread(str(truth.parent / record["file"])), np.uint8)
        corners = np.array(record["corners"], np.float32)
        bar, length, radius = measure(picture, corners)
        points = np.array([*record["points"], 0, 0])
        count, hidden = np.abs(points), np.zeros(STRIPS, np.int64)
        hidden[[place - 1 for place in record["occluded"]]] = 1
        count[hidden == 1] = IGNORE
        if any(record["bar"].values()):
            count[24:] = hidden[24:] = IGNORE
        colour = np.where((count == 0) | (count == IGNORE), IGNORE, (points < 0).astype(np.int64))
        geometry = np.array([*(record["bar_rel"] or bar), length, radius], np.float32)
        layers = np.where(hidden == 0, 0, IGNORE)
        yield Board(record["file"], rectify(picture, corners), None, None, {}, geometry, count, colour, layers, hidden)


def plain(board: Board) -> Example:
    """The board as it is, with the geometry that the truth gives."""
    return _example(board, board.field, np.eye(3), board.geometry, board.geometry, board.colour, True, False)


def varied(board: Board, rng: np.random.Generator) -> Example:
    """The board with other corners, colours and light, perhaps in a mirror."""
    picture = board.field.astype(np.float32) / 255
    colour, ordered = board.colour, True
    if rng.random() < 0.2:
        picture = _rehue(picture, board, rng)
    if board.light is not None and rng.random() < 0.4:
        picture, swapped, ordered = _recolour(picture, board, rng)
        if swapped:
            colour = np.where(colour == 0, 1, np.where(colour == 1, 0, colour))
    if board.light is not None and rng.random() < STRANGERS:
        picture, colour = _stranger(picture, board, colour, rng)
    picture = _relight(picture, rng)
    field = np.asarray(np.clip(picture * 255, 0, 255), np.uint8)
    if rng.random() < 0.2:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 95))]
        field = np.asarray(cv2.imdecode(cv2.imencode(".jpg", field, quality)[1], cv2.IMREAD_COLOR), np.uint8)
    # a click is right to about 0.4% of the width; a bump moves the whole board by up to 2%
    unit = FIELD_CORNERS + rng.normal(0, 0.004, (4, 2)) + rng.normal(0, 0.006, 2)
    move = cv2.getPerspectiveTransform(FIELD_CORNERS, unit.astype(np.float32))
    edges = np.array([[[board.geometry[0], 0.5]], [[board.geometry[1], 0.5]]], np.float32)
    bar = cv2.perspectiveTransform(edges, np.linalg.inv(move))[:, 0, 0]
    seen = np.array([*bar, *board.geometry[2:]], np.float32)
    given = seen + rng.normal(0, 0.005, 4).astype(np.float32)
    return _example(board, field, move, seen, given, colour, ordered, bool(rng.random() < 0.5))


STRANGERS = 0.3
"""Share of boards on which a checker is shown where it may not land: beside the other side's. Renders have few."""

APART = 0.3
"""Log units by which a drawn pair of checkers differs at least in one of blue, green, red."""

MIRROR = np.concatenate([np.arange(11, -1, -1), np.arange(23, 11, -1), [24, 25]])


def _example(
    board: Board,
    field: NDArray[np.uint8],
    move: NDArray[np.float64],
    seen: Floats,
    given: Floats,
    colour: NDArray[np.int64],
    ordered: bool,
    mirror: bool,
) -> Example:
    """move: field fractions of the moved field -> of the true one. given: the geometry that the reader is told."""
    scale = np.array([[WIDTH, 0, MARGIN], [0, HEIGHT, MARGIN], [0, 0, 1]], np.float64)
    to = scale @ move @ np.linalg.inv(scale)
    x, y = side_maps((float(given[0]), float(given[1])))
    grid = np.stack(np.broadcast_arrays(x[None, None], y[:, :, None]), -1).reshape(1, -1, 2)
    at = cv2.perspectiveTransform(grid, to).reshape(2, LENGTH, ACROSS, 2)
    cut = np.stack([cv2.remap(field, m, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for m in at])
    whole = cv2.warpPerspective(
        field, to, (field.shape[1], field.shape[0]), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    told = (board.count, colour, board.layers, board.hidden)
    where = np.full((2, LENGTH // CELL, ACROSS // CELL), IGNORE, np.float32)
    if board.light is not None and board.dark is not None:
        cover = np.maximum(board.light, board.dark)
        covers = np.stack([cv2.remap(cover, m, None, cv2.INTER_LINEAR) for m in at])
        where = covers.reshape(2, LENGTH // CELL, CELL, -1, CELL).mean((2, 4), dtype=np.float32) / 255
    if mirror:
        cut, whole, told, where = cut[:, :, ::-1], whole[:, ::-1], tuple(t[MIRROR] for t in told), where[:, :, ::-1]
        seen = np.array([1 - seen[1], 1 - seen[0], *seen[2:]], np.float32)
    return Example(
        np.ascontiguousarray(whole), np.ascontiguousarray(cut), seen, *told, np.ascontiguousarray(where), ordered
    )


def _recolour(picture: Floats, board: Board, rng: np.random.Generator) -> tuple[Floats, bool, bool]:
    """Checkers of two other colours: (picture, is the light side now the darker, is it plain which is the lighter)."""
    assert board.light is not None and board.dark is not None
    covers = [cv2.GaussianBlur(m, (0, 0), 0.8).astype(np.float32)[..., None] / 255 for m in (board.light, board.dark)]
    new = _pair(picture, rng)
    brightness = []
    for cover, colour in zip(covers, new, strict=True):
        total = cover.sum()
        if total < 50:
            brightness.append(0.0)
            continue
        mean = (picture * cover).sum((0, 1)) / total + 0.02
        grain = rng.uniform(0.6, 1.3)
        picture = picture * (1 - cover) + _painted(picture, mean, colour, grain) * cover
        brightness.append(float(colour.mean()))
    light, dark = brightness
    ratio = (light + 0.02) / (dark + 0.02)
    return picture, ratio < 1, not 1 / 1.15 < ratio < 1.15


def _painted(picture: Floats, mean: Floats, colour: Floats, grain: float) -> Floats:
    """Something of `mean` colour in another one, its grain kept and the lamp's image in it, which has no colour."""
    body = np.minimum(picture, 1.6 * mean)
    return np.asarray(colour * ((body + 0.02) / mean) ** grain + (picture - body), np.float32)


def _stranger(
    picture: Floats, board: Board, colour: NDArray[np.int64], rng: np.random.Generator
) -> tuple[Floats, NDArray[np.int64]]:
    """The last checker of some point in the other side's colour."""
    assert board.light is not None and board.dark is not None
    able = [i for i in board.last if 2 <= board.count[i] <= 6 and colour[i] in (0, 1) and not board.layers[i]]
    covers = [m.astype(np.float32)[..., None] / 255 for m in (board.light, board.dark)]
    if not able or min(float(cover.sum()) for cover in covers) < 50:
        return picture, colour
    i = int(rng.choice(able))
    means = [np.asarray((picture * cover).sum((0, 1)) / cover.sum() + 0.02, np.float32) for cover in covers]
    mine = int(board.colour[i])
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(board.last[i] * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    cover = cv2.GaussianBlur(mask, (0, 0), 0.8).astype(np.float32)[..., None] / 255
    here = np.asarray((picture * cover).sum((0, 1)) / cover.sum() + 0.02, np.float32)
    # as light falls on it there
    other = means[1 - mine] * here / means[mine]
    colour = colour.copy()
    colour[i] = 2
    return picture * (1 - cover) + _painted(picture, here, other, float(rng.uniform(0.6, 1.3))) * cover, colour


def _pair(picture: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    def any_colour(low: float, high: float, saturation: float) -> Floats:
        hue, s, v = rng.random(), rng.random() * saturation, rng.uniform(low, high)
        ramp = np.abs((hue * 6 + np.array([0, 4, 2])) % 6 - 3) - 1
        return np.asarray(v * (1 - s + s * np.clip(ramp, 0, 1)), np.float32)

    how = rng.random()
    if how < 0.35:
        one, two = any_colour(0.5, 0.95, 0.4), any_colour(0.04, 0.3, 0.8)
    elif how < 0.7:
        one, two = any_colour(0.08, 0.95, 1), any_colour(0.08, 0.95, 1)
    else:
        one = any_colour(0.12, 0.95, 0.9)
        two = one * rng.uniform(0.5, 0.85) * rng.uniform(0.8, 1.2, 3).astype(np.float32)
    if rng.random() < 0.25:  # the colour of the board, or of its points
        at = rng.integers(0, picture.shape[0]), rng.integers(0, picture.shape[1])
        two = picture[at] * np.float32(rng.uniform(0.8, 1.25))
    if np.abs(np.log(one + 0.05) - np.log(two + 0.05)).max() < APART:
        return _pair(picture, rng)
    return (one, two) if rng.random() < 0.5 else (two, one)


def _rehue(picture: Floats, board: Board, rng: np.random.Generator) -> Floats:
    """A board of other colours under the same checkers (under a hand everything changes)."""
    grey = np.full((3, 3), 1 / 3)
    a = rng.uniform(0, 2 * math.pi)
    axis = 1 / math.sqrt(3)
    cross = np.array([[0, -axis, axis], [axis, 0, -axis], [-axis, axis, 0]])
    turned = math.cos(a) * np.eye(3) + math.sin(a) * cross + (1 - math.cos(a)) * grey
    saturation = rng.uniform(0.3, 1.4)
    matrix = saturation * turned + (1 - saturation) * grey
    other = np.clip(picture @ matrix.T.astype(np.float32), 0, 1) ** np.float32(rng.uniform(0.6, 1.6))
    other = np.asarray(other * np.float32(rng.uniform(0.6, 1.3)), np.float32)
    if board.light is None or board.dark is None:
        return other
    cover = cv2.GaussianBlur(np.maximum(board.light, board.dark), (0, 0), 0.8).astype(np.float32)[..., None] / 255
    return np.asarray(other * (1 - cover) + picture * cover, np.float32)


def _relight(picture: Floats, rng: np.random.Generator) -> Floats:
    """Another exposure, cast, slope of light, a lamp's image, blur and noise."""
    h, w = picture.shape[:2]
    picture = np.maximum(picture, 0) ** np.float32(rng.uniform(0.7, 1.4))
    gain = rng.uniform(0.65, 1.3) * rng.uniform(0.88, 1.12, 3)
    y, x = np.linspace(-1, 1, h, dtype=np.float32)[:, None], np.linspace(-1, 1, w, dtype=np.float32)
    slope = np.ones((h, w, 1), np.float32)
    if rng.random() < 0.5:
        a = rng.uniform(0, 2 * math.pi)
        slope = np.exp(rng.uniform(0, 0.4) * (math.cos(a) * x + math.sin(a) * y))[..., None]
    picture = picture * slope * gain.astype(np.float32)
    if rng.random() < 0.25:
        cx, cy, r = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.08, 0.5)
        lamp = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * r * r))[..., None] * np.float32(rng.uniform(0.1, 0.5))
        picture = picture + lamp * (1 - picture.clip(0, 1))
    if rng.random() < 0.35:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.3))
    noise = rng.uniform(0, 0.05) if rng.random() < 0.6 else 0.01
    return picture + rng.standard_normal((h, w, 3), np.float32) * np.float32(noise)

"""Pictures for the field finder's training: rendered and drawn boards, seen anew by a random camera, and no boards.

A board seen in a mirror, or from the other side of the table, is a board. Turned by a quarter it is not: the finder
asks for it by turning the picture.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.find import CANVAS, GREY, INSET, STRAIGHT
from calibration.geometry import FIELD_CORNERS

Floats = NDArray[np.float32]
Picture = NDArray[np.uint8]
WIDE = 640
"""Width at which pictures are kept: twice the canvas, room to look closer."""


@dataclass(frozen=True, slots=True)
class Board:
    """A picture at most WIDE across and its field's corners in it."""

    picture: Picture
    corners: Floats


@dataclass(frozen=True, slots=True)
class View:
    """What the network sees (CANVAS, BGR) and the field's corners there; None: no upright board is to be seen."""

    pixels: Picture
    corners: Floats | None


def shrunk(picture: Picture) -> tuple[Picture, float]:
    scale = WIDE / picture.shape[1]
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=method), np.uint8), scale


def rendered(truth: Path, root: Path) -> list[Board]:
    """The boards of a truth file; pictures that are not there are passed over."""
    boards = []
    for line in truth.read_text().splitlines():
        record = json.loads(line)
        path = root / record.get("file", "")
        picture = cv2.imread(str(path)) if path.is_file() else None
        if picture is not None and "field_corners_px" in record:
            small, scale = shrunk(np.asarray(picture, np.uint8))
            boards.append(Board(small, ((np.array(record["field_corners_px"]) + 0.5) * scale - 0.5).astype(np.float32)))
    return boards


def _colour(rng: np.random.Generator) -> tuple[int, int, int]:
    hsv = np.uint8([[[rng.integers(180), rng.beta(1.2, 1.5) * 255, rng.beta(1.1, 1.0) * 255]]])
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return int(b), int(g), int(r)


def _grain(picture: Picture, rng: np.random.Generator) -> Picture:
    """Cloth, leather or wood: noise of one size, sometimes drawn out along one axis."""
    h, w = picture.shape[:2]
    shape = (max(2, int(h / rng.uniform(1, 8))), max(2, int(w / rng.uniform(1, 8 if rng.random() < 0.7 else 60))))
    noise = cv2.resize(rng.normal(0, 1, shape).astype(np.float32), (w, h))
    return np.asarray(np.clip(picture + noise[..., None] * rng.uniform(0, 14), 0, 255), np.uint8)


def drawn(rng: np.random.Generator) -> Board:
    """A board drawn flat: case, trays, bar, points, checkers, in any colours and proportions."""
    width = 460
    height = int(width / rng.uniform(0.95, 1.5))
    wall = [int(width * rng.uniform(0.015, 0.09)) for _ in range(2)]
    tray = [int(width * rng.uniform(0.07, 0.18)) if rng.random() < 0.5 else 0 for _ in range(2)]
    if rng.random() < 0.6:
        tray[1] = tray[0]
    rim = int(width * rng.uniform(0.01, 0.05))
    left = wall[0] + (tray[0] + rim if tray[0] else 0)
    right = wall[0] + (tray[1] + rim if tray[1] else 0)
    x0, y0, x1, y1 = left, wall[1], left + width, wall[1] + height
    frame, field, a, b = (_colour(rng) for _ in range(4))
    picture = np.empty((height + 2 * wall[1], x1 + right, 3), np.uint8)
    picture[:] = frame
    deep = field if rng.random() < 0.5 else _colour(rng)
    for side, at in ((tray[0], wall[0]), (tray[1], x1 + rim)):
        if side:
            cells = int(rng.integers(1, 5))
            for k in range(cells):
                top = y0 + k * height // cells + (rim // 2 if k else 0)
                cv2.rectangle(picture, (at, top), (at + side, y0 + (k + 1) * height // cells - rim // 2), deep, -1)
    cv2.rectangle(picture, (x0, y0), (x1, y1), field, -1)
    bar = [int(v) for v in x0 + width * (rng.uniform(0.48, 0.52) + np.array([-1, 1]) * rng.uniform(0.01, 0.05))]
    length, fat = height * rng.uniform(0.3, 0.47), rng.uniform(0.6, 1.0)
    round_tip, swap = rng.random() < 0.15, rng.random() < 0.5
    centres = []
    for column in range(12):
        start, end = (x0, bar[0]) if column < 6 else (bar[1], x1)
        step = (end - start) / 6
        x = start + (column % 6 + 0.5) * step
        for far in (False, True):
            rail, sign = (y0, 1) if far else (y1, -1)
            colour = a if (column + (far and swap)) % 2 else b
            points = [(x - fat * step / 2, rail), (x + fat * step / 2, rail), (x, rail + sign * length)]
            cv2.fillPoly(picture, [np.int32(points)], colour, cv2.LINE_AA)
            if round_tip:
                cv2.ellipse(picture, (int(x), int(rail + sign * length * 0.7)),
                            (int(fat * step * 0.3), int(length * 0.3)), 0, 0, 360, colour, -1, cv2.LINE_AA)  # fmt: skip
            centres.append((x, rail, sign, step))
    if rng.random() < 0.8:
        cv2.rectangle(picture, (bar[0], y0), (bar[1], y1), frame if rng.random() < 0.7 else _colour(rng), -1)
    else:
        cv2.line(picture, (sum(bar) // 2, y0), (sum(bar) // 2, y1), frame, 2)
    for share in (0.15, 0.85):
        if rng.random() < 0.4:
            cv2.rectangle(picture, (bar[0] + 2, int(y0 + height * share) - 12),
                          (bar[1] - 2, int(y0 + height * share) + 12), _colour(rng), -1)  # fmt: skip
    for x, y in rng.uniform(0.1, 0.9, (int(rng.integers(0, 4)), 2)):
        cv2.putText(picture, "ABXO"[int(4 * x)] * int(1 + 6 * y), (int(x0 + x * width), int(y0 + height / 2)),
                    cv2.FONT_HERSHEY_SIMPLEX, 0.5 + x, _colour(rng), 2, cv2.LINE_AA)  # fmt: skip
    picture = _grain(picture, rng)
    depth = int(rng.integers(2, 12))  # the walls' shadow on the field
    for edge in ((x0, y0, x1, y0 + depth), (x0, y0, x0 + depth, y1), (x1 - depth, y0, x1, y1)):
        if rng.random() < 0.5:
            part = picture[edge[1] : edge[3], edge[0] : edge[2]]
            part[:] = part * rng.uniform(0.3, 0.8)
    sides, share = [_colour(rng), _colour(rng)], rng.uniform(0, 0.6)
    for x, rail, sign, step in centres:
        if rng.random() < share:
            colour, radius = sides[int(rng.integers(2))], step * rng.uniform(0.42, 0.49)
            for k in range(int(min(rng.integers(1, 6), rng.integers(1, 6)))):
                _checker(picture, (x, rail + sign * radius * (2 * k + 1)), radius, colour, rng)
    for x in (x0 + rng.uniform(0, 1, int(rng.integers(0, 4))) * width).astype(int):
        y, half = int(y0 + height * rng.uniform(0.35, 0.65)), int(rng.integers(4, 9))
        cv2.rectangle(picture, (x - half, y - half), (x + half, y + half), _colour(rng), -1)
    corners = np.array([[x0, y1], [x1, y1], [x1, y0], [x0, y0]], np.float32)
    return Board(picture, corners)


def _checker(
    picture: Picture, at: tuple[float, float], radius: float, colour: tuple[int, int, int], rng: np.random.Generator
) -> None:
    centre, r = (int(at[0]), int(at[1])), int(radius)
    cv2.circle(picture, (centre[0] + 2, centre[1] + 3), r, [int(v * 0.4) for v in colour], -1, cv2.LINE_AA)
    cv2.circle(picture, centre, r, colour, -1, cv2.LINE_AA)
    cv2.circle(picture, centre, int(r * 0.7), [min(255, int(v * 1.3) + 12) for v in colour], 1, cv2.LINE_AA)
    cv2.circle(picture, centre, r, [int(v * 0.6) for v in colour], 1, cv2.LINE_AA)


def backdrop(others: list[Picture], rng: np.random.Generator) -> Picture:
    """A canvas without a board: a piece of another picture, a plain cloth, a grid, a heap of shapes."""
    w, h = CANVAS
    if others and rng.random() < 0.5:
        picture = others[int(rng.integers(len(others)))]
        share = rng.uniform(0.3, 1)
        ph, pw = (int(v * share) for v in picture.shape[:2])
        y, x = (int(rng.integers(0, s - p + 1)) for s, p in zip(picture.shape[:2], (ph, pw), strict=True))
        out = np.asarray(cv2.resize(picture[y : y + ph, x : x + pw], CANVAS, interpolation=cv2.INTER_AREA), np.uint8)
        return np.ascontiguousarray(np.rot90(out, 2) if rng.random() < 0.5 else out)
    out = np.empty((h, w, 3), np.uint8)
    out[:] = _colour(rng)
    kind = rng.random()
    if kind < 0.2:  # tiles, keys, a chessboard
        step, gap = int(rng.integers(8, 40)), int(rng.integers(0, 4))
        colours = [_colour(rng), _colour(rng)]
        for i, y in enumerate(range(0, h, step)):
            for j, x in enumerate(range(0, w, step)):
                cv2.rectangle(out, (x + gap, y + gap), (x + step - gap, y + step - gap), colours[(i + j) % 2], -1)
    elif kind < 0.6:
        for _ in range(int(rng.integers(1, 25))):
            x, y, p, q = (int(v) for v in rng.uniform(0, [w, h, w / 3, h / 3]))
            shape = rng.random()
            if shape < 0.4:
                cv2.rectangle(out, (x, y), (x + p, y + q), _colour(rng), -1 if rng.random() < 0.7 else 3)
            elif shape < 0.7:
                cv2.ellipse(out, (x, y), (p // 2 + 1, q // 2 + 1), p, 0, 360, _colour(rng), -1, cv2.LINE_AA)
            else:
                cv2.fillPoly(out, [np.int32(rng.normal((x, y), 40, (3, 2)))], _colour(rng), cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), rng.uniform(0, 360), rng.uniform(1, 2))
    return _grain(np.asarray(cv2.warpAffine(out, turn, CANVAS, borderMode=cv2.BORDER_REFLECT), np.uint8), rng)


def _camera(frame: Floats, rng: np.random.Generator) -> Floats:
    """Where a camera above a table might see a field. frame: the picture's x, y, width, height on the canvas."""
    aspect = rng.uniform(0.95, 1.5)
    tilt, turn, around, distance = math.radians(rng.uniform(0, 50)), *rng.normal(0, 9, 2), rng.uniform(1.2, 3.5)
    unit = (FIELD_CORNERS - 0.5) * [1, 1 / aspect]  # x right, y towards the near side
    flat = _turned(unit, around)
    depth = distance - flat[:, 1] * math.sin(tilt)
    seen = np.stack([flat[:, 0], flat[:, 1] * math.cos(tilt)], 1) / depth[:, None]
    return _place(_turned(seen, turn), frame, rng)


def _turned(points: NDArray[np.floating], degrees: float) -> Floats:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return (points @ np.array([[c, s], [-s, c]])).astype(np.float32)


def _frame(rng: np.random.Generator) -> tuple[Floats, NDArray[np.bool_]]:
    """A picture of some format set into the canvas as the finder does it: x, y, width, height; which pixels are it."""
    format_ = rng.choice([4 / 3, 4 / 3, 3 / 2, 16 / 9, 1.18, 1, 3 / 4])
    size = np.array([format_, 1]) * INSET * min(CANVAS[0] / format_, CANVAS[1])
    corner = (np.array(CANVAS) - size) / 2
    inside = np.zeros((CANVAS[1], CANVAS[0]), bool)
    (x0, y0), (x1, y1) = corner.round().astype(int), (corner + size).round().astype(int)
    inside[y0:y1, x0:x1] = True
    return np.concatenate([corner, size]).astype(np.float32), inside


def _place(shape: Floats, frame: Floats, rng: np.random.Generator) -> Floats:
    """The shape scaled and shifted into the picture's frame: mostly whole, sometimes half out of it."""
    shape = shape - (shape.max(0) + shape.min(0)) / 2
    span = np.ptp(shape, axis=0)
    room = float(np.min(frame[2:] * 1.06 / span))
    fill = rng.uniform(0.4, 1) if rng.random() < 0.9 else rng.uniform(0.25, 1.5)
    shape = shape * room * fill
    slack = np.maximum(0, frame[2:] * 1.06 - np.ptp(shape, axis=0)) / 2
    if rng.random() < 0.1:
        slack = slack + 0.3 * frame[2:]
    centre = frame[:2] + frame[2:] / 2 + rng.uniform(-1, 1, 2) * slack
    return (shape + centre).astype(np.float32)


def smudge(pixels: Picture, others: list[Picture], rng: np.random.Generator) -> Picture:
    """Hands, sleeves, cups: blobs over parts of the picture."""
    if rng.random() > 0.25:
        return pixels
    h, w = pixels.shape[:2]
    for _ in range(int(rng.integers(1, 4))):
        mask = np.zeros(pixels.shape[:2], np.uint8)
        x, y = (int(v) for v in rng.uniform(0, [w, h]))
        if rng.random() < 0.5:
            edge = (int(rng.choice([0, w])), int(rng.uniform(0, h)))
            if rng.random() < 0.5:
                edge = (int(rng.uniform(0, w)), int(rng.choice([0, h])))
            cv2.line(mask, (x, y), edge, 255, int(rng.integers(12, 40)))
        else:
            cv2.ellipse(mask, (x, y), (int(rng.integers(6, 32)), int(rng.integers(6, 32))), 0, 0, 360, 255, -1)
        cover = cv2.resize(backdrop(others, rng), (w, h)) if rng.random() < 0.5 else np.full_like(pixels, _colour(rng))
        pixels = np.where(mask[..., None] > 0, cover, pixels)
    return pixels


def develop(pixels: Picture, rng: np.random.Generator) -> Picture:
    """Another camera: light, colours, shadow, blur, noise, compression."""
    h, w = pixels.shape[:2]
    if rng.random() < 0.25:
        pixels = pixels[..., rng.permutation(3)]
    if rng.random() < 0.05:
        pixels = np.repeat(pixels.mean(2, keepdims=True).astype(np.uint8), 3, 2)
    tone = np.linspace(0, 1, 256)[:, None] ** rng.uniform(0.6, 1.6) * rng.uniform(0.65, 1.4) * rng.uniform(0.8, 1.2, 3)
    out = np.asarray(cv2.LUT(np.ascontiguousarray(pixels), np.clip(tone * 255, 0, 255).astype(np.uint8)[None]))
    shade = None
    if rng.random() < 0.35:  # light from one side
        shade = cv2.resize(rng.uniform(0.4, 1.1, (4, 4)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.3:  # a shadow's edge
        dark = np.ones((h, w), np.float32)
        cv2.fillPoly(dark, [np.int32(rng.uniform(-0.5, 1.5, (4, 2)) * [w, h])], rng.uniform(0.35, 0.8))
        dark = cv2.GaussianBlur(dark, (0, 0), rng.uniform(0.5, 4))
        shade = dark if shade is None else shade * dark
    if shade is not None:
        out = cv2.multiply(out, cv2.merge([shade] * 3), dtype=cv2.CV_8U)
    if rng.random() < 0.4:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.4))
    if rng.random() < 0.5:
        noise = cv2.randn(np.empty((h, w, 3), np.int16), 0, rng.uniform(1, 14))
        out = cv2.add(out, noise, dtype=cv2.CV_8U)
    if rng.random() < 0.35:
        packed = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(20, 90))])[1]
        out = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return np.asarray(out, np.uint8)


def view(board: Board | None, others: list[Picture], rng: np.random.Generator) -> View:
    """One example: the whole picture as a camera might see it, or the board straightened as the finder's second look.

    board: None for a picture without one.
    """
    frame, inside = _frame(rng)
    pixels: Picture | None = None
    corners: Floats | None = None
    if board is not None:
        source = board.corners
        if rng.random() < 0.5:
            source = source[[1, 0, 3, 2]]
        if rng.random() < 0.5:
            source = source[[2, 3, 0, 1]]
        kind, whole = rng.random(), np.full(board.picture.shape[:2], 255, np.uint8)
        if kind < 0.4:
            target = STRAIGHT + rng.normal(0, 7, (4, 2)) + rng.normal(0, 8, 2)
            target = (target - target.mean(0)) * rng.uniform(0.85, 1.15, 2) + target.mean(0)
        elif kind < 0.7:
            target = _place(_turned(board.corners, rng.normal(0, 9)) * rng.uniform(0.8, 1.2, 2), frame, rng)
        else:
            target = _camera(frame, rng)
        upright = rng.random() > 0.07
        if not upright:
            source = source[[1, 2, 3, 0]]
        matrix = cv2.getPerspectiveTransform(source, target.astype(np.float32))
        shown = cv2.warpPerspective(whole, matrix, CANVAS) > 127
        # sampled more coarsely than it is: averaged first, or grain turns to noise
        reach = float(np.ptp(source, axis=0).max() / np.ptp(target, axis=0).max())
        picture = cv2.GaussianBlur(board.picture, (0, 0), 0.35 * reach) if reach > 1.2 else board.picture
        pixels = np.asarray(cv2.warpPerspective(picture, matrix, CANVAS), np.uint8)
        if not shown.all():
            pixels = np.where(shown[..., None], pixels, backdrop(others, rng))
        corners = target.astype(np.float32) if upright else None
        if kind < 0.4:
            inside = shown if rng.random() < 0.3 else np.ones_like(inside)
    if pixels is None:
        pixels = backdrop(others, rng)
    pixels = develop(smudge(pixels, others, rng), rng)
    pixels[~inside] = GREY
    return View(pixels, corners)

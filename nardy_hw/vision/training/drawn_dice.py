"""Dice drawn into rendered boards.

Rounded cubes traced through the picture's own camera, so that side faces, shadows and distortion are those of the place
where they lie: flat, against the frame or a checker, leaning, on a checker, touching each other.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

FLAT, COCKED, ON_CHECKER, UNKNOWN = 0, 1, 2, -100
Floats = NDArray[np.float64]
Added = tuple[Floats, int, int]
"""A die's centre in pixels of the picture, its value and state."""


def with_dice(
    picture: NDArray[np.uint8], record: dict[str, Any], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], list[Added]]:
    """The picture of a truth record with up to six dice more, and which."""
    canvas = picture.copy()
    board = _Board(record)
    look = _Look(rng)
    size = rng.uniform(0.019, 0.037) * board.width
    taken = [np.array([*board.at(d["centre_px"], 0.007), 0.02]) for d in record["dice"]]
    added: list[Added] = []
    for _ in range(int(rng.integers(3, 7))):
        if rng.random() < 0.3:
            look = _Look(rng)
        found = _place(board, size, taken, rng)
        if found is None:
            continue
        pose, state, ground = found
        value = int(rng.integers(1, 7))
        centre = _draw(canvas, board, pose, size, value, look, ground)
        taken.append(np.array([*pose[:2, 3], size]))
        added.append((centre, value, state))
    if rng.random() < 0.5:
        canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), rng.uniform(0.3, 1.1)), np.uint8)
    return canvas, added


class _Board:
    """A record's camera and board, metres; z is up, 0 the field."""

    def __init__(self, record: dict[str, Any]) -> None:
        camera, board = record["camera"], record["board"]
        to_world = np.array(record["board_to_world"])
        self.k, self.dist = np.array(camera["K"]), np.array(camera["dist"])
        self.r = np.array(camera["R"]) @ to_world[:3, :3]
        self.t = np.array(camera["R"]) @ to_world[:3, 3] + np.array(camera["t"])
        self.eye = -self.r.T @ self.t
        self.width, self.height = board["field_w_m"], board["field_h_m"]
        self.bar, self.bar_top = board["bar_w_m"], board["bar_top_m"]
        self.thick, self.diameter = record["style"]["checker_thick_m"], record["style"]["checker_diam_m"]
        self.checkers = np.array(
            [
                [*self.at((x, y), self.thick * (layer + 1)), layer]
                for _, where, layer, x, y in record["checkers_px"]
                if isinstance(where, int)
            ]
        ).reshape(-1, 3)

    def at(self, pixel: Any, z: float) -> Floats:
        """Where the ray of a pixel meets the plane at height z: (x, y)."""
        ray = self.rays(np.array([pixel], np.float64))[0]
        return (self.eye + ray * (z - self.eye[2]) / ray[2])[:2]

    def rays(self, pixels: Floats) -> Floats:
        """(n, 2) pixels -> (n, 3) directions."""
        flat = cv2.undistortPoints(pixels.reshape(-1, 1, 2).astype(np.float64), self.k, self.dist)[:, 0]
        return np.concatenate([flat, np.ones((len(flat), 1))], 1) @ self.r

    def project(self, points: Floats) -> Floats:
        rvec = cv2.Rodrigues(self.r)[0]
        return cv2.projectPoints(points.reshape(-1, 1, 3), rvec, self.t, self.k, self.dist)[0][:, 0]


def _turn(angle: float) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def _lying(x: float, y: float, z: float, yaw: float, size: float) -> Floats:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = _turn(yaw), (x, y, z + size / 2)
    return pose


def _leaning(x: float, y: float, angle: float, tilt: float, size: float, quarter: int) -> Floats:
    """Its lower edge touches the field with the middle at (x, y); the end towards `angle` is raised by `tilt`."""
    d = np.array([math.cos(angle), math.sin(angle), 0])
    side = np.cross(d, [0, 0, 1.0])
    turn = cv2.Rodrigues(side * tilt)[0] @ _turn(angle + quarter * math.pi / 2)
    along = d * math.cos(tilt) + np.array([0, 0, math.sin(tilt)])
    up = -d * math.sin(tilt) + np.array([0, 0, math.cos(tilt)])
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn, np.array([x, y, 0]) + (along + up) * size / 2
    return pose


def _place(b: _Board, a: float, taken: list[Floats], rng: np.random.Generator) -> tuple[Floats, int, float] | None:
    """A die's pose, its state, and the height of what its shadow falls on; None where there was no room."""
    kinds = ["flat", "touch", "rail", "frame", "checker", "on", "pair", "bar"]
    kind = str(rng.choice(kinds, p=[0.2, 0.12, 0.08, 0.18, 0.16, 0.13, 0.1, 0.03]))
    half = 1 if rng.random() < 0.5 else -1
    inner, outer, far = half * b.bar / 2, half * b.width / 2, b.height / 2
    quarter = int(rng.integers(4))

    def free(x: float, y: float, room: float, but: NDArray[np.bool_] | None = None) -> bool:
        if abs(x) < b.bar / 2 + a * 0.4 or abs(x) > b.width / 2 - a * 0.4 or abs(y) > far - a * 0.4:
            return False
        away = all(math.hypot(x - t[0], y - t[1]) > (a + t[2]) / 2 * 1.05 for t in taken)
        others = b.checkers if but is None else b.checkers[~but]
        return away and bool((np.hypot(others[:, 0] - x, others[:, 1] - y) > b.diameter / 2 + room).all())

    for _ in range(60):
        yaw = float(rng.uniform(0, 2 * math.pi))
        if kind in ("flat", "pair"):
            x, y = float(half * rng.uniform(b.bar / 2, b.width / 2)), float(rng.uniform(-far, far))
            if kind == "pair" and taken:
                near = taken[int(rng.integers(len(taken)))]
                angle, apart = rng.uniform(0, 2 * math.pi), (a + near[2]) / 2 * rng.uniform(1.06, 1.4)
                x, y = near[0] + apart * math.cos(angle), near[1] + apart * math.sin(angle)
            if free(x, y, a * 0.72):
                return _lying(x, y, 0, yaw, a), FLAT, 0.0
        elif kind == "rail":
            gap = a / 2 + abs(rng.normal(0, 0.002))
            if rng.random() < 0.4:
                x, y = (outer - half * gap if rng.random() < 0.6 else inner + half * gap), float(rng.uniform(-far, far))
            else:
                x = float(half * rng.uniform(b.bar / 2, b.width / 2))
                y = (far - gap) * (1 if rng.random() < 0.5 else -1)
            if free(x, y, a * 0.72):
                return _lying(x, y, 0, quarter * math.pi / 2 + rng.normal(0, 0.03), a), FLAT, 0.0
        elif kind == "frame":
            tilt = rng.uniform(0.27, 0.72)
            reach = a * math.cos(tilt) + 0.0002
            wall = int(rng.integers(4))
            x, y = float(half * rng.uniform(b.bar / 2, b.width / 2)), float(rng.uniform(-far, far))
            if wall == 0:
                x, angle = outer - half * reach, 0.0 if half > 0 else math.pi
            elif wall == 1 and b.bar_top > 0.008:
                x, angle = inner + half * reach, math.pi if half > 0 else 0.0
            else:
                sign = 1 if wall == 2 else -1
                y, angle = sign * (far - reach), sign * math.pi / 2
            if free(x, y, a * 0.9):
                return _leaning(x, y, angle, tilt, a, quarter), COCKED, 0.0
        elif kind == "bar":
            if b.bar_top < 0.008 or b.bar < a:
                return None
            y = float(rng.uniform(-far, far) * 0.9)
            if all(math.hypot(t[0], y - t[1]) > a * 1.3 for t in taken):
                return _lying(float(rng.normal(0, 0.002)), y, b.bar_top, yaw, a), COCKED, b.bar_top
        elif len(b.checkers):
            cx, cy, layer = b.checkers[int(rng.integers(len(b.checkers)))]
            here = np.hypot(b.checkers[:, 0] - cx, b.checkers[:, 1] - cy) < 0.005
            if (b.checkers[here, 2] > layer).any():
                continue
            if kind == "on":
                off, angle = abs(rng.normal(0, 0.22)) * b.diameter / 2, rng.uniform(0, 2 * math.pi)
                x, y = cx + off * math.cos(angle), cy + off * math.sin(angle)
                z = b.thick * (layer + 1)
                away = all(math.hypot(x - t[0], y - t[1]) > (a + t[2]) / 2 * 1.1 for t in taken)
                near = np.hypot(b.checkers[:, 0] - x, b.checkers[:, 1] - y) < b.diameter / 2 + a * 0.7
                if away and not (near & (b.checkers[:, 2] > layer)).any():
                    return _lying(x, y, z, yaw, a), ON_CHECKER, z
                continue
            if layer > 0:
                continue
            angle = float(rng.uniform(0, 2 * math.pi))
            ux, uy = math.cos(angle), math.sin(angle)
            if kind == "touch":
                reach = b.diameter / 2 + a / 2 + abs(rng.normal(0, 0.0015))
                x, y = cx - ux * reach, cy - uy * reach
                if free(x, y, a * 0.72, here):
                    return _lying(x, y, 0, angle + quarter * math.pi / 2, a), FLAT, 0.0
            else:
                tilt = rng.uniform(math.asin(min(0.66, b.thick / (0.97 * a))), 0.76)
                reach = b.diameter / 2 - 0.0008 + min(b.thick / math.tan(tilt), a * math.cos(tilt))
                x, y = cx - ux * reach, cy - uy * reach
                if free(x + ux * a * 0.3, y + uy * a * 0.3, a * 0.6, here):
                    return _leaning(x, y, angle, tilt, a, quarter), COCKED, 0.0
    return None


class _Look:
    """A die's and its light's looks: dark on light, light on dark, two of a kind, speckled, clear, shiny."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        bright = rng.random() < 0.6
        body = rng.uniform(0.55, 1) if bright else rng.uniform(0.02, 0.4)
        pip = rng.uniform(0, 0.3) if bright else rng.uniform(0.6, 1)
        tint = lambda v, s: np.clip(v * (1 + rng.normal(0, s, 3)), 0, 1)  # noqa: E731
        self.body, self.pip = tint(body, 0.35 if rng.random() < 0.6 else 0.06), tint(pip, 0.2)
        if rng.random() < 0.2:  # a strong colour
            self.body = np.roll(np.array([0.75, 0.15, 0.1]) * rng.uniform(0.4, 1.2), int(rng.integers(3)))
            self.pip = np.full(3, rng.uniform(0.75, 1))
        self.ace = np.array([0.1, 0.1, 0.7]) if bright and rng.random() < 0.15 else self.pip
        self.round = rng.uniform(0.06, 0.3)
        self.spread, self.radius = rng.uniform(0.21, 0.27), rng.uniform(0.075, 0.125)
        self.big_ace = rng.uniform(1, 1.6)
        elevation, azimuth = rng.uniform(0.5, 1.4), rng.uniform(0, 2 * math.pi)
        flat = math.cos(elevation)
        self.light = np.array([flat * math.cos(azimuth), flat * math.sin(azimuth), math.sin(elevation)])
        self.ambient = rng.uniform(0.35, 0.8)
        self.gain = rng.uniform(0.6, 1.25)
        self.gloss = rng.uniform(0, 0.7) if rng.random() < 0.5 else 0.0
        self.glare = rng.uniform(0.3, 0.9) if rng.random() < 0.2 else 0.0
        self.shine = rng.uniform(8, 60)
        self.clear = rng.uniform(0.1, 0.35) if rng.random() < 0.15 else 0.0
        self.shadow = rng.uniform(0.1, 0.75)
        self.soft = rng.uniform(0.03, 0.3)
        self.speckle = rng.uniform(0, 0.12)


PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
FINE = 3
"""Rays a pixel each way."""


def _draw(canvas: NDArray[np.uint8], b: _Board, pose: Floats, a: float, top: int, look: _Look, ground: float) -> Floats:
    """Draws one die into the picture; returns the projection of its centre."""
    corners = CUBE * a / 2 @ pose[:3, :3].T + pose[:3, 3]
    cast = corners - look.light * ((corners[:, 2:] - ground) / look.light[2])
    seen, dark = b.project(corners), b.project(cast)
    everything = np.concatenate([seen, dark])
    h, w = canvas.shape[:2]
    blur = look.soft * float(np.ptp(seen, 0).max())
    x0, y0 = np.maximum(np.floor(everything.min(0) - 3 - 2 * blur), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(everything.max(0) + 4 + 2 * blur), (w, h)).astype(int)
    centre = b.project(pose[:3, 3][None])[0]
    if x1 - x0 < 4 or y1 - y0 < 4:
        return centre
    part = canvas[y0:y1, x0:x1].astype(np.float64) / 255
    shade = np.zeros(part.shape[:2], np.float32)
    cv2.fillConvexPoly(shade, cv2.convexHull(np.round((dark - (x0, y0)) * 16).astype(np.int32)), 1.0, shift=4)
    shade = cv2.GaussianBlur(shade, (0, 0), max(0.4, blur)) * look.shadow
    part *= 1 - shade[..., None]
    colour, cover = _trace(b, pose, a, top, look, (x0, y0, x1, y1))
    cover = cover[..., None] * (1 - look.clear)
    part = part * (1 - cover) + colour * (1 - look.clear)
    canvas[y0:y1, x0:x1] = np.clip(part * 255, 0, 255).astype(np.uint8)
    return centre


def _trace(
    b: _Board, pose: Floats, a: float, top: int, look: _Look, box: tuple[int, int, int, int]
) -> tuple[Floats, Floats]:
    """Colour (already multiplied by cover) and cover of each pixel of the box."""
    x0, y0, x1, y1 = box
    step = (np.arange(FINE) + 0.5) / FINE - 0.5
    gx, gy = np.meshgrid((np.arange(x0, x1)[:, None] + step).ravel(), (np.arange(y0, y1)[:, None] + step).ravel())
    ray = b.rays(np.stack([gx.ravel(), gy.ravel()], 1)) @ pose[:3, :3]
    ray /= np.linalg.norm(ray, axis=1, keepdims=True)
    eye = (b.eye - pose[:3, 3]) @ pose[:3, :3]
    scale = 2 / a  # the cube is -1..1
    eye, rim = eye * scale, look.round * 2
    nearest = -(ray @ eye)
    index = np.flatnonzero(np.linalg.norm(eye + ray * nearest[:, None], axis=1) < 1.75)
    r, t = ray[index], nearest[index] - 1.75
    for _ in range(14):
        p = eye + r * t[:, None]
        q = np.abs(p) - (1 - rim)
        far = np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(1), 0) - rim
        t = t + far
    hit = far < 0.03
    p, q, index, r = p[hit], q[hit], index[hit], r[hit]
    normal = np.sign(p) * np.maximum(q, 0)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    face = np.abs(p).argmax(1)
    colour = np.tile(look.body, (len(p), 1)) * (1 + look.rng.normal(0, look.speckle, (len(p), 1)))
    hollow = np.zeros(len(p), bool)
    turn = look.rng.random(3) < 0.5
    pairs = [v for v in (1, 2, 3) if v not in (top, 7 - top)]
    look.rng.shuffle(pairs)
    values = [v if look.rng.random() < 0.5 else 7 - v for v in pairs] + [top]
    for axis in range(3):
        u, w = p[:, (axis + 1) % 3] / 2, p[:, (axis + 2) % 3] / 2
        if turn[axis]:
            u, w = w, -u
        for sign in (1, -1):
            value = values[axis] if sign > 0 else 7 - values[axis]
            here = (face == axis) & (p[:, axis] * sign > 0)
            radius = look.radius * (look.big_ace if value == 1 else 1)
            for i, j in PIPS[value]:
                dot = here & ((u - i * look.spread) ** 2 + (w - j * look.spread) ** 2 < radius**2)
                colour[dot] = look.ace if value == 1 else look.pip
                hollow |= dot
    light = pose[:3, :3].T @ look.light
    lit = look.ambient + (1 - look.ambient) * 1.3 * np.maximum(normal @ light, 0)
    half = light - r
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    glint = look.gloss * np.maximum((normal * half).sum(1), 0) ** look.shine
    if look.glare:  # a lamp that the top mirrors into the camera; pips are hollows and mirror less of it
        level = pose[:3, :3].T @ (0, 0, 1.0)
        lamp = r - 2 * np.outer(r @ level, level)
        mirrored = r - 2 * (r * normal).sum(1, keepdims=True) * normal
        glint += look.glare * np.maximum((lamp * mirrored).sum(1), 0) ** look.shine
    glint[hollow] *= 0.4
    colour = np.clip(colour * (lit * look.gain)[:, None] + glint[:, None], 0, 1.1)
    out = np.zeros((gx.size, 4))
    out[index, :3], out[index, 3] = colour, 1
    out = out.reshape(y1 - y0, FINE, x1 - x0, FINE, 4).mean((1, 3))
    return out[..., :3], out[..., 3]

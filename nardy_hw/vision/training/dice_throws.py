"""Makes rendered boards strewn with dice, a third of a second a die: material for the dice trainer.

    PYTHONPATH=. BPY_PYTHON -m nardy_hw.vision.training.dice_throws RENDERER OUT --seed 1 --count 200

RENDERER is the folder of the handed-in board renderer (its README tells how to install BPY_PYTHON). Each scene is seen
twice: other throw, light and camera. A throw has two dozen dice of five kinds: flat anywhere, beside checkers and along
the frame, and tilted as the renderer itself tilts them. Truth has the renderer's form; the same command goes on.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

FIRST = 60
"""Object number of the first die in the renderer's masks: others end at 31."""

KINDS, OF_EACH = 5, 9
SAMPLES = 4
SIZES = ((960, 720), (1120, 840), (800, 600))

HOW = {"plain": 0.38, "touch": 0.08, "rail": 0.06, "frame": 0.15, "checker": 0.20, "on_checker": 0.13}
"""touch: flat beside a checker, rail: flat along the frame or the bar. They are what cocked dice look most like."""

LIGHTS = {"window": 0.16, "lamp": 0.15, "evening": 0.09, "mixed": 0.28, "office": 0.12, "rig": 0.2}
"""More often than the renderer does a lamp that glares (mixed)."""

Floats = NDArray[np.float64]
Die = dict[str, Any]


class Thrower:
    """One board of the renderer's, with dice to throw onto it."""

    def __init__(self, seed: int, number: int, size: tuple[int, int], folder: Path, inlaid: float) -> None:
        nr = {name: importlib.import_module(f"nr.{name}") for name in ("phys", "positions", "scene", "styles", "tex")}
        self.truth: Any = importlib.import_module("nr.truth")
        self.phys, self.styles = nr["phys"], nr["styles"]
        self.rng = np.random.default_rng([seed, 202, number])
        self.folder, self.number, self.size = folder, number, size
        nr["tex"].use_folder(str(folder))
        style, own = self.styles.random_style(self.rng), int(self.rng.integers(1 << 30))
        if self.rng.random() < inlaid:
            style["board"]["ornament"] = self._rosettes(style["board"]["FH"])
        self.inlaid = bool(style["board"].get("ornament", {}).get("rosette"))
        self.scene: Any = nr["scene"].Scene(style, own, *size, samples=SAMPLES, hand_folder=str(folder))
        kinds = nr["positions"].KINDS
        self.kind = str(self.rng.choice(list(kinds), p=list(kinds.values())))
        self.layout, self.variant, _ = nr["positions"].random_layout(self.rng, self.scene, self.kind)
        self.dice = self._pool()
        self.placed = self.layout.place_all()
        self.root = self.truth.jit_root(self.rng)
        self.scene.set_root(self.root)
        self.scene.set_checkers(self.placed)
        self.scene.put_cup(self.rng)
        self.scene.put_props(self.rng)

    def _rosettes(self, tall: float) -> dict[str, Any]:
        """One in the middle of each half, in the renderer's looks."""
        rng, colour = self.rng, self.styles.any_colour
        light, dark = colour(rng, (0.6, 0.95), (0.05, 0.5)), colour(rng, (0.05, 0.4), (0.05, 0.6))
        radius = min(rng.uniform(0.010, 0.022), max(0.007, 0.06 * tall))
        return {
            "a": light,
            "b": dark,
            "inlay": bool(rng.random() < 0.6),
            "rosette": radius,
            "n": int(rng.integers(6, 20)),
        }

    def _pool(self) -> list[tuple[Any, float]]:
        """Dice of several kinds and their sizes: the renderer's own looks, more of them strong, dark and shiny."""
        found: list[tuple[Any, float]] = []
        rng, hsv = self.rng, self.styles.hsv
        for _ in range(KINDS):
            _, look = self.styles.random_dice(rng)
            if rng.random() < 0.3:
                hue = rng.choice([rng.normal(0, 8), rng.uniform(0, 360)])
                look["body"] = hsv(hue, rng.uniform(0.6, 0.95), rng.uniform(0.3, 0.8))
                look["pip"] = hsv(rng.uniform(0, 60), rng.uniform(0, 0.15), rng.uniform(0.85, 0.98))
            if rng.random() < 0.45:
                look["rough"] = rng.uniform(0.12, 0.25)
            for die in self.scene.diepool:
                die.hide_render = True
            self.scene.di = look
            self.scene.build_dice()
            mesh = self.scene.diepool[0].data
            for _ in range(OF_EACH):
                found.append((self.scene.add("d", mesh, idx=FIRST + len(found)), self.scene.die_a))
        for die in self.scene.diepool:
            die.hide_render = True
        return found

    def _lying(self, how: str, a: float, half: int, checkers: list[Any]) -> tuple[float, float, float] | None:
        """A flat die's place and how it is turned; None where something is in its way."""
        g, rng, room = self.scene.g, self.rng, a * 0.74
        inner, outer, far = g["BW"] / 2, g["BW"] / 2 + g["HW"], g["FH"] / 2
        x, y = half * rng.uniform(inner + a / 2, outer - a / 2), rng.uniform(-1, 1) * (far - a * 0.75)
        if how == "plain" and self.inlaid and rng.random() < 0.5:  # on a rosette, as if on a checker
            x, y = half * (inner + outer) / 2 + rng.normal(0, 0.014), rng.normal(0, 0.014)
        yaw, leave = rng.uniform(0, 2 * math.pi), (math.inf, math.inf)
        if how == "rail":
            wall, gap = int(rng.integers(4)), a / 2 + abs(rng.normal(0, 0.0015))
            yaw = rng.normal(0, 0.03) + math.pi / 2 * rng.integers(4)
            if wall < 2:
                x = half * (outer - gap if wall else inner + gap)
            else:
                y = (far - gap) * (1 if wall == 2 else -1)
        elif how == "touch":
            low = [m for m in checkers if m["layer"] == 0 and m["M"][2, 3] < 1e-3 and m["M"][0, 3] * half > 0]
            if not low:
                return None
            leave, angle = tuple(low[rng.integers(len(low))]["M"][:2, 3]), rng.uniform(0, 2 * math.pi)
            reach = self.scene.D / 2 + a / 2 + abs(rng.normal(0, 0.0015))
            x, y, yaw = leave[0] - reach * math.cos(angle), leave[1] - reach * math.sin(angle), angle
            yaw += rng.normal(0, 0.05)
        if not inner + a * 0.49 <= abs(x) <= outer - a * 0.49 or abs(y) > far - a * 0.49:
            return None
        clear = self._clear(x, y, room, [m for m in checkers if math.dist(m["M"][:2, 3], leave) > 0.004])
        return (x, y, yaw) if clear else None

    def _clear(self, x: float, y: float, room: float, checkers: list[Any]) -> bool:
        return all(math.dist(m["M"][:2, 3], (x, y)) > self.scene.D / 2 + room for m in checkers)

    def _placed(self, how: str, value: int, a: float) -> Die | None:
        g, rng = self.scene.g, self.rng
        half = 1 if rng.random() < 0.5 else -1
        side = "right" if half > 0 else "left"
        checkers = [m for m in self.placed if isinstance(m["where"], int)]
        if how in ("plain", "touch", "rail"):
            at = self._lying(how, a, half, checkers)
            if at is None:
                return None
            return {"M": self.phys.die_flat(value, at[0], at[1], 2e-5, at[2], a), "kind": "flat", "where": side}
        die: Die = self.phys.throw_dice([value], g, self.scene.t, self.placed, rng, side, [how], a)[0]
        if die["kind"] != how:
            return None
        x, y = die["M"][:2, 3]
        if how == "frame" and abs(y) < g["FH"] / 2 - 2 * a and rng.random() < 0.5:  # anywhere along the side walls
            die["M"][1, 3] = y = rng.uniform(-1, 1) * (g["FH"] / 2 - a)
            if not self._clear(x, y, a, checkers):
                return None
        return die

    def throw(self, many: int) -> list[Die]:
        """Dice that lie as wished, none in another, and hides the others."""
        out: list[Die] = []
        for thing, _ in self.dice:
            thing.hide_render = True
        for i in self.rng.permutation(len(self.dice))[:many]:
            thing, a = self.dice[i]
            for _ in range(12):
                how, value = str(self.rng.choice(list(HOW), p=list(HOW.values()))), int(self.rng.integers(1, 7))
                die = self._placed(how, value, a)
                if die is None or not all(self._apart(die, a, other) for other in out):
                    continue
                out.append({**die, "value": value, "a": a, "index": thing.pass_index, "cocked": die["kind"] != "flat"})
                thing.matrix_local = importlib.import_module("mathutils").Matrix(die["M"].tolist())
                thing.hide_render = False
                break
        return out

    def _apart(self, die: Die, a: float, other: Die) -> bool:
        """Two flat dice may nearly touch, whichever way they are turned; leaning ones need room."""
        away = math.dist(die["M"][:2, 3], other["M"][:2, 3]) / ((a + other["a"]) / 2)
        return bool(away > (1.42 if die["kind"] == other["kind"] == "flat" else 1.5))

    def picture(self, name: Path) -> dict[str, Any]:
        """Throws the dice, renders the board (the table around it is smeared) and returns the truth."""
        t, s, rng, (w, h) = self.truth, self.scene, self.rng, self.size
        develop = importlib.import_module("nr.cam").develop
        camera = t.random_lens(rng, w, h)
        while True:
            r, at, pose = t.random_pose(rng, s, camera, fill=rng.uniform(0.62, 0.97))
            if t.inside(s, camera, r, at):
                break
        dice = self.throw(int(rng.integers(22, 38)))
        s.set_camera(camera, r, at)
        light = s.set_light(str(rng.choice(list(LIGHTS), p=list(LIGHTS.values()))), rng, cam_pos=-r.T @ at)
        s.sc.cycles.seed = int(rng.integers(1 << 20))
        y = s.g["FH"] / 2 + s.g["fw"]
        seen = np.array([(a, b, c) for a in s.ext for b in (-y, y) for c in (0, s.g["fh"])]) @ r.T + at
        seen = seen[:, :2] / seen[:, 2:] * camera.f_r + [(w - 1) / 2, (h - 1) / 2]
        x0, y0 = np.maximum(seen.min(0) - 14, 0).astype(int)
        x1, y1 = np.minimum(seen.max(0) + 15, (w, h)).astype(int)
        rgb, index = s.render(str(self.folder / "frame"), border=(x0, y0, x1, y1))
        rgb = np.ascontiguousarray(rgb[y0:y1, x0:x1])
        rgb = cv2.copyMakeBorder(rgb, y0, h - y1, x0, w - x1, cv2.BORDER_REPLICATE)
        photo, kind = self.styles.random_photo(rng), light["name"]
        developed, _ = develop(
            rgb, camera, rng, ev=photo["ev"], wb=np.array(light["wb"]) * photo["wb_error"],
            noise=t.NOISE[kind] * photo["noise"], exposure=t.expo(rgb, camera, s, r, at, t.TARGET[kind]),
            sharp=photo["sharp"], blur=photo["blur"] * max(0.6, w / 1280), vign=photo["vign"],
            contrast=photo["contrast"],
        )  # fmt: skip
        t.jpg(str(name), developed, photo["jpeg_q"])
        mask = camera.warp(index, True)
        record = t.truth(s, self.layout, self.placed, [], camera, r, at, mask * 0, self.root)
        record["dice"] = [self._told(die, mask, camera, r, at) for die in dice]
        return {
            "file": name.name, "variant": self.variant, "position_kind": self.kind, **record,
            "style": {**t.style_truth(s), "light": kind}, "camera": t.cam_truth(camera, r, at, "random"), "pose": pose,
            "board_to_world": t.r1(self.root, 6), "board": t.board_truth(s),
        }  # fmt: skip

    def _told(self, die: Die, mask: NDArray[np.uint8], camera: Any, r: Floats, at: Floats) -> dict[str, Any]:
        def seen(points: Floats) -> Floats:
            return np.asarray(camera.project((np.c_[points, np.ones(len(points))] @ self.root.T)[:, :3], r, at))

        ys, xs = np.nonzero(mask == die["index"])
        cube = seen(self.truth.die_corners(die["M"], die["a"]))
        area = cv2.contourArea(cv2.convexHull(cube.astype(np.float32)))
        return {
            **{key: die[key] for key in ("value", "cocked", "kind", "where")},
            "bbox": [int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1] if len(xs) else None,
            "visible_frac": round(min(1.0, len(xs) / max(1.0, area) * 1.06), 2),  # rounded corners, as in the renderer
            "centre_px": self.truth.r1(seen(die["M"][:3, 3][None])[0]),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("renderer", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--inlaid", type=float, default=0.0, help="share of the boards that are given rosettes")
    args = parser.parse_args()
    sys.path.insert(0, str(args.renderer))
    args.out.mkdir(parents=True, exist_ok=True)
    truth = args.out / f"truth_{args.seed}.jsonl"
    done = {json.loads(line)["seed"][1] for line in truth.read_text().splitlines()} if truth.exists() else set()
    for i in range(args.count):
        if i in done:
            continue
        folder = Path(tempfile.mkdtemp(prefix="dice_throws_"))
        try:
            thrower = Thrower(args.seed, i, SIZES[i % len(SIZES)], folder, args.inlaid)
            views = [thrower.picture(args.out / f"throw_{args.seed}_{i:05d}_{k}.jpg") for k in range(2)]
        finally:
            shutil.rmtree(folder)
        with truth.open("a") as lines:
            lines.writelines(json.dumps({**view, "seed": [args.seed, i]}) + "\n" for view in views)
        print(f"scene {i + 1}/{args.count}: {sum(len(view['dice']) for view in views)} dice", flush=True)


if __name__ == "__main__":
    main()

"""Makes rendered boards with checkers in their trays, about two seconds a picture: material for the tray counter.

    PYTHONPATH=. BPY_PYTHON -m nardy_hw.vision.training.tray_scenes RENDERER OUT --seed 1 --count 100

RENDERER is the folder of the handed-in board renderer (its README tells how to install BPY_PYTHON). Each board is seen
twice, in other light and by another camera, and each time its trays are filled several times over; only they are
rendered anew. Either half of either tray has any number of either side's checkers: on edge from the rail or from the
divider, lying in stacks, or leaning on each other; dice and hands get in as well. Truth has the renderer's form and
`trays`, what lies in each half; beside a picture NAME.png tells where checkers (1) and hands (2) are seen. The same
command goes on.
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

from nardy_hw.vision.training.dice_throws import LIGHTS

SAMPLES = 4
SIZES = ((960, 720), (800, 600), (1120, 840), (640, 480))
VIEWS, FILLINGS = 2, 4

CHECKER, HAND = (30, 31), 20
"""Object numbers in the renderer's masks."""

DIVIDER = 0.022
"""Metres from the middle of a tray to where its halves begin."""

HOW = {"edge": 0.62, "flat": 0.2, "lean": 0.18}
"""edge: in a row, upright. flat: in stacks. lean: the row has fallen over."""

EMPTY, HANDS, DICE = 0.12, 0.12, 0.15
"""Shares of the halves without checkers, and of the pictures with a hand over a tray and with dice in one."""

Floats = NDArray[np.float64]
Item = dict[str, Any]


class Filler:
    """One board of the renderer's with trays to fill."""

    def __init__(self, seed: int, number: int, size: tuple[int, int], folder: Path, hands: Path) -> None:
        nr = {name: importlib.import_module(f"nr.{name}") for name in ("phys", "positions", "scene", "styles", "tex")}
        self.truth: Any = importlib.import_module("nr.truth")
        self.phys, self.styles = nr["phys"], nr["styles"]
        self.rng = np.random.default_rng([seed, 303, number])
        self.folder, self.size = folder, size
        nr["tex"].use_folder(str(folder))
        style, own = self.styles.random_style(self.rng), int(self.rng.integers(1 << 30))
        style["board"]["trays"] = "both" if self.rng.random() < 0.75 else "right"
        # fifteen on edge have to fit in half a tray, as in the renderer
        room = (style["board"]["FH"] / 2 - 0.026) / 15 - 0.0004
        style["checkers"]["t"] = round(min(style["checkers"]["t"], room), 4)
        self.scene: Any = nr["scene"].Scene(style, own, *size, samples=SAMPLES, hand_folder=str(hands))
        kinds = nr["positions"].KINDS
        self.kind = str(self.rng.choice(list(kinds), p=list(kinds.values())))
        self.layout, self.variant, _ = nr["positions"].random_layout(self.rng, self.scene, self.kind)
        self.layout.off = {"L": [], "D": []}
        self.placed = self.layout.place_all()
        self.root = self.truth.jit_root(self.rng)
        self.scene.set_root(self.root)
        self.scene.set_checkers(self.placed)
        self.scene.set_dice([])
        self.scene.put_cup(self.rng)
        self.scene.put_props(self.rng)
        self.sides = ("right", "left") if style["board"]["trays"] == "both" else ("right",)
        self.pool = {
            c: [
                self.scene.add(f"off{c}{i}", self.scene.pool[c][0].data, idx=CHECKER[c == "D"])
                for i in range(30 * len(self.sides))
            ]
            for c in "LD"
        }

    def _middle(self, side: str) -> float:
        """x of a tray's middle."""
        g = self.scene.g
        return float((g["FW"] / 2 + g["fw"] + g["TW"] / 2) * (1 if side == "right" else -1))

    def _half(self, side: str, end: int) -> list[Floats]:
        """The checkers of half a tray. end: -1 the near half, 1 the far one."""
        rng, g, d, t = self.rng, self.scene.g, self.scene.D, self.scene.t
        if rng.random() < EMPTY:
            return []
        many, how = int(rng.integers(1, 16)), str(rng.choice(list(HOW), p=list(HOW.values())))
        rail, room = g["FH"] / 2 - 0.001, g["FH"] / 2 - 0.001 - DIVIDER
        x = self._middle(side)

        def at(along: float, height: float, tilt: float, spin: float) -> Floats:
            """The matrix of a checker whose middle is so far from the rail and so high. tilt: 0 flat, pi/2 on edge."""
            turn = self.phys.R_axis((1, 0, 0), tilt) @ self.phys.Rz(spin)
            middle = np.array([x + np.clip(rng.normal(0, 0.0005), -0.0015, 0.0015), end * (rail - along), height])
            return np.asarray(self.phys.M4(turn, middle - turn @ [0, 0, t / 2]))

        spins = rng.uniform(0, 2 * math.pi, many)
        if how == "flat":
            high = max(int(rng.integers(1, 5)), math.ceil(many / int(room // (d + 0.001))))
            return [
                at(d / 2 + 0.001 + k // high * (d + 0.001), t / 2 + k % high * (t + 2e-5), rng.normal(0, 0.004), spin)
                for k, spin in enumerate(spins)
            ]
        if how == "lean" and many >= 2:
            # each leans on the one before it: the spacing says by how much
            spacing = t / math.sin(rng.uniform(0.45, 1.3))
            spacing = max(min(spacing, (room - d) / (many - 1)), t * 1.02)
            tilt = math.asin(min(0.98, t / spacing))
            start = rng.uniform(0, 1) ** 3 * max(0.0, room - d - spacing * (many - 1))
            lean = end * (1 if rng.random() < 0.5 else -1)
            half = d / 2 * math.cos(tilt) + t / 2 * math.sin(tilt)
            height = d / 2 * math.sin(tilt) + t / 2 * math.cos(tilt) + 1e-4
            return [
                at(start + half + k * spacing, height, lean * (tilt + rng.normal(0, 0.012)), spin)
                for k, spin in enumerate(spins)
            ]
        loose = rng.choice([0.0002, 0.001, 0.004], p=[0.6, 0.25, 0.15])
        gaps = np.minimum(rng.exponential(loose, many), 0.02) + 0.0001
        gaps *= min(1.0, (room - many * t - 0.0002) / gaps.sum())
        length = many * t + gaps.sum()
        start = max(0.0, room - length) * (0.0 if rng.random() < 0.65 else 1.0 if rng.random() < 0.5 else rng.random())
        foot = start + np.cumsum(gaps) + t * np.arange(many)
        skew = rng.normal(0, 0.015, many) * (gaps > 0.0005)
        return [
            at(along + t / 2, d / 2 + 2e-4, math.pi / 2 + lean, spin)
            for along, lean, spin in zip(foot, skew, spins, strict=True)
        ]

    def fill(self) -> list[Item]:
        """Fills the trays anew: side, end, colour and matrix of each checker."""
        lying: list[Item] = []
        used = {"L": 0, "D": 0}
        for side in self.sides:
            for end in (-1, 1):
                colour = "L" if self.rng.random() < 0.5 else "D"
                for matrix in self._half(side, end):
                    thing = self.pool[colour][used[colour]]
                    used[colour] += 1
                    thing.matrix_local = importlib.import_module("mathutils").Matrix(matrix.tolist())
                    thing.hide_render = False
                    lying.append({"side": side, "end": end, "c": colour, "M": matrix})
        for colour, things in self.pool.items():
            for thing in things[used[colour] :]:
                thing.hide_render = True
        self.scene.set_dice(self._dice(lying) if self.rng.random() < DICE else [])
        return lying

    def _dice(self, lying: list[Item]) -> list[dict[str, Any]]:
        """Dice where a tray is free."""
        g, a, rng, dice = self.scene.g, self.scene.die_a, self.rng, []
        for _ in range(8):
            side, end = str(rng.choice(self.sides)), int(rng.choice([-1, 1]))
            x = self._middle(side) + rng.uniform(-1, 1) * (self.scene.D - 1.4 * a) / 2
            y = end * rng.uniform(DIVIDER + a, g["FH"] / 2 - a)
            taken = [m["M"][:2, 3] for m in lying if m["side"] == side] + [m["M"][:2, 3] for m in dice]
            if len(dice) < 2 and all(abs(y - other[1]) > self.scene.D / 2 + a for other in taken):
                dice.append({"M": self.phys.die_flat(int(rng.integers(1, 7)), x, y, 2e-5, rng.uniform(0, 6.28), a)})
        return dice

    def _hand(self) -> None:
        """A hand reaching into a tray."""
        rng, g = self.rng, self.scene.g
        pose = str(rng.choice(["pinch", "point", "curl"]))
        self.scene.make_hand(pose, bool(rng.random() < 0.3), self.styles.skin(rng), self.styles.sleeve(rng))
        x = self._middle(str(rng.choice(self.sides))) + rng.normal(0, 0.02)
        place = self.root @ [x, rng.uniform(-0.5, 0.5) * g["FH"], rng.uniform(0.02, 0.06), 1]
        self.scene.put_hand(place[:2], place[2], bool(rng.random() < 0.45), rng.normal(0, 0.25))

    def _box(self, camera: Any, r: Floats, at: Floats, x0: float, x1: float) -> tuple[int, int, int, int]:
        """Pixels of the undistorted picture within which all between two x of the board is seen."""
        g, (w, h) = self.scene.g, self.size
        y, z = g["FH"] / 2 + g["fw"], max(g["fh"], self.scene.D + 0.002)
        corners = np.array([(a, b, c, 1) for a in (x0, x1) for b in (-y, y) for c in (-g["base"], z)])
        seen = (corners @ self.root.T)[:, :3] @ r.T + at
        seen = seen[:, :2] / seen[:, 2:] * camera.f_r + [(w - 1) / 2, (h - 1) / 2]
        low, high = np.maximum(seen.min(0) - 8, 0).astype(int), np.minimum(seen.max(0) + 9, (w, h)).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    def pictures(self, name: str, out: Path) -> list[dict[str, Any]]:
        """One view of the board, its trays filled several times. Writes the pictures and returns their truth."""
        t, s, rng, (w, h) = self.truth, self.scene, self.rng, self.size
        camera = t.random_lens(rng, w, h)
        while True:
            r, at, pose = t.random_pose(rng, s, camera, fill=rng.uniform(0.6, 0.96))
            if t.inside(s, camera, r, at):
                break
        s.set_camera(camera, r, at)
        light = s.set_light(str(rng.choice(list(LIGHTS), p=list(LIGHTS.values()))), rng, cam_pos=-r.T @ at)
        s.sc.cycles.seed = int(rng.integers(1 << 20))
        photo, kind = self.styles.random_photo(rng), light["name"]
        develop = importlib.import_module("nr.cam").develop
        records: list[dict[str, Any]] = []
        whole = self._box(camera, r, at, *s.ext)
        edge = s.g["FW"] / 2 - 0.02
        boxes = [
            self._box(camera, r, at, *((edge, s.ext[1]) if q == "right" else (s.ext[0], -edge))) for q in self.sides
        ]
        for i in range(FILLINGS):
            lying = self.fill()
            hand = rng.random() < HANDS
            if hand:
                self._hand()
            if i == 0 or hand:
                rgb, index = s.render(str(self.folder / "frame"), border=whole)
                if i == 0:
                    first, first_index = rgb.copy(), index.copy()
                    had_hand, exposure = hand, t.expo(rgb, camera, s, r, at, t.TARGET[kind])
            else:
                rgb, index = first.copy(), first_index.copy()
                for x0, y0, x1, y1 in boxes:
                    part, what = s.render(str(self.folder / "frame"), border=(x0, y0, x1, y1))
                    rgb[y0:y1, x0:x1], index[y0:y1, x0:x1] = part[y0:y1, x0:x1], what[y0:y1, x0:x1]
            s.put_hand(None, 0, False, 0)
            if i == 0 and had_hand:  # the others would keep its arm
                first, first_index = s.render(str(self.folder / "frame"), border=whole)
            x0, y0, x1, y1 = whole
            rgb = cv2.copyMakeBorder(
                np.ascontiguousarray(rgb[y0:y1, x0:x1]), y0, h - y1, x0, w - x1, cv2.BORDER_REPLICATE
            )
            developed, _ = develop(
                rgb, camera, rng, ev=photo["ev"], wb=np.array(light["wb"]) * photo["wb_error"],
                noise=t.NOISE[kind] * photo["noise"], exposure=exposure, sharp=photo["sharp"],
                blur=photo["blur"] * max(0.6, w / 1280), vign=photo["vign"], contrast=photo["contrast"],
            )  # fmt: skip
            file = f"{name}_{i}.jpg"
            t.jpg(str(out / file), developed, photo["jpeg_q"])
            mask = camera.warp(index, True)
            told = np.where(np.isin(mask, CHECKER), 1, np.where(mask == HAND, 2, 0)).astype(np.uint8)
            cv2.imwrite(str(out / file.replace(".jpg", ".png")), told)
            record = t.truth(s, self.layout, self.placed, [], camera, r, at, mask, self.root)
            records.append({
                "file": file, "variant": self.variant, "position_kind": self.kind, **record,
                "trays": self._told(lying, camera, r, at), "hand_in_trays": hand,
                "style": {**t.style_truth(s), "light": kind}, "pose": pose, "board": t.board_truth(s),
                "camera": t.cam_truth(camera, r, at, "random"), "board_to_world": t.r1(self.root, 6),
            })  # fmt: skip
        return records

    def _told(self, lying: list[Item], camera: Any, r: Floats, at: Floats) -> dict[str, Any]:
        """What lies in each half: colour, None where it is empty, and the highest point of each checker in pixels."""
        told: dict[str, Any] = {}
        for side in self.sides:
            for end, half in ((-1, "near"), (1, "far")):
                here = [m for m in lying if m["side"] == side and m["end"] == end]
                tops = []
                for m in here:
                    up = m["M"][:3, 2]
                    middle = m["M"][:3, 3] + up * self.scene.t / 2
                    leaning = np.array([0, 0, 1.0]) - up * up[2]
                    tops.append([*(middle + leaning * self.scene.D / 2 + up * up[2] * self.scene.t / 2), 1])
                seen = camera.project((np.array(tops).reshape(-1, 4) @ self.root.T)[:, :3], r, at) if tops else []
                colour = {"L": "light", "D": "dark"}[here[0]["c"]] if here else None
                told[f"{side} {half}"] = {"colour": colour, "tops_px": self.truth.r1(seen) if tops else []}
        return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("renderer", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    args = parser.parse_args()
    sys.path.insert(0, str(args.renderer))
    args.out.mkdir(parents=True, exist_ok=True)
    truth = args.out / f"truth_{args.seed}.jsonl"
    done = {json.loads(line)["seed"][1] for line in truth.read_text().splitlines()} if truth.exists() else set()
    for i in range(args.count):
        if i in done:
            continue
        folder = Path(tempfile.mkdtemp(prefix="tray_scenes_"))
        try:
            filler = Filler(args.seed, i, SIZES[i % len(SIZES)], folder, args.out / ".cache")
            records = [
                record for k in range(VIEWS) for record in filler.pictures(f"tray_{args.seed}_{i:05d}_{k}", args.out)
            ]
        finally:
            shutil.rmtree(folder)
        with truth.open("a") as lines:
            lines.writelines(json.dumps({**record, "seed": [args.seed, i]}) + "\n" for record in records)
        print(f"board {i + 1}/{args.count}: {len(records)} pictures", flush=True)


if __name__ == "__main__":
    main()

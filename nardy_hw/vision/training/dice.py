"""Trains the dice reader: dice_find.onnx (where) and dice_read.onnx (what).

    python -m nardy_hw.vision.training.dice TRUTH.jsonl[:ROOT] ... --test TRUTH.jsonl[:ROOT] ... --out DIR

Needs the `train` extra. Seeded; prints the held-out figures as it goes. Where: a heat map over the rectified field. What:
a crop around each peak, turned by any angle, other colours and light, against crops of everything else on a board.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from nardy_hw.vision.dice import CELL, CROP, SIDE, SIZE, crop, matrix, peaks, rectify
from nardy_hw.vision.training.boards import records
from nardy_hw.vision.training.checkers import conv, export

STATES = {"flat": 0, "frame": 1, "checker": 1, "on_checker": 2}
WIDE = 72
"""Pixels of a stored crop: CROP and room to turn it."""


class FindNet(nn.Module):
    """Rectified field -> logits of a die's centre, one a CELL x CELL."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 12, 2, 5), conv(12, 20, 2), conv(20, 28, 1), conv(28, 28, 1), conv(28, 28, 1), nn.Conv2d(28, 1, 1)
        )
        nn.init.constant_(self.body[-1].bias, -5.0)

    def forward(self, x: Tensor) -> Tensor:
        return self.body(x)


class ReadNet(nn.Module):
    """Crop -> logits of no die and 1..6, then of flat, cocked, on a checker."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 20, 1), conv(20, 32, 2), conv(32, 48, 1), conv(48, 56, 2), conv(56, 64, 1), nn.MaxPool2d(2),
            nn.Flatten(), nn.Dropout(0.3), nn.Linear(64 * (CROP // 8) ** 2, 64), nn.ReLU(), nn.Linear(64, 10),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        return self.body(x)


class Scene:
    """One picture: rectified, its dice in that picture's pixels, and their crops."""

    def __init__(self, picture: NDArray[np.uint8], record: dict[str, Any]) -> None:
        corners = np.array(record["field_corners_px"], np.float32)
        self.field = rectify(picture, corners)
        self.picture, self.corners = picture, corners
        to_field = matrix(corners)
        self.dice: list[tuple[float, float, int, int]] = []
        self.unclear: list[tuple[float, float]] = []
        for die in record["dice"]:
            x, y = cv2.perspectiveTransform(np.array([[die["centre_px"]]], np.float32), to_field)[0, 0]
            if not (0 <= x < SIZE[0] and 0 <= y < SIZE[1]) or die["bbox"] is None:
                continue
            if die["visible_frac"] > 0.6 and die["kind"] in STATES:
                self.dice.append((float(x), float(y), die["value"], STATES[die["kind"]]))
            else:
                self.unclear.append((float(x), float(y)))


def scenes(sources: list[str], step: int = 1) -> list[Scene]:
    found = []
    for source in sources:
        truth, _, root = source.partition(":")
        folder = Path(root) if root else Path(truth).parent
        for record in list(records(Path(truth)))[::step]:
            picture = cv2.imread(str(folder / record["file"])) if (folder / record["file"]).exists() else None
            if picture is not None:
                found.append(Scene(picture, record))
    return found


def light(x: Tensor, rng: torch.Generator) -> Tensor:
    """Other light, other colours, noise and blur. x: (n, 3, h, w) in 0..1."""
    n = len(x)
    u = lambda lo, hi, *s: torch.rand(n, *s, generator=rng) * (hi - lo) + lo  # noqa: E731
    x = x ** u(0.6, 1.7, 1, 1, 1) * u(0.6, 1.35, 1, 1, 1) * u(0.8, 1.2, 3, 1, 1)
    for i in range(n):
        if torch.rand((), generator=rng) < 0.4:
            x[i] = x[i][torch.randperm(3, generator=rng)]
        if torch.rand((), generator=rng) < 0.12:
            x[i] = 1 - x[i].clamp(0, 1)  # dark on light and light on dark
        if torch.rand((), generator=rng) < 0.35:
            k = torch.tensor([0.25, 0.5, 0.25])
            x[i] = F.conv2d(x[i][:, None], (k[:, None] * k)[None, None], padding=1)[:, 0]
    return (x + torch.randn(x.shape, generator=rng) * u(0, 0.05, 1, 1, 1)).clamp(0, 1)


def compress(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    if rng.random() < 0.5:
        return picture
    return cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 80))])[1], 1)


def train_find(train: list[Scene], steps: int, out: Path) -> FindNet:
    rng, order = torch.Generator().manual_seed(0), np.random.default_rng(0)
    net = FindNet()
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 6e-3, total_steps=steps)
    patch, batch, start, total = 160, 12, time.time(), 0.0
    for step in range(1, steps + 1):
        x = np.empty((batch, patch, patch, 3), np.uint8)
        y = np.zeros((batch, 1, patch // CELL, patch // CELL), np.float32)
        use = np.ones_like(y)
        for i in range(batch):
            scene = train[order.integers(len(train))]
            if scene.dice and order.random() < 0.65:
                dx, dy = scene.dice[order.integers(len(scene.dice))][:2]
                x0, y0 = int(dx - order.uniform(20, patch - 20)), int(dy - order.uniform(20, patch - 20))
            else:
                x0, y0 = int(order.integers(SIZE[0])), int(order.integers(SIZE[1]))
            x0, y0 = min(max(x0, 0), SIZE[0] - patch), min(max(y0, 0), SIZE[1] - patch)
            x[i] = compress(scene.field[y0 : y0 + patch, x0 : x0 + patch], order)
            gy, gx = np.mgrid[: patch // CELL, : patch // CELL] * CELL + CELL / 2 - 0.5
            for dx, dy, *_ in scene.dice:
                if 0 <= dx - x0 < patch and 0 <= dy - y0 < patch:
                    bump = np.exp(-((gx - dx + x0) ** 2 + (gy - dy + y0) ** 2) / (2 * 4.0**2))
                    y[i, 0] = np.maximum(y[i, 0], bump / bump.max())
            for dx, dy in scene.unclear:
                use[i, 0][(gx - dx + x0) ** 2 + (gy - dy + y0) ** 2 < 20**2] = 0
            k = int(order.integers(4))
            x[i], y[i, 0], use[i, 0] = np.rot90(x[i], k), np.rot90(y[i, 0], k), np.rot90(use[i, 0], k)
        p = net(light(torch.from_numpy(x).permute(0, 3, 1, 2).float() / 255, rng))
        target, weight = torch.from_numpy(y), torch.from_numpy(use)
        q = torch.sigmoid(p)
        hard = torch.where(target > 0.95, (1 - q) ** 2, (1 - target) ** 4 * q**2)
        loss = F.binary_cross_entropy_with_logits(p, (target > 0.95).float(), weight=hard.detach() * weight, reduction="sum")
        loss = loss / max(1, int((target > 0.95).sum()))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        total += loss.item()
        if step % 200 == 0:
            print(f"find {step}/{steps}  loss {total / 200:.4f}  {time.time() - start:.0f} s", flush=True)
            total = 0.0
    export(net, torch.zeros(1, 3, SIZE[1], SIZE[0]), out / "dice_find.onnx")
    return net


def found(net: FindNet, scene: Scene, least: float) -> list[tuple[float, float, float]]:
    net.eval()
    with torch.no_grad():
        heat = net(torch.from_numpy(scene.field).permute(2, 0, 1)[None].float() / 255)[0, 0].numpy()
    return peaks(heat, least)


def check_find(net: FindNet, test: list[Scene], name: str) -> None:
    for least in (-2.0, -1.0, 0.0):
        hit = n = extra = 0
        for scene in test:
            got = found(net, scene, least)
            for x, y, *_ in scene.dice:
                n += 1
                hit += any(math.hypot(x - a, y - b) < 10 for a, b, _ in got)
            known = [(x, y) for x, y, *_ in scene.dice] + scene.unclear
            extra += sum(all(math.hypot(x - a, y - b) > 12 for x, y in known) for a, b, _ in got)
        print(f"   {name} at {least:+}: found {hit}/{n}, extra {extra} in {len(test)} pictures", flush=True)


class Crops:
    """Crops with what they show: value 0 (no die) to 6, state, ignoring the state of no die."""

    def __init__(self, net: FindNet, chosen: list[Scene], rng: np.random.Generator, jitters: int) -> None:
        x, value, state = [], [], []
        for scene in chosen:
            known = [(d[0], d[1]) for d in scene.dice] + scene.unclear
            for dx, dy, v, s in scene.dice:
                for _ in range(jitters):
                    at = (dx + rng.normal(0, 1.2), dy + rng.normal(0, 1.2)) if jitters > 1 else (dx, dy)
                    x.append(self.cut(scene, at, rng if jitters > 1 else None)), value.append(v), state.append(s)
            others = [(a, b) for a, b, _ in found(net, scene, -4.0)][:8]
            others += [(float(rng.uniform(0, SIZE[0])), float(rng.uniform(0, SIZE[1]))) for _ in range(2)]
            for a, b in others:
                if all(math.hypot(a - p, b - q) > 14 for p, q in known):
                    x.append(self.cut(scene, (a, b), rng)), value.append(0), state.append(-100)
        self.x = torch.from_numpy(np.stack(x)).permute(0, 3, 1, 2)
        self.value, self.state = torch.tensor(value), torch.tensor(state)

    @staticmethod
    def cut(scene: Scene, at: tuple[float, float], rng: np.random.Generator | None) -> NDArray[np.uint8]:
        cell = crop(scene.picture, scene.corners, at, WIDE, SIDE * WIDE / CROP)
        return cell if rng is None else compress(cell, rng)


def turn(x: Tensor, rng: torch.Generator) -> Tensor:
    """Any angle, a little larger or smaller, and cut to CROP."""
    n = len(x)
    a = torch.rand(n, generator=rng) * 2 * math.pi
    s = torch.exp(torch.randn(n, generator=rng) * 0.12) * CROP / WIDE
    theta = torch.stack([torch.stack([a.cos() * s, -a.sin() * s, torch.zeros(n)], 1), torch.stack([a.sin() * s, a.cos() * s, torch.zeros(n)], 1)], 1)
    return F.grid_sample(x, F.affine_grid(theta, [n, 3, CROP, CROP], align_corners=False), padding_mode="border", align_corners=False)


def centre(x: Tensor) -> Tensor:
    o = (WIDE - CROP) // 2
    return x[:, :, o : o + CROP, o : o + CROP]


def train_read(train: Crops, tests: dict[str, Crops], epochs: int, out: Path) -> None:
    rng = torch.Generator().manual_seed(1)
    net, batch, start = ReadNet(), 48, time.time()
    steps = (len(train.x) + batch - 1) // batch
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=3e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=epochs * steps)
    for epoch in range(1, epochs + 1):
        total = 0.0
        for chosen in torch.randperm(len(train.x), generator=rng).split(batch):
            x = light(turn(train.x[chosen].float() / 255, rng), rng)
            p = net(x)
            loss = F.cross_entropy(p[:, :7], train.value[chosen], label_smoothing=0.01)
            if (train.state[chosen] >= 0).any():
                weight = torch.tensor([1.0, 2.0, 1.5])
                loss = loss + 0.5 * F.cross_entropy(p[:, 7:], train.state[chosen], weight=weight, ignore_index=-100)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        if epoch % 5 and epoch != epochs:
            continue
        print(f"read {epoch}/{epochs}  loss {total / steps:.4f}  {time.time() - start:.0f} s", flush=True)
        net.eval()
        for name, test in tests.items():
            with torch.no_grad():
                x = centre(test.x.float() / 255)
                p = sum(net(torch.rot90(x, k, (2, 3))) for k in range(4)) / 4
            die = test.value > 0
            v, s = p[:, :7].argmax(1), p[:, 7:].argmax(1)
            nll = F.cross_entropy(p[die, 1:7], test.value[die] - 1)
            print(
                f"   {name}: value {int((v == test.value)[die].sum())}/{int(die.sum())}  nll {nll:.3f}  false {int((v > 0)[~die].sum())}/{int((~die).sum())}"
                f"  flat called cocked {int(((s == 1) & (test.state == 0)).sum())}/{int((test.state == 0).sum())}"
                f"  tilted called flat {int(((s == 0) & (test.state > 0)).sum())}/{int((test.state > 0).sum())}",
                flush=True,
            )
        net.train()
    export(net, torch.zeros(4, 3, CROP, CROP), out / "dice_read.onnx")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", nargs="+")
    parser.add_argument("--test", nargs="+", default=[])
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    train = scenes(args.train)
    tests = {s.partition(":")[0].split("/")[-2]: scenes([s], 4) for s in args.test}
    print(f"{len(train)} pictures, {sum(len(s.dice) for s in train)} dice", flush=True)
    net = train_find(train, args.steps, args.out)
    for name, test in tests.items():
        check_find(net, test, name)
    rng = np.random.default_rng(0)
    crops = Crops(net, train, rng, 3)
    print(f"{len(crops.x)} crops", flush=True)
    train_read(crops, {k: Crops(net, v, rng, 1) for k, v in tests.items()}, args.epochs, args.out)


if __name__ == "__main__":
    main()

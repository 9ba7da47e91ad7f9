"""Trains the dice reader: dice_find.onnx (where) and dice_read.onnx (what).

    python -m nardy_hw.vision.training.dice TRUTH.jsonl[:ROOT] ... --test TRUTH.jsonl[:ROOT] ... --out DIR

Needs the `train` extra. Seeded; prints the held-out figures as it goes. Where: a heat map over the rectified field.
What: a crop around each die, in other light and colours, against crops of whatever else the first network marks.
`--from` goes on from the dice_find.onnx and dice_read.onnx of a folder. What is written is the average of the weights
over the last steps (exponential).
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from nardy_hw.vision.dice import CELL, CROP, FIELD, SIDE, SIZE, WIDER, around, crop, eye, peaks, shrunk, tallness, view
from nardy_hw.vision.training.checkers import EMA, conv, export
from nardy_hw.vision.training.dice_scenes import Scene, nothing, photographed, rendered
from nardy_hw.vision.training.drawn_dice import FLAT, UNKNOWN

WIDE = 64
"""Pixels of a stored crop: CROP and room to turn and scale it."""

PATCH = 160
"""Pixels of a piece of the field that the first network learns from."""

START = 512
"""Crops by which normalisation is put back into exported weights; of the first network's bigger patches an eighth."""


class FindNet(nn.Module):
    """Rectified field -> for each CELL x CELL the logit of a die's centre and its offset in cells, x and y.

    131 million multiplications, most of them at the coarsest grid: a first layer with a stride of 4 costs little.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 4, 5), conv(16, 16, 1), conv(16, 32, 2), conv(32, 32, 1), conv(32, 32, 1), nn.Conv2d(32, 3, 1)
        )
        with torch.no_grad():
            self.body[-1].bias[0] = -4.0

    def forward(self, x: Tensor) -> Tensor:
        return self.body(x)


class ReadNet(nn.Module):
    """A close crop, how obliquely it is seen, a wide crop -> logits of no die and 1..6; flat, cocked, on a checker."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(7, 16, 1), conv(16, 32, 2), conv(32, 32, 1), nn.MaxPool2d(2), conv(32, 64, 1), conv(64, 64, 1),
            nn.MaxPool2d(2), conv(64, 64, 1), conv(64, 64, 2), nn.Flatten(), nn.Dropout(0.2),
            nn.Linear(64 * (CROP // 16) ** 2, 64), nn.ReLU(), nn.Linear(64, 10),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        return self.body(x)


def light(x: Tensor, rng: torch.Generator) -> Tensor:
    """Other light, other colours, noise and blur. x: (n, 3, h, w) in 0..1."""
    n = len(x)

    def between(low: float, high: float, *shape: int) -> Tensor:
        return torch.rand(n, *shape, generator=rng) * (high - low) + low

    x = x ** between(0.6, 1.7, 1, 1, 1) * between(0.6, 1.35, 1, 1, 1) * between(0.8, 1.2, 3, 1, 1)
    order = torch.where(between(0, 1, 1) < 0.4, between(0, 1, 3).argsort(1), torch.arange(3))
    x = x.gather(1, order[:, :, None, None].expand(x.shape)).clamp(0, 1)
    x = torch.where(between(0, 1, 1, 1, 1) < 0.12, 1 - x, x)  # dark on light and light on dark
    k = torch.tensor([0.25, 0.5, 0.25])
    soft = F.conv2d(x.flatten(0, 1)[:, None], (k[:, None] * k)[None, None], padding=1).view(x.shape)
    x = torch.where(between(0, 1, 1, 1, 1) < 0.35, soft, x)
    return (x + torch.randn(x.shape, generator=rng) * between(0, 0.05, 1, 1, 1)).clamp(0, 1)


def compress(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    return cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 95))])[1], 1)


def patch_of(
    scene: Scene, field: NDArray[np.uint8], size: int, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], Any, Any]:
    """A square of a field, scaled, mirrored, turned a little (side faces stay below): pixels, wanted, where it counts.

    wanted: heat, 1 in the cell where a centre lies, and the two offsets.
    """
    x, y = rng.uniform(0, SIZE[0]), rng.uniform(0, SIZE[1])
    if scene.dice and rng.random() < 0.65:
        x, y = np.array(scene.dice[rng.integers(len(scene.dice))][:2]) + rng.uniform(-size * 0.4, size * 0.4, 2)
    turn = cv2.getRotationMatrix2D((float(x), float(y)), rng.normal(0, 12), math.exp(rng.normal(0, 0.15)))
    turn[:, 2] += size / 2 - np.array([x, y])
    if rng.random() < 0.5:
        turn[0] = (0, 0, size - 1) - turn[0]
    pixels = cv2.warpAffine(field, turn, (size, size), borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.4:
        pixels = compress(pixels, rng)
    gy, gx = np.mgrid[: size // CELL, : size // CELL] * CELL + CELL / 2 - 0.5
    wanted, counts = np.zeros((3, *gx.shape), np.float32), np.ones_like(gx, np.float32)
    for die in scene.dice:
        a, b = turn @ (*die[:2], 1)
        heat = np.exp(-((gx - a) ** 2 + (gy - b) ** 2) / (2 * 5.0**2))
        heat[(np.abs(gx - a) <= CELL / 2) & (np.abs(gy - b) <= CELL / 2)] = 1
        nearer = heat > wanted[0]
        wanted = np.where(nearer, np.stack([heat, (a - gx) / CELL, (b - gy) / CELL]), wanted)
    for die in scene.unclear:
        a, b = turn @ (*die, 1)
        counts[(gx - a) ** 2 + (gy - b) ** 2 < 16**2] = 0
    return pixels, wanted, counts


class Patches:
    """Pieces of fields: rendered ones twice as often as those with dice drawn in."""

    def __init__(self, scenes: list[Scene], seed: int) -> None:
        self.scenes, self.rng, self.light = scenes, np.random.default_rng(seed), torch.Generator().manual_seed(seed)
        often = np.array([1.0 if scene.drawn else 2.0 for scene in scenes])
        self.often = often / often.sum()

    def some(self, n: int) -> tuple[Tensor, Tensor, Tensor]:
        """n patches, two of a field: pixels, wanted, where it counts."""
        chosen = [self.scenes[i] for i in self.rng.choice(len(self.scenes), n // 2, p=self.often)]
        fields = [(scene, scene.field) for scene in chosen]
        examples = [patch_of(scene, field, PATCH, self.rng) for scene, field in fields for _ in range(2)]
        x, target, weight = (torch.from_numpy(np.stack(part)) for part in zip(*examples, strict=True))
        return light(x.permute(0, 3, 1, 2).float() / 255, self.light), target, weight


def averaged(net: nn.Module) -> AveragedModel:
    return AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(EMA), use_buffers=True)


def train_find(net: FindNet, patches: Patches, rate: float, steps: int, out: Path) -> FindNet:
    net = net.to(memory_format=torch.channels_last)
    mean = averaged(net)
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps)
    start, total = time.time(), 0.0
    for step in range(1, steps + 1):
        x, target, weight = patches.some(16)
        answer = net(x)
        p, q, heat = answer[:, 0], torch.sigmoid(answer[:, 0]), target[:, 0].float()
        die = (heat == 1).float()
        hard = torch.where(heat == 1, (1 - q) ** 2, (1 - heat) ** 4 * q).detach() * weight
        loss = F.binary_cross_entropy_with_logits(p, die, hard, reduction="sum")
        near = heat > 0.3
        loss = loss + 0.5 * (answer[:, 1:] - target[:, 1:].float()).abs().sum(1)[near].sum()
        loss = loss / die.sum().clamp(1)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        mean.update_parameters(net)
        total += loss.item()
        if step % 100 == 0:
            print(f"find {step}/{steps}  loss {total / 100:.4f}  {time.time() - start:.0f} s", flush=True)
            total = 0.0
    export(mean.module, torch.zeros(1, 3, SIZE[1], SIZE[0]), out / "dice_find.onnx")
    return mean.module


def restore(net: FindNet | ReadNet, path: Path, x: Tensor) -> None:
    """Takes over exported weights. x: input by which what normalisation had been folded away is put back."""
    stored = {i.name: torch.tensor(numpy_helper.to_array(i)) for i in onnx.load(path).graph.initializer}
    own = net.state_dict().keys()
    net.load_state_dict({k: v for k, v in stored.items() if k in own}, strict=False)
    folded = iter([v for k, v in stored.items() if k not in own])
    net.eval()
    with torch.no_grad():
        for layer in net.body:
            if isinstance(layer, nn.Sequential):
                convolution, norm, _ = layer
                weight = next(folded)
                new = convolution.in_channels - weight.shape[1]  # what was not looked at then has no say at first
                convolution.weight.copy_(F.pad(weight, (0, 0, 0, 0, 0, new)))
                y = convolution(x)
                norm.running_mean.copy_(y.mean((0, 2, 3)))
                norm.running_var.copy_(y.var((0, 2, 3)))
                norm.weight.copy_((norm.running_var + norm.eps).sqrt())
                norm.bias.copy_(next(folded) + norm.running_mean)
            x = layer(x)
    net.train()


def found(net: FindNet, scene: Scene, least: float) -> list[tuple[float, float, float]]:
    net.eval()
    with torch.no_grad():
        out = net(torch.from_numpy(scene.field).permute(2, 0, 1)[None].float() / 255)[0].numpy()
    return peaks(out, least)


def check_find(net: FindNet, test: list[Scene], name: str) -> None:
    """How many dice are found, how far off, and what else is marked."""
    marks = [found(net, scene, -3.0) for scene in test]
    for least in (-3.0, -2.0, -1.0):
        n, extra, off = 0, 0, []
        for scene, marked in zip(test, marks, strict=True):
            got = [(a, b) for a, b, logit in marked if logit > least]
            for x, y, *_ in scene.dice:
                n += 1
                off += [d for d in [min((math.hypot(x - a, y - b) for a, b in got), default=99)] if d < 7]
            known = [(x, y) for x, y, *_ in scene.dice] + scene.unclear
            extra += sum(all(math.hypot(x - a, y - b) > 9 for x, y in known) for a, b in got)
        away = f"{np.mean(off or [0]):.1f} px off, a tenth over {np.quantile(off or [0], 0.9):.1f}"
        print(f"   {name} at {least:+}: found {len(off)}/{n}, {away}, {extra} more in {len(test)} pictures", flush=True)


class Crops:
    """Crops with what they show: value 0 (no die) to 6, state (UNKNOWN where there is none to learn), drawn or not."""

    def __init__(self, net: FindNet, chosen: list[Scene], rng: np.random.Generator, jitter: bool) -> None:
        cells: list[NDArray[np.uint8]] = []
        told: list[tuple[int, int, float, bool]] = []
        for scene in chosen:
            picture, field = scene.picture, scene.field
            camera, tall = eye(picture, scene.corners), tallness(picture, scene.corners)
            if jitter:  # other lenses than FOCAL says, corners a little off
                tall *= math.exp(rng.normal(0, 0.025))
            near, corners = shrunk(picture, scene.corners, FIELD[0] * CROP / SIDE)
            known = [d[:2] for d in scene.dice] + scene.unclear
            marks = [(a, b) for a, b, _ in found(net, scene, -5.0)]
            off = [(x, y, 0, UNKNOWN) for x, y in marks if all(math.hypot(x - a, y - b) > 9 for a, b in known)][:12]
            if jitter:
                off.append((float(rng.uniform(0, SIZE[0])), float(rng.uniform(0, SIZE[1])), 0, UNKNOWN))
            other = [d for d in off if all(math.hypot(d[0] - a, d[1] - b) > 9 for a, b in known)]
            for x, y, value, state in scene.dice + other:
                # where the first network marks it, if it does
                at = min(marks, key=lambda m: math.hypot(m[0] - x, m[1] - y), default=(x, y))
                at = (x, y) if math.hypot(at[0] - x, at[1] - y) > 6 else at
                down, slant = view(camera, at, tall)
                if jitter:
                    at = (at[0] + rng.normal(0, 0.9), at[1] + rng.normal(0, 0.9))
                    down, slant = down + rng.normal(0, 0.08), slant * math.exp(rng.normal(0, 0.1))
                    if state == UNKNOWN:
                        down, slant = rng.uniform(0, 2 * math.pi), rng.uniform(0, 1)
                side = SIDE * WIDE / CROP
                both = [crop(near, corners, at, WIDE, side, down, tall)]
                both.append(around(field, at, WIDE, side * WIDER, down, tall))
                if jitter and rng.random() < 0.6:
                    both = [compress(cell, rng) for cell in both]
                cells.append(np.dstack(both))
                told.append((value, state, slant, scene.drawn))
        self.x = torch.from_numpy(np.stack(cells)).permute(0, 3, 1, 2).contiguous()
        value, state, slant, drawn = (torch.tensor(column) for column in zip(*told, strict=True))
        self.value, self.state, self.slant, self.drawn = value, state, slant.float(), drawn

    def shares(self) -> Tensor:
        """How often each crop is to be learnt from: as many tilted dice as flat ones, few that are not rendered."""
        die, tilted = self.value > 0, self.state > FLAT
        share = torch.zeros(len(self.value))
        for part, here in (
            (0.22, ~die),
            (0.07, die & (self.state == UNKNOWN)),
            (0.34, die & (self.state == FLAT) & ~self.drawn),
            (0.05, die & (self.state == FLAT) & self.drawn),
            (0.28, tilted & ~self.drawn),
            (0.04, tilted & self.drawn),
        ):
            share[here] = part / max(1, int(here.sum()))
        return share


def turn(x: Tensor, rng: torch.Generator) -> Tensor:
    """A little turned, moved, larger or smaller, mirrored, and cut to CROP."""
    n = len(x)
    a = torch.randn(n, generator=rng) * 0.1
    s = torch.exp(torch.randn(n, generator=rng) * 0.12) * CROP / WIDE
    dx, dy = torch.randn(2, n, generator=rng) * 0.03
    m = torch.where(torch.rand(n, generator=rng) < 0.5, 1.0, -1.0)
    rows = [torch.stack([m * a.cos() * s, -a.sin() * s, dx], 1), torch.stack([m * a.sin() * s, a.cos() * s, dy], 1)]
    grid = F.affine_grid(torch.stack(rows, 1), [n, x.shape[1], CROP, CROP], align_corners=False)
    return F.grid_sample(x, grid, padding_mode="border", align_corners=False)


def with_slant(x: Tensor, slant: Tensor) -> Tensor:
    plane = slant[:, None, None, None].expand(len(x), 1, CROP, CROP)
    return torch.cat([x[:, :3], plane, x[:, 3:]], 1).contiguous(memory_format=torch.channels_last)


def centre(x: Tensor) -> Tensor:
    o = (WIDE - CROP) // 2
    return x[:, :, o : o + CROP, o : o + CROP]


class Examples:
    """Crops in other light and places."""

    def __init__(self, crops: Crops, seed: int) -> None:
        self.crops, self.share, self.rng = crops, crops.shares(), torch.Generator().manual_seed(seed)

    def some(self, n: int) -> tuple[Tensor, Tensor, Tensor]:
        """n of them: input, values, states."""
        chosen = torch.multinomial(self.share, n, True, generator=self.rng)
        x = turn(self.crops.x[chosen].float() / 255, self.rng)
        x = torch.cat(light(torch.cat([x[:, :3], x[:, 3:]], 3), self.rng).split(CROP, 3), 1)  # one light for both
        return with_slant(x, self.crops.slant[chosen]), self.crops.value[chosen], self.crops.state[chosen]


def train_read(net: ReadNet, examples: Examples, tests: dict[str, Crops], rate: float, steps: int, out: Path) -> None:
    net, start, total = net.to(memory_format=torch.channels_last), time.time(), 0.0
    mean = averaged(net)
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=3e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps)
    for step in range(1, steps + 1):
        x, value, state = examples.some(48)
        p = net(x)
        loss = F.cross_entropy(p[:, :7], value, label_smoothing=0.01)
        known = state >= 0
        if known.any():
            loss = loss + F.cross_entropy(p[known, 7:], state[known])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        mean.update_parameters(net)
        total += loss.item()
        if step % 100 == 0:
            print(f"read {step}/{steps}  loss {total / 100:.4f}  {time.time() - start:.0f} s", flush=True)
            total = 0.0
        if step % 1000 == 0 or step == steps:
            check_read(mean.module, tests)
            export(mean.module, torch.zeros(1, 7, CROP, CROP), out / "dice_read.onnx")


def check_read(net: ReadNet, tests: dict[str, Crops]) -> None:
    net.eval()
    for name, test in tests.items():
        with torch.no_grad():
            x = with_slant(centre(test.x.float() / 255), test.slant)
            p = (net(x) + net(x.flip(3))) / 2
        die = test.value > 0
        v, s = p[:, :7].argmax(1), p[:, 7:].argmax(1)
        flat, tilted = test.state == 0, test.state > 0
        # the temperature that fits the values best
        nll = {t: F.cross_entropy(p[die, 1:7] / t, test.value[die] - 1).item() for t in (0.7, 0.85, 1.0, 1.2, 1.5, 2.0)}
        print(
            f"   {name}: value {int((v == test.value)[die].sum())}/{int(die.sum())}"
            f"  false {int((v > 0)[~die].sum())}/{int((~die).sum())}"
            f"  flat called tilted {int((flat & (s > 0)).sum())}/{int(flat.sum())}"
            f"  tilted called flat {int((tilted & (s == 0)).sum())}/{int(tilted.sum())}  nll "
            + " ".join(f"{t:g}:{v:.3f}" for t, v in nll.items()),
            flush=True,
        )
    net.train()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", nargs="+")
    parser.add_argument("--test", nargs="*", default=[])
    parser.add_argument("--photos", type=Path, help="truth.json of photographs of dice, to train on as well")
    parser.add_argument("--nothing", type=Path, help="a folder of pictures without dice, to train on as well")
    parser.add_argument("--drawn", type=int, default=2, help="copies of each picture with dice drawn in")
    parser.add_argument("--every", type=int, default=10, help="one board in so many of train is held out")
    parser.add_argument("--from", type=Path, dest="start", metavar="DIR")
    parser.add_argument("--find-steps", type=int, default=2000, help="0: as it is")
    parser.add_argument("--read-steps", type=int, default=6000)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    train = [s for source in args.train for s in rendered(source, args.drawn, rng, lambda i: i % args.every > 0)]
    train += list(photographed(args.photos, rng)) if args.photos else []
    train += list(nothing(args.nothing, rng)) if args.nothing else []
    tests = {source.split("/")[-2]: list(rendered(source, 0, rng, lambda i: True)) for source in args.test}
    for source in args.train:
        tests[f"held out of {source}"] = list(rendered(source, 0, rng, lambda i: i % args.every == 0))
    print(f"{len(train)} scenes, {sum(len(s.dice) for s in train)} dice", flush=True)
    finder, reader, patches = FindNet(), ReadNet(), Patches(train, 0)
    if args.start:
        restore(finder, args.start / "dice_find.onnx", patches.some(START // 8)[0])
    if args.find_steps:
        finder = train_find(finder, patches, 3e-3 if args.start else 8e-3, args.find_steps, args.out)
    for name, test in tests.items():
        check_find(finder, test, name)
    crops = Crops(finder, train, rng, True)
    print(f"{len(crops.x)} crops, {int((crops.value > 0).sum())} of dice", flush=True)
    examples = Examples(crops, 0)
    if args.start:
        restore(reader, args.start / "dice_read.onnx", examples.some(START)[0])
    test_crops = {k: Crops(finder, v, rng, False) for k, v in tests.items() if v}
    train_read(reader, examples, test_crops, 1.5e-3 if args.start else 5e-3, args.read_steps, args.out)


if __name__ == "__main__":
    main()

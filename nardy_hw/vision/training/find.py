"""Trains the first of the field finder's networks (calibration/weights/find.onnx): roughly where the field lies.

    python -m nardy_hw.vision.training.find TRUTH.jsonl[:ROOT] ... --others FOLDER --out DIR

Needs the `train` extra. Seeded. FOLDER holds pictures without boards. One in ten of the rendered boards is kept back
and measured every so often. Each run goes on from DIR/find.pt where there is one.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from calibration.find import CANVAS, CELL
from calibration.geometry import FIELD_CORNERS
from nardy_hw.vision.training.checkers import conv, export
from nardy_hw.vision.training.find_scenes import Board, Picture, View, drawn, rendered, shrunk, view

CELLS = (CANVAS[0] // CELL, CANVAS[1] // CELL)
DRAWN = 300
"""Drawn boards kept at a time; a new one takes an old one's place at each step."""

BATCH = 12


class Block(nn.Module):
    """A wide look at each channel, then the channels mixed; added to what came in where nothing changes size."""

    def __init__(self, i: int, o: int, stride: int = 1) -> None:
        super().__init__()
        self.same = i == o and stride == 1
        self.body = nn.Sequential(
            nn.Conv2d(i, i, 5, stride, 2, groups=i, bias=False), nn.BatchNorm2d(i),
            nn.Conv2d(i, o, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        return x + self.body(x) if self.same else self.body(x)


def mix(i: int, o: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(i, o, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class FieldNet(nn.Module):
    """Canvas -> for each cell: logit of 'field'; its place on the field, x and y."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = conv(3, 28, 4, 7)
        self.middle = nn.Sequential(conv(28, 48, 2), Block(48, 48))
        self.coarse = nn.Sequential(Block(48, 64, 2), Block(64, 64))
        self.whole = nn.Sequential(Block(64, 80, 2), Block(80, 80), Block(80, 80), Block(80, 80), mix(80, 64))
        self.to_coarse = nn.Sequential(Block(64, 64), Block(64, 64), mix(64, 48))
        self.to_middle = nn.Sequential(Block(48, 48), Block(48, 48), mix(48, 28))
        self.to_fine = nn.Sequential(conv(28, 24, 1), conv(24, 24, 1), nn.Conv2d(24, 3, 1))
        self.up = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, x: Tensor) -> Tensor:
        fine = self.fine(x)
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        x = self.to_coarse(self.up(self.whole(coarse)) + coarse)
        x = self.to_middle(self.up(x) + middle)
        return self.to_fine(self.up(x) + fine)


def wanted(seen: View) -> NDArray[np.float32]:
    """For each cell: field or not, and its place on the field."""
    w, h = CELLS
    out = np.zeros((3, h, w), np.float32)
    if seen.corners is not None:
        y, x = np.mgrid[:h, :w].astype(np.float32)
        centres = np.stack([x, y], -1).reshape(1, -1, 2) * CELL + (CELL - 1) / 2
        matrix = cv2.getPerspectiveTransform(seen.corners, FIELD_CORNERS)
        out[1:] = cv2.perspectiveTransform(centres, matrix)[0].reshape(h, w, 2).transpose(2, 0, 1)
        field = np.zeros((h * CELL, w * CELL), np.uint8)
        cv2.fillConvexPoly(field, np.int32(seen.corners.round()), 255)
        out[0] = cv2.resize(field, CELLS, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    return out


def losses(out: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    on = target[:, :1] > 0.5
    where = ((out[:, 1:] - target[:, 1:]).abs() * on).sum() / on.sum().clamp(1)
    return F.binary_cross_entropy_with_logits(out[:, 0], target[:, 0]), where


def tensor(views: list[View]) -> Tensor:
    x = torch.from_numpy(np.stack([v.pixels for v in views])).permute(0, 3, 1, 2).float() / 255
    return x.contiguous(memory_format=torch.channels_last)


def measured(net: FieldNet, views: list[View]) -> str:
    """How far cells' places are off, as a share of the field; how well fields and no fields are told."""
    net.eval()
    errors, overlap, false = [], [], []
    with torch.no_grad():
        for seen in views:
            out, target = net(tensor([seen]))[0].numpy(), wanted(seen)
            field, on = out[0] > 0, target[0] > 0.5
            if seen.corners is None:
                false.append(field.mean())
            elif on.any():
                overlap.append((field & on).sum() / (field | on).sum())
                errors.append(np.abs(out[1:] - target[1:]).max(0)[on].mean())
    net.train()
    return (
        f"places off by {np.median(errors):.4f}, one in ten {np.quantile(errors, 0.9):.4f}; overlap "
        f"{np.mean(overlap):.3f}, one in ten {np.quantile(overlap, 0.1):.3f}; field where none is {np.mean(false):.4f}"
    )


def train(boards: list[Board], others: list[Picture], hours: float, rate: float, out: Path) -> None:
    rng = np.random.default_rng(len(boards))  # other scenes when it goes on with more boards
    kept, boards = boards[::10], [b for i, b in enumerate(boards) if i % 10]
    tests = [view(b if i % 8 else None, others, np.random.default_rng(i)) for i, b in enumerate(kept * 2)]
    drawings = [drawn(rng) for _ in range(DRAWN)]
    net, saved = FieldNet().to(memory_format=torch.channels_last), out / "find.pt"
    if saved.exists():
        net.load_state_dict(torch.load(saved))
    print(f"{len(boards)} boards, {sum(p.numel() for p in net.parameters())} weights", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-3)
    begun, step, total = time.time(), 0, np.zeros(2)
    # the time is given, not the number of steps: the rate falls with what is left of it
    while (gone := (time.time() - begun) / (3600 * hours)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * gone))
        drawings[int(rng.integers(DRAWN))] = drawn(rng)
        views = []
        for _ in range(BATCH):
            which = rng.random()
            board = boards[int(rng.integers(len(boards)))] if which < 0.62 else drawings[int(rng.integers(DRAWN))]
            views.append(view(board if which < 0.92 else None, others, rng))
        field, where = losses(net(tensor(views)), torch.from_numpy(np.stack([wanted(v) for v in views])))
        optimiser.zero_grad()
        (field + 4 * where).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        total += [field.item(), where.item()]
        step += 1
        if step % 200 == 0:
            print(f"{step}  loss {total / 200}  {time.time() - begun:.0f} s  {measured(net, tests)}", flush=True)
            total[:] = 0
            torch.save(net.state_dict(), saved)
    print(measured(net, tests), flush=True)
    torch.save(net.state_dict(), saved)
    export(net.to(memory_format=torch.contiguous_format), torch.zeros(1, 3, CANVAS[1], CANVAS[0]), out / "find.onnx")


def options(doc: str | None) -> dict[str, Any]:
    """What the command line says, as `train` takes it; the pictures are read."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", nargs="+")
    parser.add_argument("--others", type=Path, required=True)
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    boards: list[Board] = []
    for source in args.truth:
        truth, _, root = source.partition(":")
        boards += rendered(Path(truth), Path(root) if root else Path(truth).parent)
    pictures = (cv2.imread(str(p)) for p in sorted(args.others.iterdir()))
    others = [shrunk(np.asarray(p, np.uint8))[0] for p in pictures if p is not None]
    return {"boards": boards, "others": others, "hours": args.hours, "rate": args.rate, "out": args.out}


if __name__ == "__main__":
    train(**options(__doc__))

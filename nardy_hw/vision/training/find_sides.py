"""Trains the second of the field finder's networks (calibration/weights/find_sides.onnx): where each side runs.

    python -m nardy_hw.vision.training.find_sides TRUTH.jsonl[:ROOT] ... --others FOLDER --out DIR

Needs the `train` extra. Seeded. FOLDER holds pictures without boards. One in ten of the rendered boards is kept back
and measured every so often. Each run goes on from DIR/find_sides.pt where there is one.
"""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from calibration.find_sides import ALONG, BINS, COLUMNS, DEEP, KIND, LONG, OUT, OUTWARD, RANGE, strips
from calibration.geometry import FIELD_CORNERS
from nardy_hw.vision.training.checkers import export
from nardy_hw.vision.training.find import DRAWN, Block, mix, options
from nardy_hw.vision.training.find_scenes import Board, Floats, Picture, develop, drawn, smudge

BATCH = 8
"""Boards, four strips each."""

BLUR = 0.7 * 2 * RANGE / BINS
"""The wanted distribution over depth is as wide as this: a mean over it tells fractions of a bin."""

DEPTHS = torch.from_numpy(OUT).float()[:, None]


class SideNet(nn.Module):
    """Strips -> for each kind of side, logits of how deep the field ends: (strips, 3, BINS, COLUMNS)."""

    def __init__(self) -> None:
        super().__init__()
        self.local = nn.Sequential(
            nn.Conv2d(3, 16, (5, 7), (2, 4), (2, 3), bias=False), nn.BatchNorm2d(16), nn.ReLU(),
            nn.Conv2d(16, 32, 3, (1, 2), 1, bias=False), nn.BatchNorm2d(32), nn.ReLU(), Block(32, 32),
        )  # fmt: skip
        self.down = nn.Sequential(Block(32, 48, 2), Block(48, 48), Block(48, 48), Block(48, 48), mix(48, 32))
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.out = nn.Sequential(Block(32, 32), Block(32, 32), nn.Conv2d(32, 3, 1))

    def forward(self, x: Tensor) -> Tensor:
        x = self.local(x)
        return self.out(x + self.up(self.down(x)))


def rough(corners: Floats, rng: np.random.Generator) -> Floats:
    """The corners as the finder's first network might have them, or as a following from there left them."""
    size = np.hypot(*(corners[[1, 2]] - corners[[0, 1]]).T)
    if rng.random() < 0.4:
        return (corners + rng.normal(0, 0.007, (4, 2)) * size).astype(np.float32)
    moved = corners + rng.normal(0, 0.035, (4, 2)) * size + rng.normal(0, 0.03, 2) * size
    return ((moved - moved.mean(0)) * rng.normal(1, 0.05, 2) + moved.mean(0)).astype(np.float32)


def example(board: Board, others: list[Picture], rng: np.random.Generator) -> tuple[Picture, Floats, Floats]:
    """Four strips; for each of their columns how far outside the field ends, and whether that can be told."""
    picture, corners = board.picture, board.corners
    if rng.random() < 0.5:  # a board seen in a mirror is a board; one seen from behind has its walls the wrong way
        picture = np.ascontiguousarray(picture[:, ::-1])
        corners = (np.array([picture.shape[1] - 1, 0]) + corners * [-1, 1])[[1, 0, 3, 2]].astype(np.float32)
    start = rough(corners, rng)
    seen = develop(smudge(strips(picture, start).reshape(4 * DEEP, LONG, 3), others, rng), rng)
    place = cv2.perspectiveTransform(corners[None], cv2.getPerspectiveTransform(start, FIELD_CORNERS))[0]
    depth = np.zeros((4, COLUMNS), np.float32)
    known = np.zeros((4, COLUMNS), np.float32)
    for k in range(4):
        ends = place[[k, (k + 1) % 4]] - FIELD_CORNERS[k]
        (a, b), (low, high) = ends @ (FIELD_CORNERS[(k + 1) % 4] - FIELD_CORNERS[k]), ends @ OUTWARD[k]
        depth[k] = low + (high - low) * (ALONG - a) / (b - a)
        known[k] = (a < ALONG) & (b > ALONG) & (np.abs(depth[k]) < RANGE - 0.005)
    return seen.reshape(4, DEEP, LONG, 3), depth, known


def batch(
    boards: list[Board], drawings: list[Board], others: list[Picture], rng: np.random.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    chosen = (drawings if rng.random() < 0.3 else boards for _ in range(BATCH))
    made = [example(group[int(rng.integers(len(group)))], others, rng) for group in chosen]
    x, depth, known = (torch.from_numpy(np.concatenate(part)) for part in zip(*made, strict=True))
    x = (x.permute(0, 3, 1, 2).float() / 255).contiguous(memory_format=torch.channels_last)
    return x, depth, known


def answers(out: Tensor) -> Tensor:
    """Of each strip the logits of its kind of side: (strips, BINS, COLUMNS)."""
    return out[torch.arange(len(out)), torch.tensor(KIND).repeat(len(out) // 4)]


def loss_of(out: Tensor, depth: Tensor, known: Tensor) -> Tensor:
    near = torch.exp(-((DEPTHS - depth[:, None]) ** 2) / (2 * BLUR**2))
    wanted = near / near.sum(1, keepdim=True).clamp(1e-9)
    return (-(wanted * F.log_softmax(answers(out), 1)).sum(1) * known).sum() / known.sum()


def measured(net: SideNet, tests: list[tuple[Tensor, Tensor, Tensor]]) -> str:
    """How far columns are off, as a share of the field."""
    net.eval()
    with torch.no_grad():
        off = [((answers(net(x)).softmax(1) * DEPTHS).sum(1) - depth).abs()[known > 0] for x, depth, known in tests]
    net.train()
    e = torch.cat(off)
    return f"median {e.median():.4f}, one in ten {e.quantile(0.9):.4f}"


def train(boards: list[Board], others: list[Picture], hours: float, rate: float, out: Path) -> None:
    rng = np.random.default_rng(len(boards))  # other scenes when it goes on with more boards
    kept, boards = boards[::10], [b for i, b in enumerate(boards) if i % 10]
    drawings: list[Board] = [drawn(rng) for _ in range(DRAWN)]
    tests = [batch(kept, drawings, others, np.random.default_rng(i)) for i in range(16)]
    net, saved = SideNet().to(memory_format=torch.channels_last), out / "find_sides.pt"
    if saved.exists():
        net.load_state_dict(torch.load(saved))
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-3)
    begun, step, total = time.time(), 0, 0.0
    # the time is given, not the number of steps: the rate falls with what is left of it
    while (gone := (time.time() - begun) / (3600 * hours)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 60) * (0.5 + 0.5 * np.cos(np.pi * gone))
        drawings[int(rng.integers(DRAWN))] = drawn(rng)
        x, depth, known = batch(boards, drawings, others, rng)
        loss = loss_of(net(x), depth, known)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        total += loss.item()
        step += 1
        if step % 100 == 0:
            print(f"{step}  loss {total / 100:.4f}  {measured(net, tests)}  {time.time() - begun:.0f} s", flush=True)
            total = 0.0
            torch.save(net.state_dict(), saved)
    print(measured(net, tests), flush=True)
    torch.save(net.state_dict(), saved)
    export(net.to(memory_format=torch.contiguous_format), torch.zeros(4, 3, DEEP, LONG), out / "find_sides.onnx")


if __name__ == "__main__":
    train(**options(__doc__))

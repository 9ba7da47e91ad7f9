"""Trains the second of the field finder's networks (calibration/weights/find_sides.onnx): where each side runs.

python -m nardy_hw.vision.training.find_sides TRUTH.jsonl[:ROOT] ... --others FOLDER --out DIR
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from calibration.find import BINS, COLUMNS, DEEP, KIND, LONG, RANGE, bin_d, column_s, side_strips
from calibration.geometry import FIELD_CORNERS
from nardy_hw.vision.training.checkers import export
from nardy_hw.vision.training.find import Block, mix
from nardy_hw.vision.training.find_scenes import Board, develop, drawn, rendered, shrunk, smudge

DRAWN = 300


class SideNet(nn.Module):
    """Strips -> logits of where the side runs: (strips, kind, BINS, COLUMNS)."""

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


def example(board: Board, others, rng):
    """strips (4,DEEP,LONG,3), depth (4, COLUMNS) in fractions, valid"""
    c = board.corners
    width = np.hypot(*(c[1] - c[0]))
    size = np.array([width, np.hypot(*(c[2] - c[1]))])
    if rng.random() < 0.6:
        moved = c + rng.normal(0, 0.035, (4, 2)) * size + rng.normal(0, 0.03, 2) * size
        moved = (moved - moved.mean(0)) * rng.normal(1, 0.05, 2) + moved.mean(0)
    else:
        moved = c + rng.normal(0, 0.007, (4, 2)) * size
    moved = moved.astype(np.float32)
    picture = board.picture
    if rng.random() < 0.5:
        picture = picture[:, ::-1]
        flip = lambda p: np.stack([picture.shape[1] - 1 - p[:, 0], p[:, 1]], 1)[[1, 0, 3, 2]].astype(np.float32)
        c, moved = flip(c), flip(moved)
    x = side_strips(np.ascontiguousarray(picture), moved)
    tall = develop(smudge(np.ascontiguousarray(x.reshape(4 * DEEP, LONG, 3)), others, rng), rng)
    q = cv2.perspectiveTransform(c[None], cv2.getPerspectiveTransform(moved, FIELD_CORNERS))[0]
    s = column_s()
    depth, valid = np.zeros((4, COLUMNS), np.float32), np.zeros((4, COLUMNS), np.float32)
    for k in range(4):
        a, b = FIELD_CORNERS[k], FIELD_CORNERS[(k + 1) % 4]
        t, n = b - a, np.array([[0, 1], [1, 0], [0, -1], [-1, 0]])[k]
        p, r = q[k] - a, q[(k + 1) % 4] - a
        ps, rs, pd, rd = p @ t, r @ t, p @ n, r @ n
        depth[k] = pd + (rd - pd) * (s - ps) / (rs - ps)
        valid[k] = (s > ps) & (s < rs) & (abs(depth[k]) < RANGE - 0.005)
    return tall.reshape(4, DEEP, LONG, 3), depth, valid


def batch_of(boards, drawings, others, rng, n):
    xs, ds, vs = zip(
        *(
            example(
                boards[int(rng.integers(len(boards)))]
                if rng.random() < 0.7
                else drawings[int(rng.integers(len(drawings)))],
                others,
                rng,
            )
            for _ in range(n)
        )
    )
    x = torch.from_numpy(np.concatenate(xs)).permute(0, 3, 1, 2).float() / 255
    return (
        x.contiguous(memory_format=torch.channels_last),
        torch.from_numpy(np.concatenate(ds)),
        torch.from_numpy(np.concatenate(vs)),
    )


BIN = torch.from_numpy(bin_d()).float()
STEP = 2 * RANGE / BINS


def pick(out: Tensor) -> Tensor:
    kinds = torch.tensor(KIND).repeat(len(out) // 4)
    return out[torch.arange(len(out)), kinds]


def loss_of(out: Tensor, depth: Tensor, valid: Tensor) -> Tensor:
    near = torch.exp(-((BIN[None, :, None] - depth[:, None]) ** 2) / (2 * (0.7 * STEP) ** 2))
    told = near / near.sum(1, keepdim=True).clamp(1e-9)
    return (-(told * F.log_softmax(pick(out), 1)).sum(1) * valid).sum() / valid.sum()


def error_of(out: Tensor, depth: Tensor, valid: Tensor) -> Tensor:
    return (((pick(out).softmax(1) * BIN[None, :, None]).sum(1) - depth).abs())[valid > 0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", nargs="+")
    parser.add_argument("--others", type=Path, required=True)
    parser.add_argument("--hours", type=float, default=0.25)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--out", type=Path, default=Path())
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    boards: list[Board] = []
    for source in args.train:
        truth, _, root = source.partition(":")
        boards += rendered(Path(truth), Path(root) if root else Path(truth).parent)
    others = [
        shrunk(np.asarray(p, np.uint8))[0]
        for p in (cv2.imread(str(p)) for p in sorted(args.others.iterdir()))
        if p is not None
    ]
    kept, boards = boards[::10], [b for i, b in enumerate(boards) if i % 10]
    rng = np.random.default_rng(0)
    drawings = [drawn(rng) for _ in range(DRAWN)]
    tests = [batch_of(kept, drawings, others, rng, 8) for _ in range(16)]
    net = SideNet().to(memory_format=torch.channels_last)
    print(len(boards), sum(p.numel() for p in net.parameters()), flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), args.rate, weight_decay=1e-3)
    begun, step, total = time.time(), 0, 0.0
    while (gone := (time.time() - begun) / (3600 * args.hours)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1, (step + 1) / 60) * (0.5 + 0.5 * np.cos(np.pi * gone))
        drawings[int(rng.integers(DRAWN))] = drawn(rng)
        x, depth, valid = batch_of(boards, drawings, others, rng, 8)
        loss = loss_of(net(x), depth, valid)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        total += loss.item()
        step += 1
        if step % 100 == 0:
            net.eval()
            with torch.no_grad():
                e = torch.cat([error_of(net(x), d, v) for x, d, v in tests])
            net.train()
            print(
                f"{step} {total / 100:.4f} median {e.median():.4f} mean {e.mean():.4f} q90 {e.quantile(0.9):.4f} {time.time() - begun:.0f} s",
                flush=True,
            )
            total = 0.0
            torch.save(net.state_dict(), args.out / "find_sides.pt")
    torch.save(net.state_dict(), args.out / "find_sides.pt")
    export(net.to(memory_format=torch.contiguous_format), torch.zeros(4, 3, DEEP, LONG), args.out / "find_sides.onnx")


if __name__ == "__main__":
    main()

"""Trains the geometry finder (calibration/weights/geometry.onnx): bar edges, point length, checker radius.

    python -m nardy_hw.vision.training.geometry TRUTH.jsonl[:ROOT] ... --test TRUTH.jsonl[:ROOT] ... --out DIR

Needs the `train` extra. Seeded; prints the held-out errors as it goes.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from nardy_hw.vision.training.boards import Board, plain, varied
from nardy_hw.vision.training.checkers import conv, export, load


class GeometryNet(nn.Module):
    """Rectified field at half size -> bar edges, point length, checker radius, each about its mean."""

    def __init__(self, shape: torch.Size) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 12, 2, 5), conv(12, 24, 2), conv(24, 32, 2), conv(32, 32, 2), nn.Flatten(), nn.Dropout(0.1),
            nn.LazyLinear(48), nn.ReLU(), nn.Linear(48, 4),
        )  # fmt: skip
        self.body(torch.zeros(2, *shape[1:]))

    def forward(self, x: Tensor) -> Tensor:
        return self.body(x)


def pictures(fields: list[np.ndarray]) -> Tensor:
    return torch.from_numpy(np.stack([f[::2, ::2] for f in fields])).permute(0, 3, 1, 2).float() / 255


def train(found: list[Board], tests: dict[str, list[Board]], count: int, out: Path) -> None:
    rng, size = np.random.default_rng(0), 16
    wanted = torch.from_numpy(np.stack([board.geometry for board in found]))
    mean, spread = wanted.mean(0), wanted.std(0)
    net = GeometryNet(pictures([found[0].field]).shape)
    steps = math.ceil(len(found) / size)
    optimiser = torch.optim.AdamW(net.parameters(), 3e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=count * steps)
    for epoch in range(1, count + 1):
        for chosen in np.array_split(rng.permutation(len(found)), steps):
            examples = [varied(found[i], rng) for i in chosen]
            y = torch.from_numpy(np.stack([e.geometry for e in examples]))
            loss = F.smooth_l1_loss(net(pictures([e.field for e in examples])), (y - mean) / spread)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
        if epoch % 5 == 0 or epoch == count:
            net.eval()
            for name, test in tests.items():
                examples = [plain(board) for board in test]
                y = torch.from_numpy(np.stack([e.geometry for e in examples]))
                with torch.no_grad():
                    error = (net(pictures([e.field for e in examples])) * spread + mean - y).abs()
                told = [[round(v, 4) for v in row.tolist()] for row in (error.mean(0), error.amax(0))]
                print(f"   geometry {epoch} {name}: mean error {told[0]} worst {told[1]}", flush=True)
            net.train()
    scaled = nn.Linear(4, 4)
    scaled.weight.data, scaled.bias.data = torch.diag(spread), mean.clone()
    export(nn.Sequential(net, scaled), pictures([found[0].field]), out / "geometry.onnx")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", nargs="+")
    parser.add_argument("--test", nargs="+", default=[])
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    tests = {source.partition(":")[0].split("/")[-2]: load(source) for source in args.test}
    train([board for source in args.train for board in load(source)], tests, args.epochs, args.out)


if __name__ == "__main__":
    main()

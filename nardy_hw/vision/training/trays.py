"""Trains the tray finder (calibration/weights/find_trays.onnx): is there a tray beside the field?

    python -m nardy_hw.vision.training.trays TRUTH.jsonl[:ROOT] ... [--test TRUTH.jsonl[:ROOT] ...] --out DIR

Needs the `train` extra. Seeded; a minute on one core. Boards are mirrored and turned about, so that trays on the left
alone are learnt too, and their light and colours are changed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from calibration.find_trays import HEIGHT, IN_VIEW, WIDTH, strips
from nardy_hw.vision.training.checkers import conv, export

COPIES = 6
"""Strips of each board, the corners a little off in all but the first."""


class TrayNet(nn.Module):
    """(n, 3, HEIGHT, WIDTH) -> (n, 1) logits of a tray."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2, 5), conv(16, 24, 2), conv(24, 32, 2), conv(32, 32, 1), nn.AdaptiveAvgPool2d((3, 6))
        )
        self.out = nn.Sequential(nn.Flatten(), nn.Dropout(0.3), nn.Linear(32 * 18, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.body(x))


def examples(source: str, rng: np.random.Generator, copies: int) -> Iterator[tuple[np.ndarray, bool]]:
    """Strips that are in view enough to be spoken of, and whether a tray is there."""
    truth, _, root = source.partition(":")
    folder = Path(root) if root else Path(truth).parent.parent
    for line in Path(truth).read_text().splitlines():
        told = json.loads(line)
        if "field_corners_px" not in told:
            continue
        picture = cv2.imread(str(folder / told["file"]))
        corners = np.array(told["field_corners_px"], np.float32)
        scale = picture.shape[1] / told["image_size"][0] if "image_size" in told else 1.0
        size = np.hypot(*(corners[1] - corners[0])) * scale
        trays = told["board"]["trays"]
        for copy in range(copies):
            off = rng.normal(0, 0.008 * size, (4, 2)) * (copy > 0)
            cut, seen = strips(picture, (corners * scale + off).astype(np.float32))
            for strip, view, there in zip(cut, seen, (trays in ("right", "both"), trays == "both"), strict=True):
                if view >= IN_VIEW:
                    yield strip, there


def changed(x: Tensor, rng: torch.Generator) -> Tensor:
    """In other light and colours, and turned over."""
    n = len(x)
    flip = torch.rand(n, generator=rng) < 0.5
    x = torch.where(flip[:, None, None, None], x.flip(2), x)
    order = torch.stack([torch.randperm(3, generator=rng) for _ in range(n)])
    mixed = x.gather(1, order[:, :, None, None].expand_as(x))
    x = torch.where((torch.rand(n, generator=rng) < 0.5)[:, None, None, None], mixed, x)
    gain = torch.exp(torch.randn(n, 3, 1, 1, generator=rng) * 0.15) * torch.exp(
        torch.randn(n, 1, 1, 1, generator=rng) * 0.3
    )
    x = (x.clamp(1e-3, 1) ** torch.exp(torch.randn(n, 1, 1, 1, generator=rng) * 0.3)) * gain
    return (x + torch.randn(x.shape, generator=rng) * 0.03 * torch.rand(n, 1, 1, 1, generator=rng)).clamp(0, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", nargs="+")
    parser.add_argument("--test", nargs="*", default=[])
    parser.add_argument("--steps", type=int, default=2500)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rng, shuffle = np.random.default_rng(0), torch.Generator().manual_seed(0)

    def tensors(sources: list[str], copies: int) -> tuple[Tensor, Tensor]:
        pairs = [pair for source in sources for pair in examples(source, rng, copies)]
        x = torch.from_numpy(np.stack([strip for strip, _ in pairs])).permute(0, 3, 1, 2).contiguous()
        return x, torch.tensor([float(there) for _, there in pairs])

    x, y = tensors(args.train, COPIES)
    tests = {source: tensors([source], 1) for source in args.test}
    print(f"{len(y)} strips, {int(y.sum())} with a tray", flush=True)
    net = TrayNet()
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 6e-3, total_steps=args.steps)
    for step in range(1, args.steps + 1):
        chosen = torch.randint(len(y), (64,), generator=shuffle)
        out = net(changed(x[chosen].float() / 255, shuffle))[:, 0]
        loss = F.binary_cross_entropy_with_logits(out, y[chosen] * 0.98 + 0.01)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 500 == 0:
            net.eval()
            for source, (tx, ty) in tests.items():
                with torch.no_grad():
                    p = torch.sigmoid(net(tx.float() / 255)[:, 0])
                right, sure = (p > 0.5) == (ty > 0.5), (p - 0.5).abs() > 0.4
                print(f"{step}: {source}: {int(right.sum())}/{len(ty)}, surely wrong {int((~right & sure).sum())}, "
                      f"unsure {int((~sure).sum())}  loss {loss.item():.3f}", flush=True)  # fmt: skip
            net.train()
    args.out.mkdir(parents=True, exist_ok=True)
    export(net, torch.zeros(2, 3, HEIGHT, WIDTH), args.out / "find_trays.onnx")


if __name__ == "__main__":
    main()

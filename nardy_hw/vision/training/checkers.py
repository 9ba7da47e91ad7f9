"""Trains the checker reader (strips.onnx, board.onnx) and the geometry finder (calibration/weights/geometry.onnx).

    python -m nardy_hw.vision.training.checkers TRUTH.jsonl[:ROOT] ... --test TRUTH.jsonl[:ROOT] ... --out DIR

Needs the `train` extra. Seeded; prints the loss and the held-out figures after every few epochs. ROOT is the folder
that the truth's file names start from (default: the truth file's folder).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from calibration.field import STRIP_LENGTH, STRIP_WIDTH, STRIPS
from nardy_hw.vision.training.boards import IGNORE, Example, examples

FEATURES = 64
CONTEXT = 5 * FEATURES + 1  # own, left, right, board's mean, board's maximum, is it the bar
OUTPUTS = 16 + 3 + 1 + 1  # counts 0..15, colours, layers, hidden


def conv(i: int, o: int, stride: int, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class StripNet(nn.Module):
    """One strip -> 64 features."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2, 5), conv(16, 32, 1), conv(32, 48, 2), conv(48, 48, 1), conv(48, 64, 2), conv(64, 64, 1)
        )
        self.pool = nn.AvgPool2d((1, STRIP_WIDTH // 8))
        self.out = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(64 * STRIP_LENGTH // 8, FEATURES), nn.ReLU())

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.pool(self.body(x)))


class BoardNet(nn.Module):
    """Features of one strip, its neighbours and the whole board -> count, colour, layers, hidden."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(CONTEXT, 128), nn.ReLU(), nn.Dropout(0.1), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, OUTPUTS)
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.body(x)


class GeometryNet(nn.Module):
    """Rectified field at half size -> bar edges, point length, checker radius, each about its mean."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 12, 2, 5),
            conv(12, 24, 2),
            conv(24, 32, 2),
            conv(32, 32, 2),
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.LazyLinear(48),
            nn.ReLU(),
            nn.Linear(48, 4),
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.body(x)


def with_context(f: Tensor) -> Tensor:
    """(boards, 26, 64) -> (boards, 26, CONTEXT). Must do what nardy_hw.vision.checkers does in numpy."""
    boards = f.shape[0]
    zero = f.new_zeros(boards, 1, FEATURES)
    points, bar = f[:, :24], f[:, 24:]
    left = torch.cat([points[:, 1:], zero, zero, zero], 1)
    right = torch.cat([zero, points[:, :-1], zero, zero], 1)
    whole = torch.cat([f.mean(1), f.amax(1)], 1)[:, None].expand(-1, STRIPS, -1)
    is_bar = torch.cat([f.new_zeros(boards, 24, 1), f.new_ones(boards, 2, 1)], 1)
    return torch.cat([torch.cat([points, bar], 1), left, right, whole, is_bar], 2)


def augment(x: Tensor, rng: torch.Generator) -> tuple[Tensor, Tensor]:
    """Light and camera changes, the same for all strips of a board.

    x: (boards, 26, 3, L, W) in 0..1 -> changed x, and (boards,) whether the colours still tell the lighter side.
    """
    b = x.shape[0]
    u = lambda lo, hi, *s: torch.rand(b, *s, generator=rng) * (hi - lo) + lo  # noqa: E731
    x = x ** u(0.65, 1.5, 1, 1, 1, 1) * u(0.65, 1.3, 1, 1, 1, 1) * u(0.85, 1.15, 1, 3, 1, 1)
    known = torch.ones(b, dtype=torch.bool)
    for i in range(b):
        if torch.rand((), generator=rng) < 0.3:  # other hues; which side is lighter is then no longer known
            x[i] = x[i][:, torch.randperm(3, generator=rng)]
            known[i] = False
        if torch.rand((), generator=rng) < 0.3:
            k = torch.tensor([0.2, 0.6, 0.2])
            x[i] = F.conv2d(x[i].reshape(-1, 1, *x.shape[3:]), (k[:, None] * k[None])[None, None], padding=1).reshape(
                x[i].shape
            )
        dy, dx = torch.randint(-2, 3, (2,), generator=rng).tolist()
        x[i] = torch.roll(x[i], (dy, dx), (2, 3))
    x = x + torch.randn(x.shape, generator=rng) * u(0, 0.04, 1, 1, 1, 1)
    return x.clamp(0, 1), known


class Data:
    """Examples as arrays."""

    def __init__(self, sources: list[str], jitters: int, seed: int) -> None:
        found: list[Example] = []
        for source in sources:
            truth, _, root = source.partition(":")
            found += examples(Path(truth), Path(root) if root else Path(truth).parent, jitters=jitters, seed=seed)
        self.files = [e.file for e in found]
        self.strips = torch.from_numpy(np.stack([e.strips for e in found])).permute(0, 1, 4, 2, 3)
        self.count = torch.from_numpy(np.stack([e.count for e in found]))
        self.colour = torch.from_numpy(np.stack([e.colour for e in found]))
        self.layers = torch.from_numpy(np.stack([e.layers for e in found]))
        self.hidden = torch.from_numpy(np.stack([e.hidden for e in found]))
        self.field = torch.from_numpy(np.stack([e.field[::2, ::2] for e in found])).permute(0, 3, 1, 2)
        self.geometry = torch.from_numpy(np.stack([e.geometry for e in found]))

    def __len__(self) -> int:
        return len(self.files)


def losses(out: Tensor, count: Tensor, colour: Tensor, layers: Tensor, hidden: Tensor) -> Tensor:
    flat = out.reshape(-1, OUTPUTS)
    # in deep layers some checkers cannot be seen at all: their count teaches nothing
    told = torch.where((layers == 1) & (count > 9), IGNORE, count)
    a = F.cross_entropy(flat[:, :16], told.flatten(), ignore_index=IGNORE)
    b = F.cross_entropy(flat[:, 16:19], colour.flatten(), ignore_index=IGNORE) if (colour != IGNORE).any() else 0.0
    known = layers.flatten() != IGNORE
    c = F.binary_cross_entropy_with_logits(flat[known, 19], layers.flatten()[known].float())
    seen = hidden.flatten() != IGNORE
    # one strip in twenty is hidden: without the weight the network is content to say that none ever is
    d = F.binary_cross_entropy_with_logits(flat[seen, 20], hidden.flatten()[seen].float(), pos_weight=torch.tensor(4.0))
    return a + 0.5 * b + 0.1 * c + 0.5 * d


def evaluate(strip_net: StripNet, board_net: BoardNet, data: Data) -> tuple[Tensor, str]:
    strip_net.eval(), board_net.eval()
    with torch.no_grad():
        rows = []
        for i in range(0, len(data), 8):
            x = data.strips[i : i + 8].float() / 255
            rows.append(board_net(with_context(strip_net(x.flatten(0, 1)).unflatten(0, (-1, STRIPS)))))
        out = torch.cat(rows)
    strip_net.train(), board_net.train()
    n, c = out[..., :16].argmax(-1), out[..., 16:19].argmax(-1)
    ok_n = n == data.count
    ok = ok_n & ((data.count == 0) | (c == data.colour))
    use = (data.count != IGNORE) & (data.layers != 1) & (data.colour != 2)
    use[:, 24:] = False
    bar = (data.count != IGNORE) & (torch.arange(STRIPS) >= 24)
    boards = (ok | ~use).all(1)
    seen = data.hidden != IGNORE
    hand, found = (data.hidden == 1) & seen, (out[..., 20] > 0) & seen
    share = lambda right, of: f"{int((right & of).sum())}/{int(of.sum())}"  # noqa: E731
    text = (
        f"points {share(ok, use)} = {(ok & use).sum() / use.sum():.4f}  count {share(ok_n, use)}  bar {share(ok, bar)}"
    )
    text += (
        f"  boards {int(boards.sum())}/{len(data)}  hidden {share(found, hand)} falsely {share(found, seen & ~hand)}"
    )
    return out, text


def train_checkers(train: Data, tests: dict[str, Data], epochs: int, out: Path, rate: float) -> None:
    rng = torch.Generator().manual_seed(0)
    strip_net, board_net = StripNet(), BoardNet()
    parameters = [*strip_net.parameters(), *board_net.parameters()]
    batch, start = 4, time.time()
    steps = (len(train) + batch - 1) // batch
    optimiser = torch.optim.AdamW(parameters, rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=epochs * steps)
    for epoch in range(1, epochs + 1):
        total = 0.0
        for chosen in torch.randperm(len(train), generator=rng).split(batch):
            x, known = augment(train.strips[chosen].float() / 255, rng)
            colour = torch.where(known[:, None], train.colour[chosen], IGNORE)
            count, layers, hidden = train.count[chosen], train.layers[chosen], train.hidden[chosen]
            for i in range(len(chosen)):  # a board seen in a mirror is a board
                if torch.rand((), generator=rng) < 0.5:
                    x[i] = x[i].flip(3)
                    order = torch.cat([torch.arange(11, -1, -1), torch.arange(23, 11, -1), torch.tensor([24, 25])])
                    x[i] = x[i][order]
                    for target in (count, colour, layers, hidden):
                        target[i] = target[i][order]
            f = strip_net(x.flatten(0, 1)).unflatten(0, (-1, STRIPS))
            loss = losses(board_net(with_context(f)), count, colour, layers, hidden)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        print(f"epoch {epoch}/{epochs}  loss {total / steps:.4f}  {time.time() - start:.0f} s", flush=True)
        if epoch % 3 == 0 or epoch == epochs:
            for name, data in tests.items():
                print(f"   {name}: {evaluate(strip_net, board_net, data)[1]}", flush=True)
            export(strip_net, torch.zeros(STRIPS, 3, STRIP_LENGTH, STRIP_WIDTH), out / "strips.onnx")
            export(board_net, torch.zeros(STRIPS, CONTEXT), out / "board.onnx")
            torch.save((strip_net.state_dict(), board_net.state_dict()), out / "checkers.pt")


def train_geometry(train: Data, tests: dict[str, Data], epochs: int, out: Path) -> None:
    rng = torch.Generator().manual_seed(0)
    net = GeometryNet()
    mean, spread = train.geometry.mean(0), train.geometry.std(0)
    print("geometry mean", mean.tolist(), "spread", spread.tolist())
    net(torch.zeros(2, *train.field.shape[1:]))
    batch = 16
    steps = (len(train) + batch - 1) // batch
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=epochs * steps)
    for epoch in range(1, epochs + 1):
        for chosen in torch.randperm(len(train), generator=rng).split(batch):
            x, _ = augment(train.field[chosen].float()[:, None] / 255, rng)
            y = train.geometry[chosen].clone()
            for i in range(len(chosen)):
                if torch.rand((), generator=rng) < 0.5:
                    x[i] = x[i].flip(3)
                    y[i, 0], y[i, 1] = 1 - y[i, 1], 1 - y[i, 0]
            loss = F.smooth_l1_loss(net(x[:, 0]), (y - mean) / spread)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
        if epoch % 5 == 0 or epoch == epochs:
            net.eval()
            for name, data in tests.items():
                with torch.no_grad():
                    error = (net(data.field.float() / 255) * spread + mean - data.geometry).abs()
                told = [[round(v, 4) for v in row.tolist()] for row in (error.mean(0), error.amax(0))]
                print(f"   geometry {epoch} {name}: mean error {told[0]} worst {told[1]}", flush=True)
            net.train()
    scaled = nn.Linear(4, 4)
    scaled.weight.data, scaled.bias.data = torch.diag(spread), mean.clone()
    export(nn.Sequential(net, scaled), torch.zeros(1, *train.field.shape[1:]), out / "geometry.onnx")


def export(net: nn.Module, example: Tensor, path: Path) -> None:
    net.eval()
    torch.onnx.export(net, example, str(path), input_names=["in"], output_names=["out"], opset_version=11, dynamo=False)
    net.train()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", nargs="+")
    parser.add_argument("--test", nargs="+", default=[])
    parser.add_argument("--epochs", type=int, default=24)
    parser.add_argument("--jitters", type=int, default=2)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--out", type=Path, default=Path())
    parser.add_argument("--what", choices=("checkers", "geometry"), default="checkers")
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    train = Data(args.train, args.jitters, 0)
    tests = {source.partition(":")[0].split("/")[-2]: Data([source], 0, 0) for source in args.test}
    print(f"{len(train)} examples, tests { ({k: len(v) for k, v in tests.items()}) }", flush=True)
    args.out.mkdir(parents=True, exist_ok=True)
    if args.what == "checkers":
        train_checkers(train, tests, args.epochs, args.out, args.rate)
    else:
        train_geometry(train, tests, args.epochs, args.out)


if __name__ == "__main__":
    main()

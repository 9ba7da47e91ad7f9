"""Trains the checker reader (strips.onnx, board.onnx).

    python -m nardy_hw.vision.training.checkers TRUTH.jsonl[:ROOT] ... --test TRUTH.jsonl[:ROOT] ... --out DIR

Needs the `train` extra. Seeded; prints the loss and the held-out figures after every few epochs. ROOT is the folder
that the truth's file names start from (default: the truth file's folder). `--from` goes on from the strips.onnx and
board.onnx of a folder. What is written is the average of the weights over the last steps (exponential).
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from calibration.field import ACROSS, LENGTH, STRIPS
from nardy_hw.vision.checkers import CELL, CONTEXT, DARKEST, FEATURES, LOOKS, ORDER, SPINE, TONE
from nardy_hw.vision.colours import ALIKE, ROUNDS, TOGETHER
from nardy_hw.vision.training.boards import IGNORE, Board, Example, boards, photographed, plain, varied

LONG = 8
"""Checkers on a point from which its board is shown twice an epoch."""

PHOTO = 6
"""Times that a photograph is shown an epoch: there are few of them."""

EMA = 0.999
"""Share of the average that each step keeps."""

START = 24
"""Boards by which normalisation is put back into exported weights."""

OUTPUTS = 16 + 3 + 1 + 1 + LOOKS  # counts 0..15, colours, layers, hidden, what its checkers look like


def conv(i: int, o: int, stride: int, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class StripNet(nn.Module):
    """Both sides -> FEATURES for each of their columns, and where in each cell of 8 pixels its checkers are seen."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2, 5), conv(16, 32, 2), conv(32, 40, 1), conv(40, 40, 1),
            conv(40, 64, 2), conv(64, 64, 1), conv(64, 64, 1), conv(64, 24, 1, 1),
        )  # fmt: skip
        self.strip = nn.Conv2d(24, FEATURES, (LENGTH // CELL, 5), (1, 3))
        self.where = nn.Conv2d(24, 1, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        x = self.body(x)
        return F.relu(self.strip(x)), self.where(x)


class BoardNet(nn.Module):
    """Features of one strip and the whole board -> count, colour, layers, hidden, looks."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(CONTEXT, 128), nn.ReLU(), nn.Dropout(0.1), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, OUTPUTS)
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.body(x)


def with_context(columns: Tensor, where: Tensor, sides: Tensor) -> Tensor:
    """Columns (boards, 2, FEATURES, 1, 13), where (boards, 2, 1, rows, cells) and the sides -> (boards, 26, CONTEXT).

    Must do what nardy_hw.vision.checkers does in numpy.
    """
    n = columns.shape[0]
    f = columns[:, :, :, 0].transpose(2, 3).reshape(n, STRIPS, FEATURES)[:, ORDER]
    tone = torch.log(F.avg_pool2d(sides.flatten(0, 1), CELL) + DARKEST).unflatten(0, (n, 2))
    tone = tone - tone.mean((1, 3, 4), keepdim=True)
    # the three cells of each column: the first and the last of the row lie beyond
    cells = lambda x: x[..., 1:-1].unflatten(-1, (13, 3)).permute(0, 1, 4, 2, 3, 5)  # noqa: E731
    tone = cells(tone) * TONE
    weight = cells(where).flatten(4).sigmoid() ** 2
    seen = ((tone.flatten(4) * weight).sum(-1) / (weight.sum(-1) + DARKEST)).reshape(n, STRIPS, 3)
    spine = tone[..., -SPINE:, 1].transpose(3, 4).reshape(n, STRIPS, 3 * SPINE)
    seen, spine = seen[:, ORDER], spine[:, ORDER]
    whole = torch.cat([f.mean(1), f.amax(1)], 1)[:, None].expand(-1, STRIPS, -1)
    is_bar = torch.cat([f.new_zeros(n, 24, 1), f.new_ones(n, 2, 1)], 1)
    return torch.cat([f, seen, spine, whole, is_bar], 2)


class Batch:
    """Examples as arrays."""

    def __init__(self, found: list[Example]) -> None:
        stack = lambda part: torch.from_numpy(np.stack(part))  # noqa: E731
        self.sides = stack([e.sides for e in found]).permute(0, 1, 4, 2, 3).float() / 255
        self.count, self.colour = stack([e.count for e in found]), stack([e.colour for e in found])
        self.layers, self.hidden = stack([e.layers for e in found]), stack([e.hidden for e in found])
        self.where = stack([e.where for e in found])
        self.ordered = torch.tensor([e.ordered for e in found])


def run(strip_net: StripNet, board_net: BoardNet, sides: Tensor) -> tuple[Tensor, Tensor]:
    """Sides (boards, 2, 3, LENGTH, ACROSS) -> (boards, 26, OUTPUTS), where checkers are (boards, 2, 1, rows, cells)."""
    columns, where = strip_net(sides.flatten(0, 1).contiguous(memory_format=torch.channels_last))
    where = where.unflatten(0, (-1, 2))
    return board_net(with_context(columns.unflatten(0, (-1, 2)), where, sides)), where


def settle(out: Tensor) -> Tensor:
    """(boards, 26) nats for 'light': must do what nardy_hw.vision.colours does in numpy."""
    alone, looks = out[..., 16] - out[..., 17], out[..., 21:]
    there = (1 - out[..., :16].softmax(-1)[..., 0]).detach() * (out[..., 20] < 0)
    near = (ALIKE - (looks[:, :, None] - looks[:, None]).square().sum(-1)).clamp(-ALIKE, ALIKE)
    near = near * there[:, None] * (1 - torch.eye(STRIPS)) * TOGETHER / there.sum(1).clamp(1)[:, None, None]
    nats = alone
    for _ in range(ROUNDS):
        nats = alone + (near @ torch.tanh(nats / 2)[..., None])[..., 0]
    return nats


def colour_loss(out: Tensor, batch: Batch) -> Tensor:
    """Light, dark or mixed, as the whole board decides it; where nobody can know which is the lighter, either way."""
    nats, side = settle(out), batch.colour
    p = out[..., 16:19].log_softmax(-1)
    both = torch.logaddexp(p[..., 0], p[..., 1])
    decided = torch.stack([both + F.logsigmoid(nats), both + F.logsigmoid(-nats), p[..., 2]], -1)
    each = []
    for flip in (False, True):
        target = torch.where((side == 0) | (side == 1), 1 - side, side) if flip else side
        cost = F.nll_loss(decided.flatten(0, 1), target.flatten(), ignore_index=IGNORE, reduction="none")
        each.append(cost.view(side.shape).sum(1))
    cost = torch.where(batch.ordered, each[0], torch.minimum(*each))
    return cost.sum() / (side != IGNORE).sum().clamp(1)


def losses(answer: tuple[Tensor, Tensor], batch: Batch) -> Tensor:
    out, where = answer
    flat = out.reshape(-1, OUTPUTS)
    count, layers, hidden = batch.count.flatten(), batch.layers.flatten(), batch.hidden.flatten()
    # in deep layers some checkers cannot be seen at all: their count teaches nothing
    told = torch.where((layers == 1) & (count > 9), IGNORE, count)
    loss = F.cross_entropy(flat[:, :16], told, ignore_index=IGNORE, label_smoothing=0.01)
    loss = loss + 0.6 * colour_loss(out, batch)
    # a word of its own from each strip, or none would begin
    alone = torch.where(batch.ordered[:, None] | (batch.colour == 2), batch.colour, IGNORE).flatten()
    if (alone != IGNORE).any():
        loss = loss + 0.2 * F.cross_entropy(flat[:, 16:19], alone, ignore_index=IGNORE)
    known = layers != IGNORE
    loss = loss + 0.1 * F.binary_cross_entropy_with_logits(flat[known, 19], layers[known].float())
    seen = hidden != IGNORE
    # one strip in twenty is hidden: without the weight the network is content to say that none ever is
    weight = torch.tensor(3.0)
    loss = loss + 0.5 * F.binary_cross_entropy_with_logits(flat[seen, 20], hidden[seen].float(), pos_weight=weight)
    shown = batch.where >= 0
    if shown.any():
        loss = loss + 0.3 * F.binary_cross_entropy_with_logits(where[:, :, 0][shown], batch.where[shown])
    # checkers of one colour look alike, those of the two do not: asked of every pair of one board
    looks, side = out[..., 21:], batch.colour
    near = ALIKE - (looks[:, :, None] - looks[:, None]).square().sum(-1)
    pair = (side[:, :, None] >= 0) & (side[:, :, None] < 2) & (side[:, None] >= 0) & (side[:, None] < 2)
    pair &= ~torch.eye(STRIPS, dtype=torch.bool)
    same = (side[:, :, None] == side[:, None])[pair].float()
    if len(same):
        loss = loss + 0.4 * F.binary_cross_entropy_with_logits(near[pair], same)
    return loss


def evaluate(strip_net: StripNet, board_net: BoardNet, test: list[Batch]) -> str:
    strip_net.eval(), board_net.eval()
    right = {"points": [0, 0], "count": [0, 0], "bar": [0, 0], "hidden": [0, 0], "falsely": [0, 0], "alike": [0, 0]}
    whole, loss = 0, 0.0
    for batch in test:
        with torch.no_grad():
            answer = run(strip_net, board_net, batch.sides)
            loss += float(losses(answer, batch)) / len(test)
            out = answer[0]
        n, c = out[0, :, :16].argmax(-1), (settle(out)[0] < 0).long()
        count, colour, layers, hidden = batch.count[0], batch.colour[0], batch.layers[0], batch.hidden[0]
        use = (count != IGNORE) & (layers != 1) & (colour != 2) & (hidden != 1)
        points = use & (torch.arange(STRIPS) < 24)
        ok = (n == count) & ((count == 0) | (c == colour))
        looks = out[0, :, 21:]
        near = (looks[:, None] - looks[None]).square().sum(-1) < ALIKE
        both = ((colour[:, None] >= 0) & (colour[:, None] < 2)) & ((colour[None] >= 0) & (colour[None] < 2))
        for name, good, of in (
            ("points", ok, points), ("count", n == count, points), ("bar", ok, use & ~points),
            ("hidden", out[0, :, 20] > 0, hidden == 1), ("falsely", out[0, :, 20] > 0, hidden == 0),
            ("alike", near == (colour[:, None] == colour[None]), both),
        ):  # fmt: skip
            right[name][0] += int((good & of).sum())
            right[name][1] += int(of.sum())
        whole += bool((ok | ~use).all())
    strip_net.train(), board_net.train()
    told = "  ".join(f"{name} {a}/{b} = {a / max(b, 1):.4f}" for name, (a, b) in right.items())
    return f"{told}  boards {whole}/{len(test)}  loss {loss:.4f}"


def epochs(found: list[Board], rng: np.random.Generator, batch: int) -> Iterator[Batch]:
    for chosen in np.array_split(rng.permutation(len(found)), math.ceil(len(found) / batch)):
        yield Batch([varied(found[i], rng) for i in chosen])


def train(
    found: list[Board], tests: dict[str, list[Batch]], count: int, out: Path, rate: float, start: Path | None
) -> None:
    rng = np.random.default_rng(0)
    strip_net, board_net = StripNet().to(memory_format=torch.channels_last), BoardNet()
    if start:
        with torch.no_grad():
            sides = torch.cat([b.sides for b in epochs(found[:START], rng, START)])
            restore(start, strip_net, board_net, sides)
    mean = [
        AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(EMA), use_buffers=True) for net in (strip_net, board_net)
    ]
    size, began = 6, time.time()
    steps = math.ceil(len(found) / size)
    parameters = [*strip_net.parameters(), *board_net.parameters()]
    optimiser = torch.optim.AdamW(parameters, rate, weight_decay=2e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=count * steps, pct_start=0.15)
    for epoch in range(1, count + 1):
        total = 0.0
        for batch in epochs(found, rng, size):
            loss = losses(run(strip_net, board_net, batch.sides), batch)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, 5.0)
            optimiser.step()
            schedule.step()
            for average, net in zip(mean, (strip_net, board_net), strict=True):
                average.update_parameters(net)
            total += loss.item()
        print(f"epoch {epoch}/{count}  loss {total / steps:.4f}  {time.time() - began:.0f} s", flush=True)
        if epoch % 5 == 0 or epoch == count:
            for name, test in tests.items():
                print(f"   {name}: {evaluate(mean[0].module, mean[1].module, test)}", flush=True)
            export(mean[0].module, torch.zeros(2, 3, LENGTH, ACROSS), out / "strips.onnx")
            export(mean[1].module, torch.zeros(STRIPS, CONTEXT), out / "board.onnx")


def restore(folder: Path, strip_net: StripNet, board_net: BoardNet, sides: Tensor) -> None:
    """Takes over exported weights. sides: pictures by which what normalisation had been folded away is put back."""
    strips, board = (
        {i.name: torch.tensor(numpy_helper.to_array(i)) for i in onnx.load(folder / name).graph.initializer}
        for name in ("strips.onnx", "board.onnx")
    )
    board_net.load_state_dict(board)
    strip_net.load_state_dict({k: v for k, v in strips.items() if k in strip_net.state_dict()}, strict=False)
    folded = [v for k, v in strips.items() if k not in strip_net.state_dict()]
    x = sides.flatten(0, 1)
    for layer, weight, bias in zip(strip_net.body, folded[::2], folded[1::2], strict=True):
        convolution, norm, _ = layer
        convolution.weight.copy_(weight)
        y = convolution(x)
        norm.running_mean.copy_(y.mean((0, 2, 3)))
        norm.running_var.copy_(y.var((0, 2, 3)))
        norm.weight.copy_((norm.running_var + norm.eps).sqrt())
        norm.bias.copy_(bias + norm.running_mean)
        x = F.relu(y + bias[:, None, None])


def export(net: nn.Module, example: Tensor, path: Path) -> None:
    net.eval()
    names = ["out", "where"] if isinstance(net, StripNet) else ["out"]
    torch.onnx.export(net, example, str(path), input_names=["in"], output_names=names, opset_version=11, dynamo=False)
    net.train()


def load(source: str) -> list[Board]:
    truth, _, root = source.partition(":")
    return list(boards(Path(truth), Path(root) if root else Path(truth).parent))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", nargs="+")
    parser.add_argument("--test", nargs="+", default=[])
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--every", type=int, default=12, help="one picture in so many of train is held out")
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--photos", type=Path, help="truth.jsonl of photographs of boards, to train on as well")
    parser.add_argument("--but", default="", help="beginning of the names of photographs to leave out")
    parser.add_argument("--from", type=Path, dest="start", metavar="DIR")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    every = [board for source in args.train for board in load(source)]
    held = [board for i, board in enumerate(every) if i % args.every == 0]
    tests = {source.partition(":")[0].split("/")[-2]: load(source) for source in args.test} | {"held out": held}
    batches = {name: [Batch([plain(board)]) for board in test] for name, test in tests.items()}
    found = [board for i, board in enumerate(every) if i % args.every > 0]
    # long rows are rare in games and hard to count
    found += [board for board in found if ((board.count > LONG) & (board.layers == 0)).any()]
    if args.photos:
        found += PHOTO * list(photographed(args.photos, args.but))
    print(f"{len(found)} boards, tests { ({k: len(v) for k, v in tests.items()}) }", flush=True)
    args.out.mkdir(parents=True, exist_ok=True)
    train(found, batches, args.epochs, args.out, args.rate, args.start)


if __name__ == "__main__":
    main()

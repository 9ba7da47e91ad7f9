"""Dice: values, false ones, and what is called cocked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from nardy_hw.vision.observation import DieReading
from tests.bench.vision.drawing import Failures
from tests.bench.vision.reading import Read, ReadSet
from tests.bench.vision.report import Report, Share
from tests.bench.vision.truth import Die


@dataclass(frozen=True, slots=True)
class Asked:
    """Targets: single dice right, both of a throw, false dice in a hundred pictures."""

    single: float | None
    both: float | None
    false: float


TARGETS = {"renders": Asked(None, 0.99, 1.0), "game": Asked(None, 0.99, 1.0), "photos": Asked(0.9, None, 5.0)}
TILTED_CALLED, FLAT_CALLED = 0.97, 0.005
COUNTED = ("flat", "on_checker")
"""States in which a flat die's value still counts as read."""


@dataclass(slots=True)
class Tally:
    """Of some pictures. false: dice that are none; flat_called: flat dice called anything else."""

    single: Share = field(default_factory=Share)
    both: Share = field(default_factory=Share)
    tilted: Share = field(default_factory=Share)
    flat_called: Share = field(default_factory=Share)
    missed: int = 0
    false: int = 0
    pictures: int = 0

    def add(self, read: Read) -> None:
        flat = []
        for die, reading in zip(read.scene.dice, read.dice.of, strict=True):
            if die.tilted or die.value is None:
                self.tilted.add(reading is not None and reading.state != "flat")
                continue
            right = reading is not None and reading.value == die.value and reading.state in COUNTED
            self.single.add(right)
            self.missed += reading is None
            flat.append(right)
            if reading is not None:
                self.flat_called.add(reading.state != "flat")
        if len(flat) == 2 == len(read.scene.dice):
            self.both.add(all(flat))
        self.false += len(read.dice.false)
        self.pictures += 1


def report_dice(report: Report, sets: Sequence[ReadSet], failures: Failures) -> None:
    """Figures of each set; of a game, of its hand-free frames."""
    lines, values = [], Counter[tuple[str, str]]()
    for one in (one.hand_free() if one.kind == "game" else one for one in sets):
        tally, styles = Tally(), defaultdict[str, Tally](Tally)
        for read in one.reads:
            tally.add(read)
            styles[read.scene.style.get("dice", "?")].add(read)
            values.update(_confused(read))
            _draw(one, read, failures)
        _figures(report, one, tally)
        lines.append(_line(one.name, tally))
        if one.kind == "renders" and len(styles) > 1:
            lines += [_line(f"  {style}", styles[style]) for style in sorted(styles)]
    head = ("", "both right", "single right", "missed", "tilted called so", "flat called tilted", "false", "pictures")
    report.table("Dice", head, lines)
    seen = ("1", "2", "3", "4", "5", "6", "missed")
    rows = [(true, *(str(values[true, got] or ".") for got in seen)) for true in seen[:6]]
    report.table("Values of flat dice: true (down) and read (across)", ("", *seen), rows)


def _figures(report: Report, one: ReadSet, tally: Tally) -> None:
    asked = TARGETS[one.kind]
    report.share(f"{one.name}: both dice right", tally.both, asked.both)
    report.share(f"{one.name}: single dice right", tally.single, asked.single)
    if tally.pictures:
        rate = 100 * tally.false / tally.pictures
        report.most(f"{one.name}: false dice in 100 pictures", rate, asked.false, f"{rate:.2f} ({tally.false})")
    report.share(f"{one.name}: tilted dice called so", tally.tilted, TILTED_CALLED)
    report.share(f"{one.name}: flat dice called tilted", tally.flat_called, FLAT_CALLED, at_least=False)


def _line(name: str, tally: Tally) -> tuple[str, ...]:
    shares = (tally.both, tally.single, tally.missed, tally.tilted, tally.flat_called, tally.false, tally.pictures)
    return (name, *(str(share) for share in shares))


def _confused(read: Read) -> list[tuple[str, str]]:
    return [
        (str(die.value), "missed" if reading is None else str(reading.value))
        for die, reading in zip(read.scene.dice, read.dice.of, strict=True)
        if not die.tilted and die.value is not None
    ]


def _draw(one: ReadSet, read: Read, failures: Failures) -> None:
    marks = [
        (die.centre, f"{die.value} {'tilted' if die.tilted else 'flat'} read {_said(reading)}")
        for die, reading in zip(read.scene.dice, read.dice.of, strict=True)
        if not _right(die, reading)
    ]
    marks += [(reading.centre, f"false {_said(reading)}") for reading in read.dice.false]
    if marks:
        failures.add(f"dice/{one.name}", read.scene.path.stem, read.scene, marks)


def _right(die: Die, reading: DieReading | None) -> bool:
    if reading is None:
        return False
    if die.tilted or die.value is None:
        return reading.state != "flat"
    return reading.value == die.value and reading.state == "flat"


def _said(reading: DieReading | None) -> str:
    return "nothing" if reading is None else f"{reading.value} {reading.state} ({reading.confidence:.2f})"

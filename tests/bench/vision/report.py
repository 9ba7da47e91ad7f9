"""Figures, tables and progress, for people and as JSON."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Share:
    """So many of so many."""

    got: int = 0
    of: int = 0

    def add(self, right: bool) -> None:
        self.got += right
        self.of += 1

    @property
    def value(self) -> float:
        return self.got / self.of if self.of else float("nan")

    def __str__(self) -> str:
        return f"{self.got}/{self.of}" + (f" = {self.value:.2%}" if self.of else "")


@dataclass(frozen=True, slots=True)
class Row:
    """One figure beside its target. at_least: the figure should not be below the target; otherwise not above it.
    share: the target is a share, shown in percent."""

    name: str
    value: float
    detail: str
    target: float | None = None
    at_least: bool = True
    share: bool = False

    @property
    def met(self) -> bool | None:
        """None where nothing was asked, or nothing could be measured."""
        if self.target is None or self.value != self.value:
            return None
        return self.value >= self.target if self.at_least else self.value <= self.target


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        rows = [self.head, *self.lines]
        widths = [max(len(row[i]) for row in rows) for i in range(len(self.head))]
        text = [self.title]
        for row in rows:
            first, *rest = (
                cell.ljust(w) if not i else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
            )
            text.append("  " + "  ".join([first, *rest]).rstrip())
        return "\n".join(text)


@dataclass(slots=True)
class Report:
    """Everything measured, in the order of measuring."""

    rows: list[Row] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def share(self, name: str, share: Share, target: float | None = None, *, at_least: bool = True) -> None:
        if share.of:
            self.rows.append(Row(name, share.value, str(share), target, at_least, share=True))

    def most(self, name: str, value: float, target: float | None = None, detail: str = "") -> None:
        """A number that should not be above its target."""
        self.rows.append(Row(name, value, detail or f"{value:g}", target, at_least=False))

    def table(self, title: str, head: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
        if lines:
            self.tables.append(Table(title, tuple(head), tuple(tuple(line) for line in lines)))

    def __str__(self) -> str:
        def verdict(row: Row) -> str:
            return {True: "met", False: "MISSED", None: ""}[row.met]

        def target(row: Row) -> str:
            if row.target is None:
                return ""
            asked = f"{row.target:.2%}" if row.share else f"{row.target:g}"
            return f"{'>=' if row.at_least else '<='} {asked}"

        lines = tuple((row.name, row.detail, target(row), verdict(row)) for row in self.rows)
        figures = Table("Figures", ("", "measured", "target", ""), lines)
        return "\n\n".join([*(str(table) for table in self.tables), *self.notes, str(figures)])

    def as_json(self) -> dict[str, Any]:
        return {
            "rows": [
                {"name": r.name, "value": r.value, "detail": r.detail, "target": r.target, "met": r.met}
                for r in self.rows
            ],
            "tables": [{"title": t.title, "head": t.head, "lines": t.lines} for t in self.tables],
            "notes": self.notes,
        }


def between(value: float, edges: Sequence[float]) -> str:
    """The two edges that a value lies between, in words."""
    i = next(i for i in range(1, len(edges)) if value <= edges[i] or i == len(edges) - 1)
    return f"{edges[i - 1]:.3g} to {min(edges[i], 1.0):.3g}"


def progress(items: Sequence[T], what: str) -> Iterator[T]:
    """The items, while a line on stderr tells how many are done and how long the rest will take."""
    begun = told = time.monotonic()
    often = 0.5 if sys.stderr.isatty() else 15.0
    end = "" if sys.stderr.isatty() else "\n"
    for done, item in enumerate(items):
        now = time.monotonic()
        if done and now - told >= often:
            left = (now - begun) / done * (len(items) - done)
            print(f"\r{what}: {done} of {len(items)}, {left:.0f} s left ", end=end, file=sys.stderr, flush=True)
            told = now
        yield item
    print(f"\r{what}: {len(items)} in {time.monotonic() - begun:.0f} s      ", file=sys.stderr, flush=True)

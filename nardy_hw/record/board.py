"""A position in letters, for a terminal."""

from __future__ import annotations

from nardy_hw.rules.position import Position


def draw(position: Position) -> str:
    """Twelve points above, twelve below, White's home lower right: O White, X Black, a number where more than five."""
    points = position.points
    top, bottom = range(13, 25), range(12, 0, -1)
    lines = [_numbers(top)]
    lines += [_row([_mark(points[p - 1], row) for p in top]) for row in range(5)]
    lines.append(f" bar O{position.bar[0]} X{position.bar[1]}   off O{position.off[0]} X{position.off[1]}")
    lines += [_row([_mark(points[p - 1], row) for p in bottom]) for row in range(4, -1, -1)]
    lines.append(_numbers(bottom))
    return "\n".join(lines)


def _mark(n: int, row: int) -> str:
    if abs(n) <= row:
        return "."
    if row == 4 and abs(n) > 5:
        return str(abs(n))
    return "O" if n > 0 else "X"


def _row(cells: list[str]) -> str:
    return "".join(f"{c:>3}" for c in cells[:6]) + "  |" + "".join(f"{c:>3}" for c in cells[6:])


def _numbers(points: range) -> str:
    return _row([str(p) for p in points])

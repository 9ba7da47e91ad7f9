"""Points: exact or not, what is taken for what, how honest the confidence is, and what a hand may not hide."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from tests.bench.vision.drawing import Failures, Mark, spot
from tests.bench.vision.reading import Read, ReadSet, all_of
from tests.bench.vision.report import Report, Share, between
from tests.bench.vision.truth import CLEAR, Scene

ALONE = {"renders": (0.995, 0.92), "photos": (0.99, 11 / 12)}
"""Targets from the corners alone: points, whole boards."""

ADAPTED = 0.9995
SURE = 0.9
MOST_COUNTED = 6
BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.001)
SHARES = (CLEAR, 0.1, 0.3, 1.001)


def report_points(report: Report, sets: Sequence[ReadSet], failures: Failures) -> None:
    """Figures of each set, tables over all of a kind, the failing pictures. Of games the hand-free frames alone."""
    sets = [one.hand_free() if one.kind == "game" else one for one in sets]
    for one in sets:
        for error, count in Counter(read.error for read in one.reads if read.error).items():
            report.notes.append(f"{one.name}: {count} pictures without a reading: {error}")
        for read in one.reads:
            _draw(one, read, failures)
        if one.kind == "game":
            continue
        points, boards = ALONE[one.kind]
        report.share(f"{one.name}: points, corners only, no layers", one.points(layers=False), points)
        report.share(f"{one.name}: points, corners only, with layers", one.points(layers=True), points)
        report.share(f"{one.name}: whole boards", one.boards(), boards)
    games = [one for one in sets if one.kind == "game"]
    if games:
        _report_adapted(report, games)
    for kind, title in (("renders", "corners only"), ("photos", "photographs"), ("game", "games, adapted")):
        reads = list(all_of(sets, kind))
        if reads:
            _tables(report, title, reads)


def report_hidden(report: Report, sets: Sequence[ReadSet], failures: Failures) -> None:
    """Points under a hand: hidden is a right answer, a wrong count with confidence is not."""
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for one in sets:
        if one.kind == "photos":
            continue  # nobody knows what lies under the hand there
        for read in one.reads:
            for place, share in _covered(read):
                assert read.places is not None
                reading, name = read.places[place - 1], between(share, SHARES)
                fault = not reading.occluded and not read.exact(place)
                if fault and read.count(place) == read.scene.points[place - 1].count + read.scene.held:
                    table[name]["held one counted"] += 1  # it is there to be seen, at or above its place
                    fault = False
                sure = fault and reading.confidence > SURE
                table[name]["points"] += 1
                table[name]["said hidden"] += reading.occluded
                table[name]["read right"] += not reading.occluded and read.exact(place)
                table[name]["read wrong"] += fault
                table[name]["wrong and sure"] += sure
                table[name]["empty and sure"] += sure and not reading.count
                if sure:
                    failures.add(f"hidden/{one.name}", f"{read.scene.path.stem}_{place}", *_shown(read))
    if not table:
        return
    columns = (
        "points",
        "said hidden",
        "read right",
        "held one counted",
        "read wrong",
        "wrong and sure",
        "empty and sure",
    )
    lines = [(name, *(str(row[column]) for column in columns)) for name, row in sorted(table.items())]
    report.table("Points under a hand, by the share covered", ("covered", *columns), lines)
    wrong = sum(row["wrong and sure"] for row in table.values())
    report.most("points under a hand, wrong with confidence over 0.9", wrong, 0)
    report.most("... of them called empty", sum(row["empty and sure"] for row in table.values()), 0)


def _covered(read: Read) -> Iterable[tuple[int, float]]:
    if read.places is not None:
        for place, point in enumerate(read.scene.points, 1):
            if point.hidden > CLEAR and not point.mixed:
                yield place, point.hidden


def _report_adapted(report: Report, games: Sequence[ReadSet]) -> None:
    with_layers, without = Share(), Share()
    lines = []
    for one in games:
        exact, strict = one.points(layers=True), one.points(layers=False)
        with_layers = Share(with_layers.got + exact.got, with_layers.of + exact.of)
        without = Share(without.got + strict.got, without.of + strict.of)
        boards = one.boards()
        lines.append((one.name, str(strict), str(exact), str(boards)))
    report.table(
        "Games after their start position, hand-free frames", ("", "no layers", "with layers", "boards"), lines
    )
    report.share("games: points after the start position, no layers", without, ADAPTED)
    report.share("games: points after the start position, with layers", with_layers, ADAPTED)


def _tables(report: Report, title: str, reads: Sequence[Read]) -> None:
    for key in sorted({key for read in reads for key in read.scene.style}):
        _by(report, f"Points by {key}, {title}", reads, partial(_styled, key))
    _by(report, f"Points by arrangement, {title}", reads, _arranged)
    plain = [
        (read, place)
        for read in reads
        if read.places
        for place in read.asked
        if not read.scene.points[place - 1].layers
    ]
    _confusion(report, title, plain)
    _honesty(report, title, plain)


def _by(report: Report, title: str, reads: Sequence[Read], of: Callable[[Read, int], str]) -> None:
    shares: dict[str, Share] = defaultdict(Share)
    for read in reads:
        for place in read.asked:
            shares[of(read, place)].add(read.exact(place))
    lines = sorted((share.value, name, share) for name, share in shares.items())
    report.table(title, ("", "exact"), [(name, str(share)) for _, name, share in lines])


def _styled(key: str, read: Read, place: int) -> str:
    return read.scene.style.get(key, "?")


def _arranged(read: Read, place: int) -> str:
    point = read.scene.points[place - 1]
    return "empty" if not point.count else point.arrangement


def _confusion(report: Report, title: str, plain: Sequence[tuple[Read, int]]) -> None:
    counts: Counter[tuple[int, str]] = Counter()
    colours: Counter[tuple[str, str]] = Counter()
    for read, place in plain:
        assert read.places is not None
        true, reading = read.scene.points[place - 1].count, read.places[place - 1]
        got = "hidden" if reading.occluded else _counted(reading.count)
        counts[min(abs(true), MOST_COUNTED), got] += 1
        if true and reading.count:
            mixed = reading.colour == "mixed"
            colours[_colour(true), "mixed" if mixed else _colour(read.count(place))] += 1
    seen = [*(_counted(n) for n in range(MOST_COUNTED + 1)), "hidden"]
    lines = [(_counted(n), *(str(counts[n, got] or ".") for got in seen)) for n in range(MOST_COUNTED + 1)]
    report.table(f"Counts, {title}: true (down) and read (across), no layers", ("", *seen), lines)
    named = ("light", "dark", "mixed")
    lines = [(true, *(str(colours[true, got] or ".") for got in named)) for true in named[:2]]
    report.table(f"Colours, {title}: true (down) and read (across)", ("", *named), lines)


def _honesty(report: Report, title: str, plain: Sequence[tuple[Read, int]]) -> None:
    shares: dict[str, Share] = defaultdict(Share)
    for read, place in plain:
        assert read.places is not None
        if not read.places[place - 1].occluded:
            shares[between(read.places[place - 1].confidence, BINS)].add(read.exact(place))
    lines = [(name, str(share)) for name, share in sorted(shares.items())]
    report.table(f"Confidence, {title}: said and right", ("said", "right"), lines)


def _counted(n: int) -> str:
    return str(n) if n < MOST_COUNTED else f"{MOST_COUNTED}+"


def _colour(n: int) -> str:
    return "light" if n > 0 else "dark"


def _draw(one: ReadSet, read: Read, failures: Failures) -> None:
    if not read.board_right:
        failures.add(f"points/{one.name}", read.scene.path.stem, *_shown(read))


def _shown(read: Read) -> tuple[Scene, list[Mark], str]:
    """Picture, marks and caption: true and read counts on the points that are wrong."""
    wrong = [
        place
        for place in range(1, 25)
        if read.places is not None
        and not read.scene.points[place - 1].mixed
        and not read.exact(place)
        and not (read.places[place - 1].occluded and not read.scene.points[place - 1].asked)
    ]
    marks = [
        (
            spot(read.scene.corners, place),
            f"{place}: {read.scene.points[place - 1].count:+d} read {_said(read, place)}",
        )
        for place in wrong
    ]
    caption = "" if read.bar_right else f"bar {read.scene.bar} read {read.bar}"
    return read.scene, marks, read.error[:100] or caption


def _said(read: Read, place: int) -> str:
    assert read.places is not None
    reading = read.places[place - 1]
    return "hidden" if reading.occluded else f"{read.count(place):+d} ({reading.confidence:.2f})"

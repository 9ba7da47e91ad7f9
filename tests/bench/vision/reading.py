"""Pictures through the product: calibrated from their corners alone, or from a game's first pictures, then read."""

from __future__ import annotations

import contextlib
import io
import math
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from calibration.file import Calibration, load
from calibration.layout import Layout
from nardy_hw.cli import main
from nardy_hw.referee.belief import likeliest
from nardy_hw.rules.position import Variant
from nardy_hw.vision.eyes import Eyes
from nardy_hw.vision.observation import DieReading, Observation, PlaceReading
from nardy_hw.vision.sources import Frame
from tests.bench.vision.report import Share, progress
from tests.bench.vision.truth import Game, Point, Scene

NEAR = 22.0
"""Pixels within which a die that was read is the true one."""


@dataclass(frozen=True, slots=True)
class DicePaired:
    """The dice read of one picture beside the true ones. of: for each true die its reading. false: the others."""

    of: tuple[DieReading | None, ...]
    false: tuple[DieReading, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """One picture, read. places: readings of places 1..24, with `swapped` colours where the truth leaves them open.
    bar: light, dark. error: why there is no reading."""

    scene: Scene
    places: tuple[PlaceReading, ...] | None
    swapped: bool
    bar: tuple[int, int]
    dice: DicePaired
    error: str = ""

    def count(self, place: int) -> int:
        """Signed count as read."""
        return 0 if self.places is None else signed(self.places[place - 1], self.swapped)

    def exact(self, place: int) -> bool:
        """Right count and colour; of checkers in layers, right colour and no more than there are."""
        return self.places is not None and _exact(
            self.scene.points[place - 1], self.places[place - 1], self.count(place)
        )

    @property
    def asked(self) -> list[int]:
        return [place for place in range(1, 25) if self.scene.points[place - 1].asked]

    @property
    def bar_right(self) -> bool:
        return self.bar == self.scene.bar or (self.scene.either and self.bar[::-1] == self.scene.bar)

    @property
    def board_right(self) -> bool:
        return self.bar_right and all(self.exact(place) for place in self.asked)


@dataclass(slots=True)
class ReadSet:
    """All pictures of one source. kind: renders, photos or game."""

    name: str
    kind: str
    reads: list[Read] = field(default_factory=list)

    def points(self, *, layers: bool) -> Share:
        share = Share()
        for read in self.reads:
            for place in read.asked:
                if layers or not read.scene.points[place - 1].layers:
                    share.add(read.exact(place))
        return share

    def boards(self) -> Share:
        return Share(sum(read.board_right for read in self.reads), len(self.reads))

    def hand_free(self) -> ReadSet:
        return ReadSet(self.name, self.kind, [read for read in self.reads if not read.scene.hand])


def signed(reading: PlaceReading, swapped: bool = False) -> int:
    light = (reading.colour == "light") != swapped
    return reading.count if light else -reading.count


def calibrated(*arguments: str) -> Calibration:
    """What `nardy-hw calibrate` makes of the arguments. Raises ValueError with its one line where it refuses."""
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "board.toml"
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
            code = main(["calibrate", *arguments, "--output", str(path)])
        if code:
            raise ValueError(said.getvalue().strip())
        return load(path)


def calibrated_game(game: Game) -> Calibration:
    """From the empty board, and from the start where it is the game's opening."""
    known = ["--start-image", str(game.start.path)] if game.from_opening else []
    empty = str(game.empty.path)
    layout = ["--variant", game.variant, "--white-home", game.white_home]
    return calibrated("--image", empty, "--empty-image", empty, "--corners", game.empty.corners_text, *layout, *known)


def read_alone(name: str, kind: str, scenes: Sequence[Scene]) -> ReadSet:
    """Each picture from its corners alone."""
    found = ReadSet(name, kind)
    for scene in progress(scenes, name):
        try:
            calibration = calibrated("--image", str(scene.path), "--corners", scene.corners_text)
        except ValueError as error:
            found.reads.append(unread(scene, error))
            continue
        seen = Eyes(calibration).read(Frame(0.0, 0, scene.picture))
        found.reads.append(judged(scene, seen, calibration.layout))
    return found


def read_game(game: Game, limit: int | None) -> ReadSet:
    """Each frame, after the eyes have seen the start position, as at the table."""
    found, frames = ReadSet(game.name, "game"), spread(game.frames, limit)
    try:
        calibration = calibrated_game(game)
    except ValueError as error:
        found.reads = [unread(scene, error) for scene in frames]
        return found
    eyes = Eyes(calibration)
    eyes.read(Frame(0.0, 0, game.start.picture))
    eyes.teach([n or 0 for n in game.position["points"]])
    for scene in progress(frames, game.name):
        found.reads.append(judged(scene, eyes.read(Frame(0.0, 0, scene.picture)), calibration.layout))
    return found


def spread(items: Sequence[Scene], limit: int | None) -> Sequence[Scene]:
    """At most so many of them, from the first to the last."""
    if limit is None or len(items) <= limit:
        return items
    return [items[i * len(items) // limit] for i in range(limit)]


def unread(scene: Scene, error: Exception) -> Read:
    return Read(scene, None, False, (-1, -1), DicePaired((None,) * len(scene.dice), ()), str(error))


def judged(scene: Scene, seen: Observation, layout: Layout) -> Read:
    places = tuple(seen.points[layout.place(place) - 1] for place in range(1, 25))
    position = likeliest(seen, Variant(layout.variant), white_is_light=True)
    swapped = scene.either and _right(scene, places, swapped=True) > _right(scene, places, swapped=False)
    return Read(scene, places, swapped, position.bar, _paired(scene, seen.dice))


def _right(scene: Scene, places: Sequence[PlaceReading], *, swapped: bool) -> int:
    pairs = zip(scene.points, places, strict=True)
    return sum(_exact(point, place, signed(place, swapped)) for point, place in pairs if point.asked)


def _exact(point: Point, reading: PlaceReading, n: int) -> bool:
    if n == point.count:
        return True
    return point.layers and reading.at_least and n * point.count > 0 and abs(n) <= abs(point.count)


def _paired(scene: Scene, dice: Sequence[DieReading]) -> DicePaired:
    left, pairs = list(dice), list[DieReading | None]()
    for die in scene.dice:
        nearest = min(left, key=lambda reading: _apart(reading, die.centre), default=None)
        if nearest is not None and _apart(nearest, die.centre) < NEAR:
            left.remove(nearest)
            pairs.append(nearest)
        else:
            pairs.append(None)
    false = tuple(reading for reading in left if all(_apart(reading, at) >= NEAR for at in scene.ignored))
    return DicePaired(tuple(pairs), false)


def _apart(reading: DieReading, at: tuple[float, float]) -> float:
    return math.dist(reading.centre, at)


def all_of(sets: Sequence[ReadSet], kind: str) -> Iterator[Read]:
    for one in sets:
        if one.kind == kind:
            yield from one.reads

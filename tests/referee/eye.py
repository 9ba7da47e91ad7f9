"""A simulated eye: scenes of known truth as observations, with as much noise as wanted."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardy_hw.referee.core import Referee, Seats
from nardy_hw.referee.events import Event, Started
from nardy_hw.rules.notation import parse_play
from nardy_hw.rules.position import Player, Position
from nardy_hw.vision.observation import FLAT, FLAT_MIXED, DieReading, Observation, PlaceReading

DATA = Path(__file__).parents[1] / "data" / "referee"


@dataclass(frozen=True)
class Level:
    """How well it sees. step: nats that a count one off costs. noise: scatter of every entry of a table, half of it the
    same in all reads of a scene. misread: share of places that a scene shows one off. miss: share of reads that miss
    a die. doubt: probability that a die's read keeps for a wrong value; in one read of ten it is the better one."""

    step: float = 5.0
    noise: float = 0.3
    misread: float = 0.0
    miss: float = 0.0
    doubt: float = 0.001


CLEAR = Level()
FAIR = Level(step=4.0, noise=0.8, misread=0.003, miss=0.01, doubt=0.005)
POOR = Level(step=3.0, noise=1.5, misread=0.01, miss=0.03, doubt=0.01)


@dataclass(frozen=True)
class Shown:
    """One scene. points: 24 signed counts, White +, or (White's, Black's) where both are. dice: (value, state, half)
    and maybe (x, y) of the centre. hidden: points that a hand covers."""

    points: Sequence[Any]
    bar: tuple[int, int] = (0, 0)
    dice: Sequence[tuple[Any, ...]] = ()
    hidden: Sequence[int] = ()
    hand: bool = False
    still: bool = True
    field_found: bool = True

    @classmethod
    def of(cls, position: Position, dice: Sequence[tuple[Any, ...]] = (), **more: Any) -> Shown:
        return cls(position.points, position.bar, dice, **more)


@dataclass
class Eye:
    """Turns scenes into frames. The first frame of a scene is never still, as motion led to it."""

    level: Level = CLEAR
    seed: int = 0
    white_is_light: bool = True
    fps: float = 4.0
    frame: int = 0
    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)

    def see(self, shown: Shown, seconds: float = 1.0) -> Iterator[Observation]:
        """The frames of one scene."""
        common = self.rng.normal(0, self.level.noise * 0.7, (24, 47))
        off = np.where(self.rng.random(24) < self.level.misread, self.rng.choice((-1, 1), 24), 0)
        for i in range(round(seconds * self.fps)):
            t, n = self.frame / self.fps, self.frame
            self.frame += 1
            yield self.read(shown, common, off, t, n, still=shown.still and i > 0)

    def read(
        self, shown: Shown, common: NDArray[np.float64], off: NDArray[np.int64], t: float, n: int, still: bool
    ) -> Observation:
        noise = common + self.rng.normal(0, self.level.noise * 0.7, (24, 47))
        points = [self._point(shown, i, noise[i], int(off[i])) for i in range(24)]
        bars = [self._bar(count) for count in shown.bar]
        if not self.white_is_light:
            bars.reverse()
        dice = [self._die(die) for die in shown.dice if self.rng.random() >= self.level.miss]
        return Observation(
            t,
            n,
            tuple(points),
            bars[0],
            bars[1],
            tuple(dice),
            still=still,
            hand=shown.hand,
            field_found=shown.field_found,
        )

    def _point(self, shown: Shown, i: int, noise: NDArray[np.float64], off: int) -> PlaceReading:
        if i + 1 in shown.hidden:
            return PlaceReading(FLAT, FLAT_MIXED, None, 0, occluded=True)
        truth = shown.points[i]
        both = None if isinstance(truth, int) else sum(truth)
        count = (both or 0) if both else truth + off * (1 if truth >= 0 else -1)
        counts = np.arange(-15, 16)
        wrong = np.where(counts * count < 0, 8.0, 0.0)
        table = -self.level.step * np.abs(np.abs(counts) - abs(count)) - wrong
        mixed = -self.level.step * np.abs(np.arange(16) - abs(count)) - 8.0
        if both:
            table, mixed = table - 6.0, mixed + 8.0
        table, mixed = table + noise[:31], mixed + noise[31:]
        top = max(table.max(), mixed.max())
        table, mixed = np.maximum(table - top, -12.0), np.maximum(mixed - top, -12.0)
        if not self.white_is_light:
            table = table[::-1]
        return PlaceReading(table.astype(np.float32), mixed.astype(np.float32), None, abs(int(count)))

    def _bar(self, count: int) -> NDArray[np.float32]:
        table = -self.level.step * np.abs(np.arange(16) - count) + self.rng.normal(0, self.level.noise, 16)
        return np.maximum(table - table.max(), -12.0).astype(np.float32)

    def _die(self, die: tuple[Any, ...]) -> DieReading:
        value, state, half, *at = die
        centre = tuple(at) if at else (700.0 if half == "right" else 250.0, 300.0 + 40.0 * value)
        centre = centre[0] + float(self.rng.normal(0, 0.5)), centre[1] + float(self.rng.normal(0, 0.5))
        doubt = self.level.doubt * float(self.rng.lognormal(0, 1))
        if self.rng.random() < 0.1 and self.level.doubt > 0.002:
            doubt = 0.6
        values = np.full(6, 1e-5)
        values[value - 1] = 1 - min(doubt, 0.9)
        values[value % 6] = min(doubt, 0.9)
        values /= values.sum()
        return DieReading(
            int(values.argmax()) + 1, state, half, centre, float(values.max()), tuple(float(v) for v in values)
        )


def watch(referee: Referee, observations: Iterator[Observation]) -> list[Event]:
    """All that the referee says to them."""
    return [event for seen in observations for event in referee.observe(seen)]


@cache
def _load(name: str) -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = json.loads(gzip.decompress((DATA / name).read_bytes()))
    return games


def rendered_games() -> list[dict[str, Any]]:
    """The truth of the four rendered games, frame by frame, in the product's own numbering."""
    return _load("rendered_games.json.gz")


def whole_games() -> list[dict[str, Any]]:
    """Games that engines played, turn by turn, from the start: player, dice and the position after."""
    return _load("whole_games.json.gz")


def start_of(game: dict[str, Any]) -> Position:
    return position_of(game, game["frames"][0])


def position_of(game: dict[str, Any], frame: dict[str, Any]) -> Position:
    bar, off = frame["bar"], frame["off"]
    return Position.from_json(
        {
            "variant": game["variant"],
            "points": frame["points"],
            "bar": {"white": bar[0], "black": bar[1]},
            "off": {"white": off[0], "black": off[1]},
        }
    )


def scene_of(frame: dict[str, Any]) -> tuple[Shown, float]:
    """A frame of a rendered game as a scene, and how long the feed holds it."""
    dice = [tuple(die[:5]) for die in frame["dice"] if die[5] >= 0.5]
    shown = Shown(frame["points"], tuple(frame["bar"]), dice, frame.get("hidden", ()), frame.get("hand", False))
    return shown, 0.5 if frame["phase"] == "hand" else 1.0


def thrown(half: str, one: int, two: int, state: str = "flat", turn: int = 0) -> list[tuple[Any, ...]]:
    """Two dice on a half of the picture, the second one in that state; no two turns' dice lie alike."""
    x, y = (600.0 if half == "right" else 200.0) + 20.0 * one, 200.0 + 20.0 * two + 37.0 * (turn % 5)
    return [(one, "flat", half, x, y), (two, state, half, x + 60.0, y)]


class Table:
    """A referee, and an eye on one board. White throws on the right."""

    def __init__(
        self, start: Position, turn: Player | None = Player.WHITE, *, eye: Eye | None = None, **more: Any
    ) -> None:
        self.eye = eye or Eye()
        self.referee = Referee(start, turn=turn, seats=Seats("right", self.eye.white_is_light), **more)
        self.said: list[Event] = []
        self.position = start

    def show(self, position: Position | Shown | None = None, *dice: tuple[Any, ...], **more: Any) -> list[Event]:
        """One scene: what is said in it but that the game began. The position stays until another is shown."""
        seconds = more.pop("seconds", 1.0)
        if isinstance(position, Position):
            self.position = position
        shown = position if isinstance(position, Shown) else Shown.of(self.position, dice, **more)
        events = watch(self.referee, self.eye.see(shown, seconds))
        begun = bool(self.said)
        self.said += events
        return events if begun else [event for event in events if not isinstance(event, Started)]

    def throw(self, player: Player, one: int, two: int, **more: Any) -> list[Event]:
        return self.show(None, *thrown("right" if player is Player.WHITE else "left", one, two), **more)

    def play(
        self, player: Player, dice: tuple[int, int], text: str, first_turn: bool = False, before: Position | None = None
    ) -> Position:
        """The position after a legal play, from the referee's where none is given."""
        return parse_play(text, before or self.referee.position, player, dice, first_turn=first_turn).after

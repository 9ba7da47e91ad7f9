"""Games through the whole pipeline: film in, events out, set beside what was truly thrown and played."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardy_hw.daemon.pipeline import GivenRoll, follow
from nardy_hw.daemon.table import seats
from nardy_hw.referee.core import Referee
from nardy_hw.referee.events import as_json
from nardy_hw.rules.position import Player, Position
from nardy_hw.vision.eyes import Eyes
from nardy_hw.vision.sources import Frame, open_source
from nardy_hw.vision.sources.frame import Closing
from tests.bench.vision.drawing import Failures
from tests.bench.vision.reading import calibrated_game
from tests.bench.vision.report import Report, Share, progress
from tests.bench.vision.truth import Expected, Game, position_key

ROLLS, PLAYS, VIOLATIONS = 0.9, 0.9, 0.8
"""Targets."""

Picture = NDArray[np.uint8]
Change = Callable[[Game, float, Picture], Picture]
"""Of a game, the seconds into it, and a frame: the frame as it would then look."""


class Film(Closing):
    """The film of a game, as far as the game goes, its frames changed on their way."""

    def __init__(self, game: Game, change: Change | None) -> None:
        self._game, self._change = game, change
        self._source = open_source(str(game.film))
        self.fps = self._source.fps

    def __iter__(self) -> Iterator[Frame]:
        for frame in self._source:
            if frame.t >= self._game.seconds:
                return
            yield replace(frame, picture=self._change(self._game, frame.t, frame.picture)) if self._change else frame

    def close(self) -> None:
        self._source.close()


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that the referee said, in the terms of `Expected`."""

    type: str
    player: str
    key: Any
    code: str
    t: float
    warning: bool = False


@dataclass(slots=True)
class Outcome:
    """Of one game or several. wrong: violations that were none; warnings: warnings that were none.
    missing, false: of one game, its frame and what was missing there, or said wrongly."""

    rolls: Share = field(default_factory=Share)
    plays: Share = field(default_factory=Share)
    violations: Share = field(default_factory=Share)
    codes: Share = field(default_factory=Share)
    wrong: int = 0
    warnings: int = 0
    missing: list[tuple[int, str]] = field(default_factory=list)
    false: list[tuple[int, str]] = field(default_factory=list)

    def plus(self, other: Outcome) -> None:
        for mine, theirs in zip(self.shares(), other.shares(), strict=True):
            mine.got += theirs.got
            mine.of += theirs.of
        self.wrong += other.wrong
        self.warnings += other.warnings

    def shares(self) -> tuple[Share, ...]:
        return self.rolls, self.plays, self.violations, self.codes

    def cells(self) -> tuple[str, ...]:
        return (*(f"{share.got}/{share.of}" for share in self.shares()), str(self.wrong), str(self.warnings))


HEAD = ("rolls", "plays", "violations", "codes", "false accusations", "false warnings")


def report_games(report: Report, games: Sequence[Game], failures: Failures) -> None:
    """With the camera's dice, then with the throws given."""
    lines = []
    for given, title in ((False, "camera's dice"), (True, "dice given")):
        total = Outcome()
        for game in progress(games, f"games, {title}"):
            outcome = score(game, replay(game, given=given))
            tell(report, failures, game, title, outcome.missing + outcome.false)
            total.plus(outcome)
            lines.append((f"{game.name}, {title}", *outcome.cells()))
        lines.append((f"all, {title}", *total.cells()))
        names = ("rolls", "plays", "violations", "codes")
        for name, share, target in zip(names, total.shares(), (ROLLS, PLAYS, VIOLATIONS, None), strict=True):
            report.share(f"games, {title}: {name}", share, target)
        report.most(f"games, {title}: false accusations", total.wrong, 0)
        report.most(f"games, {title}: false warnings", total.warnings, 0)
    report.table("Games through the whole pipeline", ("", *HEAD), lines)


def replay(game: Game, *, given: bool = False, change: Change | None = None) -> list[Said]:
    """What the referee says to the film. given: throws come from the truth, as electronic dice would give them.
    Nothing, and a line on stderr, where the game's first pictures are refused."""
    try:
        calibration = calibrated_game(game)
    except ValueError as error:
        print(f"{game.name}: {error}", file=sys.stderr)
        return []
    rolls = [GivenRoll(t, Player(player), dice) for t, player, dice in game.rolls] if given else []
    start = Position.from_json(game.position)
    referee = Referee(start, turn=Player(game.first), seats=seats(calibration), trusted_rolls=given)
    said: list[Said] = []
    with Film(game, change) as film:
        for step in follow(film, Eyes(calibration), referee, rolls):
            for event in step.events:
                said += _said(as_json(event))
    return said


def _said(event: dict[str, Any]) -> list[Said]:
    match event["type"]:
        case "roll":
            return [Said("roll", event["player"], tuple(sorted(event["dice"])), "", event["t"])]
        case "play" | "stands" as name:
            return [Said(name, event["player"], position_key(event["position"]), "", event["t"])]
        case "violation" | "warning" as name:
            return [Said("violation", event["player"], None, event["code"], event["t"], name == "warning")]
    return []


def score(game: Game, said: Sequence[Said]) -> Outcome:
    """Pairs what was said with what was expected, in order, as many as possible."""
    outcome = Outcome()
    pairs = dict(aligned(game.expected, said))
    for i, wanted in enumerate(game.expected):
        got = said[pairs[i]] if i in pairs else None
        there = got is not None
        if wanted.type == "roll":
            outcome.rolls.add(there)
        elif wanted.type == "play":
            outcome.plays.add(there)
        elif wanted.codes is None:
            continue
        else:
            there = got is not None and not got.warning
            outcome.violations.add(there)
            outcome.codes.add(got is not None and got.code in wanted.codes)
        if not there:
            dice = f" {wanted.key[0]}-{wanted.key[1]}" if wanted.type == "roll" else ""
            outcome.missing.append((wanted.frame, f"no {wanted.type} of {wanted.player}{dice}"))
    met = set(pairs.values())
    for j, one in enumerate(said):
        if one.type != "violation" or j in met:
            continue
        outcome.wrong += not one.warning
        outcome.warnings += one.warning
        frame = max((k for k, t in enumerate(game.shown) if t <= one.t), default=0)
        outcome.false.append((frame, f"false {'warning' if one.warning else 'accusation'} {one.code} of {one.player}"))
    return outcome


def tell(report: Report, failures: Failures, game: Game, title: str, amiss: Sequence[tuple[int, str]]) -> None:
    """Notes what is amiss in a game, and draws the frames."""
    for frame, what in amiss:
        scene = game.frames[frame]
        report.notes.append(f"{game.name}, {title}: {game.shown[frame]:.1f} s, {scene.path.name}: {what}")
        failures.add(f"games/{game.name}", f"{scene.path.stem}_{title}_{what}".replace(" ", "_"), scene, [], what)


def aligned(expected: Sequence[Expected], said: Sequence[Said]) -> list[tuple[int, int]]:
    """The longest common subsequence by type, player and key: pairs of indices."""
    rows, columns = len(expected), len(said)
    longest = [[0] * (columns + 1) for _ in range(rows + 1)]

    def same(i: int, j: int) -> bool:
        a, b = expected[i], said[j]
        return (a.type, a.player, a.key) == (b.type, b.player, b.key)

    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            longest[i][j] = 1 + longest[i + 1][j + 1] if same(i, j) else max(longest[i + 1][j], longest[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < rows and j < columns:
        if same(i, j):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs

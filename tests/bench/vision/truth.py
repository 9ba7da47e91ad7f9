"""What truly lies in a picture, and what truly happens in a game: the truth files, in one form for all measures.

A truth file is JSON Lines. Renders: one object a still, or a header and one object a frame of a game; photographs: one
object a picture. Places are 1..24 as in calibration.layout; colours are light and dark, light positive.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import WHITE_HOMES, Layout

CLEAR = 0.02
"""Share of a point that a hand may cover while its count is still asked for."""

HIDDEN_PHOTO = 1.0
"""Photographs only tell that a point is covered, not how far."""

VARIANTS = {"bg": "short", "long": "long"}
PLAYERS = {"light": "white", "dark": "black"}
HELD = {"hand": 0.5}
"""Seconds for which a game's film shows a frame of that phase; one second otherwise."""

CODES = {
    "wrong_pip_count": {"wrong_distance", "too_many_moves", "die_not_played"},
    "moved_with_man_on_bar": {"bar_first"},
    "moved_opponent_checker": {"opponents_checker_moved", "wrong_player"},
    "landed_on_blocked": {"blocked_point", "blocked_stop"},
    "did_not_play_playable_die": {"die_not_played", "both_dice_playable"},
    "smaller_die_played": {"larger_die_required"},
    "two_from_head": {"head_rule"},
    "six_prime": {"prime_rule"},
    "bear_off_too_early": {"bear_off_too_early"},
    "put_back_elsewhere": {"wrong_distance", "too_many_moves", "opponents_checker_moved", "wrong_direction"},
    "wrong_direction": {"wrong_direction"},
}
"""The mistakes that games are made with, and the codes that name them."""


@dataclass(frozen=True, slots=True)
class Point:
    """One place. count: signed. hidden: share that a hand or sleeve covers."""

    count: int
    mixed: bool = False
    arrangement: str = "column"
    hidden: float = 0.0

    @property
    def asked(self) -> bool:
        """Must its reading be right?"""
        return not self.mixed and self.hidden <= CLEAR

    @property
    def layers(self) -> bool:
        return self.arrangement == "layers"


@dataclass(frozen=True, slots=True)
class Die:
    """value: None where nobody can read it. tilted: must be thrown again. centre: pixels."""

    value: int | None
    tilted: bool
    centre: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture with its truth.

    points: places 1..24. bar: light, dark. ignored: centres of dice that are neither wanted nor false.
    either: which colour is called the light one is open. radius: a checker's in pixels, where known.
    held: 1 or -1, the checker between the fingers, which counts as lying nowhere.
    """

    path: Path
    corners: tuple[tuple[float, float], ...]
    points: tuple[Point, ...]
    bar: tuple[int, int]
    dice: tuple[Die, ...]
    ignored: tuple[tuple[float, float], ...] = ()
    style: dict[str, str] = field(default_factory=dict)
    either: bool = False
    hand: bool = False
    radius: float | None = None
    held: int = 0
    trays: str | None = None
    """right, left, both or none; None where nobody has told."""

    @property
    def corners_text(self) -> str:
        """As `calibrate --corners` takes them."""
        return " ".join(f"{x},{y}" for x, y in self.corners)

    @property
    def picture(self) -> NDArray[np.uint8]:
        picture = cv2.imread(str(self.path))
        if picture is None:
            raise SystemExit(f"{self.path} is not a picture")
        return np.asarray(picture, np.uint8)


@dataclass(frozen=True, slots=True)
class Expected:
    """One thing that the referee should say. key: the dice of a throw, the position of a play, None for a violation.

    codes: of a violation; None: neither wanted nor false, the play was not final. frame: index of the game's frame.
    """

    type: str
    player: str
    key: Any
    codes: frozenset[str] | None
    frame: int


@dataclass(frozen=True, slots=True)
class Game:
    """A filmed game. empty, start: its first pictures. frames: all after the empty board, with `phases` and `shown`,
    the seconds into the film at which each appears. rolls: (seconds, player, dice)."""

    folder: Path
    variant: str
    white_home: str
    from_opening: bool
    first: str
    position: dict[str, Any]
    empty: Scene
    frames: tuple[Scene, ...]
    phases: tuple[str, ...]
    shown: tuple[float, ...]
    rolls: tuple[tuple[float, str, tuple[int, int]], ...]
    expected: tuple[Expected, ...]

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def film(self) -> Path:
        return self.folder / "feed.mp4"

    @property
    def start(self) -> Scene:
        return self.frames[self.phases.index("start")]

    @property
    def seconds(self) -> float:
        return self.shown[-1] + HELD.get(self.phases[-1], 1.0)

    def cut(self, frames: int) -> Game:
        """The game as if it had ended after so many frames."""
        kept = self.shown[:frames]
        return replace(
            self,
            frames=self.frames[:frames],
            phases=self.phases[:frames],
            shown=kept,
            rolls=tuple(roll for roll in self.rolls if roll[0] <= kept[-1] + 0.25),
            expected=tuple(wanted for wanted in self.expected if wanted.frame < frames),
        )

    def middle(self) -> float:
        """Seconds: in the midst of the first scene with a hand in the second half, when a bump does no wrong."""
        late = [t for t, phase in zip(self.shown, self.phases, strict=True) if phase == "hand" and t > self.seconds / 2]
        return (late[0] if late else self.seconds / 2) + HELD["hand"] / 2


def stills(truth: Path, root: Path) -> list[Scene]:
    """The pictures of a truth file of renders; `file` is relative to root."""
    return [_rendered(record, root / record["file"], record["board"], record["style"]) for record in _lines(truth)]


def photos(truth: Path, root: Path) -> list[Scene]:
    """The pictures of a truth file of photographs."""
    return [_photographed(record, root) for record in _lines(truth)]


def games(folder: Path) -> list[Game]:
    """The game in a folder, or those in its subfolders."""
    if (folder / "truth.jsonl").exists():
        return [_game(folder)]
    return [_game(path.parent) for path in sorted(folder.glob("*/truth.jsonl"))]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _rendered(record: dict[str, Any], path: Path, board: dict[str, Any], style: dict[str, Any]) -> Scene:
    hidden = record["hand_occlusion_by_point"]
    points = tuple(
        Point(_signed(p), p["colour"] == "mixed", p.get("arrangement", "column"), hidden.get(str(place), 0.0))
        for place in range(1, 25)
        for p in [record["points"][str(place)]]
    )
    dice, ignored = [], []
    for die in record["dice"]:
        clear = die["visible_frac"] > 0.5 and die["where"] != "table" and die["kind"] != "fallback"
        if clear:
            dice.append(Die(die["value"], die["cocked"], tuple(die["centre_px"])))
        else:
            ignored.append(tuple(die["centre_px"]))
    a, b, c, d = corners = tuple(tuple(c) for c in record["field_corners_px"])
    width = (math.dist(a, b) + math.dist(c, d)) / 2
    return Scene(
        path,
        corners,
        points,
        (record["bar"]["light"], record["bar"]["dark"]),
        tuple(dice),
        tuple(ignored),
        {key: style[key] for key in ("board", "checkers", "dice")} | {"light": _light(record, style)},
        hand=record["hand_fraction"] > 0 or record.get("phase") == "hand",
        held={"light": 1, "dark": -1}.get(record["in_hand"], 0),
        radius=style["checker_diam_m"] / 2 / board["field_w_m"] * width,
        trays=board["trays"],
    )


def _photographed(record: dict[str, Any], root: Path) -> Scene:
    hidden = set(record["occluded"])
    return Scene(
        root / record["file"],
        tuple(tuple(c) for c in record["corners"]),
        tuple(Point(n, hidden=HIDDEN_PHOTO if place in hidden else 0.0) for place, n in enumerate(record["points"], 1)),
        (record["bar"]["light"], record["bar"]["dark"]),
        tuple(Die(d["value"], "cocked" in d.get("state", ""), tuple(d["xy"])) for d in record["dice"]),
        style={"view": record["view"].split(",")[0], "set": record["file"].split("_")[0]},
        either=True,
        hand=bool(hidden),
    )


def _light(record: dict[str, Any], style: dict[str, Any]) -> str:
    """In a game it may change from frame to frame."""
    light = record.get("light")
    return light if isinstance(light, str) else style.get("light", "?")


def _signed(point: dict[str, Any]) -> int:
    return 0 if not point["count"] else point["count"] if point["colour"] == "light" else -point["count"]


def _game(folder: Path) -> Game:
    head, *records = _lines(folder / "truth.jsonl")
    variant = VARIANTS[head["variant"]]
    places = head["light_own_to_physical"]
    home = next(home for home in WHITE_HOMES if Layout("short", home).place(1) == places[0])
    first_empty = next(r for r in records if r["phase"] == "empty")
    shown_records = [r for r in records if r["frame"] >= 0]
    start = next(r for r in shown_records if r["phase"] == "start")
    t, shown = 0.0, []
    for record in shown_records:
        shown.append(t)
        t += HELD.get(record["phase"], 1.0)
    scenes = [_rendered(r, folder / r["file"], head["board"], head["style"]) for r in shown_records]
    return Game(
        folder,
        variant,
        home,
        head["start"] == "open",
        PLAYERS[next(r for r in shown_records if r["phase"].startswith("dice"))["player"]],
        _position(start, variant, places),
        _rendered(
            {"field_corners_px": start["field_corners_px"]} | first_empty,
            folder / first_empty["file"],
            head["board"],
            head["style"],
        ),
        tuple(scenes),
        tuple(r["phase"] for r in shown_records),
        tuple(shown),
        tuple(
            (began + 0.25, PLAYERS[r["player"]], (r["dice_thrown"][0], r["dice_thrown"][1]))
            for began, r in zip(shown, shown_records, strict=True)
            if r["phase"] == "dice"
        ),
        tuple(_expected(shown_records, variant, places)),
    )


def _position(record: dict[str, Any], variant: str, places: list[int]) -> dict[str, Any]:
    """The JSON of a position; None for a point with both colours."""
    points = [record["points"][str(place)] for place in places]
    return {
        "variant": variant,
        "points": [None if p["colour"] == "mixed" and p["count"] else _signed(p) for p in points],
        "bar": {PLAYERS[colour]: n for colour, n in record["bar"].items()},
        "off": {PLAYERS[colour]: n for colour, n in record["off"].items()},
    }


def position_key(position: dict[str, Any]) -> tuple[Any, ...]:
    """Equal for equal positions."""
    return (*position["points"], *(position[place][who] for place in ("bar", "off") for who in ("white", "black")))


def _expected(records: list[dict[str, Any]], variant: str, places: list[int]) -> list[Expected]:
    wanted = []
    for i, record in enumerate(records):
        player = PLAYERS.get(record.get("player") or "", "")
        if record["phase"] == "dice":
            wanted.append(Expected("roll", player, tuple(sorted(record["dice_thrown"])), None, i))
        elif record["phase"] == "after" and record.get("legal", True):
            wanted.append(Expected("play", player, position_key(_position(record, variant, places)), None, i))
        elif record["phase"] == "after":
            error = record["error"]
            codes = frozenset(CODES.get(error, {error})) if record.get("dice_lifted", True) else None
            wanted.append(Expected("violation", player, None, codes, i))
    return wanted

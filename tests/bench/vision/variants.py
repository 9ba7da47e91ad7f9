"""The same games under worse conditions: noise, other light, a nudge, blur, a poor stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tests.bench.vision.drawing import Failures
from tests.bench.vision.games import HEAD, Change, Outcome, Picture, replay, score, tell
from tests.bench.vision.report import Report, progress
from tests.bench.vision.truth import Game


@dataclass(frozen=True, slots=True)
class Variant:
    name: str
    change: Change


def noise(sigma: float) -> Change:
    """Grey levels, each pixel and colour by itself, new in each frame."""

    def change(game: Game, t: float, picture: Picture) -> Picture:
        grains = np.random.default_rng(round(1000 * t)).standard_normal(picture.shape, np.float32)
        return np.asarray(np.clip(picture + sigma * grains + 0.5, 0, 255), np.uint8)

    return change


def light(*gains: float) -> Change:
    """From the middle of the game on; one gain, or three: blue, green, red."""

    def change(game: Game, t: float, picture: Picture) -> Picture:
        return picture if t < game.middle() else _lit(picture, gains)

    return change


def dusk(to: float) -> Change:
    """From full light at the beginning evenly down to that share of it at the end."""

    def change(game: Game, t: float, picture: Picture) -> Picture:
        return _lit(picture, (1 - (1 - to) * t / game.seconds,))

    return change


def nudge(share: float) -> Change:
    """From the middle of the game on the picture is shifted by that share of its width, half as much again upwards,
    and turned about its centre until its edge has moved as far."""

    def change(game: Game, t: float, picture: Picture) -> Picture:
        if t < game.middle():
            return picture
        height, width = picture.shape[:2]
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), np.degrees(2 * share), 1.0)
        matrix[:, 2] += share * width, -share * width / 2
        moved = cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(moved, np.uint8)

    return change


def blur(sigma: float) -> Change:
    """Pixels."""
    return lambda game, t, picture: np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)


def jpeg(quality: int) -> Change:
    def change(game: Game, t: float, picture: Picture) -> Picture:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    return change


def _lit(picture: Picture, gains: tuple[float, ...]) -> Picture:
    return np.asarray(np.clip(picture * np.array(gains, np.float32) + 0.5, 0, 255), np.uint8)


VARIANTS = (
    Variant("noise 8", noise(8)),
    Variant("noise 15", noise(15)),
    Variant("light 0.6", light(0.6)),
    Variant("light 1.4", light(1.4)),
    Variant("dusk to 0.5", dusk(0.5)),
    Variant("warm light", light(0.75, 0.95, 1.1)),
    Variant("nudge 0.5%", nudge(0.005)),
    Variant("nudge 1.5%", nudge(0.015)),
    Variant("blur 1.5", blur(1.5)),
    Variant("JPEG 30", jpeg(30)),
)


def report_variants(report: Report, games: Sequence[Game], failures: Failures) -> None:
    """Each variant of each game, with the camera's dice."""
    lines, wrong = [], 0
    runs = [(variant, game) for variant in VARIANTS for game in games]
    totals = {variant.name: Outcome() for variant in VARIANTS}
    for variant, game in progress(runs, "variants"):
        said = replay(game, change=variant.change)
        outcome = score(game, said)
        totals[variant.name].plus(outcome)
        wrong += outcome.wrong
        tell(report, failures, game, variant.name, outcome.false)
    lines = [(name, *total.cells()) for name, total in totals.items()]
    report.table("Games under worse conditions, camera's dice", ("", *HEAD), lines)
    report.most("variants: false accusations", wrong, 0)

"""Time of a read beside one pass of a Hough transform over the same picture, and the memory that a game takes.

One process, one thread, processor time; the two take turns, so that another program's load touches both alike.
"""

from __future__ import annotations

import cProfile
import json
import pstats
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from calibration.file import save
from nardy_hw.vision.eyes import Eyes
from nardy_hw.vision.sources import Frame
from tests.bench.vision.reading import calibrated, calibrated_game
from tests.bench.vision.report import Report, progress
from tests.bench.vision.truth import Game, Scene

READ_RATIO, IDLE_RATIO, MOST_MEMORY = 1.5, 0.1, 200
PICTURES, ROUNDS = 12, 5
BAND = 0.18
"""Radii looked for, around the known one."""

SENSOR = 2.0
"""Grey levels of noise between two frames in which nothing moves."""

RESTED = 12
"""Frames after which a scene has been read often enough."""

LEAST_SHARE = 0.02
"""Of the time of a read, below which a function is not worth a line."""

GAME = """
import sys
from nardy_hw.cli import main
code = main(sys.argv[1:])
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")), file=sys.stderr)
sys.exit(code)
"""
"""What getrusage says of a child begins with what its parent had; the kernel's own high-water mark does not."""


def report_timing(report: Report, scenes: Sequence[Scene]) -> None:
    """scenes: with known checker radii."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        _time(report, scenes[:: max(1, len(scenes) // PICTURES)][:PICTURES])
    finally:
        cv2.setNumThreads(threads)


def _time(report: Report, scenes: Sequence[Scene]) -> None:
    hough, reads, idle = list[float](), list[float](), list[float]()
    profile = cProfile.Profile(time.process_time)
    for scene in progress(scenes, "timing"):
        _time_one(scene, hough, reads, idle, profile)
    peer, read, rest = (statistics.median(times) for times in (hough, reads, idle))
    text = f"{read / peer:.2f} ({_ms(read)} by {_ms(peer)})"
    report.most("full read by Hough circles, ratio", read / peer, READ_RATIO, text)
    report.most("idle frame by Hough circles, ratio", rest / peer, IDLE_RATIO, f"{rest / peer:.3f} ({_ms(rest)})")
    _split(report, profile, len(scenes))


def _time_one(
    scene: Scene, hough: list[float], reads: list[float], idle: list[float], profile: cProfile.Profile
) -> None:
    picture, radius = scene.picture, scene.radius
    assert radius is not None
    eyes = Eyes(calibrated("--image", str(scene.path), "--corners", scene.corners_text))
    grain = np.random.default_rng(7).normal(0, SENSOR, (2, *picture.shape))
    resting = [np.asarray(np.clip(picture + g, 0, 255), np.uint8) for g in grain]
    eyes.read(Frame(0.0, 0, picture))  # the first one allocates
    for _ in range(ROUNDS):
        hough.append(_took(lambda: circles(picture, radius)))
        reads.append(_took(lambda: eyes.read(Frame(0.0, 0, picture))))
    for n in range(RESTED + ROUNDS):
        spent = _took(partial(eyes.look, Frame(float(n), n, resting[n % 2])))
        if n >= RESTED:
            idle.append(spent)
    profile.enable()
    eyes.read(Frame(0.0, 0, picture))
    profile.disable()


def circles(picture: np.ndarray, radius: float) -> object:
    """The core step of those who find checkers as circles."""
    grey = cv2.medianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), 5)
    least, most = round(radius * (1 - BAND)), round(radius * (1 + BAND))
    return cv2.HoughCircles(
        grey, cv2.HOUGH_GRADIENT, 1.2, 1.5 * radius, param1=60, param2=25, minRadius=least, maxRadius=most
    )


def _took(do: Callable[[], object]) -> float:
    begun = time.process_time()
    do()
    return time.process_time() - begun


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"


def _split(report: Report, profile: cProfile.Profile, reads: int) -> None:
    """Where a read's time goes: the product's own functions with what they call, and each network under its reader."""
    stats = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    times: dict[str, float] = {}
    for (file, _, function), (_, _, _, cumulative, callers) in stats.items():
        if _own(file):
            times[f"{Path(file).stem}.{function}"] = cumulative
        elif "forward" in function:
            for (caller_file, _, caller), entry in callers.items():
                times[f"  network in {Path(caller_file).stem}.{caller}"] = entry[3]
    whole = times.get("eyes.read", max(times.values()))
    lines = [
        (name, _ms(spent / reads), f"{spent / whole:.0%}")
        for name, spent in sorted(times.items(), key=lambda item: -item[1])
        if spent > LEAST_SHARE * whole
    ]
    report.table("Where a read's time goes (each with what it calls)", ("", "a read", "share"), lines)


def _own(file: str) -> bool:
    return "/nardy_hw/" in file or "/calibration/" in file


def report_memory(report: Report, game: Game) -> None:
    """Peak resident memory of `nardy-hw replay` on a game."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "board.toml"
        position = Path(folder) / "start.json"
        save(calibrated_game(game), path)
        position.write_text(json.dumps(game.position), encoding="utf-8")
        begin = ["--position", str(position), "--turn", game.first, "--variant", game.variant]
        replay = ["replay", str(game.film), "--calibration", str(path), *begin, "--json"]
        done = subprocess.run([sys.executable, "-c", GAME, *replay], capture_output=True, text=True)
    if done.returncode:
        report.notes.append(f"memory: replay of {game.name} failed: {done.stderr.strip()[-200:]}")
        return
    peak = int(done.stderr.split("VmHWM:")[1].split()[0]) / 1024
    report.most("peak memory of a replay, MB", peak, MOST_MEMORY, f"{peak:.0f} ({game.name})")

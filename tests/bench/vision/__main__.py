"""Every figure of the vision in one run, on folders of pictures and games with truth.

    python -m tests.bench.vision --stills TRUTH.jsonl:ROOT --games DIR --photos TRUTH.jsonl:ROOT --out DIR

What is not given is not measured, and said so. Figures and tables on stdout, progress on stderr, failing pictures with
what is wrong in them under --out. A run on everything takes half an hour, most of it for the variants; --limit and
--only make it short.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tests.bench.vision.dice import report_dice
from tests.bench.vision.drawing import Failures
from tests.bench.vision.field import report_field
from tests.bench.vision.games import report_games
from tests.bench.vision.points import report_hidden, report_points
from tests.bench.vision.reading import ReadSet, read_alone, read_game, spread
from tests.bench.vision.report import Report
from tests.bench.vision.timing import report_memory, report_timing
from tests.bench.vision.truth import Game, Scene, games, photos, stills
from tests.bench.vision.variants import report_variants

MEASURES = ("points", "hidden", "dice", "field", "games", "variants", "timing")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision", description="every figure of the vision")
    parser.add_argument("--stills", nargs="+", default=[], metavar="TRUTH.jsonl:ROOT", help="rendered pictures")
    parser.add_argument("--photos", nargs="+", default=[], metavar="TRUTH.jsonl:ROOT", help="photographs")
    parser.add_argument("--games", nargs="+", default=[], type=Path, metavar="DIR", help="a game, or a folder of games")
    parser.add_argument("--calib", type=Path, metavar="DIR", help="boards empty and at the start (truth_boards.jsonl)")
    parser.add_argument("--only", default=",".join(MEASURES), metavar="A,B", help=f"some of {', '.join(MEASURES)}")
    parser.add_argument(
        "--limit", type=int, metavar="N", help="pictures of each source, evenly chosen; films are whole"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="for failing pictures")
    parser.add_argument("--json", type=Path, metavar="FILE", help="the figures for programs")
    args = parser.parse_args()
    only = args.only.split(",")
    if unknown := set(only) - set(MEASURES):
        parser.error(f"--only is some of {', '.join(MEASURES)}, not {', '.join(sorted(unknown))}")

    report, failures = Report(), Failures(args.out)
    try:
        pictures = gathered(args)
        played = [game for folder in args.games for game in games(folder)]
    except (OSError, ValueError) as error:
        parser.error(f"no truth there: {error}")
    for given, what in (
        (args.stills, "--stills"),
        (args.photos, "--photos"),
        (args.calib, "--calib"),
        (played, "--games"),
    ):
        if not given:
            report.notes.append(f"skipped: {what} was not given")
    measure(report, failures, only, pictures, played, args.limit)
    print(report)
    if args.json:
        args.json.write_text(json.dumps(report.as_json(), indent=1), encoding="utf-8")


def gathered(args: argparse.Namespace) -> dict[tuple[str, str], list[Scene]]:
    """The pictures named on the command line, by name and kind. Raises OSError, ValueError."""
    pictures = {}
    for kind, named, read in (("renders", args.stills, stills), ("photos", args.photos, photos)):
        for text in named:
            truth, _, root = text.rpartition(":")
            pictures[_name(Path(truth)), kind] = read(Path(truth), Path(root))
    if args.calib:
        pictures["calib", "renders"] = stills(args.calib / "truth_boards.jsonl", args.calib.parent)
    return {key: list(spread(scenes, args.limit)) for key, scenes in pictures.items()}


def measure(
    report: Report,
    failures: Failures,
    only: list[str],
    pictures: dict[tuple[str, str], list[Scene]],
    played: list[Game],
    limit: int | None,
) -> None:
    """pictures: by name and kind."""
    if {"points", "hidden", "dice"} & set(only):
        sets: list[ReadSet] = [read_alone(name, kind, scenes) for (name, kind), scenes in pictures.items()]
        sets += [read_game(game, limit) for game in played]
        for name, tell in (("points", report_points), ("hidden", report_hidden), ("dice", report_dice)):
            if name in only:
                tell(report, sets, failures)
    if "field" in only:
        for (name, _), scenes in pictures.items():
            report_field(report, name, scenes, failures)
        if played:
            report_field(report, "games", [scene for game in played for scene in (game.empty, game.start)], failures)
    films = [game.cut(limit) for game in played] if limit else played
    if films and "games" in only:
        report_games(report, films, failures)
    if films and "variants" in only:
        report_variants(report, films, failures)
    if "timing" in only:
        known = [scene for scenes in pictures.values() for scene in scenes if scene.radius]
        if known:
            report_timing(report, known)
        if played:
            report_memory(report, played[0])


def _name(truth: Path) -> str:
    """The two folders that a truth file lies in."""
    return "/".join(truth.resolve().parent.parts[-2:])


if __name__ == "__main__":
    main()

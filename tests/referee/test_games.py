"""Whole games through the simulated eye: everything right when it sees well, and nobody accused when it does not."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from eye import CLEAR, FAIR, Eye, Level, Shown, position_of, rendered_games, scene_of, start_of, thrown, whole_games

from nardy_hw.referee.core import Referee, Seats
from nardy_hw.referee.events import (
    Event,
    GameOver,
    PlayMade,
    Roll,
    Stands,
    Unsure,
    ViolationSeen,
    WarningGiven,
)
from nardy_hw.rules.position import Player, Position, Variant


def rendered(game: dict[str, Any], eye: Eye, given: bool) -> list[tuple[dict[str, Any], list[Event]]]:
    """The events of each scene of a rendered game, at the feed's own timing."""
    frames = game["frames"]
    first = next(frame for frame in frames if frame["phase"].startswith("dice"))
    seats = Seats(game["white_half"], eye.white_is_light)
    referee = Referee(start_of(game), turn=Player(first["player"]), seats=seats, trusted_rolls=given)
    said = []
    for frame in frames:
        shown, seconds = scene_of(frame)
        events: list[Event] = []
        for n, seen in enumerate(eye.see(shown, seconds)):
            if given and frame["phase"] == "dice" and n == 1:
                events += referee.roll(seen.t, seen.frame, Player(frame["player"]), tuple(frame["thrown"]), "given")
            events += referee.observe(seen)
        said.append((frame, events))
    said[-1][1].extend(referee.finish(eye.frame / eye.fps, eye.frame))
    return said


def of(said: list[tuple[dict[str, Any], list[Event]]], *kinds: type) -> Iterator[Event]:
    return (event for _, events in said for event in events if isinstance(event, kinds))


@pytest.mark.parametrize("given", [False, True], ids=["camera dice", "given dice"])
@pytest.mark.parametrize("game", rendered_games(), ids=lambda game: game["id"])
def test_a_rendered_game_seen_clearly(game, given):
    said = rendered(game, Eye(CLEAR, 1), given)
    rolls = [(roll.player, sorted(roll.dice)) for roll in of(said, Roll)]
    assert rolls == [(f["player"], sorted(f["thrown"])) for f in game["frames"] if f["phase"] == "dice"]
    plays = [(play.player, play.position) for play in of(said, PlayMade)]
    ends = [f for f in game["frames"] if f["phase"] == "after" and f["legal"]]
    assert plays == [(f["player"], position_of(game, f)) for f in ends]
    for frame, events in said:
        faults = [event for event in events if isinstance(event, ViolationSeen | WarningGiven)]
        if not faults:
            assert frame["phase"] != "after" or frame["legal"] or not frame["lifted"]
            continue
        (fault,) = faults
        assert frame["phase"] == "after", "nobody did anything wrong here"
        assert fault.code in frame["codes"]
        assert isinstance(fault, ViolationSeen if frame["lifted"] else WarningGiven)
    assert not [*of(said, Unsure, Stands)]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("game", rendered_games(), ids=lambda game: game["id"])
def test_a_rendered_game_seen_fairly(game, seed):
    said = rendered(game, Eye(FAIR, seed, white_is_light=seed == 1), given=False)
    for frame, events in said:
        if any(isinstance(event, ViolationSeen | WarningGiven) for event in events):
            assert (frame["phase"], frame.get("legal")) == ("after", False)
    wanted = [position_of(game, f) for f in game["frames"] if f["phase"] == "after" and f["legal"]]
    missed = Counter(wanted) - Counter(play.position for play in of(said, PlayMade))
    assert missed.total() <= 1


def test_a_rendered_game_at_thirty_frames_a_second():
    game = rendered_games()[3]
    game = game | {"frames": game["frames"][:36]}
    said = rendered(game, Eye(CLEAR, 1, fps=30.0), given=False)
    ends = [position_of(game, f) for f in game["frames"] if f["phase"] == "after" and f["legal"]]
    assert [play.position for play in of(said, PlayMade)] == ends


BAD_DICE = Level(noise=0.5, miss=0.05, doubt=0.03)


@pytest.mark.parametrize("level", [CLEAR, BAD_DICE], ids=["clear", "bad dice"])
@pytest.mark.parametrize("game", whole_games(), ids=lambda game: game["id"])
def test_a_whole_game_of_engines(game, level):
    """Dice for a second, then the play without them. What broke the rules stands, and the game goes on from there."""
    start = Position.start(Variant(game["variant"]))
    turns = game["turns"][:30]
    eye = Eye(level, 4)
    referee = Referee(start, turn=Player.WHITE, seats=Seats())
    before, events = start, []
    for number, turn in enumerate(turns):
        after = position_of(game, turn)
        dice = thrown("right" if turn["player"] == "white" else "left", *turn["dice"], turn=number)
        for shown in (Shown.of(before, dice), Shown.of(after)):
            for seen in eye.see(shown):
                events += referee.observe(seen)
        before = after
    events += referee.finish(eye.frame / eye.fps, eye.frame)
    true = [event for event in events if isinstance(event, PlayMade | Stands)]
    ends = [(turn["player"], position_of(game, turn)) for turn in turns]
    accused = [event for event in events if isinstance(event, ViolationSeen)]
    wrong = [turn for turn in turns if not turn.get("legal", True)]
    if level is CLEAR:
        assert [(event.player, event.position) for event in true] == ends[: len(true)]
        assert len(true) >= len(ends) - 1  # the last one may still wait for its correction
        assert [event.code for event in accused] == ["prime_rule"] * len(wrong)
    else:
        assert len(accused) <= len(wrong)
        assert len(set(ends) & {(event.player, event.position) for event in true}) >= 0.9 * len(ends)


def test_the_end_of_a_whole_game():
    game = next(game for game in whole_games() if game["id"] == "gl003")
    turns = game["turns"][-6:]
    first = position_of(game, game["turns"][-7])
    eye = Eye(CLEAR, 1)
    referee = Referee(first, turn=Player(turns[0]["player"]), seats=Seats())
    before, events = first, []
    for number, turn in enumerate(turns):
        after = position_of(game, turn)
        dice = thrown("right" if turn["player"] == "white" else "left", *turn["dice"], turn=number)
        for shown in (Shown.of(before, dice), Shown.of(after)):
            for seen in eye.see(shown):
                events += referee.observe(seen)
        before = after
    assert isinstance(events[-1], GameOver)
    assert events[-1].winner == turns[-1]["player"]

"""Results, time and dice of a few matches, counted by hand."""

from played import BLACK, SHORT, WHITE, moved, played, record, started

from nardy_hw.record.statistics import statistics
from nardy_hw.referee import events as e

ONE = moved(SHORT, (8, -1), (5, +1), (6, -1), (5, +1))
FAULT = {"code": "wrong_distance", "rule": "S6", "text": "24/19", "repair": "19 back to 24", "position": ONE}


def roll(t, player, dice, source="camera"):
    return e.Roll(t=t, frame=0, player=player, dice=dice, source=source)


def play(t, player, dice, after):
    return e.PlayMade(t=t, frame=0, player=player, dice=dice, text="?", position=after, confidence=1)


MATCH = (
    started(),
    roll(10, WHITE, (3, 1)),
    play(14, WHITE, (3, 1), ONE),
    roll(20, BLACK, (6, 6), "roller"),
    roll(21, BLACK, (6, 5), "roller"),
    e.ViolationSeen(t=25, frame=0, player=BLACK, dice=(6, 5), **FAULT),
    play(29, BLACK, (6, 5), ONE),
    e.Scored(t=30, frame=0, winner=BLACK, points=2, how="resign", score=(0, 2)),
    e.MatchOver(t=30, frame=0, winner=BLACK, score=(0, 2)),
)


def test_a_match():
    found = statistics([record(*MATCH, length=2, board="club 3")])
    ona, petro = found.players["Ona"], found.players["Petro"]
    assert (ona.matches, ona.won, ona.games, ona.games_won, ona.points_won, ona.points_lost) == (1, 0, 1, 0, 0, 2)
    assert (petro.matches, petro.won, petro.games_won, petro.points_won, petro.points_lost) == (1, 1, 1, 2, 0)
    assert (ona.faults, petro.faults) == (0, 1)
    assert (ona.seconds, petro.seconds) == ([4], [8])
    assert {key: dice.faces for key, dice in found.dice.items()} == {
        ("club 3", "camera"): [1, 0, 1, 0, 0, 0],
        ("club 3", "roller"): [0, 0, 0, 0, 1, 3],
    }


def test_several_add_up_and_times_of_files_are_none():
    still = [played(WHITE, (3, 1), "8/5 6/5", ONE)]
    found = statistics([record(*MATCH), record(*MATCH), record(started(), roll(0, WHITE, (3, 1), "file"), *still)])
    ona = found.players["Ona"]
    assert (ona.matches, ona.mean_s, ona.median_s) == (3, 4.0, 4.0)
    assert sum(found.dice["", "roller"].faces) == 8


def test_dice_that_are_not_fair():
    """100 throws: 60 sixes more than their share. Chi-square by hand: expected 33.3 each of 200 faces."""
    throws = [roll(t, WHITE, (t % 6 + 1, 6)) for t in range(100)]
    dice = statistics([record(started(), *throws)]).dice["", "camera"]
    assert dice.faces == [17, 17, 17, 17, 16, 116]
    assert round(dice.chi_square, 1) == 246.0
    assert dice.chance < 1e-9
    assert statistics([record(started(), *throws[:20])]).dice["", "camera"].chance is None

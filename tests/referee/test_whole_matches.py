"""Whole matches of GNU Backgammon, from the first game to the last, as a table would show them."""

from __future__ import annotations

import pytest
from match_files import games_of
from match_table import MatchTable, kinds, of

from nardy_hw.referee import commands as c
from nardy_hw.referee import events as e
from nardy_hw.referee.states import Phase
from nardy_hw.rules.position import Player, Variant


def play_game(table, game):
    """One game of the file: its turns at the table, and how it ended."""
    first = next(turn for turn in game.turns if turn.what == "play")
    cube = 1
    table.begin()
    if game.opening_cube > 1:
        assert kinds(table.opening(3, 3)) == ["tie"]
    high, low = max(first.dice), min(first.dice)
    if game.turns[0].what == "play":
        table.opening(*((high, low) if first.player is Player.WHITE else (low, high)))
    last = None
    for number, turn in enumerate(game.turns):
        match turn.what:
            case "play":
                if number:
                    table.throw(turn.player, *turn.dice)
                table.show(turn.after)
                last = turn.after
            case "double":
                assert of(table.do(c.Double, turn.player), e.Doubled)[0].value == turn.value
            case "take":
                table.do(c.Take, turn.player)
                cube = table.referee.standing.match.cube.value
            case "drop":
                table.do(c.Drop, turn.player)
    if game.turns[-1].what != "drop" and last.off[game.winner.side] < 15:
        loser = game.winner.other
        table.do(c.Resign, loser, points=game.points // cube)
        table.do(c.Accept, game.winner)


@pytest.mark.parametrize("name", ["m01", "m02", "m03", "m04", "m05", "m06", "m07", "m08", "s11"])
def test_a_match_of_engines(name):
    length, games = games_of(name)
    settings = {} if length else {"jacoby": True, "automatic_doubles": 1}
    table = MatchTable(Variant.SHORT, length, **settings)
    for number, game in enumerate(games, 1):
        begun = len(table.said)
        play_game(table, game)
        said = table.said[begun:]
        (started,) = of(said, e.GameStarted)
        assert (started.number, started.score) == (number, game.score)
        needs_one = length > 1 and length - 1 in game.score
        before = [g.score for g in games[: number - 1]]
        assert started.crawford == (needs_one and not any(length - 1 in score for score in before))
        plays = [(p.player, p.position) for p in of(said, e.PlayMade)]
        assert plays == [(turn.player, turn.after) for turn in game.turns if turn.what == "play"]
        (scored,) = of(said, e.Scored)
        assert (scored.winner, scored.points) == (game.winner, game.points)
        assert not of(said, e.ViolationSeen) and not of(said, e.WarningGiven) and not of(said, e.Unsure)
    score = list(games[-1].score)
    score[games[-1].winner.side] += games[-1].points
    assert table.referee.standing.match.score == tuple(score)
    if length:
        assert of(table.said, e.MatchOver) == [table.said[-1]]
        assert table.said[-1].winner is games[-1].winner
        assert table.referee.standing.phase is Phase.OVER
    else:
        assert not of(table.said, e.MatchOver)

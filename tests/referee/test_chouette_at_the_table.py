"""Three against the box, at one board (C11)."""

import pytest
from match_table import MatchTable, kinds, of
from test_rules_at_the_table import B, W, position

from nardy_hw.errors import RefusedError
from nardy_hw.referee import commands as c
from nardy_hw.referee import events as e
from nardy_hw.referee.states import Phase

LINE = ("Ona", "Petro", "Aigul", "Timur")


def table_of_four():
    table = MatchTable(length=0, chouette=LINE)
    table.begin()
    table.opening(3, 1)
    table.play(W, (3, 1), "8/5 6/5")
    return table


def team(table):
    return table.referee.standing.chouette


def test_the_team_doubles_with_one_voice_and_the_box_passes():
    table = table_of_four()
    with pytest.raises(RefusedError, match="Petro, Aigul, Timur"):
        table.do(c.Double, B)
    for name in LINE[1:]:
        table.do(c.Vote, name=name, yes=True)
    assert kinds(table.do(c.Double, B)) == ["double"]
    said = table.do(c.Drop, W)
    assert of(said, e.LinedUp)[0].score == {"Ona": -3, "Petro": 1, "Aigul": 1, "Timur": 1}
    assert of(said, e.LinedUp)[0].line == ("Petro", "Aigul", "Timur", "Ona")


def test_each_answers_the_box_for_himself():
    table = table_of_four()
    played_black = table.throw(B, 6, 5)
    assert of(played_black, e.Roll)
    table.play(B, (6, 5), "24/13")
    assert kinds(table.do(c.Double, W)) == ["double"]
    with pytest.raises(RefusedError, match="himself"):
        table.do(c.Take, B)
    with pytest.raises(RefusedError, match="team"):
        table.do(c.Vote, name="Ona", yes=True)
    table.do(c.Vote, name="Petro", yes=False)
    table.do(c.Vote, name="Aigul", yes=True)
    assert kinds(table.do(c.Vote, name="Timur", yes=True)) == ["vote", "take"]
    assert (team(table).captain, team(table).cube, team(table).score["Petro"]) == ("Aigul", 2, -1)
    table.referee = table.again()  # the record alone tells all of it
    assert (team(table).captain, team(table).cube, team(table).score["Ona"]) == ("Aigul", 2, 1)
    table.do(c.Resign, B, points=2)
    said = table.do(c.Accept, W)
    assert of(said, e.LinedUp)[0].score == {"Ona": 9, "Petro": -1, "Aigul": -4, "Timur": -4}
    assert table.referee.standing.phase is Phase.SCORED
    table.begin()
    assert team(table).line == ("Ona", "Petro", "Timur", "Aigul") and team(table).game


def test_all_pass_and_a_game_played_out():
    table = table_of_four()
    table.throw(B, 6, 5)
    table.play(B, (6, 5), "24/13")
    table.do(c.Double, W)
    for name in LINE[1:]:
        said = table.do(c.Vote, name=name, yes=False)
    assert kinds(said) == ["vote", "drop", "score", "chouette"]
    table.position = position({1: 2, 12: -15})
    table.begin()
    table.do(c.SetBoard, by="d", reason="test", position=position({1: 2, 12: -15}), turn=W)
    table.throw(W, 6, 5)
    said = table.show(position({12: -15}))
    assert of(said, e.LinedUp)[0].score == {"Ona": 9, "Petro": -3, "Aigul": -3, "Timur": -3}

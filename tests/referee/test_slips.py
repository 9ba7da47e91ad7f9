"""A slip of each kind in the first turns of games of engines: called by its code, put right, and played on."""

from __future__ import annotations

import pytest
from eye import Level, position_of, whole_games
from match_table import MatchTable, of
from slips import slips

from nardy_hw.referee import commands as c
from nardy_hw.referee import events as e
from nardy_hw.rules.plays import legal_plays
from nardy_hw.rules.position import Player, Position, Variant

SHARP = Level(step=10.0, noise=0.0)


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("game", [g for g in whole_games() if g["id"] != "gx000"], ids=lambda game: game["id"])
def test_a_slip_in_every_turn(game, number):
    before = Position.start(Variant(game["variant"]))
    table = MatchTable(before.variant, 0, level=SHARP, mode="monitor")
    first = Player(game["turns"][0]["player"])
    table.do(c.SetBoard, by="test", reason="start", position=before, turn=first)
    called = 0
    for index, turn in enumerate(game["turns"][:12]):
        player, dice, after = Player(turn["player"]), tuple(turn["dice"]), position_of(game, turn)
        made = list(slips(before, player, dice, legal_plays(before, player, dice, first_turn=index < 2)))
        table.throw(player, *dice)
        if made:
            slip = made[(index + number) % len(made)]
            calls = of(table.show(slip.board.shown()), e.ViolationSeen)
            assert [call.player for call in calls] in ([], [player])
            assert all(call.code in (slip.code, *slip.others) for call in calls), slip.kind
            called += len(calls) == 1
        plays = of(table.show(after), e.PlayMade)
        assert [play.position for play in plays] == [after]
        before = after
    assert called >= min(12, len(game["turns"])) - 2  # what differs in one place alone is doubted, never called

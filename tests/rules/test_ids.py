import pytest
from golden import at, position, records, turns

from nardy_hw.errors import NotationError, PositionError
from nardy_hw.rules.ids import from_position_id, from_xgid, position_id, xgid
from nardy_hw.rules.position import Player, Position, Variant

START = Position.start(Variant.SHORT)


@pytest.mark.parametrize("player", Player)
def test_position_ids_that_gnu_backgammon_wrote(player):
    for record in records("gnubg_ids"):
        mine, his = (
            {p: n for p, n in enumerate(record[side], 1) if n} for side in ("board_me", "board_opp")
        )  # points 1..24 and the bar
        found = at("short", mine, his) if player is Player.WHITE else at("short", his, mine)
        assert position_id(found, player) == record["position_id"]
        assert from_position_id(record["position_id"], player) == found


def test_ids_of_the_golden_positions():
    for record, mover in turns("short_moves"):
        found = position("short", record["pos"], mover)
        assert position_id(found, mover) == record["gnuid"]
        dice = tuple(record["dice"])
        assert from_xgid(xgid(found, mover, dice)) == (found, mover, dice)
        if mover is Player.WHITE:
            assert xgid(found, mover, dice).startswith(f"XGID={record['pos']}:0:0:1:{dice[0]}{dice[1]}:")


def test_the_start():
    assert position_id(START, Player.WHITE) == "4HPwATDgc/ABMA"
    assert xgid(START, Player.BLACK) == "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10"
    assert from_xgid("-b----E-C---eE---c-e----B-:1:-1:-1:D:3:2:0:7:10") == (START, Player.BLACK, None)


@pytest.mark.parametrize(
    "text",
    ["", "4HPwATDgc/ABM", "4HPwATDgc/ABMAA", "4HPwATDgc ABMA", "//////////////", "4HPwATDgc/ABŁA", "/////w8AAAAAAA"],
)
def test_text_that_is_no_position_id(text):
    with pytest.raises(NotationError):
        from_position_id(text, Player.WHITE)


@pytest.mark.parametrize(
    "text",
    [
        "XGID=",
        "XGID=-b----E-C---eE---c-e----B:0:0:1:00:0:0:0:0:10",  # 25 letters
        "XGID=-b----E-C---eE---c-e----B-:0:0:0:00:0:0:0:0:10",  # nobody's turn
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:67:0:0:0:0:10",
        "XGID=-b----E-C---eP---c-e----B-:0:0:1:00:0:0:0:0:10",
        "XGID=-b----E-O---eE---c-e----B-:0:0:1:00:0:0:0:0:10",  # 27 checkers
        "XGID=Bb----E-C---eE---c-e------:0:0:1:00:0:0:0:0:10",  # the bars exchanged
    ],
)
def test_text_that_is_no_xgid(text):
    with pytest.raises(NotationError):
        from_xgid(text)


def test_long_nardy_has_no_ids():
    long = Position.start(Variant.LONG)
    for write in (position_id, xgid):
        with pytest.raises(PositionError, match="short nardy"):
            write(long, Player.WHITE)

import pytest
from golden import at, position, turns

from nardy_hw.errors import NotationError
from nardy_hw.rules.notation import format_moves, format_play, parse_moves, parse_play
from nardy_hw.rules.options import STRICT
from nardy_hw.rules.play import Move
from nardy_hw.rules.plays import legal_plays
from nardy_hw.rules.position import Player, Position, Variant

WHITE = Player.WHITE
SHORT = Position.start(Variant.SHORT)


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ([], "no play"),
        ([Move(13, 8), Move(6, 5, True)], "13/8 6/5*"),
        ([Move(25, 22)], "bar/22"),
        ([Move(6, 0)], "6/off"),
        ([Move(8, 5), Move(8, 5)], "8/5(2)"),
        ([Move(24, 18), Move(18, 13)], "24/13"),
        ([Move(24, 18, True), Move(18, 13)], "24/18* 18/13"),  # the stop shows where the hit was
        ([Move(24, 18), Move(18, 13, True)], "24/13*"),
        ([Move(8, 5, True), Move(8, 5)], "8/5*(2)"),
        ([Move(24, 21), Move(24, 21), Move(21, 18), Move(21, 18)], "24/18(2)"),
        ([Move(8, 4), Move(4, 0), Move(3, 0)], "8/off 3/off"),
        ([Move(6, 0), Move(5, 0)], "6/off 5/off"),
    ],
)
def test_format(moves, text):
    assert format_moves(moves) == text


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("no play", ()),
        (" 13/8  6/5* ", (Move(13, 8), Move(6, 5, True))),
        ("BAR/22", (Move(25, 22),)),
        ("25/22 6/0", (Move(25, 22), Move(6, 0))),
        ("8/5*(2)", (Move(8, 5, True), Move(8, 5))),
        ("24/18*/13", (Move(24, 18, True), Move(18, 13))),
        ("24/13", (Move(24, 13),)),
    ],
)
def test_parse_moves(text, moves):
    assert parse_moves(text) == moves


@pytest.mark.parametrize("text", ["", "13", "13/", "13-8", "26/20", "13/8(5)", "13/8(0)", "x/y", "13/8,6/5", "8/5**"])
def test_text_that_is_no_play(text):
    with pytest.raises(NotationError):
        parse_moves(text)


@pytest.mark.parametrize("text", ["24/13", "24/18/13", "24/18 18/13", "24/19 24/18", "13/8 13/7", "13/7 13/8"])
def test_a_play_is_found_however_it_is_written(text):
    dice = (6, 5)
    if text == "24/19 24/18":  # Black's five are on 19
        with pytest.raises(NotationError, match="no legal play of 6-5"):
            parse_play(text, SHORT, WHITE, dice)
    else:
        assert format_play(parse_play(text, SHORT, WHITE, dice)) in {"24/13", "13/7 13/8"}


def test_stars_may_be_left_out_unless_two_plays_differ_by_a_hit():
    """10/7 with 2-1: by 8, where a black blot is hit and passed, or by 9."""
    before = at("short", {10: 1, 1: 14}, {17: 1, 24: 0, 2: 14})
    assert format_play(parse_play("10/8*/7", before, WHITE, (2, 1))) == "10/8* 8/7"
    assert format_play(parse_play("10/8* 8/7", before, WHITE, (2, 1))) == "10/8* 8/7"
    assert format_play(parse_play("10/9/7", before, WHITE, (2, 1))) == "10/7"
    one_way = at("short", {10: 1, 1: 14}, {18: 1, 2: 14})
    assert format_play(parse_play("10/7", one_way, WHITE, (2, 1))) == "10/7*"
    with pytest.raises(NotationError):
        parse_play("10/9*/7", one_way, WHITE, (2, 1))


def test_no_play_only_where_there_is_none():
    closed = at("short", {25: 1, 6: 14}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 5})
    assert parse_play("no play", closed, WHITE, (6, 6)).moves == ()
    with pytest.raises(NotationError):
        parse_play("no play", SHORT, WHITE, (6, 5))


@pytest.mark.parametrize("variant", ["short", "long"])
def test_round_trip_of_golden_plays(variant):
    for record, mover in list(turns(f"{variant}_moves"))[::25]:
        before, dice, first = position(variant, record["pos"], mover), tuple(record["dice"]), record.get("first", False)
        for play in legal_plays(before, mover, dice, first_turn=first, options=STRICT)[:10]:
            text = format_play(play)
            assert parse_play(text, before, mover, dice, first_turn=first, options=STRICT) == play, (record["id"], text)

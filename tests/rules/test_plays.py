import pytest
from golden import at, position, records, turns

from nardy_hw.errors import DiceError
from nardy_hw.rules.notation import format_play
from nardy_hw.rules.options import STRICT, RuleOptions
from nardy_hw.rules.play import Move
from nardy_hw.rules.plays import legal_plays, stops
from nardy_hw.rules.position import Player, Position, Variant

WHITE, BLACK = Player.WHITE, Player.BLACK
START = {v: Position.start(v) for v in Variant}


def ends(variant, record, mover, options=STRICT):
    plays = legal_plays(
        position(variant, record["pos"], mover),
        mover,
        tuple(record["dice"]),
        first_turn=record.get("first", False),
        options=options,
    )
    reached = {play.after for play in plays}
    assert len(reached) == len(plays), "each resulting position once"
    return reached


def texts(*args, **kwargs):
    return {format_play(play) for play in legal_plays(*args, **kwargs)}


@pytest.mark.parametrize("variant", ["short", "long"])
def test_every_golden_legal_set(variant):
    for record, mover in turns(f"{variant}_moves"):
        assert ends(variant, record, mover) == {position(variant, text, mover) for text in record["legal"]}, record[
            "id"
        ]


@pytest.mark.parametrize("record", records("tricky"), ids=lambda r: f"{r['id']}: {r['why']}")
@pytest.mark.parametrize("mover", Player)
def test_tricky_cases(record, mover):
    variant = record["variant"]
    assert ends(variant, record, mover) == {position(variant, text, mover) for text in record["legal"]}


def test_walls_tested_at_the_end_of_the_turn():
    differ = [(r, m) for r, m in turns("long_moves") if "legal_if_prime_checked_at_end_of_turn" in r]
    assert len(differ) > 30
    for record, mover in differ:
        wanted = {position("long", text, mover) for text in record["legal_if_prime_checked_at_end_of_turn"]}
        assert ends("long", record, mover, RuleOptions(prime_timing="turn", lenient_final_bearoff=False)) == wanted


def test_walls_on_the_movers_own_path_allow_what_that_reading_allows():
    """MetinGames does not see walls across the mover's own 1/24 edge; its extra positions are listed, ten at most."""
    seen = [(r, m) for r, m in turns("long_moves") if "metin" in r.get("differs", {})]
    assert len(seen) > 30
    for record, mover in seen:
        extra = [position("long", text, mover) for text in record["differs"]["metin"]["extra"]]
        reached = ends("long", record, mover, RuleOptions(prime_path="own", lenient_final_bearoff=False))
        assert reached >= {position("long", text, mover) for text in record["legal"]} | set(extra)
        assert len(extra) == 10 or len(reached) == len(record["legal"]) + len(extra)


@pytest.mark.parametrize(("name", "plays"), [("short_games", 1729), ("long_games", 3122)])
def test_every_play_of_the_games_is_legal(name, plays):
    variant = name.partition("_")[0]
    seen = 0
    for game, mover in turns(name):
        for action in game["actions"]:
            if action.get("a", "move") != "move":
                continue
            seen += 1
            before, after = (position(variant, action[key], mover) for key in ("before", "after"))
            reached = legal_plays(before, mover, tuple(action["dice"]), first_turn=action.get("first", False))
            assert after in {play.after for play in reached} or (after == before and not reached)
    assert seen == plays


def test_the_opening_of_long_nardy_has_one_play():
    """The Ukrainian text's own example (L6)."""
    assert texts(START[Variant.LONG], WHITE, (6, 5), first_turn=True) == {"24/13"}


@pytest.mark.parametrize(
    ("dice", "first_turn", "legal"),
    [
        ((6, 6), True, {"24/18(2)"}),  # each stops before the other head on 12
        ((4, 4), True, {"24/16(2)"}),
        ((3, 3), True, {"24/15 24/21", "24/18(2)"}),
        ((6, 6), False, {"24/18"}),
        ((5, 5), True, {"24/4"}),  # no special double
    ],
)
def test_two_checkers_from_the_head_on_a_first_special_double(dice, first_turn, legal):
    assert texts(START[Variant.LONG], WHITE, dice, first_turn=first_turn) == legal


def test_first_turn_may_be_read_from_a_full_head():
    options = RuleOptions(first_turn="full_head")
    assert texts(START[Variant.LONG], WHITE, (6, 6), options=options) == {"24/18(2)"}
    begun = at("long", {24: 14, 1: 1}, {24: 15})
    assert texts(begun, WHITE, (6, 6), first_turn=True, options=options) == {"24/18"}


def test_second_head_only_if_one_checker_cannot_play_the_whole_throw():
    options = RuleOptions(head_two="only_if_needed")
    assert texts(START[Variant.LONG], WHITE, (6, 6), first_turn=True, options=options) == {"24/18(2)"}
    apart = at("long", {24: 14, 10: 1}, {24: 14, 1: 1})  # 10 can run 12 pips, the head does the rest
    assert "24/20(2) 10/6 20/16" not in texts(apart, WHITE, (4, 4), first_turn=True, options=options)
    assert any(t.startswith("24/20(2)") for t in texts(apart, WHITE, (4, 4), first_turn=True))
    assert not any("(2)" in t for t in texts(apart, WHITE, (4, 4), first_turn=True, options=options))


@pytest.mark.parametrize(
    ("black", "prime", "allowed"),
    [
        ({24: 14, 8: 1}, "ahead", False),
        ({24: 14, 8: 1}, "off", True),
        ({24: 15}, "home", False),
    ],
)
def test_who_may_hold_six_in_a_row_before_the_home(black, prime, allowed):
    before = at("long", {24: 9, 19: 1, 18: 1, 17: 1, 16: 1, 15: 1, 14: 1}, black)
    walled = {24: 9, 18: 1, 17: 1, 16: 1, 15: 1, 14: 1, 13: 1}
    after = at("long", {**walled, 24: 8, 23: 1}, black)
    reached = {play.after for play in legal_plays(before, WHITE, (6, 1), options=RuleOptions(prime=prime))}
    assert (after in reached) is allowed


@pytest.mark.parametrize(
    ("black", "prime", "allowed"),
    [
        ({24: 14, 7: 1}, "ahead", True),  # 7 is nearer home than the wall on his 8-13
        ({24: 14, 14: 1}, "ahead", False),
        ({24: 14, 7: 1}, "home", False),  # ahead, but not home
        ({24: 14, 6: 1}, "home", True),
        ({24: 14, 6: 1}, "never", False),
        ({24: 14, 14: 1}, "off", True),
    ],
)
def test_who_may_hold_six_in_a_row(black, prime, allowed):
    """White plays 4/1 and holds his 20-24 and 1, which is Black's 8-13."""
    walled = {24: 3, 23: 1, 22: 1, 21: 1, 20: 7}
    before = at("long", {**walled, 4: 2}, black)
    after = at("long", {**walled, 4: 1, 1: 1, 20: 6, 16: 1}, black)
    reached = {play.after for play in legal_plays(before, WHITE, (4, 3), options=RuleOptions(prime=prime))}
    assert (after in reached) is allowed


def test_a_bear_off_that_ends_the_game_with_one_die():
    """A15: gnubg's `--a--A----------a--aaa--a-` with 6-3; both dice can be played by 5/2, 2/off."""
    record = {"pos": "--a--A----------a--aaa--a-", "dice": [6, 3]}
    strict, lenient = (ends("short", record, WHITE, o) for o in (STRICT, RuleOptions()))
    assert len(strict) == 1
    assert lenient - strict == {position("short", "--a-------------a--aaa--a-", WHITE)}


@pytest.mark.parametrize("dice", [(0, 3), (3, 7), (3,), (1, 2, 3), (1.0, 2), (True, 2), ("6", 5)])
def test_dice_that_cannot_be_thrown(dice):
    with pytest.raises(DiceError, match="from 1 to 6"):
        legal_plays(START[Variant.SHORT], WHITE, dice)


def test_moves_are_told_in_an_order_that_is_legal():
    """Each move of each play leads from stop to stop."""
    for variant in Variant:
        for record, mover in list(turns(f"{variant}_moves"))[::20]:
            before, dice = position(variant, record["pos"], mover), tuple(record["dice"])
            first = record.get("first", False)
            on_the_way = stops(before, mover, dice, first_turn=first, options=STRICT)
            for play in legal_plays(before, mover, dice, first_turn=first, options=STRICT):
                shown = before
                for move in play.moves:
                    shown = moved(shown, mover, move)
                    assert shown in on_the_way
                assert shown == play.after


def moved(before, mover, move: Move):
    """One checker moved by hand; a hit sends the enemy's to the bar."""
    own, enemy = before.counts(mover), before.counts(mover.other)
    own[move.start] -= 1
    own[move.end] += 1
    if move.hit:
        there = board_index(before.variant, mover, move.end)
        enemy[there] -= 1
        enemy[25] += 1
    white, black = (own, enemy) if mover is WHITE else (enemy, own)
    return at(before.variant, {p: n for p, n in enumerate(white) if p}, {p: n for p, n in enumerate(black) if p})


def board_index(variant, mover, own):
    """The enemy's own number of the mover's point."""
    return 25 - own if variant is Variant.SHORT else own + 12 if own <= 12 else own - 12


def test_stops_are_what_legal_plays_pass():
    """3-1 from the start, White: every stop is one move away, and only of moves that some play makes."""
    start = START[Variant.SHORT]
    found = stops(start, WHITE, (3, 1))
    plays = legal_plays(start, WHITE, (3, 1))
    assert start in found
    assert {play.after for play in plays} < found
    ways = {24: (21, 23), 13: (10,), 8: (5, 7), 6: (3, 5)}  # 13/12 and 24/20 by way of nothing: 12 is Black's
    assert {moved(start, WHITE, Move(a, b)) for a, ends_ in ways.items() for b in ends_} <= found


def test_only_the_start_is_a_stop_when_nothing_can_be_played():
    closed = at("short", {25: 1, 6: 14}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 5})
    assert legal_plays(closed, WHITE, (6, 6)) == ()
    assert stops(closed, WHITE, (6, 6)) == {closed}

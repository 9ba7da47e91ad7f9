"""What holds for every position and throw, whoever moves."""

from golden import board_point
from hypothesis import given, settings
from hypothesis import strategies as st

from nardy_hw.rules.explain import explain
from nardy_hw.rules.notation import format_play, parse_play
from nardy_hw.rules.options import RuleOptions
from nardy_hw.rules.plays import legal_plays, stops
from nardy_hw.rules.position import Placement, Player, Position, Variant

plain, often = (settings(deadline=None, max_examples=n) for n in (100, 300))  # no deadline: a busy machine is no fault
dice = st.tuples(st.integers(1, 6), st.integers(1, 6))
players = st.sampled_from(Player)
options = st.builds(
    RuleOptions,
    prime=st.sampled_from(["ahead", "home", "never", "off"]),
    prime_timing=st.sampled_from(["die", "turn"]),
    prime_path=st.sampled_from(["opponent", "own"]),
    head_two=st.sampled_from(["always", "only_if_needed"]),
    first_turn=st.sampled_from(["turn_counter", "full_head"]),
    lenient_final_bearoff=st.booleans(),
)


@st.composite
def placements(draw, variant=None, apart=True):
    """15 checkers a side anywhere; apart: no two colours on one point."""
    variant = variant or draw(st.sampled_from(Variant))
    whose = draw(st.lists(st.sampled_from(Player), min_size=24, max_size=24)) if apart else None
    sides = []
    for player in Player:
        points = [p for p in range(1, 25) if whose is None or whose[p - 1] is player]
        places = points + [0] + ([25] if variant is Variant.SHORT else [])
        counts = [0] * 26
        for place in draw(st.lists(st.sampled_from(places), min_size=15, max_size=15)):
            counts[place] += 1
        sides.append(tuple(counts))
    return Placement(variant, *sides)


positions = placements().map(lambda placement: placement.position())


def mirrored(position: Position) -> Position:
    """The same position with the players' parts exchanged."""
    points = [0] * 24
    for player in Player:
        for own, n in enumerate(position.counts(player)[1:25], 1):
            if n:
                points[board_point(position.variant, player.other, own) - 1] = -n if player is Player.WHITE else n
    return Position(position.variant, tuple(points), position.bar[::-1], position.off[::-1])


@plain
@given(positions, players, dice, st.booleans(), options)
def test_plays_keep_the_checkers_and_are_what_they_say(before, player, thrown, first_turn, options):
    plays = legal_plays(before, player, thrown, first_turn=first_turn, options=options)
    lengths = {len(play.moves) for play in plays if play.after.off[player.side] < 15}
    assert len(lengths) <= 1, "as many dice as possible"
    for play in plays:
        Position(play.after.variant, play.after.points, play.after.bar, play.after.off)  # the checks of a new one
        own, enemy = before.counts(player), before.counts(player.other)
        for move in play.moves:
            own[move.start] -= 1
            own[move.end] += 1
            assert min(own) >= 0
        assert play.after.counts(player) == own
        assert play.after.bar[player.other.side] - enemy[25] == sum(move.hit for move in play.moves)


@plain
@given(positions, players, dice, st.booleans(), options)
def test_the_order_of_the_dice_does_not_matter(before, player, thrown, first_turn, options):
    one, other = (
        {p.after for p in legal_plays(before, player, d, first_turn=first_turn, options=options)}
        for d in (thrown, thrown[::-1])
    )
    assert one == other


@plain
@given(positions, players, dice, st.booleans(), options)
def test_the_game_is_the_same_for_both_players(before, player, thrown, first_turn, options):
    kwargs = {"first_turn": first_turn, "options": options}
    plays = legal_plays(before, player, thrown, **kwargs)
    mirror = legal_plays(mirrored(before), player.other, thrown, **kwargs)
    assert {(p.moves, mirrored(p.after)) for p in plays} == {(p.moves, p.after) for p in mirror}


@plain
@given(positions, players, dice, st.booleans(), options)
def test_legal_plays_pass_explain_and_stops_that_are_no_end_fail_it(before, player, thrown, first_turn, options):
    kwargs = {"first_turn": first_turn, "options": options}
    plays = legal_plays(before, player, thrown, **kwargs)
    ends = {play.after for play in plays} or {before}
    for play in plays[:5]:
        assert explain(before, player, thrown, play.after, **kwargs).play == play
    for stop in sorted(stops(before, player, thrown, **kwargs) - ends, key=repr)[:5]:
        verdict = explain(before, player, thrown, stop, **kwargs)
        assert verdict.play is None
        assert verdict.violations


@plain
@given(positions, players, dice, st.booleans(), options)
def test_text_of_a_play_names_it(before, player, thrown, first_turn, options):
    kwargs = {"first_turn": first_turn, "options": options}
    for play in legal_plays(before, player, thrown, **kwargs)[:8]:
        assert parse_play(format_play(play), before, player, thrown, **kwargs) == play


@often
@given(st.data(), positions, players, dice, st.booleans(), options)
def test_any_two_positions_can_be_explained(data, before, player, thrown, first_turn, options):
    after = data.draw(placements(before.variant, apart=False))
    verdict = explain(before, player, thrown, after, first_turn=first_turn, options=options)
    assert (verdict.play is None) == bool(verdict.violations)


@often
@given(st.data(), positions, players, dice, st.booleans(), options)
def test_any_moves_of_few_checkers_can_be_explained(data, before, player, thrown, first_turn, options):
    """Up to five own checkers moved anywhere, and now and then an enemy's: what happens at a table."""
    own, enemy = before.counts(player), before.counts(player.other)
    bar = [25] if before.variant is Variant.SHORT else []
    places = st.sampled_from([*range(25), *bar])
    for counts, most in ((own, 5), (enemy, 1)):
        for start, end in data.draw(st.lists(st.tuples(places, places), max_size=most)):
            if counts[start] and start:
                counts[start] -= 1
                counts[end] += 1
    white, black = (own, enemy) if player is Player.WHITE else (enemy, own)
    after = Placement(before.variant, on_board(before, Player.WHITE, white), on_board(before, Player.BLACK, black))
    verdict = explain(before, player, thrown, after, first_turn=first_turn, options=options)
    assert (verdict.play is None) == bool(verdict.violations)
    if after.position() is None:
        assert verdict.play is None
    codes = [v.code for v in verdict.violations]
    assert len(codes) <= 8
    if enemy == before.counts(player.other) and after.position() is not None:
        assert "opponents_checker_moved" not in codes
        assert "lifted_without_hit" not in codes


def on_board(position, player, own):
    counts = [own[0], *[0] * 24, own[25]]
    for point in range(1, 25):
        counts[board_point(position.variant, player, point)] = own[point]
    return tuple(counts)


@plain
@given(positions)
def test_a_position_survives_json(position):
    assert Position.from_json(position.to_json()) == position


@plain
@given(positions, players, dice)
def test_nobody_moves_backwards_or_through_the_enemy(before, player, thrown):
    enemy = before.counts(player.other)
    blockers = 2 if before.variant is Variant.SHORT else 1
    for play in legal_plays(before, player, thrown):
        for move in play.moves:
            assert move.start > move.end
            if move.end:
                there = 25 - move.end if before.variant is Variant.SHORT else (move.end + 11) % 24 + 1
                assert enemy[there] < blockers

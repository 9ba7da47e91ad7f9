"""One against the others (C11)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardy_hw.errors import InputError, MatchError
from nardy_hw.rules.chouette import Chouette, seats

FOUR = Chouette.begin(("Ona", "Petro", "Aigul", "Timur"))


def all_say(chouette, yes=True):
    return dict.fromkeys(chouette.playing, yes)


def test_C11_the_opening_dice_seat_the_players():
    assert seats([("Ona", 3), ("Petro", 6), ("Aigul", 5)]) == (("Petro",), ("Aigul",), ("Ona",))
    assert seats([("Ona", 3), ("Petro", 6), ("Aigul", 6)]) == (("Petro", "Aigul"), ("Ona",))


def test_C11_the_box_wins_from_each():
    after = FOUR.start().won(by_box=True, points=2)
    assert after.score == {"Ona": 6, "Petro": -2, "Aigul": -2, "Timur": -2}
    assert after.line == ("Ona", "Aigul", "Timur", "Petro")  # the captain goes last, the box stays


def test_C11_the_team_wins_and_its_captain_goes_to_the_box():
    after = FOUR.start().won(by_box=False, points=1)
    assert after.score == {"Ona": -3, "Petro": 1, "Aigul": 1, "Timur": 1}
    assert after.line == ("Petro", "Aigul", "Timur", "Ona")


def test_C11_the_team_doubles_with_one_voice():
    game = FOUR.start()
    with pytest.raises(MatchError, match="Aigul"):
        game.team_offers(all_say(game) | {"Aigul": False})
    taken = game.team_offers(all_say(game)).box_answers(takes=True)
    assert (taken.cube, taken.owner) == (2, "box")
    with pytest.raises(MatchError, match="box does"):
        taken.team_offers(all_say(taken))
    assert taken.won(by_box=False, points=2).score["Ona"] == -12


def test_C11_the_box_passes_and_pays_each_the_value_before():
    game = FOUR.start()
    after = game.team_offers(all_say(game)).box_answers(takes=False)
    assert after.score == {"Ona": -3, "Petro": 1, "Aigul": 1, "Timur": 1}
    assert after.box == "Petro" and not after.game


def test_C11_each_answers_the_box_for_himself():
    game = FOUR.start().box_offers()
    after = game.team_answers({"Petro": False, "Aigul": True, "Timur": True})
    assert after.score == {"Ona": 1, "Petro": -1, "Aigul": 0, "Timur": 0}
    assert (after.cube, after.owner, after.captain, after.playing) == (2, "team", "Aigul", ("Aigul", "Timur"))
    done = after.won(by_box=True, points=1)
    assert done.score == {"Ona": 5, "Petro": -1, "Aigul": -2, "Timur": -2}
    assert done.line == ("Ona", "Petro", "Timur", "Aigul")  # who led it to the end goes last


def test_C11_all_pass():
    game = FOUR.start().box_offers()
    after = game.team_answers(all_say(game, yes=False))
    assert after.score["Ona"] == 3 and not after.game and after.box == "Ona"


def test_C11_with_jacoby_a_gammon_counts_once_the_cube_was_turned():
    game = Chouette.begin(FOUR.line, jacoby=True).start()
    assert game.won(by_box=True, points=2).score["Ona"] == 3
    turned = game.box_offers().team_answers(all_say(game))
    assert turned.won(by_box=True, points=2).score["Ona"] == 12


def test_C11_those_who_tied_throw_again_among_themselves():
    first = seats([("Ona", 4), ("Petro", 6), ("Aigul", 4), ("Timur", 1)])
    assert first == (("Petro",), ("Ona", "Aigul"), ("Timur",))
    assert seats([("Ona", 2), ("Aigul", 5)]) == (("Aigul",), ("Ona",))


def test_C11_after_a_passer_has_left_the_others_alone_vote_and_win():
    game = FOUR.start().box_offers().team_answers({"Petro": True, "Aigul": False, "Timur": True})
    with pytest.raises(MatchError, match="team does"):
        game.box_offers()
    doubled = game.team_offers({"Petro": True, "Timur": True})  # Aigul is not asked
    assert doubled.box_answers(takes=False).score == {"Ona": -3, "Petro": 2, "Aigul": -1, "Timur": 2}
    taken = doubled.box_answers(takes=True)
    assert (taken.cube, taken.owner) == (4, "box")
    assert taken.won(by_box=True, points=3).score == {"Ona": 25, "Petro": -12, "Aigul": -1, "Timur": -12}


def test_C11_each_captain_of_three_has_his_turn():
    table = Chouette.begin(("Ona", "Petro", "Aigul"))
    captains = []
    for _ in range(4):
        table = table.start()
        captains.append(table.captain)
        table = table.won(by_box=True, points=1)
    assert captains == ["Petro", "Aigul", "Petro", "Aigul"] and table.box == "Ona"


@pytest.mark.parametrize("names", [("Ona", "Petro"), ("Ona", "Ona", "Petro"), ("Ona", "", "Petro")])
def test_names_that_will_not_do(names):
    with pytest.raises(InputError):
        Chouette.begin(names)


def test_steps_out_of_turn_are_refused():
    game = FOUR.start()
    for step in (
        lambda: game.start(),
        lambda: game.box_answers(takes=True),
        lambda: game.team_answers({}),
        lambda: FOUR.box_offers(),
        lambda: game.won(by_box=True, points=4),
        lambda: game.box_offers().team_answers({"Petro": True}),
        lambda: game.box_offers().won(by_box=True, points=1),
    ):
        with pytest.raises(MatchError):
            step()


@given(
    st.lists(st.tuples(st.booleans(), st.integers(1, 3), st.lists(st.booleans(), min_size=3, max_size=3)), max_size=12)
)
def test_the_scores_always_add_up_to_nothing(games):
    table = FOUR
    for by_box, points, answers in games:
        table = table.start().box_offers()
        table = table.team_answers(dict(zip(table.playing, answers, strict=True)))
        if table.game:
            table = table.won(by_box=by_box, points=points)
        assert sum(table.score.values()) == 0
        assert sorted(table.line) == sorted(FOUR.line)


STEPS = st.lists(
    st.sampled_from(["start", "box_offers", "team_offers", "box_answers", "team_answers", "won"]), max_size=60
)


@given(st.integers(3, 6), st.booleans(), STEPS, st.randoms(use_true_random=False))
def test_a_chouette_adds_up_whatever_is_done(players, jacoby, steps, rng):
    names = tuple("ABCDEF"[:players])
    table = Chouette.begin(names, jacoby=jacoby)
    for name in steps:
        before = table
        said = {member: rng.random() < 0.7 for member in table.playing}
        arguments = {"team_offers": (said,), "team_answers": (said,)}.get(name, ())
        named = {"box_answers": {"takes": rng.random() < 0.7}, "won": {"by_box": rng.random() < 0.5, "points": 2}}
        try:
            table = getattr(table, name)(*arguments, **named.get(name, {}))
        except MatchError:
            continue
        assert sum(table.score.values()) == 0
        assert sorted(table.line) == sorted(names)
        assert table.game or table.playing == ()
        assert not table.game or (table.line == before.line and set(table.playing) <= set(table.line[1:]))
        assert table.game == bool(table.playing)

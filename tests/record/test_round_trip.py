"""Random legal matches go out and come in through each format unchanged, whatever the players are called."""

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_match import RandomMatch

from nardy_hw.errors import ExportError
from nardy_hw.record.formats import WRITERS, read_match
from nardy_hw.record.games import Ply, games
from nardy_hw.record.store import MatchInfo
from nardy_hw.record.transcript import Told
from nardy_hw.referee import events as e
from nardy_hw.rules.position import Player, Position, Variant

AWKWARD = (
    "Ona", "Žygimantas Ąžuolas", "Оксана Їжакевич", "Нұрсұлтан Әбіш", "Ёлкин", 'The "Fox" O\'Neill', "A: b [c] (d) {e}",
    "x" * 200, "я" * 200, "🎲🏆 Ben", "a;b,c\\d]e:f", "Wins 3 points", "61: 8/2", "  spaces   inside ", "\\", "]",
    "Ona\u2028Maria",
)  # fmt: skip
NAMES = st.sampled_from(AWKWARD) | st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=200)
SLOW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def info(draw_names, variant, length):
    white, black, event = draw_names
    return MatchInfo(
        variant=variant, white=white, black=black, length=length, event=event, place=event, white_home="far-left",
        started="2026-05-31T18:04:59+03:00", profile={"name": "imported", "cube_cap": 0} if length else {"cube_cap": 0},
    )  # fmt: skip


def back(record, kind, folder) -> Told:
    path = folder / f"match.{kind}"
    path.write_text(WRITERS[kind](record), encoding="utf-8")
    return read_match(path)


def substance(events):
    """The games; of a play its dice, whichever is named first, and its position: words may join moves or split them."""
    return [
        replace(
            game,
            turns=[
                replace(turn, dice=tuple(sorted(turn.dice)), text=turn.text and "legal")
                if isinstance(turn, Ply)
                else turn
                for turn in game.turns
            ],
        )
        for game in games(events)
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


@pytest.mark.parametrize("kind", ["mat", "snowie", "sgf", "text", "jsonl"])
@given(names=st.tuples(NAMES, NAMES, NAMES), seed=st.integers(0, 10**9), length=st.sampled_from([0, 1, 3, 7]))
@SLOW
def test_short(kind, names, seed, length, folder):
    told = RandomMatch(info(names, Variant.SHORT, length), seed).record
    read = back(told, kind, folder)
    assert substance(read.events) == substance(told.events)
    assert read.info == told.info


@pytest.mark.parametrize("kind", ["text", "jsonl"])
@given(names=st.tuples(NAMES, NAMES, NAMES), seed=st.integers(0, 10**9), length=st.sampled_from([0, 1, 3]))
@settings(SLOW, max_examples=8)
def test_long(kind, names, seed, length, folder):
    told = RandomMatch(info(names, Variant.LONG, length), seed, games=2).record
    read = back(told, kind, folder)
    assert substance(read.events) == substance(told.events)
    assert read.info == told.info


@pytest.mark.parametrize("kind", ["mat", "snowie", "sgf", "text", "jsonl"])
@given(seed=st.integers(0, 10**9))
@SLOW
def test_illegal_plays_that_stood(kind, seed, folder):
    told = RandomMatch(MatchInfo(variant=Variant.SHORT, length=5), seed, stands=True).record
    read = back(told, kind, folder)
    assert substance(read.events) == substance(told.events)


@pytest.mark.parametrize("kind", ["sgf", "text", "jsonl"])
@given(seed=st.integers(0, 10**9))
@SLOW
def test_turns_that_were_not_seen(kind, seed, folder):
    told = RandomMatch(MatchInfo(variant=Variant.SHORT), seed, games=1).record
    plays = [i for i, event in enumerate(told.events) if isinstance(event, e.PlayMade)]
    cut = random.Random(seed).choice(plays)
    later = next((i for i in plays if i > cut + 8 and i % 3 == 0), None)
    events = list(told.events)
    if later is not None and not any(isinstance(event, e.Doubled) for event in events[cut : later + 1]):
        events[cut + 1 : later + 1] = [e.Started(t=0, frame=0, position=told.events[later].position)]
    told = replace(told, events=tuple(events))
    assert substance(back(told, kind, folder).events) == substance(told.events)


@pytest.mark.parametrize("kind", ["sgf", "text", "jsonl"])
def test_a_game_from_a_set_board(kind, folder):
    """White, to bear off with a 6-5, from a position that is no opening."""
    start = Position(Variant.SHORT, (5, 5, 5, *[0] * 18, -5, -5, -5))
    after = Position(Variant.SHORT, (5, 5, 3, *[0] * 18, -5, -5, -5), off=(2, 0))
    events = (
        e.Started(t=0, frame=0, position=start),
        e.Roll(t=0, frame=0, player=Player.WHITE, dice=(6, 5)),
        e.PlayMade(t=0, frame=0, player=Player.WHITE, dice=(6, 5), text="3/off(2)", position=after, confidence=1),
    )
    told = RandomMatch(MatchInfo(variant=Variant.SHORT), 1, games=0).record
    told = replace(told, events=events)
    assert substance(back(told, kind, folder).events) == substance(events)
    with pytest.raises(ExportError, match="opening position"):
        WRITERS["mat"](told)

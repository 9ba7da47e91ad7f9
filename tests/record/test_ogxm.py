"""GammonView's parser reads our .mat to the same plays, and its files come back."""

from pathlib import Path

import pytest
from gvformat import to_ogxm_json
from gvformat.mat import mat_to_data, parse_mat_file
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_match import RandomMatch
from test_gnubg import MATCHES, Retold
from test_round_trip import substance

from nardy_hw.errors import ExportError, InputError
from nardy_hw.record.formats import read_match
from nardy_hw.record.games import Cubing, games
from nardy_hw.record.mat import to_mat
from nardy_hw.record.ogxm import read_ogxm, to_ogxm
from nardy_hw.record.store import MatchInfo, MatchRecord
from nardy_hw.rules.position import Position, Variant

FOLDER = Path(__file__).parents[1] / "data" / "vectors" / "matches"
CUBE = {"double": 21, "take": 22, "drop": 23}


PLACES = "0123456789abcdefghijklmnop"
"""A checker's place in an OGXM position: Black's points 1..24, p = his bar, 0 = White's bar."""


def board(ogid):
    """The position of an OGXM word: a character for each checker on the board, White's first."""
    white, black = ([25 - PLACES.index(c) for c in side] for side in ogid.split(":")[:2])
    points = tuple(white.count(p) - black.count(p) for p in range(1, 25))
    return Position(Variant.SHORT, points, (white.count(25), black.count(0)), (15 - len(white), 15 - len(black)))


def follow(record):
    """GammonView has the same players, throws, boards, cube and results."""
    document = to_ogxm_json(mat_to_data(parse_mat_file(to_mat(record))), keep_orientation=True)
    ours = games(record.events)
    assert len(document["games"]) == len(ours)
    for found, game in zip(document["games"], ours, strict=True):
        plies = [ply for ply in found["plies"] if "d1" in ply or ply["action_id"] in CUBE.values()]
        assert len(plies) == len(game.turns)
        for ply, turn in zip(plies, game.turns, strict=True):
            assert ply["color"] == 1 - turn.player.side
            if isinstance(turn, Cubing):
                assert ply["action_id"] == CUBE[turn.what]
            else:
                assert sorted((ply["d1"], ply["d2"])) == sorted(turn.dice)
                assert board(ply["ogid_after"]) == turn.position
        assert (found["winner"], found["points_won"]) == (game.winner.side, game.points)


@pytest.mark.parametrize("white", ["X", "O"])
def test_gammonview_reads_the_same_plays(white):
    for match in MATCHES:
        follow(Retold(match, white).record)


def test_file_and_back(tmp_path):
    for name in sorted(FOLDER.glob("*.mat")):
        told = read_match(name)
        path = tmp_path / "match.gvab"
        path.write_bytes(to_ogxm(MatchRecord(1, told.info, told.events)))
        read = read_match(path)
        assert substance(read.events) == substance(told.events)
        assert read.info == told.info


@given(seed=st.integers(0, 10**9), length=st.sampled_from([1, 3, 7]))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_random_matches(seed, length):
    told = RandomMatch(MatchInfo(variant=Variant.SHORT, length=length), seed).record
    follow(told)
    assert substance(read_ogxm(to_ogxm(told)).events) == substance(told.events)


def test_an_illegal_play_told_by_position_is_refused():
    with pytest.raises(ExportError, match=r"illegal one that stood.*use --format sgf"):
        for seed in range(20):
            to_ogxm(RandomMatch(MatchInfo(variant=Variant.SHORT), seed, stands=True).record)


@pytest.mark.parametrize("part", [5, 100, 300])
def test_damaged(part):
    whole = to_ogxm(RandomMatch(MatchInfo(variant=Variant.SHORT, length=3), 1).record)
    with pytest.raises(InputError, match="OGXM"):
        read_ogxm(whole[:part])

"""Illegal plays that stood: GNU Backgammon has the position after each of them, from every format."""

import pytest
from gnubg import Read
from played import BLACK, SHORT, WHITE, moved, played, record, started, stood

from nardy_hw.record.games import Ply
from nardy_hw.record.mat import to_mat, to_snowie
from nardy_hw.record.moves import moves_of
from nardy_hw.record.sgf import to_sgf
from nardy_hw.referee.events import Doubled
from nardy_hw.rules.ids import position_id
from nardy_hw.rules.play import Move

FOLLOWED = {
    "too far": ((3, 1), moved(SHORT, (8, -1), (4, +1), (6, -1), (5, +1))),
    "one checker, in two steps": ((6, 5), moved(SHORT, (24, -1), (14, +1))),
    "a move short of a double": ((3, 3), moved(SHORT, (13, -3), (10, +3))),
    "a six with a two and a one": ((2, 1), moved(SHORT, (13, -1), (7, +1))),
}
BY_POSITION = {
    "backward": ((6, 5), moved(SHORT, (8, -1), (13, +1))),
    "nothing, though a play was legal": ((6, 5), SHORT),
    "an enemy checker": ((6, 5), moved(SHORT, (12, +1), (11, -1))),
    "to a bar that nobody was hit to": ((6, 5), moved(SHORT, (12, +1), bar=(0, 1))),
    "more than four moves": ((6, 5), moved(SHORT, (13, -5), (8, +5))),
    "borne off too early": ((6, 1), moved(SHORT, (6, -1), off=(1, 0))),
}


FORMATS = {"mat": to_mat, "snowie": to_snowie, "sgf": to_sgf}
ALL = FOLLOWED | BY_POSITION


@pytest.mark.parametrize("name", ALL)
def test_position_after(name, tmp_path):
    dice, after = ALL[name]
    answer = moved(after, (17, +1), (19, +1), (20, -2), bar=after.bar, off=after.off)  # Black's 8/5 6/5
    wrong = moved(answer, (1, -1), (19, +1), bar=after.bar, off=after.off)  # a Black checker backward, on White's turn
    match = record(
        started(),
        stood(WHITE, dice, after),
        played(BLACK, (3, 1), "8/5 6/5", answer),
        stood(WHITE, (4, 3), wrong),
        Doubled(t=0, frame=0, player=BLACK, value=2),
        length=7,
    )
    for kind, written in FORMATS.items():
        read = Read(tmp_path, written(match), kind)
        assert "WARNING" not in read.said
        boards = [board for board, _ in read.ids[0]]
        if after.bar == (0, 0):  # else the answer, too, is told as a position
            assert position_id(after, BLACK) in boards, kind
        assert position_id(wrong, BLACK) in boards, kind


@pytest.mark.parametrize("name", ALL)
def test_which_are_told_as_moves(name):
    dice, after = ALL[name]
    moves = moves_of(SHORT, Ply(WHITE, dice, None, after))
    assert (moves is not None) is (name in FOLLOWED)
    assert ("Illegal play (" in to_mat(record(started(), stood(WHITE, dice, after)))) is (name in BY_POSITION)


def test_hit():
    """White has played 24/20; Black's 8/5* with a six and a four hits him there."""
    before = moved(SHORT, (24, -1), (20, +1))
    after = moved(before, (17, +1), (20, -2), bar=(1, 0))
    assert moves_of(before, Ply(BLACK, (6, 4), None, after)) == (Move(8, 5, True),)


def test_legal_play_is_told_by_the_position():
    """Text may leave open which of two ways a checker went, and whom it hit."""
    after = moved(SHORT, (8, -1), (5, +1), (6, -1), (5, +1))
    assert set(moves_of(SHORT, Ply(WHITE, (3, 1), "whatever", after))) == {Move(6, 5), Move(8, 5)}

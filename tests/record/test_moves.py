"""Illegal plays that stood: GNU Backgammon reads those that `.mat` can hold as they were, the rest are refused."""

import os
import re
import shutil
import subprocess

import pytest
from played import BLACK, SHORT, WHITE, moved, played, record, started, stood

from nardy_hw.errors import ExportError
from nardy_hw.record.games import Ply
from nardy_hw.record.mat import to_mat
from nardy_hw.record.moves import moves_of
from nardy_hw.rules.ids import position_id
from nardy_hw.rules.play import Move

FOLLOWED = {
    "too far": ((3, 1), moved(SHORT, (8, -1), (4, +1), (6, -1), (5, +1))),
    "one checker, in two steps": ((6, 5), moved(SHORT, (24, -1), (14, +1))),
    "a move short of a double": ((3, 3), moved(SHORT, (13, -3), (10, +3))),
    "a six with a two and a one": ((2, 1), moved(SHORT, (13, -1), (7, +1))),
}
REFUSED = {
    "backward": ((6, 5), moved(SHORT, (8, -1), (13, +1))),
    "nothing, though a play was legal": ((6, 5), SHORT),
    "an enemy checker": ((6, 5), moved(SHORT, (12, +1), (11, -1))),
    "to a bar that nobody was hit to": ((6, 5), moved(SHORT, (12, +1), bar=(0, 1))),
    "more than four moves": ((6, 5), moved(SHORT, (13, -5), (8, +5))),
    "borne off too early": ((6, 1), moved(SHORT, (6, -1), off=(1, 0))),
}


@pytest.mark.parametrize(("dice", "after"), FOLLOWED.values(), ids=FOLLOWED)
def test_followed(dice, after, tmp_path):
    answer = moved(after, (17, +1), (19, +1), (20, -2))  # Black's 8/5 6/5
    program = shutil.which("gnubg", path=f"{os.environ['PATH']}:/usr/games")
    assert program, "GNU Backgammon is missing: apt-get install gnubg"
    match = to_mat(record(started(), stood(WHITE, dice, after), played(BLACK, (3, 1), "8/5 6/5", answer)))
    (tmp_path / "match.mat").write_text(match)
    (tmp_path / "commands").write_text('import mat "match.mat"\nfirst game\n' + "next\nshow board\n" * 2)
    said = subprocess.run(
        [program, "-t", "-q", "-r", "-c", "commands"],
        cwd=tmp_path, env={**os.environ, "HOME": str(tmp_path)}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60, check=True,
    ).stdout  # fmt: skip
    assert "WARNING" not in said
    assert re.findall(r"Position ID: (\S+)", said)[-2:] == [position_id(after, BLACK), position_id(answer, WHITE)]


@pytest.mark.parametrize(("dice", "after"), REFUSED.values(), ids=REFUSED)
def test_refused(dice, after):
    with pytest.raises(ExportError, match="game 1, play 1 is an illegal one that stood"):
        to_mat(record(started(), stood(WHITE, dice, after)))


def test_hit():
    """White has played 24/20; Black's 8/5* with a six and a four hits him there."""
    before = moved(SHORT, (24, -1), (20, +1))
    after = moved(before, (17, +1), (20, -2), bar=(1, 0))
    assert moves_of(before, Ply(BLACK, (6, 4), None, after)) == (Move(8, 5, True),)


def test_legal_play_is_told_by_the_position():
    """Text may leave open which of two ways a checker went, and whom it hit."""
    after = moved(SHORT, (8, -1), (5, +1), (6, -1), (5, +1))
    assert set(moves_of(SHORT, Ply(WHITE, (3, 1), "whatever", after))) == {Move(6, 5), Move(8, 5)}

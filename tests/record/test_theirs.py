"""GNU Backgammon's own files come in and go out the same: as text, and as it reads them itself."""

import re
from pathlib import Path

import pytest
from gnubg import Read

from nardy_hw.record.formats import WRITERS, read_match
from nardy_hw.record.store import MatchRecord

FILES = sorted((Path(__file__).parents[1] / "data" / "vectors" / "matches").iterdir())
KINDS = {".mat": "mat", ".sgf": "sgf", ".txt": "snowie"}


def cells(text):
    """Lines of cells, without headers, widths and the words that programs differ in."""
    for line in text.splitlines():
        line = line.replace("Cannot Move", "").replace(" and the match", "")
        found = [" ".join(cell.split()) for cell in re.split(r"\s{2,}", line) if cell.strip()]
        if found and not line.startswith(";"):
            yield found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_out_as_it_came_in(path, tmp_path):
    kind = KINDS[path.suffix]
    told = read_match(path)
    ours = WRITERS[kind](MatchRecord(1, told.info, told.events))
    if kind != "sgf":
        mine, theirs = (" ".join(" ".join(line) for line in cells(text)) for text in (ours, path.read_text()))
        assert mine == theirs
    before, after = Read(tmp_path, path.read_text(), kind), Read(tmp_path, ours, kind)
    assert len(before.games) > 0
    assert after.games == before.games
    assert after.ids == before.ids
    assert after.info["match-length"] == before.info["match-length"]


@pytest.mark.parametrize("name", ["m01", "m02", "m05"])
def test_all_three_formats_tell_the_same(name):
    found = [read_match(path) for path in FILES if path.name.startswith(name)]
    assert len(found) == 3
    assert found[0].events == found[1].events == found[2].events

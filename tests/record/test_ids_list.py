"""Each decision's IDs are those that GNU Backgammon has for it."""

import base64
import itertools

import pytest
from played import record
from test_gnubg import MATCHES, Retold

from nardy_hw.errors import ExportError
from nardy_hw.record.ids_list import to_ids
from nardy_hw.rules.ids import from_xgid
from nardy_hw.rules.position import Variant


@pytest.mark.parametrize("match", range(len(MATCHES)))
def test_every_decision(match):
    told = Retold(MATCHES[match], "X")
    lines = [line.split("\t") for line in to_ids(told.record).splitlines()]
    expected = [ids for game in told.decisions for ids in game]
    plays = [line[3].split(":") for line in lines]
    asked = [ids for ids, line in zip(plays, lines, strict=True) if line[2] not in ("takes", "drops")]
    decisions = [[board, word] for board, word in expected if not offered(word)]
    assert asked == decisions


def offered(word):
    """The bit of a Match ID that says that the cube is offered."""
    return int.from_bytes(base64.b64decode(word), "little") >> 12 & 1


def test_a_line_in_full():
    """Game 2 of the first match, at 1-0 to 5: Black doubles, White has not answered yet."""
    lines = [line.split("\t") for line in to_ids(Retold(MATCHES[0], "X").record).splitlines()]
    double, take = next((a, b) for a, b in itertools.pairwise(lines) if a[0].startswith("2.") and b[2] == "takes")
    assert double[:3] == ["2.8", "Petro", "doubles to 2"]
    assert double[4].endswith(":0:0:-1:00:1:0:0:5:10")
    assert take[4].endswith(":0:0:-1:D:1:0:0:5:10")
    assert from_xgid(double[4])[0] == from_xgid(take[4])[0]


def test_long_nardy_has_none():
    with pytest.raises(ExportError, match="long nardy"):
        to_ids(record(variant=Variant.LONG))

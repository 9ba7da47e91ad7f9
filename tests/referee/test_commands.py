"""Commands as people type them."""

import pytest

from nardy_hw.errors import InputError
from nardy_hw.referee import commands as c
from nardy_hw.rules.position import Player

W, B = Player.WHITE, Player.BLACK


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("white double", c.Double(player=W)),
        ("  BLACK Take ", c.Take(player=B)),
        ("black pass", c.Drop(player=B)),
        ("white resign", c.Resign(player=W, points=1)),
        ("white resign 3", c.Resign(player=W, points=3)),
        ("black throw 6 5", c.Throw(player=B, dice=(6, 5))),
        ("white done", c.EndTurn(player=W)),
        ("next", c.NextGame()),
        ("vote Aigul no", c.Vote(name="Aigul", yes=False)),
        ('{"do": "let_stand", "by": "A", "reason": "b"}', c.LetStand(by="A", reason="b")),
    ],
)
def test_what_is_said(line, command):
    assert c.parse(line) == command


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("double", "white or black"),
        ("white dubble", "double"),
        ("white throw 7 1", "dice"),
        ("white throw 6", "dice"),
        ("white throw 6 5 4", "dice"),
        ("white double 4", "no number"),
        ("white resign 9", "points"),
        ("{", "command"),
        ('{"do": "set", "by": "a", "reason": "b", "position": 3}', "position"),
        ("vote Aigul maybe", "vote NAME"),
        ("\x00", "white or black"),
    ],
)
def test_what_is_not_understood(line, words):
    with pytest.raises((InputError, ValueError), match=words) as refused:
        c.parse(line)
    assert "\n" not in str(refused.value)

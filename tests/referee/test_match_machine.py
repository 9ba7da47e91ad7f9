"""Random commands, throws and scenes in random order: nothing but refusals, and always a match that adds up."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from eye import Shown
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from match_table import HALVES, MatchTable, of

from nardy_hw.errors import InputError, PositionError, RefusedError
from nardy_hw.referee import commands as c
from nardy_hw.referee import events as e
from nardy_hw.referee import states
from nardy_hw.referee.standing import standing_of
from nardy_hw.referee.states import AFTER, MAY, WHAT, Phase
from nardy_hw.rules.match import Match
from nardy_hw.rules.plays import legal_plays
from nardy_hw.rules.position import Player, Position, Variant

PLAYERS = st.sampled_from(Player)
DICE = st.tuples(st.integers(1, 6), st.integers(1, 6))
SPOKEN = [c.Double, c.Take, c.Drop, c.EndTurn, c.Accept, c.Refuse, c.Condone, c.AskCheck]
WHO = {"by": "director", "reason": "as agreed"}


class Machine(RuleBasedStateMachine):
    @initialize(
        variant=st.sampled_from(Variant),
        length=st.sampled_from([0, 1, 3]),
        cube=st.sampled_from(["both", "none"]),
        illegal=st.sampled_from(["legal_moves", "condonable"]),
        automatic=st.integers(0, 1),
        jacoby=st.booleans(),
        clock=st.booleans(),
        equal=st.booleans(),
        trusted=st.booleans(),
    )
    def agree(self, variant, length, cube, illegal, automatic, jacoby, clock, equal, trusted):
        self.table = MatchTable(
            variant,
            length,
            trusted_rolls=trusted,
            cube=cube,
            illegal=illegal,
            automatic_doubles=automatic,
            jacoby=jacoby,
            clock=clock,
            equal_turns=equal,
            delay_s=0.5,
            reserve_s_per_point=5.0,
        )
        self.phases = [self.table.referee.standing.phase]

    def do(self, kind, **fields):
        try:
            self.table.do(kind, **fields)
        except RefusedError as refused:
            assert "\n" not in str(refused)
            assert self.table.referee.standing == self.folded()  # and nothing has changed

    def folded(self):
        agreed = self.table.agreed
        return standing_of(Match.begin(agreed.stakes), Position.start(agreed.variant), self.table.said)

    @rule()
    def set_up(self):
        self.table.begin()

    @rule(white=st.integers(1, 6), black=st.integers(1, 6))
    def opening_dice(self, white, black):
        self.table.opening(white, black)

    @rule(player=PLAYERS, dice=DICE, state=st.sampled_from(["flat", "flat", "cocked"]))
    def dice_on_the_board(self, player, dice, state):
        self.table.throw(player, *dice, state)

    @rule(player=PLAYERS, dice=DICE)
    def told_dice(self, player, dice):
        self.do(c.Throw, player=player, dice=dice)

    @rule(player=PLAYERS)
    def dice_of_whoever_is_to_throw(self, player):
        self.do(c.Throw, player=self.table.referee.standing.to_move or player, dice=(5, 3))

    @rule(pick=st.integers(0, 10_000), lifted=st.booleans())
    def a_legal_play(self, pick, lifted):
        now = self.table.referee.standing
        if now.dice is None or now.to_move is None:
            return
        plays = legal_plays(now.position, now.to_move, now.dice)
        after = plays[pick % len(plays)].after if plays else now.position
        half = HALVES[now.to_move]
        lying = [] if lifted else [(n, "flat", half, 300.0 + 70 * i, 500.0) for i, n in enumerate(now.dice)]
        self.table.show(after, *lying)
        self.do(c.EndTurn, player=now.to_move)

    @rule(seed=st.integers(0, 10_000), moves=st.integers(1, 3))
    def anything_moved(self, seed, moves):
        rng = random.Random(seed)
        points = list(self.table.position.points)
        for _ in range(moves):
            start = rng.choice([i for i, n in enumerate(points) if n] or [0])
            sign = 1 if points[start] > 0 else -1
            free = [i for i, n in enumerate(points) if n * sign >= 0]
            points[start] -= sign
            points[rng.choice(free)] += sign
        try:
            self.table.position = Position(self.table.agreed.variant, tuple(points), off=self.table.position.off)
        except PositionError:  # a checker lies on the bar, or none on the board
            return
        self.table.show()

    @rule(hidden=st.sets(st.integers(1, 24), max_size=6), hand=st.booleans(), found=st.booleans())
    def seen_badly(self, hidden, hand, found):
        self.table.show(Shown.of(self.table.position, hidden=tuple(hidden), hand=hand, field_found=found))

    @rule(
        kind=st.sampled_from([c.Double, c.Take, c.Drop, c.EndTurn, c.Accept, c.Refuse, c.Condone, c.AskCheck]),
        player=PLAYERS,
    )
    def spoken(self, kind, player):
        self.do(kind, player=player)

    @rule(takes=st.booleans())
    def the_cube(self, takes):
        player = self.table.referee.standing.to_move or Player.WHITE
        self.do(c.Double, player=player)
        self.do(c.Take if takes else c.Drop, player=player.other)

    @rule(player=PLAYERS, points=st.integers(1, 3))
    def resigned(self, player, points):
        self.do(c.Resign, player=player, points=points)

    @rule(kind=st.sampled_from([c.LetStand, c.AcceptSeen, c.AcceptSetup, c.CancelThrow]))
    def decided(self, kind):
        self.do(kind, **WHO)

    @rule(turn=st.sampled_from([None, *Player]), dice=st.none() | DICE, near=st.booleans())
    def set_by_hand(self, turn, dice, near):
        variant = self.table.agreed.variant
        ending = [0] * 24
        ending[0], ending[12 if variant is Variant.LONG else 23] = 2, -2
        position = Position(variant, tuple(ending), off=(13, 13)) if near else Position.start(variant)
        self.do(c.SetBoard, position=position, turn=turn, dice=dice, **WHO)
        self.table.show(position)

    @rule(seconds=st.floats(-5, 5))
    def clock(self, seconds):
        self.do(c.StopClock)
        self.do(c.AdjustClock, player=Player.WHITE, seconds=seconds, **WHO)
        self.do(c.StartClock)

    @rule()
    def next_game(self):
        self.do(c.NextGame)

    @rule()
    def interrupted(self):
        """The machine is switched off and on again."""
        self.table.referee = self.table.again()

    @invariant()
    def adds_up(self):
        if not hasattr(self, "table"):
            return
        table, now = self.table, self.table.referee.standing
        assert now == self.folded()
        match, stakes = now.match, table.agreed.stakes
        assert match.cube.value.bit_count() == 1 and match.cube.value <= stakes.cube_cap * 2
        scores = of(table.said, e.Scored)
        assert match.score == tuple(sum(s.points for s in scores if s.winner is p) for p in Player)
        overs = of(table.said, e.MatchOver)
        assert len(overs) <= 1
        if overs:
            assert now.phase is Phase.OVER and overs[0].winner is match.winner
            assert max(match.score) >= stakes.length > min(match.score)
        assert len(of(table.said, e.GameStarted)) - len(scores) - len(of(table.said, e.Drawn)) <= 1
        assert now.phase in Phase


Machine.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
TestMachine = Machine.TestCase


def test_the_diagram_is_that_of_the_tables():
    text = (Path(states.__file__).parent / "states.md").read_text()
    assert text == states.diagram(), "run: python -m nardy_hw.referee.states > nardy_hw/referee/states.md"


def test_every_state_is_described_and_can_be_left_and_reached():
    assert set(WHAT) == set(Phase)
    assert {phase for phase, _ in AFTER} == set(Phase) - {Phase.OVER}
    assert {to for to in AFTER.values() if to} == set(Phase) - {Phase.SETUP}
    commands = [kind for kind in vars(c).values() if isinstance(kind, type) and issubclass(kind, c.Command)]
    assert set(MAY) == {kind for kind in commands if kind.__struct_config__.tag and not kind.__subclasses__()}


@pytest.mark.parametrize(
    ("obj", "words"),
    [
        ({"do": "double"}, "player"),
        ({"do": "dubble", "player": "white"}, "dubble"),
        ({"do": "throw", "player": "white", "dice": [7, 1]}, "dice"),
        ({"do": "double", "player": "white", "value": 4}, "value"),
        ({"do": "let_stand", "by": "", "reason": "x"}, "by"),
        ({"do": "set", "by": "d", "reason": "x", "position": {"variant": "short", "points": [0] * 24}}, "15"),
        ([], "object"),
    ],
)
def test_commands_that_are_none(obj, words):
    with pytest.raises((InputError, PositionError), match=words):
        c.decode(obj)


def test_a_command_in_json():
    position = Position.start(Variant.SHORT)
    obj = {"do": "set", "by": "d", "reason": "x", "position": position.to_json(), "turn": "black", "dice": [3, 1]}
    command = c.decode(obj)
    assert (command.position, command.turn, command.dice) == (position, Player.BLACK, (3, 1))

"""What GNU Backgammon reads in our files: whole matches that it once played, decision by decision.

Its account of a match gives, for each, the Position ID of the board and the Match ID: score, cube, turn, dice.
"""

import base64
import gzip
import json
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pytest
from gnubg import Read
from played import moved, record, started, stood

from nardy_hw.errors import ExportError
from nardy_hw.record.mat import to_mat, to_snowie
from nardy_hw.record.sgf import to_sgf
from nardy_hw.record.store import MatchRecord
from nardy_hw.record.text import to_text
from nardy_hw.referee import events as e
from nardy_hw.rules.ids import match_id, position_id
from nardy_hw.rules.match import Match, Stakes
from nardy_hw.rules.notation import format_moves
from nardy_hw.rules.play import Move
from nardy_hw.rules.position import CHECKERS, Player, Position, Variant

GAMES = Path(__file__).parents[1] / "data" / "vectors" / "short_games.jsonl.gz"
MATCHES = [
    list(games)
    for _, games in groupby(
        map(json.loads, gzip.decompress(GAMES.read_bytes()).splitlines()), lambda game: game["match"]
    )
]
NAMES = {Player.WHITE: "Ona", Player.BLACK: "Petro"}
THEIRS = {Player.WHITE: "X", Player.BLACK: "O"}
"""GNU Backgammon's names for the first and the second player of a file."""
FORMATS = {"mat": to_mat, "snowie": to_snowie, "sgf": to_sgf}
START = Position.start(Variant.SHORT)


def board(text: str, mover: Player) -> Position:
    """The vectors' string: the mover's points 1..24 between the enemy's bar and his own; capitals are the mover's."""
    values = [0 if c == "-" else ord(c) - 64 if c.isupper() else 96 - ord(c) for c in text]
    own, bars = values[1:25], (values[25], -values[0])
    if mover is Player.BLACK:
        own, bars = [-n for n in own[::-1]], bars[::-1]
    white = sum(n for n in own if n > 0) + bars[0]
    black = -sum(n for n in own if n < 0) + bars[1]
    return Position(Variant.SHORT, tuple(own), bars, (CHECKERS - white, CHECKERS - black))


def moves(pairs: list[list[int]], before: Position, player: Player) -> list[Move]:
    """With the hits, which the vectors leave out."""
    enemy, found = before.counts(player.other), []
    for start, end in pairs:
        hit = 0 < end < 25 and enemy[25 - end] == 1
        if hit:
            enemy[25 - end] = 0
        found.append(Move(start, end, hit))
    return found


@dataclass
class Retold:
    """A match of the vectors with one of its sides as White: our events of it, and what is to be found in each game.

    decisions: of each game, Position ID and Match ID. results: winner, points, was it resigned, score before.
    """

    games: list
    white: str

    def __post_init__(self) -> None:
        self.length = self.games[0]["match_length"]
        self.events: list[e.AnyEvent] = []
        self.decisions: list[list[tuple[str, str]]] = []
        self.results: list[tuple[str, int, bool, int, int]] = []
        self.last_moves: list[list[list[int]]] = []
        for number, game in enumerate(self.games, 1):
            self._tell(number, game)

    def _say(self, kind, **fields) -> None:
        self.events.append(kind(t=len(self.events), frame=0, **fields))

    def _side(self, name: str) -> Player:
        return Player.WHITE if name == self.white else Player.BLACK

    def _tell(self, number: int, game: dict) -> None:
        score = tuple(game["score_before"][name] for name in (self.white, "XO".replace(self.white, "")))
        self._say(e.GameStarted, number=number, score=score, crawford=game["crawford"], position=START)
        match = Match(Stakes(length=self.length), score, number, game["crawford"])
        position, found, last = START, [], []
        for action in game["actions"]:
            player = self._side(action["p"])
            if action["a"] == "move":
                dice, position = tuple(action["dice"]), board(action["before"], player)
                found.append((position_id(position, player), match_id(match, player, dice)))
                text = format_moves(moves(action["move"], position, player))
                last, position = action["move"], board(action["after"], player)
                self._say(e.Roll, player=player, dice=dice)
                self._say(e.PlayMade, player=player, dice=dice, text=text, position=position, confidence=1.0)
            elif action["a"] == "double":
                found.append((position_id(position, player), match_id(match, player)))
                match = match.offer(player)
                found.append((position_id(position, player), match_id(match, player)))
                self._say(e.Doubled, player=player, value=match.cube.value * 2)
            elif action["a"] == "take":
                match = match.take()
                self._say(e.Taken, player=player, value=match.cube.value)
            elif action["a"] == "drop":
                self._say(e.Dropped, player=player)
        winner, points = self._side(game["winner"]), game["points"]
        how = "resign" if game["resigned"] else "drop" if match.offered else "off"
        if how == "off":
            self._say(e.GameOver, winner=winner, points=points // match.cube.value)
        after = list(score)
        after[winner.side] += points
        self._say(e.Scored, winner=winner, points=points, how=how, score=tuple(after))
        self.decisions.append(found)
        self.results.append((THEIRS[winner], points, how == "resign", *score))
        self.last_moves.append(last)

    @property
    def record(self) -> MatchRecord:
        return record(*self.events, white=NAMES[Player.WHITE], black=NAMES[Player.BLACK], length=self.length)


def states(game: list[tuple[str, str]], *, jacoby: bool) -> list[tuple[str, int]]:
    """The bits of each Match ID, but those that say whether a game is going on: GNU Backgammon sets them from the
    second decision of a file on. jacoby: with the bit of that rule?"""
    unread = 0b111 << 8 | (0 if jacoby else 1 << 66)
    return [(board, int.from_bytes(base64.b64decode(word), "little") & ~unread) for board, word in game]


@pytest.mark.parametrize("white", ["X", "O"])
@pytest.mark.parametrize("kind", FORMATS)
def test_every_decision_and_result(kind, white, tmp_path):
    """Of all 34 games, each side as White once: with the cube, Crawford games, passes and resignations.

    Of `.mat` single games it believes that they are played by the Jacoby rule, whatever the file says.
    """
    games = 0
    for told in (Retold(match, white) for match in MATCHES):
        read = Read(tmp_path, FORMATS[kind](told.record), kind)
        jacoby = kind == "sgf" or told.length > 0
        assert [states(game, jacoby=jacoby) for game in read.ids] == [
            states(game, jacoby=jacoby) for game in told.decisions
        ]
        found = [game["info"] for game in read.games]
        keys = "winner", "points-won", "resigned", "score-X", "score-O"
        assert [tuple(info[key] for key in keys) for info in found] == told.results
        for game, last in zip(read.games, told.last_moves, strict=True):
            played = [action for action in game["game"] if action["action"] == "move"]
            assert sorted(played[-1]["move"]) == sorted(last)
        assert [read.info[side]["name"] for side in "XO"] == list(NAMES.values())
        assert read.info["match-length"] == told.length
        games += len(read.games)
    assert games == 34


def test_the_vectors_have_all_that_is_to_be_read():
    actions = [action for match in MATCHES for game in match for action in game["actions"]]
    assert {action["a"] for action in actions} == {"move", "double", "take", "drop", "resign"}
    assert any(action["a"] == "move" and not action["move"] for action in actions)
    assert any(game["crawford"] for match in MATCHES for game in match)
    assert {game["points"] for match in MATCHES for game in match} == {1, 2, 4, 8}


def test_long_nardy_is_refused(tmp_path):
    """Neither as a file of theirs, nor is its text taken for backgammon."""
    start = Position.start(Variant.LONG)
    after = moved(start, (24, -1), (13, +1))
    kept = record(started(start), stood(Player.WHITE, (6, 5), after), variant=Variant.LONG)
    for written in FORMATS.values():
        with pytest.raises(ExportError, match="long nardy"):
            written(kept)
    assert not Read(tmp_path, to_text(kept), "mat").games

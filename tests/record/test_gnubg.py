"""What GNU Backgammon reads in our `.mat`: whole games that it once played, position by position, and their results.

Its text export says before every play whose it is, the dice and the Position ID of the board that it has.
"""

import gzip
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from nardy_hw.errors import ExportError
from nardy_hw.record.mat import to_mat
from nardy_hw.record.store import MatchInfo, Store
from nardy_hw.record.text import to_text
from nardy_hw.referee.events import GameOver, PlayMade, Roll, Started
from nardy_hw.rules.ids import position_id
from nardy_hw.rules.notation import format_moves
from nardy_hw.rules.play import Move
from nardy_hw.rules.position import CHECKERS, Player, Position, Variant

GAMES = Path(__file__).parents[1] / "data" / "vectors" / "short_games.jsonl.gz"
NAMES = {Player.WHITE: "Ona", Player.BLACK: "Petro"}
PLY = re.compile(
    r"^Move number \d+:  (?P<name>[^\n]+) to play (?P<dice>[1-6]{2})$.*?Position ID: (?P<id>\S{14})$"
    r".*?^\* (?P=name) (?P<play>moves [^\n]+|cannot move)$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Recorded:
    """A game of the vectors, one of its sides taken as White; the cube taken away."""

    name: str
    plies: list[tuple[Player, tuple[int, int], list[Move], Position]]
    ended: bool
    winner: Player
    points: int

    def events(self):
        yield Started(t=0, frame=0, position=Position.start(Variant.SHORT))
        for t, (player, dice, moves, after) in enumerate(self.plies, 1):
            yield Roll(t=t, frame=t, player=player, dice=dice)
            text = format_moves(moves)
            yield PlayMade(t=t, frame=t, player=player, dice=dice, text=text, position=after, confidence=1)
        if self.ended:
            yield GameOver(t=t, frame=t, winner=self.winner, points=self.points)


def board(text: str, mover: Player) -> Position:
    """The vectors' string: the mover's points 1..24 between the enemy's bar and his own; capitals are the mover's."""
    values = [0 if c == "-" else ord(c) - 64 if c.isupper() else 96 - ord(c) for c in text]
    own, bars = values[1:25], (values[25], -values[0])
    if mover is Player.BLACK:
        own, bars = [-n for n in own[::-1]], bars[::-1]
    white = sum(n for n in own if n > 0) + bars[0]
    black = -sum(n for n in own if n < 0) + bars[1]
    return Position(Variant.SHORT, tuple(own), bars, (CHECKERS - white, CHECKERS - black))


def recorded(white: str) -> list[Recorded]:
    games = []
    for game in map(json.loads, gzip.decompress(GAMES.read_bytes()).splitlines()):
        plies, cube = [], 1
        for action in game["actions"]:
            player = Player.WHITE if action["p"] == white else Player.BLACK
            if action["a"] == "move":
                after = board(action["after"], player)
                before = board(action["before"], player)
                plies.append((player, tuple(action["dice"]), moves(action["move"], before, player), after))
            cube *= 2 if action["a"] == "take" else 1
        winner = Player.WHITE if game["winner"] == white else Player.BLACK
        ended = CHECKERS in plies[-1][3].off
        games.append(Recorded(f"{game['id']}, {white} White", plies, ended, winner, game["points"] // cube))
    return games


def moves(pairs: list[list[int]], before: Position, player: Player) -> list[Move]:
    """With the hits, which the vectors leave out."""
    enemy, found = before.counts(player.other), []
    for start, end in pairs:
        hit = 0 < end < 25 and enemy[25 - end] == 1
        if hit:
            enemy[25 - end] = 0
        found.append(Move(start, end, hit))
    return found


def moved(before: Position, player: Player, text: str) -> Position:
    """GNU Backgammon's own words for a play (`bar/20*/14 6/off(2)`), done on a board that knows no rules."""
    me, you = before.counts(player), before.counts(player.other)
    for word in text.split():
        path, _, times = word.rstrip(")").partition("(")
        stops = [stop.rstrip("*") for stop in path.split("/")]
        hits = [int(stop.rstrip("*")) for stop in path.split("/") if stop.endswith("*")]
        start, end = (25 if s == "bar" else 0 if s == "off" else int(s) for s in (stops[0], stops[-1]))
        me[start] -= int(times or 1)
        me[end] += int(times or 1)
        for point in hits:
            you[25 - point] -= 1
            you[25] += 1
    white, black = (me, you) if player is Player.WHITE else (you, me)
    points = tuple(white[p] - black[25 - p] for p in range(1, 25))
    return Position(Variant.SHORT, points, (white[25], black[25]), (white[0], black[0]))


def gnubg(folder: Path, match: str) -> tuple[list[str], str]:
    """GNU Backgammon's account of each game that it finds in the match file, and its Snowie text of the match."""
    program = shutil.which("gnubg", path=f"{os.environ['PATH']}:/usr/games")
    assert program, "GNU Backgammon is missing: apt-get install gnubg"
    (folder / "ours.mat").write_text(match)
    (folder / "commands").write_text(
        'import mat "ours.mat"\nexport match text "theirs.txt"\nexport match snowietxt "snowie"\n'
    )
    command = [program, "-t", "-q", "-r", "-c", "commands"]
    home = {**os.environ, "HOME": str(folder)}
    subprocess.run(command, cwd=folder, env=home, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True)
    accounts = [path.read_text() for path in sorted(folder.glob("theirs*.txt"))]
    snowie = folder / "snowie"
    return accounts, snowie.read_text() if snowie.exists() else ""


def exported(folder: Path, games: list[Recorded], length: int = 0) -> str:
    info = MatchInfo(variant=Variant.SHORT, white=NAMES[Player.WHITE], black=NAMES[Player.BLACK], length=length)
    with Store.open(folder / "matches.db") as store:
        number = store.begin(info)
        for game in games:
            for event in game.events():
                store.append(number, event)
    with Store.open(folder / "matches.db") as store:
        return to_mat(store.match(number))


def compare(game: Recorded, account: str) -> None:
    """Every board before a play by its Position ID, every board after it by the play."""
    theirs = list(PLY.finditer(account))
    assert len(theirs) == len(game.plies), game.name
    before = Position.start(Variant.SHORT)
    for ply, (player, dice, _, after) in zip(theirs, game.plies, strict=True):
        assert ply["name"] == NAMES[player], game.name
        assert sorted(ply["dice"]) == sorted(f"{dice[0]}{dice[1]}"), game.name
        assert ply["id"] == position_id(before, player), game.name
        assert moved(before, player, ply["play"].removeprefix("moves").removeprefix("cannot move")) == after, game.name
        before = after


RESULT = re.compile(r"^( +)Wins (\d+) points?$", re.MULTILINE)


def results(snowie: str) -> list[tuple[Player, int]]:
    """The winner by the column that his result stands in."""
    return [
        (Player.WHITE if len(indent) < 20 else Player.BLACK, int(points)) for indent, points in RESULT.findall(snowie)
    ]


@pytest.mark.parametrize("white", ["X", "O"])
def test_every_board_and_result(white, tmp_path):
    """All games with X as White, those played out also with O. A game that was resigned or dropped is left unfinished:
    the camera sees neither."""
    games = [game for game in recorded(white) if game.ended or white == "X"]
    accounts, snowie = gnubg(tmp_path, exported(tmp_path, games))
    assert len(accounts) == len(games) == {"X": 34, "O": 9}[white]
    for game, account in zip(games, accounts, strict=True):
        compare(game, account)
    ended = [game for game in games if game.ended]
    assert results(snowie) == [(game.winner, game.points) for game in ended]
    assert len(ended) == 9
    assert {game.points for game in ended} == {1, 2}
    assert {game.winner for game in ended} == {game.plies[0][0] for game in ended} == set(Player)
    plies = [ply for game in games for ply in game.plies]
    assert any(not moves for _, _, moves, _ in plies)
    assert any(move.hit for _, _, moves, _ in plies for move in moves)
    assert any(dice[0] == dice[1] for _, dice, _, _ in plies)


def test_match_to_points(tmp_path):
    """Won by White, who is O: 1 of gs006, and 2 of the gammon gs018."""
    games = [game for game in recorded("O") if game.name[:5] in ("gs006", "gs018")]
    ours = exported(tmp_path, games, length=3)
    assert ours.count("and the match") == ours.count("Wins 2 points and the match\n") == 1
    accounts, snowie = gnubg(tmp_path, ours)
    for game, account in zip(games, accounts, strict=True):
        compare(game, account)
    assert "(match to 3 points)" in accounts[0]
    assert "after 1 game) is: Ona 1, Petro 0 (match to 3 points" in accounts[1]
    assert results(snowie) == [(Player.WHITE, 1), (Player.WHITE, 2)]


def test_long_nardy_is_refused(tmp_path):
    """Neither as .mat, nor is its text taken for backgammon."""
    start = Position.start(Variant.LONG)
    points = list(start.points)
    points[23], points[12] = 14, 1
    after = Position(Variant.LONG, tuple(points))
    with Store.open(tmp_path / "matches.db") as store:
        number = store.begin(MatchInfo(variant=Variant.LONG))
        store.append(number, Started(t=0, frame=0, position=start))
        play = PlayMade(t=1, frame=1, player=Player.WHITE, dice=(6, 5), text="24/13", position=after, confidence=1)
        store.append(number, play)
        record = store.match(number)
    with pytest.raises(ExportError, match="long nardy"):
        to_mat(record)
    assert "65: 24/13" in to_text(record)
    accounts, snowie = gnubg(tmp_path, to_text(record))
    assert not accounts
    assert not snowie

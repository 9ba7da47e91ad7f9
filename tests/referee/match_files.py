"""The matches that GNU Backgammon played against itself, from its .mat files, as what a table would show."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from nardy_hw.rules.notation import parse_play
from nardy_hw.rules.position import Player, Position, Variant

FOLDER = Path(__file__).parents[1] / "data" / "vectors" / "matches"


@dataclass(frozen=True)
class Turn:
    """what: 'play', 'double', 'take', 'drop'. after: the position then; value: the cube that is offered."""

    player: Player
    what: str
    dice: tuple[int, int] = (0, 0)
    after: Position | None = None
    value: int = 0


@dataclass
class Game:
    score: tuple[int, int]
    turns: list[Turn] = field(default_factory=list)
    winner: Player = Player.WHITE
    points: int = 0

    @property
    def opening_cube(self) -> int:
        """What the cube stood at when the first turn began: more than 1 after equal opening dice."""
        return next((turn.value // 2 for turn in self.turns if turn.what == "double"), 1)


def games_of(name: str) -> tuple[int, list[Game]]:
    """(length of the match, its games). White is the left column."""
    text = (FOLDER / f"{name}.mat").read_text()
    length = int(re.search(r"(\d+) point match", text)[1])
    games: list[Game] = []
    position = Position.start(Variant.SHORT)
    for line in text.splitlines():
        if line.startswith(" Game "):
            position = Position.start(Variant.SHORT)
        elif names := re.match(r" \S+ : (\d+) +\S+ : (\d+)", line):
            games.append(Game((int(names[1]), int(names[2]))))
        elif re.match(r" *\d+\)", line):
            for cell in re.finditer(r"(\d\d:|Doubles|Takes|Drops).*?(?=\d\d:|Doubles|Takes|Drops|Wins|$)", line[5:]):
                player = Player.WHITE if cell.start() < 20 else Player.BLACK
                position = _turn(games[-1], player, cell[0].strip(), position)
        if won := re.search(r"Wins (\d+) point", line):
            games[-1].winner = Player.WHITE if won.start() < 20 else Player.BLACK
            games[-1].points = int(won[1])
    return length, games


def _turn(game: Game, player: Player, cell: str, position: Position) -> Position:
    if found := re.match(r"(\d)(\d): ?(.*)", cell):
        dice = int(found[1]), int(found[2])
        text = found[3].strip().replace("25/", "bar/")
        text = re.sub(r"/0\b", "/off", text)
        if text:
            position = parse_play(text, position, player, dice).after
        game.turns.append(Turn(player, "play", dice, position))
    elif found := re.match(r"Doubles => (\d+)", cell):
        game.turns.append(Turn(player, "double", value=int(found[1])))
    elif cell.startswith("Takes"):
        game.turns.append(Turn(player, "take"))
    elif cell.startswith("Drops"):
        game.turns.append(Turn(player, "drop"))
    return position

"""Reads `.mat` and Snowie text: what GNU Backgammon, eXtreme Gammon and this program write."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

import msgspec

from nardy_hw.errors import InputError, NardyError
from nardy_hw.record.columns import AUTOMATIC, OURS
from nardy_hw.record.mat import MOST_POINTS
from nardy_hw.record.store import MatchInfo
from nardy_hw.record.transcript import UNCAPPED, Told, Transcript
from nardy_hw.rules.notation import NO_PLAY
from nardy_hw.rules.position import BAR, CHECKERS, Player, Position, Variant

LENGTH = re.compile(r"\s*(\d+) point match\s*")
GAME = re.compile(r"\s*Game (\d+)\s*")
SCORE = re.compile(r"\s*(\S.*?)\s*: *(\d+)\s+(\S.*?)\s*: *(\d+)\s*")
HEADER = re.compile(r'; *\[([^"]+?) "(.*)"\]\s*')
ROW = re.compile(r"\s*\d+\)")
CELL = re.compile(
    r"(?P<illegal>[1-6]{2}: *Illegal play *\((?P<after>[^)]*)\))"
    r"|(?P<dice>[1-6]{2}):(?P<moves>(?:(?!\b[1-6]{2}:|Doubles|Takes|Drops|Wins).)*)"
    r"|Doubles *=> *(?P<double>\d+)|(?P<take>Takes)|(?P<drop>Drops)|(?P<wins>Wins (?P<points>\d+) points?.*)"
    r"|(?P<other>\S.*?(?=\s{2,}|$))"
)
WINS = re.compile(r"\s*Wins (\d+) points?.*")

LEFT = 15
"""Blanks that an empty left cell has at least, as GNU Backgammon counts them."""


def read_mat(text: str) -> Told:
    """The match of a file. Raises InputError, naming the line."""
    return read_lines(Reader(), text)


def read_lines(reader: Reader, text: str) -> Told:
    """Line by line; what a line is refused for names it."""
    for number, line in enumerate(text.split("\n"), 1):
        try:
            reader.read(line.rstrip("\r"))
        except (NardyError, msgspec.ValidationError) as error:
            raise InputError(f"line {number}: {error}") from None
    return reader.done()


@dataclass(slots=True)
class Reader:
    """headers: those of the lines before the first game. game: the number of the one that is read. told: the match,
    once its first score line was read."""

    headers: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    game: int = 0
    names: tuple[str, str] | None = None
    told: Transcript | None = None

    def read(self, line: str) -> None:
        if not line.strip():
            return
        if line.lstrip().startswith(";"):
            if header := HEADER.fullmatch(line.strip()):
                self.headers[header[1]] = header[2]
        elif found := LENGTH.fullmatch(line):
            self._match(int(found[1]))
        elif GAME.fullmatch(line):
            if self.length is None:
                raise InputError("a game before the line 'N point match'")
            self.game += 1
            self.names = None
        elif self.names is None:
            self._score(line)
        elif row := ROW.match(line):
            self._row(line[row.end() :])
        elif won := WINS.fullmatch(line):
            self._wins(line.index("Wins"), int(won[1]))
        else:
            raise InputError(f"{line.strip()[:40]!r} is neither a play nor a result")

    def done(self) -> Told:
        if self.length is None:
            raise InputError("line 1: no match: there is no line 'N point match'")
        return (self.told or Transcript(self._info("White", "Black"))).whole

    def _match(self, length: int) -> None:
        if self.length is not None:
            raise InputError("a second match in one file: split it")
        if length > MOST_POINTS:
            raise InputError(f"a match to {length} points: {MOST_POINTS} are the most")
        self.length = length

    def _score(self, line: str) -> None:
        found = SCORE.fullmatch(line)
        if found is None or not self.game:
            raise InputError(f"{line.strip()[:40]!r} where a game's score is expected: 'Ona : 0   Petro : 0'")
        self.names = found[1], found[3]
        if self.told is None:
            self.told = Transcript(self._info(*self.names))
        self.told.game((int(found[2]), int(found[4])))
        self.told.cube_at(self._cubes().get(self.game, 1))

    def _cubes(self) -> dict[int, int]:
        """Where the cube began, of the games in which it was not at 1."""
        pairs = re.findall(r"(\d{1,4}): (\d{1,4})", self.headers.get(AUTOMATIC, ""))
        return {int(game): int(cube) for game, cube in pairs}

    def _info(self, white: str, black: str) -> MatchInfo:
        """Our own header knows all of it; else what the usual ones say. The names are those above the columns."""
        length = self.length or 0
        if ours := self.headers.get(OURS):
            return msgspec.structs.replace(read_info(ours), variant=Variant.SHORT, length=length)
        profile: dict[str, Any] = dict(UNCAPPED)
        if not length:
            profile["jacoby"] = self.headers.get("Jacoby", "On").lower() == "on"
        elif self.headers.get("Crawford", "On").lower() == "off":
            profile["crawford"] = False
        return MatchInfo(
            variant=Variant.SHORT,
            white=white,
            black=black,
            length=length,
            started=_when(self.headers.get("EventDate", ""), self.headers.get("EventTime", "")),
            event=self.headers.get("Event", ""),
            place=self.headers.get("Site", "") or self.headers.get("Place", ""),
            profile=profile,
        )

    def _row(self, rest: str) -> None:
        """One or two cells, and maybe the result in the place of one."""
        cells = list(CELL.finditer(rest))
        for index, cell in enumerate(cells):
            right = index > 0 or cell.start() >= LEFT
            player = Player.BLACK if right else Player.WHITE
            if cell["wins"]:
                self._transcript.won(player, int(cell["points"]))
            else:
                self._cell(player, cell)

    def _cell(self, player: Player, cell: re.Match[str]) -> None:
        told = self._transcript
        if cell["illegal"]:
            told.stood(player, _dice(cell[0]), position_of(cell["after"], player.other))
        elif cell["dice"]:
            self._play(player, _dice(cell["dice"]), cell["moves"].strip())
        elif cell["double"]:
            told.double(player, int(cell["double"]))
        elif cell["take"]:
            told.take(player)
        elif cell["drop"]:
            told.drop(player)
        else:
            raise InputError(f"{cell[0]!r} is neither a throw nor a word on the cube")

    def _play(self, player: Player, dice: tuple[int, int], moves: str) -> None:
        self._transcript.play(player, dice, NO_PLAY if moves.lower() in _DANCES else moves)

    def _wins(self, column: int, points: int) -> None:
        self._transcript.won(Player.WHITE if column < LEFT else Player.BLACK, points)

    @property
    def _transcript(self) -> Transcript:
        assert self.told is not None  # a score line has been read
        return self.told


_DANCES = ("", "cannot move", "no play", "(no play)")


def position_of(text: str, on_roll: Player) -> Position:
    """Of Snowie's line for a position (`mat._snowie_position`). Raises InputError."""
    fields = text.split(";")
    try:
        board = [int(n) for n in fields[12:38]]
    except ValueError:
        board = []
    if len(board) != 26:
        raise InputError("an illegal play without its position: 38 fields between semicolons are expected")
    own, other = [max(n, 0) for n in board], [max(-n, 0) for n in reversed(board)]
    counts = {on_roll: own[1:], on_roll.other: other[1:]}
    if own[0] or other[0] or any(sum(c) > CHECKERS for c in counts.values()):
        raise InputError("an illegal play with a position that has more than 15 checkers a side")
    sign = 1 if on_roll is Player.WHITE else -1
    points = [sign * n for n in (board[1:BAR] if sign > 0 else board[BAR - 1 : 0 : -1])]
    white, black = counts[Player.WHITE], counts[Player.BLACK]
    off = CHECKERS - sum(white), CHECKERS - sum(black)
    return Position(Variant.SHORT, tuple(points), (white[24], black[24]), off)


def _dice(text: str) -> tuple[int, int]:
    return int(text[0]), int(text[1])


def read_info(word: str) -> MatchInfo:
    """Of `columns.whole_info`. Raises InputError."""
    try:
        return msgspec.convert(json.loads(unquote(word)), MatchInfo)
    except ValueError as error:
        raise InputError(f"what {OURS} says of the match is damaged: {error}") from None


def _when(date: str, time: str) -> str:
    """UTC, ISO 8601; now where the file has no date that can be read."""
    readings: tuple[Callable[[], datetime], ...] = (
        lambda: datetime.strptime(f"{date} {time}", "%Y.%m.%d %H.%M"),
        lambda: datetime.strptime(date, "%Y.%m.%d"),
    )
    for read in readings:
        try:
            return read().replace(tzinfo=UTC).isoformat(timespec="seconds")
        except ValueError:
            continue
    return datetime.now(UTC).isoformat(timespec="seconds")

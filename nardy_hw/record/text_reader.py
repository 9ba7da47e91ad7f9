"""Reads our text of a match, of either game."""

from __future__ import annotations

import re

from nardy_hw.errors import InputError
from nardy_hw.record.columns import OURS
from nardy_hw.record.mat_reader import Reader, read_info, read_lines
from nardy_hw.record.store import MatchInfo
from nardy_hw.record.text import CUBE_AT, FAULTS, FIRST, STANDS, STARTS, STOOD, UNSEEN
from nardy_hw.record.transcript import Told
from nardy_hw.rules.notation import NO_PLAY
from nardy_hw.rules.position import Player, Position, Variant

CHECKERS = re.compile(r"(?:(bar|off)([WB])|([1-9]|1\d|2[0-4])([WB]))(1[0-5]|[1-9])")


def read_text(text: str) -> Told:
    """The match of a file. Raises InputError, naming the line."""
    last = text.rstrip().rpartition("\n")[2]
    key, _, word = last.partition(" ")
    if not text.startswith(FIRST) or key != OURS:
        raise InputError(f"line 1: the file begins with {FIRST!r} and ends with {OURS!r}: this one does not")
    return read_lines(_TextReader(read_info(word)), text)


class _TextReader(Reader):
    """stood: whose illegal throw waits for the position after it."""

    def __init__(self, info: MatchInfo) -> None:
        super().__init__(length=info.length)
        self._of_match = info
        self._stood: tuple[Player, tuple[int, int]] | None = None
        self._ended = False

    def _info(self, white: str, black: str) -> MatchInfo:
        return self._of_match

    def read(self, line: str) -> None:
        self._ended = self._ended or line == FAULTS or line.startswith(f"{OURS} ")
        if self._ended or not (self.game or line.startswith(" Game ")):
            return
        told, text = self.told, line.strip()
        if told is None or self.names is None:
            super().read(line)
        elif text.startswith(STARTS):
            told.start_from(self._position(text.removeprefix(STARTS)))
        elif text.startswith(CUBE_AT):
            told.cube_at(_number(text.removeprefix(CUBE_AT)))
        elif text.startswith(UNSEEN):
            told.gap(self._position(text.removeprefix(UNSEEN)))
        elif text.startswith(STANDS) and self._stood:
            told.stood(*self._stood, self._position(text.removeprefix(STANDS)))
            self._stood = None
        else:
            super().read(line)

    def _play(self, player: Player, dice: tuple[int, int], moves: str) -> None:
        if moves == STOOD:
            self._stood = player, dice
        else:
            self._transcript.play(player, dice, moves or NO_PLAY)

    def _position(self, text: str) -> Position:
        """Of `text.where`."""
        points, bar, off = [0] * 24, [0, 0], [0, 0]
        for word in text.split():
            found = CHECKERS.fullmatch(word)
            if found is None:
                raise InputError(f"{word!r} is not checkers on a point, as 6W5 is")
            side = "WB".index(found[2] or found[4])
            if found[1]:
                (bar if found[1] == "bar" else off)[side] = int(found[5])
            else:
                points[int(found[3]) - 1] = int(found[5]) * (-1) ** side
        return Position(Variant(self._of_match.variant), tuple(points), (bar[0], bar[1]), (off[0], off[1]))


def _number(text: str) -> int:
    if not text.strip().isdecimal():
        raise InputError(f"{text.strip()!r} is not a number")
    return int(text)

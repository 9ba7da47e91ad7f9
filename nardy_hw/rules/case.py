"""One change of position before the referee: what it was, what would have been legal, and the words to say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from nardy_hw.rules import violations as words
from nardy_hw.rules.notation import format_moves, format_play, place_name
from nardy_hw.rules.options import RuleOptions
from nardy_hw.rules.play import Move, Play
from nardy_hw.rules.position import Placement, Player, Position
from nardy_hw.rules.reading import Pair
from nardy_hw.rules.search import Level, Search
from nardy_hw.rules.violations import Code, Violation, violation


@dataclass(frozen=True, slots=True)
class Case:
    """found, finals: the search of the turn.

    plays: what it allows, the nearest to what was done first; never empty, as 'no play' is one where nothing else is.
    """

    before: Position
    player: Player
    dice: tuple[int, int]
    after: Position | Placement
    options: RuleOptions
    found: Search
    finals: Level
    plays: tuple[Play, ...]

    @property
    def name(self) -> str:
        return self.player.title()

    @property
    def enemy(self) -> str:
        return self.player.other.title()

    @property
    def throw(self) -> tuple[int, ...]:
        """The numbers to play, the larger first, four of a double (S8)."""
        return self.dice * 2 if self.dice[0] == self.dice[1] else (max(self.dice), min(self.dice))

    def say(self, code: Code, repair: str, points: Iterable[int] = (), **data: object) -> Violation:
        """The violation in words; player, enemy and dice are filled in."""
        known = {"player": self.name, "enemy": self.enemy, "dice": f"{max(self.dice)}-{min(self.dice)}"}
        double = self.dice[0] == self.dice[1]
        return violation(code, self.before.variant, double, repair, tuple(dict.fromkeys(points)), **known | data)

    def put_back(self, moves: Iterable[Pair]) -> str:
        """Those checkers back to where they came from."""
        return words.PUT_BACK.format(player=self.name, moves=back((place_name(a), place_name(b)) for a, b in moves))

    def instead(self) -> str:
        """The nearest legal play in place of what was done."""
        play = self.plays[0]
        form = words.PLAY_INSTEAD if play.moves else words.PASS
        return form.format(player=self.name, play=format_play(play))


def back(moves: Iterable[tuple[str, str]]) -> str:
    """'9 back to 13, 2 from the tray back to 6', of moves between places by name."""
    return ", ".join(
        words.BACK.format(place=end, origin=start)
        if count == 1 and end != "off"
        else words.BACK_MANY.format(count=count, place=words.TRAY if end == "off" else end, origin=start)
        for (start, end), count in Counter(moves).items()
    )


def moves_name(moves: Iterable[Pair]) -> str:
    """'13/9 6/5', as plays are written."""
    return format_moves(Move(start, end) for start, end in moves)

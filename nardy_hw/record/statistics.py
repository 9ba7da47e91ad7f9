"""What a club wants to know of its matches: results, time for a turn, and whether the dice are fair."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import fmean, median

from nardy_hw.record.fairness import LEAST, chance, chi_square
from nardy_hw.record.games import games
from nardy_hw.record.store import MatchRecord
from nardy_hw.referee import events as e
from nardy_hw.rules.position import Player


@dataclass(slots=True)
class Standing:
    """One player's results. seconds: of each turn, from the throw to the play; none of matches from files."""

    matches: int = 0
    won: int = 0
    games: int = 0
    games_won: int = 0
    points_won: int = 0
    points_lost: int = 0
    faults: int = 0
    seconds: list[float] = field(default_factory=list)

    @property
    def mean_s(self) -> float | None:
        return round(fmean(self.seconds), 1) if self.seconds else None

    @property
    def median_s(self) -> float | None:
        return round(median(self.seconds), 1) if self.seconds else None


@dataclass(slots=True)
class Dice:
    """faces: how often 1 to 6 came, of dice of one source on one board."""

    faces: list[int] = field(default_factory=lambda: [0] * 6)

    @property
    def chi_square(self) -> float:
        """Pearson's, with 5 degrees of freedom."""
        return chi_square(self.faces)

    @property
    def chance(self) -> float | None:
        """How often fair dice are as uneven; None of fewer than 60 dice."""
        return chance(self.faces) if sum(self.faces) >= LEAST else None


@dataclass(slots=True)
class Statistics:
    """players: by name. dice: by (board, source)."""

    players: dict[str, Standing] = field(default_factory=lambda: defaultdict(Standing))
    dice: dict[tuple[str, str], Dice] = field(default_factory=lambda: defaultdict(Dice))

    def count(self, record: MatchRecord) -> None:
        """One match more. Raises ExportError for a record without a beginning."""
        info = record.info
        both = {Player.WHITE: self.players[info.white], Player.BLACK: self.players[info.black]}
        for standing in both.values():
            standing.matches += 1
        for game in games(record.events):
            if game.winner is None:
                continue
            for player, standing in both.items():
                standing.games += 1
                standing.games_won += game.winner is player
                standing.points_won += game.points * (game.winner is player)
                standing.points_lost += game.points * (game.winner is not player)
        self._events(record, both)

    def _events(self, record: MatchRecord, both: dict[Player, Standing]) -> None:
        """thrown: when, and the dice; a second throw before the play replaces the first, of which both have fallen."""
        thrown: dict[Player, float] = {}
        for event in record.events:
            match event:
                case e.Roll(player=player, dice=dice, source=source):
                    thrown[player] = event.t
                    for die in dice:
                        self.dice[record.info.board, source].faces[die - 1] += 1
                case e.PlayMade(player=player) | e.Stands(player=player):
                    since = thrown.pop(player, None)
                    if since is not None and event.t > since:
                        both[player].seconds.append(event.t - since)
                case e.ViolationSeen(player=player):
                    both[player].faults += 1
                case e.MatchOver(winner=winner):
                    both[winner].won += 1


def statistics(records: Iterable[MatchRecord]) -> Statistics:
    """Of all of them. Players are told apart by their names alone, as written."""
    found = Statistics()
    for record in records:
        found.count(record)
    return found


def violations(records: Iterable[MatchRecord]) -> Counter[str]:
    """How often each kind of illegal play was seen, by its code."""
    return Counter(event.code for record in records for event in record.events if isinstance(event, e.ViolationSeen))

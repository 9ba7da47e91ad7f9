"""Chouette: one against the others (C11). Who is box, captain and next in line, the cubes, and who owes whom.

One cube lies on the table; each member of the team plays for it against the box. Where the rulebook is silent: when
the captain passes, the first of the team who took goes on as captain; who passed is out of this game and keeps his
place in the line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from nardy_hw.errors import InputError, MatchError

FEWEST = 3


def seats(throws: Sequence[tuple[str, int]]) -> tuple[tuple[str, ...], ...]:
    """Groups of names by their opening dice, the highest first; those in one group throw again among themselves.

    All alone in their groups: the order of the line, box first, captain second.
    """
    values = sorted({value for _, value in throws}, reverse=True)
    return tuple(tuple(name for name, one in throws if one == value) for value in values)


@dataclass(frozen=True, slots=True)
class Chouette:
    """line: the box, the captain, and the others in turn. score: of each, in points; they add up to 0.

    game: whether one is on. cube: its value; owner: 'box', 'team' or None. offered: by whom the cube is offered now.
    playing: the team's members who are still in this game, the captain first. jacoby: as in `Stakes`.
    Raises MatchError for a step that is not possible now, InputError for names that will not do.
    """

    line: tuple[str, ...]
    score: Mapping[str, int]
    jacoby: bool = False
    game: bool = False
    cube: int = 1
    owner: str | None = None
    offered: str | None = None
    playing: tuple[str, ...] = ()

    @classmethod
    def begin(cls, line: Sequence[str], *, jacoby: bool = False) -> Chouette:
        """line: in the order that the opening dice gave (`seats`)."""
        if len(line) < FEWEST:
            raise InputError(f"a chouette needs {FEWEST} players or more, not {len(line)}")
        if len(set(line)) != len(line) or not all(line):
            raise InputError("each player of a chouette needs a name of his own")
        return cls(tuple(line), dict.fromkeys(line, 0), jacoby)

    @property
    def box(self) -> str:
        return self.line[0]

    @property
    def captain(self) -> str:
        """Who throws and moves for the team; in a game, the first who is still in it."""
        return self.playing[0] if self.playing else self.line[1]

    def start(self) -> Chouette:
        """A game begins, all in it, the cube in the middle."""
        if self.game:
            raise MatchError("a game is on already")
        return replace(self, game=True, cube=1, owner=None, offered=None, playing=self.line[1:])

    def team_offers(self, votes: Mapping[str, bool]) -> Chouette:
        """The team doubles, if all of it that is in the game says so."""
        self._may_offer("team")
        missing = [name for name in self.playing if name not in votes]
        against = [name for name in self.playing if not votes.get(name, True)]
        if missing or against:
            raise MatchError(f"the team doubles only with one voice: {', '.join(missing or against)} did not agree")
        return replace(self, offered="team")

    def box_offers(self) -> Chouette:
        """The box doubles all who are in the game."""
        self._may_offer("box")
        return replace(self, offered="box")

    def box_answers(self, *, takes: bool) -> Chouette:
        """To the team's double: taken, or the box loses the value before it to each."""
        if self.offered != "team":
            raise MatchError("the team has not doubled")
        if takes:
            return replace(self, cube=self.cube * 2, owner="box", offered=None)
        return self._settled(self.playing, -self.cube)._over(team_won=True)

    def team_answers(self, takes: Mapping[str, bool]) -> Chouette:
        """To the box's double: each for himself. Who passes pays the value before it, and is out of this game."""
        if self.offered != "box":
            raise MatchError("the box has not doubled")
        silent = [name for name in self.playing if name not in takes]
        if silent:
            raise MatchError(f"each answers for himself: {', '.join(silent)} did not")
        out = [name for name in self.playing if not takes[name]]
        staying = tuple(name for name in self.playing if takes[name])
        settled = self._settled(out, self.cube)
        if not staying:
            return settled._over(team_won=False)
        return replace(settled, cube=self.cube * 2, owner="team", offered=None, playing=staying)

    def won(self, *, by_box: bool, points: int) -> Chouette:
        """The game is played out: points 1, 2 or 3 before the cube; the box settles with each who is in it."""
        if not self.game or self.offered:
            raise MatchError("no game can end now: none is on, or the cube is offered")
        if points not in (1, 2, 3):
            raise MatchError(f"a game is won by 1, 2 or 3 points before the cube, not {points}")
        worth = self.cube * (1 if self.jacoby and self.owner is None else points)
        return self._settled(self.playing, worth if by_box else -worth)._over(team_won=not by_box)

    def _may_offer(self, side: str) -> None:
        if not self.game or self.offered:
            raise MatchError("the cube cannot be offered now: no game is on, or it is offered already")
        if self.owner not in (None, side):
            raise MatchError(f"the {side} does not own the cube: the {self.owner} does")

    def _settled(self, members: Sequence[str], points: int) -> Chouette:
        """The box wins so many points from each of these; it loses them where negative."""
        score = dict(self.score)
        for name in members:
            score[name] -= points
            score[self.box] += points
        return replace(self, score=score)

    def _over(self, *, team_won: bool) -> Chouette:
        """The captain to the box and the old box to the end; or he himself to the end."""
        box, captain = self.box, self.captain
        others = [name for name in self.line[1:] if name != captain]
        line = (captain, *others, box) if team_won else (box, *others, captain)
        return replace(self, line=line, game=False, offered=None, playing=())

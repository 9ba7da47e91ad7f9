"""Moving checkers: every position that some of the dice reach, one level for each die played.

Both games are one search over the mover's own numbering; what differs between them, and from turn to turn, is in
`Terms`. A *board* is 26 signed counts: 1..24 the mover's points (+ his, - the enemy's), 25 his bar, 0 the enemy's bar
(negative). A *key* is the same as one integer, 4 bits for each of the mover's places 0 = off .. 25 = bar and above
them a bit for each enemy checker hit: quick to move a checker in, to compare, and to look for walls in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from operator import itemgetter, neg

from nardy_hw.rules.options import RuleOptions
from nardy_hw.rules.play import Move
from nardy_hw.rules.position import BAR, CHECKERS, OFF, Player, Position, Variant, seen_from

Board = list[int]
Level = dict[int, tuple[Board, tuple[Move, ...]]]

HEAD = 24
SPECIAL_DOUBLES = (6, 4, 3)
"""First-turn doubles with which two checkers may leave the head (L6)."""

_PLACE = [1 << 4 * place for place in range(26)]
_HIT = [1 << 4 * 26 + point for point in range(26)]
_FIELDS = sum(_PLACE[:24])
_move = cache(Move)
_BOARD_ORDER: dict[tuple[Variant, Player], Callable[[Board], tuple[int, ...]]] = {
    (variant, player): itemgetter(*seen_from(variant, player, range(1, 25))) for variant in Variant for player in Player
}
"""Picks points 1..24 from White's side out of a board."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a turn is played by.

    blockers: enemy checkers that block a point (S7: 2, L5: 1).
    heads: checkers that must stay on the head (L6); short nardy has no head: 0.
    banned: walls that may not be held, as `walls` gives them (L7).
    every_die: walls are looked for after every die, not only at the end (A1).
    """

    blockers: int
    heads: int = 0
    banned: int = 0
    every_die: bool = True


SHORT_TERMS = Terms(blockers=2)


def long_terms(board: Board, enemy: list[int], heads: int, options: RuleOptions) -> Terms:
    """enemy: the opponent's 26 counts in his own numbering. heads: how many checkers may leave the head (L6)."""
    return Terms(1, board[HEAD] - heads, _banned(enemy, options), options.prime_timing == "die")


def _banned(enemy: list[int], options: RuleOptions) -> int:
    """Walls forbidden to the mover: bit 4 * (w - 1) for the wall on the opponent's points w..w+5.

    Only checkers on the board are looked at (A4): once one is off, the rest are home, where no wall can hold them.
    """
    front = next((point for point in range(1, 25) if enemy[point]), 25)
    match options.prime:
        case "ahead":
            walls = range(1, min(front, 20))
        case "home":
            walls = range(1, 20 if front > 6 else 1)
        case "never":
            walls = range(1, 20)
        case "off":
            walls = range(0)
    # The mover's own 24 and 1 are the opponent's 12 and 13: walls from 8..12 cross his own edge (A3).
    return sum(_PLACE[w - 1] for w in walls if options.prime_path == "opponent" or not 8 <= w <= 12)


def walls(key: int) -> int:
    """Six points in a row on the opponent's path, without wrap (L7, A3, A5): bit 4 * (w - 1) for his points w..w+5."""
    held = key | key >> 1
    held = (held | held >> 2) >> 4 & _FIELDS  # one bit for each point held, the mover's order
    held = held >> 48 | (held << 48 & _FIELDS)  # the opponent's order
    two = held & held >> 4
    return two & two >> 8 & two >> 16


def wall_points(wall: int) -> tuple[int, ...]:
    """The mover's points of the first of the walls that `walls` gave, in the order in which the opponent walks them."""
    lowest = (wall & -wall).bit_length() // 4 + 1
    return tuple(his + 12 if his <= 12 else his - 12 for his in range(lowest + 5, lowest - 1, -1))


def board_of(position: Position, player: Player) -> Board:
    """The position as the player's board."""
    points = seen_from(position.variant, player, position.points)
    if player is Player.BLACK:
        points = [-n for n in points]
    return [-position.bar[player.other.side], *points, position.bar[player.side]]


def key_of(board: Board, off: int) -> int:
    """The board's key, nothing hit yet. off: the mover's checkers borne off."""
    return off + sum(n * place for n, place in zip(board[1:], _PLACE[1:], strict=True) if n > 0)


def positions_from(before: Position, player: Player) -> Callable[[int, Board], Position]:
    """Makes positions of the keys and boards that a search from `before` reached."""
    variant, points_of = before.variant, _BOARD_ORDER[before.variant, player]
    enemys_off = before.off[player.other.side]

    def white(key: int, board: Board) -> Position:
        return Position.trusted(variant, points_of(board), (board[BAR], -board[0]), (key & 15, enemys_off))

    def black(key: int, board: Board) -> Position:
        points = tuple(map(neg, points_of(board)))
        return Position.trusted(variant, points, (-board[0], board[BAR]), (enemys_off, key & 15))

    return white if player is Player.WHITE else black


def play_die(level: Level, die: int, terms: Terms, into: Level | None = None, *, down: bool = False) -> Level:
    """Every position that one move with `die` reaches from those of `level`, added to `into`.

    down: only moves from no higher than the move before.
    """
    reached: Level = {} if into is None else into
    blocked, banned = -terms.blockers, terms.banned if terms.every_die else 0
    for key, (board, moves) in level.items():
        if board[BAR]:  # S13, S14
            starts = [BAR] if board[BAR - die] > blocked else []
        else:
            top = min(moves[-1].start, HEAD) if down and moves else HEAD
            starts = [p for p in range(top, die, -1) if board[p] > 0 and board[p - die] > blocked]
            if terms.heads and starts and starts[0] == HEAD and board[HEAD] <= terms.heads:  # L6
                del starts[0]
            if (not starts or starts[0] <= 6) and max(board[7:]) <= 0:  # S16, L8
                if board[die] > 0:  # S17
                    starts.append(die)
                elif max(board[die:]) <= 0:  # S18
                    starts += [p for p in range(die - 1, 0, -1) if board[p] > 0][:1]
        for start in starts:
            end = start - die if start > die else OFF
            hit = end != OFF and board[end] < 0
            new = key - _PLACE[start] + _PLACE[end]
            if hit:
                new += _HIT[end]
            if new in reached or (banned and walls(new) & banned):
                continue
            after = board.copy()
            after[start] -= 1
            if hit:  # S12
                after[end] = 1
                after[0] -= 1
            elif end:
                after[end] += 1
            reached[new] = after, (*moves, _move(start, end, hit))
    return reached


@dataclass(frozen=True, slots=True)
class Search:
    """Where the dice lead. first: by die, larger first, what that die alone reaches. deeper: two dice and more."""

    terms: Terms
    start: Level
    first: dict[int, Level]
    deeper: list[Level]

    @classmethod
    def run(cls, board: Board, off: int, dice: tuple[int, int], terms: Terms) -> Search:
        start: Level = {key_of(board, off): (board, ())}
        large, small = max(dice), min(dice)
        first = {die: play_die(start, die, terms) for die in dict.fromkeys((large, small))}
        if large != small:
            both = play_die(first[large], small, terms)
            return cls(terms, start, first, [play_die(first[small], large, terms, both)])
        # Moves of one number may be put in order from the highest point down and stay legal: they enter first and come
        # home before they bear off. Only a wall can forbid an order and not another.
        down, deeper = not terms.banned, [first[large]]
        for _ in range(3):  # S8
            deeper.append(play_die(deeper[-1], large, terms, down=down))
        del deeper[0]
        return cls(terms, start, first, deeper)

    def other(self, die: int) -> int:
        """The die to play after a first `die`."""
        return next((d for d in self.first if d != die), die)

    def finals(self, *, lenient: bool) -> Level:
        """The legal ends of the turn: as many dice as possible (S9, S11), the larger if only one (S10), L4.

        lenient: the end of the game too, with however few dice (A15). Empty when nothing can be played.
        """
        found: Level = {}
        for level in (*reversed(self.deeper), *self.first.values()):
            found = self._allowed(level)
            if found:
                break
        if lenient and next(iter(self.start)) & 15 >= CHECKERS - 4:
            for level in (*self.first.values(), *self.deeper):
                found |= {key: node for key, node in level.items() if key & 15 == CHECKERS and key not in found}
        return found

    def all_played(self) -> bool:
        """Whether some play uses every die."""
        return bool(self._allowed(self.deeper[-1]))

    def on_the_way(self, finals: Level) -> Iterator[tuple[int, Board]]:
        """Every position on the way to one of `finals`, start and finals included, some of them more than once."""
        good = set(finals)
        yield from ((key, board) for key, (board, _) in finals.items())
        steps = [(level, die) for die in self.first for level in self.deeper[-2::-1]]
        steps += [(level, self.other(die)) for die, level in self.first.items()]
        for level, die in steps:
            for key, node in level.items():
                if key not in good and not good.isdisjoint(play_die({key: node}, die, self.terms)):
                    good.add(key)
                    yield key, node[0]
        yield from ((key, board) for key, (board, _) in self.start.items() if key not in good)

    def told(self, moves: tuple[Move, ...]) -> tuple[Move, ...]:
        """The moves from the highest point down, as they are usually written, unless only their own order is legal.

        Without walls that order is legal whenever another is: it enters first and brings home before bearing off.
        """
        last = BAR
        for move in moves:
            if move.start > last:
                break
            last = move.start
        else:
            return moves
        down = sorted(moves, key=lambda move: -move.start)
        banned = self.terms.banned if self.terms.every_die else 0
        if banned and any(walls(key) & banned for key in self.keys(down)):
            return moves
        told: list[Move] = []
        hits = {move.end for move in moves if move.hit}
        for move in down:  # whoever comes to a blot first hits it
            told.append(_move(move.start, move.end, move.end in hits))
            hits.discard(move.end)
        return tuple(told)

    def keys(self, moves: Iterable[Move]) -> Iterator[int]:
        """The key after each move from the start, hits aside."""
        key = next(iter(self.start))
        for move in moves:
            key += _PLACE[move.end] - _PLACE[move.start]
            yield key

    def levels(self) -> Iterator[Level]:
        """Every position that was reached, by number of dice."""
        yield self.start
        yield from self.first.values()
        yield from self.deeper

    def places(self, board: Board) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Where the search came to this board without a forbidden wall: its key and the dice left to play."""
        large, *small = self.first
        yield from (
            (key, (large, *small) if small else (large,) * 4) for key in self.start if self.start[key][0] == board
        )
        levels: list[tuple[Level, tuple[int, ...]]] = [
            (level, (self.other(die),) if small else (die,) * 3) for die, level in self.first.items()
        ]
        levels += [] if small else [(level, (large,) * (2 - n)) for n, level in enumerate(self.deeper)]
        for level, left in levels:
            yield from ((key, left) for key, node in self._allowed(level).items() if node[0] == board)

    def _allowed(self, level: Level) -> Level:
        if self.terms.every_die:
            return level
        return {key: node for key, node in level.items() if not walls(key) & self.terms.banned}

"""Illegal plays of every kind, made by hand from a position: what a player may do wrong, and the code that names it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from eye import Shown

from nardy_hw.rules.play import Play
from nardy_hw.rules.position import BAR, Player, Position, Variant, own_point

OFF = 0


@dataclass
class Board:
    """Both sides by board points 1..24, 0 = off, 25 = bar; moves are told in the mover's own numbers."""

    variant: Variant
    mover: Player
    counts: dict[Player, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, position: Position, mover: Player) -> Board:
        counts = {}
        for side, player in enumerate(Player):
            sign = 1 if player is Player.WHITE else -1
            row = [max(0, n * sign) for n in position.points]
            counts[player] = [position.off[side], *row, position.bar[side]]
        return cls(position.variant, mover, counts)

    def at(self, own: int) -> int:
        return own if own in (OFF, BAR) else own_point(self.variant, self.mover, own)

    def mine(self, own: int) -> int:
        return self.counts[self.mover][self.at(own)]

    def theirs(self, own: int) -> int:
        """Of the enemy on the mover's point."""
        return self.counts[self.mover.other][self.at(own)]

    def move(self, start: int, end: int, player: Player | None = None) -> Board:
        """Whatever the rules; nothing is hit."""
        row = self.counts[player or self.mover]
        row[self.at(start)] -= 1
        row[self.at(end)] += 1
        return self

    def shown(self) -> Shown:
        points = []
        for p in range(1, 25):
            white, black = (self.counts[player][p] for player in Player)
            points.append((white, black) if white and black else white - black)
        return Shown(points, (self.counts[Player.WHITE][BAR], self.counts[Player.BLACK][BAR]))

    def key(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(self.counts[player]) for player in Player)


@dataclass(frozen=True)
class Slip:
    """code: what it is called; others: as good a name where two rules are broken at once."""

    kind: str
    board: Board
    code: str
    others: tuple[str, ...] = ()


def slips(before: Position, mover: Player, dice: tuple[int, int], plays: tuple[Play, ...]) -> Iterator[Slip]:
    """One of each kind that can arise here. plays: every legal one."""
    legal = {Board.of(play.after, mover).key() for play in plays} | {Board.of(before, mover).key()}
    for slip in _all(before, mover, dice, plays):
        if slip.board.key() not in legal:
            yield slip


def _all(before: Position, mover: Player, dice: tuple[int, int], plays: tuple[Play, ...]) -> Iterator[Slip]:
    def board() -> Board:
        return Board.of(before, mover)

    def after(play: Play) -> Board:
        return Board.of(play.after, mover)

    now, enemy, low = board(), mover.other, min(dice)
    long = before.variant is Variant.LONG
    home = all(not now.mine(p) for p in range(7, 26))
    clear = plays[0] if plays else None
    # one number alone of a play that has more
    for play in plays:
        if len(play.moves) > 1 and not play.moves[0].hit:
            first = play.moves[0]
            yield Slip("one number left", board().move(first.start, first.end), "die_not_played")
            break
    if not now.mine(BAR):
        points = [p for p in range(24, 0, -1) if now.mine(p)]
        # by less than either number
        for n in range(1, low):
            for p in points:
                if p > n and not now.theirs(p - n) and not (long and p == 24):
                    yield Slip("wrong number", board().move(p, p - n), "wrong_distance", ("die_not_played",))
                    break
            else:
                continue
            break
        for p in points:
            if p < 20 and not now.theirs(p + 3) and p + 3 <= 24:
                yield Slip("backwards", board().move(p, p + 3), "wrong_direction")
                break
        # by a number of the throw, onto a point that the enemy holds
        held = 1 if long else 2
        for p, die in ((p, die) for p in points for die in dice):
            if p > die and now.theirs(p - die) >= held:
                yield Slip("onto the enemy", board().move(p, p - die), "blocked_point")
                break
        if not home:
            for p in (p for p in points if p <= 6):
                yield Slip("off too early", board().move(p, OFF), "bear_off_too_early", ("die_not_played",))
                break
        elif len(points) > 1 and points[-1] < points[0]:
            p = points[-1]
            if p not in dice:
                yield Slip("off over a gap", board().move(p, OFF), "bear_off_gap", ("wrong_distance", "die_not_played"))
    else:
        for p, die in ((p, die) for p in range(24, 0, -1) for die in dice):
            if now.mine(p) and p > die and not now.theirs(p - die):
                yield Slip("bar forgotten", board().move(p, p - die), "bar_first")
                break
    if long and now.mine(24) > 2 and dice[0] != dice[1]:
        ends = [24 - die for die in dice]
        if not any(now.theirs(end) for end in ends):
            yield Slip("two from the head", board().move(24, ends[0]).move(24, ends[1]), "head_rule", ("prime_rule",))
    if clear is None:
        return
    # a legal play, and something else
    theirs = [p for p in range(1, 25) if now.theirs(p) > 2]
    for p in theirs:
        to = next((q for q in theirs if q != p), None)
        made = after(clear)
        if to is not None and made.theirs(p) and made.theirs(to):
            yield Slip("the enemy moved too", made.move(p, to, enemy), "opponents_checker_moved")
            break
    for play in plays:
        made = after(play)
        p = next((p for p in range(23, 6, -1) if made.mine(p) > 1 and not made.theirs(p - 1)), None)
        if p is not None and low > 1 and not any(move.hit for move in play.moves):
            yield Slip("one point more", made.move(p, p - 1), "wrong_distance", ("too_many_moves",))
            break
    if long:
        return
    for play in plays:
        hit = next((move for move in play.moves if move.hit), None)
        if hit is not None and sum(move.hit for move in play.moves) == 1 and after(play).mine(hit.end):
            made = after(play)
            made.counts[enemy][BAR] -= 1
            made.counts[enemy][made.at(hit.end)] += 1
            yield Slip("hit, not lifted", made, "hit_not_lifted")
            break
    for p in range(1, 25):
        made = after(clear)
        if made.theirs(p) == 1 and now.theirs(p) == 1:
            yield Slip("lifted, not hit", made.move(p, BAR, enemy), "lifted_without_hit", ("opponents_checker_moved",))
            break

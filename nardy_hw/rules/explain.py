"""Is a change of position a legal play, and if not: which rules does it break, and how is it put right?"""

from __future__ import annotations

from dataclasses import dataclass
from operator import sub

from nardy_hw.errors import PositionError
from nardy_hw.rules import violations as words
from nardy_hw.rules.case import Case
from nardy_hw.rules.misplayed import misplayed, what_was_done
from nardy_hw.rules.notation import format_play
from nardy_hw.rules.options import DEFAULT, RuleOptions
from nardy_hw.rules.play import Play
from nardy_hw.rules.plays import plays_of, search
from nardy_hw.rules.position import CHECKERS, Placement, Player, Position
from nardy_hw.rules.reading import Change, likeliest
from nardy_hw.rules.unplayed import unplayed
from nardy_hw.rules.violations import Code, Violation

NEAREST = 3
"""Legal plays named beside a violation: as many as a table takes in at once."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """play: the legal play that was made, or None. text: what was done, legal or not, in the mover's numbers.

    violations: the most telling first, empty for a legal play. nearest: the legal plays that end nearest to it.
    """

    play: Play | None
    text: str
    violations: tuple[Violation, ...] = ()
    nearest: tuple[Play, ...] = ()


def explain(
    before: Position,
    player: Player,
    dice: tuple[int, int],
    after: Position | Placement,
    *,
    first_turn: bool = False,
    options: RuleOptions = DEFAULT,
) -> Verdict:
    """Judges any two positions of one game, however far apart. Unchanged is legal when nothing can be played (S11).

    after: a Placement where the board shows what no Position holds: both colours on one point, or not 15 a side.
    Raises DiceError; PositionError when the two are of different games.
    """
    if before.variant is not after.variant:
        raise PositionError(f"one position is {before.variant} nardy, the other {after.variant}")
    if isinstance(after, Placement):
        after = after.position() or after
    found, finals = search(before, player, dice, first_turn=first_turn, options=options)
    plays = plays_of(before, player, found, finals) or (Play((), before),)
    made = next((play for play in plays if play.after == after), None)
    if made is not None:
        return Verdict(made, format_play(made))
    done = after.points
    nearest = tuple(sorted(plays, key=lambda play: sum(map(abs, map(sub, play.after.points, done)))))
    text, wrong = _judge(Case(before, player, dice, after, options, found, finals, nearest), first_turn)
    return Verdict(None, text, tuple(sorted(wrong, key=_rank)), nearest[:NEAREST])


def _judge(case: Case, first_turn: bool) -> tuple[str, list[Violation]]:
    """What was done, and what is wrong with it."""
    miscounted = [violation for player in Player if (violation := _miscounted(case, player))]
    if miscounted:
        return "", miscounted
    change = Change.of(case.before, case.player, case.throw, case.after, case.found.terms.blockers)
    reading = likeliest(change)
    only = unplayed(case, first_turn)
    return what_was_done(case, reading), [only] if only else misplayed(case, change, reading)


def _miscounted(case: Case, player: Player) -> Violation | None:
    count = sum(case.after.counts(player))
    if count == CHECKERS:
        return None
    code = Code.CHECKER_MISSING if count < CHECKERS else Code.CHECKER_EXTRA
    return case.say(code, words.COUNT_AGAIN.format(whose=player.title()), whose=player.title(), count=count)


def _rank(violation: Violation) -> int:
    return list(Code).index(violation.code)

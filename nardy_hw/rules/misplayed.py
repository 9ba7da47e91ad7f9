"""Moves that no order of the dice allows: what is wrong with each checker that was moved."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from nardy_hw.rules import violations as words
from nardy_hw.rules.case import Case, back, moves_name
from nardy_hw.rules.notation import place_name
from nardy_hw.rules.position import BAR, Variant
from nardy_hw.rules.reading import ENEMY_BAR, ENEMY_OFF, Change, Pair, Reading, Step
from nardy_hw.rules.search import HEAD
from nardy_hw.rules.violations import Code, Violation


def misplayed(case: Case, change: Change, reading: Reading) -> list[Violation]:
    """The violations of a reading. Never empty: what nothing else explains is not in the throw."""
    found = [*_enemy(case, reading), *_bar(case, change, reading), *_steps(case, change, reading), *_head(case, change)]
    return found or [_throw(case, reading.steps, reading)]


def what_was_done(case: Case, reading: Reading) -> str:
    """The reading as text: '13/9', 'no play', "8/5, Black's 12/17"."""
    parts = [moves_name(_pairs(reading.steps))] if reading.steps or not reading.moved else []
    if reading.moved:
        parts.append(words.ENEMYS.format(enemy=case.enemy, moves=_enemy_moves(reading)))
    return ", ".join(parts)


def _enemy(case: Case, reading: Reading) -> Iterator[Violation]:
    if reading.moved:
        named = [(_enemy_place(start), _enemy_place(end)) for start, end in reading.moved]
        yield case.say(
            Code.OPPONENTS_CHECKER_MOVED,
            words.ENEMY_BACK.format(player=case.name, enemy=case.enemy, moves=back(named)),
            [place for pair in reading.moved for place in pair if place not in (ENEMY_BAR, ENEMY_OFF)],
            moves=_enemy_moves(reading),
        )
    for point in reading.unlifted:
        repair = words.TO_BAR.format(player=case.name, enemy=case.enemy, point=point)
        yield case.say(Code.HIT_NOT_LIFTED, repair, [point], point=point)
    for point in reading.lifted:
        repair = words.FROM_BAR.format(player=case.name, enemy=case.enemy, point=point)
        yield case.say(Code.LIFTED_WITHOUT_HIT, repair, [point], point=point)


def _bar(case: Case, change: Change, reading: Reading) -> Iterator[Violation]:
    """A checker stayed on the bar while another moved, or one that entered moved on (S13)."""
    if not (change.own[0][BAR] and change.own[1][BAR]):
        return
    moved = [step for step in reading.steps if step.start != BAR or len(step.stops) > 1]
    if moved:
        pairs = _pairs(moved)
        yield case.say(Code.BAR_FIRST, case.put_back(pairs), [BAR, *_points(pairs)], moves=moves_name(pairs))


def _steps(case: Case, change: Change, reading: Reading) -> Iterator[Violation]:
    """One violation for each code; the checkers that it concerns together."""
    faults = sorted(reading.faults, key=lambda fault: list(Code).index(fault[0]))
    for code, group in groupby(faults, key=lambda fault: fault[0]):
        steps = [step for _, step in group]
        if code is Code.WRONG_DISTANCE:
            yield _throw(case, steps, reading)
            continue
        pairs, step = _pairs(steps), steps[0]
        data: dict[str, object] = {"moves": moves_name(pairs), "point": step.start}
        match code:
            case Code.BLOCKED_POINT:
                data["point"] = step.end
            case Code.BLOCKED_STOP:
                data["stop"] = next(stop for stop in step.stops if change.enemy[0][stop] >= change.blockers)
            case Code.BEAR_OFF_TOO_EARLY:
                data["outside"] = place_name(max(place for place in range(7, 26) if change.own[1][place]))
            case Code.BEAR_OFF_GAP:
                data |= {"die": step.dice[-1], "higher": max(p for p in range(1, 7) if change.own[1][p])}
        yield case.say(code, case.put_back(pairs), _points(pairs), **data)


def _throw(case: Case, steps: list[Step] | tuple[Step, ...], reading: Reading) -> Violation:
    """Steps that no number of the throw carries: too many of them, or the wrong distance."""
    pairs = _pairs(steps)
    used = sum(len(step.dice) for step in reading.steps)
    unused = sum(not step.dice for step in reading.steps)
    code = Code.TOO_MANY_MOVES if used + unused > len(case.throw) else Code.WRONG_DISTANCE
    return case.say(code, case.put_back(pairs), _points(pairs), moves=moves_name(pairs))


def _head(case: Case, change: Change) -> Iterator[Violation]:
    if case.before.variant is Variant.SHORT:
        return
    left, allowed = change.own[0][HEAD] - change.own[1][HEAD], change.own[0][HEAD] - case.found.terms.heads
    if left > allowed:
        yield case.say(Code.HEAD_RULE, case.instead(), [HEAD], count=left, allowed=allowed)


def _pairs(steps: list[Step] | tuple[Step, ...]) -> list[Pair]:
    return [(step.start, step.end) for step in steps]


def _points(pairs: list[Pair]) -> list[int]:
    return [place for pair in pairs for place in pair]


def _enemy_moves(reading: Reading) -> str:
    return " ".join(f"{_enemy_place(start)}/{_enemy_place(end)}" for start, end in reading.moved)


def _enemy_place(place: int) -> str:
    return {ENEMY_BAR: "bar", ENEMY_OFF: "off"}.get(place, str(place))

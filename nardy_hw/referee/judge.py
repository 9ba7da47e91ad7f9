"""Legal, illegal or unsure: one turn against what was seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from nardy_hw.referee.belief import Array, Evidence, Guess, Stack, best_guess, placement, places_apart
from nardy_hw.referee.margins import (
    ACCEPT,
    ACCUSE,
    ACCUSE_EACH,
    RIVAL_SPREAD,
    RIVALS,
    THROW_LIKELY,
    THROW_POSSIBLE,
)
from nardy_hw.referee.throws import Throw, Throws
from nardy_hw.rules.options import RuleOptions
from nardy_hw.rules.play import Play
from nardy_hw.rules.plays import legal_plays, stops
from nardy_hw.rules.position import BAR, Placement, Player, Position, own_point


@dataclass(frozen=True, slots=True)
class Origin:
    """A position that a turn may have begun from. weight: its log-probability.

    play, throw: what led to it, where the turn before is not decided yet. No play: an illegal result that was called
    and may stand; no throw either: nobody knows.
    """

    position: Position
    weight: float = 0.0
    play: Play | None = None
    throw: Throw | None = None


@dataclass(slots=True)
class Turn:
    """What a player was asked to do, and what it may come to.

    origins: one, unless the turn before is undecided; the best_guess first. throws: what he may have thrown.
    doubted: places 0..23 that were misread as he threw.
    """

    player: Player
    origins: tuple[Origin, ...]
    throws: Throws
    first: bool
    options: RuleOptions
    doubted: frozenset[int] = frozenset()
    _plays: dict[tuple[Position, Throw], tuple[tuple[Play, ...], Stack]] = field(default_factory=dict)

    @property
    def before(self) -> Position:
        return self.origins[0].position

    def plays(self, before: Position, throw: Throw) -> tuple[tuple[Play, ...], Stack]:
        """Every legal play of the throw, the empty one where nothing can be moved; and their results."""
        key = before, throw
        if key not in self._plays:
            found = legal_plays(before, self.player, throw, first_turn=self.first, options=self.options)
            found = found or (Play((), before),)
            self._plays[key] = found, Stack.of(play.after for play in found)
        return self._plays[key]

    def possible(self) -> list[tuple[Throw, float]]:
        """The throws that it may have been."""
        return [(throw, log) for throw, log in self.throws.items() if log >= THROW_POSSIBLE]


@dataclass(frozen=True, slots=True)
class Result:
    """One legal way that a turn may have gone. score: of what was seen, the throw and the origin together."""

    origin: Origin
    throw: Throw
    play: Play
    score: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """word: what the turn was, were it over now. results: the best_guess legal ones, each position once, best first.

    guess: the best of all, whatever the rules. lead: by how much it beats every legal one. confidence: probability of
    the best result. apart: where the guess and the best result differ, board points and 25 = bar.
    """

    word: Literal["legal", "illegal", "unsure"]
    results: tuple[Result, ...]
    guess: Guess
    lead: float
    confidence: float
    apart: tuple[int, ...]
    clear: bool
    stray: bool

    @property
    def made(self) -> Result:
        return self.results[0]


def judge(turn: Turn, seen: Evidence, each: Sequence[Evidence] = ()) -> Judgement:
    """The turn as if it were over. seen: all reads together; each: alone, for the accusation to hold in every one."""
    covered = bool(seen.hidden.any())
    seen = seen.without(turn.doubted, turn.before)
    results = _results(turn, seen)
    made = results[0]
    guess = best_guess(seen, made.origin.position, turn.player, _may_be_off(turn, made.origin.position))
    lead = guess.total - made.score
    short = guess.fit - seen.score(made.play.after)
    rivals = [result.score for result in results[1:]]
    legal = placement(made.play.after)
    apart = tuple(places_apart(guess.shown, legal))
    if apart:
        rivals.append(guess.total)
    confidence = 1 / (1 + sum(math.exp(min(rival - made.score, 50.0)) for rival in rivals))
    stray = len(apart) == 1 and not _led_to(turn, guess.shown, legal, placement(made.origin.position), apart[0])
    fits = short <= ACCEPT or (stray and guess.position is None)
    clear = fits and (len(results) == 1 or made.score - results[1].score >= ACCEPT)
    unseen = covered and _missing(guess.shown, turn.before)
    word: Literal["legal", "illegal", "unsure"] = "unsure"
    if clear and turn.throws[made.throw] >= THROW_LIKELY:
        word = "legal"
    elif lead >= ACCUSE and not (fits or stray or unseen) and _accusable(turn, seen, each, guess, apart):
        word = "illegal"
    return Judgement(word, results[:RIVALS], guess, lead, confidence, apart, clear, stray)


def hopeless(turn: Turn, seen: Evidence, guess: Guess) -> bool:
    """Can no continuation of what lies there now become legal, whatever the throw was?"""
    seen = seen.without(turn.doubted, turn.before)
    for throw, _ in turn.possible():
        on_the_way = stops(turn.before, turn.player, throw, first_turn=turn.first, options=turn.options)
        if guess.total - seen.scores(Stack.of(on_the_way)).max() < ACCUSE:
            return False
    return True


def origins_after(found: Judgement, seen: Evidence, wrong: Origin | None = None) -> tuple[Origin, ...]:
    """What an undecided turn leaves to the next one to find out: its best_guess results, and the guess if it is one.

    wrong: the illegal result that was called before.
    """
    origins = [Origin(r.play.after, r.score, r.play, r.throw) for r in found.results]
    if wrong is not None:
        origins.append(replace(wrong, weight=seen.score(wrong.position)))
    position = found.guess.position
    if (
        position is not None
        and not found.stray
        and all(position != origin.position for origin in origins)
        and not (seen.hidden.any() and _missing(found.guess.shown, found.made.origin.position))
    ):
        origins.append(Origin(position, found.guess.total))
    origins.sort(key=lambda origin: -origin.weight)
    near = [origin for origin in origins if origins[0].weight - origin.weight <= RIVAL_SPREAD]
    total = float(np.logaddexp.reduce([origin.weight for origin in near]))
    return tuple(replace(origin, weight=origin.weight - total) for origin in near)


def _results(turn: Turn, seen: Evidence) -> tuple[Result, ...]:
    """The best legal results, each position once."""
    possible = turn.possible()
    scored: list[tuple[Origin, Throw, tuple[Play, ...], Array]] = []
    for origin in turn.origins:
        for throw, log in possible:
            plays, stack = turn.plays(origin.position, throw)
            scored.append((origin, throw, plays, seen.scores(stack) + log + origin.weight))
    every = np.concatenate([scores for *_, scores in scored])
    bounds = np.cumsum([0, *(len(scores) for *_, scores in scored)])
    results: dict[Position, Result] = {}
    for index in np.argsort(-every):
        group = int(np.searchsorted(bounds, index, "right")) - 1
        origin, throw, plays, _ = scored[group]
        play = plays[index - bounds[group]]
        results.setdefault(play.after, Result(origin, throw, play, float(every[index])))
        if len(results) > RIVALS:
            break
    return tuple(results.values())


def _may_be_off(turn: Turn, before: Position) -> int:
    """The player's checkers that the most generous legal play leaves off the board."""
    return max(
        play.after.off[turn.player.side] for throw, _ in turn.possible() for play in turn.plays(before, throw)[0]
    )


def _accusable(turn: Turn, seen: Evidence, each: Sequence[Evidence], guess: Guess, apart: Sequence[int]) -> bool:
    """Is it certain what was done: one origin, every read agrees, and nothing that matters hidden or misread?"""
    before = placement(turn.before)
    matter = {*apart, *places_apart(guess.shown, before)} - {BAR}
    if len(turn.origins) > 1 or any(seen.hidden[place - 1] for place in matter):
        return False
    for single in each:
        single = single.without(turn.doubted, turn.before)
        if single.fit(guess.shown) - _results(turn, single)[0].score < ACCUSE_EACH:
            return False
    return True


def _led_to(turn: Turn, shown: Placement, made: Placement, before: Placement, place: int) -> bool:
    """May the one place where what is shown differs from a legal play be more than a stack misread?

    It was left as it was, or half of what it should; or a checker of the mover's came there from farther back, or came
    where none should be (ten games: no empty place was ever read as occupied by as much as ACCUSE asks for).
    """
    if place == BAR:
        return True
    own = own_point(before.variant, turn.player, place)
    now, then, legal = (p.counts(turn.player) for p in (shown, before, made))
    if now[own] <= then[own]:
        return legal[own] < now[own]
    return not legal[own] or any(now[farther] < then[farther] for farther in range(own + 1, BAR + 1))


def _missing(shown: Placement, before: Position) -> bool:
    """Are there fewer checkers than before? A covered place may hold them."""
    return shown.white[0] > before.off[0] or shown.black[0] > before.off[1]

"""Legal, illegal or unsure: one finished turn against what was seen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from nardy_hw.referee.belief import Evidence, Guess, likeliest
from nardy_hw.referee.margins import ACCEPT, ACCUSE
from nardy_hw.referee.throws import Throw
from nardy_hw.rules import Play, Player, Position, RuleOptions, legal_plays, stops


@dataclass(frozen=True, slots=True)
class Turn:
    """What a player was asked to do. throws: log-probability of each throw that it may have been, the best at 0."""

    before: Position
    player: Player
    throws: dict[Throw, float]
    first: bool
    options: RuleOptions

    def plays(self, throw: Throw) -> tuple[Play, ...]:
        """Every legal play of the throw; the empty one where nothing can be moved."""
        found = legal_plays(self.before, self.player, throw, first_turn=self.first, options=self.options)
        return found or (Play((), self.before),)


@dataclass(frozen=True, slots=True)
class Judgement:
    """word: 'legal', 'illegal' or 'unsure'. play, throw: the best legal explanation. guess: the best of all.

    lead: by how much the best of all beats every legal one. confidence: probability of the play among all that was weighed.
    """

    word: Literal["legal", "illegal", "unsure"]
    play: Play
    throw: Throw
    guess: Guess
    lead: float
    confidence: float


def judge(turn: Turn, seen: Evidence) -> Judgement:
    """The turn as if it were over."""
    scored: dict[Position, tuple[float, Play, Throw]] = {}
    for throw, log_p in turn.throws.items():
        for play in turn.plays(throw):
            score = seen.score(play.after) + log_p
            if play.after not in scored or score > scored[play.after][0]:
                scored[play.after] = (score, play, throw)
    ranked = sorted(scored.values(), key=lambda entry: -entry[0])
    best, play, throw = ranked[0]
    guess = likeliest(seen, turn.before.variant, turn.before)
    other = guess.penalised if guess.position != play.after or guess.mixed else -math.inf
    lead = other - best
    rivals = [score for score, _, _ in ranked[1:]] + [other]
    confidence = 1 / (1 + sum(math.exp(min(r - best, 50)) for r in rivals))
    second = ranked[1][0] if len(ranked) > 1 else -math.inf
    word: Literal["legal", "illegal", "unsure"] = "unsure"
    if lead > ACCUSE and guess.position not in scored:
        word = "illegal"
    elif lead <= ACCEPT and best - second >= ACCEPT:
        word = "legal"
    return Judgement(word, play, throw, guess, lead, confidence)


def hopeless(turn: Turn, seen: Evidence) -> bool:
    """Can no continuation of what lies there now become legal, whatever the throw was? (For warnings.)"""
    guess = likeliest(seen, turn.before.variant, turn.before)
    best = -math.inf
    for throw, log_p in turn.throws.items():
        for position in stops(turn.before, turn.player, throw, first_turn=turn.first, options=turn.options):
            if position == guess.position and guess.mixed is None:
                return False
            best = max(best, seen.score(position) + log_p)
    return guess.penalised - best > ACCUSE

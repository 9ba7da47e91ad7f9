"""The open questions of the rules as settings: each field names the ambiguity that it answers (A1-A15, C4)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, get_args, get_type_hints

from nardy_hw.errors import InputError


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """How the house plays. The defaults are the rulebook's.

    prime: when six in a row may be held (L7, A6): 'ahead' = an opposing checker has passed the wall, 'home' = one is in
        his home or off, 'never', 'off' = the rule is not played.
    prime_timing: when walls are tested (A1, A2): after every 'die', or at the end of the 'turn'.
    prime_path: whose path a wall lies on (A3): the 'opponent's, or the mover's 'own' as well, so that six across the
        mover's own 1/24 edge are no wall.
    head_two: two checkers from the head on a first 6-6, 4-4 or 3-3 (L6, A7): 'always', or 'only_if_needed' because one
        checker cannot play the whole throw.
    first_turn: what makes a first turn (A8): the caller's 'turn_counter', or a 'full_head' of 15.
    lenient_final_bearoff: a play that ends the game is legal though another would use more dice (A15).
    backgammon_value: points of a backgammon, 2 or 3 (C3, C4).
    home_mars: long nardy, 3 points when the loser has no checker home (A12).
    Raises InputError, naming the field, for a value that is not one of those.
    """

    prime: Literal["ahead", "home", "never", "off"] = "ahead"
    prime_timing: Literal["die", "turn"] = "die"
    prime_path: Literal["opponent", "own"] = "opponent"
    head_two: Literal["always", "only_if_needed"] = "always"
    first_turn: Literal["turn_counter", "full_head"] = "turn_counter"
    lenient_final_bearoff: bool = True
    backgammon_value: Literal[3, 2] = 3
    home_mars: bool = False

    def __post_init__(self) -> None:
        hints = get_type_hints(RuleOptions)
        for field in fields(self):
            value, allowed = getattr(self, field.name), get_args(hints[field.name]) or (True, False)
            if not any(type(value) is type(good) and value == good for good in allowed):
                raise InputError(f"rule option {field.name} is one of {', '.join(map(repr, allowed))}, not {value!r}")


DEFAULT = RuleOptions()
STRICT = RuleOptions(lenient_final_bearoff=False)

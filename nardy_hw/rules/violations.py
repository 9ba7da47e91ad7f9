"""What can be wrong with a play: the codes, the rules that they break, and the words for them.

Codes are stable and never translated. The words are here alone, a template for each code with its data in braces, so
that a catalogue can translate them. Points in them are the mover's own numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from nardy_hw.rules.position import Variant


class Code(StrEnum):
    """In the order in which a referee names them: the most telling first."""

    CHECKER_MISSING = "checker_missing"
    CHECKER_EXTRA = "checker_extra"
    OPPONENTS_CHECKER_MOVED = "opponents_checker_moved"
    BAR_FIRST = "bar_first"
    WRONG_DIRECTION = "wrong_direction"
    BLOCKED_POINT = "blocked_point"
    BLOCKED_STOP = "blocked_stop"
    BEAR_OFF_TOO_EARLY = "bear_off_too_early"
    BEAR_OFF_GAP = "bear_off_gap"
    HEAD_RULE = "head_rule"
    PRIME_RULE = "prime_rule"
    TOO_MANY_MOVES = "too_many_moves"
    WRONG_DISTANCE = "wrong_distance"
    HIT_NOT_LIFTED = "hit_not_lifted"
    LIFTED_WITHOUT_HIT = "lifted_without_hit"
    LARGER_DIE_REQUIRED = "larger_die_required"
    BOTH_DICE_PLAYABLE = "both_dice_playable"
    DIE_NOT_PLAYED = "die_not_played"


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule.

    code: design's stable name. rule: its number in the rulebook, S short or L long.
    message, repair: English, one line each, short enough to speak; repair says what to do with the checkers.
    points: the places concerned, the mover's own numbers, 25 = bar, 0 = off.
    """

    code: Code
    rule: str
    message: str
    repair: str
    points: tuple[int, ...]


RULES: dict[Code, tuple[str, str]] = {
    Code.CHECKER_MISSING: ("S1", "L1"),
    Code.CHECKER_EXTRA: ("S1", "L1"),
    Code.OPPONENTS_CHECKER_MOVED: ("S6", "L4"),
    Code.BAR_FIRST: ("S13", "L5"),
    Code.WRONG_DIRECTION: ("S6", "L2"),
    Code.BLOCKED_POINT: ("S7", "L5"),
    Code.BLOCKED_STOP: ("S6", "L5"),
    Code.BEAR_OFF_TOO_EARLY: ("S16", "L8"),
    Code.BEAR_OFF_GAP: ("S18", "L8"),
    Code.HEAD_RULE: ("L6", "L6"),
    Code.PRIME_RULE: ("L7", "L7"),
    Code.TOO_MANY_MOVES: ("S6", "L4"),
    Code.WRONG_DISTANCE: ("S6", "L4"),
    Code.HIT_NOT_LIFTED: ("S12", "L5"),
    Code.LIFTED_WITHOUT_HIT: ("S12", "L5"),
    Code.LARGER_DIE_REQUIRED: ("S10", "L4"),
    Code.BOTH_DICE_PLAYABLE: ("S9", "L4"),
    Code.DIE_NOT_PLAYED: ("S9", "L4"),
}
"""The rule in short and in long nardy."""

DOUBLE_RULE = "S11"
"""In place of S9 when a double was thrown."""

MESSAGES: dict[Code, str] = {
    Code.CHECKER_MISSING: "{whose} has {count} checkers, not 15",
    Code.CHECKER_EXTRA: "{whose} has {count} checkers, not 15",
    Code.OPPONENTS_CHECKER_MOVED: "{enemy}'s checker was moved, by {player}'s numbers {moves}",
    Code.BAR_FIRST: "{player} moved {moves} with a checker on the bar",
    Code.WRONG_DIRECTION: "{player} moved backwards: {moves}",
    Code.BLOCKED_POINT: "{player} cannot play {moves}: {enemy} holds {point}",
    Code.BLOCKED_STOP: "{player} cannot play {moves}: {enemy} holds {stop} on the way",
    Code.BEAR_OFF_TOO_EARLY: "{player} played {moves} with a checker still on {outside}",
    Code.BEAR_OFF_GAP: "{player} cannot take off {point} with a {die}: a checker is on {higher}",
    Code.HEAD_RULE: "{player} took {count} checkers from the head; {allowed} may leave it",
    Code.PRIME_RULE: "{player} held six points in a row, {wall}{why}",
    Code.TOO_MANY_MOVES: "{player} moved more than {dice} allows: {moves}",
    Code.WRONG_DISTANCE: "{player} moved {moves}: not by a number of {dice}",
    Code.HIT_NOT_LIFTED: "{player} hit on {point}, but {enemy}'s checker is not on the bar",
    Code.LIFTED_WITHOUT_HIT: "{enemy}'s checker on {player}'s {point} is on the bar, but was not hit",
    Code.LARGER_DIE_REQUIRED: "{player} can play only one number of {dice}: it must be the {die}",
    Code.BOTH_DICE_PLAYABLE: "{player} played {count} of the numbers of {dice}; {possible} can be played",
    Code.DIE_NOT_PLAYED: "{player} can still play {play}",
}

WHY_NO_WALL = {
    "ahead": ", with no checker of {enemy}'s ahead",
    "home": ", with no checker of {enemy}'s home",
    "never": "",
}
"""Of PRIME_RULE, by the option `prime`."""

ENEMYS = "{enemy}'s {moves}"
PUT_BACK = "{player}: {moves}"
ENEMY_BACK = "{enemy}, by {player}'s numbers: {moves}"
BACK = "{place} back to {origin}"
BACK_MANY = "{count} from {place} back to {origin}"
TRAY = "the tray"
TO_BAR = "{enemy}'s checker on {player}'s {point} to the bar"
FROM_BAR = "{enemy}'s checker from the bar back to {player}'s {point}"
PLAY_INSTEAD = "{player}: take it back, play {play}"
PLAY_ON = "{player}: play {play}"
PASS = "{player}: take it back, nothing can be played"
COUNT_AGAIN = "{whose}: 15 checkers on the board, the bar and the tray"


def violation(
    code: Code, variant: Variant, double: bool, repair: str, points: tuple[int, ...], **data: object
) -> Violation:
    """The violation in words. data: what the code's template asks for."""
    rule = RULES[code][0 if variant is Variant.SHORT else 1]
    if rule == "S9" and double:
        rule = DOUBLE_RULE
    return Violation(code, rule, MESSAGES[code].format(**data), repair, points)

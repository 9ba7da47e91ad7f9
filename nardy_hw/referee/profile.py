"""The manners of a table: every open question of the rulebook as a setting, and the profiles that answer them (A1-A35).

A profile is a TOML file: those of this package in profiles/, or a user's own, which may begin with `base = "kazakh"`.
Those of this package hold what the rulebook says of their rule text, and no more: the rest is the default.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from importlib.resources import files
from typing import Any, Literal, get_args, get_origin, get_type_hints

from nardy_hw.errors import InputError
from nardy_hw.rules.options import RuleOptions
from nardy_hw.rules.violations import Code

CUBE_CAPS = (0, *(2**n for n in range(1, 13)))
"""None, or a face of the cube: 4096 is the most that any program allows (A17)."""
MOST_AUTOMATIC = 6
"""Automatic doubles: so many turn the cube to its last face, 64 (C5, C10)."""
DAY = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """How a table plays. The defaults are the rulebook's.

    rules: what makes a play legal and what a game is worth (A1-A9, A12, A15, C4).
    equal_turns: long nardy: who began second has a last turn, and may draw (A10).
    cube: the games that are played with one (A11, C12). cube_cap: its highest value, 0 = none (A17). crawford: C8.
    jacoby, automatic_doubles: for single games alone; how many doubles a game at the most (C10, A19, A20).
    even_length: a match to an even number of points is worth a warning, or nothing (C9, A21).
    first_throw: of later games: by opening throw, or the last winner throws (A34). resignations: A30.
    throw_half: 'right' = each on his own right half (R1, A27). dice_on_checkers: a die flat on a checker (A22).
    invalid_die: 'both' are thrown again when one is not valid, or that 'one' (A28).
    premature: a throw before the other's dice are lifted is thrown again, or it stands and waits (A23).
    turn_end: 'any' die lifted, 'both', or a press of the 'clock' alone (A24); a button ends a turn always.
    illegal: 'legal_moves' = put right when it is called; 'condonable' = the other player may let it stand at once. In
        either case it stands from the next valid throw or cube offer on (A25).
    never_condoned: codes that never stand: the next throw waits until they are put right.
    announce: the machine calls faults 'always', 'on_request' of a player, or keeps a 'silent_log' (A26).
    mode: how much is said at the table.
    clock: is there one? delay_s: seconds of each turn that do not count; reserve_s_per_point: of each player's own.
    Raises InputError, naming the setting, for a value that is none of those.
    """

    name: str = "kazakh"
    rules: RuleOptions = RuleOptions()  # noqa: RUF009  frozen
    equal_turns: bool = False
    cube: Literal["short", "both", "none"] = "short"
    cube_cap: int = 64
    crawford: bool = True
    jacoby: bool = False
    automatic_doubles: int = 0
    even_length: Literal["warn", "allow"] = "warn"
    first_throw: Literal["opening", "winner"] = "opening"
    resignations: bool = True
    throw_half: Literal["right", "any"] = "right"
    dice_on_checkers: Literal["invalid", "valid"] = "invalid"
    invalid_die: Literal["both", "one"] = "both"
    premature: Literal["reroll", "stands"] = "reroll"
    turn_end: Literal["any", "both", "clock"] = "any"
    illegal: Literal["legal_moves", "condonable"] = "legal_moves"
    never_condoned: tuple[str, ...] = ("checker_missing", "checker_extra")
    announce: Literal["always", "on_request", "silent_log"] = "always"
    mode: Literal["silent", "monitor", "club", "training"] = "club"
    clock: bool = False
    delay_s: float = 12.0
    reserve_s_per_point: float = 120.0

    def __post_init__(self) -> None:
        for name, hint in get_type_hints(Profile).items():
            _check(name, getattr(self, name), hint)
        if not self.name or not self.name.isprintable():
            raise InputError(f"name is a text of one line, not {self.name!r}")
        for code in self.never_condoned:
            if code not in set(Code):
                raise InputError(f"never_condoned names violations, not {code!r}{_meant(code, Code)}")
        if self.cube_cap not in CUBE_CAPS:
            raise InputError(f"cube_cap is 2, 4, 8 ... {CUBE_CAPS[-1]}, or 0 for none, not {self.cube_cap}")
        if not 0 <= self.automatic_doubles <= MOST_AUTOMATIC:
            raise InputError(f"automatic_doubles is 0 to {MOST_AUTOMATIC} a game, not {self.automatic_doubles}")
        for name in ("delay_s", "reserve_s_per_point"):
            if not 0 <= getattr(self, name) <= DAY:
                raise InputError(f"{name} is 0 to {DAY:.0f} seconds, not {getattr(self, name)}")

    @property
    def settings(self) -> dict[str, Any]:
        """All of it as plain values, as in its TOML file: what a record keeps of it."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "rules"}
        rules = {f.name: getattr(self.rules, f.name) for f in fields(RuleOptions)}
        return {**own, "never_condoned": list(self.never_condoned), "rules": rules}


SETTINGS: dict[str, tuple[str, ...]] = {
    "A1": ("rules.prime_timing",),
    "A2": ("rules.prime_timing",),
    "A3": ("rules.prime_path",),
    "A6": ("rules.prime",),
    "A7": ("rules.head_two",),
    "A8": ("rules.first_turn",),
    "A10": ("equal_turns",),
    "A11": ("cube",),
    "A12": ("rules.home_mars",),
    "A15": ("rules.lenient_final_bearoff",),
    "A17": ("cube_cap",),
    "A19": ("automatic_doubles",),
    "A20": ("jacoby",),
    "A21": ("even_length",),
    "A22": ("dice_on_checkers",),
    "A23": ("premature",),
    "A24": ("turn_end",),
    "A25": ("illegal", "never_condoned"),
    "A26": ("announce", "mode"),
    "A27": ("throw_half",),
    "A28": ("invalid_die",),
    "A30": ("resignations",),
    "A34": ("first_throw",),
}
"""The setting that answers each open question."""

SETTLED: dict[str, str] = {
    "A4": "an opposing checker is ahead from the wall's far end on",
    "A5": "every window of six points is tested",
    "A9": "both of the two extra checkers may run on",
    "A13": "positions are compared, so the question has no effect",
    "A14": "may or must, the same plays are legal (S18)",
    "A16": "a checker on the bar counts for a backgammon (C3)",
    "A18": "a dead cube may be offered",
    "A29": "the record keeps the opening dice, the larger first",
    "A31": "the cube's value is shown in words",
    "A32": "the start position is common practice",
    "A33": "a pass loses the value before the offer (C7)",
    "A35": "no game starts until 15 and 15 stand as they should, unless a person decides so",
}
"""Those that the rulebook settles, so that there is nothing to set."""


def names() -> tuple[str, ...]:
    """The profiles of this package."""
    found = (file.name for file in files("nardy_hw.referee").joinpath("profiles").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


def load_profile(name: str) -> Profile:
    """A profile of this package by name. Raises InputError for an unknown one."""
    known = names()
    if name not in known:
        raise InputError(f"no profile {name!r}{_meant(name, known)}; there are {', '.join(known)}")
    text = files("nardy_hw.referee").joinpath("profiles", f"{name}.toml").read_text(encoding="utf-8")
    return parse_profile(text, name)


def parse_profile(text: str, name: str) -> Profile:
    """A profile from the text of a TOML file. Raises InputError with the setting that is wrong."""
    try:
        told = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"profile {name} is not TOML: {str(error)[:100]}") from None
    return profile_of(told, name)


def profile_of(told: dict[str, Any], name: str) -> Profile:
    """The same from plain values, as `Profile.settings` gives them."""
    try:
        return _profile_of({"name": name} | told)
    except InputError as error:
        raise InputError(f"profile {name}: {error}") from None


def _profile_of(told: dict[str, Any]) -> Profile:
    base_name, rules = told.pop("base", None), told.pop("rules", {})
    if not isinstance(base_name, str | None):
        raise InputError(f"base is the name of a profile, not {base_name!r}")
    if not isinstance(rules, dict):
        raise InputError(f"[rules] is a table of settings, not {rules!r}")
    own = {f.name for f in fields(Profile)} - {"rules"}
    of_rules = {f.name for f in fields(RuleOptions)}
    _known(told, own, "", of_rules, " in [rules]")
    _known(rules, of_rules, " in [rules]", own, " above [rules]")
    for key in ("delay_s", "reserve_s_per_point"):
        if type(told.get(key)) is int:
            told[key] = float(told[key])
    if isinstance(told.get("never_condoned"), list):
        told["never_condoned"] = tuple(told["never_condoned"])
    base = Profile() if base_name is None else load_profile(base_name)
    return replace(base, **told, rules=replace(base.rules, **rules))


def _known(told: dict[str, Any], known: set[str], where: str, elsewhere: set[str], there: str) -> None:
    """Refuses a key that is not known here, with the nearest one that is, or the other table where it belongs."""
    for key in told:
        if key not in known:
            meant = _meant(key, known) or _meant(key, elsewhere, there)
            if key in elsewhere:
                meant = f"; it belongs{there}"
            raise InputError(f"no setting {key!r}{where}{meant}")


def _check(name: str, value: object, hint: Any) -> None:
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise InputError(f"{name} is one of {', '.join(get_args(hint))}, not {value!r}")
    elif get_origin(hint) is tuple:
        if not isinstance(value, tuple) or not all(isinstance(one, str) for one in value):
            raise InputError(f"{name} is a list of texts, not {value!r}")
    elif type(value) is not hint:
        raise InputError(f"{name} is {_KINDS[hint]}, not {value!r}")


_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    RuleOptions: "a table of settings",
}


def _meant(name: str, known: Iterable[str], where: str = "") -> str:
    near = difflib.get_close_matches(name, sorted(known), 1)
    return f"; did you mean {str(near[0])!r}{where}?" if near else ""

"""Profiles: what the packaged ones say, which question each setting answers, and what is refused."""

import itertools
import re
import tomllib
from dataclasses import fields, replace
from importlib.resources import files

import pytest

from nardy_hw.errors import InputError
from nardy_hw.referee.profile import SETTINGS, SETTLED, Profile, load_profile, names, parse_profile, profile_of
from nardy_hw.rules.options import RuleOptions

OF_THE_RULEBOOK = {  # the column 'who says what', and for home what was asked for
    "kazakh": {},
    "usbgf": {"dice_on_checkers": "valid", "premature": "stands", "illegal": "condonable"},
    "ukbgf": {"premature": "stands"},
    "wbgf": {},
    "russian-sport": {"cube": "both"},
    "home": {
        "even_length": "allow",
        "throw_half": "any",
        "invalid_die": "one",
        "illegal": "condonable",
        "mode": "training",
    },
}
NO_QUESTION = {"name", "rules", "crawford", "clock", "delay_s", "reserve_s_per_point"}


def text_of(name):
    return files("nardy_hw.referee").joinpath("profiles", f"{name}.toml").read_text(encoding="utf-8")


def test_the_rulebooks_own_is_the_default():
    assert load_profile("kazakh") == Profile()


def test_all_are_known_by_name():
    assert set(names()) == set(OF_THE_RULEBOOK)


@pytest.mark.parametrize("name", OF_THE_RULEBOOK)
def test_each_differs_from_the_default_where_its_text_does(name):
    assert load_profile(name) == Profile(name=name, **OF_THE_RULEBOOK[name])


@pytest.mark.parametrize("name", OF_THE_RULEBOOK)
def test_each_setting_names_its_rule(name):
    lines = text_of(name).splitlines()
    for before, line in itertools.pairwise(lines):
        key = line.partition(" = ")[0]
        if " = " in line and not line.startswith("#") and key not in ("name", "base"):
            assert re.search(r"\((.*\b[ACLR]\d+.*)\)", before), f"{name}: {line}"
            numbers = {number for number, settings in SETTINGS.items() if {key, f"rules.{key}"} & set(settings)}
            assert not numbers or numbers & set(re.findall(r"A\d+", before)), f"{name}: {line}"


@pytest.mark.parametrize("name", OF_THE_RULEBOOK)
def test_a_profile_survives_its_own_settings(name):
    profile = load_profile(name)
    assert profile_of(profile.settings, "record") == profile


def test_every_question_has_a_setting_or_a_reason():
    assert set(SETTINGS) | set(SETTLED) == {f"A{n}" for n in range(1, 36)}
    assert not set(SETTINGS) & set(SETTLED)
    assert all(SETTLED.values())


def test_every_setting_that_answers_a_question_exists_and_answers_one():
    named = {name for settings in SETTINGS.values() for name in settings}
    own = {f.name for f in fields(Profile)} - NO_QUESTION
    of_rules = {f"rules.{f.name}" for f in fields(RuleOptions)} - {"rules.backgammon_value"}  # C4
    assert named == own | of_rules


def test_ones_own():
    own = parse_profile('base = "usbgf"\nmode = "silent"\ndelay_s = 8\n[rules]\nprime = "never"\n', "club.toml")
    assert own == replace(
        load_profile("usbgf"), name="club.toml", mode="silent", delay_s=8.0, rules=RuleOptions(prime="never")
    )
    assert parse_profile("", "mine.toml") == Profile(name="mine.toml")
    assert parse_profile('never_condoned = ["head_rule"]', "mine.toml").never_condoned == ("head_rule",)
    assert parse_profile(text_of("kazakh"), "copied.toml") == Profile()


def test_the_rules_of_a_base_are_kept():
    base = tomllib.loads('cube = "none"\n[rules]\nhome_mars = true\n')
    assert profile_of(base, "mine.toml") == Profile(name="mine.toml", cube="none", rules=RuleOptions(home_mars=True))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('turn_ends = "any"', ["turn_ends", "'turn_end'"]),
        ('[rules]\nprim = "off"', ["prim", "in [rules]", "'prime'"]),
        ('prime = "off"', ["'prime'", "belongs in [rules]"]),
        ('prime_time = "die"', ["'prime_time'", "'prime_timing' in [rules]"]),
        ("[rules]\ncrawford = true", ["'crawford' in [rules]", "belongs above [rules]"]),
        ("zzzz = 1", ["no setting 'zzzz'"]),
        ('turn_end = "never"', ["turn_end", "any, both, clock"]),
        ("turn_end = 3", ["turn_end", "any, both, clock", "3"]),
        ('even_length = "refuse"', ["even_length", "warn, allow"]),
        ("clock = 1", ["clock", "true or false"]),
        ('base = "kazak"', ["kazak", "'kazakh'"]),
        ("base = 3", ["base", "name of a profile", "3"]),
        ('name = ""', ["name", "one line"]),
        ('name = "two\\nlines"', ["name", "one line"]),
        ('never_condoned = ["head_rul"]', ["head_rul", "'head_rule'"]),
        ("never_condoned = 3", ["never_condoned", "list"]),
        ("never_condoned = [3]", ["never_condoned", "list"]),
        ("rules = 3", ["[rules]"]),
        ("delay_s = -1", ["delay_s", "0 to 86400 seconds", "-1"]),
        ("delay_s = nan", ["delay_s", "nan"]),
        ("reserve_s_per_point = inf", ["reserve_s_per_point", "inf"]),
        ('reserve_s_per_point = "2"', ["reserve_s_per_point", "a number"]),
        ("cube_cap = 3", ["cube_cap", "2, 4, 8", "3"]),
        ("cube_cap = true", ["cube_cap", "whole number"]),
        ("automatic_doubles = 7", ["automatic_doubles", "0 to 6", "7"]),
        ("automatic_doubles = 1.0", ["automatic_doubles", "whole number"]),
        ('[rules]\nprime = "of"', ["prime", "'of'"]),
        ("[rules]\nbackgammon_value = 4", ["backgammon_value", "3, 2", "4"]),
        ("mode = [", ["TOML"]),
    ],
)
def test_what_is_refused_is_named(text, words):
    with pytest.raises(InputError) as refused:
        parse_profile(text, "mine.toml")
    message = str(refused.value)
    assert all(word in message for word in ["mine.toml", *words])
    assert "\n" not in message


def test_one_that_is_not_there():
    with pytest.raises(InputError, match=r"no profile 'usbg'; did you mean 'usbgf'\?; there are home, kazakh, "):
        load_profile("usbg")
    with pytest.raises(InputError, match="no profile"):
        load_profile("../profiles/kazakh")

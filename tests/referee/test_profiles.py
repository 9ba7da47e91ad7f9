"""Profiles: what the packaged ones say, and what is refused."""

from dataclasses import replace

import pytest

from nardy_hw.errors import InputError
from nardy_hw.referee.profile import NAMES, SETTINGS, Profile, load_profile, parse_profile, profile_of
from nardy_hw.rules.options import RuleOptions


def test_the_rulebooks_own_is_the_default():
    assert load_profile("kazakh") == Profile()


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("usbgf", {"dice_on_checkers": "valid", "premature": "stands", "illegal": "condonable", "turn_end": "any"}),
        ("ukbgf", {"dice_on_checkers": "invalid", "premature": "stands", "illegal": "condonable"}),
        ("wbgf", {"dice_on_checkers": "invalid", "premature": "reroll", "illegal": "legal_moves"}),
        ("russian-sport", {"cube": "both"}),
        ("home", {"mode": "training", "throw_half": "any"}),
    ],
)
def test_what_each_says(name, settings):
    profile = load_profile(name)
    assert profile.name == name
    assert {key: getattr(profile, key) for key in settings} == settings


@pytest.mark.parametrize("name", NAMES)
def test_a_profile_survives_its_own_settings(name):
    profile = load_profile(name)
    assert profile_of(profile.settings, "record") == profile


def test_every_setting_that_answers_a_question_exists():
    plain = Profile().settings
    for names in SETTINGS.values():
        for name in names:
            table, _, key = name.rpartition(".")
            assert key in (plain[table] if table else plain)


def test_ones_own():
    own = parse_profile('base = "usbgf"\nmode = "silent"\ndelay_s = 8\n[rules]\nprime = "never"\n', "club.toml")
    assert own == replace(
        load_profile("usbgf"), name="club.toml", mode="silent", delay_s=8.0, rules=RuleOptions(prime="never")
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('turn_ends = "any"', ["turn_ends", "'turn_end'"]),
        ('[rules]\nprim = "off"', ["prim", "'prime'"]),
        ('turn_end = "never"', ["turn_end", "any, both, clock"]),
        ("clock = 1", ["clock", "true or false"]),
        ('base = "kazak"', ["kazak", "'kazakh'"]),
        ('never_condoned = ["head_rul"]', ["head_rul", "'head_rule'"]),
        ("never_condoned = 3", ["never_condoned", "list"]),
        ("rules = 3", ["[rules]"]),
        ("delay_s = -1", ["delay_s", "-1"]),
        ('[rules]\nprime = "of"', ["prime", "'of'"]),
        ("mode = [", ["TOML"]),
    ],
)
def test_what_is_refused_is_named(text, words):
    with pytest.raises(InputError) as refused:
        parse_profile(text, "mine.toml")
    message = str(refused.value)
    assert "mine.toml" in message or "kazak" in message
    assert all(word in message for word in words)
    assert "\n" not in message

"""What is connected, as the settings say and the command line overrules."""

from __future__ import annotations

import argparse

from msgspec.structs import replace

from nardy_hw.settings import Settings, load_settings


def settings_of(args: argparse.Namespace) -> Settings:
    """Those of `--config`, with `--board` and `--dice`. Raises InputError."""
    settings = load_settings(args.config)
    said = {name: getattr(args, name) for name in ("board", "dice") if getattr(args, name) is not None}
    return replace(settings, devices=replace(settings.devices, **said))

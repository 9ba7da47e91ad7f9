"""The machine's own settings: what is connected, and how. One TOML file, all of it optional.

[devices]
board = "auto"            # a board of lights and buttons: its serial port, 'auto', or '' for none
board_id = ""             # of several boards, the one with this id
dice = "camera"           # who reads the dice: camera, roller, module, ble
ble = []                  # addresses of the Bluetooth dice, White's at the opening first; [] = the two within reach

[pins]                    # straight on the Pi's header: BCM numbers
driver = "lgpio"          # lgpio, rpigpio, pigpio, mock
white = 17
black = 27
buzzer = 22
status = 23
"""

from __future__ import annotations

import difflib
import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec

from nardy_hw.errors import InputError

DEFAULT = Path("/etc/nardy-hw/config.toml")
Dice = Literal["camera", "roller", "module", "ble"]


class Devices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """As above."""

    board: str = ""
    board_id: str = ""
    dice: Dice = "camera"
    ble: tuple[str, ...] = ()


class Pins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """As above. Which numbers are pins is known to firmware_bridge.gpio."""

    driver: Literal["lgpio", "rpigpio", "pigpio", "mock"] = "lgpio"
    white: int | None = None
    black: int | None = None
    buzzer: int | None = None
    status: int | None = None


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of them."""

    devices: Devices = Devices()
    pins: Pins | None = None


def load_settings(path: Path | None = None) -> Settings:
    """path: None = /etc/nardy-hw/config.toml where it is there. Raises InputError with the setting that is wrong."""
    if path is None and not DEFAULT.is_file():
        return Settings()
    path = path or DEFAULT
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read the settings {path}: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"the settings {path} are not TOML: {str(error)[:100]}") from None
    _known(told, Settings, str(path), "")
    for name, kind in (("devices", Devices), ("pins", Pins)):
        _known(told.get(name, {}), kind, str(path), f" in [{name}]")
    try:
        return msgspec.convert(told, Settings)
    except msgspec.ValidationError as error:
        raise InputError(f"the settings {path}: {error}") from None


def _known(told: Any, kind: type[msgspec.Struct], path: str, where: str) -> None:
    """Refuses a key that is not known, with the nearest one that is."""
    for key in told if isinstance(told, dict) else ():
        if key not in kind.__struct_fields__:
            near = difflib.get_close_matches(key, kind.__struct_fields__, 1)
            meant = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(kind.__struct_fields__)}"
            raise InputError(f"the settings {path}: no setting {key!r}{where}; {meant}")

"""The protocol's numbers and letters, from protocol.toml; and the two files that are made from it.

`python -m firmware_bridge.protocol` writes firmware/protocol.h and protocol.md. A test holds them to protocol.toml.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

_DATA: dict[str, Any] = tomllib.loads(files("firmware_bridge").joinpath("protocol.toml").read_text(encoding="utf-8"))

VERSION: int = _DATA["version"]
BAUD: int = _DATA["line"]["baud"]
MAX_BODY: int = _DATA["line"]["max_body"]
TIMES: dict[str, int] = _DATA["times"]
"""Milliseconds."""
COUNTS: dict[str, int] = _DATA["counts"]
CURRENT: dict[str, int] = _DATA["current"]
PALETTE: dict[str, tuple[int, int, int]] = {digit: (r, g, b) for digit, (r, g, b) in _DATA["palette"].items()}
"""Digit of a lights frame -> red, green, blue at full brightness, 0..255."""
HOST: dict[str, str] = _DATA["host"]
MCU: dict[str, str] = _DATA["mcu"]


def header() -> str:
    """The C side's protocol.h."""
    lines = [
        "/* Made from protocol.toml by `python -m firmware_bridge.protocol`: change it there. */",
        "#ifndef PROTOCOL_H",
        "#define PROTOCOL_H",
        f"#define PROTOCOL {VERSION}",
        f"#define BAUD {BAUD}UL",
        f"#define MAX_BODY {MAX_BODY}",
    ]
    lines += [f"#define MS_{name.upper()} {value}" for name, value in TIMES.items()]
    lines += [f"#define N_{name.upper()} {value}" for name, value in COUNTS.items()]
    lines += [f"#define MA_{name.upper()} {value}" for name, value in CURRENT.items()]
    rows = ", \\\n    ".join(f"{{{r}, {g}, {b}}}" for r, g, b in PALETTE.values())
    lines += [f"#define PALETTE_RGB \\\n    {rows}", "#endif"]
    return "\n".join(lines) + "\n"


def document() -> str:
    """The protocol for people, as Markdown."""
    times = "\n".join(f"| {name} | {value} ms |" for name, value in TIMES.items())
    counts = "\n".join(f"| {name} | {value} |" for name, value in COUNTS.items())
    host = "\n".join(f"| `{letter}` | {text} |" for letter, text in HOST.items())
    mcu = "\n".join(f"| `{letter}` | {text} |" for letter, text in MCU.items())
    return f"""# The serial protocol, version {VERSION}

Made from protocol.toml by `python -m firmware_bridge.protocol`: change it there.

{BAUD} baud, 8N1. A frame is `$SSTpayload*CCCC` and a line feed, all ASCII: SS a sequence number and CCCC the sum, in
upper-case hex; T one letter. The sum is CRC-16/CCITT-FALSE over SS, T and payload, at most {MAX_BODY} bytes. `$` always
begins afresh, carriage returns are ignored, everything outside frames is dropped.

The host sends one command at a time and waits for its answer, as the lights' signal keeps the microcontroller from
listening for 0.84 ms. A command that comes again with the same sequence is answered again and not done again. `Q`
begins a session. An event (`b`, `d`, `w`) has a sequence of its own and is sent again until `K` names it; the host
drops those that it has had. Opening the port of a Nano resets it: `z` is no error, and the host then sends all that it
wants once more.

A dice module is whatever knows how its die lies and answers on I2C (SDA on A4, SCL on A5) at address
{COUNTS["module_address"]} or the next: four bytes for each reading, the state's letter as in `d`, the face, the
quality, and the complement of their sum. The microcontroller asks each in turn every {TIMES["module"]} ms and believes
what came twice alike; a module that has not answered well for {TIMES["module_silent"]} ms counts as moved.

| host | |
|---|---|
{host}

| microcontroller | |
|---|---|
{mcu}

| time | |
|---|---|
{times}

| count | |
|---|---|
{counts}
"""


if __name__ == "__main__":
    here = Path(__file__).parent
    (here / "firmware" / "protocol.h").write_text(header(), encoding="utf-8")
    (here / "protocol.md").write_text(document(), encoding="utf-8")

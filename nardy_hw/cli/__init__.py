"""The commands. Each group is a module with `add(subparsers)`; only the chosen one is imported heavily.

Exit 0 done, 1 the answer is 'no', 2 bad use or bad input (one line on stderr).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from calibration.errors import CalibrationError
from firmware_bridge.errors import BridgeError
from nardy_hw import __version__
from nardy_hw.cli import board_sim, calibrate, demo, dice, doctor, flash, lens, matches, read, referee, replay, rules
from nardy_hw.errors import NardyError


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line. Subcommands' parsers are of this class too."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())} ({self.prog} --help tells more)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of `nardy-hw`. Each command's parser sets `run`: a function of the parsed arguments -> exit code."""
    parser = _Parser(prog="nardy-hw", description="A referee for nardy on a real wooden board.")
    parser.add_argument("--version", action="version", version=f"nardy-hw {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for group in (demo, referee, read, replay, calibrate, lens, rules, matches, dice, doctor, flash, board_sim):
        group.add(commands)
    args = parser.parse_args(argv)
    # The one line on stderr is ours: OpenCV and its decoders stay silent.
    for name, value in (("OPENCV_LOG_LEVEL", "SILENT"), ("OPENCV_FFMPEG_LOGLEVEL", "-8")):
        os.environ.setdefault(name, value)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without the letters of a name
    try:
        code = int(args.run(args))
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except (NardyError, CalibrationError, BridgeError) as error:
        print(f"nardy-hw {args.command}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except (OSError, RecursionError, MemoryError, AttributeError) as error:
        # what no command expects: a full disk behind stdout, a closed stdin; 1 would be taken for a verdict
        return _unexpected(args.command, error)


def _unexpected(command: str, error: BaseException) -> int:
    if sys.stdin is None or sys.stdout is None:
        why = "standard input or output is closed"
    else:
        why = error.strerror if isinstance(error, OSError) and error.strerror else f"{type(error).__name__}: {error}"
    print(f"nardy-hw {command}: cannot go on: {why[:200]}", file=sys.stderr)
    with contextlib.suppress(OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more can be said there
    return 2

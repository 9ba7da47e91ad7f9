"""The commands. Each group is a module with `add(subparsers)`; only the chosen one is imported heavily.

Exit 0 done, 1 the answer is 'no', 2 bad use or bad input (one line on stderr).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from calibration.errors import CalibrationError
from nardy_hw import __version__
from nardy_hw.cli import calibrate, demo, matches, read, replay, rules
from nardy_hw.errors import NardyError


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of `nardy-hw`. Each command's parser sets `run`: a function of the parsed arguments -> exit code."""
    parser = argparse.ArgumentParser(prog="nardy-hw", description="A referee for nardy on a real wooden board.")
    parser.add_argument("--version", action="version", version=f"nardy-hw {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for group in (demo, read, replay, calibrate, rules, matches):
        group.add(commands)
    args = parser.parse_args(argv)
    try:
        return int(args.run(args))
    except (NardyError, CalibrationError) as error:
        print(f"nardy-hw {args.command}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0

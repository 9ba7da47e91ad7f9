"""The bridge for a long time: noise on the line, how quick it is, and what unplugging and resets cost.

    python -m tests.bench.bridge [--only noise,times,unplug]

The firmware that is flashed runs in the simulated board; times are on a terminal, beside a bare terminal's echo in the
same run.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

import numpy as np
import serial

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "firmware_bridge")]

from noisy import noisy  # noqa: E402
from test_link import Ears, soon  # noqa: E402

from firmware_bridge.contact import Pressed  # noqa: E402
from firmware_bridge.frames import Frame, Reader  # noqa: E402
from firmware_bridge.link import Link  # noqa: E402
from firmware_bridge.protocol import BAUD, PALETTE  # noqa: E402
from firmware_bridge.session import Up  # noqa: E402
from firmware_bridge.sim.board import SimulatedBoard, build  # noqa: E402


def noise(elf: Path, program: Path) -> None:
    for frames, share in ((10_000, 0.001), (1_000, 0.01)):
        begun = time.monotonic()
        print(f"noise {share:.1%}: {noisy(elf, program, frames, share, 11)}, {time.monotonic() - begun:.0f} s")


def percentiles(name: str, seconds: list[float], bare: float | None = None) -> float:
    ms = np.percentile(np.array(seconds) * 1000, (50, 95, 100))
    ratio = f", {ms[1] / bare:.0f} times a bare terminal's echo" if bare else ""
    print(f"{name}: median {ms[0]:.2f} ms, p95 {ms[1]:.2f}, most {ms[2]:.1f}{ratio}")
    return float(ms[1])


def timed(n: int, once: Callable[[int], None]) -> list[float]:
    taken = []
    for i in range(n):
        begun = time.perf_counter()
        once(i)
        taken.append(time.perf_counter() - begun)
    return taken


def echo(n: int) -> list[float]:
    """A frame's bytes through a terminal and back, a thread at the other end."""
    master, slave = os.openpty()
    tty.setraw(slave)
    tty.setraw(master)

    def back() -> None:
        try:
            while data := os.read(master, 256):
                os.write(master, data)
        except OSError:
            pass

    threading.Thread(target=back, daemon=True).start()
    ping = Frame(0, "P").encode()
    with serial.Serial(os.ttyname(slave), BAUD, timeout=1, exclusive=True) as line:

        def once(_: int) -> None:
            line.write(ping)
            line.read(len(ping))

        taken = timed(n, once)
    os.close(slave)
    os.close(master)
    return taken


def times(elf: Path, program: Path, folder: Path) -> None:
    bare = percentiles("a bare terminal's echo", echo(500))
    path = folder / "board"
    with SimulatedBoard(program, elf, path) as board:
        with serial.Serial(str(path), BAUD, timeout=0.5, exclusive=True) as line:
            reader = Reader()

            def asked(i: int, letter: str, payload: str = "") -> None:
                line.write(Frame(i % 256, letter, payload).encode())
                end = time.monotonic() + 0.5
                while time.monotonic() < end:
                    for frame in reader.feed(line.read(max(1, line.in_waiting))):
                        if frame.type == "a" and frame.sequence == i % 256:
                            return
                raise TimeoutError("no answer")

            time.sleep(0.3)
            percentiles("ping", timed(500, lambda i: asked(i, "P")), bare)
            percentiles("lights frame", timed(300, lambda i: asked(500 + i, "L", "0123456"[i % 7] * 28)), bare)
        ears = Ears()
        with Link(ears, ports=lambda: [str(path)]):
            ears.wait(Up)

            def press(i: int) -> None:
                board.press(0, i % 2 == 0)
                ears.wait(Pressed, where=lambda said: said.state == (i + 1) % 2)

            percentiles("button's edge to event", timed(200, press), bare)


def unplug(elf: Path, program: Path, folder: Path, events: int = 500) -> None:
    """Unplugged, or reset, at random instants; lights and events must come through."""
    rng, path, back, presses = random.Random(5), folder / "board", [], 0
    with SimulatedBoard(program, elf, path) as board:
        ears = Ears()
        with Link(ears, ports=lambda: [str(path)]) as link:
            ears.wait(Up)
            for number in range(events):
                digit = "89ABCDE"[number % 7]
                link.lights(digit * 28)
                time.sleep(rng.uniform(0, 0.03))
                pulled = rng.random() < 0.5
                if pulled:
                    board.ask("unplug")
                    board.press(0, True)  # nobody hears it now
                    time.sleep(rng.uniform(0.02, 0.1))
                    board.ask("plug")
                else:
                    board.ask("reset")
                begun = time.monotonic()
                ears.wait(Up, 5.0)
                soon(lambda digit=digit: board.lights() == [PALETTE[digit]] * 28, 5.0)
                back.append(time.monotonic() - begun)
                if pulled:
                    board.press(0, False)
                    time.sleep(0.03)  # longer than the debounce
                    presses += 2
            time.sleep(1.0)
    heard = [said for said in ears.all if isinstance(said, Pressed) and said.state < 2]
    percentiles(f"{events} times unplugged or reset: back with its lights after", back)
    print(f"button events heard {len(heard)} of {presses}; over 2 s: {sum(seconds > 2 for seconds in back)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="noise,times,unplug")
    parser.add_argument("--events", type=int, default=500)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        elf, program = build(folder)
        if "noise" in args.only:
            noise(elf, program)
        if "times" in args.only:
            times(elf, program, folder)
        if "unplug" in args.only:
            unplug(elf, program, folder, args.events)


if __name__ == "__main__":
    main()

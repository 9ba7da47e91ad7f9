"""The firmware's parser against Python's, byte for byte; and the roller's dice against chance."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware_bridge.frames import Frame, Reader, crc16

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "firmware_bridge" / "firmware"


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("native") / "native"
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover"]
    sources = [HERE / "native.c", FIRMWARE / "frame.c"]
    subprocess.run(["gcc", *flags, "-I", str(FIRMWARE), "-o", str(program), *map(str, sources)], check=True)
    return program


class NativeParser:
    """Keeps its state from one call to the next, as the one on the board does."""

    def __init__(self, program: Path) -> None:
        self.process = subprocess.Popen([program, "frames"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def feed(self, data: bytes) -> list[str]:
        self.process.stdin.write(b"%d\n" % len(data) + data)
        self.process.stdin.flush()
        bodies = []
        while (line := self.process.stdout.readline()) not in (b".\n", b""):
            bodies.append(line.decode("ascii").rstrip("\n"))
        return bodies


@pytest.fixture(scope="session")
def parser(native: Path) -> Iterator[NativeParser]:
    running = NativeParser(native)
    yield running
    running.process.stdin.close()
    assert running.process.wait() == 0, "a sanitizer has stopped it"
    running.process.stdout.close()


def framed(body: bytes) -> bytes:
    return b"$" + body + b"*%04X\n" % crc16(body)


bodies = st.one_of(
    st.builds(lambda s, t, p: b"%02X" % s + t + p, st.integers(0, 255), st.sampled_from([b"Q", b"L", b"z", b"9", b"*"]),
              st.binary(max_size=100)),
    st.binary(max_size=120),
)  # fmt: skip
pieces = st.one_of(
    bodies.map(framed),
    bodies.map(lambda b: framed(b).lower()),
    bodies.map(lambda b: framed(b)[:-3]),
    st.binary(max_size=20),
    st.sampled_from([b"$", b"*", b"\n", b"\r", b"$$", b"00", b"*FFFF\n", b"$00Q*"]),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(pieces, max_size=8).map(b"".join))
@example(framed(b"00L" + b"0" * 93))
@example(framed(b"00L" + b"0" * 94))
@example(b"$00Q\r*" + framed(b"00Q")[5:])
@example(framed(b"+1Q"))
@example(framed(b" 1Q") + framed(b"0aQ") + framed(b"0A"))
def test_the_same_verdict_on_the_same_bytes(parser: NativeParser, data: bytes) -> None:
    data += b"$"  # whatever was open is dropped on both sides
    reader = Reader()
    python = [f"{frame.sequence:02X}{frame.type}{frame.payload}" for frame in reader.feed(data)]
    assert parser.feed(data) == python


def test_much_noise_of_the_right_alphabet(parser: NativeParser) -> None:
    rng = np.random.default_rng(3)
    alphabet = np.frombuffer(b"$*\n\r0123456789ABCDEFQLPGSDIKR,", np.uint8)
    data = rng.choice(alphabet, 400_000).tobytes() + b"$"
    good = Frame(0x1F, "L", "0" * 28).encode()
    python = [f"{f.sequence:02X}{f.type}{f.payload}" for f in Reader().feed(data + good)]
    assert parser.feed(data + good) == python
    assert python[-1].startswith("1FL")


CORPUS = HERE.parent / "data" / "fuzz_frames.hex"


def test_the_fuzzers_corpus_gets_the_same_verdict(parser: NativeParser) -> None:
    """What ten minutes of libFuzzer kept, each input on its own."""
    inputs = [bytes.fromhex(line) for line in CORPUS.read_text().splitlines()]
    assert len(inputs) > 100
    for data in inputs:
        python = [f"{frame.sequence:02X}{frame.type}{frame.payload}" for frame in Reader().feed(data)]
        assert parser.feed(data + b"$\r*0") == python
        parser.feed(b"\n")


def test_ten_seconds_of_mutations(tmp_path: Path) -> None:
    """Under both sanitizers; a frame that does not stand in the bytes to the letter stops the program."""
    program = tmp_path / "fuzz"
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-DALONE", "-fsanitize=address,undefined", "-fno-sanitize-recover"]
    sources = [HERE / "fuzz_frames.c", FIRMWARE / "frame.c"]
    subprocess.run(["gcc", *flags, "-I", str(FIRMWARE), "-o", str(program), *map(str, sources)], check=True)
    done = subprocess.run([program, "10", str(CORPUS)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout.split()[2]) > 1_000_000


def thrown(native: Path, n: int, seed: int, ms: int = 3) -> np.ndarray:
    done = subprocess.run([native, "throws", str(n), str(seed), str(ms)], capture_output=True, check=True)
    return np.frombuffer(done.stdout, np.uint8).reshape(-1, 2) - ord("1")


def chi_square(counts: np.ndarray) -> float:
    expected = counts.sum() / counts.size
    return float(((counts - expected) ** 2 / expected).sum())


def test_the_rollers_dice_are_fair(native: Path) -> None:
    """600,000 throws of two dice: faces, pairs and what follows what, within the band that fair dice keep to in 99 of
    100 trials (chi-square of 5, 35 and 35 degrees of freedom)."""
    dice = thrown(native, 600_000, 20)
    assert dice.min() == 0 and dice.max() == 5
    for column in dice.T:
        assert 0.41 < chi_square(np.bincount(column, minlength=6)) < 16.75
    assert 17.19 < chi_square(np.bincount(dice[:, 0] * 6 + dice[:, 1], minlength=36)) < 60.27
    assert 17.19 < chi_square(np.bincount(dice[:-1, 1] * 6 + dice[1:, 0], minlength=36)) < 60.27
    flat = dice.ravel()
    centred = flat - flat.mean()
    correlation = float((centred[:-1] * centred[1:]).mean() / centred.var())
    assert abs(correlation) < 2.58 / np.sqrt(len(flat))


def test_another_moment_is_another_throw(native: Path) -> None:
    assert (thrown(native, 200, 1) != thrown(native, 200, 2)).mean() > 0.7

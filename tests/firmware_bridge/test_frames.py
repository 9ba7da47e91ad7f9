"""The serial frames, against known check values and random noise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import FrameError
from firmware_bridge.frames import MAX_BODY, Frame, Reader, crc16

payloads = st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters="$*"), max_size=MAX_BODY - 3)
frames = st.builds(Frame, st.integers(0, 255), st.sampled_from("QLPGSDIKRqanzbdsw"), payloads)


def test_crc_check_value() -> None:
    assert crc16(b"123456789") == 0x29B1  # the published check value of CRC-16/CCITT-FALSE


def test_one_frame_byte_by_byte() -> None:
    assert Frame(0x1F, "b", "1,down").encode() == b"$1Fb1,down*" + f"{crc16(b'1Fb1,down'):04X}".encode() + b"\n"


@given(st.lists(frames, max_size=5), st.data())
def test_frames_survive_any_cutting(sent: list[Frame], data: st.DataObject) -> None:
    stream = b"".join(f.encode() for f in sent)
    reader, got = Reader(), []
    while stream:
        n = data.draw(st.integers(1, len(stream)))
        got += reader.feed(stream[:n])
        stream = stream[n:]
    assert got == sent
    assert reader.dropped == 0


@given(frames, st.data())
def test_a_flipped_bit_never_passes(frame: Frame, data: st.DataObject) -> None:
    wire = bytearray(frame.encode())
    bit = data.draw(st.integers(0, 8 * (len(wire) - 1) - 1))  # not the line end: without it nothing comes at all
    wire[bit // 8] ^= 1 << bit % 8
    assert Reader().feed(bytes(wire)) != [frame]
    assert all(f == frame for f in Reader().feed(bytes(wire)))


@given(st.binary(max_size=400), frames)
def test_noise_costs_only_itself(noise: bytes, frame: Frame) -> None:
    assert Reader().feed(noise + frame.encode())[-1] == frame


@pytest.mark.parametrize(
    ("sequence", "kind", "payload"),
    [
        (256, "Q", ""),
        (-1, "Q", ""),
        (0, "", ""),
        (0, "QQ", ""),
        (0, "é", ""),
        (0, "7", ""),
        (0, "Q", "a*b"),
        (0, "Q", "$"),
        (0, "Q", "\n"),
        (0, "L", "x" * 94),
    ],
)
def test_what_no_frame_can_hold(sequence: int, kind: str, payload: str) -> None:
    with pytest.raises(FrameError):
        Frame(sequence, kind, payload)

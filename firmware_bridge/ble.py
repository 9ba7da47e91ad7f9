"""Bluetooth dice: GoDice and Pixels, found, followed and never given up. What they send is read here, sans-I/O.

The radio is bleak's (pip install 'nardy-hw[ble]'). One thread does all that waits, as in `link`.

Sources: the GoDice makers' Python API for its messages and the direction of gravity on each face; the Pixels makers'
protocol document and firmware for the roll states.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self, TypeVar

from firmware_bridge.dice import Die, DieState
from firmware_bridge.errors import LinkError
from firmware_bridge.link import Trouble

Make = Literal["GoDice", "Pixels"]
T = TypeVar("T")

SERVICE = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
INFORMATION = "0000180a-0000-1000-8000-00805f9b34fb"
NOTIFIES: dict[Make, str] = {"GoDice": "6e400003-b5a3-f393-e0a9-e50e24dcca9e", "Pixels": SERVICE}
"""The characteristic that speaks. Both use the Nordic UART's service; Pixels give its id to this as well."""

PAUSE = 2.0
"""Seconds between two looks for dice that are not there."""

UP = {1: (-64, 0, 0), 2: (0, 0, 64), 3: (0, 64, 0), 4: (0, -64, 0), 5: (0, 0, -64), 6: (64, 0, 0)}
"""GoDice: the accelerometer's reading, 64 to the g, with each face up."""

FLAT = 0.94
"""Cosine: a reading more than 20 degrees away from every face is of a die that leans. Between two faces it is 0.71."""


@dataclass(frozen=True, slots=True)
class Present:
    """A die has come or gone. name: its address."""

    name: str
    make: Make
    there: bool


Said = Die | Present | Trouble


def godice(name: str, message: bytes) -> Die | None:
    """What a GoDice says of how it lies: R; S, FS, TS or MS and three signed bytes. None for anything else."""
    if message == b"R":
        return Die("ble", name, DieState.ROLLING)
    kind, where = message[:-3], message[-3:]
    if kind not in (b"S", b"FS", b"TS", b"MS"):
        return None
    reading = [value - 256 if value > 127 else value for value in where]
    length = max(sum(value * value for value in reading) ** 0.5, 1.0)
    along = {face: sum(a * b for a, b in zip(reading, up, strict=True)) / (64 * length) for face, up in UP.items()}
    face = max(along, key=along.__getitem__)
    quality = max(0, min(9, int(along[face] * 10)))
    if kind == b"TS" or along[face] < FLAT:
        return Die("ble", name, DieState.TILTED, face, quality)
    # FS: it came to rest without having been thrown; MS: it was moved, not thrown
    return Die("ble", name, DieState.STABLE if kind == b"S" else DieState.MOVED, face, quality)


PIXELS = {
    1: DieState.STABLE,  # rolled, and lies on a face
    2: DieState.MOVED,  # in a hand
    3: DieState.ROLLING,
    4: DieState.TILTED,  # crooked
    5: DieState.MOVED,  # lies on a face, and was not rolled
}
"""Roll states of Pixels; 0 is unknown."""


def pixels(name: str, message: bytes) -> Die | None:
    """What a Pixels die says of how it lies: message 3, roll state, index of the upper face. None for anything else."""
    if len(message) != 3 or message[0] != 3 or message[1] not in PIXELS or message[2] > 5:
        return None
    return Die("ble", name, PIXELS[message[1]], message[2] + 1)


READS: dict[Make, Callable[[str, bytes], Die | None]] = {"GoDice": godice, "Pixels": pixels}


@dataclass(frozen=True, slots=True)
class Found:
    """A die that answers to the radio. device: the radio's own."""

    address: str
    make: Make
    device: Any


class Radio(Protocol):
    """What is needed of Bluetooth. Errors are OSErrors or LinkError."""

    async def find(self) -> list[Found]:
        """Dice within reach."""

    async def follow(self, die: Found, heard: Callable[[bytes], None], connected: Callable[[], None]) -> None:
        """Listens to one until it is gone."""


class BleDice:
    """heard: called in the dice's own thread with all that they say; must return at once.

    names: the addresses of the dice that are wanted; () = all within reach. Use as a context manager; `close()` twice
    is fine. Raises LinkError where bleak is not installed.
    """

    def __init__(
        self, heard: Callable[[Said], None], names: tuple[str, ...] = (), *, radio: Radio | None = None
    ) -> None:
        self._heard, self._names = heard, tuple(name.upper() for name in names)
        self._radio = radio or bleak_radio()
        self._told = ""
        self._following: dict[str, asyncio.Task[None]] = {}
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(self._work())
        self._thread = threading.Thread(target=self._run, name="ble", daemon=True)
        self._thread.start()

    def close(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._task.cancel)
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            pass
        finally:
            self._loop.close()

    async def _work(self) -> None:
        try:
            while True:
                missing = [name for name in self._names if name not in self._following]
                if missing or not self._names:
                    for die in await self._safely(self._radio.find()) or []:
                        if die.address not in self._following and die.address in (self._names or {die.address}):
                            self._following[die.address] = asyncio.ensure_future(self._follow(die))
                await asyncio.sleep(PAUSE)
        finally:
            for task in self._following.values():
                task.cancel()
            await asyncio.gather(*self._following.values(), return_exceptions=True)

    async def _follow(self, die: Found) -> None:
        there = False

        def connected() -> None:
            nonlocal there
            there = True
            self._heard(Present(die.address, die.make, True))

        def read(message: bytes) -> None:
            said = READS[die.make](die.address, message)
            if said is not None:
                self._heard(said)

        try:
            await self._safely(self._radio.follow(die, read, connected))
        finally:
            del self._following[die.address]
            if there:
                self._heard(Die("ble", die.address, DieState.MOVED, 0, 0))  # what it said before is not to be built on
                self._heard(Present(die.address, die.make, False))

    async def _safely(self, what: Awaitable[T]) -> T | None:
        """Says what is wrong, once, and goes on."""
        try:
            result = await what
        except (OSError, LinkError) as error:
            why = str(error) or type(error).__name__
            if why != self._told:
                self._told = why
                self._heard(Trouble("Bluetooth", why))
            return None
        self._told = ""
        return result


def bleak_radio() -> Radio:
    """The machine's own radio. Raises LinkError where bleak is not installed."""
    try:
        import bleak
        from bleak.exc import BleakError
    except ImportError:
        raise LinkError("Bluetooth dice need bleak: pip install 'nardy-hw[ble]'") from None
    off = "Bluetooth does not answer, is it on? bluetoothctl power on"

    class Bleak:
        async def find(self) -> list[Found]:
            try:
                seen = await bleak.BleakScanner.discover(timeout=4.0, return_adv=True)
            except (BleakError, EOFError) as error:
                raise LinkError(f"{off} ({error})") from None
            except OSError as error:
                raise LinkError(f"{off} ({error.strerror})") from None
            dice = []
            for device, told in seen.values():
                name, services = told.local_name or device.name or "", told.service_uuids
                if name.startswith("GoDice"):
                    dice.append(Found(device.address.upper(), "GoDice", device))
                elif SERVICE in services and INFORMATION in {*services, *told.service_data}:
                    dice.append(Found(device.address.upper(), "Pixels", device))
            return dice

        async def follow(self, die: Found, heard: Callable[[bytes], None], connected: Callable[[], None]) -> None:
            gone = asyncio.Event()
            try:
                async with bleak.BleakClient(die.device, lambda _: gone.set()) as client:
                    await client.start_notify(NOTIFIES[die.make], lambda _, data: heard(bytes(data)))
                    connected()
                    await gone.wait()
            except (BleakError, EOFError, TimeoutError) as error:
                raise LinkError(f"the die {die.address} does not let us listen ({error})") from None

    return Bleak()

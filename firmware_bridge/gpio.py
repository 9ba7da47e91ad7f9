"""Buttons, a buzzer and a status light straight on the Raspberry Pi's header, by gpiozero. BCM numbers of pins.

A button goes from its pin to ground, the buzzer (active, 3.3 V) and the light (with 330 ohm) from theirs to ground.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from firmware_bridge.contact import Contact, Pressed
from firmware_bridge.errors import LinkError

if TYPE_CHECKING:
    from gpiozero.pins import Factory

Driver = Literal["lgpio", "rpigpio", "pigpio", "mock"]
"""Who drives the pins. `mock` has none at all, and is never taken unless it is asked for by its name."""

_FACTORIES: dict[Driver, tuple[str, str]] = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    "pigpio": ("gpiozero.pins.pigpio", "PiGPIOFactory"),
    "mock": ("gpiozero.pins.mock", "MockFactory"),
}

SAMPLE = 0.002
"""Seconds between two looks at a contact that moves or is held."""

Light = Literal["off", "on", "slow", "quick"]
_BEATS: dict[Light, tuple[float, float]] = {"slow": (0.5, 0.5), "quick": (0.12, 0.12)}
"""Seconds on and off."""


@dataclass(frozen=True, slots=True)
class PinMap:
    """BCM numbers; None = not there. white, black: the players' buttons. Raises LinkError for a pin that is none."""

    white: int | None = None
    black: int | None = None
    buzzer: int | None = None
    status: int | None = None

    def __post_init__(self) -> None:
        given = {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) is not None}
        for name, pin in given.items():
            if type(pin) is not int or not 2 <= pin <= 27:
                raise LinkError(f"the pin of {name} is a BCM number from 2 to 27, not {pin!r}")
        if len(set(given.values())) < len(given):
            raise LinkError(f"no two parts share a pin: {', '.join(f'{n} {p}' for n, p in given.items())}")


class Pins:
    """heard: called with each press, in a thread of its own; must return at once.

    Use as a context manager; `close()` twice is fine. Raises LinkError: no gpiozero, no such driver, a pin that cannot
    be had.
    """

    def __init__(self, heard: Callable[[Pressed], None], pins: PinMap, driver: Driver = "lgpio") -> None:
        self._heard = heard
        self._shown: Light = "off"
        self._closing, self._edge = threading.Event(), threading.Event()
        self._made: list[Any] = [factory(driver)]
        try:
            buttons = [self._part("Button", pin, pull_up=True) for pin in (pins.white, pins.black)]
            self._buzzer = self._part("Buzzer", pins.buzzer)
            self._status = self._part("LED", pins.status)
        except BaseException:
            self._release()
            raise
        self._contacts = [(Contact(number), button) for number, button in enumerate(buttons) if button is not None]
        for _, button in self._contacts:
            button.when_activated = button.when_deactivated = self._edge.set
        self._thread = threading.Thread(target=self._work, name="pins", daemon=True)
        self._thread.start()

    def beep(self, times: int = 1) -> None:
        """Short tones, in the background."""
        if self._buzzer is not None:
            self._buzzer.beep(0.08, 0.12, times, background=True)

    def light(self, how: Light) -> None:
        """The status light, from now on."""
        if self._status is None or how == self._shown:
            return
        self._shown = how
        if how in _BEATS:
            self._status.blink(*_BEATS[how], background=True)
        else:
            self._status.value = how == "on"

    def close(self) -> None:
        """Lets the pins go."""
        self._closing.set()
        self._edge.set()
        if self._thread is not threading.current_thread():
            self._thread.join()
        self._release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _part(self, kind: str, pin: int | None, **how: Any) -> Any:
        """One of gpiozero's devices; None where there is no pin."""
        import gpiozero

        if pin is None:
            return None
        try:
            device = getattr(gpiozero, kind)(pin, pin_factory=self._made[0], **how)
        except (gpiozero.GPIOZeroError, OSError) as error:
            raise LinkError(f"pin {pin} cannot be had: {error}") from None
        self._made.append(device)
        return device

    def _release(self) -> None:
        while self._made:
            self._made.pop().close()

    def _work(self) -> None:
        """Looks at the contacts from an edge until all are quiet; sleeps otherwise."""
        while not self._closing.is_set():
            busy = any(contact.waits for contact, _ in self._contacts)
            if not busy:
                self._edge.wait()
            self._edge.clear()
            for contact, button in self._contacts:
                for said in contact.sample(button.is_active, int(time.monotonic() * 1000)):
                    self._heard(said)
            self._closing.wait(SAMPLE)


def factory(driver: Driver) -> Factory:
    """gpiozero's factory of pins for a driver. Raises LinkError, with what to do, where it cannot be had."""
    if driver not in get_args(Driver):
        raise LinkError(f"the pins' driver is one of {', '.join(get_args(Driver))}, not {driver!r}")
    module, name = _FACTORIES[driver]
    try:
        made: Factory = getattr(import_module(module), name)()
    except ImportError as error:
        missing = "gpiozero" if (error.name or "").startswith("gpiozero") else driver
        raise LinkError(
            f"pins need {missing}: sudo apt install python3-gpiozero python3-lgpio, "
            "in a venv made with --system-site-packages"
        ) from None
    except Exception as error:  # each driver has errors of its own: no chip, no daemon, no permission
        raise LinkError(f"the driver {driver} finds no pins here, is this a Raspberry Pi? ({error})") from None
    return made

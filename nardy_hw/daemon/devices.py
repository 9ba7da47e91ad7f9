"""What is connected: the board of lights and buttons, the Pi's own pins, dice that speak for themselves."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from queue import Empty, SimpleQueue
from typing import Self

from firmware_bridge.ble import BleDice, Present
from firmware_bridge.contact import Pressed
from firmware_bridge.dice import Die, Pair
from firmware_bridge.gpio import PinMap, Pins
from firmware_bridge.link import Link, Trouble, all_ports
from firmware_bridge.protocol import PALETTE
from firmware_bridge.session import Down, Said, Up
from nardy_hw.announce.lights import DARK, TICK, Hints, Mode, Shown, frame, hints, lights
from nardy_hw.errors import InputError
from nardy_hw.referee import commands as c
from nardy_hw.referee import events as e
from nardy_hw.referee.core import State
from nardy_hw.referee.standing import Standing
from nardy_hw.referee.states import Phase
from nardy_hw.rules.play import Play
from nardy_hw.rules.position import Player
from nardy_hw.settings import Settings

PLAYERS = tuple(Player)
RGB = tuple[int, int, int]


class Devices:
    """A button ends its player's turn, and before his throw rolls the board's own dice where those are played with.

    mode: how much the players are told. watch: gets the lights' colours twenty times a second, where there is a board.
    Use as a context manager. Raises InputError for settings that do not fit each
    other, LinkError for a part that cannot be had; a board or dice that are not there yet are waited for.
    """

    def __init__(self, settings: Settings, mode: Mode, watch: Callable[[Sequence[RGB]], None] = lambda _: None) -> None:
        wanted = settings.devices
        self._heard: SimpleQueue[Said | Present | Trouble] = SimpleQueue()
        self._dice, self._mode, self._watch = wanted.dice, mode, watch
        self._pair = Pair(tuple(name.upper() for name in wanted.ble) if wanted.dice == "ble" else ())
        self._fault: e.ViolationSeen | None = None
        self._wrong: tuple[int, ...] = ()
        self._void: Player | None = None
        self._advice: tuple[tuple[Play, ...], Hints] = ((), Hints())
        self._shown: Shown = DARK
        self._link: Link | None = None
        self._pins: Pins | None = None
        self.news: list[str] = []
        """What people should know of what is connected, oldest first; whoever tells them takes it out."""
        if len({name.upper() for name in wanted.ble}) not in (0, 2) or len(wanted.ble) not in (0, 2):
            raise InputError(f"ble names two dice, or none where the two within reach are meant: not {len(wanted.ble)}")
        if wanted.dice in ("roller", "module") and not wanted.board:
            raise InputError(f"dice = {wanted.dice!r} are the board's: say which board")
        self._open = ExitStack()
        try:
            if settings.pins is not None:
                p = settings.pins
                pins = PinMap(p.white, p.black, p.buzzer, p.status)
                self._pins = self._open.enter_context(Pins(self._heard.put, pins, p.driver))
            if wanted.dice == "ble":
                self._open.enter_context(BleDice(self._heard.put, wanted.ble))
            if wanted.board:
                ports = all_ports if wanted.board == "auto" else lambda: [wanted.board]
                self._link = self._open.enter_context(Link(self._heard.put, board=wanted.board_id, ports=ports))
                self._open.enter_context(_Ticking(self._animate))
        except BaseException:
            self._open.close()
            raise

    @property
    def throws(self) -> bool:
        """Do dice say themselves what was thrown?"""
        return self._dice != "camera"

    def commands(self, now: Standing) -> Iterator[c.Command]:
        """What has been pressed and thrown since it was last asked."""
        while True:
            try:
                said = self._heard.get_nowait()
            except Empty:
                return
            match said:
                case Pressed(button=button, state=1):
                    yield from self._pressed(PLAYERS[button], now)
                case Die() if said.source == self._dice:
                    yield from self._thrown(said, now)
                case _:
                    self.news += self._tell(said)

    def dice(self) -> Iterator[Die | str]:
        """What the dice say, one after the other, for ever, a button or the end of a throw rolling the roller's anew;
        and what people should know. Raises InputError for the camera's dice.
        """
        if not self.throws:
            raise InputError("who reads the dice? --dice roller, module or ble; or --camera SOURCE")
        pair = Pair()
        while True:
            match said := self._heard.get():
                case Die() if said.source == self._dice:
                    yield said
                    if pair.hears(said) is not None:
                        self._roll()
                case Up():
                    yield from self._tell(said)
                    self._roll()
                case _:
                    yield from self._tell(said)

    def hears(self, event: e.Event) -> None:
        """What the players may know (referee.audience)."""
        match event:
            case e.ViolationSeen():
                self._fault = event
                if self._pins is not None:
                    self._pins.beep(2)
            case e.SetupWrong(points=points):
                self._wrong = points
            case e.GameStarted():
                self._wrong, self._void = (), None
            case e.NoRoll(player=player):
                self._void = player
            case e.PlayMade() | e.Stands() | e.SetByHand() | e.Roll() | e.Started():
                self._fault = self._void = None

    def show(self, now: Standing, state: State, plays: tuple[Play, ...] = ()) -> None:
        """The lights for this moment. plays: the legal ones of the open throw."""
        if now.to_move is not None and plays is not self._advice[0]:
            self._advice = plays, hints(now.position.variant, now.to_move, plays)
        unsure = state in (State.UNSURE, State.LOST)
        void = now.to_move if self._pair.void else self._void
        self._shown = lights(
            now, self._mode, fault=self._fault, wrong=self._wrong, unsure=unsure, void=void, advice=self._advice[1]
        )
        if self._pins is not None:
            self._pins.light("quick" if self._fault else "slow" if unsure else "on")

    def close(self) -> None:
        """Twice is fine."""
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _pressed(self, player: Player, now: Standing) -> Iterator[c.Command]:
        if now.phase in (Phase.MOVE, Phase.FAULT) and now.to_move is player:
            yield c.EndTurn(player=player)
        elif now.phase is Phase.OPENING or (now.phase is Phase.THROW and now.to_move is player):
            self._pair.clear()
            self._roll()

    def _roll(self) -> None:
        if self._link is not None and self._dice == "roller":
            self._link.command("D", "R")

    @staticmethod
    def _tell(said: Said | Present | Trouble) -> list[str]:
        match said:
            case Up(identity=identity):
                return [f"the board answers: firmware {identity.firmware} {identity.board}".rstrip()]
            case Down():
                return ["the board does not answer: is its cable in?"]
            case Present(name=name, make=make, there=there):
                return [f"the die {name} ({make}) {'is here' if there else 'is gone'}"]
            case Trouble(why=why):
                return [why]
        return []

    def _thrown(self, die: Die, now: Standing) -> Iterator[c.Command]:
        """At the opening the first die is White's and the second Black's (S4, L3)."""
        throw = self._pair.hears(die)
        if throw is None:
            return
        if now.phase is Phase.OPENING:
            player = Player.WHITE if throw[0] >= throw[1] else Player.BLACK
            yield c.Throw(player=player, dice=throw, source=self._dice)
        elif now.to_move is not None:
            yield c.Throw(player=now.to_move, dice=throw, source=self._dice)

    def _animate(self) -> None:
        if self._link is not None:
            digits = frame(self._shown, time.monotonic())
            self._link.lights(digits)
            self._watch([PALETTE[digit] for digit in digits])


class _Ticking:
    """Calls something every tick of the lights, in a thread of its own: a slow frame is no stuck blink."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick, self._closing = tick, threading.Event()
        self._thread = threading.Thread(target=self._work, name="lights", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._closing.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._closing.wait(TICK):
            self._tick()

"""The board of lights and buttons at a match: what its players press and throw, and what it shows them."""

from __future__ import annotations

from collections.abc import Iterator
from queue import Empty, SimpleQueue
from typing import Self

from firmware_bridge.link import Link, Trouble, all_ports
from firmware_bridge.session import DieSaid, Down, Pressed, Said, Up
from nardy_hw.announce.lights import lights
from nardy_hw.referee import commands as c
from nardy_hw.referee import events as e
from nardy_hw.referee.core import State
from nardy_hw.referee.standing import Standing
from nardy_hw.referee.states import Phase
from nardy_hw.rules.position import Player

PLAYERS = tuple(Player)


class Board:
    """A button ends its player's turn, and before his throw rolls the board's own dice.

    roller: do the buttons roll dice? Otherwise the dice are thrown by hand, and the camera reads them.
    port: a serial port, or 'auto' for the first board that answers. Use as a context manager.
    """

    def __init__(self, port: str, *, roller: bool) -> None:
        self._heard: SimpleQueue[Said | Trouble] = SimpleQueue()
        self._roller = roller
        self._faces: dict[int, int] = {}
        self._fault: e.ViolationSeen | None = None
        self._wrong: tuple[int, ...] = ()
        ports = all_ports if port == "auto" else lambda: [port]
        self._link = Link(self._heard.put, ports=ports)
        self.news: list[str] = []
        """What people should know of the link, oldest first; whoever tells them takes it out."""

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
                case DieSaid(die=die, state="S", face=face):
                    self._faces[die] = face
                    yield from self._thrown(now)
                case DieSaid(die=die):
                    self._faces.pop(die, None)
                case Up(identity=identity):
                    self.news.append(f"the board answers: firmware {identity.firmware} {identity.board}".rstrip())
                case Down():
                    self.news.append("the board does not answer: is its cable in?")
                case Trouble(why=why):
                    self.news.append(why)

    def hears(self, event: e.Event) -> None:
        """What the players may know (referee.audience)."""
        match event:
            case e.ViolationSeen():
                self._fault = event
            case e.SetupWrong(points=points):
                self._wrong = points
            case e.GameStarted():
                self._wrong = ()
            case e.PlayMade() | e.Stands() | e.SetByHand() | e.Roll() | e.Started():
                self._fault = None

    def show(self, now: Standing, state: State) -> None:
        """The lights for this moment."""
        unsure = state in (State.UNSURE, State.LOST)
        self._link.lights(lights(now, self._fault, wrong=self._wrong, unsure=unsure))

    def close(self) -> None:
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _pressed(self, player: Player, now: Standing) -> Iterator[c.Command]:
        if now.phase in (Phase.MOVE, Phase.FAULT) and now.to_move is player:
            yield c.EndTurn(player=player)
        elif self._roller and (now.phase is Phase.OPENING or (now.phase is Phase.THROW and now.to_move is player)):
            self._faces.clear()
            self._link.command("D", "R")

    def _thrown(self, now: Standing) -> Iterator[c.Command]:
        """Both dice lie. At the opening the first is White's and the second Black's (S4, L3)."""
        if len(self._faces) < 2:
            return
        one, two = self._faces[0], self._faces[1]
        self._faces.clear()
        if now.phase is Phase.OPENING:
            yield c.Throw(player=Player.WHITE if one >= two else Player.BLACK, dice=(one, two), source="electronic")
        elif now.to_move is not None:
            yield c.Throw(player=now.to_move, dice=(one, two), source="electronic")

"""A match's referee with an eye on one board, and people who throw, move and speak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from eye import CLEAR, Eye, Level, Shown

from nardy_hw.referee import commands as c
from nardy_hw.referee import events as e
from nardy_hw.referee.match import Agreement, MatchReferee
from nardy_hw.referee.profile import Profile
from nardy_hw.referee.seats import Seats
from nardy_hw.rules.notation import parse_play
from nardy_hw.rules.position import Player, Position, Variant

HALVES = {Player.WHITE: "right", Player.BLACK: "left"}


class MatchTable:
    """White throws on the right. `said` is the whole record."""

    def __init__(
        self,
        variant: Variant = Variant.SHORT,
        length: int = 5,
        *,
        level: Level = CLEAR,
        record: Sequence[e.Event] = (),
        trusted_rolls: bool = False,
        chouette: tuple[str, ...] = (),
        **settings: Any,
    ) -> None:
        self.agreed = Agreement(variant, length, Profile(**settings), chouette)
        self.eye = Eye(level)
        self.position = Position.start(variant)
        self.said: list[e.Event] = list(record)
        self._trusted_rolls = trusted_rolls
        self._throws = 0
        self.referee = self.again()

    def again(self) -> MatchReferee:
        """A referee that knows of this match what was recorded, and nothing else."""
        return MatchReferee(self.agreed, Seats(), self.said, trusted_rolls=self._trusted_rolls)

    def show(self, position: Position | Shown | None = None, *dice: tuple[Any, ...], **more: Any) -> list[e.Event]:
        """One scene. The position stays until another is shown."""
        seconds = more.pop("seconds", 1.0)
        if isinstance(position, Position):
            self.position = position
        if isinstance(position, Shown):
            shown = replace(position, dice=dice or position.dice)
        else:
            shown = Shown.of(self.position, dice, **more)
        events = [event for seen in self.eye.see(shown, seconds) for event in self.referee.observe(seen)]
        self.said += events
        return events

    def do(self, kind: type[c.Command], player: Player | None = None, **fields: Any) -> list[e.Event]:
        """A command."""
        if player is not None:
            fields["player"] = player
        events = self.referee.perform(kind(**fields), self.t, self.eye.frame)
        self.said += events
        return events

    @property
    def t(self) -> float:
        return self.eye.frame / self.eye.fps

    def begin(self) -> list[e.Event]:
        """The start position on the board."""
        return self.show(Position.start(self.agreed.variant))

    def opening(self, white: int, black: int) -> list[e.Event]:
        """One die each."""
        self._throws += 1
        y = 100.0 + 47.0 * (self._throws % 8)
        dice = (white, "flat", "right", 600.0 + 15.0 * white, y), (black, "flat", "left", 200.0 + 15.0 * black, y)
        return self.show(None, *dice)

    def throw(self, player: Player, one: int, two: int, state: str = "flat", **more: Any) -> list[e.Event]:
        self._throws += 1
        half, y = HALVES[player], 100.0 + 47.0 * (self._throws % 8)
        x = (600.0 if half == "right" else 200.0) + 15.0 * one
        return self.show(None, (one, "flat", half, x, y), (two, state, half, x + 60.0 + 15.0 * two, y), **more)

    def after(self, player: Player, dice: tuple[int, int], text: str) -> Position:
        """The position after a legal play from the one that stands there."""
        rolls = [event for event in of(self.said[self._game_began() :], e.Roll) if event.player is player]
        rules = self.agreed.profile.rules
        return parse_play(text, self.position, player, dice, first_turn=len(rolls) <= 1, options=rules).after

    def _game_began(self) -> int:
        starts = [i for i, event in enumerate(self.said) if isinstance(event, e.GameStarted | e.SetByHand)]
        return starts[-1] if starts else 0

    def play(self, player: Player, dice: tuple[int, int], text: str) -> list[e.Event]:
        """The play, and the dice lifted."""
        return self.show(self.after(player, dice, text))


def kinds(events: Sequence[e.Event]) -> list[str]:
    """Their tags, the clock's and `started` left out."""
    tags = [str(event.__struct_config__.tag) for event in events]
    return [tag for tag in tags if tag not in ("started", "clock")]


def of(events: Sequence[e.Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]

"""What the referee says of a judgement: the fault by its rule, and the places that would settle a doubt."""

from __future__ import annotations

from typing import TypedDict

from nardy_hw.referee.judge import Judgement, Turn
from nardy_hw.rules.explain import explain
from nardy_hw.rules.notation import format_play
from nardy_hw.rules.position import BAR, Player, Position


class FaultFields(TypedDict):
    """What `violation` and `warning` have in common."""

    player: Player
    dice: tuple[int, int]
    code: str
    rule: str
    text: str
    repair: str
    position: Position


def fault(turn: Turn, dice: tuple[int, int], found: Judgement) -> FaultFields:
    """The most telling broken rule. position: as seen; the one before where no position can be what is seen."""
    shown = found.guess.shown
    verdict = explain(turn.before, turn.player, dice, shown, first_turn=turn.first, options=turn.options)
    first = verdict.violations[0]
    return FaultFields(
        player=turn.player,
        dice=dice,
        code=str(first.code),
        rule=first.rule,
        text=first.message,
        repair=first.repair,
        position=found.guess.position or turn.before,
    )


def doubt(turn: Turn, found: Judgement) -> str:
    """Why a turn is not decided. Points are the board's own numbers, White's."""
    name, play = turn.player.title(), format_play(found.made.play)
    if found.clear:
        return f"{name}: {play} would need {found.made.throw[0]}-{found.made.throw[1]}; was that thrown?"
    if found.apart:
        return f"{name}: {play} or not? look at {places(found.apart)}"
    return f"{name}: {play} or {format_play(found.results[1].play)}?"


def changed(apart: list[int]) -> str:
    """Why the board is not what it should be."""
    return f"not as last confirmed: {places(apart)}"


def places(where: tuple[int, ...] | list[int]) -> str:
    """'points 6, 8 and the bar' of board points and 25."""
    points = [str(place) for place in where if place != BAR]
    words = [f"point{'s' * (len(points) > 1)} {', '.join(points)}"] if points else []
    return " and ".join(words + ["the bar"] * (BAR in where))

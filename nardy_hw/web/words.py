"""Every text of the page, English; here alone, so that a catalogue can translate them.

The texts of calls (what is wrong, the repair) come with the events and are the rules' own.
"""

from __future__ import annotations

from nardy_hw.referee import events as e
from nardy_hw.referee.core import State
from nardy_hw.rules.notation import NO_PLAY
from nardy_hw.rules.position import Player, Position, Variant
from nardy_hw.web.view import Call, Fate, LastPlay, Result, View

PRODUCT = "nardy referee"
LIVE, RECONNECTING = "Live", "Reconnecting…"
CALLS, NO_CALLS = "Calls", "No calls so far."
CAMERA, NO_CAMERA = "Camera", "No picture yet."
CAMERA_ALT = "The board as the camera sees it"
PUT_RIGHT = "Put right"
NEEDS_SCRIPT = "This page follows the table by itself once scripts are allowed; without them, reload it."

SIDES = {Player.WHITE: "White", Player.BLACK: "Black"}
GAMES = {Variant.SHORT: "Short nardy", Variant.LONG: "Long nardy"}

STATES = {
    State.WAITING: "Waiting for the roll",
    State.HAND: "Hand over the board",
    State.READING: "Reading",
    State.ILLEGAL: "Illegal play",
    State.UNSURE: "Not sure",
    State.LOST: "Board lost",
    State.OVER: "Game over",
}

FATES = {Fate.OPEN: "open", Fate.PUT_RIGHT: "put right", Fate.STANDS: "it stands"}
VIOLATION, WARNING = "Violation", "Warning"

NO_ROLLS = {
    "dice_cocked": "a die does not lie flat",
    "dice_on_checker": "a die lies on a checker",
    "dice_off_side": "the dice are not on the right-hand half",
    "dice_too_early": "thrown before the other dice were lifted",
    "dice_count": "there must be two dice",
}


def name(view: View, player: Player) -> str:
    return view.table.names[player.side]


def dice(pair: tuple[int, int]) -> str:
    return f"{pair[0]}-{pair[1]}"


def detail(view: View) -> str:
    """One line below the state word."""
    match view.remark:
        case e.NoRoll(player=player, code=code, rule=rule):
            return f"{name(view, player)} throws again: {NO_ROLLS.get(code, code)} (rule {rule})"
        case e.Unsure(why=why) | e.Lost(why=why):
            return why
    if view.result:
        return result(view, view.result)
    if view.throw:
        return f"{name(view, view.throw.player)} plays {dice(view.throw.dice)}"
    if view.to_move:
        return f"{name(view, view.to_move)} to throw"
    return "Opening throw: one die each, the higher begins"


def result(view: View, end: Result) -> str:
    return f"{name(view, end.winner)} wins {end.points} point{'s' * (end.points > 1)}"


def last_play(play: LastPlay) -> str:
    said = {"": "illegal, it stands", NO_PLAY: "no play"}.get(play.text, play.text)
    return f"{dice(play.dice)}: {said}"


def at(t: float) -> str:
    """Time of a call since the source began: 1:05, 1:02:03."""
    minutes, seconds = divmod(int(t), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def kind(call: Call) -> str:
    return VIOLATION if call.final else WARNING


def rule(call: Call) -> str:
    return f"rule {call.rule}"


def board_label(position: Position, names: tuple[str, str]) -> str:
    """The position for those who hear the page, each player in the numbers on the board."""
    said = []
    for player in Player:
        sign = 1 if player is Player.WHITE else -1
        counts = [(str(i + 1), n * sign) for i, n in enumerate(position.points) if n * sign > 0]
        counts += [("the bar", position.bar[player.side]), ("off", position.off[player.side])]
        places = ", ".join(f"{n} {'' if place == 'off' else 'on '}{place}" for place, n in counts if n)
        said.append(f"{names[player.side]}: {places}")
    return ". ".join(said)

"""An event as one line for people."""

from __future__ import annotations

from nardy_hw.referee import events as e


def describe(event: e.Event) -> str:
    """English, one line, beginning with the time."""
    return f"{int(event.t) // 60:3}:{event.t % 60:04.1f}  {_say(event)}"


def _say(event: e.Event) -> str:
    match event:
        case e.Started(position=p):
            return f"following a game of {p.variant} nardy"
        case e.Roll(player=player, dice=d):
            return f"{player} throws {d[0]}-{d[1]}"
        case e.NoRoll(player=player, code=code, rule=rule):
            return f"{player} must throw again: {code} (rule {rule})"
        case e.PlayMade(player=player, text=text):
            return f"{player} plays {text}"
        case e.ViolationSeen(player=player, code=code, rule=rule, text=text, repair=repair):
            return f"ILLEGAL, {player}: {text} (rule {rule}, {code}); put right: {repair}"
        case e.WarningGiven(player=player, code=code, rule=rule, text=text, repair=repair):
            return f"careful, {player}: {text} (rule {rule}, {code}); put right: {repair}"
        case e.Stands(player=player):
            return f"{player}'s illegal play stands"
        case e.Lost(why=why):
            return f"LOST: {why}"
        case e.Found():
            return "the board is found again"
        case e.Unsure(why=why):
            return f"unsure: {why}"
        case e.GameOver(winner=winner, points=points):
            return f"{winner} wins {points} point{'s' if points > 1 else ''}"
    raise TypeError(f"no words for {event!r}")

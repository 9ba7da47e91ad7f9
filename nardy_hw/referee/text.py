"""An event as one line for people."""

from __future__ import annotations

from nardy_hw.referee import events as e
from nardy_hw.referee.words import places
from nardy_hw.rules.notation import NO_PLAY


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
        case e.GameStarted(number=n, score=s, crawford=crawford):
            return f"game {n}, score {s[0]}-{s[1]}{', Crawford: no cube' if crawford else ''}"
        case e.SetupWrong(points=points):
            return f"not set up as it should be: look at {places(points)}"
        case e.OpeningTie(dice=d, cube=cube):
            return f"both throw {d[0]}: again{f', the cube is at {cube}' if cube > 1 else ''}"
        case e.Announced(player=player, text=text):
            return f"{player}: {text if text == NO_PLAY else f'{text} is forced'}"
        case e.DiceDiffer(player=player, told=a, seen=b):
            return f"{player}'s dice: {a[0]}-{a[1]} was told, {b[0]}-{b[1]} is seen; which is it?"
        case e.Doubled(player=player, value=value):
            return f"{player} doubles to {value}"
        case e.NoDouble(player=player, code=code, rule=rule):
            return f"{player} may not double: {code} (rule {rule})"
        case e.Taken(player=player, value=value):
            return f"{player} takes, the cube is at {value}"
        case e.Dropped(player=player):
            return f"{player} passes"
        case e.Voted(name=name, yes=yes):
            return f"{name} says {'yes' if yes else 'no'}"
        case e.LinedUp(line=line, score=s):
            return f"the box is {line[0]}, the captain {line[1]}; " + ", ".join(f"{n} {s[n]:+d}" for n in line)
        case e.Resigned(player=player, points=points):
            return f"{player} resigns {points} point{'s' * (points > 1)}"
        case e.ResignationRefused(player=player):
            return f"{player} does not accept: play on"
        case e.Asked(player=player):
            return f"{player} asks for a check"
        case e.Drawn():
            return "a draw: both have borne off all"
        case e.Scored(winner=winner, points=points, score=s):
            return f"{winner} scores {points}: {s[0]}-{s[1]}"
        case e.MatchOver(winner=winner, score=s):
            return f"{winner} wins the match {max(s)}-{min(s)}"
        case e.Overruled(by=by, what=what, reason=reason):
            return f"decided by {by} ({what}): {reason}"
        case e.SetByHand():
            return "position and turn set by hand"
        case e.ThrowCancelled(player=player):
            return f"{player}'s throw does not count"
        case e.ClockRead(white=white, black=black):
            return f"clock: {minutes(white)} - {minutes(black)}"
        case e.FlagFell(player=player):
            return f"{player}'s time is used up"
        case e.GameOver(winner=winner, points=points):
            return f"{winner} wins {points} point{'s' if points > 1 else ''}"
    raise TypeError(f"no words for {event!r}")


def minutes(seconds: float) -> str:
    """3:05"""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"

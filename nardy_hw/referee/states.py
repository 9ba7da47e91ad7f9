"""The states of a match, and which event and which command leads from where to where. The diagram is drawn from here.

Two tables. AFTER: state and event -> the next state; the match's standing is nothing but its events folded through it.
MAY: state and command -> the events that may answer it; what is not there is refused. What the camera shows is judged
in any state, and speaks in the events of AFTER.

`python -m nardy_hw.referee.states` prints the diagram that states.md holds.
"""

from __future__ import annotations

from enum import StrEnum

from nardy_hw.referee import commands as c


class Phase(StrEnum):
    """Where a match is."""

    SETUP = "setup"
    OPENING = "opening"
    THROW = "throw"
    DOUBLED = "doubled"
    MOVE = "move"
    FAULT = "fault"
    RESIGNED = "resigned"
    ENDED = "ended"
    SCORED = "scored"
    OVER = "over"


WHAT: dict[Phase, str] = {
    Phase.SETUP: "the start position is awaited on the board (A35)",
    Phase.OPENING: "one die each (S4, L3)",
    Phase.THROW: "a player is to throw, or to double (C6)",
    Phase.DOUBLED: "the other player is to take or pass (C7)",
    Phase.MOVE: "the dice lie, the play may still change (R3)",
    Phase.FAULT: "an illegal play is final: to be put right (R5)",
    Phase.RESIGNED: "the other player is to accept or refuse (A30)",
    Phase.ENDED: "the game is over, to be scored",
    Phase.SCORED: "the next game is awaited",
    Phase.OVER: "the match is won (C9)",
}

BACK = None
"""In AFTER: to the state in which the resignation was offered."""

IN_GAME = (Phase.OPENING, Phase.THROW, Phase.DOUBLED, Phase.MOVE, Phase.FAULT, Phase.RESIGNED)

_AFTER: tuple[tuple[tuple[Phase, ...], str, Phase | None], ...] = (
    ((Phase.SETUP, Phase.SCORED), "game", Phase.OPENING),
    ((Phase.SETUP, Phase.SCORED), "game (turn known)", Phase.THROW),
    ((Phase.OPENING,), "tie", Phase.OPENING),
    ((Phase.OPENING, Phase.THROW, Phase.MOVE), "roll", Phase.MOVE),
    ((Phase.THROW, Phase.MOVE, Phase.FAULT), "double", Phase.DOUBLED),
    ((Phase.DOUBLED,), "take", Phase.THROW),
    ((Phase.DOUBLED,), "drop", Phase.ENDED),
    ((Phase.MOVE, Phase.FAULT), "play", Phase.THROW),
    ((Phase.MOVE,), "violation", Phase.FAULT),
    ((Phase.MOVE, Phase.FAULT), "stands", Phase.THROW),
    ((Phase.MOVE,), "throw_cancelled", Phase.THROW),
    ((Phase.OPENING, Phase.THROW, Phase.MOVE, Phase.FAULT), "resign", Phase.RESIGNED),
    ((Phase.RESIGNED,), "resignation_refused", BACK),
    ((Phase.THROW, Phase.MOVE), "game_over", Phase.ENDED),
    ((Phase.THROW, Phase.MOVE), "drawn", Phase.SCORED),
    ((Phase.ENDED, Phase.RESIGNED), "score", Phase.SCORED),
    ((Phase.SCORED,), "match_over", Phase.OVER),
    ((Phase.SETUP, *IN_GAME), "set", Phase.THROW),
    ((Phase.SETUP, *IN_GAME), "set (dice known)", Phase.MOVE),
    ((Phase.SETUP, *IN_GAME), "set (turn unknown)", Phase.OPENING),
)

AFTER: dict[tuple[Phase, str], Phase | None] = {(phase, on): to for phases, on, to in _AFTER for phase in phases}
"""Events that are not here change nothing of the state."""

_MAY: tuple[tuple[type[c.Command], tuple[Phase, ...], tuple[str, ...]], ...] = (
    (c.AcceptSetup, (Phase.SETUP, Phase.SCORED), ("overruled", "game")),
    (c.NextGame, (Phase.SCORED,), ()),
    (c.Throw, IN_GAME, ("tie", "roll", "no_roll", "play", "violation", "stands", "forced", "dice_differ")),
    (c.EndTurn, (Phase.MOVE, Phase.FAULT), ("play", "violation", "unsure")),
    (c.Double, (Phase.THROW, Phase.MOVE, Phase.FAULT), ("double", "no_double", "play", "violation", "stands")),
    (c.Take, (Phase.DOUBLED,), ("take",)),
    (c.Drop, (Phase.DOUBLED,), ("drop", "score", "match_over")),
    (c.Vote, (Phase.THROW, Phase.DOUBLED), ("vote", "take", "drop")),
    (c.Resign, (Phase.OPENING, Phase.THROW, Phase.MOVE, Phase.FAULT), ("resign",)),
    (c.Accept, (Phase.RESIGNED,), ("score", "match_over")),
    (c.Refuse, (Phase.RESIGNED,), ("resignation_refused",)),
    (c.Condone, (Phase.FAULT,), ("stands",)),
    (c.AskCheck, (Phase.FAULT,), ("asked",)),
    (c.LetStand, (Phase.FAULT,), ("overruled", "stands")),
    (c.AcceptSeen, IN_GAME, ("overruled", "set")),
    (c.SetBoard, (Phase.SETUP, *IN_GAME), ("overruled", "set")),
    (c.CancelThrow, (Phase.MOVE,), ("overruled", "throw_cancelled")),
    (c.StopClock, (*IN_GAME, Phase.SCORED), ("clock",)),
    (c.StartClock, IN_GAME, ("clock",)),
    (c.AdjustClock, (Phase.SETUP, *IN_GAME, Phase.SCORED), ("overruled", "clock")),
)

MAY: dict[type[c.Command], tuple[Phase, ...]] = {command: phases for command, phases, _ in _MAY}
"""In which states a command is heard."""

ANSWERS: dict[type[c.Command], tuple[str, ...]] = {command: events for command, _, events in _MAY}
"""The events that may answer it, besides what ends a game, the clock's, and 'unsure' or 'started'."""


def diagram() -> str:
    """The tables as Markdown with a Mermaid state diagram."""
    lines = [
        "# States of a match",
        "",
        "Made from the tables in states.py by `python -m nardy_hw.referee.states`; a test holds the two together.",
        "",
        "```mermaid",
        "stateDiagram-v2",
        "    [*] --> setup",
    ]
    for phases, event, to in _AFTER:
        targets = [to] if to else [phase for (phase, tag), after in AFTER.items() if tag == "resign" and after]
        lines += [f"    {phase} --> {target}: {event}" for phase in phases for target in targets]
    lines += ["    over --> [*]", "```", "", "| state | what it is |", "|---|---|"]
    lines += [f"| {phase} | {text} |" for phase, text in WHAT.items()]
    lines += ["", "| command | heard in | answered by |", "|---|---|---|"]
    for command, phases, events in _MAY:
        name = command.__struct_config__.tag
        lines.append(f"| {name} | {', '.join(phases)} | {', '.join(events) or 'what was kept back'} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(diagram(), end="")

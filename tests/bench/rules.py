"""Speed of the rules beside OpenSpiel's backgammon, on the same positions in one process.

    python tests/bench/rules.py        needs nardy_hw and open_spiel (the `bench` extra)

Positions come from random games of OpenSpiel, turns 10 to 60, before the first checker is moved. A position counts once
for all its legal plays. The referee shares a Raspberry Pi with a camera: the aim is at least a tenth of OpenSpiel.
"""

import gc
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import pyspiel

from nardy_hw.rules.explain import explain
from nardy_hw.rules.plays import legal_plays, stops
from nardy_hw.rules.position import Player, Position, Variant

POSITIONS = 2000
ROUNDS = 5
OPENSPIEL_BAR = 100
Turn = tuple[Position, Player, tuple[int, int]]


def short_turns(rng: random.Random) -> list[tuple[Any, Turn]]:
    """Mid-game states of OpenSpiel and the same turns in our terms: o is White."""
    game, found = pyspiel.load_game("backgammon"), []
    while len(found) < POSITIONS:
        state, turn = game.new_initial_state(), 0
        while not state.is_terminal() and turn < 60:
            if state.is_chance_node():
                state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
                continue
            text = str(state)
            if "Extra turn: 0" in text:
                turn += 1
                if turn >= 10:
                    found.append((state.clone(), in_our_terms(state, text)))
            state.apply_action(rng.choice(state.legal_actions()))
    return rng.sample(found, POSITIONS)


def in_our_terms(state: Any, text: str) -> Turn:
    points = tuple(state.board(1, i) - state.board(0, i) for i in range(24))
    bar = state.board(1, OPENSPIEL_BAR), state.board(0, OPENSPIEL_BAR)
    off = 15 - sum(n for n in points if n > 0) - bar[0], 15 + sum(n for n in points if n < 0) - bar[1]
    dice = text.split("Dice: ")[1][:2]
    player = Player.WHITE if state.current_player() == 1 else Player.BLACK
    return Position(Variant.SHORT, points, bar, off), player, (int(dice[0]), int(dice[1]))


def long_turns(rng: random.Random) -> list[Turn]:
    """Turns 10 to 60 of random long games."""
    found: list[Turn] = []
    while len(found) < POSITIONS:
        position, player = Position.start(Variant.LONG), Player.WHITE
        for turn in range(60):
            dice = rng.randint(1, 6), rng.randint(1, 6)
            if turn >= 10:
                found.append((position, player, dice))
            plays = legal_plays(position, player, dice, first_turn=turn < 2)
            if plays:
                position = rng.choice(plays).after
            player = player.other
    return rng.sample(found, POSITIONS)


def rate(do: Callable[[Any], object], what: Sequence[Any]) -> float:
    """Calls a second of processor time, the best of a few rounds: other programs' load is not measured."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        for one in what:
            do(one)
        best = min(best, time.process_time() - began)
    return len(what) / best


def main() -> None:
    rng = random.Random(7)
    both = short_turns(rng)
    short, long = [turn for _, turn in both], long_turns(rng)
    gc.freeze()  # the games gathered here are not the rules' garbage
    theirs = rate(lambda state: state.legal_actions(), [state for state, _ in both])
    ours = rate(lambda turn: legal_plays(*turn), short)
    print(f"short: legal_plays {ours:.0f} positions/s, OpenSpiel {theirs:.0f}, ratio {ours / theirs:.3f}")
    print(f"long:  legal_plays {rate(lambda turn: legal_plays(*turn), long):.0f} positions/s")
    for name, turns in (("short", short[:300]), ("long", long[:300])):
        print(f"{name}: stops {rate(lambda turn: stops(*turn), turns):.0f} positions/s")
        wrong = [(*turn, turns[i - 1][0]) for i, turn in enumerate(turns)]
        print(f"{name}: explain of another position altogether {rate(lambda turn: explain(*turn), wrong):.0f}/s")


if __name__ == "__main__":
    main()

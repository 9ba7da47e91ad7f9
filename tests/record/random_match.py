"""Matches of random legal plays, with all that a match can have, told as the referee tells them."""

from __future__ import annotations

import random
from typing import Any

from nardy_hw.record.store import MatchInfo, MatchRecord
from nardy_hw.referee import events as e
from nardy_hw.rules.match import Match, Stakes
from nardy_hw.rules.notation import format_play
from nardy_hw.rules.outcome import outcome
from nardy_hw.rules.plays import legal_plays
from nardy_hw.rules.position import Player, Position, Variant

WORST = {Variant.SHORT: 3, Variant.LONG: 2}
"""Points of a game before the cube, at the most."""


class RandomMatch:
    """seed: tells all of it. stands: also illegal plays that stood, and turns that were not seen."""

    def __init__(self, info: MatchInfo, seed: int, *, games: int = 3, stands: bool = False) -> None:
        self.info = info
        self.events: list[e.AnyEvent] = []
        self._rng = random.Random(seed)
        self._stands = stands
        cube = info.variant is Variant.SHORT
        self._match = Match.begin(Stakes(length=info.length, cube=cube, automatic_doubles=0 if info.length else 2))
        for _ in range(games):
            self._game()
            if self._match.winner:
                self._say(e.MatchOver, winner=self._match.winner, score=self._match.score)
                break
            self._match = self._match.next_game()

    @property
    def record(self) -> MatchRecord:
        return MatchRecord(1, self.info, tuple(self.events))

    def _say(self, kind: Any, **fields: Any) -> None:
        self.events.append(kind(t=0.0, frame=0, **fields))

    def _game(self) -> None:
        rng, match, variant = self._rng, self._match, Variant(self.info.variant)
        position, player = Position.start(variant), rng.choice(list(Player))
        self._say(e.GameStarted, number=match.game, score=match.score, crawford=match.crawford, position=position)
        while not match.stakes.length and match.stakes.cube and match.cube.value < 4 and rng.random() < 0.2:
            match = match.tie()
            self._say(e.OpeningTie, dice=(3, 3), cube=match.cube.value)
        thrown: set[Player] = set()
        first, ends_at = True, rng.choice([10, 40, 400])
        for turn in range(401):
            if not first and match.may_double(player) is None and rng.random() < 0.04:
                match = match.offer(player)
                self._say(e.Doubled, player=player, value=match.cube.value * 2)
                if rng.random() < 0.3:
                    self._say(e.Dropped, player=player.other)
                    return self._won(player, match.drop(), "drop")
                match = match.take()
                self._say(e.Taken, player=player.other, value=match.cube.value)
            dice = rng.randint(1, 6), rng.randint(1, 6)
            while first and dice[0] == dice[1]:
                dice = rng.randint(1, 6), rng.randint(1, 6)
            first = False
            self._say(e.Roll, player=player, dice=dice, source="camera")
            plays = legal_plays(position, player, dice, first_turn=player not in thrown)
            thrown.add(player)
            position = self._turn(player, dice, position, plays)
            if end := outcome(position):
                self._say(e.GameOver, winner=end.winner, points=end.points)
                return self._won(end.winner, match.won(end.winner, end.points), "off")
            if turn > ends_at:
                points = rng.randint(1, WORST[variant])
                self._say(e.Resigned, player=player, points=points)
                return self._won(player.other, match.won(player.other, points), "resign")
            player = player.other
        return None

    def _turn(self, player: Player, dice: tuple[int, int], position: Position, plays: Any) -> Position:
        rng = self._rng
        wrong = self._wrong(position)
        if self._stands and rng.random() < 0.1 and wrong not in (position, *(play.after for play in plays)):
            self._say(e.Stands, player=player, dice=dice, position=wrong)
            return wrong
        after, text = position, "no play"
        if plays:
            play = rng.choice(plays)
            after, text = play.after, format_play(play)
        self._say(e.PlayMade, player=player, dice=dice, text=text, position=after, confidence=1.0)
        return after

    def _wrong(self, position: Position) -> Position:
        """Any checker on the board moved to any place where its colour or nothing is; not borne off."""
        points = list(position.points)
        start = self._rng.choice([i for i, n in enumerate(points) if n])
        sign = 1 if points[start] > 0 else -1
        end = self._rng.choice([i for i, n in enumerate(points) if n * sign >= 0])
        points[start] -= sign
        points[end] += sign
        return Position(position.variant, tuple(points), position.bar, position.off)

    def _won(self, winner: Player, after: Match, how: str) -> None:
        points = after.score[winner.side] - self._match.score[winner.side]
        self._match = after
        self._say(e.Scored, winner=winner, points=points, how=how, score=after.score)

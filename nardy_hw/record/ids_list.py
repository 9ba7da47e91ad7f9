"""Every decision of a match as XGID and GNU Backgammon's two IDs, to paste into an engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nardy_hw.errors import ExportError
from nardy_hw.record.columns import safe_names
from nardy_hw.record.games import Break, Cubing, Game, games
from nardy_hw.record.store import MatchRecord
from nardy_hw.rules.ids import match_id, position_id, xgid
from nardy_hw.rules.match import Cube, Match, Stakes
from nardy_hw.rules.position import Player, Variant


def to_ids(record: MatchRecord) -> str:
    """A line each: game.turn, player, throw or word on the cube and what was played, Position ID:Match ID, XGID.

    Raises ExportError for long nardy, which has no IDs.
    """
    if record.info.variant != Variant.SHORT:
        raise ExportError(f"match {record.id} is long nardy, which has neither XGID nor GNU IDs: use --format text")
    profile = record.info.profile
    stakes = Stakes(record.info.length, jacoby=bool(profile.get("jacoby")), cube_cap=0)
    lines: list[str] = []
    for number, game in enumerate(games(record.events), 1):
        match = Match(stakes, game.score, number, game.crawford, cube=Cube(game.cube))
        lines += _lines(number, game, match, dict(zip(Player, safe_names(record.info), strict=True)))
    return "\n".join(lines) + "\n"


def _lines(number: int, game: Game, match: Match, names: dict[Player, str]) -> Iterator[str]:
    for index, turn in enumerate(game.turns):
        before, where = game.before(index), f"{number}.{index + 1}"
        if isinstance(turn, Break):
            yield f"{where}\tnot seen"
            continue
        player, dice, what = turn.player, None, ""
        if isinstance(turn, Cubing):
            what = f"doubles to {turn.value}" if turn.what == "double" else f"{turn.what}s"
        else:
            dice = turn.dice
            what = f"{dice[0]}{dice[1]}: {turn.text or 'illegal, and stood'}"
        on_roll = player if not match.offered else player.other
        ids = f"{position_id(before, on_roll)}:{match_id(match, on_roll, dice)}"
        yield f"{where}\t{names[player]}\t{what}\t{ids}\t{xgid(before, on_roll, dice, match)}"
        if isinstance(turn, Cubing):
            offered = {"double": player, "take": None, "drop": None}[turn.what]
            cube = Cube(turn.value, player) if turn.what == "take" else match.cube
            match = replace(match, offered=offered, cube=cube)

"""`.mat` and Snowie text, the match files of short nardy that other programs read (GNU Backgammon, eXtreme Gammon ...).

White is player 1, the left column. Points in the mover's numbers, bar = 25, off = 0. The two differ in illegal plays
that stood: Snowie text gives the position after each, `.mat` where it cannot be told as moves (see `moves_of`). Neither
has a word for the Jacoby rule or the Crawford rule that programs heed: SGF has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from nardy_hw.errors import ExportError
from nardy_hw.record.columns import AUTOMATIC, OURS, game_lines, plain, safe_names, score_line, whole_info
from nardy_hw.record.games import Cubing, Game, Ply, games
from nardy_hw.record.moves import legal_moves, moves_of
from nardy_hw.record.store import MatchInfo, MatchRecord
from nardy_hw.rules.position import BAR, Player, Position, Variant

MOST_POINTS = 64
"""Longer matches are refused by the programs that read the file."""


def to_mat(record: MatchRecord) -> str:
    """The match as text. Raises ExportError for what the format cannot hold, which other formats can."""
    return _written(record, ".mat", told_by_moves=True)


def to_snowie(record: MatchRecord) -> str:
    """The match as text. Raises ExportError as `to_mat`."""
    return _written(record, "Snowie text", told_by_moves=False)


@dataclass(frozen=True, slots=True)
class _Table:
    """What a line needs to know of the match."""

    info: MatchInfo
    names: tuple[str, str]
    what: str
    told_by_moves: bool


def _written(record: MatchRecord, what: str, *, told_by_moves: bool) -> str:
    info = record.info
    if info.variant != Variant.SHORT:
        raise ExportError(f"match {record.id} is {info.variant} nardy, {what} is for short nardy: use --format text")
    if info.length > MOST_POINTS:
        raise ExportError(f"match {record.id} is to {info.length} points, {what} has {MOST_POINTS}: use --format sgf")
    table = _Table(info, safe_names(info), what, told_by_moves)
    found = games(record.events)
    lines = [*_header(record, *table.names, found), "", f" {info.length} point match"]
    for number, game in enumerate(found, 1):
        lines += ["", f" Game {number}", score_line(*table.names, game.score)]
        closing = " and the match" if 0 < info.length <= max(game.score_after) else ""
        lines += game_lines(game, _cells(game, number, table), closing)
    return "\n".join(lines) + "\n"


def _header(record: MatchRecord, white: str, black: str, found: list[Game]) -> Iterator[str]:
    """The match ID keeps a second import from making a second match."""
    info, when = record.info, datetime.fromisoformat(record.info.started)
    yield f'; [Match ID "nardy-hw-{when:%Y%m%d%H%M%S}-{record.id}"]'
    for key, name in (("Event", info.event), ("Site", info.place)):
        if plain(name):
            yield f'; [{key} "{plain(name)}"]'
    yield f'; [Player 1 "{white}"]'
    yield f'; [Player 2 "{black}"]'
    yield f'; [EventDate "{when:%Y.%m.%d}"]'
    yield f'; [EventTime "{when:%H.%M}"]'
    yield '; [Variation "Backgammon"]'
    if info.length:
        yield f'; [Crawford "{"On" if info.profile.get("crawford", True) else "Off"}"]'
    else:
        yield f'; [Jacoby "{"On" if info.profile.get("jacoby") else "Off"}"]'
    doubled = (f"{number}: {game.cube}" for number, game in enumerate(found, 1) if game.cube > 1)
    if told := ", ".join(doubled):
        yield f'; [{AUTOMATIC} "{told}"]'
    yield f'; [{OURS} "{whole_info(info)}"]'


def _cells(game: Game, number: int, table: _Table) -> Iterator[tuple[Player, str]]:
    """Each play: `31: 8/5 6/5`."""
    if game.start != Position.start(Variant.SHORT):
        raise ExportError(
            f"game {number} does not start from the opening position, {table.what} needs it: use --format sgf"
        )
    cube, mover = Cubing(Player.WHITE, "take", game.cube), None
    for index, turn in enumerate(game.turns):
        if isinstance(turn, Cubing):
            yield turn.player, {"double": f" Doubles => {turn.value}", "take": " Takes", "drop": " Drops"}[turn.what]
            cube = turn if turn.what == "take" else cube
            continue
        if not isinstance(turn, Ply) or turn.player is mover:
            raise ExportError(
                f"game {number}, play {index + 1} was not seen, {table.what} cannot leave it out: use --format sgf"
            )
        mover = turn.player
        before = game.before(index)
        moves = moves_of(before, turn) if table.told_by_moves else legal_moves(before, turn)
        if moves is None:
            played = f"Illegal play ({_snowie_position(game, turn, cube, table)})"
        else:
            played = " ".join(f"{move.start}/{move.end}{'*' * move.hit}" for move in moves) or "Cannot Move"
        yield mover, f"{max(turn.dice)}{min(turn.dice)}: {played}"


def _snowie_position(game: Game, ply: Ply, cube: Cubing, table: _Table) -> str:
    """Snowie's line for the position after a play, seen by the player who throws next: match length, Jacoby, two unused
    fields, his number, both names, Crawford, both scores, the cube and whose it is (0 nobody's, 1 his), the other's
    bar, the points 1..24 and the bar with his checkers positive, and two dice, not thrown yet.
    """
    me = ply.player.other
    own, other = ply.position.counts(me), ply.position.counts(ply.player)
    board = [-other[BAR], *(own[p] - other[25 - p] for p in range(1, 25)), own[BAR]]
    owner = 0 if cube.value == game.cube else 1 if cube.player is me else -1
    jacoby = not table.info.length and bool(table.info.profile.get("jacoby"))
    names, score = (table.names[p.side].translate(_BRACKETS) for p in (me, ply.player)), game.score
    fields = [table.info.length, int(jacoby), 0, 0, 1 - me.side, *names, int(game.crawford)]
    fields += [score[me.side], score[ply.player.side], cube.value, owner, *board, 0, 0]
    return ";".join(map(str, fields)) + ";"


_BRACKETS = str.maketrans("()", "  ")
"""Would end the position."""

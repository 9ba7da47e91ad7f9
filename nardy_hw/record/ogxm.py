"""OGXM (.gvab), the chunked binary match format of HedgeHog and GammonView, through the package gammonview.

What it makes of `.mat` text is written, so what `.mat` tells as moves is all there; an illegal play that only a
position can tell is not. Names, event and place are kept, the rest of what our own formats know is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from nardy_hw.errors import ExportError, InputError, NardyError
from nardy_hw.record.games import Ply, games
from nardy_hw.record.mat import to_mat
from nardy_hw.record.moves import moves_of
from nardy_hw.record.store import MatchInfo, MatchRecord
from nardy_hw.record.transcript import UNCAPPED, Told, Transcript
from nardy_hw.rules.notation import NO_PLAY
from nardy_hw.rules.position import BAR, OFF, Player, Variant

MAGIC = b"OGXM"
WINNERS = Player.WHITE, Player.BLACK
COLOURS = Player.BLACK, Player.WHITE
LAST_PLAY, DOUBLE, TAKE, DROP, END = 20, 21, 22, 23, 24
"""Action ids: up to 20 and 31 a throw and its moves, from 24 on how a game has ended."""


def to_ogxm(record: MatchRecord) -> bytes:
    """The match as bytes. Raises ExportError as `to_mat`, for plays that cannot be told as moves, and where gammonview
    is not installed."""
    for number, game in enumerate(games(record.events), 1):
        for index, turn in enumerate(game.turns):
            if isinstance(turn, Ply) and moves_of(game.before(index), turn) is None:
                where = f"game {number}, play {index + 1}"
                raise ExportError(f"{where} is an illegal one that stood, OGXM cannot hold it: use --format sgf")
    text = to_mat(record)
    codec = _codec()
    # not codec.mat_to_ogxm: it takes for White who comes first in the alphabet
    document = codec.to_ogxm_json(codec.mat.mat_to_data(codec.mat.parse_mat_file(text)), keep_orientation=True)
    data: bytes = codec.write_gvab(document)
    return data


def read_ogxm(data: bytes) -> Told:
    """The match of a file. Raises InputError, naming game and ply."""
    try:
        document = _codec().read_gvab(data)
    except ExportError as error:
        raise InputError(str(error)) from None
    except Exception as error:  # a damaged file: whatever the codec trips over
        raise InputError(f"not a whole OGXM file: {str(error)[:100]}") from None
    told = Transcript(_info(document))
    for number, game in enumerate(document["games"], 1):
        told.game()
        ply = 0
        try:
            for ply, action in enumerate(game["plies"], 1):  # noqa: B007  for the message
                _read_ply(action, told)
            if game["winner"] is not None and game["points_won"]:
                told.won(WINNERS[game["winner"]], game["points_won"])
        except NardyError as error:
            raise InputError(f"game {number}, ply {ply}: {error}") from None
        except (KeyError, IndexError, TypeError):
            raise InputError(f"game {number}, ply {ply}: a field is missing or wrong") from None
    return told.whole


def _read_ply(action: Mapping[str, Any], told: Transcript) -> None:
    player, kind = COLOURS[action["color"]], action["action_id"]
    if "d1" in action:
        moves = [_move(player, move) for move in action.get("moves") or []]
        told.play(player, (action["d1"], action["d2"]), " ".join(moves) or NO_PLAY)
    elif kind == DOUBLE:
        told.double(player)
    elif kind == TAKE:
        told.take(player)
    elif kind == DROP:
        told.drop(player)
    elif kind < END:
        raise InputError(f"action {kind} is not known")


def _move(player: Player, move: Mapping[str, int]) -> str:
    """`from` is on Black's points, his bar 25, White's 0."""
    start = move["from"] if player is Player.BLACK else BAR - move["from"]
    return f"{start}/{max(start - move['pips'], OFF)}"


def _info(document: Mapping[str, Any]) -> MatchInfo:
    length = document["match_length"] or 0
    profile: dict[str, Any] = dict(UNCAPPED)
    if not length:
        profile["jacoby"] = bool(document["jacoby"])
    elif not document["crawford"]:
        profile["crawford"] = False
    when = datetime.fromtimestamp(document["timestamp"] or 0, UTC)
    return MatchInfo(
        variant=Variant.SHORT,
        white=document["player_white"] or "White",
        black=document["player_black"] or "Black",
        length=length,
        started=when.isoformat(timespec="seconds"),
        event=document["event"] or "",
        place=document["site"] or "",
        profile=profile,
    )


def _codec() -> Any:
    try:
        import gvformat
    except ImportError:
        raise ExportError("OGXM needs the package gammonview: pip install 'nardy-hw[ogxm]'") from None
    return gvformat

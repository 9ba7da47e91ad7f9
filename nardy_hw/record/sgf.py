"""SGF FF[4]GM[6], one game tree a game: the one format for other programs that holds everything, illegal plays that
stood among it.

Letters a..x are White's points 1..24, y is the bar, z off. An illegal play that stood is a node with the throw
(`PL[B]DI[66]`) and a node with the board after it (`AE AW AB`). GNU Backgammon 1.07 reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

from nardy_hw.errors import ExportError
from nardy_hw.record.columns import whole_info
from nardy_hw.record.games import Break, Cubing, Game, Ply, games
from nardy_hw.record.moves import legal_moves
from nardy_hw.record.store import MatchRecord
from nardy_hw.rules.play import Move
from nardy_hw.rules.position import BAR, OFF, Player, Position, Variant, own_point

COLOUR = {Player.WHITE: "W", Player.BLACK: "B"}
POINTS = "abcdefghijklmnopqrstuvwx"
BAR_LETTER, OFF_LETTER = "y", "z"
OURS = "NRDY"
"""Our own property, as SGF allows: all that is known of the match."""


def to_sgf(record: MatchRecord) -> str:
    """The match as text. Raises ExportError for long nardy."""
    if record.info.variant != Variant.SHORT:
        raise ExportError(f"match {record.id} is long nardy, SGF's GM[6] is short nardy: use --format text")
    found = games(record.events) or [Game(Position.start(Variant.SHORT))]
    return "".join(_tree(record, number, game) for number, game in enumerate(found))


def _tree(record: MatchRecord, number: int, game: Game) -> str:
    nodes = ["".join(_root(record, number, game))]
    if game.start != Position.start(Variant.SHORT):
        nodes.append(_board(game.start))
    for index, turn in enumerate(game.turns):
        if isinstance(turn, Cubing):
            nodes.append(f"{COLOUR[turn.player]}[{turn.what}]")
        elif isinstance(turn, Break):
            nodes.append(_board(turn.position))
        else:
            nodes += _ply(game.before(index), turn)
    return "(;" + "\n;".join(nodes) + ")\n"


def _root(record: MatchRecord, number: int, game: Game) -> Iterator[str]:
    info, score = record.info, game.score
    yield f"FF[4]GM[6]CA[UTF-8]AP[nardy-hw:{version('nardy-hw')}]"
    yield f"MI[length:{info.length}][game:{number}][ws:{score[0]}][bs:{score[1]}]"
    yield f"PW[{simple(info.white)}]PB[{simple(info.black)}]DT[{info.started[:10]}]"
    for key, text in (("EV", info.event), ("PC", info.place)):
        if text:
            yield f"{key}[{simple(text)}]"
    if rules := _rules(record, game):
        yield f"RU[{rules}]"
    if game.cube > 1:
        yield f"CV[{game.cube}]"
    if game.winner is not None:
        yield f"RE[{COLOUR[game.winner]}+{game.points}{'R' * (game.how == 'resign')}]"
    if number == 0:
        yield f"{OURS}[{whole_info(info)}]"


def _rules(record: MatchRecord, game: Game) -> str:
    info = record.info
    if not info.length:
        return "Jacoby" if info.profile.get("jacoby") else ""
    if not info.profile.get("crawford", True):
        return ""
    return "Crawford:CrawfordGame" if game.crawford else "Crawford"


def _ply(before: Position, ply: Ply) -> list[str]:
    colour, dice = COLOUR[ply.player], f"{ply.dice[0]}{ply.dice[1]}"
    moves = legal_moves(before, ply)
    if moves is None:
        return [f"PL[{colour}]DI[{dice}]", f"PL[{COLOUR[ply.player.other]}]{_board(ply.position)}"]
    return [f"{colour}[{dice}{''.join(_letters(ply.player, move) for move in moves)}]"]


def _letters(player: Player, move: Move) -> str:
    return _letter(player, move.start) + _letter(player, move.end)


def _letter(player: Player, place: int) -> str:
    """Of a place in the player's own numbers."""
    if place in (BAR, OFF):
        return BAR_LETTER if place == BAR else OFF_LETTER
    return POINTS[own_point(Variant.SHORT, player, place) - 1]


def _board(position: Position) -> str:
    """Every checker on the board, the board cleared first."""
    told = f"AE[a:{BAR_LETTER}]"
    for player in Player:
        off_to_bar = position.counts(player)
        letters = [_letter(player, place) for place in range(1, BAR + 1) for _ in range(off_to_bar[place])]
        if letters:
            told += f"A{COLOUR[player]}" + "".join(f"[{letter}]" for letter in letters)
    return told


def simple(text: str) -> str:
    """SGF's SimpleText on one line, its own characters escaped."""
    text = "".join(" " if c.isspace() else c for c in text)
    return "".join(f"\\{c}" if c in "]\\:" else c for c in text)

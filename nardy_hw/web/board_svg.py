"""The board as SVG: points, checkers, dice, the last play's arrows and the places of an open call.

Classes only, no style: the page's style sheet gives the colours. Nothing is told by colour alone: dark checkers have
a hub, light ones a ring; calls are dashed frames with a '!'.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from html import escape

from nardy_hw.rules.position import BAR, OFF, Player, Position, own_point
from nardy_hw.web import layout as at
from nardy_hw.web.layout import Layout, Spot
from nardy_hw.web.view import LastPlay, Throw, View
from nardy_hw.web.words import board_label

DIE = 74
LIGHT = 20
FLAG = 19
"""Radius: a flag sits on the tip of a point and must not reach the dice in the middle."""
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def board_svg(view: View) -> str:
    """One <svg> element.

    Each stack is a <g class="stack"> with data-place (point 1..24, bar or off), data-player and data-count; each
    number of a high one has data-place, each light of the board data-light, each die data-die and data-player, each
    arrow data-move (the mover's own numbers), each place of a call data-mark.
    """
    layout = Layout(view.table.white_home)
    colours = Colours(view.table.white_is_light)
    position = view.shown
    stacks = list(_stacks(layout, colours, position))
    parts = [
        *_ground(layout),
        *_marks(layout, view),
        *(checkers for checkers, _ in stacks),
        *_dice(layout, colours, view),
        *(_flags(layout, view, view.open_call.player) if view.open_call else ()),
        *(() if view.seen or view.play is None else _arrows(layout, view.play, position)),
        *(number for _, number in stacks),
        *(_lights(layout) if view.table.lights else ()),
    ]
    return tag(
        "svg",
        *parts,
        class_="board",
        viewBox=f"0 0 {at.WIDTH} {at.HEIGHT}",
        role="img",
        aria_label=board_label(position, view.table.names),
    )


class Colours:
    """Which look a player's checkers and dice have."""

    def __init__(self, white_is_light: bool) -> None:
        self._light = Player.WHITE if white_is_light else Player.BLACK

    def of(self, player: Player) -> str:
        return "light" if player is self._light else "dark"


def tag(name: str, *children: str, **attributes: str | float) -> str:
    """An element; `class_` and `aria_label` give class and aria-label. Children are markup, attributes are escaped."""
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{_value(v)}"' for key, v in attributes.items())
    return f"<{name}{written}>{''.join(children)}</{name}>"


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{round(value, 1):g}"


def _box(x: float, y: float, width: float, height: float, class_: str, rx: float = 0) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, rx=rx, class_=class_)


def _text(spot: Spot, text: object, class_: str, **data: str) -> str:
    # shifted by a third of its size: browsers do not agree on dominant-baseline
    return tag("text", escape(str(text)), x=spot[0], y=spot[1], dy="0.36em", class_=class_, **data)


def _ground(layout: Layout) -> Iterable[str]:
    """Frame, field, points with their numbers, bar and trays."""
    yield _box(0, 0, at.WIDTH, at.HEIGHT, "frame", rx=14)
    yield _box(layout.left, at.FAR, at.FIELD_WIDTH, at.FIELD_HEIGHT, "field")
    for point in range(1, 25):
        left, near = layout.point_left(point), layout.is_near(point)
        rail, tip = (at.NEAR, at.NEAR - at.STACK) if near else (at.FAR, at.FAR + at.STACK)
        corners = f"{left:g},{rail} {left + at.POINT:g},{rail} {left + at.POINT / 2:g},{tip}"
        yield tag("polygon", points=corners, class_=f"point {'odd' if point % 2 else 'even'}")
        number = (left + at.POINT / 2, at.NEAR + at.RAIL / 2 if near else at.FAR - at.RAIL / 2)
        yield _text(number, point, "number")
    yield _box(layout.bar_left, at.FAR, at.POINT, at.FIELD_HEIGHT, "bar")
    for top in (at.FAR, at.NEAR - at.STACK):
        yield _box(layout.tray_left, top, at.TRAY, at.STACK, "tray", rx=6)


def _stacks(layout: Layout, colours: Colours, position: Position) -> Iterable[tuple[str, str]]:
    """The checkers of each place, and the number that goes over everything where they are more than can be drawn."""
    for point, n in enumerate(position.points, start=1):
        if n:
            player = Player.WHITE if n > 0 else Player.BLACK
            spots = [layout.checker(point, i) for i in range(min(abs(n), at.DEPTH))]
            yield _stack(str(point), player, colours, abs(n), spots)
    for player in Player:
        on_bar, off = position.bar[player.side], position.off[player.side]
        if on_bar:
            spots = [layout.on_bar(player, i) for i in range(min(on_bar, at.DEPTH - 1))]
            yield _stack("bar", player, colours, on_bar, spots)
        if off:
            yield _tray(layout, player, colours, off)


def _stack(place: str, player: Player, colours: Colours, count: int, spots: list[Spot]) -> tuple[str, str]:
    colour = colours.of(player)
    checkers = [_checker(spot, colour) for spot in spots]
    number = _text(spots[-1], count, f"count {colour}", data_place=place) if count > len(spots) else ""
    return tag("g", *checkers, class_="stack", data_place=place, data_player=player, data_count=count), number


def _checker(spot: Spot, colour: str) -> str:
    x, y = spot
    parts = [tag("circle", cx=x, cy=y, r=at.RADIUS - 1.5, class_="disc")]
    parts.append(tag("circle", cx=x, cy=y, r=at.RADIUS * 0.62, class_="ring"))
    if colour == "dark":
        parts.append(tag("circle", cx=x, cy=y, r=at.RADIUS * 0.2, class_="hub"))
    return tag("g", *parts, class_=f"checker {colour}")


def _tray(layout: Layout, player: Player, colours: Colours, count: int) -> tuple[str, str]:
    """Checkers borne off: slabs on their edge, and their number."""
    colour = colours.of(player)
    wide, high = at.TRAY - 8, at.SLAB - 2
    slabs = [
        _box(x - wide / 2, y - high / 2, wide, high, f"slab {colour}", rx=4)
        for x, y in (layout.slab(player, i) for i in range(count))
    ]
    x, rail = layout.tray_left + at.TRAY / 2, at.RAIL / 2
    number = _text((x, at.HEIGHT - rail if layout.sits_near(player) else rail), count, "off-count", data_player=player)
    return tag("g", *slabs, class_="stack", data_place="off", data_player=player, data_count=count), number


def _lights(layout: Layout) -> Iterable[str]:
    """Rings around the numbers in the rail; the page's script gives them the colours of the moment."""
    for number in range(1, 29):
        x, y = layout.light(number)
        yield tag("circle", cx=x, cy=y, r=LIGHT, class_="lamp", data_light=str(number), visibility="hidden")


def _marks(layout: Layout, view: View) -> Iterable[str]:
    """Where the open call happened."""
    for place in view.marks:
        if place == BAR:
            yield _mark(layout.bar_left, at.FAR, at.POINT, at.FIELD_HEIGHT, "bar")
        elif place == OFF:
            yield _mark(layout.tray_left, at.FAR, at.TRAY, at.FIELD_HEIGHT, "off")
        else:
            top = at.NEAR - at.STACK if layout.is_near(place) else at.FAR
            yield _mark(layout.point_left(place), top, at.POINT, at.STACK, str(place))


def _flags(layout: Layout, view: View, mover: Player) -> Iterable[str]:
    """On the tips of the marked points: a '!', or Black's own number, by which his call counts."""
    for place in view.marks:
        if place not in (BAR, OFF):
            tip = at.NEAR - at.STACK if layout.is_near(place) else at.FAR + at.STACK
            spot = layout.point_left(place) + at.POINT / 2, tip
            own = own_point(view.position.variant, mover, place)
            yield tag("circle", cx=spot[0], cy=tip, r=FLAG, class_="flag")
            yield _text(spot, own if mover is Player.BLACK else "!", "flag-text")


def _mark(x: float, y: float, width: float, height: float, place: str) -> str:
    return tag("rect", x=x + 2, y=y, width=width - 4, height=height, rx=8, class_="mark", data_mark=place)


def _dice(layout: Layout, colours: Colours, view: View) -> Iterable[str]:
    """The dice that are being played, or faintly those of the last turn."""
    thrown: Throw | LastPlay | None = view.throw or view.play
    if thrown is None:
        return
    spent = " spent" if view.throw is None else ""
    for value, (x, y) in zip(thrown.dice, layout.dice(thrown.player), strict=True):
        pips = [tag("circle", cx=x + 20 * dx, cy=y + 20 * dy, r=7, class_="pip") for dx, dy in PIPS[value]]
        body = _box(x - DIE / 2, y - DIE / 2, DIE, DIE, "body", rx=14)
        look = f"die {colours.of(thrown.player)}{spent}"
        yield tag("g", body, *pips, class_=look, data_player=thrown.player, data_die=value)


def _arrows(layout: Layout, play: LastPlay, position: Position) -> Iterable[str]:
    """An arrow for each move: from the place that was left to the checker that came."""
    now = position.counts(play.player)
    for (start, end), n in Counter((move.start, move.end) for move in play.moves).items():
        a = _inward(layout.place(position.variant, play.player, start, now[start]))
        b = _inward(layout.place(position.variant, play.player, end, max(0, now[end] - 1)))
        yield _arrow(a, b, f"{start}/{end}", n)


def _inward(spot: Spot) -> Spot:
    """From a checker's centre to near its rim on the side of the board's middle, so that the checker stays seen."""
    x, y = spot
    return x, y + math.copysign(0.6 * at.RADIUS, at.MIDDLE - y)


def _arrow(a: Spot, b: Spot, move: str, n: int) -> str:
    """A bow from a to b with its head just inside b; twice, as halo and as line."""
    ax, ay = a
    bx, by = b
    length = math.dist(a, b) or 1.0
    # the bow bends toward the middle of the board by a fifth of its length, so that it leaves the stacks on a rail free
    ux, uy = (bx - ax) / length, (by - ay) / length
    bend = 0.2 * length
    mx, my = (ax + bx) / 2 - uy * bend, (ay + by) / 2 + ux * bend
    other = (ax + bx) / 2 + uy * bend, (ay + by) / 2 - ux * bend
    if abs(other[1] - at.MIDDLE) < abs(my - at.MIDDLE):
        mx, my = other
    angle = math.atan2(by - my, bx - mx)
    cos, sin = math.cos(angle), math.sin(angle)
    neck = bx - 16 * cos, by - 16 * sin
    corners = ((8, 0), (-18, -12), (-18, 12))
    head = " ".join(f"{bx + dx * cos - dy * sin:.1f},{by + dx * sin + dy * cos:.1f}" for dx, dy in corners)
    path = f"M{ax:.1f} {ay:.1f}Q{mx:.1f} {my:.1f} {neck[0]:.1f} {neck[1]:.1f}"
    parts = [
        tag("path", d=path, class_="halo"),
        tag("polygon", points=head, class_="halo"),
        tag("circle", cx=ax, cy=ay, r=8, class_="tail"),
        tag("path", d=path, class_="line"),
        tag("polygon", points=head, class_="head"),
    ]
    if n > 1:
        parts.append(_text(((ax + bx) / 4 + mx / 2, (ay + by) / 4 + my / 2), f"×{n}", "times"))
    return tag("g", *parts, class_="arrow", data_move=move)

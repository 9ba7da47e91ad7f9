"""The drawing, read back as XML: every checker is where the camera would see it."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from scenes import AFTER, BEFORE, BLACK, LONG, SHORT, WHITE, WRONG, play, position, roll, started, violation

from nardy_hw.referee.events import Event
from nardy_hw.rules.position import Player, Position
from nardy_hw.web.board_svg import board_svg
from nardy_hw.web.feed import Feed
from nardy_hw.web.layout import DEPTH, HEIGHT, WIDTH, Layout, WhiteHome

# The numbers along the far and the near rail, left to right, as the camera sees them.
RAILS: dict[WhiteHome, tuple[list[int], list[int]]] = {
    "near-right": ([*range(13, 25)], [*range(12, 0, -1)]),
    "near-left": ([*range(24, 12, -1)], [*range(1, 13)]),
    "far-right": ([*range(12, 0, -1)], [*range(13, 25)]),
    "far-left": ([*range(1, 13)], [*range(24, 12, -1)]),
}
POSITIONS = {
    "short start": Position.start(SHORT),
    "short, on the bar": BEFORE,
    "short, bearing off": position(SHORT, {1: 2, 3: 1}, {24: 7, 20: 2}, bar=(0, 6), off=(12, 0)),
    "long start": Position.start(LONG),
    "long, spread": position(LONG, {24: 9, 18: 3, 4: 3}, {12: 1, 1: 6, 23: 8}),
    "long, bearing off": position(LONG, {1: 1}, {13: 2, 18: 1}, off=(14, 12)),
}


def drawn(*events: Event, white_home: WhiteHome = "near-right", white_is_light: bool = True) -> ElementTree.Element:
    feed = Feed()
    feed.begin("", SHORT, white_home=white_home, white_is_light=white_is_light)
    for event in events:
        feed.push(event)
    return ElementTree.fromstring(board_svg(feed.now.view))


def of_class(svg: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    return (element for element in svg.iter() if name in element.get("class", "").split())


def numbers(svg: ElementTree.Element) -> dict[int, tuple[float, float]]:
    """Where each point's number stands."""
    return {int(t.text or 0): (float(t.get("x", 0)), float(t.get("y", 0))) for t in of_class(svg, "number")}


@pytest.mark.parametrize("white_home", RAILS)
def test_numbers_stand_as_the_camera_sees_the_board(white_home: WhiteHome) -> None:
    where = numbers(drawn(white_home=white_home))
    for rail, far in zip(RAILS[white_home], (True, False), strict=True):
        found = sorted((point for point, (_, y) in where.items() if (y < HEIGHT / 2) is far), key=lambda p: where[p][0])
        assert found == rail


@pytest.mark.parametrize("white_home", RAILS)
@pytest.mark.parametrize("name", POSITIONS)
def test_every_checker_is_drawn_on_its_point(name: str, white_home: WhiteHome) -> None:
    board = POSITIONS[name]
    svg = drawn(started(board), white_home=white_home)
    where, counts = numbers(svg), [0] * 24
    for stack in of_class(svg, "stack"):
        place, n = stack.get("data-place", ""), int(stack.get("data-count", 0))
        if not place.isdigit():
            continue
        counts[int(place) - 1] = n if stack.get("data-player") == "white" else -n
        discs = list(of_class(stack, "disc"))
        assert len(discs) == min(n, DEPTH)
        said = [t.text for t in of_class(svg, "count") if t.get("data-place") == place]
        assert said == ([str(n)] if n > DEPTH else [])
        x, y = where[int(place)]
        for disc in discs:
            assert float(disc.get("cx", 0)) == x
            assert (float(disc.get("cy", 0)) < HEIGHT / 2) is (y < HEIGHT / 2)
        assert len({disc.get("cy") for disc in discs}) == len(discs)
    assert tuple(counts) == board.points


@pytest.mark.parametrize("white_home", RAILS)
@pytest.mark.parametrize("name", POSITIONS)
def test_bar_and_tray(name: str, white_home: WhiteHome) -> None:
    board = POSITIONS[name]
    svg = drawn(started(board), white_home=white_home)
    for player in Player:
        stacks = {s.get("data-place"): s for s in of_class(svg, "stack") if s.get("data-player") == player}
        on_bar, off = board.bar[player.side], board.off[player.side]
        assert ("bar" in stacks, "off" in stacks) == (on_bar > 0, off > 0)
        if on_bar:
            assert int(stacks["bar"].get("data-count", 0)) == on_bar
            assert len(list(of_class(stacks["bar"], "disc"))) == min(on_bar, DEPTH - 1)
            said = [t.text for t in of_class(svg, "count") if t.get("data-place") == "bar"]
            assert said == ([str(on_bar)] if on_bar > DEPTH - 1 else [])
        if off:
            assert len(list(of_class(stacks["off"], "slab"))) == off
            said = [t.text for t in of_class(svg, "off-count") if t.get("data-player") == player]
            assert said == [str(off)]


@pytest.mark.parametrize("name", POSITIONS)
def test_nothing_leaves_the_drawing(name: str) -> None:
    for circle in drawn(started(POSITIONS[name])).iter("circle"):
        x, y, r = (float(circle.get(key, 0)) for key in ("cx", "cy", "r"))
        assert r <= x <= WIDTH - r
        assert r <= y <= HEIGHT - r


@pytest.mark.parametrize(
    ("white_home", "player", "right"),
    [
        ("near-right", WHITE, True),
        ("near-left", WHITE, True),
        ("far-right", WHITE, False),
        ("far-left", WHITE, False),
        ("near-right", BLACK, False),
        ("far-left", BLACK, True),
    ],
)
def test_dice_lie_in_the_throwers_half(white_home: WhiteHome, player: Player, right: bool) -> None:
    svg = drawn(started(), roll(player, (6, 2)), white_home=white_home)
    dice = list(of_class(svg, "die"))
    assert [die.get("data-die") for die in dice] == ["6", "2"]
    assert [len(list(of_class(die, "pip"))) for die in dice] == [6, 2]
    bar = next(of_class(svg, "bar"))
    middle = float(bar.get("x", 0)) + float(bar.get("width", 0)) / 2
    assert all((float(die[0].get("x", 0)) > middle) is right for die in dice)


def test_dice_of_the_last_turn_are_faint() -> None:
    assert not list(of_class(drawn(started(), roll()), "spent"))
    assert len(list(of_class(drawn(started(), roll(), play()), "spent"))) == 2


def test_last_play_has_an_arrow_for_each_move() -> None:
    arrows = list(of_class(drawn(started(), roll(), play(where=AFTER)), "arrow"))
    assert [arrow.get("data-move") for arrow in arrows] == ["25/21", "24/20", "6/2"]
    assert [t.text for arrow in arrows for t in of_class(arrow, "times")] == ["×2"]


def test_blacks_arrow_follows_his_own_numbers() -> None:
    """Long: Black's 24 is point 12, his 6 is point 18."""
    after = position(LONG, {24: 15}, {12: 14, 18: 1})
    svg = drawn(started(Position.start(LONG)), play(BLACK, (6, 6), "24/6", after))
    where = numbers(svg)
    tail = next(of_class(svg, "tail"))
    assert float(tail.get("cx", 0)) == where[12][0]
    tip = float(next(of_class(svg, "head")).get("points", "").split()[0].split(",")[0])
    assert abs(tip - where[18][0]) < 15


def test_a_call_shows_what_stands_there_and_where() -> None:
    svg = drawn(started(), roll(), violation())
    assert [mark.get("data-mark") for mark in of_class(svg, "mark")] == ["9", "13"]
    assert [t.text for t in of_class(svg, "flag-text")] == ["!", "!"]
    counts = {s.get("data-place"): s.get("data-count") for s in of_class(svg, "stack")}
    assert (counts["9"], counts["13"]) == (str(WRONG.points[8]), str(WRONG.points[12]))
    assert not list(of_class(svg, "arrow"))


def test_blacks_call_is_flagged_by_his_own_numbers() -> None:
    wrong = position(SHORT, {6: 5, 8: 3, 13: 5, 24: 1}, {3: 1, 9: 1, 12: 4, 17: 2, 19: 6, 23: 1}, bar=(1, 0))
    svg = drawn(started(), roll(BLACK, (4, 3)), violation(player=BLACK, position=wrong))
    assert [mark.get("data-mark") for mark in of_class(svg, "mark")] == ["4", "9"]
    assert [t.text for t in of_class(svg, "flag-text")] == ["21", "16"]


def test_marks_of_bar_and_tray() -> None:
    wrong = position(SHORT, {6: 5, 8: 3, 13: 5, 24: 1}, {3: 1, 4: 1, 12: 4, 17: 2, 19: 6, 23: 1}, off=(1, 0))
    svg = drawn(started(), roll(), violation(position=wrong))
    assert [mark.get("data-mark") for mark in of_class(svg, "mark")] == ["bar", "off"]


def test_colour_is_not_all_that_tells() -> None:
    svg = drawn()
    for stack in of_class(svg, "stack"):
        hubs = len(list(of_class(stack, "hub")))
        assert hubs == (0 if stack.get("data-player") == "white" else min(5, int(stack.get("data-count", 0))))


def test_white_may_play_the_dark_checkers() -> None:
    svg = drawn(white_is_light=False)
    assert all(bool(list(of_class(s, "dark"))) is (s.get("data-player") == "white") for s in of_class(svg, "stack"))


def test_it_is_told_in_words() -> None:
    label = drawn(started(BEFORE)).get("aria-label", "")
    assert label == (
        "White: 5 on 6, 3 on 8, 5 on 13, 1 on 24, 1 on the bar. "
        "Black: 1 on 3, 1 on 4, 4 on 12, 2 on 17, 6 on 19, 1 on 23"
    )


def test_no_inline_style() -> None:
    assert not [el for el in drawn(started(), roll(), violation()).iter() if el.get("style") or el.tag == "style"]


def test_an_unknown_layout_is_refused() -> None:
    with pytest.raises(ValueError, match="near-right, near-left, far-right, far-left"):
        Layout("left")  # type: ignore[arg-type]

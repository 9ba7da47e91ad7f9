"""A view as HTML: the whole page, or its parts, which a viewer's browser replaces one by one."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from nardy_hw import __version__
from nardy_hw.rules.position import Player
from nardy_hw.web import words
from nardy_hw.web.board_svg import Colours, board_svg
from nardy_hw.web.feed import Snapshot
from nardy_hw.web.layout import Layout
from nardy_hw.web.view import View

PARTS = ("heading", "table", "status", "calls")
"""Each is a template of that name and an element of that id."""

_templates = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.globals.update(words=words, Player=Player, version=__version__)


def parts(view: View) -> dict[str, Markup]:
    """HTML of each part by its name."""
    layout, colours = Layout(view.table.white_home), Colours(view.table.white_is_light)
    far, near = sorted(Player, key=layout.sits_near)
    context = {"view": view, "far": far, "near": near, "colours": colours, "board": Markup(board_svg(view))}
    return {name: Markup(_templates.get_template(f"{name}.html").render(context)) for name in PARTS}


def page(now: Snapshot) -> str:
    """The whole page."""
    return _templates.get_template("page.html").render(parts=parts(now.view), view=now.view, picture=now.picture)

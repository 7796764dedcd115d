"""Parts of pictures of trees: the sheet, labels with their ground, and lines.

>>> svg = draw_sheet([draw_text((10, 20), "NP")], 40, 30, title="one")
>>> svg.count("<text"), "<title>one</title>" in svg
(2, True)
"""

from __future__ import annotations

from collections.abc import Sequence

from glyphone.drawing.labels import visible_text
from glyphone.drawing.svg import (
    FILL,
    LETTER,
    LINE,
    LINES,
    MARGIN,
    PAPER,
    Canvas,
    draw_heading,
    draw_text,
    number,
    opening_lines,
    text_width,
    xml,
)

INSET = 6.0
ARROW = (
    f'<defs><marker id="arrow" refX="7" refY="4" markerWidth="8" markerHeight="8" '
    f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0,0.5L8,4L0,7.5Z" fill="{LINES}"/>'
    "</marker></defs>"
)


def draw_sheet(rows: Sequence[str], width: float, height: float, *, title: str = "") -> str:
    """A picture of rows of SVG in a space of this width and height, with a title above it."""
    top = MARGIN + LINE if title else 0.0
    width = max(width, 2 * MARGIN + 1.25 * text_width(title))
    head = [*opening_lines(Canvas(0, -top, width, height + top), title=title), ARROW]
    if title:
        head.append(draw_heading((MARGIN, MARGIN - LINE - 4), title))
    return "\n".join([*head, '<g text-anchor="middle">', *rows, "</g>", "</svg>", ""])


def tile_width(shown: str) -> float:
    return text_width(visible_text(shown)) + 2 * INSET


def draw_tile(
    shown: str, middle: float, top: float, *, about: str = "", width: float = 0
) -> list[str]:
    """A word on its ground, of the width of a line and a little more."""
    width = width or tile_width(shown)
    corner = f'x="{number(middle - width / 2)}" y="{number(top)}"'
    size = f'width="{number(width)}" height="{number(LINE + INSET)}"'
    return [
        f"<g><title>{xml(visible_text(about or shown))}</title>",
        f'<rect {corner} {size} rx="6" fill="{FILL}"/>',
        *[draw_text((middle, top + 0.95 * LINE), visible_text(shown)), "</g>"],
    ]


def draw_label(shown: str, middle: float, y: float, *, style: str = "") -> list[str]:
    """A text around a height, on paper that hides lines behind it."""
    width = text_width(visible_text(shown)) + 4
    corner = f'x="{number(middle - width / 2)}" y="{number(y - LINE / 2)}"'
    size = f'width="{number(width)}" height="{number(LINE)}"'
    return [
        f'<rect {corner} {size} rx="3" fill="{PAPER}"/>',
        draw_text((middle, y + 0.35 * LETTER), visible_text(shown), style),
    ]


def draw_line(path: str, *, arrow: bool = False) -> str:
    marker = ' marker-end="url(#arrow)"' if arrow else ""
    return f'<path d="{path}" fill="none" stroke="{LINES}" stroke-width="1.3"{marker}/>'

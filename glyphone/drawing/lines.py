"""Lines in one frame, with two axes and a legend.

>>> x, y = Axis("steps", 0, 4, ("0", "4")), Axis("error, %", 0, 10, ("0", "10"))
>>> svg = to_svg({"mine": Line([(0, 10), (4, 2)], "mine: 2 %")}, x, y, title="training")
>>> svg.count("<polyline"), "error, %" in svg
(1, True)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from glyphone.data.errors import GlyphoneError
from glyphone.drawing.labels import visible_text
from glyphone.drawing.svg import (
    LETTER,
    LINE,
    LINES,
    MARGIN,
    Canvas,
    draw_heading,
    draw_text,
    number,
    opening_lines,
    point,
    text_width,
    xml,
)

WIDTH, HEIGHT = 560.0, 320.0
AXIS = 52.0  # left of the lines and below them
# Told apart by people who see few colours, too (Okabe and Ito 2008).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a7a00")


@dataclass(frozen=True)
class Axis:
    """The name of an axis, its ends, and marks that part it evenly, those of the ends too."""

    name: str
    low: float
    high: float
    marks: Sequence[str]

    def share(self, value: float) -> float:
        """Where on the axis a value is, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Line:
    """Points in the values of both axes, and a text that is shown to who points at them."""

    points: Sequence[tuple[float, float]]
    told: str = ""


def to_svg(lines: Mapping[str, Line], x: Axis, y: Axis, *, title: str = "") -> str:
    """Lines by their names, the first in the legend on top."""
    if not lines:
        raise GlyphoneError("there is no line to draw", remedy="give at least one")
    top = MARGIN + (LINE + MARGIN / 2 if title else 0)
    names = [visible_text(name) for name in lines]
    legend = max(map(text_width, names)) + 3 * MARGIN
    width = AXIS + WIDTH + legend + MARGIN
    height = max(top + HEIGHT + AXIS, top + LINE * len(lines) + MARGIN)
    rows = opening_lines(Canvas(0, 0, width, height), title=title)
    if title:
        rows.append(draw_heading((MARGIN, MARGIN + LETTER), title))
    rows += frame_rows(top, x, y)
    for place, (name, line) in enumerate(zip(names, lines.values(), strict=True)):
        colour = COLOURS[place % len(COLOURS)]
        dashes = "" if place < len(COLOURS) else ' stroke-dasharray="5 3"'
        look = f'fill="none" stroke="{colour}" stroke-width="1.6"{dashes}'
        path = " ".join(
            point((AXIS + WIDTH * x.share(one), top + HEIGHT * (1 - y.share(other))))
            for one, other in line.points
        )
        rows.append(f"<g><title>{xml(line.told or name)}</title>")
        rows.append(f'<polyline points="{path}" {look}/>')
        left, at = AXIS + WIDTH + MARGIN, top + LINE * (place + 0.5)
        rows.append(f'<path d="M{point((left, at))}L{point((left + MARGIN, at))}" {look}/>')
        rows += [draw_text((left + 1.5 * MARGIN, at + 0.35 * LETTER), name), "</g>"]
    return "\n".join([*rows, "</svg>", ""])


def frame_rows(top: float, x: Axis, y: Axis) -> list[str]:
    """Lines across at the marks of the upright axis, the marks of both, and their names."""
    rows = []
    for place, mark in enumerate(y.marks):
        at = top + HEIGHT * (1 - place / (len(y.marks) - 1))
        line = f"M{point((AXIS, at))}L{point((AXIS + WIDTH, at))}"
        rows.append(f'<path d="{line}" stroke="{LINES}" stroke-width="0.4"/>')
        rows.append(draw_text((AXIS - 6, at + 0.35 * LETTER), mark, 'text-anchor="end"'))
    for place, mark in enumerate(x.marks):
        at = AXIS + WIDTH * place / (len(x.marks) - 1)
        rows.append(draw_text((at, top + HEIGHT + LINE), mark, 'text-anchor="middle"'))
    middle = (AXIS + WIDTH / 2, top + HEIGHT + 2 * LINE)
    rows.append(draw_text(middle, x.name, 'text-anchor="middle"'))
    turned = f'transform="rotate(-90)" text-anchor="middle" font-size="{number(LETTER)}"'
    rows.append(draw_text((-(top + HEIGHT / 2), LETTER + 2), y.name, turned))
    return rows


def even_axis(name: str, low: float, high: float) -> Axis:
    """An axis around two values, its marks round numbers.

    >>> even_axis("objective", 12.0, 187.0).marks
    ('0', '50', '100', '150', '200')
    """
    step = 10 ** math.floor(math.log10(max(high - low, 1e-9)))
    for part in (0.2, 0.25, 0.5, 1.0):
        if (high - low) / (step * part) <= 6:
            step *= part
            break
    first, last = math.floor(low / step), math.ceil(high / step)
    last = max(last, first + 1)
    marks = tuple(f"{k * step:,.10g}" for k in range(first, last + 1))
    return Axis(name, first * step, last * step, marks)

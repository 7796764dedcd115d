"""Pictures of alignments: letters above, phones below, every unit joined by lines.

Symbols stand in the order in which they are read, from left to right in any script. An empty side
is ε; below a unit stands its posterior, if it is not near 1, and a long word goes on in a new line.

>>> alignment = Alignment(((("p", "h"), ("f",)), (("e",), ())))
>>> svg = to_svg([AlignmentRow(alignment, "phe", (1.0, 0.75))])
>>> svg.count('<g class="unit">'), svg.count(">0.75<")
(2, 1)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from glyphone.data.records import Alignment, Pair, Symbols
from glyphone.drawing.graphs import MAX_ARCS, MAX_STATES, Caps, Edge, Graph
from glyphone.drawing.labels import EPSILON, symbol_text
from glyphone.drawing.svg import (
    FILL,
    INK,
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
from glyphone.fst.alignment.training import AlignmentModel, Unit

SIZE = 20.0
SYMBOL, TILE = 10.0, 30.0
BETWEEN, LINK = 12.0, 44.0
WIDEST = 1000.0
# Posteriors above this would be written 1.00.
CERTAIN = 0.995


@dataclass(frozen=True)
class AlignmentRow:
    """An alignment to draw, its caption, and the posteriors of its units."""

    alignment: Alignment
    caption: str = ""
    posteriors: tuple[float, ...] = ()


def to_svg(rows: Sequence[AlignmentRow], *, title: str = "") -> str:
    """The alignments, one below the other."""
    drawn: list[str] = []
    y, right = MARGIN, 0.0
    if title:
        y, shown = y + LINE, shorten_caption(title)
        drawn.append(draw_heading((MARGIN, y), shown))
        y, right = y + MARGIN / 2, 1.25 * text_width(shown)
    for row in rows:
        if row.caption:
            y, caption = y + LINE, shorten_caption(row.caption)
            drawn.append(draw_text((MARGIN, y), caption))
            y, right = y + MARGIN / 2, max(right, text_width(caption))
        for line in lines_of(row):
            x = MARGIN
            for unit, posterior in line:
                wide = unit_width(unit)
                drawn += unit_rows(unit, posterior, x + wide / 2, y)
                x += wide + BETWEEN
            doubtful = any(posterior < CERTAIN for _, posterior in line)
            y += 2 * TILE + LINK + MARGIN + (LINE if doubtful else 0)
            right = max(right, x - BETWEEN - MARGIN)
    canvas = Canvas(0, 0, right + 2 * MARGIN, y)
    return "\n".join([*opening_lines(canvas, title=title), *drawn, "</svg>", ""])


def shorten_caption(caption: str) -> str:
    """A caption no wider than a line; everything that it names is in the picture below it."""
    if text_width(caption) <= WIDEST:
        return caption
    while text_width(caption) > WIDEST:
        caption = caption[: -1 - len(caption) // 50]
    return caption + "…"


def lines_of(row: AlignmentRow) -> Iterator[list[tuple[Unit, float]]]:
    """The units with their posteriors, cut where a line would get too wide."""
    line: list[tuple[Unit, float]] = []
    width = 0.0
    posteriors = row.posteriors or (1.0,) * len(row.alignment.units)
    for unit, posterior in zip(row.alignment.units, posteriors, strict=True):
        wider = unit_width(unit) + BETWEEN
        if line and width + wider > WIDEST:
            yield line
            line, width = [], 0.0
        line.append((unit, posterior))
        width += wider
    yield line


def unit_width(unit: Unit) -> float:
    return max(sum(symbol_widths(side)) for side in unit)


def symbol_widths(symbols: Symbols) -> list[float]:
    shown = symbols or ("",)
    return [max(TILE, SYMBOL + text_width(symbol_text(s)) * SIZE / LETTER) for s in shown]


def unit_rows(unit: Unit, posterior: float, x: float, y: float) -> list[str]:
    """A unit around x: its source below y, its target below that, and its posterior."""
    middle, below = (x, y + TILE + LINK / 2), y + TILE + LINK
    dashes = "" if all(unit) else ' stroke-dasharray="3 3"'
    rows = ['<g class="unit">', f"<title>{xml(unit_text(unit))}, posterior {posterior:.4g}</title>"]
    for symbols, top, edge in ((unit[0], y, y + TILE), (unit[1], below, below)):
        for centre in symbol_centres(symbols, x):
            bend = (centre, (edge + middle[1]) / 2), (x, (edge + middle[1]) / 2)
            path = f"M{point((centre, edge))}C{point(bend[0])} {point(bend[1])} {point(middle)}"
            rows.append(
                f'<path d="{path}" fill="none" stroke="{LINES}" stroke-width="1.5"{dashes}/>'
            )
        rows += side_rows(symbols, x, top)
    if posterior < CERTAIN:
        style = f'font-size="11" text-anchor="middle" fill="{LINES}"'
        rows.append(draw_text((x, below + TILE + 0.8 * LINE), f"{posterior:.2g}", style))
    return [*rows, "</g>"]


def side_rows(symbols: Symbols, x: float, top: float) -> list[str]:
    """The symbols of a side around x; without any, an ε on no ground."""
    width, rows = sum(symbol_widths(symbols)), []
    if symbols:
        corner = f'x="{number(x - width / 2)}" y="{number(top)}"'
        size = f'width="{number(width)}" height="{number(TILE)}"'
        rows.append(f'<rect {corner} {size} rx="6" fill="{FILL}"/>')
    ink = INK if symbols else LINES
    style = f'font-size="{number(SIZE)}" text-anchor="middle" fill="{ink}"'
    for symbol, centre in zip(symbols or ("",), symbol_centres(symbols, x), strict=True):
        rows.append(draw_text((centre, top + TILE / 2 + 0.35 * SIZE), symbol_text(symbol), style))
    return rows


def symbol_centres(symbols: Symbols, x: float) -> list[float]:
    """Where the symbols of a side stand that is centred at x."""
    sizes, found = symbol_widths(symbols), []
    left = x - sum(sizes) / 2
    for size in sizes:
        found.append(left + size / 2)
        left += size
    return found


def unit_text(unit: Unit) -> str:
    """A unit for people.

    >>> unit_text((("a", " "), ())), unit_text((("x",), ("k", "s")))
    ('a␣:ε', 'x:k s')
    """
    source = "".join(map(symbol_text, unit[0])) or EPSILON
    return f"{source}:{' '.join(map(symbol_text, unit[1])) or EPSILON}"


def row_of(model: AlignmentModel, pair: Pair) -> AlignmentRow:
    """The best alignment of a pair with the posteriors of its units; ItemError if there is none."""
    alignment, shares = model.align(pair), dict[tuple[int, int, Unit], float]()
    for arc in arcs_of(model, pair):
        shares[arc.place] = shares.get(arc.place, 0.0) + arc.posterior
    posteriors, i, j = [], 0, 0
    for unit in alignment.units:
        posteriors.append(shares[i, j, unit])
        i, j = i + len(unit[0]), j + len(unit[1])
    total = model.log_probability(pair)
    caption = f"{''.join(pair.source)} → {' '.join(pair.target)}  (ln P(x, y) {total:.4g})"
    return AlignmentRow(alignment, caption, tuple(posteriors))


@dataclass(frozen=True)
class Arc:
    """A unit at source place i and target place j, between two states of a lattice."""

    source: int
    target: int
    place: tuple[int, int, Unit]
    posterior: float


def arcs_of(model: AlignmentModel, pair: Pair, *, beam: float = math.inf) -> list[Arc]:
    lattice, places, arcs = model.lattices([pair], beam=beam), {0: (0, 0)}, []
    rows = (lattice.sources, lattice.targets, lattice.moves, lattice.posteriors)
    for state, target, move, posterior in zip(*(row.tolist() for row in rows), strict=True):
        (i, j), (s, t) = places[state], model.options.steps[move]
        places[target] = i + s, j + t
        unit = pair.source[i : i + s], pair.target[j : j + t]
        arcs.append(Arc(state, target, (i, j, unit), posterior))
    return arcs


def graph_of_alignments(
    model: AlignmentModel,
    pair: Pair,
    *,
    beam: float,
    title: str = "",
    max_states: int = MAX_STATES,
    max_arcs: int = MAX_ARCS,
) -> Graph:
    """The alignments that cost at most `beam` nats more than the best, with posteriors of units."""
    model.align(pair)  # or it has none, and here is the reason
    arcs = arcs_of(model, pair, beam=beam)
    n_states = 1 + max((arc.target for arc in arcs), default=0)
    caps = Caps(max_states, max_arcs, title, "take a lower --beam, or draw a shorter word")
    caps.check(n_states, len(arcs), len(arcs))
    edges = (
        Edge(arc.source, arc.target, (unit_text(arc.place[2]), f"{arc.posterior:.2g}"))
        for arc in arcs
    )
    return Graph(tuple(map(str, range(n_states))), tuple(edges), 0, {n_states - 1: ""}, title)

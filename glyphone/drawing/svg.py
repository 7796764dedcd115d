"""Graphs as SVG, laid out from left to right.

The start is bold and has an arrow, final states have a double ring and their weight below, labels
stand on their edges. Each edge names all its arcs when the pointer rests on it.

>>> from glyphone.drawing.graphs import Edge
>>> svg = to_svg(Graph(("0", "1"), (Edge(0, 1, ("a", "b:ε/0.5")),), 0, {1: ""}))
>>> svg.count("<circle"), svg.count("<text"), "b:ε/0.5" in svg
(3, 4, True)
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from glyphone.drawing.graphs import Edge, Graph
from glyphone.drawing.labels import storable
from glyphone.drawing.layout import Box, Placement, Point, Stop, layout

# A viewer takes the first that it has, and another one for letters that this one lacks. First those
# with the letters of phonetics, on each system, then those of scripts.
FONTS = (
    "Noto Sans, DejaVu Sans, Segoe UI, Helvetica Neue, Arial, Liberation Sans, FreeSans, Roboto, "
    "Noto Sans CJK KR, Noto Sans KR, Apple SD Gothic Neo, Malgun Gothic, NanumGothic, "
    "Noto Sans Devanagari, Kohinoor Devanagari, Nirmala UI, "
    "Noto Sans Arabic, Noto Naskh Arabic, Noto Sans Hebrew, sans-serif"
)
INK, LINES, PAPER, FILL = "#1a2330", "#66758a", "#ffffff", "#eef2f8"

RADIUS = 17.0
RING = 4.0
ARROW = 8.0
LOOP = 22.0
LETTER = 13.0
LINE = 17.0
MARGIN = 16.0
ENTRY = 28.0
TITLE = 30.0


@dataclass(frozen=True)
class Canvas:
    """What the picture covers."""

    left: float
    top: float
    width: float
    height: float


def to_svg(graph: Graph) -> str:
    loops = {edge.source: edge for edge in graph.edges if edge.source == edge.target}
    nodes = [
        node_box(loops.get(node), graph.finals.get(node, "")) for node in range(len(graph.nodes))
    ]
    labels = [label_box(edge.label) for edge in graph.edges]
    ends = [(edge.source, edge.target) for edge in graph.edges]
    place = layout(nodes, ends, labels, start=graph.start)
    title = graph.title if graph.nodes else f"{graph.title} (no states)".lstrip()
    canvas = canvas_of(title, nodes, labels, place)
    x, y, width, height = map(number, (canvas.left, canvas.top, canvas.width, canvas.height))
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{x} {y} {width} {height}" font-family={quoteattr(FONTS)} '
        f'font-size="{number(LETTER)}" fill="{INK}">',
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{PAPER}"/>',
        f'<defs><marker id="arrow" refY="4" markerWidth="8" markerHeight="8" '
        f'markerUnits="userSpaceOnUse" orient="auto">'
        f'<path d="M0,0.5L8,4L0,7.5Z" fill="{LINES}"/></marker></defs>',
    ]
    if title:
        rows.insert(1, f"<title>{xml(title)}</title>")
        at = (canvas.left + MARGIN, canvas.top + TITLE - 4)
        rows.append(text(at, title, 'font-size="15" font-weight="bold"'))
    rows.append('<g text-anchor="middle">')
    rows += edges_rows(graph, place)
    for node in range(len(graph.nodes)):
        rows += node_rows(graph, node, place.nodes[node])
    return "\n".join([*rows, "</g>", "</svg>", ""])


def canvas_of(title: str, nodes: Sequence[Box], labels: Sequence[Box], place: Placement) -> Canvas:
    spaces = [(x, y, box) for (x, y), box in zip(place.nodes, nodes, strict=True)]
    for stops, box in zip(place.stops, labels, strict=True):
        boxes = [box, *[Box(0, 0, 0)] * len(stops)]
        for stop, taken in zip(stops, boxes, strict=False):
            spaces.append(((stop.left + stop.right) / 2, stop.y, taken))
    left = min((x - box.width / 2 for x, _, box in spaces), default=0.0) - MARGIN - ENTRY
    right = max((x + box.width / 2 for x, _, box in spaces), default=0.0) + MARGIN
    top = min((y - box.up for _, y, box in spaces), default=0.0) - MARGIN
    bottom = max((y + box.down for _, y, box in spaces), default=0.0) + MARGIN
    if title:
        top -= TITLE - MARGIN / 2
        right = max(right, left + 2 * MARGIN + 1.25 * text_width(title))
    return Canvas(left, top, right - left, bottom - top)


def node_box(loop: Edge | None, weight: str) -> Box:
    """The space of a state with its loop above and its weight below."""
    width, up = 2 * RADIUS, RADIUS
    if loop is not None:
        label = label_box(loop.label)
        width, up = max(width, label.width), up + LOOP + label.up + label.down
    return Box(max(width, text_width(weight)), up, RADIUS + (LINE if weight else 0))


def label_box(lines: Sequence[str]) -> Box:
    half = len(lines) * LINE / 2
    return Box(max(map(text_width, lines), default=0.0) + 6, half, half)


def text_width(shown: str) -> float:
    """About how wide a text is in any of the fonts; rather too much than too little."""
    return sum(map(letter_width, shown)) * LETTER


def letter_width(letter: str) -> float:
    """In units of the size of the font."""
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    if letter in "ijlftrI.,:;'|!()/ː ":
        return 0.38
    return 0.95 if letter in "mwMW…" else 0.8 if letter.isupper() else 0.66


def edges_rows(graph: Graph, place: Placement) -> list[str]:
    rows = []
    drawn: set[tuple[int, Stop]] = set()
    for edge, stops in zip(graph.edges, place.stops, strict=True):
        own = [stop for stop in stops if (edge.target, stop) not in drawn]
        drawn.update((edge.target, stop) for stop in own)
        joins = len(own) < len(stops)
        rows += edge_rows(edge, stops[: len(own) + 1], place.nodes, graph.nodes, joins=joins)
    return rows


def edge_rows(
    edge: Edge,
    stops: Sequence[Stop],
    middles: Sequence[Point],
    names: Sequence[str],
    *,
    joins: bool,
) -> list[str]:
    """The line of an edge up to where it joins one that is drawn already, and its label."""
    box = label_box(edge.label)
    x, y = middles[edge.source]
    if stops:
        path = edge_path((x, y), stops, None if joins else middles[edge.target])
        x, y = (stops[0].left + stops[0].right) / 2, stops[0].y
    else:
        path = loop_path((x, y))
        y -= RADIUS + LOOP + box.down
    about = f"{names[edge.source]} → {names[edge.target]}: {', '.join(edge.arcs or edge.label)}"
    line = f'fill="none" stroke="{LINES}" stroke-width="1.3"'
    line += "" if joins else ' marker-end="url(#arrow)"'
    rows = [f"<g><title>{xml(about)}</title>", f'<path d="{path}" {line}/>']
    if stops:
        corner = f'x="{number(x - box.width / 2)}" y="{number(y - box.up)}"'
        size = f'width="{number(box.width)}" height="{number(box.up + box.down)}"'
        rows.append(f'<rect {corner} {size} rx="3" fill="{PAPER}"/>')
    for place, shown in enumerate(edge.label):
        rows.append(text((x, y - box.up + (place + 0.77) * LINE), shown))
    return [*rows, "</g>"]


def edge_path(source: Point, stops: Sequence[Stop], target: Point | None) -> str:
    """Straight through every stop, with bends between them; without a target, to the last one."""
    side = 1.0 if stops[0].left > source[0] else -1.0
    ways = []
    for stop in stops:
        ends = (stop.left, stop.y - stop.fall), (stop.right, stop.y + stop.fall)
        ways.append(ends if side > 0 else (ends[1], ends[0]))
    begin, leaving = port(source, ways[0][0], side, RADIUS)
    parts = [f"M{pair(begin)}", bend(begin, leaving, backwards(ways[0]), ways[0][0])]
    for here, there in pairwise(ways):
        parts += [f"L{pair(here[1])}", bend(here[1], forwards(here), backwards(there), there[0])]
    if target is not None:
        last = ways[-1]
        end, coming = port(target, last[1], -side, RADIUS + ARROW)
        parts += [f"L{pair(last[1])}", bend(last[1], forwards(last), coming, end)]
    return "".join(parts)


def forwards(way: tuple[Point, Point]) -> Point:
    (x, y), (there, below) = way
    length = math.hypot(there - x, below - y) or 1.0
    return (there - x) / length, (below - y) / length


def backwards(way: tuple[Point, Point]) -> Point:
    x, y = forwards(way)
    return -x, -y


def port(middle: Point, towards: Point, side: float, radius: float) -> tuple[Point, Point]:
    """Where an edge leaves a state, and in which direction: at most 45° up or down."""
    across = abs(towards[0] - middle[0])
    rise = max(-across, min(across, 0.8 * (towards[1] - middle[1])))
    length = math.hypot(across, rise) or 1.0
    direction = (side * across / length, rise / length)
    return (middle[0] + radius * direction[0], middle[1] + radius * direction[1]), direction


def bend(begin: Point, leaving: Point, coming: Point, end: Point) -> str:
    """A Bézier curve; `leaving` and `coming` point from its ends to its inside."""
    if begin[1] == end[1] and not leaving[1] and not coming[1]:
        return f"L{pair(end)}"
    reach = abs(end[0] - begin[0]) / 2
    one = (begin[0] + reach * leaving[0], begin[1] + reach * leaving[1])
    other = (end[0] + reach * coming[0], end[1] + reach * coming[1])
    return f"C{pair(one)} {pair(other)} {pair(end)}"


def loop_path(middle: Point) -> str:
    x, y = middle
    foot, knee, top = y - 0.87 * RADIUS, y - RADIUS - LOOP * 1.3, RADIUS + 0.3 * ARROW
    start, end = (x - RADIUS / 2, foot), (x + RADIUS / 2 + ARROW / 2, foot - 0.87 * ARROW)
    return f"M{pair(start)}C{pair((x - top, knee))} {pair((x + top + 3, knee))} {pair(end)}"


def node_rows(graph: Graph, node: int, middle: Point) -> list[str]:
    x, y = middle
    rows = []
    width = 1.3
    if node == graph.start:
        width = 2.6
        begin, end = (x - RADIUS - ENTRY, y), (x - RADIUS - ARROW, y)
        rows.append(
            f'<path d="M{pair(begin)}L{pair(end)}" stroke="{LINES}" stroke-width="1.3" '
            'marker-end="url(#arrow)"/>'
        )
    at = f'cx="{number(x)}" cy="{number(y)}"'
    rows.append(
        f'<circle {at} r="{number(RADIUS)}" fill="{FILL}" stroke="{INK}" stroke-width="{width}"/>'
    )
    if node in graph.finals:
        rows.append(f'<circle {at} r="{number(RADIUS - RING)}" fill="none" stroke="{INK}"/>')
    name = graph.nodes[node]
    size = min(LETTER, LETTER * 1.5 * (RADIUS - RING) / max(text_width(name), 1.0))
    rows.append(text((x, y + 0.36 * size), name, f'font-size="{number(size)}"'))
    if weight := graph.finals.get(node):
        rows.append(text((x, y + RADIUS + 0.8 * LINE), weight))
    return rows


def text(at: Point, shown: str, style: str = "") -> str:
    return (
        f'<text x="{number(at[0])}" y="{number(at[1])}"{style and " " + style}>{xml(shown)}</text>'
    )


def pair(point: Point) -> str:
    return f"{number(point[0])},{number(point[1])}"


def number(value: float) -> str:
    """One digit after the point, none if it is 0, and no -0.

    >>> number(-0.04), number(2.0), number(2.25)
    ('0', '2', '2.2')
    """
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def xml(shown: str) -> str:
    return escape(storable(shown))

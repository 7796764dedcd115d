"""Pictures of packed forests, from left to right: boxes are nodes, rows of names are choices.

A derivation replaces a node by one of the choices to its right, and a choice by all nodes that it
names, in this order. A node that several choices name is drawn once. Words have a ground of their
own.

>>> from glyphone.fst.forests.forest import Choice, ForestBuilder
>>> builder = ForestBuilder()
>>> leaves = [builder.add_leaf(code, label=word) for code, word in enumerate(("old", "man"))]
>>> orders = [Choice(tuple(leaves)), Choice(tuple(reversed(leaves)))]
>>> svg = to_svg(builder.build(builder.add_node(orders, label="NP")))
>>> svg.count("<path") - 1, ">old man<" in svg, ">man old<" in svg
(6, True, True)
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from glyphone.data.errors import GlyphoneError
from glyphone.drawing.graphs import MAX_STATES
from glyphone.drawing.labels import visible_text, weight_text
from glyphone.drawing.layout import Box, Point, Stop, layout
from glyphone.drawing.sheets import INSET, draw_line, draw_sheet
from glyphone.drawing.svg import (
    FILL,
    INK,
    LINE,
    LINES,
    MARGIN,
    PAPER,
    draw_text,
    number,
    point,
    text_width,
    xml,
)
from glyphone.fst.forests.forest import INNER, NO_PATTERN, Forest

NOTHING = "∅"
LEFT_TO_RIGHT = "\u200e"
HALF = (LINE + INSET) / 2


@dataclass(frozen=True)
class Cell:
    """A node or a choice: its text, a smaller note below, whether it is a node, or even a word."""

    text: str
    note: str = ""
    is_node: bool = False
    is_word: bool = False

    @property
    def box(self) -> Box:
        width = max(text_width(self.text), text_width(self.note)) + 2 * INSET
        return Box(width, HALF, HALF + (LINE if self.note else 0))


def to_svg(
    forest: Forest,
    *,
    parameters: Mapping[int, str] | None = None,
    title: str = "",
    max_nodes: int = MAX_STATES,
) -> str:
    """The picture of a forest; `parameters` names the parameters by their numbers."""
    size = forest.n_nodes + forest.n_choices
    if size > max_nodes:
        raise GlyphoneError(
            f"{forest.n_nodes:,} nodes and {forest.n_choices:,} choices are too much for a picture,"
            f" which holds {max_nodes:,} of both",
            stage=title or None,
            remedy=f"draw a shorter sentence, or ask for --max-states {size}",
        )
    cells, edges = cells_of(forest, parameters or {})
    boxes = [cell.box for cell in cells]
    place = layout(boxes, edges, [Box(0, 0, 0)] * len(edges), start=forest.root)
    left = min(x - box.width / 2 for (x, _), box in zip(place.nodes, boxes, strict=True)) - MARGIN
    top = min(y - box.up for (_, y), box in zip(place.nodes, boxes, strict=True)) - MARGIN
    middles = [(x - left, y - top) for x, y in place.nodes]
    rows = []
    for (source, target), stops in zip(edges, place.stops, strict=True):
        moved = [Stop(s.left - left, s.right - left, s.y - top, s.fall) for s in stops]
        begin = (middles[source][0] + boxes[source].width / 2, middles[source][1])
        end = (middles[target][0] - boxes[target].width / 2, middles[target][1])
        rows.append(draw_line(path_of(begin, moved, end)))
    for cell, middle in zip(cells, middles, strict=True):
        rows += draw_cell(cell, middle)
    right = max(x + box.width / 2 for (x, _), box in zip(middles, boxes, strict=True))
    bottom = max(y + box.down for (_, y), box in zip(middles, boxes, strict=True))
    return draw_sheet(rows, right + MARGIN, bottom + MARGIN, title=title)


def cells_of(
    forest: Forest, parameters: Mapping[int, str]
) -> tuple[list[Cell], list[tuple[int, int]]]:
    """Cells of the nodes, behind them cells of the choices, and edges between the cells."""
    names = [name_of(forest, node) for node in range(forest.n_nodes)]
    cells = [
        Cell(name, is_node=True, is_word=forest.symbols[node] != INNER)
        for node, name in enumerate(names)
    ]
    edges = []
    for node in range(forest.n_nodes):
        for choice in forest.choices_of(node):
            children = forest.children_of(choice)
            pattern, weight = int(forest.patterns[choice]), float(forest.log_weights[choice])
            notes = []
            if pattern != NO_PATTERN:
                notes.append(parameters.get(pattern, f"#{pattern}"))
            if weight:
                notes.append(f"ln {weight_text(weight)}")
            shown = " ".join(isolate_direction(names[child]) for child in children) or NOTHING
            edges += [
                (node, len(cells)),
                *((len(cells), child) for child in dict.fromkeys(children)),
            ]
            cells.append(Cell(shown, visible_text(" ".join(notes))))
    return cells, edges


def name_of(forest: Forest, node: int) -> str:
    """The label and the word of a node, or its number."""
    shown = " ".join(filter(None, (forest.labels[node], forest.words[node])))
    return visible_text(shown) or f"#{node}"


def isolate_direction(name: str) -> str:
    """A name with marks that keep it left of the next name, also in scripts from right to left."""
    turned = any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in name)
    return f"{LEFT_TO_RIGHT}{name}{LEFT_TO_RIGHT}" if turned else name


def path_of(begin: Point, stops: Sequence[Stop], end: Point) -> str:
    """A path that is level at its ends and where it passes columns of nodes."""
    ways = [((stop.left, stop.y), (stop.right, stop.y)) for stop in stops if stop.right > stop.left]
    path, here = [f"M{point(begin)}"], begin
    for first, last in [*ways, (end, end)]:
        half = (here[0] + first[0]) / 2
        path.append(
            f"C{point((half, here[1]))} {point((half, first[1]))} {point(first)}L{point(last)}"
        )
        here = last
    return "".join(path)


def draw_cell(cell: Cell, middle: Point) -> list[str]:
    x, y = middle
    width = cell.box.width
    corner = f'x="{number(x - width / 2)}" y="{number(y - HALF)}" rx="6"'
    size = f'width="{number(width)}" height="{number(2 * HALF)}"'
    ground = FILL if cell.is_word else PAPER
    border = f' stroke="{INK}"' if cell.is_node and not cell.is_word else ""
    rows = [
        f"<g><title>{xml(cell.text)}</title>",
        f'<rect {corner} {size} fill="{ground}"{border}/>',
        draw_text((x, y + 4.5), cell.text),
    ]
    if cell.note:
        style = f'font-size="11" fill="{LINES}"'
        rows.append(draw_text((x, y + HALF + 0.7 * LINE), cell.note, style))
    return [*rows, "</g>"]

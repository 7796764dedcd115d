"""The picture of a decision tree: questions from left to right, decisions at the ends.

A branch is labelled with the symbols that take it, and the longest list may be "other". A decision
has what is written, how many letters of the training words came there, and for how many of them it
was wrong. What is drawn is said by `glyphone.drawing.twigs`.

>>> ends = (Twig("s", "e i", "12"), Twig("k", "other", "31, 2 wrong"))
>>> svg = to_svg(Twig("right1", below=ends), title="c")
>>> svg.count("<rect"), svg.count("<path"), "31, 2 wrong" in svg
(6, 2, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.drawing.graphs import MAX_STATES
from glyphone.drawing.svg import (
    FILL,
    INK,
    LINE,
    LINES,
    MARGIN,
    PAPER,
    Canvas,
    draw_heading,
    draw_text,
    number,
    opening_lines,
    point,
    text_width,
    xml,
)
from glyphone.drawing.twigs import Twig, twig_of
from glyphone.drawing.words import picture_of_svg
from glyphone.models.trees.model import TreeModel

ROW, GAP, INSET = 28.0, 34.0, 7.0


def picture_of_tree(
    model: TreeModel,
    kind: str,
    *,
    letter: str | None = None,
    depth: int | None = None,
    stage: int = 1,
    title: str = "",
    max_nodes: int = MAX_STATES,
    font_dirs: Sequence[Path] = (),
) -> bytes:
    """The content of a picture file; `kind` is svg or png, and `stage` one of several trees."""
    if kind not in ("png", "svg"):
        raise UnknownName("kind of picture of a tree", kind, ["png", "svg"])
    title = title or (model.name if letter is None else f"{model.name}: {letter}")
    twig = twig_of(model, letter=letter, depth=depth, stage=stage)
    if twig.size > max_nodes:
        whole = "" if letter is not None else "one letter (--letter), "
        raise GlyphoneError(
            f"{twig.size:,} nodes are too much for a picture, which holds {max_nodes:,}",
            stage=title,
            remedy=f"draw {whole}fewer levels (--depth 4), or ask for --max-states {twig.size}",
        )
    return picture_of_svg(to_svg(twig, title=title), kind, font_dirs=font_dirs)


def to_svg(twig: Twig, *, title: str = "") -> str:
    """A tree from left to right, as high as it has ends."""
    columns = columns_of(twig)
    lefts: list[float] = []
    x = MARGIN
    for node, label in columns:
        x += label + (GAP if lefts else 0)
        lefts.append(x)
        x += node
    top = MARGIN + (LINE + MARGIN / 2 if title else 0)
    width = max(x + MARGIN, 2 * MARGIN + 1.25 * text_width(title))
    height = top + ROW * twig.rows + MARGIN
    rows = opening_lines(Canvas(0, 0, width, height), title=title)
    if title:
        rows.append(draw_heading((MARGIN, MARGIN + LINE), title))
    return "\n".join([*rows, *node_rows(twig, lefts, 0, top), "</svg>", ""])


def columns_of(twig: Twig) -> list[tuple[float, float]]:
    """The widest node of each depth, and the widest label before it."""
    level, found = [twig], []
    while level:
        labels = max(text_width(one.label) for one in level)
        found.append((max(map(node_width, level)), labels))
        level = [below for one in level for below in one.below]
    return found


def node_width(twig: Twig) -> float:
    return text_width(twig.text) + 2 * INSET + (text_width(twig.note) if twig.note else 0)


def node_rows(twig: Twig, lefts: Sequence[float], depth: int, top: float) -> list[str]:
    """A node in the middle of its rows, with the lines to those below and these themselves."""
    x, y = lefts[depth], top + ROW * twig.rows / 2
    box = text_width(twig.text) + 2 * INSET
    rows, begin = [], top
    for below in twig.below:
        there = begin + ROW * below.rows / 2
        start = lefts[depth + 1] - text_width(below.label) - INSET
        turn = (x + box + GAP * 0.6, y), (start - GAP * 0.6, there)
        path = f"M{point((x + box, y))}C{point(turn[0])} {point(turn[1])} {point((start, there))}"
        rows.append(
            f'<path d="{path}L{point((lefts[depth + 1], there))}" fill="none" '
            f'stroke="{LINES}" stroke-width="1.3"/>'
        )
        middle = lefts[depth + 1] - text_width(below.label) / 2 - INSET / 2
        rows += label_rows(below.label, middle, there)
        rows += node_rows(below, lefts, depth + 1, begin)
        begin += ROW * below.rows
    corner = f'x="{number(x)}" y="{number(y - 11)}" width="{number(box)}" height="22"'
    look = f'rx="6" fill="{FILL}"' if not twig.below else f'rx="3" fill="{PAPER}" stroke="{INK}"'
    rows += [f"<g><title>{xml(twig.about)}</title>", f"<rect {corner} {look}/>"]
    rows.append(draw_text((x + box / 2, y + 4.5), twig.text, 'text-anchor="middle"'))
    if twig.note:
        style = f'font-size="11" fill="{LINES}"'
        rows.append(draw_text((x + box + 6, y + 4), twig.note, style))
    return [*rows, "</g>"]


def label_rows(label: str, x: float, y: float) -> list[str]:
    """The label of a branch, on the line."""
    width = text_width(label)
    corner = f'x="{number(x - width / 2)}" y="{number(y - LINE / 2)}"'
    size = f'width="{number(width)}" height="{number(LINE)}"'
    return [
        f'<rect {corner} {size} rx="3" fill="{PAPER}"/>',
        draw_text((x, y + 4.5), label, 'text-anchor="middle"'),
    ]

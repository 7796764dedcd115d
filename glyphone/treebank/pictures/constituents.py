"""The picture of a tree of constituents: words below, every constituent above what it holds.

>>> svg = to_svg(Tree("S", (Tree("NP", (Tree("Ann"),)), Tree("VP", (Tree("runs"),)))))
>>> svg.count("<path") - 1, [word in svg for word in ("S", "NP", "Ann")]
(4, [True, True, True])
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from glyphone.data.records import Tree
from glyphone.data.treebanks.brackets import words_of
from glyphone.drawing.labels import visible_text
from glyphone.drawing.sheets import draw_label, draw_line, draw_sheet, draw_tile, tile_width
from glyphone.drawing.svg import LINE, MARGIN, number, point, text_width, xml

ROW, GAP = 40.0, 12.0


@dataclass(frozen=True)
class Sized:
    """A node, how many rows are below it, how much room it takes, and its label."""

    tree: Tree
    height: int
    room: float
    own: float
    below: tuple[Sized, ...] = ()

    @property
    def inside(self) -> float:
        return sum(one.room for one in self.below) + GAP * (len(self.below) - 1)


def to_svg(tree: Tree, *, title: str = "") -> str:
    """A tree with its root above; all words stand in one row."""
    root = sized(tree)
    bottom = MARGIN + ROW * root.height
    rows, _ = drawn(root, MARGIN, bottom)
    return draw_sheet(rows, root.room + 2 * MARGIN, bottom + LINE + MARGIN, title=title)


def size_of(tree: Tree) -> int:
    """How many nodes there are."""
    agenda, count = [tree], 0
    while agenda:
        count += 1
        agenda.extend(agenda.pop().children)
    return count


def sized(tree: Tree) -> Sized:
    if not tree.children:
        own = tile_width(tree.label)
        return Sized(tree, 0, own, own)
    own = text_width(visible_text(tree.label)) + 4
    bare = Sized(tree, 0, 0.0, own, tuple(map(sized, tree.children)))
    height = 1 + max(one.height for one in bare.below)
    return replace(bare, height=height, room=max(own, bare.inside))


def drawn(node: Sized, left: float, bottom: float) -> tuple[list[str], float]:
    """A node and all below it, and where the middle of its label is."""
    if not node.below:
        middle = left + node.room / 2
        return draw_tile(node.tree.label, middle, bottom - LINE / 2), middle
    rows, middles = [], []
    x = left + (node.room - node.inside) / 2
    for one in node.below:
        below, middle = drawn(one, x, bottom)
        rows += below
        middles.append(middle)
        x += one.room + GAP
    middle = (middles[0] + middles[-1]) / 2
    middle = min(max(middle, left + node.own / 2), left + node.room - node.own / 2)
    y = bottom - ROW * node.height
    links = [
        # Down to the next row, and then straight: nothing else stands above a node.
        draw_line(
            f"M{point((middle, y + LINE / 2))}L{point((there, y + ROW - LINE / 2))}"
            f"V{number(bottom - ROW * one.height - LINE / 2)}"
        )
        for one, there in zip(node.below, middles, strict=True)
    ]
    about = f"{node.tree.label}: {' '.join(words_of(node.tree))}"
    named = [
        f"<g><title>{xml(visible_text(about))}</title>",
        *draw_label(node.tree.label, middle, y),
        "</g>",
    ]
    return [*links, *named, *rows], middle

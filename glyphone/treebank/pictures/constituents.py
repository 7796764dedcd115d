"""Pictures of trees of constituents: words stand in one row, a constituent above its parts.

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
class NodeSize:
    """A node with the count of rows below it, its width, the width of its label, its children."""

    tree: Tree
    height: int
    width: float
    label_width: float
    children: tuple[NodeSize, ...] = ()

    @property
    def children_width(self) -> float:
        return sum(child.width for child in self.children) + GAP * (len(self.children) - 1)


def to_svg(tree: Tree, *, title: str = "") -> str:
    """The picture of a tree with its root above."""
    root = measure_node(tree)
    bottom = MARGIN + ROW * root.height
    rows, _ = draw_node(root, MARGIN, bottom)
    return draw_sheet(rows, root.width + 2 * MARGIN, bottom + LINE + MARGIN, title=title)


def count_nodes(tree: Tree) -> int:
    """The count of nodes of a tree."""
    agenda, count = [tree], 0
    while agenda:
        count += 1
        agenda.extend(agenda.pop().children)
    return count


def measure_node(tree: Tree) -> NodeSize:
    if not tree.children:
        own = tile_width(tree.label)
        return NodeSize(tree, 0, own, own)
    own = text_width(visible_text(tree.label)) + 4
    bare = NodeSize(tree, 0, 0.0, own, tuple(map(measure_node, tree.children)))
    height = 1 + max(child.height for child in bare.children)
    return replace(bare, height=height, width=max(own, bare.children_width))


def draw_node(node: NodeSize, left: float, bottom: float) -> tuple[list[str], float]:
    """The rows of a node and of all nodes below it, and the middle of its label."""
    if not node.children:
        middle = left + node.width / 2
        return draw_tile(node.tree.label, middle, bottom - LINE / 2), middle
    rows, middles = [], []
    x = left + (node.width - node.children_width) / 2
    for child in node.children:
        below, middle = draw_node(child, x, bottom)
        rows += below
        middles.append(middle)
        x += child.width + GAP
    middle = (middles[0] + middles[-1]) / 2
    half = node.label_width / 2
    middle = min(max(middle, left + half), left + node.width - half)
    y = bottom - ROW * node.height
    links = [
        # Down to the next row, and then straight: nothing else stands above a node.
        draw_line(
            f"M{point((middle, y + LINE / 2))}L{point((there, y + ROW - LINE / 2))}"
            f"V{number(bottom - ROW * child.height - LINE / 2)}"
        )
        for child, there in zip(node.children, middles, strict=True)
    ]
    about = f"{node.tree.label}: {' '.join(words_of(node.tree))}"
    named = [
        f"<g><title>{xml(visible_text(about))}</title>",
        *draw_label(node.tree.label, middle, y),
        "</g>",
    ]
    return [*links, *named, *rows], middle

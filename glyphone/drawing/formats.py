"""Pictures of graphs: SVG, PNG and DOT.

SVG and DOT need nothing; an SVG is the same on every machine, and its text is text, which the
viewer's fonts set. A PNG is drawn from the SVG with the fonts of this machine, and needs
`resvg_py`, the extra `draw`.

>>> from glyphone.drawing.graphs import Edge
>>> graph = Graph(("0", "1"), (Edge(0, 1, ("a", "b:ε/0.5")),), 0, {1: ""})
>>> print(picture_of_graph(graph, "dot").decode())
digraph {
  rankdir=LR
  node [shape=circle fontname="sans-serif"]
  edge [fontname="sans-serif"]
  0 [label="0" style=bold]
  1 [label="1" shape=doublecircle]
  0 -> 1 [label="a\\nb:ε/0.5"]
}
<BLANKLINE>
"""

from __future__ import annotations

import logging
import math
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree

from glyphone.data.errors import UnknownName
from glyphone.data.extras import need_package
from glyphone.drawing.graphs import Graph
from glyphone.drawing.labels import storable_text
from glyphone.drawing.svg import FONTS, to_svg

# A PNG has two pixels for one unit of the SVG, but is rather coarser than larger than this.
SCALE = 2.0
MOST_PIXELS = 64_000_000

# No font has a letter for it, so it looks as everything does that no font has.
_NOBODYS = "\U0010fffd"

log = logging.getLogger("glyphone")


def picture_of_graph(graph: Graph, kind: str, *, font_dirs: Sequence[Path] = ()) -> bytes:
    """The content of a picture file; `kind` is svg, png or dot."""
    if kind == "dot":
        return to_dot(graph).encode()
    if kind == "svg":
        return to_svg(graph).encode()
    if kind == "png":
        return to_png(to_svg(graph), font_dirs=font_dirs)
    raise UnknownName("kind of picture", kind, ["dot", "png", "svg"])


def to_dot(graph: Graph) -> str:
    """The graph in the language of graphviz."""
    rows = [
        "rankdir=LR",
        'node [shape=circle fontname="sans-serif"]',
        'edge [fontname="sans-serif"]',
    ]
    if graph.title:
        rows.append(f"label={dot_text(graph.title)} labelloc=t")
    for node, name in enumerate(graph.nodes):
        weight = graph.finals.get(node)
        row = f"{node} [label={dot_text(name, weight or '')}"
        row += "" if weight is None else " shape=doublecircle"
        rows.append(row + (" style=bold]" if node == graph.start else "]"))
    for edge in graph.edges:
        rows.append(f"{edge.source} -> {edge.target} [label={dot_text(*edge.label)}]")
    return "\n  ".join(["digraph {", *rows]) + "\n}\n"


def dot_text(*lines: str) -> str:
    shown = [
        storable_text(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines if line
    ]
    return '"' + "\\n".join(shown) + '"'


def to_png(svg: str, *, scale: float = SCALE, font_dirs: Sequence[Path] = ()) -> bytes:
    """An SVG in pixels. Letters that no font has become boxes, with a warning in the log."""
    resvg_py = need_package("resvg_py", to="draw a PNG, unlike an SVG,", extra="draw")

    def drawn(svg: str, zoom: float) -> bytes:
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=svg, zoom=zoom, font_dirs=[str(path) for path in font_dirs] or None
            )
        )

    root = ElementTree.fromstring(svg)
    pixels = float(root.attrib["width"]) * float(root.attrib["height"])
    missing = unknown_scripts("".join(root.itertext()), lambda probe: drawn(probe, 1.0))
    if missing:
        log.warning(
            "no font here has letters of %s: the PNG has boxes or gaps for them "
            "(install a font, name its folder, or draw an SVG, whose viewer chooses the fonts)",
            ", ".join(missing),
        )
    return drawn(svg, min(scale, math.sqrt(MOST_PIXELS / pixels)))


def unknown_scripts(text: str, drawn: Callable[[str], bytes]) -> list[str]:
    """The scripts for whose first letter in the text no font has a shape.

    Script is taken to be the first word of the letter's name: HANGUL SYLLABLE GA.
    """
    examples: dict[str, str] = {}
    for letter in text:
        if letter.isalpha():
            examples.setdefault(unicodedata.name(letter, "?").split()[0], letter)

    def probe(letter: str) -> bytes:
        return drawn(
            '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" '
            f'font-family="{FONTS}"><text x="5" y="22">{letter}</text></svg>'
        )

    shapeless = {probe(_NOBODYS), probe("")}
    return [script.title() for script, letter in examples.items() if probe(letter) in shapeless]

"""Pictures of graphs: golden texts, what holds for any graph, and every kind of picture."""

from __future__ import annotations

import logging
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import NotInstalled, UnknownName
from glyphone.drawing.formats import picture_of_graph, to_dot, to_png, unknown_scripts
from glyphone.drawing.graphs import Edge, Graph, graph_of_machine
from glyphone.drawing.svg import to_svg
from tests.glyphone.drawing.support import TINY, elements, graphs, machine

DOT = r"""digraph {
  rankdir=LR
  node [shape=circle fontname="sans-serif"]
  edge [fontname="sans-serif"]
  label="tiny" labelloc=t
  0 [label="0" style=bold]
  1 [label="1\n0.25" shape=doublecircle]
  0 -> 0 [label="a"]
  0 -> 1 [label="a:b/0.5\nb:ε"]
  1 -> 0 [label="<&>\"':␣"]
}
"""
# Look at it in a browser before you accept another one.
SVG = Path(__file__).with_name("tiny.svg").read_text(encoding="utf-8")


def test_golden_dot() -> None:
    assert to_dot(graph_of_machine(TINY, title="tiny")) == DOT


def test_golden_svg() -> None:
    assert to_svg(graph_of_machine(TINY, title="tiny")) == SVG


@given(graphs())
def test_svg_is_well_formed_and_complete(graph: Graph) -> None:
    texts = ["".join(element.itertext()) for element in elements(graph, "text")]
    lines = [line for edge in graph.edges for line in edge.label]
    weights = [weight for weight in graph.finals.values() if weight]
    shown = [*lines, *graph.nodes, *weights]
    assert not Counter(shown) - Counter(texts)
    assert len(texts) - len(shown) <= 1  # the title
    assert len(elements(graph, "circle")) == len(graph.nodes) + len(graph.finals)


@given(graphs())
def test_the_same_graph_gives_the_same_picture(graph: Graph) -> None:
    again = Graph(graph.nodes, graph.edges, graph.start, dict(graph.finals), graph.title)
    assert picture_of_graph(graph, "svg") == picture_of_graph(again, "svg")
    assert picture_of_graph(graph, "dot") == picture_of_graph(again, "dot")


QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"')


@settings(max_examples=100)
@given(st.text() | st.text(st.sampled_from("<>&\"'\\\n\x00\x1b\ud800\ufffe]]>")))
def test_any_text_can_stand_in_a_picture(text: str) -> None:
    graph = Graph((text,), (Edge(0, 0, (text,)),), 0, {0: "1"}, "title" + text)
    assert len(elements(graph, "text")) == 4
    plain = Graph(("a",), (Edge(0, 0, ("a",)),), 0, {0: "1"}, "title")
    assert QUOTED.sub("", to_dot(graph)) == QUOTED.sub("", to_dot(plain))


def test_a_machine_of_no_states_is_said_to_be_one() -> None:
    empty = graph_of_machine(machine([], [], start=-1), title="EMPTY")
    assert "EMPTY (no states)" in to_svg(empty)
    assert empty.start is None


def test_a_graph_can_be_made_by_hand() -> None:
    graph = Graph(("q0", "q1"), (Edge(0, 1, ("x",)),), None, {1: ""})
    assert "q1" in to_svg(graph)
    assert "style=bold" not in to_dot(graph)


def test_kinds() -> None:
    with pytest.raises(UnknownName, match="no kind of picture named 'jpg'"):
        picture_of_graph(graph_of_machine(TINY), "jpg")


def test_png(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    png = picture_of_graph(graph_of_machine(TINY), "png", font_dirs=[tmp_path])
    assert png.startswith(b"\x89PNG")
    root = ElementTree.fromstring(to_svg(graph_of_machine(TINY)))
    width = int.from_bytes(png[16:20], "big")
    assert width == pytest.approx(2 * float(root.attrib["width"]), abs=2)


def test_a_large_png_is_made_coarser(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resvg_py")
    monkeypatch.setattr("glyphone.drawing.formats.MOST_PIXELS", 640_000)
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="400"/>'
    png = to_png(svg, scale=4)
    width, height = (int.from_bytes(png[place : place + 4], "big") for place in (16, 20))
    assert 630_000 <= width * height <= 641_000


def test_scripts_that_no_font_has_are_told(caplog: pytest.LogCaptureFixture) -> None:
    """Cypro-Minoan, of Unicode 14, stands for all of them; a machine that has it is rare."""
    pytest.importorskip("resvg_py")

    def drawn(svg: str) -> bytes:
        return b"box" if "한" in svg or "\U0010fffd" in svg else svg.encode()

    assert unknown_scripts("a한글b1", drawn) == ["Hangul"]
    with caplog.at_level(logging.WARNING, "glyphone"):
        to_png(to_svg(Graph(("\U00012f90",), (), 0, {})))
    assert "Cypro-Minoan" in caplog.text


def test_png_without_its_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    blocked: Any = None
    monkeypatch.setitem(sys.modules, "resvg_py", blocked)
    with pytest.raises(NotInstalled, match=r'pip install "glyphone\[draw\]"'):
        picture_of_graph(graph_of_machine(TINY), "png")
    assert picture_of_graph(graph_of_machine(TINY), "svg").startswith(b"<svg")

"""Pictures: golden texts for a tiny machine, and what must hold for any machine."""

from __future__ import annotations

import logging
import re
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError, NoOutput, NotInstalled, UnknownName
from glyphone.data.records import Alignment
from glyphone.data.writing import Writing
from glyphone.drawing import picture, to_dot, to_png, unknown_scripts
from glyphone.fst import joint_file
from glyphone.fst.joint import train_joint
from glyphone.fst.machine import SymbolTable, Transducer
from glyphone.fst.model import Model
from glyphone.graphs import Edge, Graph, graph_of_item, graph_of_lattice, graph_of_machine
from glyphone.labels import label, symbol_text, weight_text
from glyphone.layout import Box, layout
from glyphone.nearby import within
from glyphone.svg import label_box, node_box, to_svg

from ..fst.support import lattice_paths
from .support import glyphone

SYMBOLS = ["a", "b", "<&>\"'", " ", "\n", "\u0301", "ب", "크", "क", "\\", "ɲ"]
TABLE = SymbolTable.of(SYMBOLS)
INFINITY = float("inf")


def machine(
    arcs: Sequence[tuple[int, int, int, float, int]], finals: Sequence[float], *, start: int = 0
) -> Transducer:
    sources, ilabels, olabels, weights, targets = zip(*arcs, strict=True) if arcs else ([],) * 5
    return Transducer.from_arcs(
        start, finals, sources, ilabels, olabels, weights, targets, TABLE, TABLE
    )


TINY = machine(
    [(0, 1, 1, 0, 0), (0, 1, 2, 0.5, 1), (0, 2, 0, 0, 1), (1, 3, 4, 0, 0)], [INFINITY, 0.25]
)

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


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n_states = draw(st.integers(0, 12))
    states = st.integers(0, max(n_states - 1, 0))
    labels = st.integers(0, len(SYMBOLS))
    weights = st.sampled_from([0.0, 0.5, -1.25, 1e7])
    arc = st.tuples(states, labels, labels, weights, states)
    arcs = draw(st.lists(arc, max_size=40)) if n_states else []
    finals = draw(st.lists(weights | st.just(INFINITY), min_size=n_states, max_size=n_states))
    start = draw(st.integers(-1, n_states - 1))
    return graph_of_machine(machine(arcs, finals, start=start), title=draw(st.text(max_size=5)))


def elements(graph: Graph, tag: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(picture(graph, "svg"))
    return list(root.iter(f"{{http://www.w3.org/2000/svg}}{tag}"))


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
def test_nothing_is_clipped(graph: Graph) -> None:
    (root,) = elements(graph, "svg")
    x, y, width, height = map(float, root.attrib["viewBox"].split())
    for path in elements(graph, "path")[1:]:  # after that of the arrow
        numbers = [float(value) for value in re.findall(r"-?[\d.]+", path.attrib["d"])]
        assert all(x <= across <= x + width for across in numbers[::2])
        assert all(y <= down <= y + height for down in numbers[1::2])


@given(graphs())
def test_nothing_overlaps(graph: Graph) -> None:
    """Neither labels nor states, and no edge runs through one that it does not touch."""
    loops = {edge.source: edge for edge in graph.edges if edge.source == edge.target}
    boxes = [
        node_box(loops.get(node), graph.finals.get(node, "")) for node in range(len(graph.nodes))
    ]
    labels = [label_box(edge.label) for edge in graph.edges]
    ends = [(edge.source, edge.target) for edge in graph.edges]
    place = layout(boxes, ends, labels, start=graph.start)
    taken = [(x, y, box) for (x, y), box in zip(place.nodes, boxes, strict=True)]
    passed = set()
    for stops, box in zip(place.stops, labels, strict=True):
        for number, stop in enumerate(stops):
            middle = (stop.left + stop.right) / 2
            if number:
                passed.add((middle, stop.y))
                assert abs(stop.fall) < 5
            else:
                taken.append((middle, stop.y, box))
    taken += [(x, y, Box(0, 0, 0)) for x, y in passed]
    spaces = sorted((x, y - box.up, y + box.down, box.width) for x, y, box in taken)
    for (x, _, down, width), (next_x, up, _, next_width) in pairwise(spaces):
        assert down < up or x + width / 2 < next_x - next_width / 2


@given(graphs())
def test_the_start_stands_left(graph: Graph) -> None:
    boxes = [Box(10, 5, 5)] * len(graph.nodes)
    ends = [(edge.source, edge.target) for edge in graph.edges]
    place = layout(boxes, ends, [Box(8, 4, 4)] * len(ends), start=graph.start)
    if graph.start is not None:
        assert place.nodes[graph.start][0] == min(x for x, _ in place.nodes)


@given(graphs())
def test_without_cycles_all_edges_lead_right(graph: Graph) -> None:
    ends = [(edge.source, edge.target) for edge in graph.edges if edge.source < edge.target]
    place = layout([Box(10, 5, 5)] * len(graph.nodes), ends, [Box(8, 4, 4)] * len(ends), start=None)
    assert all(place.nodes[source][0] < place.nodes[target][0] for source, target in ends)


@given(graphs())
def test_the_same_graph_gives_the_same_picture(graph: Graph) -> None:
    again = Graph(graph.nodes, graph.edges, graph.start, dict(graph.finals), graph.title)
    assert picture(graph, "svg") == picture(again, "svg")
    assert picture(graph, "dot") == picture(again, "dot")


QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"')


@settings(max_examples=200)
@given(st.text() | st.text(st.sampled_from("<>&\"'\\\n\x00\x1b\ud800\ufffe]]>")))
def test_any_text_can_stand_in_a_picture(text: str) -> None:
    graph = Graph((text,), (Edge(0, 0, (text,)),), 0, {0: "1"}, "title" + text)
    assert len(elements(graph, "text")) == 4
    plain = Graph(("a",), (Edge(0, 0, ("a",)),), 0, {0: "1"}, "title")
    assert QUOTED.sub("", to_dot(graph)) == QUOTED.sub("", to_dot(plain))


@pytest.mark.parametrize(
    ("symbol", "shown"),
    [
        ("", "ε"),
        ("ε", "'ε'"),
        (" ", "␣"),
        ("\u0301", "◌\u0301"),
        ("\u093e", "◌\u093e"),
        ("\t", "U+0009"),
        ("\u00a0", "U+00A0"),
        ("\u200d", "U+200D"),
        ("ب", "\u200eب\u200e"),
        ("t͡ʃ", "t͡ʃ"),
        ("한", "한"),
    ],
)
def test_symbols_can_be_read(symbol: str, shown: str) -> None:
    assert symbol_text(symbol) == shown


def test_weights_have_three_digits() -> None:
    shown = [weight_text(weight) for weight in (0.0, 0.693147, -2.0, 999.7, 123456.7, 1e9)]
    assert shown == ["", "0.693", "-2", "1000", "123457", "1e+09"]


def test_long_labels_are_cut_and_counted_but_told_in_full() -> None:
    letters = [chr(code) for code in range(0x3B1, 0x3B1 + 24) if code != 0x3B5]
    assert label([(letter, letter, 0.0) for letter in letters]) == ("α β γ δ ζ η θ ι … (23)",)
    lines = label([(letter, "x", 1.5) for letter in letters])
    assert len(lines) == 4
    assert lines[-1].endswith("… (23)")
    table = SymbolTable.of(letters)
    labels = list(range(1, 24))
    many = Transducer.from_arcs(
        0, [0.0], [0] * 23, labels, labels, [0.0] * 23, [0] * 23, table, table
    )
    (edge,) = graph_of_machine(many).edges
    assert len(edge.arcs) == 23
    assert ", ".join(edge.arcs) in to_svg(graph_of_machine(many))


def test_labels_without_symbol_tables_are_bytes_or_code_points() -> None:
    def shown(*labels: int) -> tuple[str, ...]:
        zeros = [0] * len(labels)
        bare = Transducer.from_arcs(0, [0.0], zeros, labels, labels, zeros, zeros)
        return graph_of_machine(bare).edges[0].arcs

    assert shown(97, 0xC3) == ("a", "\\xc3")
    assert shown(97, 0xC3, 0x14B) == ("a", "Ã", "ŋ")
    assert shown(97, 0x110000) == ("a", "#1114112")


def test_caps_say_how_much_there_is_and_what_to_do() -> None:
    chain = machine([(k, 1, 1, 0, k + 1) for k in range(5)], [0.0] * 6)
    with pytest.raises(GlyphoneError, match=r"6 states and 5 arcs .* 5 states and 1,000 arcs") as a:
        graph_of_machine(chain, max_states=5, title="CHAIN")
    assert "--item WORD" in str(a.value)
    assert "--max-states 6" in str(a.value)
    assert str(a.value).startswith("CHAIN: ")
    with pytest.raises(GlyphoneError, match=r"--max-arcs 5\)"):
        graph_of_machine(chain, max_arcs=4)
    assert len(graph_of_machine(chain, max_states=6, max_arcs=5).edges) == 5


def test_parallel_arcs_count_once_for_the_cap() -> None:
    parallel = machine([(0, k, k, 0, 0) for k in range(1, 8)], [0.0])
    assert len(graph_of_machine(parallel, max_arcs=1).edges) == 1


AMBIGUOUS = Model.from_machines(
    [
        machine(
            [
                (0, 1, 1, 0, 1),
                (0, 1, 2, 0.5, 1),
                (1, 2, 0, 1, 2),
                (1, 2, 2, 0.25, 2),
                (1, 0, 11, 0, 3),
                (3, 2, 2, 2, 2),
            ],
            [INFINITY, INFINITY, 0.0, INFINITY],
        )
    ],
    name="AMBIGUOUS",
)


def test_a_lattice_shows_what_each_arc_reads_and_writes() -> None:
    graph = graph_of_item(AMBIGUOUS, "a b", title="ab")
    assert (graph.start, graph.title, list(graph.finals.values())) == (0, "ab", [""])
    assert {edge.label for edge in graph.edges} == {
        ("a", "a:b/0.5"),
        ("b/0.25", "b:ε/1"),
        ("ε:ɲ",),
        ("b/2",),
    }
    names = AMBIGUOUS.target.names
    assert graph_of_lattice(AMBIGUOUS.lattice("a b"), ["a", "b"], names, title="ab") == graph
    with pytest.raises(NoOutput):
        graph_of_item(AMBIGUOUS, "b a")
    with pytest.raises(GlyphoneError, match="draw a shorter item"):
        graph_of_item(AMBIGUOUS, "a b", max_states=2)


def test_only_paths_near_the_best_one() -> None:
    """Held against all paths: those within the beam stay, and what is on none of them goes."""
    lattice = AMBIGUOUS.lattice("a b")
    every = {(written, cost) for written, cost, _ in lattice_paths(lattice)}
    best = min(cost for _, cost in every)
    for beam in (0.0, 0.3, 0.6, 1.0, 1.6, 9.0):
        near = {(written, cost) for written, cost, _ in lattice_paths(within(lattice, beam))}
        assert {(w, c) for w, c in every if c <= best + beam} <= near <= every
        graph = graph_of_item(AMBIGUOUS, "a b", beam=beam)
        assert len(graph.nodes) == within(lattice, beam).n_states
    assert {cost for _, cost in near} == {cost for _, cost in every}
    assert len(list(lattice_paths(within(lattice, 0.0)))) == 1
    assert within(lattice, INFINITY) is lattice


def test_what_a_learned_model_makes_of_an_item(tmp_path: Path) -> None:
    rows = [
        Alignment(((("p",), (y,)), (("h",), ()), (("i",), (z,))))
        for y, z in ["fi", "fi", "fi", "pi", "fj", "bj"]
    ]
    path = tmp_path / "tiny.glyphone"
    model = train_joint(rows, source=Writing(), target=Writing(), order=2)
    joint_file.save(model, path)

    def drawn(*words: str) -> str:
        ran = glyphone("draw", path, "--item", "phi", "--kind", "dot", *words)
        assert ran.code == 0, ran.err
        return ran.out

    assert 'label="phi: paths within 5 nats of the best"' in drawn()
    assert drawn("--beam", "0").count("->") == 3 and '"p:f/' in drawn("--beam", "0")
    assert drawn().count("->") > 3 and '"h:ε' in drawn()
    assert "nats" not in drawn("--title", "another")
    whole = glyphone("draw", path)
    assert whole.code == 2
    assert whole.err == (
        f"glyphone: {path}: is a learned model, too large to draw "
        "(draw what becomes of one word: --item WORD)\n"
    )
    assert "--beam goes with" in glyphone("draw", path, "--beam", "3").err


def test_a_machine_of_no_states_is_said_to_be_one() -> None:
    empty = graph_of_machine(machine([], [], start=-1), title="EMPTY")
    assert "EMPTY (no states)" in to_svg(empty)
    assert empty.start is None


def test_edges_to_one_state_share_their_way_and_one_arrow() -> None:
    back = [(k, 2, 2, 0, 0) for k in range(3, 9)]
    chain = machine([(k, 1, 1, 0, k + 1) for k in range(8)] + back, [0.0] * 9)
    svg = to_svg(graph_of_machine(chain))
    assert svg.count("marker-end") == 8 + 1 + 1  # forwards, all the ways back, into the start


def test_kinds() -> None:
    with pytest.raises(UnknownName, match="no kind of picture named 'jpg'"):
        picture(graph_of_machine(TINY), "jpg")


def test_png(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    png = picture(graph_of_machine(TINY), "png", font_dirs=[tmp_path])
    assert png.startswith(b"\x89PNG")
    root = ElementTree.fromstring(to_svg(graph_of_machine(TINY)))
    width = int.from_bytes(png[16:20], "big")
    assert width == pytest.approx(2 * float(root.attrib["width"]), abs=2)


def test_a_large_png_is_made_coarser() -> None:
    pytest.importorskip("resvg_py")
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8000" height="4000"/>'
    png = to_png(svg, scale=4)
    width, height = (int.from_bytes(png[place : place + 4], "big") for place in (16, 20))
    assert width * height <= 64_100_000


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
        picture(graph_of_machine(TINY), "png")
    assert picture(graph_of_machine(TINY), "svg").startswith(b"<svg")


def test_a_graph_can_be_made_by_hand() -> None:
    graph = Graph(("q0", "q1"), (Edge(0, 1, ("x",)),), None, {1: ""})
    assert "q1" in to_svg(graph)
    assert "style=bold" not in to_dot(graph)

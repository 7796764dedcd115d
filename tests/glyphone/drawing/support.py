"""Machines, any graph, and the elements of its picture, for tests of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from hypothesis import strategies as st

from glyphone.drawing.formats import picture_of_graph
from glyphone.drawing.graphs import Graph, graph_of_machine
from glyphone.fst.automata.transducer import SymbolTable, Transducer

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
    root = ElementTree.fromstring(picture_of_graph(graph, "svg"))
    return list(root.iter(f"{{http://www.w3.org/2000/svg}}{tag}"))

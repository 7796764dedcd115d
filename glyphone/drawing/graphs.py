"""Transducers and lattices as graphs of labelled nodes and edges, for drawing.

Arcs between the same two states become one edge: its label names them briefly, its `arcs` in full,
in the notation of `glyphone.drawing.labels`. Of a lattice the paths near the best one are kept.

>>> from glyphone.fst.automata.transducer import SymbolTable
>>> letters = SymbolTable.of("abc")
>>> machine = Transducer.from_arcs(
...     0, [math.inf, 0.5], [0, 0, 0], [1, 2, 3], [1, 2, 0], [0, 0, 0.25], [1, 1, 1],
...     letters, letters)
>>> graph = graph_of_machine(machine)
>>> graph.edges[0].label, graph.finals
(('a b', 'c:ε/0.25'), {1: '0.5'})
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.drawing.labels import Pair, arc_text, edge_label, weight_text
from glyphone.fst.automata.transducer import SymbolTable, Transducer
from glyphone.fst.interface.model import Model
from glyphone.fst.lattices import trimming_kernels
from glyphone.fst.lattices.arrays import Lattice

MAX_STATES = 300
MAX_ARCS = 1000

# The costs of a path are added in another order here than in the search for the best one.
_ROUNDING = 1e-9

Arc = tuple[int, int, Pair]


@dataclass(frozen=True)
class Edge:
    """All arcs from one state to another."""

    source: int
    target: int
    label: tuple[str, ...]
    arcs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Graph:
    """Texts of nodes and edges; `finals` has the text of the weight of each final state."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    start: int | None
    finals: Mapping[int, str]
    title: str = ""


def graph_of_machine(
    machine: Transducer,
    *,
    title: str = "",
    max_states: int = MAX_STATES,
    max_arcs: int = MAX_ARCS,
) -> Graph:
    """The graph of a transducer; GlyphoneError if it is larger than the caps."""
    inputs = label_namer(machine.isymbols, highest=int(machine.ilabels.max(initial=0)))
    outputs = label_namer(machine.osymbols, highest=int(machine.olabels.max(initial=0)))
    arcs = (
        (source, target, (inputs(ilabel), outputs(olabel), weight))
        for source, target, ilabel, olabel, weight in zip(
            machine.sources().tolist(),
            machine.targets.tolist(),
            machine.ilabels.tolist(),
            machine.olabels.tolist(),
            machine.weights.tolist(),
            strict=True,
        )
    )
    caps = Caps(max_states, max_arcs, title, "draw only the paths of one word by --item WORD")
    caps.check(machine.n_states, machine.n_arcs)
    start = None if machine.start < 0 else machine.start
    return graph_of_arcs(arcs, machine.finals.tolist(), start, caps)


def graph_of_lattice(
    lattice: Lattice,
    inputs: Sequence[str],
    names: Mapping[int, str],
    *,
    title: str = "",
    max_states: int = MAX_STATES,
    max_arcs: int = MAX_ARCS,
) -> Graph:
    """The graph of all outputs for the input symbols; `names` has the symbols of the labels."""
    output = label_namer(names, highest=int(lattice.labels.max(initial=0)))
    sources = [
        state
        for state in range(lattice.n_states)
        for _ in range(lattice.offsets[state], lattice.offsets[state + 1])
    ]
    columns = (lattice.targets, lattice.begins, lattice.ends, lattice.labels, lattice.costs)
    arcs = (
        (source, target, ("".join(inputs[max(begin, 0) : max(end, 0)]), output(label), cost))
        for source, target, begin, end, label, cost in zip(
            sources, *(column.tolist() for column in columns), strict=True
        )
    )
    remedy = "draw a shorter item, or by --beam fewer of its paths"
    caps = Caps(max_states, max_arcs, title, remedy)
    caps.check(lattice.n_states, len(sources))
    cheapest_first = sorted(arcs, key=lambda arc: arc[2][2])
    return graph_of_arcs(cheapest_first, lattice.finals.tolist(), 0, caps)


def graph_of_item(
    model: Model,
    item: str,
    *,
    beam: float = math.inf,
    title: str = "",
    max_states: int = MAX_STATES,
    max_arcs: int = MAX_ARCS,
) -> Graph:
    """The graph of the outputs of a model for one item.

    Paths that cost over `beam` nats more than the best are left out.
    """
    model, item = model.reader_of(item)
    labels = model.source.encode(item).labels
    name = label_namer(model.source.names, highest=max(labels, default=0))
    return graph_of_lattice(
        prune_lattice(model.lattice(item), beam),
        [name(label) for label in labels],
        model.target.names,
        title=title,
        max_states=max_states,
        max_arcs=max_arcs,
    )


@dataclass(frozen=True)
class Caps:
    """The largest size of a picture; parallel arcs are one edge, and count once."""

    max_states: int
    max_arcs: int
    title: str
    remedy: str

    def check(self, n_states: int, n_arcs: int, n_edges: int = 0) -> None:
        if n_states <= self.max_states and n_edges <= self.max_arcs:
            return
        size = f"{n_states:,} states and {n_arcs:,} arcs"
        if n_edges:
            size += f" ({n_edges:,} if parallel arcs count once)"
        larger = f" --max-states {n_states}" if n_states > self.max_states else ""
        larger += f" --max-arcs {n_edges}" if n_edges > self.max_arcs else ""
        raise GlyphoneError(
            f"{size} are too much for a picture, which holds "
            f"{self.max_states:,} states and {self.max_arcs:,} arcs",
            stage=self.title or None,
            remedy=f"{self.remedy}, or ask for{larger}",
        )


def graph_of_arcs(
    arcs: Iterable[Arc], finals: Sequence[float], start: int | None, caps: Caps
) -> Graph:
    parallel: dict[tuple[int, int], list[Pair]] = {}
    for source, target, pair in arcs:
        parallel.setdefault((source, target), []).append(pair)
    caps.check(len(finals), sum(map(len, parallel.values())), len(parallel))
    return Graph(
        tuple(map(str, range(len(finals)))),
        tuple(
            Edge(source, target, edge_label(pairs), tuple(map(arc_text, pairs)))
            for (source, target), pairs in sorted(parallel.items())
        ),
        start,
        {state: weight_text(weight) for state, weight in enumerate(finals) if weight < math.inf},
        caps.title,
    )


def label_namer(
    names: SymbolTable | Mapping[int, str] | None, *, highest: int
) -> Callable[[int], str]:
    """Labels to symbols, "" for epsilon; labels without a name are bytes or code points."""
    lookup = names.symbol if isinstance(names, SymbolTable) else (names or {}).get

    def name(label: int) -> str:
        if label == 0:
            return ""
        if (symbol := lookup(label)) is not None:
            return symbol
        if names:
            return f"#{label}"
        if highest < 256:
            return chr(label) if 32 <= label < 127 else f"\\x{label:02x}"
        return chr(label) if label <= 0x10FFFF else f"#{label}"

    return name


def prune_lattice(lattice: Lattice, beam: float) -> Lattice:
    """The lattice of all paths that cost at most `beam` more than the best.

    >>> two = Lattice(2, np.array([0, 2, 2]), np.array([1, 2]), np.array([0.0, 3.0]),
    ...               np.array([1, 1]), np.array([0, 0]), np.array([1, 1]), np.array([np.inf, 0.0]))
    >>> prune_lattice(two, 1.0).labels.tolist(), len(prune_lattice(two, 3.0).labels)
    ([1], 2)
    """
    if math.isinf(beam):
        return lattice
    n = lattice.n_states
    before, after = np.full(n, np.inf), np.array(lattice.finals, np.float64)
    before[0] = 0.0
    sources = np.repeat(np.arange(n), np.diff(lattice.offsets))
    for state in range(n):  # which are in topological order
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            target = lattice.targets[arc]
            before[target] = min(before[target], before[state] + lattice.costs[arc])
    for state in range(n - 1, -1, -1):
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            after[state] = min(after[state], lattice.costs[arc] + after[lattice.targets[arc]])
    limit = after[0] + beam + _ROUNDING * (1 + abs(after[0]))
    near = before[sources] + lattice.costs + after[lattice.targets] <= limit
    columns = (sources, lattice.targets, lattice.labels, lattice.begins, lattice.ends)
    rows = np.stack([column[near] for column in columns], axis=1).astype(np.int64)
    finals = np.where(before + lattice.finals <= limit, lattice.finals, np.inf)
    found: Lattice = trimming_kernels.trimmed_lattice(rows, lattice.costs[near], finals)
    return found

"""Random machines and rules, and the plain twins that they are held against."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from types import ModuleType

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st

from glyphone.data.errors import RuleError
from glyphone.data.writing import Writing
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.interface.codec import Side
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.lattices.block_kernels import Block
from glyphone.fst.rules.cascade import Cascade, cascade
from glyphone.fst.transducers import decoding_kernels as transducer_decoding_kernels
from glyphone.fst.transducers.model import TransducerModel

LETTERS = ("a", "b", "c")
# Examples with more paths than this are passed over.
TOO_MANY = 3000
Labels = tuple[int, ...]
Path = tuple[Labels, float]

words = st.lists(st.sampled_from(LETTERS), max_size=5).map(tuple)
symbols = st.sampled_from(LETTERS)
strings = st.lists(symbols, min_size=1, max_size=2).map(" ".join)
sets = st.lists(symbols, min_size=1, max_size=3, unique=True).map(lambda s: f"{{{' '.join(s)}}}")


def expressions(*, edge: bool) -> st.SearchStrategy[str]:
    """The text of a regular expression, with or without edges in it."""
    atoms = st.one_of(symbols, sets, st.just("#")) if edge else st.one_of(symbols, sets)
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(" ".join),
            st.tuples(inner, inner).map(lambda pair: f"({pair[0]} | {pair[1]})"),
            st.tuples(inner, st.sampled_from("*+?")).map(lambda pair: f"({pair[0]}){pair[1]}"),
        ),
        max_leaves=4,
    )


contexts = st.one_of(st.just(""), expressions(edge=True), st.just("#"))
outputs = st.one_of(st.just("∅"), strings)
alternatives = st.sampled_from([0.25, 0.5]).flatmap(
    lambda share: st.tuples(outputs, outputs).map(
        lambda pair: f"{pair[0]} <{share}> | {pair[1]} <{1 - share}>"
    )
)


@st.composite
def rules(draw: st.DrawFn) -> str:
    """The text of one rule."""
    kind = draw(st.sampled_from(["string", "set", "regex", "insertion"]))
    put = draw(st.one_of(outputs, alternatives))
    if kind == "string":
        found = draw(strings)
    elif kind == "insertion":
        found, put = "∅", draw(st.one_of(strings, alternatives))
    elif kind == "set":
        members = draw(st.lists(symbols, min_size=2, max_size=3, unique=True))
        images = draw(st.lists(symbols, min_size=len(members), max_size=len(members), unique=True))
        found, put = f"{{{' '.join(members)}}}", f"{{{' '.join(images)}}}"
        put = draw(st.sampled_from([put, f"c {put}", f"{found} {put}", "b"]))
    else:
        found = draw(expressions(edge=False)) + " " + draw(symbols)
    option = draw(st.sampled_from(["", "", " [optional]"]))
    option += draw(st.sampled_from(["", "", " [simultaneous]", " [right-to-left]"]))
    return f"{found} -> {put} / {draw(contexts)} _ {draw(contexts)}{option}"


@st.composite
def cascades(draw: st.DrawFn, *, most_rules: int = 3) -> Cascade:
    text = "\n".join(draw(st.lists(rules(), min_size=1, max_size=most_rules)))
    phones = draw(st.sampled_from([LETTERS, LETTERS, ("a", "b")]))
    found = cascade(letters=LETTERS, phones=phones, rules=text)
    try:
        _ = found.steps
    except RuleError:  # a set may have drawn a member twice
        reject()
    return found


def machine(seed: int) -> Transducer:
    """A transducer without cycles of empty input; costs are quarters, so that sums are exact."""
    random = np.random.default_rng(seed)
    n_states = int(random.integers(1, 4))
    n_arcs = int(random.integers(3, 9))
    sources, targets = random.integers(0, n_states, (2, n_arcs))
    ilabels, olabels = random.integers(0, 3, (2, n_arcs))
    ilabels[sources >= targets] = np.maximum(1, ilabels[sources >= targets])
    finals = random.integers(0, 12, n_states) / 4
    finals[1:][random.random(n_states - 1) < 0.3] = math.inf
    costs = random.integers(0, 12, n_arcs) / 4
    return Transducer.from_arcs(0, finals, sources, ilabels, olabels, costs, targets)


machines = st.integers(0, 2**32 - 1).map(machine)


def paths(machine: Transducer, string: Labels) -> Iterator[Path]:
    """Every path of a machine for one string, by trying everything."""
    agenda: list[tuple[int, int, Labels, float]] = []
    if machine.start >= 0:
        agenda.append((machine.start, 0, (), 0.0))
    steps = 0
    while agenda:
        steps += 1
        if steps > 10 * TOO_MANY:
            reject()
        state, place, written, cost = agenda.pop()
        if place == len(string) and machine.finals[state] < math.inf:
            yield written, cost + float(machine.finals[state])
        for arc in range(machine.offsets[state], machine.offsets[state + 1]):
            label, output = int(machine.ilabels[arc]), int(machine.olabels[arc])
            if label and string[place : place + 1] != (label,):
                continue
            longer = (*written, output) if output else written
            price = cost + float(machine.weights[arc])
            agenda.append((int(machine.targets[arc]), place + bool(label), longer, price))


def cascade_paths(stages: Sequence[Transducer], string: Labels) -> list[Path]:
    """Every path through machines in a row."""
    found: list[Path] = [(string, 0.0)]
    for machine in stages:
        every = (
            (output, cost + more)
            for written, cost in found
            for output, more in paths(machine, written)
        )
        found = list(islice(every, TOO_MANY))
        if len(found) == TOO_MANY:
            reject()
    return found


def mass(costs: Sequence[float]) -> float:
    """-ln of the sum of exp(-cost)."""
    return -float(np.logaddexp.reduce([-cost for cost in costs])) if len(costs) else math.inf


def costs_of(found: Sequence[Path]) -> dict[Labels, float]:
    """The best cost of each output."""
    best: dict[Labels, float] = {}
    for output, cost in found:
        best[output] = min(cost, best.get(output, math.inf))
    return best


labels = st.lists(st.integers(1, 2), max_size=4).map(tuple)


def lattice_of(stages: Sequence[Transducer], string: Labels) -> Lattice:
    """The lattice of a string, made by the plain kernels."""
    side = Side(Writing(), {})
    machine = TransducerModel(tuple(stages), side, side).machine
    lattice: Lattice = transducer_decoding_kernels.output_lattice(
        machine, np.array(string, np.int32)
    )
    return lattice


def lattice_paths(lattice: Lattice) -> Iterator[tuple[Labels, float, tuple[int, ...]]]:
    """Every path of a lattice: its output, its cost and its arcs."""
    ways = np.zeros(lattice.n_states)
    ways[0] = 1
    for state in range(lattice.n_states):
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            ways[lattice.targets[arc]] += ways[state]
    if ways.sum() > TOO_MANY:
        reject()
    agenda: list[tuple[int, Labels, float, tuple[int, ...]]] = [(0, (), 0.0, ())]
    while agenda:
        state, written, cost, arcs = agenda.pop()
        if lattice.finals[state] < math.inf:
            yield written, cost + float(lattice.finals[state]), arcs
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            label = int(lattice.labels[arc])
            longer = (*written, label) if label else written
            price = cost + float(lattice.costs[arc])
            agenda.append((int(lattice.targets[arc]), longer, price, (*arcs, arc)))


def decode(
    kernels: ModuleType,
    stages: Sequence[Transducer],
    strings: Sequence[Labels],
    *,
    n: int = 1,
    budget: int = 1_000_000,
    spans: bool = True,
) -> Block:
    """A block of strings through one tier of the kernels."""
    side = Side(Writing(), {})
    machine = TransducerModel(tuple(stages), side, side).machine
    symbols = np.array([label for string in strings for label in string], np.int32)
    bounds = np.cumsum([0, *map(len, strings)])
    return Block(*kernels.decode(machine, symbols, bounds, n, budget, spans or None))

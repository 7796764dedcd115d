"""Machines made ready to read spans: what they do without reading goes with the token before it.

>>> chain = Transducer.from_arcs(
...     0, [np.inf, np.inf, 0.0], [0, 1], [1, 0], [1, 2], [0.5, 0.25], [1, 2])
>>> readers = readers_of([chain], 2)
>>> readers.outputs.tolist(), readers.weights.tolist(), readers.finals.tolist()
([1, 2], [0.75], [inf, inf, 0.0])
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

import numpy as np

from glyphone.data.errors import CycleError
from glyphone.fst.automata.cycles import epsilon_cycle
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.rules.expressions import Expression
from glyphone.fst.rules.glushkov import DEAD, Matcher
from glyphone.fst.transducers.span_kernels import Readers

# Label, outputs, weight, target.
Reading = tuple[int, tuple[int, ...], float, int]
Silence = tuple[tuple[int, ...], float, int]


def readers_of(machines: Sequence[Transducer], n_labels: int) -> Readers:
    """Machines whose input labels, below `n_labels`, mean the same, end to end; each must read to
    write."""
    rows: list[list[Reading]] = []
    starts, finals = [], []
    for machine in machines:
        base = len(rows)
        starts.append(base + max(machine.start, 0))
        finals.append(machine.finals)
        for row in reading_arcs(machine):
            row.sort(key=itemgetter(0))
            rows.append([(a, outputs, cost, base + goal) for a, outputs, cost, goal in row])
    arcs = [arc for row in rows for arc in row]
    counts = np.zeros((len(rows), n_labels), np.int32)
    sources = np.repeat(np.arange(len(rows)), [*map(len, rows)])
    np.add.at(counts, (sources, np.array([arc[0] for arc in arcs], np.int64)), 1)
    outputs = [arc[1] for arc in arcs]
    return Readers(
        np.array(starts, np.int64),
        np.append(0, counts.cumsum(dtype=np.int32))[
            np.arange(len(rows))[:, None] * n_labels + np.arange(n_labels + 1)
        ],
        np.array([arc[3] for arc in arcs], np.int32),
        np.array([arc[2] for arc in arcs], np.float64),
        np.cumsum([0, *map(len, outputs)]),
        np.array([*itertools.chain.from_iterable(outputs)], np.int32),
        np.concatenate(finals).astype(np.float64),
    )


def reading_arcs(machine: Transducer) -> Iterator[list[Reading]]:
    """The arcs of each state that read, by label, with what may be done behind each in silence."""
    loop = epsilon_cycle(machine)
    if loop:
        raise CycleError("writes for ever without reading", remedy="write only where it reads")
    if machine.start >= 0 and 0 in machine.ilabels[slice(*bounds(machine, machine.start))]:
        raise CycleError("goes on before it has read", remedy="let it read first")
    ilabels, olabels, weights, targets = (
        column.tolist()
        for column in (machine.ilabels, machine.olabels, machine.weights, machine.targets)
    )
    useful = {int(source) for source in machine.sources()[machine.ilabels != 0]}
    useful |= {int(state) for state in np.flatnonzero(np.isfinite(machine.finals))}
    silent = {int(source) for source in machine.sources()[machine.ilabels == 0]}
    for state in range(machine.n_states):
        row: list[Reading] = []
        for arc in range(*bounds(machine, state)):
            if ilabels[arc] == 0 or math.isinf(weights[arc]):
                continue
            first = (olabels[arc],) if olabels[arc] else ()
            waiting: list[Silence] = [(first, weights[arc], targets[arc])]
            while waiting:
                outputs, cost, goal = waiting.pop()
                if goal in useful:
                    row.append((ilabels[arc], outputs, cost, goal))
                for more in range(*bounds(machine, goal)) if goal in silent else ():
                    if ilabels[more] == 0:
                        longer = (*outputs, olabels[more]) if olabels[more] else outputs
                        waiting.append((longer, cost + weights[more], targets[more]))
        yield row


def bounds(machine: Transducer, state: int) -> tuple[int, int]:
    return int(machine.offsets[state]), int(machine.offsets[state + 1])


def acceptor(expression: Expression, symbols: Iterable[tuple[str, int]]) -> Transducer:
    """The machine that reads the strings of an expression, of labelled symbols, and writes nothing.

    >>> from glyphone.fst.rules.expressions import Symbol
    >>> machine = acceptor(Symbol("a"), [("a", 7), ("b", 8)])
    >>> machine.ilabels.tolist(), machine.finals.tolist()
    ([7], [inf, 0.0])
    """
    matcher = Matcher(expression)
    labelled = list(symbols)
    arcs: list[tuple[int, int, int]] = []
    state = matcher.start
    while state < len(matcher.members):  # which grows
        for symbol, label in labelled:
            target = matcher.step(state, symbol)
            if target != DEAD:
                arcs.append((state - matcher.start, label, target - matcher.start))
        state += 1
    sources, ilabels, targets = zip(*arcs, strict=True) if arcs else ((), (), ())
    finals = [0.0 if accepts else math.inf for accepts in matcher.accepting[matcher.start :]]
    silence = [0] * len(arcs)
    return Transducer.from_arcs(0, finals, sources, ilabels, silence, silence, targets)

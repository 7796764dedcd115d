"""Several small transducers composed into one that reads a symbol on every arc where possible.

Composition in advance spares a lattice for each of them. Arcs that read nothing are folded into the
arc before them: their joint output stands on that arc, or on a chain behind it if it has more than
one symbol. No path is lost, and none becomes two.

>>> one = Transducer.from_arcs(0, [0, np.inf], [0, 1], [1, 0], [2, 0], [0, 0.5], [1, 0])
>>> two = Transducer.from_arcs(0, [0], [0], [2], [3], [0], [0])
>>> both = compose_all([one, two])[0]
>>> both.n_states, both.ilabels.tolist(), both.olabels.tolist(), both.weights.tolist()
(1, [1], [3], [0.5])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from glyphone.fst.automata.cycles import epsilon_cycle
from glyphone.fst.automata.transducer import Transducer

# The rules of a script have some hundred arcs; a larger composition is not kept.
MOST_ARCS = 20_000


class Arc(NamedTuple):
    """An arc, or a path that reads one symbol, with all that it writes."""

    read: int
    written: tuple[int, ...]
    cost: float
    target: int


def compose_all(machines: Sequence[Transducer]) -> tuple[Transducer, ...]:
    """The composition as one transducer, or the given ones if it is cyclic or too large."""
    if len(machines) == 1 or any(machine.start < 0 for machine in machines):
        return tuple(machines)
    whole = machines[0]
    for machine in machines[1:]:
        whole = compose_two(whole, machine)
        if whole.n_arcs > MOST_ARCS:
            return tuple(machines)
    if any(epsilon_cycle(machine) for machine in (*machines, whole)):
        return tuple(machines)
    found = fold_silent_arcs(whole)
    if found is None:
        return tuple(machines)
    return (replace(found, isymbols=machines[0].isymbols, osymbols=machines[-1].osymbols),)


def compose_two(one: Transducer, two: Transducer) -> Transducer:
    """The composition of two transducers, of paths through both.

    A state is one of each, and whether an epsilon of the second has been read, when an epsilon of
    the first may no longer be written: of all orders of epsilons one is left.
    """
    first, second = arcs_by_state(one), arcs_by_state(two)
    numbers = {(one.start, two.start, 0): 0}
    agenda = [(one.start, two.start, 0)]
    rows: list[tuple[int, int, int, float, int]] = []
    for p, q, filter_ in agenda:
        source = numbers[p, q, filter_]
        moves = [((p, b.target, 1), 0, b) for b in second[q] if not b.read]
        for a in first[p]:
            if a.written:
                both = [b for b in second[q] if (b.read,) == a.written]
                moves += [
                    ((a.target, b.target, 0), a.read, b._replace(cost=a.cost + b.cost))
                    for b in both
                ]
            elif not filter_:
                moves.append(((a.target, q, 0), a.read, a))
        for state, read, arc in moves:
            if state not in numbers:
                numbers[state] = len(numbers)
                agenda.append(state)
            rows.append((source, read, sum(arc.written), arc.cost, numbers[state]))
    finals = [one.finals[p] + two.finals[q] for p, q, _ in agenda]
    return transducer_of(finals, rows)


def fold_silent_arcs(machine: Transducer) -> Transducer | None:
    """An equal machine in which only arcs from the start, and chains of outputs, read nothing.

    None if it has more than MOST_ARCS arcs.
    """
    arcs = arcs_by_state(machine)
    ends = [
        bool(np.isfinite(machine.finals[state]) or any(arc.read for arc in arcs[state]))
        for state in range(machine.n_states)
    ]
    # A path that comes back to the start has taken its silent arcs, so that this is another state.
    silent = [arc for arc in arcs[machine.start] if not arc.read]
    numbers = {} if silent else {machine.start: 0}
    agenda, finals = [(0, machine.start)], [float(machine.finals[machine.start])]
    rows: list[tuple[int, int, int, float, int]] = []
    for number, state in agenda:
        first = [arc for arc in arcs[state] if arc.read] + (silent if number == 0 else [])
        for way in (way for arc in first for way in silent_continuations(arc, arcs, ends)):
            if way.target not in numbers:
                numbers[way.target] = len(finals)
                agenda.append((len(finals), way.target))
                finals.append(float(machine.finals[way.target]))
            at, read, cost = number, way.read, way.cost
            for label in way.written[:-1]:
                rows.append((at, read, label, cost, len(finals)))
                at, read, cost = len(finals), 0, 0.0
                finals.append(np.inf)
            rows.append((at, read, sum(way.written[-1:]), cost, numbers[way.target]))
            if len(rows) > MOST_ARCS:
                return None
    return transducer_of(finals, rows)


def silent_continuations(
    arc: Arc, arcs: Sequence[Sequence[Arc]], ends: Sequence[bool]
) -> Iterator[Arc]:
    """An arc joined with each silent path behind it, if that ends where paths go on."""
    if ends[arc.target]:
        yield arc
    for silent in arcs[arc.target]:
        if not silent.read:
            yield from silent_continuations(
                arc._replace(
                    written=arc.written + silent.written,
                    cost=arc.cost + silent.cost,
                    target=silent.target,
                ),
                arcs,
                ends,
            )


def arcs_by_state(machine: Transducer) -> list[list[Arc]]:
    """The arcs of finite cost of each state."""
    rows = zip(
        machine.sources().tolist(), machine.ilabels.tolist(), machine.olabels.tolist(),
        machine.weights.tolist(), machine.targets.tolist(), strict=True,
    )  # fmt: skip
    found: list[list[Arc]] = [[] for _ in range(machine.n_states)]
    for source, read, label, cost, target in rows:
        if cost < np.inf:
            found[source].append(Arc(read, (label,) if label else (), cost, target))
    return found


def transducer_of(
    finals: Sequence[float], rows: Sequence[tuple[int, int, int, float, int]]
) -> Transducer:
    """The transducer of rows (source, input, output, cost, target)."""
    sources, read, written, costs, targets = zip(*rows, strict=True) if rows else [()] * 5
    return Transducer.from_arcs(0, finals, sources, read, written, costs, targets)

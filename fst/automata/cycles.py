"""Epsilon cycles, on which a transducer writes for ever without reading.

>>> from glyphone.fst.automata.transducer import Transducer
>>> epsilon_cycle(Transducer.from_arcs(0, [0.0], [0], [0], [7], [0.0], [0]))
(7,)
"""

from __future__ import annotations

import numpy as np

from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.lattices.arrays import Lattice


def epsilon_cycle(machine: Transducer) -> tuple[int, ...]:
    """The output labels along one cycle of arcs without input, or () if there is none."""
    sources = machine.sources()
    silent = np.flatnonzero(machine.ilabels == 0)
    moves: dict[int, list[int]] = {}
    for arc in silent.tolist():
        moves.setdefault(int(sources[arc]), []).append(arc)
    finished: set[int] = set()
    for root in (state for state in moves if state not in finished):
        # Depth first, without recursion: the path holds (state, its arcs still to be tried).
        path = [(root, iter(moves[root]))]
        taken: list[int] = []
        places = {root: 0}
        while path:
            state, arcs = path[-1]
            arc = next(arcs, -1)
            if arc == -1:
                finished.add(state)
                del places[state]
                path.pop()
                if taken:
                    taken.pop()
                continue
            target = int(machine.targets[arc])
            if target in places:
                loop = [*taken[places[target] :], arc]
                return tuple(int(machine.olabels[arc]) for arc in loop)
            if target in moves and target not in finished:
                places[target] = len(path)
                taken.append(arc)
                path.append((target, iter(moves[target])))
    return ()


def compose_with_lattice(lattice: Lattice, machine: Transducer) -> Transducer:
    """The composition of a lattice and a machine, without the states that lead to no end.

    An arc has the input label 1 if it goes on in the lattice, else 0.
    """
    numbers = {(0, machine.start): 0}
    agenda = [(0, machine.start)]
    arcs: list[tuple[int, int, int, int]] = []
    for place, state in agenda:
        moves = [(place, 0, 0)]
        for arc in range(lattice.offsets[place], lattice.offsets[place + 1]):
            moves.append((int(lattice.targets[arc]), int(lattice.labels[arc]), 1))
        for target, label, reads in moves:
            low, high = machine.offsets[state], machine.offsets[state + 1]
            first, last = low + np.searchsorted(machine.ilabels[low:high], [label, label + 1])
            steps = [(int(machine.targets[k]), int(machine.olabels[k])) for k in range(first, last)]
            for goal, output in [(state, 0)] if reads and label == 0 else steps:
                pair = (target, goal)
                if pair not in numbers:
                    numbers[pair] = len(numbers)
                    agenda.append(pair)
                arcs.append((numbers[place, state], numbers[pair], reads, output))
    finals = [lattice.finals[place] + machine.finals[state] for place, state in agenda]
    useful = {number for number, cost in enumerate(finals) if cost < np.inf}
    into: dict[int, list[int]] = {}
    for source, target, _, _ in arcs:
        into.setdefault(target, []).append(source)
    unseen = list(useful)
    while unseen:
        found = set(into.get(unseen.pop(), ())) - useful
        useful |= found
        unseen.extend(found)
    kept = [arc for arc in arcs if arc[0] in useful and arc[1] in useful]
    sources, targets, reading, outputs = zip(*kept, strict=True) if kept else [()] * 4
    return Transducer.from_arcs(0, finals, sources, reading, outputs, [0.0] * len(kept), targets)

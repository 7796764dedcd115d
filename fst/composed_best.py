"""Kernels: the best output of a lattice, without a search for others.

A lattice has one best path, mostly. Its output is then the best, and the share of the output is
found by going along it through the lattice. Where several paths are as good as each other, which
comes first is for `search.n_best` to say.

>>> from glyphone.fst.lattices import lattice_of
>>> answers, alone = best(lattice_of(np.array([5, 7], np.int32)))
>>> answers.labels.tolist(), answers.posteriors.tolist(), alone
([5, 7], [1.0], True)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.jit import kernel, sibling
from glyphone.fst.lattices import Lattice
from glyphone.fst.search import NBest

growing = sibling(__name__, "glyphone.fst.growing")
lattice_sums = sibling(__name__, "glyphone.fst.lattice_sums")
search = sibling(__name__, "glyphone.fst.search")

Array = Any
# Costs that differ by less are equal: sums in another order round to it.
ALIKE = 1e-9


@kernel
def best(lattice: Lattice) -> tuple[NBest, bool]:
    """The output of the best path, and whether no other path is as good."""
    costs, masses = lattice_sums.backward(lattice)
    output = np.empty(lattice.n_states, np.int32)
    n, state, alone = 0, 0, True
    while True:
        least, chosen, rivals = lattice.finals[state], -1, 0
        if least - costs[state] < ALIKE:
            rivals += 1
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            total = lattice.costs[arc] + costs[lattice.targets[arc]]
            if total - costs[state] < ALIKE:
                rivals += 1
            if total < least:
                least, chosen = total, arc
        alone = alone and rivals == 1
        if chosen < 0 or not alone:
            break
        if lattice.labels[chosen] != 0:
            output[n] = lattice.labels[chosen]
            n += 1
        state = lattice.targets[chosen]
    share = share_of(lattice, output[:n], masses) if alone else 0.0
    found = search.NBest(
        np.array([0, n]), output[:n], np.full(1, costs[0]), np.full(1, share), False
    )
    return found, alone


@kernel
def share_of(lattice: Lattice, output: Array, masses: Array) -> float:
    """The share of all paths that write an output; masses are those from each state to the ends.

    An entry has the share that comes to a state after the first symbols of the output, and how
    many these are; those of a state are a chain.
    """
    heads = np.full(lattice.n_states, -1, np.int64)
    nexts, places, shares = np.full(64, -1, np.int64), np.zeros(64, np.int64), np.zeros(64)
    heads[0], shares[0], n, found = 0, 1.0, 1, 0.0
    for state in range(lattice.n_states):
        entry = heads[state]
        while entry >= 0:
            # Not in the loop below: numba counts references to what a loop may replace.
            while n + lattice.offsets[state + 1] - lattice.offsets[state] > len(places):
                places, shares = growing.doubled(places), growing.doubled(shares)
                nexts = growing.doubled(nexts)
            place, share = places[entry], shares[entry]
            if place == len(output):
                found += share * math.exp(masses[state] - lattice.finals[state])
            for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
                label, target = lattice.labels[arc], lattice.targets[arc]
                if label != 0 and (place == len(output) or label != output[place]):
                    continue
                gone = masses[state] - lattice.costs[arc] - masses[target]
                if not gone > -np.inf:  # nor a difference of infinities
                    continue
                beyond = place + int(label != 0)
                other = heads[target]
                while other >= 0 and places[other] != beyond:
                    other = nexts[other]
                if other < 0:
                    places[n], shares[n], nexts[n] = beyond, 0.0, heads[target]
                    heads[target] = other = n
                    n += 1
                shares[other] += share * math.exp(gone)
            entry = nexts[entry]
    return min(1.0, found)

"""Kernel: an n-gram model of outputs, behind a lattice.

The output so far is one history, so that each path of the lattice has one path here, and a
token that a history does not list is looked for in those that it backs off to: no arc stands for
a backoff that need not be taken.

>>> NO_LETTERS.tokens.tolist()
[]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.fst.lattices.arrays import NO_ROOM, ROOM, Lattice
from glyphone.fst.lattices.composition_kernels import ProductRoom
from glyphone.fst.ngrams.kernels import Ngrams

composition_kernels = sibling(__name__, "glyphone.fst.lattices.composition_kernels")
trimming_kernels = sibling(__name__, "glyphone.fst.lattices.trimming_kernels")
ngram_kernels = sibling(__name__, "glyphone.fst.ngrams.kernels")
write_row = sibling(__name__, "glyphone.data.kernels.arrays").write_row
find_slot = sibling(__name__, "glyphone.data.kernels.arrays").find_slot

Array = Any


class Letters(NamedTuple):
    """An n-gram model, the token of each label, and the power that its probabilities count to.

    Without tokens there is no model.
    """

    ngrams: Ngrams
    start: int
    end: int
    tokens: Array
    share: float


_NO_NUMBERS, _NO_LOGS = np.empty(0, np.int32), np.empty(0)
_NO_NGRAMS = Ngrams(
    np.zeros(1, np.int64), _NO_NUMBERS, _NO_LOGS, _NO_NUMBERS, _NO_NUMBERS, _NO_LOGS
)
NO_LETTERS = Letters(_NO_NGRAMS, 0, 0, np.empty(0, np.int64), 0.0)


@kernel
def weighted_lattice(lattice: Lattice, letters: Letters) -> Lattice:
    """The lattice of the same strings in which each string z is multiplied by P(z) to the power of
    the share."""
    room = ROOM
    while True:
        products = composition_kernels.product_room(lattice.n_states, room)
        n_states, n_arcs = write_weighted_product(lattice, letters, products)
        if n_arcs != NO_ROOM:
            break
        room *= 4
    found: Lattice = trimming_kernels.finish_draft(products.draft, n_states, n_arcs)
    return found


@leaf
def write_weighted_product(
    lattice: Lattice, letters: Letters, products: ProductRoom
) -> tuple[int, int]:
    """Write the draft of the weighted lattice; return its numbers of states and arcs, NO_ROOM arcs
    if there are too many.

    A state is p, a history, and the next state with the same p.
    """
    ngrams, share = letters.ngrams, letters.share
    n_histories = len(ngrams.backoffs)
    states, keys, values = products.states, products.keys, products.values
    arcs, costs, finals = products.draft.arcs, products.draft.costs, products.draft.finals
    first = products.firsts[: lattice.n_states, 0]
    first[:] = -1
    write_row(states, 0, (0, letters.start, -1, 0, -1))
    first[0] = 0
    n_states, n_arcs = 1, 0
    for p in range(lattice.n_states):
        state = first[p]
        while state != -1:
            low, high = lattice.offsets[p], lattice.offsets[p + 1]
            if max(n_states, n_arcs) + high - low > len(arcs):
                return 0, NO_ROOM
            for arc in range(low, high):
                label, into, price = lattice.labels[arc], states[state, 1], 0.0
                if label != 0:
                    log_prob, target = ngram_kernels.token_step(ngrams, into, letters.tokens[label])
                    into, price = np.int64(target), -share * log_prob
                if price == np.inf:
                    continue
                key = lattice.targets[arc] * n_histories + into
                place = find_slot(keys, key)
                if keys[place] == -1:
                    keys[place], values[place] = key, n_states
                    behind = lattice.targets[arc]
                    write_row(states, n_states, (behind, into, first[behind], 0, place))
                    first[behind] = n_states
                    n_states += 1
                begin, end = lattice.begins[arc], lattice.ends[arc]
                write_row(arcs, n_arcs, (state, values[place], np.int64(label), begin, end))
                costs[n_arcs] = lattice.costs[arc] + price
                n_arcs += 1
            state = states[state, 2]
    for state in range(n_states):
        finals[state] = lattice.finals[states[state, 0]]
        if state > 0:  # the first is in no table
            keys[states[state, 4]] = -1
        if finals[state] < np.inf:
            log_prob, _ = ngram_kernels.token_step(ngrams, states[state, 1], letters.end)
            finals[state] -= share * log_prob
    return n_states, n_arcs

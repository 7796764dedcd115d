"""Kernel: one random tree for each of many forests, in one call that holds no lock.

>>> OK, TOO_LARGE, IMPOSSIBLE
(0, 1, 2)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.fst.forests.composition_kernels import NO_ROOM, Automaton, PackedForests

forest_composition = sibling(__name__, "glyphone.fst.forests.composition_kernels")
forest_sums = sibling(__name__, "glyphone.fst.forests.sum_kernels")

Array = Any
OK, TOO_LARGE, IMPOSSIBLE = 0, 1, 2
ROOM = 4096


@kernel
def sweep_forests(
    packed: PackedForests,
    first: int,
    last: int,
    automaton: Automaton,
    log_params: Array,
    shares: Array,
    budget: int,
    chosen: Array,
    lengths: Array,
    log_totals: Array,
    statuses: Array,
) -> None:
    """Draw a tree of each forest from first to last, and write the log sum over its trees.

    The entries of forest i stand from draws[i] on: `shares`, random numbers, and `chosen`, the
    choices of the packed forests in preorder, lengths[i] of them.
    """
    space = forest_composition.forest_room(min(ROOM, budget))
    factors, powers = forest_sums.choice_factors(packed.log_weights, packed.patterns, log_params)
    for forest in range(first, last):
        lengths[forest], log_totals[forest] = 0, -np.inf
        while forest_composition.compose_forest(packed, forest, automaton, space) == NO_ROOM:
            if len(space.pairs) >= budget:
                break
            space = forest_composition.forest_room(min(4 * len(space.pairs), budget))
        else:
            begin, end = packed.draws[forest], packed.draws[forest + 1]
            values, scales = forest_sums.inside_weights(packed, automaton, space, factors, powers)
            _, _, total, scale = forest_sums.end_weights(automaton, space, values, scales)
            log_totals[forest] = forest_sums.log_of_scaled(total, scale)
            lengths[forest] = forest_sums.draw_tree(
                packed,
                automaton,
                space,
                factors,
                powers,
                values,
                scales,
                shares[begin:end],
                chosen[begin:end],
            )
            statuses[forest] = IMPOSSIBLE if lengths[forest] < 0 else OK
            continue
        statuses[forest] = TOO_LARGE

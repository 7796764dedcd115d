"""Kernels: sums over the trees of a composed forest, random trees, and expected counts.

    weight(a, leaf x, c) = LM(x | a),    weight(item) = sum over its arcs of weight(arc),
    weight(arc) = factor(choice) * weight(left item) * weight(right item)

A tree is drawn from the root down, each arc in proportion to its weight, so that its probability is
the product of these choices: exactly its share of the sum. Weights of long sentences leave the
range of floats; a weight is kept as a number of ordinary size and a power of 1e100.

>>> value, power = scaled_weight(-1000.0)
>>> round(math.log(value) + power * LOG_UNIT, 9)
-1000.0
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.fst.forests.composition_kernels import (
    ARC,
    FIRST,
    INNER,
    LAST,
    N_ITEMS,
    Automaton,
    ForestRoom,
    PackedForests,
)

forest_composition = sibling(__name__, "glyphone.fst.forests.composition_kernels")
token_step = forest_composition.token_step

Array = Any
LARGE, SMALL = 1e50, 1e-50
UNIT, LOG_UNIT = 1e100, math.log(1e100)
NONE = -(10**9)  # the power of zero, below all others


@leaf
def scaled_weight(log_weight: float) -> tuple[float, int]:
    """exp of a log weight as (number, power of 1e100)."""
    if log_weight == -np.inf:
        return 0.0, NONE
    power = math.floor(log_weight / LOG_UNIT + 0.5)
    return math.exp(log_weight - power * LOG_UNIT), power


@leaf
def add_scaled(total: float, scale: int, value: float, power: int) -> tuple[float, int]:
    """The sum of two scaled weights; one that is smaller by more than a power is nothing beside the
    other."""
    if value == 0.0:
        return total, scale
    if power == scale:
        return total + value, scale
    if power > scale:
        return value + (total / UNIT if power == scale + 1 else 0.0), power
    return total + (value / UNIT if power == scale - 1 else 0.0), scale


@leaf
def value_at_scale(value: float, power: int, scale: int) -> float:
    """A weight in units of another power of 1e100, which is not much below its own."""
    if power == scale:
        return value
    return value * UNIT ** (power - scale) if power > scale - 3 else 0.0


@kernel
def choice_factors(log_weights: Array, patterns: Array, log_params: Array) -> tuple[Array, Array]:
    """The factors of choices, as numbers and powers."""
    values, powers = np.empty(len(patterns)), np.empty(len(patterns), np.int64)
    for choice in range(len(patterns)):
        log_weight = log_weights[choice]
        if patterns[choice] >= 0:
            log_weight += log_params[patterns[choice]]
        values[choice], powers[choice] = scaled_weight(log_weight)
    return values, powers


@kernel
def inside_weights(
    packed: PackedForests,
    automaton: Automaton,
    space: ForestRoom,
    factors: Array,
    factor_powers: Array,
) -> tuple[Array, Array]:
    """The weight of every item, summed over its subtrees."""
    n_items = space.sizes[N_ITEMS]
    values, powers = np.empty(n_items), np.empty(n_items, np.int64)
    for item in range(n_items):
        pair = space.items[item, 0]
        symbol = packed.symbols[space.pairs[pair, 0]]
        if symbol != INNER:
            state = space.states[space.pairs[pair, 1], 0]
            values[item], powers[item] = scaled_weight(token_step(automaton, state, symbol)[0])
            continue
        total, scale = 0.0, NONE
        for arc in range(space.items[item, ARC], space.items[item + 1, ARC]):
            choice, left, right = space.arcs[arc, 0], space.arcs[arc, 1], space.arcs[arc, 2]
            value, power = factors[choice], factor_powers[choice]
            if left >= 0:
                value *= values[left]
                power += powers[left]
            if right >= 0:
                value *= values[right]
                power += powers[right]
            total, scale = add_scaled(total, scale, value, power)
        if total > LARGE:
            total, scale = total / UNIT, scale + 1
        elif 0.0 < total < SMALL:
            total, scale = total * UNIT, scale - 1
        values[item], powers[item] = total, scale
    return values, powers


@kernel
def end_weights(
    automaton: Automaton, space: ForestRoom, values: Array, powers: Array
) -> tuple[Array, Array, float, int]:
    """The weights of the items of the root with the weight of ending there, and their sum."""
    first, last = space.pairs[0, FIRST], space.pairs[0, LAST]
    finals, final_powers = np.empty(last - first), np.empty(last - first, np.int64)
    total, scale = 0.0, NONE
    for item in range(first, last):
        state = space.states[space.items[item, 1], 0]
        end, power = scaled_weight(token_step(automaton, state, automaton.end)[0])
        finals[item - first] = end * values[item]
        final_powers[item - first] = power + powers[item]
        total, scale = add_scaled(total, scale, end * values[item], power + powers[item])
    return finals, final_powers, total, scale


@kernel
def log_of_scaled(total: float, scale: int) -> float:
    """ln of a scaled weight; -inf for 0."""
    return math.log(total) + scale * LOG_UNIT if total > 0.0 else -np.inf


@kernel
def pick_place(values: Array, powers: Array, total: float, scale: int, share: float) -> int:
    """The place at which the running sum of some weights reaches a share of their sum.

    Where rounding lets it end before the share is reached, the last possible place.
    """
    left, last = share * total, -1
    for place in range(len(values)):
        value = value_at_scale(values[place], powers[place], scale)
        if value > 0.0:
            left -= value
            last = place
            if left < 0.0:
                break
    return last


@kernel
def arc_weights(
    space: ForestRoom, item: int, factors: Array, factor_powers: Array, values: Array, powers: Array
) -> tuple[Array, Array]:
    """The weights of the arcs of an item."""
    begin, end = space.items[item, ARC], space.items[item + 1, ARC]
    weights, scales = np.empty(end - begin), np.empty(end - begin, np.int64)
    for arc in range(begin, end):
        choice, left, right = space.arcs[arc, 0], space.arcs[arc, 1], space.arcs[arc, 2]
        value, power = factors[choice], factor_powers[choice]
        if left >= 0:
            value *= values[left]
            power += powers[left]
        if right >= 0:
            value *= values[right]
            power += powers[right]
        weights[arc - begin], scales[arc - begin] = value, power
    return weights, scales


@kernel
def draw_tree(
    packed: PackedForests,
    automaton: Automaton,
    space: ForestRoom,
    factors: Array,
    factor_powers: Array,
    values: Array,
    powers: Array,
    shares: Array,
    chosen: Array,
) -> int:
    """Write the choices of one random tree in preorder; return their number, or -1 if all trees
    weigh 0.

    One random number of `shares` is taken for the root and one for each item of several arcs.
    """
    finals, final_powers, total, scale = end_weights(automaton, space, values, powers)
    if total == 0.0:
        return -1
    waiting = np.empty(len(shares) + 1, np.int64)
    waiting[0] = space.pairs[0, FIRST] + pick_place(finals, final_powers, total, scale, shares[0])
    n_waiting, n_chosen, used = 1, 0, 1
    while n_waiting > 0:
        n_waiting -= 1
        item = waiting[n_waiting]
        arc = space.items[item, ARC]
        n_arcs = space.items[item + 1, ARC] - arc
        if n_arcs == 0:
            continue
        if n_arcs > 1:
            weights, scales = arc_weights(space, item, factors, factor_powers, values, powers)
            arc += pick_place(weights, scales, values[item], powers[item], shares[used])
            used += 1
        if packed.sources[space.arcs[arc, 0]] >= 0:
            chosen[n_chosen] = space.arcs[arc, 0]
            n_chosen += 1
        if space.arcs[arc, 2] >= 0:
            waiting[n_waiting] = space.arcs[arc, 2]
            n_waiting += 1
        if space.arcs[arc, 1] >= 0:
            waiting[n_waiting] = space.arcs[arc, 1]
            n_waiting += 1
    return n_chosen


@kernel
def draw_trees(
    packed: PackedForests,
    automaton: Automaton,
    space: ForestRoom,
    factors: Array,
    factor_powers: Array,
    values: Array,
    powers: Array,
    shares: Array,
    chosen: Array,
) -> Array:
    """Write a random tree for each row of random numbers, as a row of choices; return their numbers
    of choices."""
    lengths = np.empty(len(shares), np.int64)
    for row in range(len(shares)):
        lengths[row] = draw_tree(
            packed,
            automaton,
            space,
            factors,
            factor_powers,
            values,
            powers,
            shares[row],
            chosen[row],
        )
    return lengths


@kernel
def add_expected_counts(
    automaton: Automaton,
    space: ForestRoom,
    factors: Array,
    factor_powers: Array,
    values: Array,
    powers: Array,
    counts: Array,
) -> Array:
    """Add the expected number of uses of each choice to `counts`; return the posteriors of the
    items.

    The expected number of uses of an item flows down to its arcs in proportion to their weights.
    """
    finals, final_powers, total, scale = end_weights(automaton, space, values, powers)
    flow = np.zeros(space.sizes[N_ITEMS])
    if total == 0.0:
        return flow
    first = space.pairs[0, FIRST]
    for place in range(len(finals)):
        flow[first + place] = value_at_scale(finals[place], final_powers[place], scale) / total
    for item in range(space.sizes[N_ITEMS] - 1, -1, -1):
        if flow[item] == 0.0 or values[item] == 0.0:
            continue
        weights, scales = arc_weights(space, item, factors, factor_powers, values, powers)
        for place in range(len(weights)):
            share = value_at_scale(weights[place], scales[place], powers[item]) / values[item]
            arc = space.items[item, ARC] + place
            counts[space.arcs[arc, 0]] += flow[item] * share
            if space.arcs[arc, 1] >= 0:
                flow[space.arcs[arc, 1]] += flow[item] * share
            if space.arcs[arc, 2] >= 0:
                flow[space.arcs[arc, 2]] += flow[item] * share
    return flow

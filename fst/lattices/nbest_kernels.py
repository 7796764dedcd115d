"""Kernels: the n best outputs of a lattice.

n-best is a best-first search over output prefixes (Mohri and Riley 2002: determinisation on the
fly). A prefix keeps the states that it may have led to, with the cost of the best path and the
mass of all paths to each; its priority is the least cost + best(s), which no completion can
undercut, so outputs come off the heap in their exact order, each once, with its total mass. Equal
costs are ordered by their labels, position by position, a prefix before its continuations. Where
answers are ranked by the sum over their paths, that of a path is replaced by it: no completion can
have more mass than all of them.

>>> from glyphone.fst.lattices.string_kernels import lattice_of
>>> n_best(lattice_of(np.array([5, 7])), 1, 100).labels
array([5, 7], dtype=int32)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.lattices.prefix_kernels import DEPTH, JUMP, LABEL, PARENT

growing = sibling(__name__, "glyphone.data.kernels.arrays")
lattice_paths = sibling(__name__, "glyphone.fst.lattices.path_kernels")
lattice_sums = sibling(__name__, "glyphone.fst.lattices.sum_kernels")
prefixes = sibling(__name__, "glyphone.fst.lattices.prefix_kernels")
sorting = sibling(__name__, "glyphone.data.kernels.sorting")
doubled = growing.doubled
backward, log_add = lattice_sums.backward, lattice_sums.log_add
planted, pushed, sift = prefixes.planted, prefixes.pushed, prefixes.sift

Array = Any
INFINITY = np.inf
END = -1


class NBest(NamedTuple):
    """Outputs end to end, best first; output k is labels[offsets[k]:offsets[k + 1]]."""

    offsets: Array
    labels: Array
    costs: Array
    posteriors: Array
    truncated: bool


@kernel
def is_path(lattice: Lattice) -> bool:
    """Whether a lattice has exactly one path: a trimmed tree with one end is a line."""
    ends = 0
    for cost in lattice.finals:
        ends += cost < INFINITY
    return ends == 1 and len(lattice.labels) == lattice.n_states - 1


@kernel
def only_path(lattice: Lattice, total: float) -> NBest:
    """The answer of a lattice of one path, cut from a lattice of a given mass, or from none."""
    cost = lattice.finals[lattice.n_states - 1]
    for price in lattice.costs:
        cost += price
    offsets, costs, shares = np.zeros(2, np.int64), np.empty(1), np.empty(1)
    labels, n_labels = np.empty(len(lattice.labels), np.int32), 0
    for label in lattice.labels:
        if label != 0:
            labels[n_labels] = label
            n_labels += 1
    offsets[1], costs[0] = n_labels, cost
    shares[0] = 1.0 if total == INFINITY else min(1.0, math.exp(total - cost))
    return NBest(offsets, labels[:n_labels], costs, shares, total < INFINITY)


@kernel
def n_best(lattice: Lattice, n: int, budget: int, summed: bool = False) -> NBest:
    """The n best distinct outputs; `budget` bounds the states that are looked at, in all.

    When it is spent, what was found so far is the answer: maybe nothing. They are best by their
    best paths, or, if `summed`, by all of them; so is their cost.
    """
    if n > 0 and is_path(lattice):
        return only_path(lattice, INFINITY)
    best, mass = backward(lattice)

    # A prefix: its place in the tree, priority, mass of an end, and members[begin:end].
    tree = np.empty((64, 4), np.int64)
    priorities, end_mass = np.empty(64), np.empty(64)
    begins, ends = np.empty(64, np.int64), np.empty(64, np.int64)
    member_state = np.empty(128, np.int64)
    member_cost, member_mass = np.empty(128), np.empty(128)
    tree[0, PARENT] = tree[0, LABEL] = tree[0, DEPTH] = tree[0, JUMP] = 0
    priorities[0] = mass[0] if summed else best[0]
    begins[0], ends[0] = 0, 1
    member_state[0], member_cost[0], member_mass[0] = 0, 0.0, 0.0
    n_prefixes, n_members = 1, 1
    heap = np.zeros(64, np.int64)
    size = 1

    cost_to = np.full(lattice.n_states, INFINITY)
    mass_to = np.full(lattice.n_states, INFINITY)
    found = np.empty(16, np.int64)
    n_found = 0
    truncated, spent = False, 0
    while size > 0 and n_found < n:
        prefix = heap[0]
        size -= 1
        sift(heap, size, priorities, tree)
        if tree[prefix, LABEL] == END:
            if n_found == len(found):
                found = doubled(found)
            found[n_found] = prefix
            n_found += 1
            continue
        if spent > budget:
            truncated = True
            break

        # Follow epsilon outputs; states are topologically numbered, so one sweep is enough.
        low, high = lattice.n_states, 0
        for member in range(begins[prefix], ends[prefix]):
            state = member_state[member]
            cost_to[state], mass_to[state] = member_cost[member], member_mass[member]
            low, high = min(low, state), max(high, state)
        end_cost, end_sum = INFINITY, INFINITY
        n_moves = 0
        state = low
        while state <= high:
            if cost_to[state] < INFINITY:
                end_cost = min(end_cost, cost_to[state] + lattice.finals[state])
                end_sum = log_add(end_sum, mass_to[state] + lattice.finals[state])
                for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
                    if lattice.labels[arc] != 0:
                        n_moves += 1
                        continue
                    target, cost = lattice.targets[arc], lattice.costs[arc]
                    cost_to[target] = min(cost_to[target], cost_to[state] + cost)
                    mass_to[target] = log_add(mass_to[target], mass_to[state] + cost)
                    high = max(high, target)
            state += 1

        spent += high - low + 1 + n_moves

        # All moves with a label, sorted by label and target, make the next prefixes.
        moves = np.empty(n_moves, np.int64)
        sort_keys = np.empty(n_moves, np.int64)
        move_cost, move_mass = np.empty(n_moves), np.empty(n_moves)
        n_moves = 0
        for state in range(low, high + 1):
            if cost_to[state] < INFINITY:
                for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
                    if lattice.labels[arc] != 0:
                        moves[n_moves] = arc
                        sort_keys[n_moves] = (
                            np.int64(lattice.labels[arc]) * lattice.n_states + lattice.targets[arc]
                        )
                        move_cost[n_moves] = cost_to[state] + lattice.costs[arc]
                        move_mass[n_moves] = mass_to[state] + lattice.costs[arc]
                        n_moves += 1
            cost_to[state], mass_to[state] = INFINITY, INFINITY

        while n_prefixes + n_moves + 1 > len(tree):
            tree = doubled(tree)
            priorities, end_mass = doubled(priorities), doubled(end_mass)
            begins, ends = doubled(begins), doubled(ends)
        while n_members + n_moves > len(member_state):
            member_state = doubled(member_state)
            member_cost, member_mass = doubled(member_cost), doubled(member_mass)

        if end_cost < INFINITY:
            planted(tree, n_prefixes, prefix, END)
            priorities[n_prefixes] = end_sum if summed else end_cost
            end_mass[n_prefixes] = end_sum
            heap = pushed(heap, size, n_prefixes, priorities, tree)
            size += 1
            n_prefixes += 1
        row = 0
        order = sorting.in_order(sort_keys)
        while row < n_moves:
            label = lattice.labels[moves[order[row]]]
            child = n_prefixes
            n_prefixes += 1
            planted(tree, child, prefix, label)
            priorities[child], begins[child] = INFINITY, n_members
            while row < n_moves and lattice.labels[moves[order[row]]] == label:
                move = order[row]
                target = lattice.targets[moves[move]]
                if n_members > begins[child] and member_state[n_members - 1] == target:
                    last = n_members - 1
                    member_cost[last] = min(member_cost[last], move_cost[move])
                    member_mass[last] = log_add(member_mass[last], move_mass[move])
                else:
                    member_state[n_members] = target
                    member_cost[n_members] = move_cost[move]
                    member_mass[n_members] = move_mass[move]
                    n_members += 1
                if summed:
                    rest = move_mass[move] + mass[target]
                    priorities[child] = log_add(priorities[child], rest)
                else:
                    rest = move_cost[move] + best[target]
                    priorities[child] = min(priorities[child], rest)
                row += 1
            ends[child] = n_members
            heap = pushed(heap, size, child, priorities, tree)
            size += 1
    return spelt_out(found[:n_found], tree, priorities, end_mass, mass[0], truncated)


@kernel
def spelt_out(
    found: Array, tree: Array, priorities: Array, end_mass: Array, total: float, truncated: bool
) -> NBest:
    """The labels from the root to each end."""
    offsets = np.zeros(len(found) + 1, np.int64)
    costs, posteriors = np.empty(len(found)), np.empty(len(found))
    for k in range(len(found)):
        offsets[k + 1] = offsets[k] + tree[found[k], DEPTH] - 1
        costs[k] = priorities[found[k]]
        posteriors[k] = min(1.0, math.exp(total - end_mass[found[k]]))
    outputs = np.empty(offsets[-1], np.int32)
    for k in range(len(found)):
        prefix = tree[found[k], PARENT]
        for place in range(offsets[k + 1] - 1, offsets[k] - 1, -1):
            outputs[place] = tree[prefix, LABEL]
            prefix = tree[prefix, PARENT]
    return NBest(offsets, outputs, costs, posteriors, truncated)


@kernel
def best_within(lattice: Lattice, n: int, budget: int, summed: bool = False) -> NBest:
    """The n best outputs, but where the budget allows of none that of the best path."""
    answers = n_best(lattice, n, budget, summed)
    return answers if is_answered(answers) else only_best(lattice, lattice_paths.best_path(lattice))


@leaf
def is_answered(answers: NBest) -> bool:
    """Whether a search found all that there is, or at least one output within its budget."""
    return len(answers.costs) > 0 or not answers.truncated


@kernel
def only_best(lattice: Lattice, path: Lattice) -> NBest:
    """The output of the best path of a lattice, cut from it."""
    _, mass = backward(lattice)
    return only_path(path, mass[0])

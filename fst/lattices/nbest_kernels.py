"""Kernels: the n best outputs of a lattice.

n-best is a best-first search over output prefixes (Mohri and Riley 2002: determinisation on the
fly). A prefix keeps the states that it may have led to, with the cost of the best path and the
mass of all paths to each; its priority is the least cost + best(s), which no completion can
undercut, so outputs come off the heap in their exact order, each once, with its total mass. Equal
costs are ordered by their labels, position by position, a prefix before its continuations. Where
answers are ranked by the sum over their paths, that of a path is replaced by it: no completion can
have more mass than all of them.

>>> from glyphone.fst.lattices.string_kernels import string_lattice
>>> n_best(string_lattice(np.array([5, 7])), 1, 100).labels
array([5, 7], dtype=int32)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.lattices.prefix_kernels import DEPTH, JUMP, LABEL, PARENT

kernel_arrays = sibling(__name__, "glyphone.data.kernels.arrays")
lattice_paths = sibling(__name__, "glyphone.fst.lattices.path_kernels")
lattice_sums = sibling(__name__, "glyphone.fst.lattices.sum_kernels")
prefix_kernels = sibling(__name__, "glyphone.fst.lattices.prefix_kernels")
doubled_rows = kernel_arrays.doubled_rows
backward_sums, log_add = lattice_sums.backward_sums, lattice_sums.log_add
plant_prefix, push_prefix, sift_heap = (
    prefix_kernels.plant_prefix,
    prefix_kernels.push_prefix,
    prefix_kernels.sift_heap,
)

Array = Any
INFINITY = np.inf
END = -1
COST, MASS = 0, 1
NEXT_LABEL, TARGET, ORDER, SPARE = 0, 1, 2, 3
MADE, MEMBERS, QUEUED, FOUND, SPENT = 0, 1, 2, 3, 4


class NBest(NamedTuple):
    """Outputs end to end, best first; output k is labels[offsets[k]:offsets[k + 1]]."""

    offsets: Array
    labels: Array
    costs: Array
    posteriors: Array
    truncated: bool


class Search(NamedTuple):
    """Prefixes of outputs, the states that each may have led to, and room for the next step.

    Prefix p stands in `tree` with its priority and, if it ends, the mass of its paths; its members
    are bounds[p, 0] to bounds[p, 1], each a state with the columns COST and MASS of the paths to
    it. `heap` has prefixes to come, `found` those that are outputs. `moves` are labelled arcs
    behind one prefix (columns NEXT_LABEL, TARGET, ORDER, SPARE), `reached` the costs of all states
    that it leads to, infinite for the others. `counts` has prefixes, members, prefixes on the heap,
    outputs, and states and arcs looked at.
    """

    tree: Array
    priorities: Array
    end_mass: Array
    bounds: Array
    states: Array
    costs: Array
    heap: Array
    found: Array
    moves: Array
    move_costs: Array
    reached: Array
    counts: Array


@kernel
def is_path(lattice: Lattice) -> bool:
    """Whether a lattice has exactly one path: a trimmed tree with one end is a line."""
    ends = 0
    for cost in lattice.finals:
        ends += cost < INFINITY
    return ends == 1 and len(lattice.labels) == lattice.n_states - 1


@kernel
def only_path(lattice: Lattice, total: float) -> NBest:
    """The answer of a lattice of one path; its posterior is a share of the mass of `total`, 1 if
    that is infinite."""
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

    When it is spent, the outputs found so far are the answer, which may be none. Outputs are ranked
    by their best paths, or, if `summed`, by the sum over all their paths; so is their cost.
    """
    if n > 0 and is_path(lattice):
        return only_path(lattice, INFINITY)
    best, mass = backward_sums(lattice)
    rests = mass if summed else best
    search = new_search(lattice.n_states, rests[0])
    while not explore_prefixes(lattice, rests, n, budget, summed, search):
        search = larger_search(search)
    counts = search.counts
    return spell_outputs(
        search.found[: counts[FOUND]],
        search.tree,
        search.priorities,
        search.end_mass,
        mass[0],
        counts[SPENT] > budget and counts[FOUND] < n and counts[QUEUED] > 0,
    )


@kernel
def new_search(n_states: int, priority: float) -> Search:
    """A search with the empty prefix on the heap; the start state is its only member."""
    search = Search(
        np.empty((64, 4), np.int64),
        np.empty(64),
        np.empty(64),
        np.zeros((64, 2), np.int64),
        np.empty(128, np.int64),
        np.empty((128, 2)),
        np.zeros(64, np.int64),
        np.empty(64, np.int64),
        np.empty((64, 4), np.int64),
        np.empty((64, 2)),
        np.full((n_states, 2), INFINITY),
        np.zeros(5, np.int64),
    )
    tree = search.tree
    tree[0, PARENT] = tree[0, LABEL] = tree[0, DEPTH] = tree[0, JUMP] = 0
    search.priorities[0], search.bounds[0, 1] = priority, 1
    search.states[0], search.costs[0, COST], search.costs[0, MASS] = 0, 0.0, 0.0
    search.counts[MADE] = search.counts[MEMBERS] = search.counts[QUEUED] = 1
    return search


@kernel
def larger_search(search: Search) -> Search:
    """A search with twice the room."""
    return Search(
        doubled_rows(search.tree),
        doubled_rows(search.priorities),
        doubled_rows(search.end_mass),
        doubled_rows(search.bounds),
        doubled_rows(search.states),
        doubled_rows(search.costs),
        doubled_rows(search.heap),
        doubled_rows(search.found),
        doubled_rows(search.moves),
        doubled_rows(search.move_costs),
        search.reached,
        search.counts,
    )


@leaf
def explore_prefixes(
    lattice: Lattice, rests: Array, n: int, budget: int, summed: bool, search: Search
) -> bool:
    """Take prefixes from the heap until n outputs are found or the budget is spent.

    `rests` has the cost, or the mass, from each state to the ends. False means that there is no
    room for the prefixes that come next; the search goes on from there in a larger one.
    """
    counts = search.counts
    while counts[QUEUED] > 0 and counts[FOUND] < n:
        prefix = search.heap[0]
        if search.tree[prefix, LABEL] == END:
            search.found[counts[FOUND]] = prefix
            counts[FOUND] += 1
            take_best(search)
            continue
        if counts[SPENT] > budget:
            return True
        low, high, n_moves = reach_states(lattice, prefix, search)
        if not has_room(search, n_moves):
            search.reached[low : high + 1] = INFINITY
            return False
        take_best(search)
        counts[SPENT] += high - low + 1 + n_moves
        add_end(lattice, low, high, prefix, summed, search)
        list_moves(lattice, low, high, search)
        sort_moves(search, n_moves)
        add_continuations(n_moves, prefix, rests, summed, search)
    return True


@leaf
def has_room(search: Search, n_moves: int) -> bool:
    """Whether there is room for an end and for the prefixes and members of so many moves."""
    return bool(
        search.counts[MADE] + n_moves < len(search.tree)
        and search.counts[MEMBERS] + n_moves <= len(search.states)
        and n_moves <= len(search.moves)
    )


@leaf
def take_best(search: Search) -> None:
    """Take the prefix of the least priority from the heap."""
    search.counts[QUEUED] -= 1
    sift_heap(search.heap, search.counts[QUEUED], search.priorities, search.tree)


@leaf
def add_prefix(search: Search, parent: int, label: int, priority: float) -> int:
    """Make a prefix, one label longer than its parent, and put it on the heap."""
    prefix, n_queued = search.counts[MADE], search.counts[QUEUED]
    plant_prefix(search.tree, prefix, parent, label)
    search.priorities[prefix] = priority
    push_prefix(search.heap, n_queued, prefix, search.priorities, search.tree)
    search.counts[MADE], search.counts[QUEUED] = prefix + 1, n_queued + 1
    return int(prefix)


@leaf
def reach_states(lattice: Lattice, prefix: int, search: Search) -> tuple[int, int, int]:
    """Write costs and masses of all states that a prefix leads to, by way of epsilon outputs.

    States are topologically numbered, so one sweep is enough. Returns the least and the greatest
    of these states, and the number of their arcs with a label.
    """
    reached, low, high, n_moves = search.reached, lattice.n_states, 0, 0
    for member in range(search.bounds[prefix, 0], search.bounds[prefix, 1]):
        state = search.states[member]
        reached[state, COST] = search.costs[member, COST]
        reached[state, MASS] = search.costs[member, MASS]
        low, high = min(low, state), max(high, state)
    state = low
    while state <= high:
        cost, mass = reached[state, COST], reached[state, MASS]
        if cost < INFINITY:
            for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
                if lattice.labels[arc] != 0:
                    n_moves += 1
                    continue
                target, price = lattice.targets[arc], lattice.costs[arc]
                reached[target, COST] = min(reached[target, COST], cost + price)
                reached[target, MASS] = log_add(reached[target, MASS], mass + price)
                high = max(high, target)
        state += 1
    return low, high, n_moves


@leaf
def add_end(
    lattice: Lattice, low: int, high: int, parent: int, summed: bool, search: Search
) -> None:
    """Add the prefix that ends here, if any state from `low` to `high` is a final one."""
    cost, mass = INFINITY, INFINITY
    for state in range(low, high + 1):
        if search.reached[state, COST] < INFINITY:
            cost = min(cost, search.reached[state, COST] + lattice.finals[state])
            mass = log_add(mass, search.reached[state, MASS] + lattice.finals[state])
    if cost < INFINITY:
        prefix = add_prefix(search, parent, END, mass if summed else cost)
        search.end_mass[prefix] = mass


@leaf
def list_moves(lattice: Lattice, low: int, high: int, search: Search) -> None:
    """List the labelled arcs of the states that are reached, and clear the costs of these
    states."""
    moves, costs, reached, move = search.moves, search.move_costs, search.reached, 0
    for state in range(low, high + 1):
        if reached[state, COST] < INFINITY:
            for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
                if lattice.labels[arc] != 0:
                    moves[move, NEXT_LABEL] = lattice.labels[arc]
                    moves[move, TARGET] = lattice.targets[arc]
                    costs[move, COST] = reached[state, COST] + lattice.costs[arc]
                    costs[move, MASS] = reached[state, MASS] + lattice.costs[arc]
                    move += 1
        reached[state, COST] = reached[state, MASS] = INFINITY


@leaf
def sort_moves(search: Search, n_moves: int) -> None:
    """Sort moves by label and target, equal ones as they come: a merge sort of their numbers.

    The column ORDER has the numbers; SPARE is room for them.
    """
    moves, source, target, width = search.moves, ORDER, SPARE, 1
    for move in range(n_moves):
        moves[move, ORDER] = move
    while width < n_moves:
        merge_moves(moves, n_moves, width, source, target)
        source, target = target, source
        width *= 2
    if source == SPARE:
        for row in range(n_moves):
            moves[row, ORDER] = moves[row, SPARE]


@leaf
def merge_moves(moves: Array, n_moves: int, width: int, source: int, target: int) -> None:
    """Merge sorted runs of `width` moves two by two, from one column to another."""
    for begin in range(0, n_moves, 2 * width):
        middle, end = min(begin + width, n_moves), min(begin + 2 * width, n_moves)
        left, right = begin, middle
        for row in range(begin, end):
            takes_left = right == end
            if left < middle and right < end:
                a, b = moves[left, source], moves[right, source]
                takes_left = moves[a, NEXT_LABEL] < moves[b, NEXT_LABEL] or (
                    moves[a, NEXT_LABEL] == moves[b, NEXT_LABEL]
                    and moves[a, TARGET] <= moves[b, TARGET]
                )
            if takes_left:
                moves[row, target] = moves[left, source]
                left += 1
            else:
                moves[row, target] = moves[right, source]
                right += 1


@leaf
def add_continuations(
    n_moves: int, parent: int, rests: Array, summed: bool, search: Search
) -> None:
    """Add a prefix for each label of the sorted moves."""
    moves, states, costs, row = search.moves, search.states, search.costs, 0
    while row < n_moves:
        label = moves[moves[row, ORDER], NEXT_LABEL]
        first = n_members = search.counts[MEMBERS]
        priority = INFINITY
        while row < n_moves and moves[moves[row, ORDER], NEXT_LABEL] == label:
            move = moves[row, ORDER]
            target = moves[move, TARGET]
            cost, mass = search.move_costs[move, COST], search.move_costs[move, MASS]
            if n_members > first and states[n_members - 1] == target:
                last = n_members - 1
                costs[last, COST] = min(costs[last, COST], cost)
                costs[last, MASS] = log_add(costs[last, MASS], mass)
            else:
                states[n_members] = target
                costs[n_members, COST], costs[n_members, MASS] = cost, mass
                n_members += 1
            if summed:
                priority = log_add(priority, mass + rests[target])
            else:
                priority = min(priority, cost + rests[target])
            row += 1
        search.counts[MEMBERS] = n_members
        prefix = add_prefix(search, parent, label, priority)
        search.bounds[prefix, 0], search.bounds[prefix, 1] = first, n_members


@kernel
def spell_outputs(
    found: Array, tree: Array, priorities: Array, end_mass: Array, total: float, truncated: bool
) -> NBest:
    """The outputs from the root to each prefix found, with their costs and posteriors."""
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
    """The n best outputs, or that of the best path if the budget is spent before any is found."""
    answers = n_best(lattice, n, budget, summed)
    return answers if is_answered(answers) else only_best(lattice, lattice_paths.best_path(lattice))


@leaf
def is_answered(answers: NBest) -> bool:
    """Whether a search has looked at all paths, or has found an output within its budget."""
    return len(answers.costs) > 0 or not answers.truncated


@kernel
def only_best(lattice: Lattice, path: Lattice) -> NBest:
    """The output of the best path of a lattice, cut from it."""
    _, mass = backward_sums(lattice)
    return only_path(path, mass[0])

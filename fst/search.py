"""Kernels: n-best and sums over lattices.

    best(s) = min over paths from s to an end of the cost
    mass(s) = -ln sum over the same paths of exp(-cost)

n-best is a best-first search over output prefixes (Mohri and Riley 2002: determinisation on the
fly). A prefix keeps the states that it may have led to, with the cost of the best path and the
mass of all paths to each; its priority is the least cost + best(s), which no completion can
undercut, so outputs come off the heap in their exact order, each once, with its total mass. Equal
costs are ordered by their labels, position by position, a prefix before its continuations.

>>> from glyphone.fst.lattices import lattice_of
>>> n_best(lattice_of(np.array([5, 7])), 1, 100).labels
array([5, 7], dtype=int32)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.jit import kernel, sibling
from glyphone.fst.lattices import Lattice

lattices = sibling(__name__, "glyphone.fst.lattices")

Array = Any
INFINITY = np.inf
END = -1
PARENT, LABEL, DEPTH, JUMP = 0, 1, 2, 3


class NBest(NamedTuple):
    """Outputs end to end, best first; output k is labels[offsets[k]:offsets[k + 1]]."""

    offsets: Array
    labels: Array
    costs: Array
    posteriors: Array
    truncated: bool


@kernel
def log_add(a: float, b: float) -> float:
    """-ln(exp(-a) + exp(-b))."""
    if a > b:
        a, b = b, a
    return a if b == INFINITY else a - math.log1p(math.exp(a - b))


@kernel
def backward(lattice: Lattice) -> tuple[Array, Array]:
    """The best cost and the mass from every state to the ends."""
    best, mass = lattice.finals.copy(), lattice.finals.copy()
    for state in range(lattice.n_states - 1, -1, -1):
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            target, cost = lattice.targets[arc], lattice.costs[arc]
            best[state] = min(best[state], cost + best[target])
            mass[state] = log_add(mass[state], cost + mass[target])
    return best, mass


@kernel
def forward(lattice: Lattice) -> Array:
    """The mass of all paths from the start to every state."""
    mass = np.full(lattice.n_states, INFINITY)
    mass[0] = 0.0
    for state in range(lattice.n_states):
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            target = lattice.targets[arc]
            mass[target] = log_add(mass[target], mass[state] + lattice.costs[arc])
    return mass


@kernel
def arc_posteriors(lattice: Lattice) -> Array:
    """The share of all paths, by weight, that go through each arc."""
    before, (_, after) = forward(lattice), backward(lattice)
    posteriors = np.empty(len(lattice.labels))
    for state in range(lattice.n_states):
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            through = before[state] + lattice.costs[arc] + after[lattice.targets[arc]]
            posteriors[arc] = math.exp(after[0] - through)
    return posteriors


@kernel
def doubled(array: Array) -> Array:
    larger = np.empty(2 * len(array), array.dtype)
    larger[: len(array)] = array
    return larger


@kernel
def planted(tree: Array, node: int, parent: int, label: int) -> None:
    """Puts a node into a tree of prefixes: columns PARENT, LABEL, DEPTH, JUMP.

    JUMP is an ancestor far above, chosen so that any ancestor is a logarithmic number of jumps
    and parents away (Myers 1983).
    """
    near = tree[parent, JUMP]
    far = tree[near, JUMP]
    even = tree[parent, DEPTH] - tree[near, DEPTH] == tree[near, DEPTH] - tree[far, DEPTH]
    tree[node, PARENT], tree[node, LABEL] = parent, label
    tree[node, DEPTH], tree[node, JUMP] = tree[parent, DEPTH] + 1, far if even else parent


@kernel
def raised(tree: Array, node: int, depth: int) -> int:
    """The ancestor at a depth."""
    while tree[node, DEPTH] > depth:
        jump = tree[node, JUMP]
        node = jump if tree[jump, DEPTH] >= depth else tree[node, PARENT]
    return node


@kernel
def precedes(a: int, b: int, priorities: Array, tree: Array) -> bool:
    """Whether prefix a comes off the heap before prefix b."""
    if priorities[a] != priorities[b]:
        return priorities[a] < priorities[b]
    x, y = raised(tree, a, tree[b, DEPTH]), raised(tree, b, tree[a, DEPTH])
    if x == y:
        return tree[a, DEPTH] < tree[b, DEPTH]
    while tree[x, PARENT] != tree[y, PARENT]:
        far = tree[x, JUMP] != tree[y, JUMP]
        x, y = (tree[x, JUMP], tree[y, JUMP]) if far else (tree[x, PARENT], tree[y, PARENT])
    return tree[x, LABEL] < tree[y, LABEL]


@kernel
def pushed(heap: Array, size: int, item: int, priorities: Array, tree: Array) -> Array:
    if size == len(heap):
        heap = doubled(heap)
    place = size
    while place > 0:
        above = (place - 1) // 2
        if not precedes(item, heap[above], priorities, tree):
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item
    return heap


@kernel
def sift(heap: Array, size: int, priorities: Array, tree: Array) -> None:
    """Puts the last item of a heap of size + 1 into the place of the first."""
    item = heap[size]
    place = 0
    while 2 * place + 1 < size:
        below = 2 * place + 1
        if below + 1 < size and precedes(heap[below + 1], heap[below], priorities, tree):
            below += 1
        if not precedes(heap[below], item, priorities, tree):
            break
        heap[place] = heap[below]
        place = below
    heap[place] = item


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
    labels = lattice.labels[lattice.labels != 0]
    offsets = np.array([0, len(labels)])
    share = 1.0 if total == INFINITY else min(1.0, math.exp(total - cost))
    return NBest(offsets, labels, np.full(1, cost), np.full(1, share), total < INFINITY)


@kernel
def n_best(lattice: Lattice, n: int, budget: int) -> NBest:
    """The n best distinct outputs; `budget` bounds the states that are looked at, in all.

    When it is spent, what was found so far is the answer: maybe nothing.
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
    tree[0] = (0, 0, 0, 0)
    priorities[0] = best[0]
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
            tree = lattices.grown(tree)
            priorities, end_mass = doubled(priorities), doubled(end_mass)
            begins, ends = doubled(begins), doubled(ends)
        while n_members + n_moves > len(member_state):
            member_state = doubled(member_state)
            member_cost, member_mass = doubled(member_cost), doubled(member_mass)

        if end_cost < INFINITY:
            planted(tree, n_prefixes, prefix, END)
            priorities[n_prefixes], end_mass[n_prefixes] = end_cost, end_sum
            heap = pushed(heap, size, n_prefixes, priorities, tree)
            size += 1
            n_prefixes += 1
        row = 0
        order = np.argsort(sort_keys, kind="mergesort")
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
                priorities[child] = min(priorities[child], move_cost[move] + best[target])
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
    posteriors = np.empty(len(found))
    for k in range(len(found)):
        offsets[k + 1] = offsets[k] + tree[found[k], DEPTH] - 1
        posteriors[k] = min(1.0, math.exp(total - end_mass[found[k]]))
    outputs = np.empty(offsets[-1], np.int32)
    for k in range(len(found)):
        prefix = tree[found[k], PARENT]
        for place in range(offsets[k + 1] - 1, offsets[k] - 1, -1):
            outputs[place] = tree[prefix, LABEL]
            prefix = tree[prefix, PARENT]
    return NBest(offsets, outputs, priorities[found], posteriors, truncated)


@kernel
def best_path(lattice: Lattice) -> Lattice:
    """The lattice of the best path alone; of equal arcs the first, and an end before them."""
    best, _ = backward(lattice)
    arcs = np.empty(lattice.n_states, np.int64)
    n_arcs, state = 0, 0
    while lattice.finals[state] > best[state]:
        low, high = lattice.offsets[state], lattice.offsets[state + 1]
        totals = lattice.costs[low:high] + best[lattice.targets[low:high]]
        arcs[n_arcs] = low + np.argmin(totals)
        state = lattice.targets[arcs[n_arcs]]
        n_arcs += 1
    arcs = arcs[:n_arcs]
    finals = np.full(n_arcs + 1, INFINITY)
    finals[n_arcs] = lattice.finals[state]
    return lattices.Lattice(
        n_arcs + 1,
        np.minimum(np.arange(n_arcs + 2), n_arcs),
        lattice.labels[arcs],
        lattice.costs[arcs],
        np.arange(n_arcs) + 1,
        lattice.begins[arcs],
        lattice.ends[arcs],
        finals,
    )


@kernel
def trace(lattice: Lattice, output: Array) -> tuple[Array, float, float]:
    """The best path with a given output: its arcs, its cost, and the mass of all such paths.

    Without such a path the cost is infinite.

    Row k has the states that k labels of the output lead to; each is filled from the row before
    it and from epsilons in itself. A cell is a state in a row: the best arc into it, and the cell
    that this arc comes from.
    """
    costs, masses = (
        np.full((2, lattice.n_states), INFINITY),
        np.full((2, lattice.n_states), INFINITY),
    )
    into = np.full((2, lattice.n_states, 2), -1)
    cells = np.empty((64, 2), np.int64)
    costs[0, 0] = masses[0, 0] = 0.0
    low, high, n_cells = 0, 0, 0
    end, end_cost, end_mass = -1, INFINITY, INFINITY
    for k in range(len(output) + 1):
        next_low, next_high = lattice.n_states, -1
        state = low
        while state <= high:
            so_far, mass = costs[k % 2, state], masses[k % 2, state]
            costs[k % 2, state] = masses[k % 2, state] = INFINITY
            if so_far < INFINITY:
                if n_cells == len(cells):
                    larger = np.empty((2 * n_cells, 2), np.int64)
                    larger[:n_cells] = cells
                    cells = larger
                cells[n_cells] = into[k % 2, state]
                if k == len(output):
                    end_mass = log_add(end_mass, mass + lattice.finals[state])
                    if so_far + lattice.finals[state] < end_cost:
                        end, end_cost = n_cells, so_far + lattice.finals[state]
                for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
                    step = int(lattice.labels[arc] != 0)
                    if step and (k == len(output) or lattice.labels[arc] != output[k]):
                        continue
                    target, row = lattice.targets[arc], (k + step) % 2
                    masses[row, target] = log_add(masses[row, target], mass + lattice.costs[arc])
                    if so_far + lattice.costs[arc] < costs[row, target]:
                        costs[row, target] = so_far + lattice.costs[arc]
                        into[row, target] = (arc, n_cells)
                    if step:
                        next_low, next_high = min(next_low, target), max(next_high, target)
                    else:
                        high = max(high, target)
                n_cells += 1
            state += 1
        low, high = next_low, next_high
    arcs = np.empty(lattice.n_states, np.int64)
    n_arcs = 0
    while end > 0:
        arcs[n_arcs] = cells[end, 0]
        end = cells[end, 1]
        n_arcs += 1
    return arcs[:n_arcs][::-1], end_cost, end_mass


@kernel
def spans(lattice: Lattice, arcs: Array) -> tuple[Array, Array]:
    """Which input symbols each output of a path comes from: begins and ends.

    The path falls into groups; a group begins where an arc both reads and writes and the group
    before has read and written too. So what is read silently goes with the output before it, and
    what is written without reading goes with what was read last.
    """
    begins, ends = np.empty(len(arcs), np.int64), np.empty(len(arcs), np.int64)
    first, n = 0, 0
    begin, end = -1, -1
    for arc in arcs:
        reads, writes = lattice.begins[arc] >= 0, lattice.labels[arc] != 0
        if reads and writes and begin >= 0 and n > first:
            first, begin = n, -1
        if reads:
            begin = lattice.begins[arc] if begin == -1 else begin
            end = lattice.ends[arc]
        if writes:
            n += 1
        for k in range(first, n):
            begins[k], ends[k] = max(begin, 0), max(end, 0)
    return begins[:n], ends[:n]

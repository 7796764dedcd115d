"""Kernels: prefixes of outputs in a tree, and a heap that gives the best of them first.

Of prefixes with one priority the heap gives them in the order of their labels, position by
position, a prefix before its continuations.

>>> import numpy as np
>>> tree = np.zeros((4, 4), np.int64)
>>> for node, (parent, label) in enumerate([(0, 7), (1, 3), (0, 5)], 1):
...     plant_prefix(tree, node, parent, label)
>>> tree[:, DEPTH].tolist()
[0, 1, 2, 1]
>>> priorities = np.array([0.0, 1.0, 1.0, 1.0])
>>> [precedes(1, other, priorities, tree) for other in (2, 3)]
[True, False]
"""

from __future__ import annotations

from typing import Any

from glyphone.data.kernels.jit import leaf

Array = Any
# The columns of a tree.
PARENT, LABEL, DEPTH, JUMP = 0, 1, 2, 3


@leaf
def plant_prefix(tree: Array, node: int, parent: int, label: int) -> None:
    """Write a node into a tree of prefixes: columns PARENT, LABEL, DEPTH, JUMP.

    JUMP is an ancestor far above, chosen so that any ancestor is a logarithmic number of jumps and
    parents away (Myers 1983).
    """
    near = tree[parent, JUMP]
    far = tree[near, JUMP]
    even = tree[parent, DEPTH] - tree[near, DEPTH] == tree[near, DEPTH] - tree[far, DEPTH]
    tree[node, PARENT], tree[node, LABEL] = parent, label
    tree[node, DEPTH], tree[node, JUMP] = tree[parent, DEPTH] + 1, far if even else parent


@leaf
def ancestor_at(tree: Array, node: int, depth: int) -> int:
    """The ancestor of a node at a depth."""
    while tree[node, DEPTH] > depth:
        jump = tree[node, JUMP]
        node = jump if tree[jump, DEPTH] >= depth else tree[node, PARENT]
    return node


@leaf
def precedes(a: int, b: int, priorities: Array, tree: Array) -> bool:
    """Whether prefix a comes off the heap before prefix b."""
    if priorities[a] != priorities[b]:
        return bool(priorities[a] < priorities[b])
    x, y = ancestor_at(tree, a, tree[b, DEPTH]), ancestor_at(tree, b, tree[a, DEPTH])
    if x == y:
        return bool(tree[a, DEPTH] < tree[b, DEPTH])
    while tree[x, PARENT] != tree[y, PARENT]:
        far = tree[x, JUMP] != tree[y, JUMP]
        x, y = (tree[x, JUMP], tree[y, JUMP]) if far else (tree[x, PARENT], tree[y, PARENT])
    return bool(tree[x, LABEL] < tree[y, LABEL])


@leaf
def push_prefix(heap: Array, size: int, item: int, priorities: Array, tree: Array) -> None:
    """Put a prefix on a heap of some size, which has room for it."""
    place = size
    while place > 0:
        above = (place - 1) // 2
        if not precedes(item, heap[above], priorities, tree):
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


@leaf
def sift_heap(heap: Array, size: int, priorities: Array, tree: Array) -> None:
    """Put the last prefix of a heap of size + 1 into the place of the first."""
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

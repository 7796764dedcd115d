"""The columns of a layered drawing: who stands left of whom, cycles or not.

The nodes get an order, edges against it count as turned round, and the column of a node is the
longest path that leads to it. Without a cycle the order is a topological one. With cycles, that of
a depth-first search may string out what a breadth-first search keeps short; the shorter edges win.

>>> order, columns = arranged(4, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 0)], 0)
>>> order, columns
([0, 1, 2, 3], [0, 1, 2, 3])
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

Ends = tuple[int, int]


def arranged(n_nodes: int, edges: Sequence[Ends], start: int | None) -> tuple[list[int], list[int]]:
    """The place of each node in an order, the start first, and its column.

    The order is a topological one if the graph has no cycle. If it has, that of a depth-first
    search may string out what a breadth-first search keeps short, and the shorter edges win.
    """
    targets: list[list[int]] = [[] for _ in range(n_nodes)]
    for source, target in edges:
        if source != target:
            targets[source].append(target)
    roots = list(range(n_nodes))
    if start is not None:
        roots.insert(0, start)
    candidates = []
    for visits in (by_depth(targets, roots), by_breadth(targets, roots)):
        if start is not None:
            visits.remove(start)
            visits.insert(0, start)
        order = [0] * n_nodes
        for place, node in enumerate(visits):
            order[node] = place
        columns = [0] * n_nodes
        into: list[list[int]] = [[] for _ in range(n_nodes)]
        turned = 0
        for source, target in edges:
            low, high = sorted((source, target), key=order.__getitem__)
            turned += low != source
            into[high].append(low)
        for node in visits:
            columns[node] = max((columns[low] + 1 for low in into[node] if low != node), default=0)
        if not turned:
            return order, columns
        length = sum(abs(columns[source] - columns[target]) for source, target in edges)
        candidates.append((length, order, columns))
    return min(candidates)[1:]


def by_depth(targets: Sequence[Sequence[int]], roots: Sequence[int]) -> list[int]:
    """The nodes in the reverse order in which a depth-first search leaves them."""
    seen: set[int] = set()
    left = []
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        path = [(root, iter(targets[root]))]
        while path:
            node, rest = path[-1]
            following = next((target for target in rest if target not in seen), None)
            if following is None:
                left.append(node)
                path.pop()
            else:
                seen.add(following)
                path.append((following, iter(targets[following])))
    return left[::-1]


def by_breadth(targets: Sequence[Sequence[int]], roots: Sequence[int]) -> list[int]:
    seen: dict[int, None] = {}
    for root in roots:
        agenda = deque([root])
        while agenda:
            node = agenda.popleft()
            if node not in seen:
                seen[node] = None
                agenda.extend(targets[node])
    return list(seen)

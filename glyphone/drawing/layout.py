"""Layered drawing of a directed graph, left to right (Sugiyama, Tagawa and Toda 1981).

Nodes stand in columns, and the labels of edges in columns of their own between them. An edge that
is longer than one column is a chain of links, one in each column that it passes, so that nothing
can stand on it: within a column edges are almost level, and they bend only in the gaps. Past their
labels, edges to the same node share their links, for their labels are passed; so the
hundred edges that lead back to the start are one line. The steps are those of Gansner, Koutsofios,
North and Vo (1993), each done simply:

1. the nodes get an order, and edges against it are turned round;
2. columns: the longest path from the left, see `assign_columns`;
3. order within columns: barycentres, there and back, and the best order seen is kept;
4. heights: each column in turn goes as near to its neighbours as order and sizes allow, which is
   least squares under order constraints, solved exactly by pooling adjacent violators;
5. widths of the gaps: the steeper the edges, the wider.

>>> place = layout([Box(20, 10, 10)] * 2, [(0, 1)], [Box(30, 8, 8)], start=0)
>>> place.nodes, place.stops
([(10.0, 0.0), (104.0, 0.0)], [[Stop(left=42.0, right=72.0, y=0.0, fall=0.0)]])
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

SWEEPS = 16
SETTLING = 30
SEPARATION = 10.0
GAP = 22.0
STEEPNESS = 0.45
WIDEST_GAP = 120.0
# The middle of a long edge should be straight before its ends are near.
STIFFNESS = 6.0

Point = tuple[float, float]
# The source and the target of an edge.
Ends = tuple[int, int]


@dataclass(frozen=True)
class Box:
    """The space of a node or label: its width, and its height above and below its middle."""

    width: float
    up: float
    down: float


@dataclass(frozen=True)
class Stop:
    """The passage of an edge through a column, from `fall` above `y` to as much below it."""

    left: float
    right: float
    y: float
    fall: float


@dataclass(frozen=True)
class Placement:
    """Middles of the nodes, and the stops of each edge from its source on; its label is at the
    first. An edge from a node to itself has none."""

    nodes: list[Point]
    stops: list[list[Stop]]


@dataclass(frozen=True)
class Layers:
    """Boxes in columns: those of the nodes, then the links of edges."""

    boxes: list[Box]
    columns: list[int]  # of each box
    before: list[list[int]]
    after: list[list[int]]
    n_nodes: int
    shared: dict[tuple[int, int, bool], int]  # links by the node they lead to, column and direction

    def add(self, box: Box, column: int) -> int:
        self.boxes.append(box)
        self.columns.append(column)
        self.before.append([])
        self.after.append([])
        return len(self.boxes) - 1

    def share(self, target: int, column: int, *, turned: bool) -> int:
        key = (target, column, turned)
        if key not in self.shared:
            self.shared[key] = self.add(Box(0, 0, 0), column)
        return self.shared[key]

    def join(self, low: int, high: int) -> None:
        if high not in self.after[low]:
            self.after[low].append(high)
            self.before[high].append(low)


def layout(
    nodes: Sequence[Box], edges: Sequence[Ends], labels: Sequence[Box], *, start: int | None
) -> Placement:
    """Places for nodes, edges and labels."""
    order, columns = assign_columns(len(nodes), edges, start)
    layers = Layers([], [], [], [], len(nodes), {})
    for box, column in zip(nodes, columns, strict=True):
        layers.add(box, 2 * column)
    chains = [
        add_links(layers, edge, label, turned=order[edge[0]] > order[edge[1]])
        for edge, label in zip(edges, labels, strict=True)
    ]
    rows = order_columns(layers, sorted(range(len(nodes)), key=order.__getitem__))
    ys = settle_heights(layers, rows)
    spans = column_spans(layers, rows, ys)
    middles = [(left + right) / 2 for left, right in spans]
    return Placement(
        [(middles[layers.columns[node]], ys[node]) for node in range(len(nodes))],
        [
            [
                Stop(*spans[layers.columns[link]], ys[link], fall_of_link(layers, link, ys))
                for link in links
            ]
            for links in chains
        ],
    )


def add_links(layers: Layers, edge: Ends, label: Box, *, turned: bool) -> list[int]:
    """Adds the links of an edge, the label's next to the source; returns them from there on."""
    source, target = edge
    if source == target:
        return []
    step = -1 if turned else 1
    columns = range(layers.columns[source] + step, layers.columns[target], step)
    links = [layers.add(label, columns[0])]
    links += [layers.share(target, column, turned=turned) for column in columns[1:]]
    for near, far in pairwise([source, *links, target]):
        layers.join(far, near) if turned else layers.join(near, far)
    return links


def order_columns(layers: Layers, nodes: Sequence[int]) -> list[list[int]]:
    """The boxes of each column from top to bottom, with few crossings."""
    rows: list[list[int]] = [[] for _ in range(max(layers.columns, default=-1) + 1)]
    for box in by_depth([boxes[::-1] for boxes in layers.after], nodes):
        rows[layers.columns[box]].append(box)
    places = [0] * len(layers.boxes)
    for row in rows:
        number_places(row, places)
    best, fewest = rows, count_crossings(layers, rows, places)
    for sweep in range(SWEEPS):
        if not fewest:
            break
        rows = [list(row) for row in rows]
        near = layers.after if sweep % 2 else layers.before
        for row in reversed(rows) if sweep % 2 else rows:
            barycentres = {
                box: sum(places[other] for other in near[box]) / len(near[box])
                if near[box]
                else places[box]
                for box in row
            }
            row.sort(key=barycentres.__getitem__)
            number_places(row, places)
        if (found := count_crossings(layers, rows, places)) < fewest:
            best, fewest = rows, found
    return best


def number_places(row: Sequence[int], places: list[int]) -> None:
    for place, box in enumerate(row):
        places[box] = place


def count_crossings(layers: Layers, rows: Sequence[Sequence[int]], places: Sequence[int]) -> int:
    """Edges cross in a gap where their ends are in opposite orders."""
    total = 0
    for row in rows:
        passed: list[int] = []
        for box in row:
            ends = sorted(places[other] for other in layers.after[box])
            total += sum(len(passed) - bisect_right(passed, end) for end in ends)
            for end in ends:
                insort(passed, end)
    return total


def settle_heights(layers: Layers, rows: Sequence[Sequence[int]]) -> list[float]:
    """The height of the middle of each box, growing downwards."""
    ys = [0.0] * len(layers.boxes)
    for row in rows:
        settle_column(row, [0.0] * len(row), [1.0] * len(row), layers.boxes, ys)
    for sweep in range(SETTLING):
        for row in reversed(rows) if sweep % 2 else rows:
            wishes, weights = [], []
            for box in row:
                wish = weight = 0.0
                for other in (*layers.before[box], *layers.after[box]):
                    pull = STIFFNESS if min(box, other) >= layers.n_nodes else 1.0
                    wish += pull * ys[other]
                    weight += pull
                wishes.append(wish / weight if weight else ys[box])
                weights.append(weight or 1.0)
            settle_column(row, wishes, weights, layers.boxes, ys)
    return ys


def settle_column(
    row: Sequence[int],
    wishes: Sequence[float],
    weights: Sequence[float],
    boxes: Sequence[Box],
    ys: list[float],
) -> None:
    """Sets heights as near to the wishes as the boxes allow (pool adjacent violators)."""
    offset, offsets = 0.0, []
    pools: list[tuple[float, float, int]] = []  # mean wish without the offsets, weight, boxes
    for place, box in enumerate(row):
        if place:
            offset += boxes[row[place - 1]].down + SEPARATION + boxes[box].up
        offsets.append(offset)
        wish, weight, count = wishes[place] - offset, weights[place], 1
        while pools and pools[-1][0] >= wish:
            above, more, n_above = pools.pop()
            wish = (wish * weight + above * more) / (weight + more)
            weight, count = weight + more, count + n_above
        pools.append((wish, weight, count))
    settled = [wish for wish, _, count in pools for _ in range(count)]
    for box, wish, below in zip(row, settled, offsets, strict=True):
        ys[box] = wish + below


def fall_of_link(layers: Layers, link: int, ys: Sequence[float]) -> float:
    """How far an edge that goes up or down through a column falls in half of it: less than would
    bring it to its neighbours, and not at all under its label or where edges join."""
    if layers.boxes[link].width or len(layers.before[link]) + len(layers.after[link]) != 2:
        return 0.0
    before = ys[link] - ys[layers.before[link][0]]
    after = ys[layers.after[link][0]] - ys[link]
    if before * after <= 0:
        return 0.0
    fall = min(abs(before) / 3, abs(after) / 3, 0.4 * SEPARATION)
    return fall if after > 0 else -fall


def column_spans(
    layers: Layers, rows: Sequence[Sequence[int]], ys: Sequence[float]
) -> list[tuple[float, float]]:
    """The left and right end of each column."""
    spans = []
    left = 0.0
    for row in rows:
        right = left + max(layers.boxes[box].width for box in row)
        spans.append((left, right))
        rise = max(
            (abs(ys[box] - ys[other]) for box in row for other in layers.after[box]), default=0
        )
        left = right + min(GAP + STEEPNESS * rise, WIDEST_GAP)
    return spans


def assign_columns(
    n_nodes: int, edges: Sequence[Ends], start: int | None
) -> tuple[list[int], list[int]]:
    """The place of each node in an order, the start first, and its column.

    The column is the length of the longest path to the node, over edges that are turned round
    where they run against the order. The order is a topological one if the graph has no cycle. If
    it has, edges may be longer in the order of a depth-first search than in that of a breadth-first
    search; the order with the shorter edges is taken.

    >>> assign_columns(4, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 0)], 0)
    ([0, 1, 2, 3], [0, 1, 2, 3])
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
    """The nodes in the order in which a breadth-first search finds them."""
    seen: dict[int, None] = {}
    for root in roots:
        agenda = deque([root])
        while agenda:
            node = agenda.popleft()
            if node not in seen:
                seen[node] = None
                agenda.extend(targets[node])
    return list(seen)

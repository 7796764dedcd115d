"""Forests for the kernels: binary, end to end, many in one set of arrays.

A choice of more than two children becomes its first child and a node for the rest, shared by all
choices of the forest that end in the same children: the orders S v O, S O v and v S O of Jansche
(2005) make his nodes VO, OV and SO.

>>> from glyphone.fst.forests.forest import Choice, ForestBuilder
>>> builder = ForestBuilder()
>>> s, v, o = (builder.add_leaf(symbol) for symbol in range(3))
>>> orders = [(s, v, o), (s, o, v), (v, s, o)]
>>> packed = pack([builder.build(builder.add_node([Choice(order) for order in orders]))])
>>> packed.bounds.tolist(), packed.sources.tolist()
([0, 7], [-1, -1, -1, 0, 1, 2])
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from glyphone.fst.forests.composition_kernels import NOTHING, PackedForests
from glyphone.fst.forests.forest import INNER, NO_PATTERN, Forest

Row = tuple[int, int, int, float, int]  # left, right, pattern, log weight, source


def pack(forests: Sequence[Forest]) -> PackedForests:
    """The arrays of some forests; choices of each keep their numbers in `sources`."""
    symbols: list[int] = []
    rows: list[list[Row]] = []
    bounds, draws = [0], [0]
    for forest in forests:
        longest = _add(forest, symbols, rows)
        bounds.append(len(symbols))
        draws.append(draws[-1] + longest + 1)  # and one for the state in which the yield ends
    columns = list(zip(*(row for node in rows for row in node), strict=True)) or [()] * 5
    return PackedForests(
        np.array(bounds, np.int64),
        np.array(symbols, np.int64),
        np.cumsum([0, *map(len, rows)], dtype=np.int64),
        np.array(columns[0], np.int64),
        np.array(columns[1], np.int64),
        np.array(columns[2], np.int64),
        np.array(columns[3], np.float64),
        np.array(columns[4], np.int64),
        np.array(draws, np.int64),
    )


def _add(forest: Forest, symbols: list[int], rows: list[list[Row]]) -> int:
    """Appends the nodes of a forest; the most choices of a tree, those between included."""
    numbers: list[int] = []
    between: dict[tuple[int, ...], int] = {}
    longest: dict[int, int] = {}

    def node_of(children: tuple[int, ...]) -> int:
        """The node for the last children of a choice."""
        if len(children) == 1:
            return children[0]
        if children not in between:
            right = node_of(children[1:])
            between[children] = added(INNER, [(children[0], right, NO_PATTERN, 0.0, -1)])
        return between[children]

    def added(symbol: int, choices: list[Row]) -> int:
        number = len(symbols)
        symbols.append(symbol)
        rows.append(choices)
        lengths = (longest.get(left, 0) + longest.get(right, 0) for left, right, *_ in choices)
        longest[number] = max((1 + length for length in lengths), default=0)
        return number

    for node in range(forest.n_nodes):
        choices: list[Row] = []
        for choice in forest.choices_of(node):
            children = tuple(numbers[child] for child in forest.children_of(choice))
            left = children[0] if children else NOTHING
            right = node_of(children[1:]) if len(children) > 1 else NOTHING
            pattern, weight = int(forest.patterns[choice]), float(forest.log_weights[choice])
            choices.append((left, right, pattern, weight, choice))
        numbers.append(added(int(forest.symbols[node]), choices))
    return longest[numbers[forest.root]]

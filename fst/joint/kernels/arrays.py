"""A joint model in flat arrays, and room for the nodes and arcs of its trellises.

>>> len(trellis_room(3).states), len(arc_room(2).units)
(3, 2)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel
from glyphone.fst.context.window_kernels import Windows

Array = Any
# A power of two, more than most rows have nodes, and few enough to stay near the processor.
MARKS = 1 << 10


class Joint(NamedTuple):
    """A joint model in flat arrays.

    n-grams are those of glyphone.fst.ngrams.model, as probabilities. `ranked` has the arcs of the
    shortest histories, those of a state and chunk in the order of falling probability: they are
    many. masks[state] has a bit for each chunk that the state knows units for, see `chunk_bit`:
    most states know few units.

    Chunk c is read by the units firsts[c] to firsts[c + 1]. Chunk 0 is empty, and a single symbol
    is the chunk of its label; a longer one is a prefix, times n_labels, plus a label: `longer` has
    these keys, sorted, and the k-th is n_labels + k. No chunk is longer than `longest`. Unit u
    writes labels[written[u]:written[u + 1]], at most `widest` of them. At most `layers` - 1 units
    in a row read nothing. Factors of windows count to the power of `strength`. If `summed`, outputs
    are as good as the sum over their paths, else as the best of these.
    """

    offsets: Array
    tokens: Array
    probs: Array
    targets: Array
    backoff_states: Array
    backoffs: Array
    start: int
    end: int
    firsts: Array
    ranked: Array
    masks: Array
    longer: Array
    longest: int
    n_labels: int
    written: Array
    labels: Array
    widest: int
    layers: int
    windows: Windows
    strength: float
    summed: bool


class Beam(NamedTuple):
    """The paths that a search may pass over.

    A node is not extended if its best path is e to the `width` times less probable than that of
    another node in its row; a unit is not tried if windows give it e to the `reach` times less
    probability than another unit at its place. With both infinite the search finds the best path
    for certain.
    """

    width: float
    reach: float


class Context(NamedTuple):
    """Factors of windows for units at the places of a string: shares[shifts[place] + unit].

    Without windows all are one.
    """

    shares: Array
    shifts: Array


class Trellis(NamedTuple):
    """Room for the nodes of all positions, in the order in which they are reached.

    `ties` marks nodes that have several best paths, `others` has the node of the row before with
    the same mark, and `known` the bits of the chunks that the state of a node knows units for.
    These bits are read when the node is made, so that they are near when it is extended.
    """

    states: Array
    bests: Array
    masses: Array
    before: Array
    units: Array
    ties: Array
    others: Array
    known: Array


class Arcs(NamedTuple):
    """Room for every extension of a node, or none if they are not asked for.

    `masses` are the shares of arcs in the mass of their targets.
    """

    sources: Array
    targets: Array
    units: Array
    probs: Array
    masses: Array


class TrellisScratch(NamedTuple):
    """Marks of the nodes of the row that is filled, and of units that have been met.

    marks[state % MARKS] is a row, ever counted on, and its latest node for such a state; seen[unit]
    is the last node, ever counted on, that was extended by the unit. `counters` has both counts.
    """

    marks: Array
    seen: Array
    counters: Array


@inlined
def chunk_bit(chunk: int) -> int:
    """The bit of a chunk in masks of states; chunks that are 63 apart share one."""
    return 1 << (chunk % 63)


@inlined
def rows_before(row: int, layers: int, longest: int) -> tuple[int, int]:
    """The nearest and the farthest of the rows that a row goes on from.

    >>> rows_before(5, 1, 3), rows_before(6, 3, 2), rows_before(7, 3, 2)
    ((4, 2), (5, 0), (6, 6))
    """
    end, layer = row // layers, row % layers
    # What reads nothing goes on from the row before.
    if layer:
        return row - 1, row - 1
    return end * layers - 1, max(0, end - longest) * layers


@kernel
def trellis_room(size: int) -> Trellis:
    """An empty trellis with room for `size` nodes."""
    return Trellis(
        np.empty(size, np.int32),
        np.empty(size),
        np.empty(size),
        np.empty(size, np.int64),
        np.empty(size, np.int32),
        np.empty(size, np.bool_),
        np.empty(size, np.int32),
        np.empty(size, np.int64),
    )


@kernel
def arc_room(size: int) -> Arcs:
    """Room for `size` arcs."""
    return Arcs(
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int32),
        np.empty(size),
        np.empty(size),
    )


@kernel
def trellis_scratch(joint: Joint) -> TrellisScratch:
    """Blank marks for the states and units of a model."""
    return TrellisScratch(
        np.zeros((MARKS, 2), np.int32),
        np.zeros(joint.end + 1, np.int64),
        np.zeros(2, np.int64),
    )


def interleave_columns(**columns: Array) -> Array:
    """Columns as the fields of one array: fields that are read together lie in one line of
    memory."""
    kinds = [(name, column.dtype) for name, column in columns.items()]
    rows = np.empty(len(next(iter(columns.values()))), np.dtype(kinds, align=True))
    for name, column in columns.items():
        rows[name] = column
    return rows


def padded_values(values: Array, size: int, value: int) -> Array:
    """Values, followed by copies of another value, `size` in all."""
    found = np.full(size, value, values.dtype)
    found[: len(values)] = values
    return found


def read_only_view(array: Array) -> Array:
    """A view of an array that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view

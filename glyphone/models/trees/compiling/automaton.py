"""A tree as a deterministic automaton: states of knowledge after some letters, and outputs.

That is what is left of the tree for each letter in whose window they are: those still to come and
those that wait for what comes after them. Each is a class of a level (see
`glyphone.models.trees.compiling.levels`) and moves on by one level with every letter read. What the
letters that wait are decided for is written as soon as all before them are; the rest at the end,
when edges are read. States that write and go alike are then made one (Moore 1956).

>>> from glyphone.models.trees.compiling.levels import Levels
>>> levels = Levels(  # 1 before 2 writes label 7, before others label 8; 2 writes nothing
...     (np.array([[-1, 0, 1]]), np.array([[1, 1, 0], [2, 2, 2]])),
...     {1: np.array([-1, 2]), 2: np.array([0, 1, 2])}, (0,), left=0, right=1, n_letters=2)
>>> states = states_of(levels, [(7,), (8,), ()], largest=9)
>>> states.targets.tolist(), [states.writes[k] for k in states.written[1]]
([[1, 0], [1, 0]], [(8,), (7,)])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from glyphone.fst.automata.transducer import Transducer
from glyphone.models.trees.compiling.arcs import Arcs, Labels
from glyphone.models.trees.compiling.levels import OPEN, Levels, number_rows

Array = Any
# A letter that has been written waits for nothing; so do those before the first.
NONE = -1


class OverBudget(Exception):
    """There are more states than the budget has room for."""

    def __init__(self, n_states: int) -> None:
        super().__init__(n_states)
        self.n_states = n_states


class States(NamedTuple):
    """targets[s, x - 1] comes after letter x in state s; on the way the labels in
    writes[written[s, x - 1]] are written, and if the word ends there those in writes[ends[s]]."""

    targets: Array
    written: Array
    ends: Array
    writes: Sequence[Labels]


def states_of(levels: Levels, outputs: Sequence[Labels], *, largest: int) -> States:
    """The states that can be reached, in the order of a breadth-first search."""
    known: dict[bytes, int] = {}
    distinct: dict[bytes, int] = {}
    frontier = start_row(levels)
    number_rows(frontier, known)
    targets, written, ends = list[Array](), list[Array](), list[Array]()
    writes = list[Labels]()
    while len(frontier):
        rows, decided = move_rows(levels, frontier)
        for found, outs in ((written, decided), (ends, final_outputs(levels, frontier))):
            numbers, fresh = number_rows(outs, distinct)
            found.append(numbers)
            writes.extend(output_labels(outs[fresh], outputs))
        numbers, fresh = number_rows(rows, known)
        if len(known) > largest:
            raise OverBudget(len(known))
        targets.append(numbers)
        frontier = rows[fresh]
    shape = (-1, levels.n_letters)
    return States(
        np.concatenate(targets).reshape(shape),
        np.concatenate(written).reshape(shape),
        np.concatenate(ends),
        writes,
    )


def start_row(levels: Levels) -> Array:
    """The state before the first letter, as a row: column k has a class of level k + 1."""
    return np.array([[*levels.edges[1:], *[NONE] * levels.right]], np.int64)


def move_rows(levels: Levels, rows: Array) -> tuple[Array, Array]:
    """The state after each letter in each state, and the outputs that can be written then."""
    width = len(levels.steps)
    found: Array = np.empty((len(rows), levels.n_letters, width), np.int64)
    found[:, :, 0] = levels.steps[0][0, 1:]
    for k in range(1, width):
        before = rows[:, k - 1]
        found[:, :, k] = np.where(before[:, None] == NONE, NONE, levels.steps[k][before, 1:])
    found = found.reshape(-1, width)
    decided = np.full((len(found), levels.right + 1), OPEN, np.int64)
    goes_on = np.ones(len(found), np.bool_)
    # From the letter that has waited longest to the one that has just been read.
    for place, k in enumerate(range(width - 1, levels.left - 1, -1)):
        waits = found[:, k] != NONE
        decided[:, place] = np.where(goes_on & waits, levels.decided[k + 1][found[:, k]], OPEN)
        writes = decided[:, place] != OPEN
        found[writes, k] = NONE
        goes_on &= writes | ~waits
    return found[:, :-1], decided


def final_outputs(levels: Levels, rows: Array) -> Array:
    """The outputs of the letters that still wait when the word is over."""
    found = np.full((len(rows), levels.right + 1), OPEN, np.int64)
    for place, k in enumerate(range(len(levels.steps) - 1, levels.left, -1)):
        classes = rows[:, k - 1]
        for step in levels.steps[k:]:
            classes = np.where(classes == NONE, NONE, step[classes, 0])
        found[:, place] = np.where(
            classes == NONE, OPEN, levels.decided[len(levels.steps)][classes]
        )
    return found


def output_labels(rows: Array, outputs: Sequence[Labels]) -> list[Labels]:
    """The labels of rows of outputs."""
    return [
        tuple(label for output in row if output != OPEN for label in outputs[output])
        for row in rows.tolist()
    ]


def merge_states(states: States) -> States:
    """An equivalent machine with the fewest states, in the order of the first of each class."""
    same: dict[Labels, int] = {}
    numbers = np.array([same.setdefault(labels, len(same)) for labels in states.writes])
    written, ends = numbers[states.written], numbers[states.ends]
    classes, fresh = number_rows(np.column_stack([ends, written]), {})
    while True:
        finer, found = number_rows(np.column_stack([classes, classes[states.targets]]), {})
        if len(found) == len(fresh):
            return States(classes[states.targets[fresh]], written[fresh], ends[fresh], list(same))
        classes, fresh = finer, found


def machine_of(states: States) -> Transducer:
    """The arcs of states; the last state is where what waits has been written at the end."""
    n_states, n_letters = states.targets.shape
    arcs, end = Arcs(), n_states
    writes = states.writes
    firsts = np.array([labels[0] if labels else 0 for labels in writes], np.int64)
    long = np.array([len(labels) > 1 for labels in writes], np.bool_)
    targets = states.targets.copy()
    for state, place in np.argwhere(long[states.written]).tolist():
        rest = writes[states.written[state, place]][1:]
        targets[state, place] = arcs.chain(rest, int(targets[state, place]), fresh=n_states + 1)
    numbers = np.arange(n_states)
    arcs.add(numbers[:, None], np.arange(1, n_letters + 1), firsts[states.written], targets)
    flushed = [writes[number] for number in states.ends.tolist()]
    for state, labels in enumerate(flushed):
        if labels:
            target = arcs.chain(labels[1:], end, fresh=n_states + 1)
            arcs.add([state], 0, labels[0], target)
    return arcs.machine(finals=[*(s for s in range(n_states) if not flushed[s]), end])

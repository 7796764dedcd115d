"""A tree as a cascade of small transducers: one for each place of the window, the nearest first.

The first transducer writes for each letter x its own copy for questions to the right, r, a tag t,
which says what is left of the tree for that letter, and a copy l for questions to the left. So
does "aha" become  r(a) t(a) l(a) r(h) t(h) l(h) r(a) t(a) l(a). Before each tag are now the letters
l of those to its left, behind it those r to its right. A transducer for the next place to the left
reads an l, a tag, and writes the tag that is left when that letter is known and then the l: so the
next of them will find the letter before. Those for the right are the same read backwards. The last
one writes what tags are decided for, and no letters.

A tag goes on in the place where it is, so that spans tell which letter an output comes from. The
size is the number of tags at each place times that of letters, and never what contexts there are
together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from glyphone.fst.automata.transducer import Transducer
from glyphone.learners.trees.arrays import Tree
from glyphone.models.trees.compiling.arcs import Arcs, Labels
from glyphone.models.trees.compiling.diagrams import Forest
from glyphone.models.trees.compiling.levels import number_rows

Array = Any


class Plan(NamedTuple):
    """tags[x - 1] is that of letter x; steps[k][t, code] what comes of tag t at the k-th place,
    counted from the letter, which is columns[k]; at the end tag t is for output outputs[t]."""

    tags: Array
    columns: list[int]
    steps: list[Array]
    outputs: Array

    @property
    def n_arcs(self) -> int:
        """About how many arcs the transducers have."""
        return sum(step.size for step in self.steps)


def plan_of(tree: Tree, decisions: Sequence[int], *, left: int, right: int, n_letters: int) -> Plan:
    """The places in the order that leaves the fewest tags, one after the other on each side."""
    forest = Forest(n_codes=n_letters + 1)
    whole = forest.of_tree(tree, decisions)
    letters = [forest.cofactor(whole, left, letter) for letter in range(1, n_letters + 1)]
    known = list(dict.fromkeys(letters))
    first = np.array([known.index(diagram) for diagram in letters])
    before, behind = list(range(-1, -left - 1, -1)), list(range(1, right + 1))
    places, raw = list[int](), list[Array]()
    while before or behind:
        ways = []
        for place in (*before[:1], *behind[:1]):
            rows = [
                [forest.cofactor(diagram, left + place, code) for code in range(n_letters + 1)]
                for diagram in known
            ]
            ways.append((list(dict.fromkeys(d for row in rows for d in row)), place, rows))
        known, place, rows = min(ways, key=lambda way: len(way[0]))
        (before if place < 0 else behind).remove(place)
        numbers = {diagram: number for number, diagram in enumerate(known)}
        places.append(place)
        raw.append(np.array([[numbers[diagram] for diagram in row] for row in rows]))
    classes = outputs = np.array([~leaf for leaf in known])
    last, fresh = number_rows(outputs[:, None], {})
    outputs, classes = outputs[fresh], last
    steps = []
    for step in reversed(raw):
        # Tags with the same continuations are one, also where their diagrams differ.
        classes, fresh = number_rows(together := classes[step], {})
        steps.append(together[fresh])
    return Plan(classes[first], places, steps[::-1], outputs)


def stages_of(plan: Plan, outputs: Sequence[Labels], *, n_letters: int) -> list[Transducer]:
    """The transducers, in the order of application."""
    middle = [
        stage_machine(step, n_letters=n_letters, backwards=place > 0)
        for place, step in zip(plan.columns, plan.steps, strict=True)
    ]
    return [
        tagging_machine(plan.tags, n_letters=n_letters),
        *middle,
        writing_machine(plan, outputs, n_letters),
    ]


def tagging_machine(tags: Array, *, n_letters: int) -> Transducer:
    """Letters to their copies and tags: l is x, r is n + x, and the tags come after."""
    n, arcs = n_letters, Arcs()
    letters = np.arange(1, n + 1)
    arcs.add(0, 0, n + letters, letters)
    arcs.add(letters, letters, 2 * n + 1 + tags, n + letters)
    arcs.add(n + letters, 0, letters, 0)
    return arcs.machine(finals=[0])


def stage_machine(step: Array, *, n_letters: int, backwards: bool) -> Transducer:
    """Tags after one more letter is known.

    State x holds letter x, 0 the edge; n + x is to write the letter held; 2n + 1 holds none.
    """
    n, arcs = n_letters, Arcs()
    letters, none, held = np.arange(1, n + 1), 2 * n + 1, np.arange(n + 1)
    ours, others = (n + letters, letters) if backwards else (letters, n + letters)
    tags = np.arange(len(step))[:, None]
    goes_on = 2 * n + 1 + step
    passing = np.array([*held, none])[:, None]
    arcs.add(passing, others, others, passing)
    if not backwards:
        arcs.add(held, 2 * n + 1 + tags, goes_on, np.where(held, n + held, 0))
        arcs.add(n + letters, 0, ours, none)
        for state in (0, none):
            arcs.add(state, ours, 0, letters)
        return arcs.machine(finals=held)
    # Backwards all states that hold something may be the first; as the start they are 2n + 2.
    start = 2 * n + 2
    arcs.add(np.where(held, n + held, 0), 2 * n + 1 + tags, goes_on, held)
    arcs.add(start, 2 * n + 1 + tags[:, 0], goes_on[:, 0], 0)
    arcs.add(none, 0, ours, n + letters)
    for state in (0, none):
        arcs.add(letters, ours, 0, state)
        arcs.add(start, ours, 0, state)
    return arcs.machine(start=start, finals=[0, start])


def writing_machine(plan: Plan, outputs: Sequence[Labels], n_letters: int) -> Transducer:
    """Tags to the outputs that they stand for; letters to nothing."""
    arcs = Arcs()
    arcs.add(0, np.arange(1, 2 * n_letters + 1), 0, 0)
    for tag, output in enumerate(plan.outputs.tolist()):
        labels = outputs[output]
        target = arcs.chain(labels[1:], 0, fresh=1)
        arcs.add([0], 2 * n_letters + 1 + tag, labels[0] if labels else 0, target)
    return arcs.machine(finals=[0])

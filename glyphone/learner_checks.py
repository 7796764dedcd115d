"""What of a learner out of a file is looked at before compiled kernels follow it.

>>> from glyphone.learners.trees import SymbolicTree
>>> tree = SymbolicTree(min_leaf=1).fit([["a"], ["b"]], ["x", "y"]).tree_
>>> tree_problem(tree), tree_problem(tree._replace(classes=tree.classes + 1))
(None, 'a tree has classes that there are not')
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from glyphone.learners.crf import space
from glyphone.learners.tree_arrays import ATTRIBUTE, LEAF, Tree

# By the type of each array, which kernels are compiled for.
SHAPES = {"nodes": 2} | dict.fromkeys(
    "decisions parents tables widths totals starts classes counts".split(), 1
)


def tree_problem(tree: Tree) -> str | None:
    """What is wrong with the arrays of a tree."""
    arrays = {name: np.asarray(array) for name, array in tree._asdict().items()}
    if any(arrays[name].ndim != dimensions for name, dimensions in SHAPES.items()):
        return "the arrays of a tree have no shape"
    n, starts = len(tree.nodes), tree.starts
    sizes = [len(tree.parents), len(tree.totals), len(tree.decisions), len(starts) - 1]
    if not n or tree.nodes.shape[1] != 3 or sizes != [n] * 4 or len(tree.counts) != starts[-1]:
        return "the arrays of a tree do not fit together"
    if starts[0] != 0 or (np.diff(starts) < 0).any() or starts[-1] != len(tree.classes):
        return "the counts of a tree are not divided among its nodes"
    for numbers in (tree.classes, tree.decisions):
        if not within(numbers, tree.n_classes):
            return "a tree has classes that there are not"
    behind = (tree.parents < np.arange(n)).all() and tree.parents.min() >= LEAF
    return None if behind and branches_lead_on(tree) else "the nodes of a tree are no tree"


def branches_lead_on(tree: Tree) -> bool:
    """Whether every branch leads to a node behind its own."""
    for node in np.flatnonzero(tree.nodes[:, ATTRIBUTE] != LEAF).tolist():
        attribute, offset, before = tree.nodes[node].tolist()
        if not 0 <= attribute < len(tree.widths) or offset < 0 or before < node:
            return False
        table = tree.tables[offset : offset + int(tree.widths[attribute])]
        if not 0 < len(table) == tree.widths[attribute]:
            return False
        if table.min() < 0 or before + int(table.max()) >= len(tree.nodes):
            return False
    return True


def trees_problem(learner: Any) -> str | None:
    """What is wrong with a learner of trees, each of which has been looked at alone."""
    for tree in vars(learner).get("trees_", ()):
        if not isinstance(tree, Tree) or not np.array_equal(tree.widths, learner.columns_.widths):
            return "its trees ask about other columns than it has"
        if tree.n_classes != len(learner.classes_):
            return "its trees have other classes than it has"
    return None


def markov_problem(model: Any) -> str | None:
    """What is wrong with a conditional Markov model, whose kernels look up counts by numbers."""
    counts, order, cuts = model.counts, model.order, model.cuts
    starts = counts.starts
    shapes = [array.ndim for array in (starts, counts.labels, counts.counts, order, cuts)]
    if shapes != [1] * 5 or model.biases.shape != (counts.n_before, counts.n_labels):
        return "the counts of labels have no shape"
    if not 0 <= model.start < counts.n_before or counts.n_labels > counts.n_before:
        return "labels stand behind labels that there are not"
    if len(starts) != model.contexts.size * counts.n_before + 1:
        return "there are not as many counts as contexts"
    if starts[0] != 0 or (np.diff(starts) < 0).any():
        return "the counts of labels are not divided among contexts"
    if not len(counts.labels) == len(counts.counts) == starts[-1]:
        return "the counts of labels are not divided among contexts"
    if not within(counts.labels, counts.n_labels):
        return "there are counts of labels that there are not"
    whole = cuts[0] == 0 and cuts[-1] == len(order) and (np.diff(cuts) >= 0).all()
    if not whole or model.weights.shape != (len(cuts) - 1,):
        return "contexts are not divided among chains"
    if not within(order, len(model.contexts.contexts)):
        return "chains look at contexts that there are not"
    return None


def chain_problem(model: Any) -> str | None:
    """What is wrong with a conditional random field."""
    known = (model.tests.unigrams, model.tests.bigrams)
    if any([*numbers.values()] != [*range(len(numbers))] for numbers in known):
        return "its tests are not numbered"
    n_tests = len(known[0]), len(known[1])
    return space.problem_of(model.space, len(model.labels), n_tests, model.weights)


def within(numbers: Any, size: int) -> bool:
    """Whether all are from 0 on, and below the size."""
    return bool(numbers.min(initial=0) >= 0 and numbers.max(initial=-1) < size)


CHECKS: dict[str, Callable[[Any], str | None]] = {
    "glyphone.learners.crf.model.ChainModel": chain_problem,
    "glyphone.learners.entities.markov.Markov": markov_problem,
    "glyphone.learners.tree_arrays.Tree": tree_problem,
    "glyphone.learners.tree_ensembles.SymbolicBoosting": trees_problem,
    "glyphone.learners.tree_ensembles.SymbolicForest": trees_problem,
    "glyphone.learners.trees.SymbolicTree": trees_problem,
}

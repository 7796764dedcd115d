"""Kernels of a conditional Markov model: backed-off estimates, and the best labels (Viterbi 1967).

A chain of contexts goes from the most specific to the least. With n tokens seen in a context
behind some label, d different labels among them, and c(t) with label t (Witten and Bell 1991):

    T_k(t) = (c_k(t) + d_k T_{k+1}(t)) / (n_k + d_k),    uniform below the last

where contexts that were not seen are passed over.

>>> counts = Counts(np.array([0, 2, 3]), np.array([0, 1, 0]), np.array([3, 1, 4]), 1, 2)
>>> order, cuts = np.array([0, 1]), np.array([0, 2])
>>> np.exp(estimates(np.array([[0, 1]]), np.array([0]), counts, order, cuts)).round(9).tolist()
[[[0.8, 0.2]]]

The scores of labels have a row for the label before, a column for the label.

>>> scores = np.log(np.array([[[0.6, 0.4], [0.5, 0.5]], [[0.5, 0.5], [0.1, 0.9]]]))
>>> best_labels(scores, np.array([0, 2]), 0).tolist()
[1, 1]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel

Array = Any


class Counts(NamedTuple):
    """Labels behind labels in contexts: those of context c behind p are in row c * n_before + p.

    labels[starts[row]:starts[row + 1]] are the different ones, `counts` how often each was seen.
    """

    starts: Array
    labels: Array
    counts: Array
    n_before: int
    n_labels: int


@kernel
def estimates(contexts: Array, before: Array, counts: Counts, order: Array, cuts: Array) -> Array:
    """log T of every label for each token and chain.

    The contexts of chain i are the columns order[cuts[i]:cuts[i + 1]]; -1 was not seen.
    """
    n, n_chains, n_labels = len(contexts), len(cuts) - 1, counts.n_labels
    logs, share = np.empty((n, n_chains, n_labels)), np.empty(n_labels)
    for i in range(n):
        for chain in range(n_chains):
            share[:] = 1.0 / n_labels
            for x in range(cuts[chain + 1] - 1, cuts[chain] - 1, -1):
                context = contexts[i, order[x]]
                if context < 0:
                    continue
                row = context * counts.n_before + before[i]
                first, last = counts.starts[row], counts.starts[row + 1]
                total = last - first
                for k in range(first, last):
                    total += counts.counts[k]
                if total == 0:
                    continue
                for label in range(n_labels):
                    share[label] *= (last - first) / total
                for k in range(first, last):
                    share[counts.labels[k]] += counts.counts[k] / total
            for label in range(n_labels):
                logs[i, chain, label] = np.log(share[label])
    return logs


@kernel
def best_labels(scores: Array, bounds: Array, start: int) -> Array:
    """The best labels of sentences bounds[i]:bounds[i + 1]; of equals, the first.

    Before the first token of each stands `start`, which may be a row beyond those of labels.
    """
    n_labels = scores.shape[2]
    found = np.zeros(len(scores), np.int64)
    back = np.zeros((len(scores), n_labels), np.int64)
    total, following = np.empty(n_labels), np.empty(n_labels)
    for s in range(len(bounds) - 1):
        first, last = bounds[s], bounds[s + 1]
        if first == last:
            continue
        total[:] = scores[first, start]
        for i in range(first + 1, last):
            for label in range(n_labels):
                best = 0
                for p in range(1, n_labels):
                    if total[p] + scores[i, p, label] > total[best] + scores[i, best, label]:
                        best = p
                back[i, label] = best
                following[label] = total[best] + scores[i, best, label]
            total[:] = following
        label = int(np.argmax(total))
        for i in range(last - 1, first - 1, -1):
            found[i] = label
            label = back[i, label]
    return found

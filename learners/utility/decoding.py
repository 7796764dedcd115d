"""The labels whose expected F score is the largest (Jansche 2007).

    F = A / (alpha*T + (1-alpha)*P)     A hits, T true ones, P decided ones; 0/0 = 1

alpha = 1/2 is F1, and alpha = beta^2 / (1 + beta^2) the usual F_beta. The score of deciding for
nothing is 1 where nothing is true. If labels are independent, the best hypothesis with k ones has
the k most probable labels, and `counting_kernels` gives the expected scores of all of these. If
they depend on one another, the probabilities are needed that y_i = 1 and S = s together (Waegeman,
Dembczynski, Jachnik, Cheng and Hüllermeier 2014): hypotheses with k ones have

    E[F] = sum_{i decided} g(i, k),     g(i, k) = sum_s P(y_i = 1, S = s) / (alpha*s + (1-alpha)*k)

Probabilities must be calibrated, as those of maximum likelihood mostly are.

>>> decision = decode_f([0.4, 0.9, 0.2, 0.6])
>>> decision.labels.tolist(), round(decision.value, 6)
([True, True, False, True], 0.718949)
>>> expected_f([0, 1, 0, 0], [0.4, 0.9, 0.2, 0.6]).__round__(6)
0.60168
>>> decode_f([0.3, 0.2, 0.1])
Decision(labels=array([False, False, False]), value=0.504)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import jit
from glyphone.learners.utility import chain_kernels, counting_kernels
from glyphone.learners.utility.labels import (
    Decision,
    check_alpha,
    check_labels,
    check_probabilities,
)
from glyphone.learners.utility.simple_functions import FScore, expected_value

Array = Any


def decode_f(probabilities: Any, *, alpha: float = 0.5) -> Decision:
    """The labels of largest expected F, and this value; of several, those with fewest ones.

    Independent labels take O(n * sqrt(n)) time and little memory, those of a chain O(n^3) and
    O(n^2): 100,000 of the former and 1,000 of the latter take less than a second.
    """
    known, alpha = check_probabilities(probabilities), check_alpha(alpha)
    if known.ndim == 2:
        gains = chain_gains(known, alpha)
        best = -np.sort(-gains, axis=0).cumsum(axis=0).diagonal()
        scores = np.concatenate([[no_ones(known)], best])
        size = int(scores.argmax())
        order = np.argsort(-gains[:, max(size, 1) - 1], kind="stable")
    else:
        order = np.argsort(-known, kind="stable")
        scores = prefix_scores(known[order], alpha)
        size = int(scores.argmax())
    labels = np.zeros(len(known), bool)
    labels[order[:size]] = True
    return Decision(labels, float(scores[size]))


def decode_f_by_beam(probabilities: Any, *, beam: int, alpha: float = 0.5) -> Decision:
    """Jansche's approximation, with the `beam` most probable states: for independent labels.

    The value is a lower bound. A beam of four times the number of labels loses little; it is here
    for comparison, since `decode_f` is exact and faster.
    """
    known = check_probabilities(probabilities)
    if known.ndim == 2:
        raise GlyphoneError(
            "a beam is not for labels that depend on one another", remedy="use decode_f"
        )
    score, labels = FScore(alpha), np.zeros(len(known), bool)
    best = Decision(labels.copy(), expected_value(score, labels, known, beam=beam))
    for i in np.argsort(-known, kind="stable"):
        labels[i] = True
        value = expected_value(score, labels, known, beam=beam)
        if value > best.value:
            best = Decision(labels.copy(), value)
    return best


def expected_f(labels: Any, probabilities: Any, *, alpha: float = 0.5) -> float:
    """The expected F score of given labels."""
    known, alpha = check_probabilities(probabilities), check_alpha(alpha)
    decided = check_labels(labels, len(known))
    size = int(decided.sum())
    if known.ndim == 1:
        order = np.argsort(~decided, kind="stable")
        return float(prefix_scores(known[order], alpha)[size])
    return float(chain_gains(known, alpha)[decided, size - 1].sum()) if size else no_ones(known)


def prefix_scores(probabilities: Array, alpha: float) -> Array:
    """The expected F scores of the first 0, 1, .. n labels, which are independent."""
    n = len(probabilities)
    kernels = jit.tier(counting_kernels, n * n)
    first, masses = kernels.ones_distribution(probabilities)
    return kernels.expected_f_scores(probabilities, alpha, first, masses)


def chain_gains(probabilities: Array, alpha: float) -> Array:
    """found[i, k - 1]: what label i adds to the expected F score of k ones with it."""
    n = len(probabilities)
    joint = jit.tier(chain_kernels, n**3).joint_ones(probabilities)
    sizes = np.arange(1, n + 1)
    return joint[:, 1:] @ (1 / (alpha * sizes[:, None] + (1 - alpha) * sizes))


def no_ones(probabilities: Array) -> float:
    """The probability that all labels are 0."""
    return float(np.prod(1 - probabilities[:, 0]))

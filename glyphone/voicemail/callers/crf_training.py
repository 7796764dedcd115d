"""Training of the CRF of callers: labels of words (`shapes`) on marked messages.

`learners.crf` trains it. The features of words (`feature_kernels`) have a weight for
every label; each pair of labels has a weight. All words of a phrase without a name are its lead.

>>> gold_labels(6, (1, 5), (3, 4), most=9).tolist() == [O, B_LEAD, I_LEAD, B_NAME, B_TAIL, X, O]
True
>>> gold_labels(3, (0, 2), (0, 2), most=9).tolist() == [B_NAME, I_NAME, X, O]
True
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.learners.crf.features.numbering import Tests
from glyphone.learners.crf.features.weights import weights_of
from glyphone.learners.crf.training.loop import TrainingOptions
from glyphone.learners.crf.training.solve import solve
from glyphone.learners.sequences.observations import ObservedTests
from glyphone.voicemail.callers import feature_kernels as caller_feature_kernels
from glyphone.voicemail.callers.options import LEAST_WEIGHT, CallerOptions
from glyphone.voicemail.callers.shapes import (
    B_LEAD,
    B_NAME,
    B_TAIL,
    I_LEAD,
    I_NAME,
    I_TAIL,
    N_LABELS,
    O,
    X,
)
from glyphone.voicemail.records.messages import Span

Array = Any


def gold_labels(words: int, phrase: Span | None, name: Span | None, *, most: int) -> Array:
    """The label of each word of a message, and of the place behind the last."""
    labels = np.full(min(words, most) + 1, O)
    if phrase is not None and phrase[0] < len(labels) - 1:
        begin, end = phrase
        first, last = name or (end, end)
        for low, high, first_label, other_label in (
            (begin, first, B_LEAD, I_LEAD),
            (first, last, B_NAME, I_NAME),
            (last, end, B_TAIL, I_TAIL),
        ):
            labels[low:high] = other_label
            labels[low : min(low + 1, high)] = first_label
        labels[min(end, len(labels) - 1)] = X
    return labels


def fit(
    rows: Array, bounds: Array, labels: Array, options: CallerOptions
) -> tuple[Array, Array, Array]:
    """Keys of features, their weights for each label, and weights of pairs of labels."""
    seen = jit.tier(caller_feature_kernels, rows.size).feature_keys(
        rows, caller_feature_kernels.TEMPLATES
    )
    keys, numbers = np.unique(seen, return_inverse=True)
    # The only test of pairs: there is a label before.
    of_pairs = np.full((len(seen), 1), len(keys))
    observed = ObservedTests(
        bounds,
        np.concatenate((numbers.reshape(seen.shape), of_pairs), axis=1).astype(np.int32),
        [*(f"u:{key}" for key in keys.tolist()), "b"],
    )
    tests, data = Tests.learn(observed, labels, min_count=options.min_count)
    space = weights_of(data, N_LABELS, (len(tests.unigrams), len(tests.bigrams)), "all")
    solver = TrainingOptions(
        optimizer="lbfgs",
        rho1=0.0,
        rho2=options.rho,
        max_iter=options.max_iter,
        jobs=os.cpu_count() or 1,
    )
    solution, _ = solve(data, space, tests, solver, report=lambda _: None)
    values = np.zeros(len(tests.unigrams) * N_LABELS + N_LABELS * N_LABELS)
    values[solution.numbers] = solution.values
    cut = len(tests.unigrams) * N_LABELS
    weights = values[:cut].reshape(-1, N_LABELS).astype(np.float32)
    names = np.array([int(name[2:]) for name in tests.unigrams])
    order = np.argsort(names)
    order = order[np.abs(weights[order]).max(axis=1) > LEAST_WEIGHT]
    return names[order], weights[order], values[cut:].reshape(N_LABELS, N_LABELS)

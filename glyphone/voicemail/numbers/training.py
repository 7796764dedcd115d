"""Training of the classifier of candidates on messages in which telephone numbers are marked.

A candidate is right if it has exactly the words of a marked number and its digits; in noisy
messages the words suffice. Rare features are left out.

>>> from glyphone.voicemail.generator.generate import generate
>>> model = train(generate(40, seed=1), learning=NumberTrainingOptions(least=2))
>>> model.weights["is=maximal"] > 0
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import jit
from glyphone.voicemail.numbers import choice_kernels
from glyphone.voicemail.numbers.decisions import DecisionOptions, spans_of
from glyphone.voicemail.numbers.features import NumberFeatures
from glyphone.voicemail.numbers.model import NumberModel
from glyphone.voicemail.records.candidates import NumberCandidate
from glyphone.voicemail.records.messages import Message

Array = Any
BLOCK = 500


@dataclass(frozen=True, kw_only=True)
class NumberTrainingOptions:
    """The least count of a feature, the variance C of the prior of weights, the most iterations,
    and the options of decisions."""

    least: int = 3
    C: float = 0.3
    steps: int = 150
    deciding: DecisionOptions = field(default_factory=DecisionOptions)


def train(
    messages: Iterable[Message],
    *,
    seed: int = 0,
    learning: NumberTrainingOptions = NumberTrainingOptions(),
) -> NumberModel:
    """A model trained on messages, clean and noisy ones together."""
    features, known, right = collect_examples(messages)
    if len({*right.tolist()}) < 2:
        remedy = "give more messages, some of them with other numbers"
        raise GlyphoneError(f"nothing to learn from {len(right)} candidates", remedy=remedy)
    seen, counts = np.unique(known.numbers, return_counts=True)
    kept = seen[counts >= learning.least]
    weights = fit_weights(feature_matrix(known.numbers, known.firsts, kept), known, right, learning)
    names = map(features.name_of, kept.tolist())
    by_name = dict(sorted(zip(names, weights[:-1].tolist(), strict=True)))
    return NumberModel(by_name, float(weights[-1]), learning.deciding)


class TrainingCandidates(NamedTuple):
    """Candidates of all messages: numbers of features and their bounds by candidate; begins and
    ends of candidates; bounds of candidates by message."""

    numbers: Array
    firsts: Array
    begins: Array
    ends: Array
    bounds: Array


def fit_weights(
    rows: Any, known: TrainingCandidates, right: Array, learning: NumberTrainingOptions
) -> Array:
    """Weights of the columns and a bias that maximise the likelihood of the right candidates times
    a normal prior of the weights with the variance C, by L-BFGS (Liu and Nocedal 1989)."""
    from scipy.optimize import minimize

    columns = rows.T.tocsr()
    kernels = jit.tier(choice_kernels, 1 + rows.nnz)

    def loss(weights: Array) -> tuple[float, Array]:
        scores = rows @ weights[:-1] + weights[-1]
        shares, mass = kernels.marginals(known.begins, known.ends, scores, known.bounds)
        less = shares - right
        size = weights[:-1] @ weights[:-1] / (2 * learning.C)
        gradient = np.append(columns @ less + weights[:-1] / learning.C, less.sum())
        return mass - scores[right].sum() + size, gradient

    with progress.step("fitting weights of numbers, iterations at most", learning.steps) as fitting:
        solution = minimize(
            loss,
            np.zeros(rows.shape[1] + 1),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": learning.steps},
            callback=lambda _: fitting.advance(),
        )
    weights: Array = solution.x
    return weights


def collect_examples(
    messages: Iterable[Message],
) -> tuple[NumberFeatures, TrainingCandidates, Array]:
    """Features, the candidates of all messages, and a mask of the right ones."""
    model = NumberModel({}, 0.0)
    numbers, lengths, begins, ends, counts = ([np.zeros(0, np.int64)] for _ in range(5))
    right: list[bool] = []
    waiting = progress.steps(messages, "proposing numbers")
    while block := list(islice(waiting, BLOCK)):
        proposals = model.finder.propose([message.words for message in block])
        features, firsts = model.features.find_features(proposals)
        first, last, bounds = spans_of(proposals.candidates)
        for rows, row in zip(
            (numbers, lengths, begins, ends, counts),
            (features, np.diff(firsts), first, last, np.diff(bounds)),
            strict=True,
        ):
            rows.append(row)
        for message, candidates in zip(block, proposals.candidates, strict=True):
            right += [is_right(one, message) for one in candidates]
    known = TrainingCandidates(
        np.concatenate(numbers),
        np.append(0, np.cumsum(np.concatenate(lengths))),
        np.concatenate(begins),
        np.concatenate(ends),
        np.append(0, np.cumsum(np.concatenate(counts))),
    )
    return model.features, known, np.array(right, bool)


def is_right(one: NumberCandidate, message: Message) -> bool:
    for number in message.numbers:
        if (number.begin, number.end) == one.span and number.digits is not None:
            same = (number.digits, number.extension) == (one.digits, one.extension)
            return same or message.origin.get("noise") is not None
    return False


def feature_matrix(numbers: Array, bounds: Array, kept: Array) -> Any:
    """A sparse matrix of 0 and 1: a row for each candidate, a column for each of the sorted `kept`.

    >>> rows = feature_matrix(np.array([7, 2, 9]), np.array([0, 1, 3]), np.array([2, 7]))
    >>> rows.toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    from scipy.sparse import csr_matrix

    known = np.isin(numbers, kept)
    before = np.append(0, np.cumsum(known))
    columns = np.searchsorted(kept, numbers[known]).astype(np.int32)
    shape = (len(bounds) - 1, len(kept))
    return csr_matrix((np.ones(len(columns)), columns, before[bounds]), shape=shape)

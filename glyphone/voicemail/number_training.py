"""The classifier of candidates for telephone numbers, learnt from messages with the right ones.

A candidate is right if it has exactly the words of a number and its digits, or, where a recogniser
has changed words in it, only the words. Features that are too rare are left out.

>>> from glyphone.voicemail.generator import generate
>>> model = train(generate(40, seed=1), learning=Learning(least=2))
>>> model.weights["is=maximal"] > 0
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.voicemail.generator_records import Message
from glyphone.voicemail.number_decisions import Deciding
from glyphone.voicemail.number_features import Features
from glyphone.voicemail.number_model import NumberModel
from glyphone.voicemail.records import NumberCandidate

Array = Any
BLOCK = 500


@dataclass(frozen=True, kw_only=True)
class Learning:
    """How often a feature must be there, how strongly weights are kept small, what is kept."""

    least: int = 3
    C: float = 0.3
    deciding: Deciding = field(default_factory=Deciding)


def train(
    messages: Iterable[Message], *, seed: int = 0, learning: Learning = Learning()
) -> NumberModel:
    """A model of the numbers in messages, clean and noisy ones together."""
    from sklearn.linear_model import LogisticRegression

    features, (numbers, bounds), right = examples(messages)
    if len(set(right)) < 2:
        remedy = "give more messages, some of them with other numbers"
        raise GlyphoneError(f"nothing to learn from {len(right)} candidates", remedy=remedy)
    seen, counts = np.unique(numbers, return_counts=True)
    kept = seen[counts >= learning.least]
    learner = LogisticRegression(
        C=learning.C, solver="liblinear", max_iter=2000, random_state=seed
    ).fit(matrix(numbers, bounds, kept), right)
    names = map(features.name, kept.tolist())
    weights = dict(sorted(zip(names, learner.coef_[0].tolist(), strict=True)))
    return NumberModel(weights, float(learner.intercept_[0]), learning.deciding)


def examples(messages: Iterable[Message]) -> tuple[Features, tuple[Array, Array], list[bool]]:
    """The features of all candidates, where those of each begin, and which of them are right."""
    model = NumberModel({}, 0.0)
    rows: list[Array] = []
    lengths: list[Array] = []
    right: list[bool] = []
    waiting = iter(messages)
    while block := list(islice(waiting, BLOCK)):
        words = [message.words for message in block]
        found = model.finder.findings(words)
        numbers, firsts = model.features.find(found, words)
        rows.append(numbers)
        lengths.append(np.diff(firsts))
        for message, findings in zip(block, found, strict=True):
            right += [is_right(one, message) for one in findings.candidates]
    bounds = np.cumsum(np.concatenate([[0], *lengths])).astype(np.int64)
    numbers = np.concatenate([np.zeros(0, np.int64), *rows])
    return model.features, (numbers, bounds), right


def is_right(one: NumberCandidate, message: Message) -> bool:
    for number in message.numbers:
        if (number.begin, number.end) == one.span and number.digits is not None:
            same = (number.digits, number.extension) == (one.digits, one.extension)
            return same or message.origin.get("noise") is not None
    return False


def matrix(numbers: Array, bounds: Array, kept: Array) -> Any:
    """A row for each candidate, a column for each feature that is kept; those are sorted.

    >>> matrix(np.array([7, 2, 9]), np.array([0, 1, 3]), np.array([2, 7])).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    from scipy.sparse import csr_matrix

    known = np.isin(numbers, kept)
    before = np.append(0, np.cumsum(known))
    columns = np.searchsorted(kept, numbers[known]).astype(np.int32)
    shape = (len(bounds) - 1, len(kept))
    return csr_matrix((np.ones(len(columns)), columns, before[bounds]), shape=shape)

"""The classifier of candidates for telephone numbers, learnt from messages with the right ones.

A candidate is right if it has exactly the words of a number and its digits, or, where a recogniser
has changed words in it, only the words. Features that are too rare are left out.

>>> from glyphone.voicemail.generator import generate
>>> model = train(generate(40, seed=1), learning=Learning(least=2))
>>> model.weights["maximal"] > 0
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.voicemail.generator_records import Message
from glyphone.voicemail.number_decisions import Deciding
from glyphone.voicemail.number_features import features
from glyphone.voicemail.number_model import NumberModel
from glyphone.voicemail.records import NumberCandidate

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

    rows, right = examples(messages)
    if len(set(right)) < 2:
        remedy = "give more messages, some of them with other numbers"
        raise GlyphoneError(f"nothing to learn from {len(rows)} candidates", remedy=remedy)
    counts = Counter(name for row in rows for name in dict.fromkeys(row))
    names = sorted(name for name, count in counts.items() if count >= learning.least)
    columns = matrix(rows, names)
    learner = LogisticRegression(
        C=learning.C, solver="liblinear", max_iter=2000, random_state=seed
    ).fit(columns, right)
    weights = dict(zip(names, learner.coef_[0].tolist(), strict=True))
    return NumberModel(weights, float(learner.intercept_[0]), learning.deciding)


def examples(messages: Iterable[Message]) -> tuple[list[list[str]], list[bool]]:
    """The features of all candidates, and which of them are right."""
    model = NumberModel({}, 0.0)
    rows: list[list[str]] = []
    right: list[bool] = []
    waiting = iter(messages)
    while block := list(islice(waiting, BLOCK)):
        found = model.finder.findings([message.words for message in block])
        for message, findings in zip(block, found, strict=True):
            rows += features(findings, message.words, model.cues)
            right += [is_right(one, message) for one in findings.candidates]
    return rows, right


def is_right(one: NumberCandidate, message: Message) -> bool:
    for number in message.numbers:
        if (number.begin, number.end) == one.span and number.digits is not None:
            same = (number.digits, number.extension) == (one.digits, one.extension)
            return same or message.origin.get("noise") is not None
    return False


def matrix(rows: Sequence[Sequence[str]], names: Sequence[str]) -> Any:
    """A row for each list of features, a column for each of those that are known.

    >>> matrix([["b"], ["a", "x", "a"]], ["a", "b"]).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    from scipy.sparse import csr_matrix

    places = {name: place for place, name in enumerate(names)}
    found = [sorted({places[name] for name in row if name in places}) for row in rows]
    indices = np.array([place for row in found for place in row], np.int32)
    bounds = np.cumsum([0, *map(len, found)])
    return csr_matrix((np.ones(len(indices)), indices, bounds), shape=(len(rows), len(names)))

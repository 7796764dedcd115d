"""Lists of weights, one by one, in the way of other programs, and their models.

>>> pairs = [("b", "N", "V", 0.5), ("b", "V", "N", -1.0)]
>>> listed = WeightList(("N", "V"), [("u:a", "V", 1.5)], pairs)
>>> model = listed.model()
>>> model.tests.unigrams, model.weights.tolist()
({'u:a': 0}, [1.5, 0.5, -1.0])
>>> WeightList.of(model) == listed
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.learners.crf.chain.model import ChainModel
from glyphone.learners.crf.features.numbering import Tests
from glyphone.learners.crf.features.weights import cells_of_weights, family_of, space_of


@dataclass(frozen=True)
class WeightList:
    """Labels; tests with a label and its weight; tests with two labels and the weight of both."""

    labels: tuple[str, ...]
    unigrams: list[tuple[str, str, float]]
    bigrams: list[tuple[str, str, str, float]]

    @classmethod
    def of(cls, model: ChainModel) -> WeightList:
        """All weights of a model, test by test."""
        labels, space = model.labels, model.space
        (tests, cells), (others, pairs) = cells_of_weights(space, np.arange(len(model.weights)))
        of_labels, of_pairs = np.split(model.weights, [len(tests)])
        names, others_named = [*model.tests.unigrams], [*model.tests.bigrams]
        rows = zip(tests.tolist(), cells.tolist(), of_labels.tolist(), strict=True)
        columns = others, space.befores[pairs], space.afters[pairs], of_pairs
        more = zip(*(column.tolist() for column in columns), strict=True)
        return cls(
            labels,
            [(names[k], labels[y], weight) for k, y, weight in rows],
            [(others_named[k], labels[x], labels[y], weight) for k, x, y, weight in more],
        )

    def model(self) -> ChainModel:
        """The model with these weights; a weight that is listed twice has the sum."""
        if not self.labels:
            raise GlyphoneError("there are no labels", remedy="give one label or more")
        number = {label: k for k, label in enumerate(self.labels)}
        n = len(number)
        tests = Tests(_number_tests(self.unigrams), _number_tests(self.bigrams))
        codes = np.array([number[x] * n + number[y] for _, x, y, _ in self.bigrams], np.int64)
        pairs, cells = np.unique(codes, return_inverse=True)
        of_labels = np.array([number[y] for _, y, _ in self.unigrams], np.int64)
        weights, families = [], []
        for known, listed, some, width in (
            (tests.unigrams, self.unigrams, of_labels, n),
            (tests.bigrams, self.bigrams, cells, len(pairs)),
        ):
            keys = np.array([known[row[0]] for row in listed], np.int64) * width + some
            different, places = np.unique(keys, return_inverse=True)
            values = np.array([row[-1] for row in listed], np.float64)
            weights.append(np.bincount(places, values, len(different)))
            width = max(width, 1)
            families.append(family_of(different // width, different % width, len(known)))
        return ChainModel(
            self.labels, tests, space_of(n, pairs, *families), np.concatenate(weights)
        )


def _number_tests(rows: Iterable[tuple[Any, ...]]) -> dict[str, int]:
    return {test: k for k, test in enumerate(dict.fromkeys(row[0] for row in rows))}

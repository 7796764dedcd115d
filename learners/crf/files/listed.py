"""Weights one by one, as other programs list them, and models of such lists.

>>> listed = Listed(("N", "V"), [("u:a", "V", 1.5)], [("b", "N", "V", 0.5), ("b", "V", "N", -1.0)])
>>> model = listed.model()
>>> model.tests.unigrams, model.weights.tolist()
({'u:a': 0}, [1.5, 0.5, -1.0])
>>> Listed.of(model) == listed
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.learners.crf.chain.model import ChainModel
from glyphone.learners.crf.features.observations import Tests
from glyphone.learners.crf.features.weights import family_of, located, space_of


@dataclass(frozen=True)
class Listed:
    """Labels; tests with a label and its weight; tests with two labels and the weight of both."""

    labels: tuple[str, ...]
    unigrams: list[tuple[str, str, float]]
    bigrams: list[tuple[str, str, str, float]]

    @classmethod
    def of(cls, model: ChainModel) -> Listed:
        """All weights of a model, test by test."""
        labels, space = model.labels, model.space
        (tests, cells), (others, pairs) = located(space, np.arange(len(model.weights)))
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
        """The model that has these weights; of one that is told twice, the sum."""
        if not self.labels:
            raise GlyphoneError("there are no labels", remedy="give one label or more")
        number = {label: k for k, label in enumerate(self.labels)}
        n = len(number)
        tests = Tests(_numbered(self.unigrams), _numbered(self.bigrams))
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


def _numbered(rows: Iterable[tuple[Any, ...]]) -> dict[str, int]:
    return {test: k for k, test in enumerate(dict.fromkeys(row[0] for row in rows))}

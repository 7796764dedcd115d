"""The probability that two names are one: a logistic regression over what they have in common.

Each feature of the evidence (`glyphone.learners.matching.evidence`) counts by a piecewise linear
function, whose weights are learnt from pairs of names that are known to be one, or two.

>>> one = [("Ana Paz", "Paz, Ana"), ("Bo Li", "Bo Li"), ("Eva Sol", "Ms. Eva Sol")]
>>> two = [("Ana Paz", "Bo Li"), ("Eva Paz", "Ana Paz"), ("Bo Sol", "Eva Sol")]
>>> matcher = NameMatcher(strength=9.0).fit(one + two, [1, 1, 1, 0, 0, 0])
>>> [matcher.similarity("Cy Rex", name) > 0.5 for name in ("Cy Rex", "Li Mar")]
[True, False]
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.special import expit
from sklearn.base import ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from glyphone.data import progress
from glyphone.data.names.words import NameWord, read_words, spoken_order
from glyphone.data.scripts.scripts import script_of
from glyphone.learners.matching.comparing import Measure
from glyphone.learners.matching.curves import feature_ranges, knot_shares
from glyphone.learners.matching.evidence import (
    FEATURES,
    LATIN,
    Evidence,
    KnownWord,
    Speller,
    Spelling,
    core_of,
    find_evidence,
)

Array = Any
Pair = tuple[str, str]
# By a script and a word in it.
Spellings = dict[tuple[str, str], tuple[Spelling, ...]]


class MatchedName(NamedTuple):
    """A name as it is compared."""

    words: tuple[KnownWord, ...]
    script: str


class Judgement(NamedTuple):
    """The probability that two names are one, and the evidence that it comes from."""

    probability: float
    evidence: Evidence


class NameMatcher(ClassifierMixin, Measure):  # type: ignore[misc]
    """Tells whether names are one, with a probability.

    `strength` is the inverse of the penalty on weights. Words that fewer than `min_count` names
    have are weighed as if none had. `speller` tells how words are spelt in other scripts; names of
    two scripts are like no other without one.

    After `fit`, `counts_` tells in how many names each word was, and `n_names_` how many names
    there were. The log odds are `intercept_` and the sum of `weights_`, one for each feature and
    knot of its range in `ranges_` (`glyphone.learners.matching.curves`). `description_`, if there
    is one, tells where it was trained, and its figures.
    """

    description_: dict[str, Any]

    def __init__(
        self, *, strength: float = 0.1, min_count: int = 1, speller: Speller | None = None
    ):
        self.strength = strength
        self.min_count = min_count
        self.speller = speller

    def fit(  # type: ignore[override]  # of pairs, where other measures learn from names
        self, pairs: Sequence[Pair], y: Any = None, names: Iterable[str] | None = None
    ) -> Self:
        """Learn from pairs and whether they are one; words are weighed by `names`, if given, where
        they are of the kind that will be asked for."""
        self.weigh_words([*chain.from_iterable(pairs)] if names is None else [*names])
        return self.fit_features(self.features(pairs), y)

    def weigh_words(self, names: Sequence[str]) -> Self:
        """Weigh words by how many of the names have them."""
        words = [{word.canonical for word in read_words(name)} for name in names]
        counts = Counter(chain.from_iterable(words))
        self.counts_ = {word: n for word, n in sorted(counts.items()) if n >= self.min_count}
        self.n_names_ = len(names)
        return self

    def fit_features(self, values: Array, y: Any, sample_weight: Array | None = None) -> Self:
        """Learn from the features of pairs and whether they are one."""
        self.feature_names_ = FEATURES
        self.ranges_ = feature_ranges(values)
        shares = knot_shares(values, self.ranges_)
        model = LogisticRegression(C=self.strength, solver="newton-cholesky")
        with threadpool_limits(1):  # sums have one order, and so one rounding
            model.fit(shares.reshape(len(shares), -1), np.asarray(y, int), sample_weight)
        self.weights_ = model.coef_.reshape(shares.shape[1:])
        self.intercept_ = float(model.intercept_[0])
        self.classes_ = np.array([0, 1])
        return self

    def features(self, pairs: Sequence[Pair]) -> Array:
        """The features of the evidence of each pair."""
        rows = progress.steps(self._evidence_of(pairs), "comparing names", total=len(pairs))
        found = [row.features() for row in rows]
        return np.array(found, float).reshape(-1, len(FEATURES))

    def predict_proba(self, pairs: Sequence[Pair]) -> Array:
        """The probabilities that pairs are two names, and that they are one."""
        one = self.similarities([first for first, _ in pairs], [second for _, second in pairs])
        return np.stack([1 - one, one], 1)

    def predict(self, pairs: Sequence[Pair]) -> Array:
        return self.classes_[self.predict_proba(pairs).argmax(1)]

    def evidence(self, first: str, second: str) -> Evidence:
        """The links between the words of two names, and the words that only one of them has."""
        return self.judge([(first, second)])[0].evidence

    def prepare(self, names: Sequence[str]) -> list[MatchedName]:
        check_is_fitted(self, "counts_")
        found = []
        for name in names:
            words = tuple(map(self._known, spoken_order(read_words(name))))
            # A legal form may be in another script: 株式会社ミナカゼ.
            script = script_of("".join(word.text for word in core_of(words))) or ""
            found.append(MatchedName(words, script))
        return found

    def _known(self, word: NameWord) -> KnownWord:
        n_names = self.counts_.get(word.canonical, 0)
        weight = math.log((self.n_names_ + 1) / (n_names + 0.5))
        return KnownWord(word.canonical, word.role, weight)

    def block(self, first: list[MatchedName], chosen: Array, second: list[MatchedName]) -> Array:
        cells = [(int(i), j) for i in chosen for j in range(len(second))]
        return self.pairwise(first, second, np.array(cells)).reshape(len(chosen), len(second))

    def pairwise(self, first: list[MatchedName], second: list[MatchedName], pairs: Array) -> Array:
        return self._probabilities([*self._evidence(first, second, pairs)])

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """The probability and the evidence of each pair."""
        found = [*self._evidence_of(pairs)]
        return [*map(Judgement, self._probabilities(found).tolist(), found)]

    def contributions(self, evidence: Evidence) -> tuple[dict[str, tuple[float, float]], float]:
        """The value of each feature and what it adds to the log odds of a pair whose features are
        all 0, or the least that training had; and these log odds."""
        values = np.array([evidence.features(), [0.0] * len(FEATURES)])
        found, nothing = (knot_shares(values, self.ranges_) * self.weights_).sum(2)
        pairs = zip(values[0].tolist(), (found - nothing).tolist(), strict=True)
        return dict(zip(FEATURES, pairs, strict=True)), float(nothing.sum()) + self.intercept_

    def _probabilities(self, found: Sequence[Evidence]) -> Array:
        if not found:
            return np.empty(0)
        values = np.array([one.features() for one in found], float)
        empty = [not one.first or not one.second for one in found]
        return np.where(empty, 0.0, self.probabilities_of(values))

    def probabilities_of(self, values: Array) -> Array:
        """The probabilities that names are one whose pairs have these features."""
        shares = knot_shares(values, self.ranges_)
        return expit((shares * self.weights_).sum((1, 2)) + self.intercept_)

    def _evidence_of(self, pairs: Sequence[Pair]) -> Iterator[Evidence]:
        numbers: dict[str, int] = {}
        places = [[numbers.setdefault(name, len(numbers)) for name in pair] for pair in pairs]
        prepared = self.prepare([*numbers])
        return self._evidence(prepared, prepared, places)

    def _evidence(
        self, first: list[MatchedName], second: list[MatchedName], pairs: Iterable[Any]
    ) -> Iterator[Evidence]:
        rows = [(first[i], second[j]) for i, j in pairs]
        across = [(one, other) for one, other in rows if one.script != other.script]
        spellings = self._spellings(across)
        for one, other in rows:
            if one.script != other.script:
                one, other = with_spellings(one, spellings), with_spellings(other, spellings)
            yield find_evidence(one.words, other.words, (one.script, other.script))

    def _spellings(self, across: Sequence[tuple[MatchedName, MatchedName]]) -> Spellings:
        """The spellings of words, by their script, in the scripts of the names that they are
        compared with."""
        asked: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        for pair in across:
            for name, other in (pair, pair[::-1]):
                for script in {other.script, LATIN} - {name.script}:
                    asked[name.script, script].update((word.text, None) for word in name.words)
        found: Spellings = defaultdict(tuple)
        for (script, wanted), words in sorted(asked.items()):
            if self.speller is not None and script and wanted:
                spelt = self.speller([*words], script, wanted)
                for word, spellings in zip(words, spelt, strict=True):
                    found[script, word] += spellings
        return found


def with_spellings(name: MatchedName, spellings: Spellings) -> MatchedName:
    """A name whose words have their spellings in other scripts."""
    words = (
        word._replace(spellings=spellings.get((name.script, word.text), ())) for word in name.words
    )
    return name._replace(words=tuple(words))

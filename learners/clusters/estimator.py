"""Word classes as a scikit-learn estimator over sentences.

>>> text = [[article, noun] for article in ("a", "the") for noun in ("cat", "dog", "cow")]
>>> classes = WordClasses(n_classes=2, min_count=1).fit(text)
>>> classes.class_of("cat") == classes.class_of("cow"), classes.class_of("cat") == (
...     classes.class_of("the"))
(True, False)
>>> classes.prefix("cow", 4), classes.prefix("sheep", 4)
('0', '?')
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Sequence
from glyphone.learners.clusters.bigrams import count_bigrams, number_words
from glyphone.learners.clusters.exchange import Pass, exchange, start_tables, tables_of
from glyphone.learners.clusters.hierarchy import class_bits
from glyphone.learners.sequences.clusters import Clusters, with_clusters
from glyphone.learners.sequences.sentences import (
    SentenceEstimator,
    sentence_record,
    sentence_records,
)


class WordClasses(TransformerMixin, SentenceEstimator):  # type: ignore[misc]
    """Divides words into classes that stand between the same classes.

    The words that are seen `min_count` times each move between `n_classes` classes, where the
    likelihood of the text by a bigram model of classes rises most, until no word moves or for
    `max_iter` passes; rarer ones move together, those of a shape as one word. The classes are then
    merged two by two, which gives each a bit string. The most frequent words begin in a class
    each, the others in classes that are drawn by `random_state`.

    `clusters_` has the bit string of each word; classes are numbered in the order of their bits,
    those of `bits_`. `history_` has the likelihood and perplexity after each pass.
    """

    clusters_: Clusters
    bits_: tuple[str, ...]
    history_: list[dict[str, Any]]

    def __init__(
        self,
        *,
        n_classes: int = 200,
        min_count: int = 2,
        max_iter: int = 20,
        random_state: int = 0,
        verbose: bool = False,
    ) -> None:
        self.n_classes = n_classes
        self.min_count = min_count
        self.max_iter = max_iter
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Iterable[Any], y: Any = None) -> WordClasses:
        """Learns from sentences, which are read once."""
        for name in ("n_classes", "min_count", "max_iter"):
            if getattr(self, name) < 1:
                raise GlyphoneError(f"{name} is {getattr(self, name)}", remedy="give 1 or more")
        sentences = (sentence_record(sentence, nth).tokens for nth, sentence in enumerate(X, 1))
        vocabulary, numbers = number_words(sentences, min_count=self.min_count)
        bigrams = count_bigrams(numbers, vocabulary.counts)
        n_classes = min(self.n_classes, len(vocabulary.words))
        tables = start_tables(bigrams, n_classes=n_classes, seed=self.random_state)
        history = exchange(bigrams, tables, max_iter=self.max_iter, report=self._report)
        used, classes = np.unique(tables.classes, return_inverse=True)
        tables = tables_of(bigrams, classes, len(used) - 1)
        bits = class_bits(tables)
        words = vocabulary.words
        self.clusters_ = Clusters(
            {word: bits[k] for word, k in zip(words, classes[:-1].tolist(), strict=True)},
            dict(zip(words, vocabulary.counts[:-1].tolist(), strict=True)),
        )
        self.bits_ = tuple(sorted(bits))
        self.history_ = [asdict(one) for one in history]
        return self

    def class_of(self, word: str) -> int:
        """The number of the class of a word; -1 if nothing is known of it."""
        check_is_fitted(self)
        bits = self.clusters_.bits_of(word)
        return self.bits_.index(bits) if bits in self.bits_ else -1

    def prefix(self, word: str, n: int) -> str:
        """The first n bits of the class of a word, or all if there are fewer."""
        check_is_fitted(self)
        return self.clusters_.prefix(word, n)

    def transform(self, X: Iterable[Any]) -> list[Sequence]:
        """The sentences with bit strings in their column `cluster`."""
        check_is_fitted(self)
        return with_clusters(sentence_records(X), self.clusters_)

    def _report(self, one: Pass) -> None:
        if self.verbose:
            print(one, file=sys.stderr, flush=True)

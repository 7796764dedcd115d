"""Features of phrases and of their surroundings, as columns for any classifier.

A mention is a phrase of a sentence. Its features are those of Jansche (2002): its length, how far
it is from the beginning of the sentence, the words in it wherever they stand, the words at both of
its ends and those around it, each with its shape; and besides, the beginnings and endings of words,
outlines, pairs of words around it, and words near it wherever they stand.

>>> sentence = Sequence(("Ayer", "en", "Nueva", "York", "."))
>>> mention = Mention(sentence, Phrase(2, 4))
>>> found = mention_features(mention, inner=1, outer=1, near=0)
>>> [feature for feature in found if "last" in feature]
['last1=York', 'last1 shape=U', 'last1 starts=Yo', ...]
>>> found = PhraseFeatures(min_count=1).fit_transform([mention, Mention(sentence, Phrase(0, 1))])
>>> found.shape, found.nnz
((2, 104), 107)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Many
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import Phrase
from glyphone.learners.sequences.clusters import CLUSTER
from glyphone.learners.sequences.contexts import column_values
from glyphone.learners.sequences.sentences import SentenceEstimator
from glyphone.learners.sequences.words import without_accents, word_outline, word_shape

Array = Any
BEYOND = "<s>"
# Lengths and distances from here on are one.
LONGEST, FARTHEST = 8, 6
# Words whose shapes and outlines are written down together.
TOGETHER = 4


@dataclass(frozen=True)
class Mention:
    """A phrase in its sentence."""

    sentence: Sequence
    phrase: Phrase


def mention_features(mention: Mention, *, inner: int, outer: int, near: int) -> Iterator[str]:
    """Features with their values.

    Places count for `inner` words at each end and `outer` ones on each side; `near` is how many
    words on each side are looked at wherever they stand.
    """
    tokens, begin, end = mention.sentence.tokens, mention.phrase.begin, mention.phrase.end
    inside = [without_accents(token) for token in tokens[begin:end]]
    yield f"length={min(len(inside), LONGEST)}"
    yield f"distance={min(begin, FARTHEST)}"
    yield f"phrase={' '.join(inside).lower()}"
    yield f"shapes={' '.join(map(word_shape, inside[:TOGETHER]))}"
    yield f"outlines={' '.join(map(word_outline, inside[:TOGETHER]))}"
    for word in inside:
        lowered = word.lower()
        yield f"in={lowered}"
        yield f"in starts={lowered[:4]}"
        for size in (3, 4):
            yield f"in ends={lowered[-size:]}"
    for side, words in (("first", inside), ("last", inside[::-1])):
        for nth, word in enumerate(words[:inner], 1):
            name = f"{side}{nth}"
            yield f"{name}={word}"
            yield f"{name} shape={word_shape(word)}"
            for size in (2, 3, 4):
                yield f"{name} starts={word[:size]}"
                yield f"{name} ends={word[-size:]}"
    widest = max(outer, near)
    before = [without_accents(token) for token in reversed(tokens[max(begin - widest, 0) : begin])]
    behind = [without_accents(token) for token in tokens[end : end + widest]]
    for side, words in (("before", before), ("behind", behind)):
        yield from side_features(side, words, outer=outer, near=near)
    if outer:
        yield f"around={' '.join(word.lower() for side in (before, behind) for word in side[:1])}"


def side_features(side: str, words: Many[str], *, outer: int, near: int) -> Iterator[str]:
    """Features of the words on one side, the nearest first; small letters, but for shapes."""
    for nth in range(1, outer + 1):
        word = words[nth - 1] if nth <= len(words) else BEYOND
        yield f"{side}{nth}={word.lower()}"
        yield f"{side}{nth} ends={word[-3:].lower()}"
        yield f"{side}{nth} shape={word_shape(word)}"
    if outer > 1:
        yield f"{side}={' '.join(words[:2]).lower()}"
    for word in words[:near]:
        yield f"{side} near={word.lower()}"


def cluster_features(
    mention: Mention, sizes: Many[int], *, inner: int, outer: int
) -> Iterator[str]:
    """The first bits of the classes of words, so many as `sizes` say.

    Of words in the phrase wherever they stand, of those at its ends, and of those around it.

    >>> sentence = Sequence(("en", "Lima"), {"cluster": ("0", "110")})
    >>> [*cluster_features(Mention(sentence, Phrase(1, 2)), (2,), inner=1, outer=1)]
    ['in cluster=11', 'first1 cluster=11', 'last1 cluster=11', 'before1 cluster=0']
    """
    bits = column_values(mention.sentence, CLUSTER)
    begin, end = mention.phrase.begin, mention.phrase.end
    inside, before, behind = bits[begin:end], bits[:begin][::-1], bits[end:]
    named = [("in", one) for one in inside]
    for side, words, most in (
        ("first", inside, inner), ("last", inside[::-1], inner),
        ("before", before, outer), ("behind", behind, outer),
    ):  # fmt: skip
        named += [(f"{side}{nth}", one) for nth, one in enumerate(words[:most], 1)]
    for name, one in named:
        for size in sizes:
            yield f"{name} cluster={one[:size]}"


class PhraseFeatures(TransformerMixin, SentenceEstimator):  # type: ignore[misc]
    """Turns mentions into rows of a sparse matrix.

    Features of fewer than `min_count` mentions are left out. A feature of n mentions has the value
    1 / sqrt(1 + ln n), so that a penalty on weights leaves rare ones room. `bits` are how
    many bits of the column `cluster` of sentences are features, too.

    >>> mention = Mention(Sequence(("en", "Lima")), Phrase(1, 2))
    >>> PhraseFeatures(inner=1, outer=0, near=0).fit([mention] * 2).transform([mention]).nnz
    25
    """

    columns_: dict[str, int]
    values_: Array
    # Those that were saved before there were clusters have none.
    bits: Many[int] = ()

    def __init__(
        self,
        *,
        inner: int = 2,
        outer: int = 2,
        near: int = 5,
        min_count: int = 2,
        bits: Many[int] = (),
    ) -> None:
        self.inner = inner
        self.outer = outer
        self.near = near
        self.min_count = min_count
        self.bits = bits

    def fit(self, X: Iterable[Mention], y: Any = None) -> PhraseFeatures:
        """Learns which features there are."""
        counts: Counter[str] = Counter()
        for mention in X:
            counts.update(self._features(mention))
        kept = sorted(feature for feature, count in counts.items() if count >= self.min_count)
        if not kept:
            remedy = "give more mentions, or lower min_count"
            raise GlyphoneError(f"no feature is seen {self.min_count} times", remedy=remedy)
        self.columns_ = {feature: column for column, feature in enumerate(kept)}
        self.values_ = 1 / np.sqrt(1 + np.log([counts[feature] for feature in kept]))
        return self

    def transform(self, X: Iterable[Mention]) -> Any:
        """A row for each mention."""
        check_is_fitted(self)
        columns, bounds = [], [0]
        for mention in X:
            found = (self.columns_.get(feature) for feature in self._features(mention))
            columns += sorted(column for column in found if column is not None)
            bounds.append(len(columns))
        shape = (len(bounds) - 1, len(self.columns_))
        chosen = np.array(columns, np.int32)
        return csr_array((self.values_[chosen], chosen, np.array(bounds, np.int32)), shape=shape)

    def _features(self, mention: Mention) -> set[str]:
        places = {"inner": self.inner, "outer": self.outer}
        found = {*mention_features(mention, near=self.near, **places)}
        if self.bits:
            found.update(cluster_features(mention, self.bits, **places))
        return found

"""The input of estimators over sentences: records, or plain lists of words.

>>> sentence_records([["a", "b"], Sequence(("c",))])
[Sequence(tokens=('a', 'b'), columns={}, labels=()), Sequence(tokens=('c',), columns={}, labels=())]
>>> sentence_labels([Sequence(("a", "b"), labels=("O", "B"))], None)
[('O', 'B')]
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Many
from typing import Any

from sklearn.base import BaseEstimator

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import check_labels
from glyphone.learners.sequences.clusters import Clusters, with_clusters


class SentenceEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator that takes lists of sentences, not rows of numbers.

    With `clusters`, sentences have the column `cluster` for it, in learning and in predicting.
    """

    # Those that were saved before there were clusters have none.
    clusters: Clusters | None = None

    def records(self, X: Iterable[Any]) -> list[Sequence]:
        """Records of sentences, with the classes of words if there are clusters."""
        return with_clusters(sentence_records(X), self.clusters)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        return tags


def sentence_records(X: Iterable[Any]) -> list[Sequence]:
    """Records of sentences.

    >>> sentence_records(["a b"])
    Traceback (most recent call last):
    glyphone.data.errors.GlyphoneError: sentence 1 is 'a b', which is no list of words (cut ...)
    """
    return [sentence_record(sentence, nth) for nth, sentence in enumerate(X, 1)]


def sentence_record(sentence: Any, nth: int) -> Sequence:
    """The record of the nth sentence."""
    if isinstance(sentence, Sequence):
        return sentence
    if isinstance(sentence, str) or not all(isinstance(word, str) for word in sentence):
        message = f"sentence {nth} is {sentence!r:.60}, which is no list of words"
        raise GlyphoneError(message, remedy="cut it into words, or give a Sequence")
    return Sequence(tuple(sentence))


def sentence_labels(
    sentences: Many[Sequence], y: Iterable[Many[str]] | None
) -> list[tuple[str, ...]]:
    """The labels of sentences: `y`, or those in the records if it is None."""
    given = [sentence.labels for sentence in sentences] if y is None else [*map(tuple, y)]
    if len(given) != len(sentences):
        raise GlyphoneError(f"{len(sentences)} sentences have {len(given)} lists of labels")
    for nth, (sentence, found) in enumerate(zip(sentences, given, strict=True), 1):
        if len(found) != len(sentence.tokens):
            raise GlyphoneError(
                f"sentence {nth} has {len(sentence.tokens)} tokens and {len(found)} labels",
                item=" ".join(sentence.tokens),
                remedy="give a label for each token",
            )
    if not any(given):
        raise GlyphoneError("no token to learn from", remedy="give sentences that have words")
    return given


def bio_labels(sentences: Many[Sequence], y: Iterable[Many[str]] | None) -> list[tuple[str, ...]]:
    """The labels of sentences, which must be BIO.

    >>> bio_labels([Sequence(("a", "b"))], [["O", "I-LOC"]])
    Traceback (most recent call last):
    glyphone.data.errors.GlyphoneError: sentence 1: item 'b': 'I-LOC' follows 'O' (a phrase ...)
    """
    found = sentence_labels(sentences, y)
    for nth, (sentence, given) in enumerate(zip(sentences, found, strict=True), 1):
        try:
            check_labels(given)
        except ItemError as error:
            raise GlyphoneError(
                error.message,
                path=f"sentence {nth}",
                item=None if error.offset is None else sentence.tokens[error.offset],
                remedy=error.remedy,
            ) from error
    return found

"""Which word stands for which, learnt from sentences that say the same in two languages.

IBM's first model (Brown et al. 1993), both ways: a pair is one where each word is the likeliest
translation of the other. Those that are spelt alike are cognates, from which a joint model of
letters learns how words of one language are spelt in the other.

>>> given = [["la", "casa"], ["la", "flor"], ["flor"], ["una", "casa"], ["una", "rosa"]]
>>> other = [["a", "casa"], ["a", "flor"], ["flor"], ["uma", "casa"], ["uma", "rosa"]]
>>> sorted((pair.word, pair.target) for pair in word_pairs(given, other))
[('casa', 'casa'), ('flor', 'flor'), ('la', 'a'), ('rosa', 'rosa'), ('una', 'uma')]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.evaluation.distance_kernels import distance
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.training import fit_joint

ROUNDS = 6
NULL = ""
# Longer ones are no accident, and this much of the longer one may differ.
SHORTEST, MOST_DIFFERENT = 3, 0.5

Text = Sequence[Sequence[str]]


@dataclass(frozen=True)
class WordPair:
    """A word, its translation, how probable that is, and how often the word was seen."""

    word: str
    target: str
    probability: float
    count: int


def translations(text: Text, other: Text) -> dict[str, dict[str, float]]:
    """p(word of the other | word), by expectation-maximisation from even shares."""
    table: dict[str, dict[str, float]] = {}
    for _ in range(ROUNDS):
        counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for words, targets in zip(text, other, strict=True):
            sources = [*words, NULL]
            for target in targets:
                shares = [table[word][target] if table else 1.0 for word in sources]
                total = sum(shares)
                for word, share in zip(sources, shares, strict=True):
                    counts[word][target] += share / total
        table = {
            word: {target: count / sum(row.values()) for target, count in row.items()}
            for word, row in counts.items()
        }
    return table


def word_pairs(text: Text, other: Text) -> list[WordPair]:
    """Words that are each other's likeliest translations."""
    there, back = translations(text, other), translations(other, text)
    counts = Counter(word for words in text for word in words)
    best = {word: likeliest(row) for word, row in there.items() if word != NULL}
    return [
        WordPair(word, target, there[word][target], counts[word])
        for word, target in best.items()
        if likeliest(back[target]) == word
    ]


def likeliest(row: dict[str, float]) -> str:
    return max(row, key=lambda word: (row[word], word))


def cognates(pairs: Iterable[WordPair]) -> list[Pair]:
    """Pairs of words that are spelt alike."""
    return [
        Pair(tuple(pair.word), tuple(pair.target))
        for pair in pairs
        if pair.word.isalpha() and pair.target.isalpha() and len(pair.word) >= SHORTEST
        if difference(pair.word, pair.target) <= MOST_DIFFERENT
    ]


def difference(word: str, other: str) -> float:
    """Edits by letter of the longer word."""
    codes = (np.array([ord(letter) for letter in each], np.int64) for each in (word, other))
    return float(distance(*codes, 1)) / max(len(word), len(other))


def model_of(pairs: Sequence[Pair]) -> JointModel:
    """The model of pairs that `glyphone train --kind joint --target-unit codepoint` trains."""
    return fit_joint(pairs, target=Writing(), name="cognates").model

"""Log-likelihoods of class bigram models and losses of mergers, counted anew from the text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

import numpy as np

BOUNDARY = "<boundary>"
Text = list[list[str]]


def random_text(seed: int, *, n: int = 25, words: str = "abcdefghij") -> Text:
    """Sentences of a few words, of which some are more frequent, and some without any."""
    random = np.random.default_rng(seed)
    shares = random.dirichlet(np.ones(len(words)))
    return [random.choice([*words], random.integers(0, 6), p=shares).tolist() for _ in range(n)]


def log_likelihood(text: Text, classes: Mapping[str, int]) -> float:
    """ln P of sentences, each word by its class and the class before.

    >>> round(math.exp(-log_likelihood([["a", "a"]], {"a": 0})), 9)
    4.0
    """
    known: dict[str, int] = {**classes, BOUNDARY: -1}
    bigrams: Counter[tuple[int, int]] = Counter()
    words: Counter[str] = Counter()
    for sentence in filter(None, text):
        for before, word in pairwise([BOUNDARY, *sentence, BOUNDARY]):
            bigrams[known[before], known[word]] += 1
            words[word] += 1
    befores: Counter[int] = Counter()
    sizes: Counter[int] = Counter()
    for (before, one), count in bigrams.items():
        befores[before] += count
        sizes[one] += count
    of_classes = sum(n * math.log(n / befores[before]) for (before, _), n in bigrams.items())
    of_words = sum(n * math.log(n / sizes[known[word]]) for word, n in words.items())
    return of_classes + of_words

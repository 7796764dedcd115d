"""The report of what hidden states have learnt: the words that each of them stands for.

Each token counts for the state that is the most probable at it; a word's share of a state is that
of its tokens that count for it (Sun, Morency, Okanohara and Tsujii 2008, equation 10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.learners.latent.estimator import LatentCRF


@dataclass(frozen=True)
class StateWord:
    """A word, its tokens that count for a state, and their share of all its tokens."""

    word: str
    count: int
    share: float


@dataclass(frozen=True)
class State:
    """A state of a label, by number from 1 on: its share of tokens, and its most frequent words."""

    label: str
    number: int
    share: float
    words: tuple[StateWord, ...]

    def __str__(self) -> str:
        words = ", ".join(f"{one.word} {one.share:.2f}" for one in self.words)
        return f"{self.label} {self.number}: {100 * self.share:.1f} % of tokens: {words}"


def describe_states(learner: LatentCRF, X: Iterable[Any], *, most: int = 3) -> list[State]:
    """The states of each label in sentences, with so many words of each; the largest share first.

    >>> sentences = [["he", "gave", "her", "books"], ["it", "is", "her"]] * 3
    >>> tags = [["B", "O", "B", "B"], ["B", "O", "B"]] * 3
    >>> learner = LatentCRF(states=2, rho2=0.1).fit(sentences, tags)
    >>> found = describe_states(learner, sentences)
    >>> round(sum(state.share for state in found), 9), sorted({state.label for state in found})
    (1.0, ['B', 'O'])
    """
    sentences = learner.records(X)
    labels, states = learner.model_.labels, learner.model_.shape.states
    words = Counter(token for sentence in sentences for token in sentence.tokens)
    seen: dict[int, Counter[str]] = {code: Counter() for code in range(len(labels) * states)}
    for sentence, shares in zip(sentences, learner.predict_states(sentences), strict=True):
        best = shares.reshape(len(shares), -1).argmax(axis=1) if len(shares) else np.zeros(0)
        for token, code in zip(sentence.tokens, best.tolist(), strict=True):
            seen[code][token] += 1
    total = max(words.total(), 1)
    found = [
        State(
            labels[code // states],
            code % states + 1,
            counts.total() / total,
            tuple(StateWord(w, n, n / words[w]) for w, n in counts.most_common(most)),
        )
        for code, counts in seen.items()
    ]
    return sorted(found, key=lambda state: (state.label, -state.share))

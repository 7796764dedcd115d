"""Naive Bayes of spans: whether a span may be a phrase, by the words in it and around it.

    odds of a phrase = P(phrase) / P(other) * product over values v of P(v | phrase) / P(v | other)

Features are looked up at the first token, at the last, or at each; the values at each are one
feature, whose events are the tokens. So a span has the sum of what its ends have, and a difference
of sums over tokens. All spans of a text up to a length are learnt from; counts are raised by
`SMOOTHING`.

>>> from glyphone.data.records import Sequence
>>> from glyphone.learners.semimarkov.segments import gold_segments
>>> values = TokenValues.learn([Sequence(("in", "Rome", "now"))] * 9, ["word"])
>>> gold, _ = gold_segments([("O", "B-x", "O")] * 9, ("x",), max_length=2)
>>> found = SpanFilter.learn(values, gold.phrases(), 2, "begin word\\nend word\\neach word")
>>> found.probabilities(values, 2)[:3].round(1).tolist()
[[0.0, 0.0], [0.9, 0.0], [0.0, 0.0]]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.learners.semimarkov.segments import Segments
from glyphone.learners.semimarkov.templates import FILTERING, parse_templates
from glyphone.learners.semimarkov.values import TokenValues, places_in

Array = Any
SMOOTHING = 0.01


@dataclass(frozen=True, eq=False)
class SpanFilter:
    """The logarithms of odds of phrases: at first, and those of the values of each template.

    The last of a row are the odds of other values.
    """

    templates: str
    prior: float
    keys: list[Array]
    odds: list[Array]

    @classmethod
    def learn(
        cls, values: TokenValues, phrases: Segments, max_length: int, templates: str
    ) -> SpanFilter:
        """Odds by the spans of a text, some of which are phrases."""
        n, tokens = values.n_tokens, np.arange(values.n_tokens)
        spans = counts_by_role(
            np.minimum(values.lasts - tokens, max_length),
            np.minimum(tokens - values.firsts + 1, max_length),
        )
        found = counts_by_role(
            np.bincount(phrases.begins, minlength=n), np.bincount(phrases.lasts, minlength=n)
        )
        keys, odds = [], []
        for template in parse_templates(templates, roles=FILTERING):
            different, numbers = np.unique(values.keys(template.places), return_inverse=True)
            inner, every = (
                np.bincount(numbers, some[template.role], minlength=len(different) + 1) + SMOOTHING
                for some in (found, spans)
            )
            others = every - inner + SMOOTHING
            keys.append(different)
            odds.append(np.log(inner / inner.sum()) - np.log(others / others.sum()))
        n_phrases = len(phrases.begins)
        prior = float(np.log(n_phrases) - np.log(max(spans["end"].sum() - n_phrases, 1)))
        return cls(templates, prior, keys, odds)

    def probabilities(self, values: TokenValues, max_length: int) -> Array:
        """The probability of a phrase, for spans that end with each token, the shortest first."""
        n = values.n_tokens
        ends, begins, each = np.zeros(n), np.zeros(n), np.zeros(n)
        at = {"end": ends, "begin": begins, "each": each}
        templates = parse_templates(self.templates, roles=FILTERING)
        for template, keys, odds in zip(templates, self.keys, self.odds, strict=True):
            at[template.role] += odds[places_in(keys, values.keys(template.places))]
        before = np.concatenate(([0.0], np.cumsum(each)))
        found = np.full((n, max_length), -np.inf)
        for k in range(min(max_length, n)):
            inner = before[k + 1 :] - before[: n - k]
            found[k:, k] = self.prior + begins[: n - k] + ends[k:] + inner
        shares: Array = np.exp(-np.logaddexp(0.0, -found))
        return shares


def counts_by_role(begins: Array, ends: Array) -> dict[str, Array]:
    """How many spans begin and end with each token, and how many hold it.

    >>> counts_by_role(np.array([1, 1, 0]), np.array([0, 1, 1]))["each"].tolist()
    [1, 2, 1]
    """
    over = np.cumsum(begins) - np.cumsum(ends) + ends
    return {"begin": begins, "end": ends, "each": over}

"""Classes of words as bit strings: beginnings of them are classes of fewer, larger classes.

A word that is not known has the class of the rare words of its shape, if they have one; words of
which nothing is known have `?`. The column `cluster` of a sentence has the bit string of each
token. Contexts name it, or its beginnings: `cluster`, `cluster4-1`; so do patterns:
`%m[0,cluster,"^...."]`.

>>> clusters = Clusters({"Lima": "00", "ve": "1", "<unk:U>": "01"})
>>> [clusters.bits_of(word) for word in ("Lima", "Quito", "23")]
['00', '01', '?']
>>> with_clusters([Sequence(("Ana", "ve"))], clusters)[0].columns
{'cluster': ('01', '1')}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from glyphone.data.records import Sequence
from glyphone.learners.sequences.words import word_shape

CLUSTER, UNKNOWN = "cluster", "?"


@dataclass(frozen=True)
class Clusters:
    """The bit string of each word, and how often it was seen where that is known."""

    bits: Mapping[str, str] = field(repr=False)
    counts: Mapping[str, int] = field(default_factory=dict, repr=False)

    def bits_of(self, word: str) -> str:
        """The bit string of the class of a word."""
        found = self.bits.get(word)
        return self.bits.get(rare_word(word), UNKNOWN) if found is None else found

    def prefix(self, word: str, n: int) -> str:
        """The first n bits of the class of a word, or all if there are fewer."""
        return self.bits_of(word)[:n]


def rare_word(word: str) -> str:
    """The word that stands for all rare ones of the shape of this one.

    >>> rare_word("Lima"), rare_word("23")
    ('<unk:U>', '<unk:ND>')
    """
    return f"<unk:{word_shape(word)}>"


def with_clusters(sentences: Iterable[Sequence], clusters: Clusters | None) -> list[Sequence]:
    """Sentences with the column `cluster`; as they are if there are no clusters."""
    if clusters is None:
        return [*sentences]
    return [
        replace(one, columns={**one.columns, CLUSTER: tuple(map(clusters.bits_of, one.tokens))})
        for one in sentences
    ]

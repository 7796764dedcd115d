"""A judge that goes the other way: how likely sounds are, and that one who hears them so spells.

    P(y | x) is proportional to P(y) P(x | y)

P(y) is an n-gram model of sounds, P(x | y) a model that reads sounds and writes letters, of a kind
that judges: a noisy channel (Shannon 1948). Models that read letters forgive themselves a letter
that went unread, and sounds that no word has; whoever must spell the word from them does not.

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.tree_training import train_tree
>>> rows = [Alignment(((("f",), ("p", "h")), (("i",), ("i",)))), Alignment(((("i",), ("i",)),))]
>>> judge = spelling_of(train_tree(rows, source=Writing(), target=Writing()), [["f", "i"], ["i"]])
>>> word = np.array(judge.source.encode("phi").labels, np.int32)
>>> sounds = np.array(judge.target.encode("fii").labels, np.int32)
>>> firsts, offsets = np.array([0, 2]), np.array([0, 2, 3])
>>> np.isfinite(judge.judged(word, np.array([0, 3]), firsts, offsets, sounds)).tolist()
[True, False]
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from glyphone.fst import smoothing
from glyphone.fst.codec import Side
from glyphone.fst.judges import Judge
from glyphone.fst.ngram import NgramModel
from glyphone.fst.ngram_counts import flat
from glyphone.fst.reranker import cut

# Sounds in an n-gram.
ORDER = 6

Array = Any


@dataclass(frozen=True, eq=False)
class Spelling:
    """The label l of `speller.source` is the word l - 1 of `sounds`."""

    kind: ClassVar[str] = "spelling"

    sounds: NgramModel
    speller: Judge

    @property
    def source(self) -> Side:
        return self.speller.target

    @property
    def target(self) -> Side:
        return self.speller.source

    def judged(
        self, labels: Array, bounds: Array, firsts: Array, offsets: Array, outputs: Array
    ) -> Array:
        """ln P(y) + ln P(x | y): see `glyphone.fst.judges`."""
        words = np.repeat(np.arange(len(firsts) - 1), np.diff(firsts))
        places, ends = cut(bounds, words)
        each = np.arange(len(words) + 1)
        spelled = self.speller.judged(outputs, offsets, each, ends, labels[places])
        # What has a sound that is not known is impossible already.
        known = np.maximum(outputs, 1) - 1
        found: Array = spelled + self.sounds.score_many(known, offsets)
        return found

    def fingerprint(self) -> str:
        """A checksum of everything that the answers depend on."""
        crc = zlib.crc32(self.speller.fingerprint().encode())
        for column in self.sounds.ngrams:
            crc = zlib.crc32(np.ascontiguousarray(column).tobytes(), crc)
        return f"{crc:08x}"


def spelling_of(speller: Judge, rows: Iterable[Iterable[str]]) -> Spelling:
    """The judge of a speller, and of rows of the sounds that it reads."""
    numbers = speller.source.symbols
    tokens, offsets = flat([[numbers[sound] - 1 for sound in row] for row in rows])
    sounds = smoothing.train(tokens, offsets, n_words=len(numbers), order=ORDER)
    return Spelling(sounds.astype(np.float32), speller)

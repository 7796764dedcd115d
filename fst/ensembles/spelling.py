"""A judge of the other direction: how likely the sounds are, and this spelling of them.

    P(y | x) is proportional to P(y) P(x | y)

P(y) is an n-gram model of sounds, P(x | y) a model that reads sounds and writes letters, of a kind
that judges: a noisy channel (Shannon 1948). A model that reads letters gives little weight to a
letter that goes unread or to sounds that no word has; one that spells the sounds finds both. In a
file the judge is a part of its ensemble, see `glyphone.fst.ensembles.file`.

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.models.trees.training import train_tree
>>> rows = [Alignment(((("f",), ("p", "h")), (("i",), ("i",)))), Alignment(((("i",), ("i",)),))]
>>> judge = spelling_of(train_tree(rows, source=Writing(), target=Writing()), [["f", "i"], ["i"]])
>>> word = np.array(judge.source.encode("phi").labels, np.int32)
>>> sounds = np.array(judge.target.encode("fii").labels, np.int32)
>>> firsts, offsets = np.array([0, 2]), np.array([0, 2, 3])
>>> np.isfinite(judge.score_outputs(word, np.array([0, 3]), firsts, offsets, sounds)).tolist()
[True, False]
>>> from glyphone.models import kinds  # registers the file format of trees
>>> from_contents(to_contents(judge)).fingerprint() == judge.fingerprint()
True
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from glyphone.fst.ensembles.judges import Judge
from glyphone.fst.interface.codec import Side
from glyphone.fst.lattices.block_order import places_of_rows
from glyphone.fst.ngrams import smoothing
from glyphone.fst.ngrams.counts import flatten
from glyphone.fst.ngrams.file import ngrams_from_arrays, ngrams_to_arrays
from glyphone.fst.ngrams.model import NgramModel
from glyphone.fst.storage import registry as storage_registry
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import Packing

# Sounds in an n-gram.
ORDER = 6

Array = Any


@dataclass(frozen=True, eq=False)
class Spelling:
    """An n-gram model of sounds, and a speller whose label l is the word l - 1 of `sounds`."""

    kind: ClassVar[str] = "spelling"

    sounds: NgramModel
    speller: Judge

    @property
    def source(self) -> Side:
        return self.speller.target

    @property
    def target(self) -> Side:
        return self.speller.source

    def score_outputs(
        self, labels: Array, bounds: Array, firsts: Array, offsets: Array, outputs: Array
    ) -> Array:
        """ln P(y) + ln P(x | y): see `glyphone.fst.ensembles.judges`."""
        words = np.repeat(np.arange(len(firsts) - 1), np.diff(firsts))
        places, ends = places_of_rows(bounds, words)
        each = np.arange(len(words) + 1)
        spelled = self.speller.score_outputs(outputs, offsets, each, ends, labels[places])
        # An output with an unknown sound is impossible by the speller already.
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
    tokens, offsets = flatten([[numbers[sound] - 1 for sound in row] for row in rows])
    sounds = smoothing.train(tokens, offsets, n_words=len(numbers), order=ORDER)
    return Spelling(sounds.astype(np.float32), speller)


KIND = "spelling"
# Models that may spell.
SPELLERS = ("crf", "tree")


def to_contents(model: Spelling, prefix: str = "") -> Contents:
    """A model, its arrays under a prefix."""
    speller = storage_registry.to_contents(model.speller, f"{prefix}speller/")
    manifest = {"start": model.sounds.start, "speller": storage_registry.part_to_dict(speller)}
    arrays = {**speller.arrays, **ngrams_to_arrays(model.sounds, f"{prefix}sounds/")}
    return Contents(KIND, manifest, arrays)


def spelling_from(contents: Contents, prefix: str, path: FilePath | None) -> Spelling:
    manifest, arrays = contents.manifest, contents.arrays
    speller = storage_registry.load_part(
        manifest["speller"], arrays, f"{prefix}speller/", what="speller", kinds=SPELLERS, path=path
    )
    n_words = len(speller.source.symbols)
    sounds = ngrams_from_arrays(arrays, f"{prefix}sounds/", manifest["start"], n_words)
    sounds.check(path=path)
    return Spelling(sounds, speller)


PACKING = Packing(
    kind=KIND,
    what="judge that spells",
    pack=to_contents,
    unpack=spelling_from,
    problem_of=lambda model: None,
)
from_contents = PACKING.from_contents

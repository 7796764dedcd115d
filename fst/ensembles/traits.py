"""The traits of candidates that features of a reranker are made of, as numbers.

They are digests of symbols, so that weights learnt with one model are right for others, whatever
their labels: see `glyphone.fst.ensembles.reranking.feature_kernels`.

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.joint.training import train_joint
>>> row = Alignment(((("i",), ("i",)),))
>>> traits = traits_of(train_joint([row], source=Writing(), target=Writing(), order=1), {"i"})
>>> traits.reads.tolist() == traits.writes.tolist() == [digest_symbols("i")], traits.vowels.tolist()
(True, [True])
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any, NamedTuple

import numpy as np

from glyphone.fst.ensembles.reranking.model import digest_symbols, marks_of
from glyphone.fst.ensembles.reranking.training_kernels import CandidateLists
from glyphone.fst.joint.model import JointModel

Array = Any


class Traits(NamedTuple):
    """Digests of both sides of units and of their marks; whether they read vowels; of phones."""

    reads: Array
    writes: Array
    marks: Array
    vowels: Array
    phones: Array

    def lists(
        self,
        firsts: Array,
        scores: Array,
        offsets: Array,
        outputs: Array,
        units: Array,
        path_bounds: Array,
    ) -> CandidateLists:
        """Lists of candidates and their paths, by the traits of units and phones."""
        return CandidateLists(
            firsts,
            scores,
            offsets,
            self.phones[outputs],
            path_bounds,
            self.reads[units],
            self.writes[units],
            self.marks[units],
            self.vowels[units],
        )


def traits_of(first: JointModel, vowels: Set[str]) -> Traits:
    """The traits of the units and phones of a model, by the letters that are vowels."""
    sources = [first.source.decode(row) for row in first.units.sources]
    targets = [first.target.decode(row) for row in first.units.targets]
    marks = [marks_of(symbols) for symbols in targets]
    phones = sorted(first.target.symbols, key=first.target.symbols.__getitem__)
    return Traits(
        np.array([digest_symbols(symbols) for symbols in sources], np.int32),
        np.array([digest_symbols(symbols) for symbols in targets], np.int32),
        np.array([digest_symbols([m]) if m.strip("|") else 0 for m in marks], np.int32),
        np.array([not vowels.isdisjoint(symbols) for symbols in sources], np.bool_),
        np.array([0, *(digest_symbols([phone]) for phone in phones)], np.int32),
    )

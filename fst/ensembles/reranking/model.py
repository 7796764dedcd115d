"""A reranker: shares of several models, and weights of features of whole outputs.

Lists of candidates come from models that have not seen their words, so that the shares and weights
are right for new words: see `glyphone.fst.ensembles.reranking.fitting`, and for the features
`glyphone.fst.ensembles.reranking.feature_kernels`.

>>> lists = lists_without_paths(np.array([0, 2]), np.array([[0.0, -1.0], [-2.0, 0.0]]))
>>> Reranker(np.array([0.5, 0.25])).totals(lists).tolist()
[-0.25, -1.0]
"""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.fst.ensembles.reranking import training_kernels
from glyphone.fst.ensembles.reranking.feature_kernels import NOTHING
from glyphone.fst.ensembles.reranking.training_kernels import CandidateLists
from glyphone.fst.lattices.block_order import places_of_rows

# Categories of letters of Unicode, which are no marks.
_LETTERS = ("Lu", "Ll", "Lo", "Lt")

Array = Any


@dataclass(frozen=True, eq=False)
class Reranker:
    """The shares of models in the logarithm, and weights of hashed features, a power of two."""

    shares: Array
    weights: Array = field(default_factory=lambda: np.zeros(1, np.float32))
    level: int = NOTHING

    def totals(self, lists: CandidateLists) -> Array:
        """ln of the weight of each candidate, but for a constant of its list."""
        if self.level == NOTHING:
            return weighted_sums(lists.scores, self.shares)
        kernels = jit.tier(training_kernels, 64 * len(lists.labels))
        found: Array = kernels.candidate_scores(lists, self.shares, self.weights, self.level)
        return found


def lists_without_paths(firsts: Array, scores: Array) -> CandidateLists:
    """Lists of candidates with scores alone, without outputs and paths."""
    n = len(scores)
    none, bounds = np.zeros(0, np.int64), np.zeros(n + 1, np.int64)
    no_vowels = np.zeros(0, np.bool_)
    return CandidateLists(firsts, scores, bounds, none, bounds, none, none, none, no_vowels)


def weighted_sums(scores: Array, shares: Array) -> Array:
    """scores @ shares, added up in one order whatever the size of a block."""
    found = np.zeros(len(scores))
    for column, share in zip(scores.T, shares, strict=True):
        found += share * column
    return found


def log_sums(totals: Array, firsts: Array) -> Array:
    """ln of the sum of exp over each list; no list is empty."""
    if not len(totals):
        return np.zeros(0)
    greatest = np.maximum.reduceat(totals, firsts[:-1])
    safe = np.where(np.isfinite(greatest), greatest, 0.0)
    exps = np.exp(totals - np.repeat(safe, np.diff(firsts)))
    with np.errstate(divide="ignore"):
        return safe + np.log(np.add.reduceat(exps, firsts[:-1]))


def best_candidates(totals: Array, firsts: Array) -> list[int]:
    """The candidate at the head of each list."""
    return [a + int(np.argmax(totals[a:b])) for a, b in pairwise(firsts.tolist())]


def select_lists(lists: CandidateLists, items: Array) -> tuple[CandidateLists, Array]:
    """The lists of some items, and the numbers of the candidates in them."""
    rows, firsts = places_of_rows(lists.firsts, items)
    labels, offsets = places_of_rows(lists.offsets, rows)
    units, path_bounds = places_of_rows(lists.path_bounds, rows)
    return CandidateLists(
        firsts,
        lists.scores[rows],
        offsets,
        lists.labels[labels],
        path_bounds,
        lists.reads[units],
        lists.writes[units],
        lists.marks[units],
        lists.vowels[units],
    ), rows


def join_lists(parts: Sequence[CandidateLists]) -> CandidateLists:
    """Lists end to end."""

    def ends(name: str) -> Array:
        columns = [getattr(part, name) for part in parts]
        starts = np.cumsum([0, *(column[-1] for column in columns)])
        return np.concatenate(
            [[0], *(c[1:] + s for c, s in zip(columns, starts[:-1], strict=True))]
        )

    bounds = ("firsts", "offsets", "path_bounds")
    rest = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in CandidateLists._fields
        if name not in bounds
    }
    return CandidateLists(**{name: ends(name) for name in bounds}, **rest)


def digest_symbols(symbols: Iterable[str]) -> int:
    """A number for some symbols, from 2 on, that does not depend on the labels of a model.

    >>> digest_symbols(["a", "b"]) == digest_symbols(["a", "b"]) != digest_symbols(["ab"])
    True
    """
    text = "\0".join(symbols)
    return 2 + (zlib.crc32(text.encode("utf-8", "surrogatepass")) & 0x7FFFFFF)


def marks_of(symbols: Iterable[str]) -> str:
    """The parts of symbols that are no letters: accents, lengths, tones, figures for stress.

    >>> marks_of(["t", "o\\u0301ː"]), marks_of(["AA1"])
    ('|\\u0301ː', '1')
    """
    return "|".join(
        "".join(
            c for c in unicodedata.normalize("NFD", s) if unicodedata.category(c) not in _LETTERS
        )
        for s in symbols
    )

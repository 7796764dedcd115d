"""Lexicons cut into units: the best alignments of every pair, with their probabilities.

The model is that of `glyphone.fst.alignment.training`. The posterior of an alignment is its share
in all alignments of its pair, P(alignment) / P(x, y).

>>> lexicon = {"graph": "graf", "phi": "fi", "hi": "hi", "rag": "rag", "ga": "ga", "ra": "ra"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> model, entries = align(pairs, aligner_options(max_target=1))
>>> best = entries[1].ranked[0]
>>> best.alignment.units, round(best.posterior, 2)
(((('p', 'h'), ('f',)), (('i',), ('i',))), 1.0)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.data.parallel import available_cores
from glyphone.data.records import Alignment, Pair
from glyphone.fst.alignment.corpus import Unit, map_parts
from glyphone.fst.alignment.training import (
    ONE_TO_ONE,
    AlignmentModel,
    AlignmentOptions,
    Refusal,
    fit,
)

# Pairs that are aligned at once, and the states of their lattices: what bounds the memory.
BLOCK, BLOCK_STATES = 8192, 1 << 22
# Partial paths that an n-best search may keep, of some twenty bytes each.
MOST_PATHS = 1 << 25
# What makes an alignment one-to-one; the other options are free.
SHAPE = ("max_source", "max_target", "insertions", "deletions")


@dataclass(frozen=True)
class Ranked:
    """One alignment of a pair, ln P of it, and its share in all alignments of the pair."""

    alignment: Alignment
    log_probability: float
    posterior: float


@dataclass(frozen=True)
class Aligned:
    """A pair with its best alignments in order; `log_probability` is ln P(x, y), over all.

    `composed` marks a one-to-one alignment in which several target symbols had to share a gap.
    """

    pair: Pair
    ranked: tuple[Ranked, ...]
    log_probability: float
    composed: bool = False


def aligner_options(*, one_to_one: bool = False, **chosen: Any) -> AlignmentOptions:
    """The options of the aligner, or those of one-to-one alignment, with the chosen ones in their
    place.
    """
    return replace(ONE_TO_ONE if one_to_one else AlignmentOptions(), **chosen)


def check_options(options: AlignmentOptions, *, n: int, one_to_one: bool) -> None:
    """GlyphoneError for options that do not go together."""
    if n < 1:
        raise GlyphoneError(f"{n} alignments of a pair are none", remedy="ask for one or more")
    if n > 1 and one_to_one:
        remedy = "ask for one, or only for units of one symbol a side at most"
        raise GlyphoneError("one-to-one alignment gives the best one alone", remedy=remedy)
    for name in SHAPE if one_to_one else ():
        value, needed = getattr(options, name), getattr(ONE_TO_ONE, name)
        if value != needed:
            raise GlyphoneError(
                f"{name} is {value}, and one-to-one alignment needs {needed}",
                remedy="leave out one of the two",
            )


def align(
    pairs: Sequence[Pair],
    options: AlignmentOptions | None = None,
    *,
    n: int = 1,
    rule_pairs: Sequence[Pair] = (),
    one_to_one: bool = False,
    jobs: int | None = None,
) -> tuple[AlignmentModel, list[Aligned | Refusal]]:
    """A model fitted to the pairs, and for each of them its n best alignments or why it has none.

    One-to-one alignment has its own options, `settings(one_to_one=True)`, and is of one answer.
    """
    options = options or aligner_options(one_to_one=one_to_one)
    check_options(options, n=n, one_to_one=one_to_one)
    jobs = jobs or available_cores()
    model = fit(pairs, options, rule_pairs=rule_pairs, jobs=jobs)
    return model, list(align_pairs(model, pairs, n=n, one_to_one=one_to_one, jobs=jobs))


def align_pairs(
    model: AlignmentModel,
    pairs: Iterable[Pair],
    *,
    n: int = 1,
    one_to_one: bool = False,
    jobs: int = 1,
) -> Iterator[Aligned | Refusal]:
    """For each pair, in order, its n best alignments, or the reason why it has none."""
    check_options(model.options, n=n, one_to_one=one_to_one)
    aligner, done = _Aligner(model, n, one_to_one, jobs), 0
    for block in pair_blocks(pairs):
        for entry in aligner.entries(block):
            if isinstance(entry, Refusal):
                entry = replace(entry, index=done + entry.index)
            yield entry
        done += len(block)


def pair_blocks(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    """The pairs in order, few at once where they are long."""
    block: list[Pair] = []
    states = 0
    for pair in pairs:
        more = (len(pair.source) + 1) * (len(pair.target) + 1)
        if block and (len(block) == BLOCK or states + more > BLOCK_STATES):
            yield block
            block, states = [], 0
        block.append(pair)
        states += more
    if block:
        yield block


@dataclass(frozen=True)
class _Aligner:
    model: AlignmentModel
    n: int
    one_to_one: bool
    jobs: int

    def entries(self, pairs: Sequence[Pair]) -> list[Aligned | Refusal]:
        composed: list[int] = []
        if self.one_to_one:
            alignments, refused, composed = self.model.one_to_one_all(pairs, jobs=self.jobs)
        else:
            alignments, refused = self.model.align_all(pairs, jobs=self.jobs)
        reasons = {refusal.index: refusal for refusal in refused}
        crowded = set(composed)
        masses = (-self.model.lattices(pairs, jobs=self.jobs).costs).tolist()

        def entry(index: int) -> Aligned | Refusal:
            alignment, pair = alignments[index], pairs[index]
            if alignment is None:
                return reasons[index]
            if index in crowded:
                return self.fill_gaps(pair, alignment)
            if self.n > 1:
                return self.several(index, pair, masses[index])
            return _entry(pair, [(alignment, self.score(alignment))], masses[index])

        def part(first: int, last: int) -> list[Aligned | Refusal]:
            return [entry(index) for index in range(first, last)]

        # Threads are of use to the kernels of an n-best search, and to nothing else here.
        return list(chain(*map_parts(part, len(pairs), self.jobs if self.n > 1 else 1)))

    def score(self, alignment: Alignment) -> float:
        return -sum(self.costs.get(unit, self.unlisted_cost) for unit in alignment.units)

    def several(self, index: int, pair: Pair, mass: float) -> Aligned | Refusal:
        gaps = self.model.options.insertions + 1
        n, p = len(pair.source), len(pair.target)
        if (n + 1) * (p + 1) * gaps * self.n > MOST_PATHS:
            reason = f"{n} by {p} symbols are too many for the {self.n} best: ask for fewer"
            return Refusal(index, pair, reason)
        return _entry(pair, self.model.nbest(pair, self.n), mass)

    def fill_gaps(self, pair: Pair, alignment: Alignment) -> Aligned:
        """An alignment that needs gaps with several symbols, scored with as many in each gap."""
        n, p = len(pair.source), len(pair.target)
        wider = replace(self.model.options, insertions=-(-(p - n) // (n + 1)))
        model = replace(self.model, options=wider)
        ((_, score),) = model.nbest(pair, 1)
        return _entry(pair, [(alignment, score)], model.log_probability(pair), composed=True)

    @cached_property
    def costs(self) -> dict[Unit, float]:
        costs = (-np.log(self.model.probabilities)).tolist()
        return dict(zip(self.model.units, costs, strict=True))

    @cached_property
    def unlisted_cost(self) -> float:
        return -math.log(self.model.unlisted) if self.model.unlisted > 0 else math.inf


def _entry(
    pair: Pair, scored: Sequence[tuple[Alignment, float]], mass: float, *, composed: bool = False
) -> Aligned:
    # A pair of one alignment has two sums of the same terms, which differ in their last bits.
    ranked = (Ranked(cut, score, min(1.0, math.exp(score - mass))) for cut, score in scored)
    return Aligned(pair, tuple(ranked), mass, composed)

"""Pairs as flat arrays of chunks, the form that the kernels of the aligner read.

A chunk is a string of one to a few symbols that stand next to each other on one side of a pair;
it is named by a number, 0 the empty one, the shorter before the longer.

>>> chunks = Chunks.of([("a", "b", "a")], longest=2)
>>> chunks.names
((), ('a',), ('b',), ('a', 'b'), ('b', 'a'))
>>> bounds, found = chunks.encode([("b", "a"), ("c",)])
>>> found.tolist()
[[2, 4], [1, -1], [-1, -1]]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise, repeat
from typing import Any

import numpy as np

from glyphone.data.errors import show_symbol
from glyphone.data.records import Pair, Symbols
from glyphone.fst.alignment.options import AlignmentOptions, Refusal
from glyphone.fst.alignment.sum_kernels import Corpus

Array = Any
Unit = tuple[Symbols, Symbols]

# States of one pair: 2,000 by 2,000 symbols. More would take gigabytes.
MOST_STATES = 1 << 22
# A corpus is always cut into the same parts, however many workers there are, so that sums are
# taken in the same order.
PARTS, SMALLEST_PART = 16, 512


@dataclass(frozen=True, eq=False)
class Chunks:
    """The chunks of one side; `codes[k]` are those of k + 2 symbols, a sorted array."""

    symbols: Symbols
    codes: tuple[Array, ...]

    @classmethod
    def of(cls, sides: Sequence[Symbols], *, longest: int) -> Chunks:
        """The chunks of up to `longest` symbols that occur."""
        chunks = cls(tuple(sorted(set(chain.from_iterable(sides)))), ())
        bounds, singles = chunks._singles(sides)
        last = singles
        for length in range(1, longest):
            fits, codes = chunks._longer(bounds, singles, last, length)
            known = np.unique(codes[fits])
            last = np.where(fits, len(chunks) + np.searchsorted(known, codes), -1)
            chunks = cls(chunks.symbols, (*chunks.codes, known))
        return chunks

    def encode(self, sides: Sequence[Symbols]) -> tuple[Array, Array]:
        """The bounds of sides, and for each place its chunks of one, two, ... symbols, or -1."""
        bounds, singles = self._singles(sides)
        last = singles
        columns, first = [last], len(self.symbols) + 1
        for length, known in enumerate(self.codes, 1):
            fits, codes = self._longer(bounds, singles, last, length)
            places: Array = np.searchsorted(known, codes)
            fits &= np.append(known, -1)[places] == codes
            last = np.where(fits, first + places, -1)
            first += len(known)
            columns.append(last)
        return bounds, np.stack(columns, axis=1, dtype=np.int32)

    def _singles(self, sides: Sequence[Symbols]) -> tuple[Array, Array]:
        """The bounds of sides, and the chunks of one symbol."""
        bounds = np.zeros(len(sides) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, sides), np.int64, len(sides)), out=bounds[1:])
        numbers = map(self.numbers.get, chain.from_iterable(sides), repeat(-1))
        return bounds, np.fromiter(numbers, np.int64, bounds[-1])

    def _longer(
        self, bounds: Array, singles: Array, last: Array, length: int
    ) -> tuple[Array, Array]:
        """Whether each chunk of `length` symbols can be continued, and the code that this gives."""
        ends = np.repeat(bounds[1:], np.diff(bounds))
        fits = (np.arange(len(last)) + length < ends) & (last >= 0)
        following = np.full(len(last), -1, np.int64)
        following[: max(0, len(last) - length)] = singles[length:]
        fits &= following >= 0
        return fits, last * (len(self.symbols) + 1) + following

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {symbol: number for number, symbol in enumerate(self.symbols, 1)}

    @cached_property
    def names(self) -> tuple[Symbols, ...]:
        names: list[Symbols] = [(), *((symbol,) for symbol in self.symbols)]
        for codes in self.codes:
            befores, lasts = np.divmod(codes, len(self.symbols) + 1)
            names += [
                (*names[before], self.symbols[last - 1])
                for before, last in zip(befores.tolist(), lasts.tolist(), strict=True)
            ]
        return tuple(names)

    def __len__(self) -> int:
        return 1 + len(self.symbols) + sum(map(len, self.codes))


def encode_pairs(pairs: Sequence[Pair], source: Chunks, target: Chunks) -> Corpus:
    source_bounds, source_chunks = source.encode([pair.source for pair in pairs])
    target_bounds, target_chunks = target.encode([pair.target for pair in pairs])
    weights = np.fromiter((pair.weight for pair in pairs), np.float64, len(pairs))
    return Corpus(source_bounds, target_bounds, source_chunks, target_chunks, weights)


def countable_pairs(corpus: Corpus, options: AlignmentOptions) -> Array:
    """Whether each pair has a finite weight of at least 0 and at most MOST_STATES states."""
    n, p = np.diff(corpus.source_bounds), np.diff(corpus.target_bounds)
    states = (n + 1) * (p + 1) * (options.insertions + 1)
    return (corpus.weights >= 0) & np.isfinite(corpus.weights) & (states <= MOST_STATES)


def target_lengths(n: Array, options: AlignmentOptions) -> tuple[Array, Array]:
    """The fewest and the most target symbols that n source symbols can give."""
    fewest = n * 0 if options.deletions else -(-n // options.max_source)
    return fewest, n * options.max_target + (n + 1) * options.insertions


def usable_pairs(corpus: Corpus, options: AlignmentOptions) -> Array:
    """Whether each pair can be aligned by units of the allowed shapes."""
    fewest, most = target_lengths(np.diff(corpus.source_bounds), options)
    p = np.diff(corpus.target_bounds)
    return countable_pairs(corpus, options) & (fewest <= p) & (p <= most)


def refusal_of(index: int, pair: Pair, options: AlignmentOptions, *chunks: Chunks) -> Refusal:
    """The reason why a pair has no alignment, given the known source and target chunks."""
    n, p = len(pair.source), len(pair.target)
    fewest, most = target_lengths(n, options)
    if not 0 <= pair.weight < math.inf:
        reason = f"the weight is {pair.weight}, not a finite number of at least 0"
    elif not fewest <= p <= most and n == 0:
        reason = f"the source is empty and cannot give {p} target symbols"
    elif not fewest <= p <= most and p == 0:
        reason = f"the target is empty, which {n} source symbols cannot give"
    elif not fewest <= p <= most:
        bound = f"at most {most}" if p > most else f"at least {fewest}"
        reason = f"{n} source symbols cannot give {p} target symbols: {bound}"
    elif (n + 1) * (p + 1) * (options.insertions + 1) > MOST_STATES:
        reason = f"{n} by {p} symbols are too many to align: cut the pair into shorter ones"
    else:
        reason = _improbable_reason(pair, *chunks)
    return Refusal(index, pair, reason)


def _improbable_reason(pair: Pair, source: Chunks, target: Chunks) -> str:
    sides = (("source", source, pair.source), ("target", target, pair.target))
    for side, chunks, symbols in sides:
        for symbol in symbols:
            if symbol not in chunks.numbers:
                return f"the {side} symbol {show_symbol(symbol)} was never seen in training"
    return "every alignment needs a unit of probability zero"


def count_states(corpus: Corpus, chosen: Array) -> int:
    """The number of states in the lattices of the chosen pairs, without those of insertions."""
    n, p = np.diff(corpus.source_bounds)[chosen], np.diff(corpus.target_bounds)[chosen]
    return int(((n + 1) * (p + 1)).sum())


def map_parts(work: Callable[[int, int], Any], size: int, jobs: int) -> list[Any]:
    """The results of `work(first, last)` for the fixed parts of a corpus, in their order."""
    parts = min(PARTS, max(1, size // SMALLEST_PART))
    cuts = [size * part // parts for part in range(parts + 1)]
    if jobs == 1 or parts == 1:
        return [work(*bounds) for bounds in pairwise(cuts)]
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(work, cuts[:-1], cuts[1:]))


def concatenate_parts(results: list[Any]) -> tuple[Array, ...]:
    """The arrays of all parts, end to end."""
    return tuple(np.concatenate(arrays) for arrays in zip(*results, strict=True))


def units_of(keys: Array, source: Chunks, target: Chunks) -> tuple[Unit, ...]:
    sources, targets = source.names, target.names
    numbers = zip(*(part.tolist() for part in np.divmod(keys, len(target))), strict=True)
    return tuple((sources[x], targets[y]) for x, y in numbers)


def costs_of(probabilities: Array, unlisted: float) -> Array:
    """The costs of the listed units, and in the last place that of any other unit."""
    with np.errstate(divide="ignore"):
        return -np.log(np.append(probabilities, unlisted))

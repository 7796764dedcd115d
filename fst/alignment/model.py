"""A trained aligner: the best alignments of pairs, the n best, and lattices of all.

The model and its training are explained in `glyphone.fst.alignment.training`. Ties, to 1e-12 in the
logarithm: at the last place where two alignments differ, a match is preferred to a deletion, and
that to an insertion; of two matches the one of fewer symbols in all, then of fewer source symbols.

>>> from glyphone.fst.alignment.training import AlignmentOptions, fit
>>> pair = Pair(("q", "u", "a"), ("k", "a"))
>>> model = fit([pair, Pair(("a",), ("a",))], AlignmentOptions(deletions=False))
>>> model.align(pair).units
((('q', 'u'), ('k',)), (('a',), ('a',)))
>>> [round(log_probability, 2) for _, log_probability in model.nbest(pair)]
[-1.5, -49.14]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.kernels import jit
from glyphone.data.records import Alignment, Pair
from glyphone.fst.alignment import path_kernels as alignment_path_kernels
from glyphone.fst.alignment import sum_kernels as alignment_sum_kernels
from glyphone.fst.alignment.corpus import (
    Chunks,
    Unit,
    concatenate_parts,
    costs_of,
    count_states,
    encode_pairs,
    map_parts,
    refusal_of,
    units_of,
    usable_pairs,
)
from glyphone.fst.alignment.options import AlignmentOptions, Refusal
from glyphone.fst.alignment.sum_kernels import Corpus, UnitTable

Array = Any


class AlignmentLattices(NamedTuple):
    """The good alignments of some pairs; pair k has the arcs bounds[k] to bounds[k + 1].

    Its states are 0 to n_states[k] - 1 in topological order, the last one the end; it has none if
    it cannot be aligned. Arcs are sorted by the state that they leave. `units` holds indices into
    the units of the model, -1 for one that it does not list, and `moves` into the steps of the
    options. `costs` are sums over all paths, as negative natural logarithms.
    """

    bounds: Array
    n_states: Array
    costs: Array
    sources: Array
    targets: Array
    units: Array
    moves: Array
    posteriors: Array


@dataclass(frozen=True, eq=False)
class AlignmentModel:
    """Units and their probabilities; any other possible unit has the probability `unlisted`.

    `keys` holds source chunk * number of target chunks + target chunk of every unit, sorted.
    `log_likelihoods` are those of the training pairs before each round.
    """

    options: AlignmentOptions
    source: Chunks
    target: Chunks
    keys: Array
    probabilities: Array
    unlisted: float = 0.0
    log_likelihoods: tuple[float, ...] = ()
    refusals: tuple[Refusal, ...] = ()

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        return units_of(self.keys, self.source, self.target)

    def align(self, pair: Pair) -> Alignment:
        """The best alignment; ItemError if there is none."""
        (alignment,), refused = self.align_all([pair])
        if alignment is None:
            raise ItemError(refused[0].reason, item=" ".join(pair.source), stage="alignment")
        return alignment

    def align_all(
        self, pairs: Sequence[Pair], *, jobs: int = 1
    ) -> tuple[list[Alignment | None], list[Refusal]]:
        """The best alignment of each pair, or None for a pair in the list of refusals."""
        corpus, fit_for, table, costs = self._prepared(pairs)
        kernels = jit.tier(alignment_path_kernels, count_states(corpus, fit_for) // 4)

        def work(first: int, last: int) -> Any:
            return kernels.best_alignments(
                corpus, fit_for, table, self.options.moves, costs, first, last
            )

        lengths, path_costs, units, moves = concatenate_parts(map_parts(work, len(pairs), jobs))
        cuts = [0, *np.cumsum(lengths).tolist()]
        found = zip(pairs, pairwise(cuts), np.isfinite(path_costs).tolist(), strict=True)
        ids, steps = units.tolist(), moves.tolist()
        alignments = [
            self._alignment(pair, ids[begin:end], steps[begin:end]) if fine else None
            for pair, (begin, end), fine in found
        ]
        refused = [
            refusal_of(index, pairs[index], self.options, self.source, self.target)
            for index, alignment in enumerate(alignments)
            if alignment is None
        ]
        return alignments, refused

    def nbest(self, pair: Pair, n: int = 5) -> list[tuple[Alignment, float]]:
        """The n best alignments with the logarithms of their probabilities, in exact order."""
        corpus, fit_for, table, costs = self._prepared([pair])
        if n < 1 or not fit_for[0]:
            return []
        kernels = jit.tier(alignment_path_kernels, n * count_states(corpus, fit_for) // 4)
        rows = kernels.n_best_alignments(corpus, fit_for, table, self.options.moves, costs, 0, n)
        return [
            (self._alignment(pair, units[:length].tolist(), moves[:length].tolist()), -float(cost))
            for length, cost, units, moves in zip(*rows, strict=True)
            if cost < math.inf
        ]

    def log_probability(self, pair: Pair) -> float:
        """ln P(x, y), summed over all alignments; minus infinity if there is none."""
        return -float(self.lattices([pair]).costs[0])

    def posterior_units(self, pair: Pair) -> dict[Unit, float]:
        """How often each unit is expected in a pair, over all its alignments."""
        lattice, expected = self.lattices([pair]), dict[Unit, float]()
        places = {0: (0, 0)}
        rows = (lattice.sources, lattice.targets, lattice.moves, lattice.posteriors)
        for state, target, move, share in zip(*(row.tolist() for row in rows), strict=True):
            (i, j), (s, t) = places[state], self.options.steps[move]
            places[target] = i + s, j + t
            unit = pair.source[i : i + s], pair.target[j : j + t]
            expected[unit] = expected.get(unit, 0.0) + share
        return expected

    def lattices(
        self, pairs: Sequence[Pair], *, beam: float = math.inf, jobs: int = 1
    ) -> AlignmentLattices:
        """The alignments that cost at most `beam` nats more than the best one of their pair.

        Posteriors are normalised within the beam: the arcs out of the start sum to one.
        """
        corpus, fit_for, table, costs = self._prepared(pairs)
        kernels = jit.tier(alignment_path_kernels, count_states(corpus, fit_for) // 2)

        def work(first: int, last: int) -> Any:
            return kernels.alignment_lattices(
                corpus, fit_for, table, self.options.moves, costs, beam, first, last
            )

        n_nodes, n_arcs, masses, arcs, posteriors = concatenate_parts(
            map_parts(work, len(pairs), jobs)
        )
        bounds = np.concatenate([[0], np.cumsum(n_arcs)])
        sources, targets, units, moves = map(np.ascontiguousarray, arcs.T)
        units = np.where(units == len(self.keys), -1, units)
        return AlignmentLattices(
            bounds, n_nodes, masses, sources, targets, units, moves, posteriors
        )

    def one_to_one(self, pair: Pair) -> Alignment:
        """The best alignment over the slots of `slots`; ItemError if there is none."""
        (alignment,), refused, _ = self.one_to_one_all([pair])
        if alignment is None:
            raise ItemError(refused[0].reason, item=" ".join(pair.source), stage="alignment")
        return alignment

    def one_to_one_all(
        self, pairs: Sequence[Pair], *, jobs: int = 1
    ) -> tuple[list[Alignment | None], list[Refusal], list[int]]:
        """Alignments with at most one target symbol for each letter and each gap between two.

        A pair with too many target symbols gets more of them in a gap, joined by a space to one;
        the indices of such pairs are the last part of the answer.
        """
        options = self.options
        if (options.max_source, options.max_target) != (1, 1) or not options.deletions:
            raise GlyphoneError("the model is not one-to-one", remedy="fit it with ONE_TO_ONE")
        gaps: dict[int, list[int]] = {}
        for index, pair in enumerate(pairs):
            n, p = len(pair.source), len(pair.target)
            gaps.setdefault(max(1, -(-(p - n) // (n + 1))), []).append(index)
        alignments: list[Alignment | None] = [None] * len(pairs)
        refused: list[Refusal] = []
        composed: list[int] = []
        for gap, indices in gaps.items():
            model = replace(self, options=replace(options, insertions=gap))
            found, failed = model.align_all([pairs[index] for index in indices], jobs=jobs)
            refused += [replace(item, index=indices[item.index]) for item in failed]
            for index, alignment in zip(indices, found, strict=True):
                if gap > 1 and alignment is not None:
                    alignment = _join_insertions(alignment)
                    composed.append(index)
                alignments[index] = alignment
        return alignments, sorted(refused, key=lambda item: item.index), sorted(composed)

    def _prepared(self, pairs: Sequence[Pair]) -> tuple[Corpus, Array, UnitTable, Array]:
        corpus = encode_pairs(pairs, self.source, self.target)
        return corpus, usable_pairs(corpus, self.options), self._table, self._costs

    def _alignment(self, pair: Pair, ids: list[int], moves: list[int]) -> Alignment:
        listed = len(self.keys)
        if listed not in ids:
            units = self.units
            return Alignment(tuple([units[number] for number in ids]))
        steps, cuts, i, j = self.options.steps, [], 0, 0
        for move in moves:
            s, t = steps[move]
            cuts.append((pair.source[i : i + s], pair.target[j : j + t]))
            i, j = i + s, j + t
        return Alignment(tuple(cuts))

    @cached_property
    def _table(self) -> UnitTable:
        kernels = jit.tier(alignment_sum_kernels, len(self.keys) // 8)
        return UnitTable(*kernels.unit_table(self.keys, len(self.target)))

    @cached_property
    def _costs(self) -> Array:
        return costs_of(self.probabilities, self.unlisted)


def _join_insertions(alignment: Alignment) -> Alignment:
    """The alignment with neighbouring units without a source joined to one with one symbol."""
    units: list[Unit] = []
    for source, target in alignment.units:
        if not source and units and not units[-1][0]:
            units[-1] = (), (f"{units[-1][1][0]} {target[0]}",)
        else:
            units.append((source, target))
    return Alignment(tuple(units))

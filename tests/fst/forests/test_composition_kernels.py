"""Kernels of forests: both tiers compute the same, and a sweep tells what it cannot draw."""

from __future__ import annotations

import numpy as np
import pytest

from glyphone.data.kernels import jit
from glyphone.fst.forests import composition_kernels as forest_composition_kernels
from glyphone.fst.forests import nbest_kernels as forest_nbest_kernels
from glyphone.fst.forests import sum_kernels as forest_sum_kernels
from glyphone.fst.forests import sweep_kernels
from glyphone.fst.forests.automata import of_bigrams
from glyphone.fst.forests.packing import pack
from glyphone.fst.forests.weighted import WeightedForest
from tests.fst.forests.test_forest import source_clause
from tests.fst.forests.test_weighted import long_forest, ngram_model, plain_kernels
from tests.fst.forests.twins import N_SYMBOLS, random_forest

__all__ = ["plain_kernels"]


def test_compiled_kernels_compute_the_same() -> None:
    """All kernels, over some forests at once, as plain Python and as machine code."""
    random = np.random.default_rng(3)
    forests = [source_clause(), long_forest(12), random_forest(random)]
    automaton, *_ = ngram_model(1, 3)
    packed, log_params = pack(forests), random.normal(size=8)
    shares = random.random(packed.draws[-1])
    results = []
    for module in (sweep_kernels, jit.compiled(sweep_kernels)):
        chosen, lengths = np.zeros(packed.draws[-1], np.int64), np.zeros(3, np.int64)
        log_totals, statuses = np.zeros(3), np.zeros(3, np.int64)
        arguments = (automaton, log_params, shares, 100_000, chosen, lengths, log_totals, statuses)
        module.sweep_forests(packed, 0, 3, *arguments)
        results.append([chosen, lengths, log_totals, statuses])
    for plain, compiled in zip(*results, strict=True):
        assert plain == pytest.approx(compiled, abs=1e-12)
    singles = [WeightedForest(forest, automaton, log_params).log_total for forest in forests]
    assert results[0][2] == pytest.approx(singles, abs=1e-12)


def test_compiled_sums_and_searches_are_the_same() -> None:
    forest, log_params = source_clause(), np.linspace(-2, 0, 8)
    automaton, *_ = ngram_model(2, 2)
    packed = pack([forest])
    found = []
    for copy in (lambda module: module, jit.compiled):
        kernels, sums, search = map(
            copy, (forest_composition_kernels, forest_sum_kernels, forest_nbest_kernels)
        )
        space = kernels.forest_room(256)
        assert kernels.compose_forest(packed, 0, automaton, space) == forest_composition_kernels.OK
        factors = sums.choice_factors(packed.log_weights, packed.patterns, log_params)
        inside = sums.inside_weights(packed, automaton, space, *factors)
        counts = np.zeros(len(packed.sources))
        flow = sums.add_expected_counts(automaton, space, *factors, *inside, counts)
        table, trees, weights = search.n_best_trees(packed, automaton, space, log_params, 5)
        chosen = np.zeros(8, np.int64)
        length = search.write_choices(packed, space, table, trees[1], chosen)
        found.append([*factors, *inside, counts, flow, weights, chosen[:length]])
    for plain, compiled in zip(*found, strict=True):
        assert plain == pytest.approx(compiled, abs=1e-12)


def test_statuses_of_a_sweep() -> None:
    forests = [source_clause(), long_forest(60)]
    packed = pack(forests)
    impossible = of_bigrams(np.full((N_SYMBOLS + 1, N_SYMBOLS + 1), -np.inf))
    possible = of_bigrams(np.zeros((N_SYMBOLS + 1, N_SYMBOLS + 1)))
    for automaton, budget, expected in (
        (impossible, 10_000, [sweep_kernels.IMPOSSIBLE, sweep_kernels.IMPOSSIBLE]),
        (possible, 256, [sweep_kernels.OK, sweep_kernels.TOO_LARGE]),
    ):
        chosen, lengths = np.zeros(packed.draws[-1], np.int64), np.zeros(2, np.int64)
        log_totals, statuses = np.zeros(2), np.zeros(2, np.int64)
        shares = np.full(packed.draws[-1], 0.5)
        arguments = (automaton, np.zeros(8), shares, budget, chosen, lengths, log_totals, statuses)
        sweep_kernels.sweep_forests(packed, 0, 2, *arguments)
        assert statuses.tolist() == expected

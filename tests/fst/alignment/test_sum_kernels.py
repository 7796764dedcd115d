"""Kernels of the aligner: plain or compiled, with one job or several, the answers are the same."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.kernels import jit
from glyphone.data.records import Pair
from glyphone.fst.alignment import path_kernels as alignment_path_kernels
from glyphone.fst.alignment import sum_kernels as alignment_sum_kernels
from glyphone.fst.alignment.training import AlignmentOptions, fit
from tests.fst.alignment.twins import generated, lexicons, variants


@settings(deadline=None, max_examples=25)
@given(lexicons, variants, st.sampled_from(["soft", "viterbi"]))
def test_both_tiers_agree(pairs: list[Pair], options: AlignmentOptions, method: Any) -> None:
    options = replace(options, method=method)
    results = []
    for worked in (-(10**9), 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(jit, "_worked", worked)
            model = fit(pairs, options)
            best = [model.nbest(item, 3) for item in pairs]
            results.append((model, best, model.align_all(pairs)[0], model.lattices(pairs)))
    (plain, *plain_answers, plain_lattices), (fast, *fast_answers, fast_lattices) = results
    assert np.array_equal(plain.keys, fast.keys)
    assert np.array_equal(plain.probabilities, fast.probabilities)
    assert plain.log_likelihoods == fast.log_likelihoods
    assert plain_answers == fast_answers
    for plain_row, fast_row in zip(plain_lattices, fast_lattices, strict=True):
        assert plain_row.dtype == fast_row.dtype
        assert np.array_equal(plain_row, fast_row)


@pytest.mark.parametrize("method", ["soft", "viterbi"])
def test_results_do_not_depend_on_jobs(method: Any) -> None:
    pairs, options = generated(5000), AlignmentOptions(method=method, rounds=3, starts=2)
    one, three = fit(pairs, options), fit(pairs, options, jobs=3)
    assert np.array_equal(one.probabilities, three.probabilities)
    assert one.log_likelihoods == three.log_likelihoods
    assert one.align_all(pairs) == three.align_all(pairs, jobs=3)
    for row, other in zip(one.lattices(pairs), three.lattices(pairs, jobs=3), strict=True):
        assert np.array_equal(row, other)


def test_compiled_kernels_run_alone() -> None:
    keys = np.array([3, 17, 40], np.int64)
    for module in (alignment_sum_kernels, jit.compiled(alignment_sum_kernels)):
        table = module.unit_table(keys, 8)
        assert [int(table.ids[module.find_slot(table.keys, key)]) for key in keys] == [0, 1, 2]
    posteriors = np.array([1.0, 1.0])
    arcs = np.array([[0, 1, 7, 0], [0, 1, 8, 1]], np.int32)
    assert alignment_path_kernels.write_posteriors(arcs, posteriors, 2) == pytest.approx(
        1 - math.log(2)
    )
    assert posteriors.tolist() == pytest.approx([0.5, 0.5])

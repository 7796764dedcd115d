"""Words decoded by a conditional random field, against going through all labels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from glyphone.models.crf import decoding_kernels
from tests.glyphone.models.crf.twins import WORDS, Drawn, drawn

BUDGET = 10**6


def strings() -> tuple[Any, Any]:
    symbols = np.array([letter for word in WORDS for letter in word], np.int32)
    return symbols, np.cumsum([0, *map(len, WORDS)])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", [1, 4, 1000])
@pytest.mark.parametrize("heat", [1.0, 0.5])
def test_the_n_best_and_their_exact_shares(seed: int, n: int, heat: float) -> None:
    field = drawn(seed)
    answers = decoding_kernels.decode(field.chain(), *strings(), n, heat, 2.0, BUDGET, True)
    _, firsts, costs, posteriors, offsets, labels, begins, _ = answers
    for item, word in enumerate(WORDS):
        wanted = field.outputs(word, heat)
        ordered = sorted(wanted, key=lambda output: -wanted[output][0])[:n]
        rows = range(firsts[item], firsts[item + 1])
        found = [tuple(labels[offsets[k] : offsets[k + 1]].tolist()) for k in rows]
        assert found == ordered
        for k, output in zip(rows, found, strict=True):
            best, share = wanted[output]
            assert posteriors[k] == pytest.approx(share)
            assert costs[k] == pytest.approx(field.log_z(word) - best)
            places = begins[offsets[k] : offsets[k + 1]]
            assert (np.diff(places) >= 0).all() and (places < max(len(word), 1)).all()


@pytest.mark.parametrize("seed", range(3))
def test_lattices_hold_all_outputs_with_their_mass(seed: int) -> None:
    from glyphone.fst.lattices import sum_kernels as lattice_sum_kernels

    field = drawn(seed)
    for word in WORDS:
        if word:
            string = np.array(word, np.int32)
            lattice = decoding_kernels.output_lattice(field.chain(), string, np.inf)
            assert lattice_sum_kernels.backward_sums(lattice)[1][0] == pytest.approx(0.0, abs=1e-9)


def test_outputs_judged_as_they_are_decoded() -> None:
    field = drawn(5)
    outputs = [[*[*field.outputs(word)][:6], (2, 2, 2, 2, 2)] for word in WORDS]
    firsts = np.cumsum([0, *map(len, outputs)])
    flat = [output for row in outputs for output in row]
    labels = np.array([label for output in flat for label in output], np.int32)
    offsets = np.cumsum([0, *map(len, flat)])
    judged = decoding_kernels.score_outputs(field.chain(), *strings(), firsts, offsets, labels)
    wanted = [
        field.outputs(word).get(output, (0.0, 0.0))[1]
        for word, row in zip(WORDS, outputs, strict=True)
        for output in row
    ]
    assert np.exp(judged).tolist() == pytest.approx(wanted)


def test_a_symbol_that_is_not_known_has_no_share() -> None:
    chain = drawn(0).chain()
    arrays = (np.array([0, 1]), np.array([0, 1]), np.array([1], np.int32))
    judged = decoding_kernels.score_outputs(
        chain, np.array([0], np.int32), np.array([0, 1]), *arrays
    )
    assert judged.tolist() == [-math.inf]


def test_the_best_path_to_an_output() -> None:
    field = drawn(1)
    word = (1, 2, 3)
    for output, (best, share) in field.outputs(word).items():
        string, written = np.array(word, np.int32), np.array(output, np.int32)
        found, path = decoding_kernels.output_posterior(field.chain(), string, written, 1.0)
        assert found == pytest.approx(share)
        assert field.score(word, tuple(path.tolist())) == pytest.approx(best)


def test_words_so_long_that_sums_would_overflow() -> None:
    field = Drawn({((0, 0), (1,), 0): 30.0, ((0, 0), (1,), 2): 29.0}, {((0, -1), (), 0, 0): -1.0})
    string = np.full(3000, 1, np.int32)
    answers = decoding_kernels.decode(
        field.chain(), string, np.array([0, 3000]), 1, 1.0, 2.0, BUDGET, False
    )
    assert np.isfinite(answers[2]).all() and 0 <= answers[3][0] <= 1

"""The reranker beside plain twins: likelihoods, gradients, features, what it learns."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.kernels import jit
from glyphone.fst.ensembles.reranking import feature_kernels, fitting, training_kernels
from glyphone.fst.ensembles.reranking import model as reranking_model
from glyphone.fst.ensembles.reranking.feature_kernels import ALL, ENDS, NOTHING, TIERS
from glyphone.fst.ensembles.reranking.fitting import fit_reranker, fit_shares
from glyphone.fst.ensembles.reranking.model import Reranker
from glyphone.fst.ensembles.reranking.training_kernels import CandidateLists

COMPILED = jit.compiled(training_kernels)
seeds = st.integers(0, 2**32 - 1)


def random_lists(
    seed: int, n: int = 30, n_models: int = 2
) -> tuple[CandidateLists, np.ndarray[Any, Any]]:
    """Lists with paths; the first model is right more often than not."""
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 6, n)
    firsts = np.concatenate([[0], np.cumsum(sizes)])
    right = np.zeros(firsts[-1], np.bool_)
    right[firsts[:-1] + random.integers(0, sizes)] = True
    right[firsts[0] : firsts[1]] = False  # a list without a right one
    scores = random.normal(size=(firsts[-1], n_models))
    scores[:, 0] += 2 * right
    labels = random.integers(2, 6, random.integers(0, 9, firsts[-1]).sum()).astype(np.int32)
    offsets = np.linspace(0, len(labels), firsts[-1] + 1).astype(np.int64)
    units = random.integers(0, 5, firsts[-1])
    bounds = np.concatenate([[0], np.cumsum(units)])
    columns = [random.integers(2, 5, bounds[-1]).astype(np.int32) for _ in range(3)]
    vowels = random.random(bounds[-1]) < 0.5
    columns[2][random.random(bounds[-1]) < 0.5] = 0
    return CandidateLists(firsts, scores, offsets, labels, bounds, *columns, vowels), right


def loss_of(totals: list[float], firsts: list[int], right: list[bool]) -> float:
    """The sum of -ln P(a right one) over the lists that have any."""
    loss = 0.0
    for a, b in pairwise(firsts):
        good = sum(math.exp(t) for t, r in zip(totals[a:b], right[a:b], strict=True) if r)
        if good:
            loss -= math.log(good / sum(map(math.exp, totals[a:b])))
    return loss


@given(seeds)
def test_likelihoods(seed: int) -> None:
    lists, right = random_lists(seed, n=5)
    totals = lists.scores.sum(1)
    found = fitting.list_losses(totals, lists.firsts, right)
    assert found[0] == math.inf
    plain = loss_of(totals.tolist(), lists.firsts.tolist(), right.tolist())
    assert found[1:].sum() == pytest.approx(plain)


@given(seeds)
def test_shares_are_the_likeliest(seed: int) -> None:
    lists, right = random_lists(seed)
    shares = fit_shares(lists, right).shares
    scale = lists.scores.std(0)

    def objective(at: Any) -> float:
        totals = (lists.scores @ at).tolist()
        drawn = ((at - fitting.USUAL_SHARE) * scale) ** 2
        return loss_of(totals, lists.firsts.tolist(), right.tolist()) + drawn.sum() / 2

    best = objective(shares)
    for step in (np.eye(2) * 0.01, -np.eye(2) * 0.01, np.full((1, 2), 0.01)):
        for direction in step:
            assert objective(shares + direction) > best - 1e-5
    assert shares[0] > shares[1]


@given(seeds, st.sampled_from([0.0, 0.5, 1.0]))
def test_gradients(seed: int, tolerance: float) -> None:
    random = np.random.default_rng(seed)
    scores, right = random.normal(size=5) * 3, random.random(5) < 0.5
    found = np.empty(5)
    loss = training_kernels.write_slopes(scores, right, tolerance, found)
    if not right.any():
        assert loss == 0 and not found.any()
        return
    chance = math.exp(-loss_of(scores.tolist(), [0, 5], right.tolist()))
    wanted = (1 - chance**tolerance) / tolerance if tolerance else -math.log(chance)
    assert loss == pytest.approx(wanted, abs=1e-9)
    for k in range(5):
        moved = [scores + step * (np.arange(5) == k) for step in (1e-6, -1e-6)]
        high, low = (training_kernels.write_slopes(m, right, tolerance, np.empty(5)) for m in moved)
        assert found[k] == pytest.approx((high - low) / 2e-6, abs=1e-5)


@given(seeds, st.sampled_from([NOTHING, TIERS, ENDS, ALL]))
def test_features_have_room_and_are_the_same_in_both_tiers(seed: int, level: int) -> None:
    lists, _ = random_lists(seed, n=6)
    for k in range(len(lists.offsets) - 1):
        n_labels = lists.offsets[k + 1] - lists.offsets[k]
        n_units = lists.path_bounds[k + 1] - lists.path_bounds[k]
        size = feature_kernels.most_features(n_units, n_labels)
        slots, other = (np.full(size + 1, -1, np.int64) for _ in range(2))
        n = training_kernels.candidate_features(lists, k, level, 255, slots)
        assert n == COMPILED.candidate_features(lists, k, level, 255, other) <= size
        assert np.array_equal(slots, other)
        assert ((slots[:n] >= 0) & (slots[:n] < 256)).all() and slots[n] == -1
        assert (n > 0) == (level != NOTHING)


@given(seeds)
def test_totals_and_epochs_are_the_same_in_both_tiers(seed: int) -> None:
    lists, right = random_lists(seed, n=8)
    found = []
    for kernels in (training_kernels, COMPILED):
        counts, weights = np.zeros(1024, np.int32), np.zeros(1024, np.float32)
        kernels.count_features(lists, ALL, 1023, counts)
        shares, squares = np.ones(2), np.full(1024, 0.1, np.float32)
        arrays = (lists, right, np.arange(8), shares, np.ones(2), weights, counts)
        loss = kernels.train_epoch(*arrays, np.full(2, 0.1), squares, ALL, 0.1, 1.0, 0.5)
        totals = kernels.candidate_scores(lists, shares, weights, ALL)
        found.append([*totals, loss, *shares])
        assert counts.sum() > 0 and weights.any()
    assert found[0] == pytest.approx(found[1], abs=1e-4)


def harmony(seed: int, n: int) -> tuple[CandidateLists, np.ndarray[Any, Any]]:
    """Words of four vowels whose writing must agree from end to end; no score says so."""
    random = np.random.default_rng(seed)
    paths, right = [], []
    for _ in range(n):
        wrong = random.integers(7, 9, 4)
        wrong[random.integers(1, 3)] = 15 - wrong[0]
        rows = [np.full(4, random.integers(7, 9)), wrong]
        turn = int(random.integers(2))
        paths += rows[::-1] if turn else rows
        right += [bool(turn), not turn]
    written = np.concatenate(paths)
    bounds = np.arange(0, len(written) + 1, 4)
    firsts, scores = np.arange(0, len(right) + 1, 2), random.normal(size=(len(right), 1))
    none, nothing = np.zeros(0, np.int64), np.zeros(len(bounds), np.int64)
    reads, marks = np.full(len(written), 5), np.zeros(len(written), np.int64)
    columns = (reads, written, marks, np.ones(len(written), np.bool_))
    return CandidateLists(firsts, scores, nothing, none, bounds, *columns), ~np.array(right)


@pytest.mark.parametrize("level", [TIERS, ALL])
def test_it_learns_what_holds_from_end_to_end(level: int) -> None:
    (lists, right), (tests, answers) = harmony(1, 200), harmony(2, 100)
    plain = fit_shares(lists, right)
    ranker = fit_reranker(lists, right, plain, level=level)
    assert fitting.count_errors(plain, tests, answers) > 25
    assert fitting.count_errors(ranker, tests, answers) <= 2
    again = fit_reranker(lists, right, plain, level=level)
    assert np.array_equal(ranker.weights, again.weights)
    other = fit_reranker(lists, right, plain, level=level, seed=1)
    assert not np.array_equal(ranker.weights, other.weights)


def endings(seed: int, n: int) -> tuple[CandidateLists, np.ndarray[Any, Any]]:
    """Words of nine vowels, the first of which has one mark or another: the last letter decides."""
    random = np.random.default_rng(seed)
    reads = random.integers(20, 40, (n, 9))
    last = random.integers(5, 7, n)
    reads[:, -1] = last
    marks = np.zeros((n, 2, 9), np.int64)
    marks[:, 0, 0], marks[:, 1, 0] = 15, 16
    right = np.stack([last == 5, last == 6], 1).ravel()
    bounds, vowels = np.arange(0, 18 * n + 1, 9), np.ones(18 * n, np.bool_)
    none, nothing = np.zeros(0, np.int64), np.zeros(len(bounds), np.int64)
    firsts, scores = np.arange(0, 2 * n + 1, 2), random.normal(size=(2 * n, 1))
    writes = np.full(18 * n, 7)
    columns = (np.repeat(reads, 2, 0).ravel(), writes, marks.ravel(), vowels)
    return CandidateLists(firsts, scores, nothing, none, bounds, *columns), right


@pytest.mark.parametrize(("level", "least", "most"), [(ENDS, 25, 100), (ALL, 0, 2)])
def test_an_ending_decides_a_mark_that_is_far_off(level: int, least: int, most: int) -> None:
    (lists, right), (tests, answers) = endings(1, 400), endings(2, 100)
    ranker = fit_reranker(lists, right, fit_shares(lists, right), level=level)
    assert least <= fitting.count_errors(ranker, tests, answers) <= most


def test_tolerance_lets_words_be_that_defy_the_others() -> None:
    """Of the words a tenth are wrong in the lexicon."""
    lists, right = harmony(1, 300)
    defiant = np.repeat(np.arange(300) % 10 == 0, 2)
    plain = fit_shares(lists, right)
    tests, answers = harmony(2, 300)
    chances = []
    for tolerance in (0.0, 1.0):
        ranker = fit_reranker(lists, right != defiant, plain, penalty=1.0, tolerance=tolerance)
        totals = ranker.totals(tests)
        chances.append(np.exp(-fitting.list_losses(totals, tests.firsts, answers)).mean())
    assert chances[0] < chances[1]


def test_a_penalty_holds_weights_back() -> None:
    lists, right = harmony(1, 50)
    plain = fit_shares(lists, right)
    sizes = [
        np.abs(fit_reranker(lists, right, plain, penalty=penalty).weights).sum()
        for penalty in (0.0, 10.0, 1000.0)
    ]
    assert sizes[0] > sizes[1] > sizes[2]


def test_temperature() -> None:
    """Scores that are three times too sure."""
    random = np.random.default_rng(0)
    firsts, honest = np.arange(0, 4001, 2), random.normal(size=4000)
    shares = 1 / (1 + np.exp(honest[1::2] - honest[::2]))
    first = random.random(2000) < shares
    right = np.stack([first, ~first], 1).ravel()
    found = fitting.fit_temperature(3 * honest, firsts, right)
    assert found == pytest.approx(3, rel=0.15)


@given(seeds)
def test_lists_cut_and_joined(seed: int) -> None:
    lists, _ = random_lists(seed, n=7)
    items = [np.arange(3), np.arange(3, 7)]
    parts = [reranking_model.select_lists(lists, part)[0] for part in items]
    for one, other in zip(reranking_model.join_lists(parts), lists, strict=True):
        assert np.array_equal(one, other)
    turned, rows = reranking_model.select_lists(lists, np.array([6, 0]))
    assert turned.firsts[-1] == len(rows) == len(turned.scores)
    assert np.array_equal(turned.scores, lists.scores[rows])
    ranker = Reranker(np.ones(2), np.arange(1024, dtype=np.float32) % 7, ALL)
    assert np.array_equal(ranker.totals(turned), ranker.totals(lists)[rows])


@pytest.mark.parametrize(
    ("symbols", "marks"),
    [(["a"], ""), (["aː"], "ː"), (["á"], "\u0301"), (["AA1"], "1"), (["t͡ʃ"], "\u0361"), ([], "")],
)
def test_marks(symbols: list[str], marks: str) -> None:
    assert reranking_model.marks_of(symbols) == marks

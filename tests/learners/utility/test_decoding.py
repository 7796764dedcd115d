"""Decoders against all label vectors and all hypotheses, the tables of the specification."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from glyphone.data.kernels import jit
from glyphone.learners.utility import chain_kernels, counting_kernels, decoding
from glyphone.learners.utility.decoding import decode_f, decode_f_by_beam, expected_f
from glyphone.learners.utility.linear_decoding import (
    decode_boundaries,
    decode_hamming,
    decode_zero_one,
)

Array = Any
Labels = tuple[int, ...]
ALPHAS = [0.2, 1 / 3, 0.5, 2 / 3, 0.8, 1.0]


def vectors(n: int) -> list[Labels]:
    return list(itertools.product((0, 1), repeat=n))


def mass(y: Labels, table: Array) -> float:
    """The probability of labels, by the letter: a row for each label, a column for each history."""
    rows = table[:, None] if table.ndim == 1 else table
    order = rows.shape[1].bit_length() - 1
    found = 1.0
    for i, label in enumerate(y):
        before = ("0" * order + "".join(map(str, y[:i])))[len(y[:i]) :]
        p = rows[i, int(before or "0", 2)]
        found *= p if label else 1 - p
    return found


def f_score(z: Labels, y: Labels, alpha: float) -> float:
    hits = sum(a * b for a, b in zip(z, y, strict=True))
    if sum(z) + sum(y) == 0:
        return 1.0
    return hits and hits / (alpha * sum(y) + (1 - alpha) * sum(z))


def boundary_error(z: Labels, y: Labels, window: int) -> float:
    wrong = [any(z[i : i + window]) != any(y[i : i + window]) for i in range(len(z) - window + 1)]
    return sum(wrong) / len(wrong) if wrong else 0.0


def expectation(z: Labels, table: Array, utility: Callable[[Labels, Labels], float]) -> float:
    return sum(mass(y, table) * utility(z, y) for y in vectors(len(table)))


def tables(seed: int, sizes: range, histories: tuple[int, ...] = (1, 2, 4)) -> Iterator[Array]:
    """Random probabilities, some of them 0 and 1, some alike."""
    random = np.random.default_rng(seed)
    for n in sizes:
        for columns in histories:
            table = random.beta(0.5, 0.5, (n, columns))
            table[random.random(table.shape) < 0.1] = random.integers(0, 2)
            if n > 2:
                table[1] = table[0]
            yield table[:, 0] if columns == 1 else table


def best(table: Array, utility: Callable[[Labels, Labels], float], *, sign: int = 1) -> float:
    """The largest expectation of all hypotheses, from one table of all pairs."""
    every = vectors(len(table))
    masses = np.array([mass(y, table) for y in every])
    return sign * max(sign * float(np.dot(masses, [utility(z, y) for y in every])) for z in every)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_f_is_the_largest_of_all(alpha: float) -> None:
    for table in tables(1, range(1, 8)):
        found = decode_f(table, alpha=alpha)
        z = tuple(found.labels.astype(int).tolist())
        assert found.value == pytest.approx(
            best(table, lambda z, y: f_score(z, y, alpha)), abs=1e-13
        )
        assert found.value == pytest.approx(
            expectation(z, table, lambda z, y: f_score(z, y, alpha)), abs=1e-13
        )


def hits_matrix(n: int) -> tuple[Array, Array]:
    """All label vectors of n, and the hits of all pairs of them."""
    every = np.array(vectors(n))
    return every, every @ every.T


@pytest.mark.parametrize("histories", [1, 2])
def test_f_of_twelve_labels(histories: int) -> None:
    every, hits = hits_matrix(12)
    ones = every.sum(axis=1)
    for table in tables(2, range(12, 13), (histories,)):
        masses = np.array([mass(tuple(y), table) for y in every.tolist()])
        for alpha in (0.25, 0.5):
            below = alpha * ones[None, :] + (1 - alpha) * ones[:, None]
            below[0, 0] = 1
            scores = hits / below
            scores[0, 0] = 1
            values = scores @ masses
            found = decode_f(table, alpha=alpha)
            assert found.value == pytest.approx(values.max(), abs=1e-12)
            index = int("".join(map(str, found.labels.astype(int))), 2)
            assert values[index] == pytest.approx(found.value, abs=1e-12)


@pytest.mark.parametrize("histories", [1, 2])
def test_zero_one_hamming_and_windows_of_twelve_labels(histories: int) -> None:
    every, hits = hits_matrix(12)
    ones = every.sum(axis=1)
    for table in tables(3, range(12, 13), (histories,)):
        masses = np.array([mass(tuple(y), table) for y in every.tolist()])
        assert decode_zero_one(table).value == pytest.approx(masses.max(), abs=1e-13)
        wrong = ones[:, None] + ones[None, :] - 2 * hits
        assert decode_hamming(table).value == pytest.approx((wrong @ masses).min(), abs=1e-12)
        for window in (2, 3, 5):
            held = np.lib.stride_tricks.sliding_window_view(every, window, axis=1).any(axis=2)
            held = held.astype(int)
            inside = held.T @ masses
            losses = (held @ (1 - inside) + (1 - held) @ inside) / held.shape[1]
            found = decode_boundaries(table, window=window)
            assert found.value == pytest.approx(losses.min(), abs=1e-12)


def test_other_utilities_are_the_best_of_all() -> None:
    for table in tables(4, range(1, 7)):
        found = decode_zero_one(table)
        assert found.value == pytest.approx(best(table, lambda z, y: float(z == y)), abs=1e-14)
        assert mass(tuple(found.labels.astype(int).tolist()), table) == pytest.approx(found.value)
        wrong = lambda z, y: float(sum(a != b for a, b in zip(z, y, strict=True)))  # noqa: E731
        assert decode_hamming(table).value == pytest.approx(best(table, wrong, sign=-1), abs=1e-13)
        for window in (1, 2, 3):
            found = decode_boundaries(table, window=window)
            loss = lambda z, y, k=window: boundary_error(z, y, k)  # noqa: E731
            assert found.value == pytest.approx(best(table, loss, sign=-1), abs=1e-13)
            z = tuple(found.labels.astype(int).tolist())
            assert expectation(z, table, loss) == pytest.approx(found.value, abs=1e-13)


def test_expected_f_of_any_labels() -> None:
    random = np.random.default_rng(5)
    for table in tables(5, range(1, 8)):
        z = random.integers(0, 2, len(table))
        for alpha in ALPHAS:
            score = functools.partial(f_score, alpha=alpha)
            wanted = expectation(tuple(z.tolist()), table, score)
            assert expected_f(z, table, alpha=alpha) == pytest.approx(wanted, abs=1e-13)


TABLE = [
    ((0.9, 0.6, 0.4, 0.2), 1 / 3, (0.019200, 0.667440, 0.723017, 0.684466, 0.606478)),
    ((0.9, 0.6, 0.4, 0.2), 1 / 2, (0.019200, 0.601680, 0.718320, 0.718949, 0.661470)),
    ((0.9, 0.6, 0.4, 0.2), 2 / 3, (0.019200, 0.551931, 0.719520, 0.762728, 0.732280)),
    ((0.5, 0.5), 1 / 2, (0.250000, 0.416667, 0.583333)),
    ((0.3, 0.2, 0.1), 1 / 2, (0.504000, 0.271000, 0.305800, 0.278600)),
    ((0.45, 0.4, 0.35, 0.3), 1 / 2, (0.150150, 0.317985, 0.434873, 0.483540, 0.499579)),
]


@pytest.mark.parametrize(("p", "alpha", "wanted"), TABLE)
def test_the_printed_values(p: Labels, alpha: float, wanted: Labels) -> None:
    found = decoding.prefix_scores(np.array(p), alpha)
    assert found == pytest.approx(wanted, abs=5e-7)
    assert decode_f(p, alpha=alpha).labels.sum() == np.argmax(wanted)


def quadratic(p: Array) -> Array:
    """F1 of all prefixes by Ye, Chai, Lee and Chieu (2012), for integral weights only."""
    n = len(p)
    inverse = np.array([0.0, *(1 / j for j in range(1, 2 * n + 1))])
    prefixes = [np.ones(1)]
    for one in p:
        prefixes.append(np.convolve(prefixes[-1], [1 - one, one]))
    found = np.empty(n + 1)
    for k in range(n, 0, -1):
        hits = np.arange(k + 1)
        found[k] = (2 * hits * prefixes[k] * inverse[k : 2 * k + 1]).sum()
        inverse = (1 - p[k - 1]) * inverse[:-1] + p[k - 1] * inverse[1:]
    found[0] = np.prod(1 - p)
    return found


@pytest.mark.parametrize("shape", [0.05, 0.5, 1.0, 20.0])
def test_many_labels_by_another_algorithm(shape: float) -> None:
    p = -np.sort(-np.random.default_rng(6).beta(shape, 3 * shape, 1500))
    assert decoding.prefix_scores(p, 0.5) == pytest.approx(quadratic(p), abs=1e-12)


def test_halves_lose_nothing_by_turning_round() -> None:
    p = np.full(4000, 0.5)
    first, masses = jit.compiled(counting_kernels).ones_distribution(p)
    assert masses.sum() == pytest.approx(1, abs=1e-13)
    found = np.zeros(len(masses) + 1)
    jit.compiled(counting_kernels).without_label(0.5, masses, found)
    wanted_first, wanted = jit.compiled(counting_kernels).ones_distribution(p[1:])
    inside = found[1:][wanted_first - first :][: len(wanted)] * 2
    assert np.abs(inside - wanted[: len(inside)]).max() < 1e-15


@pytest.mark.parametrize("histories", [1, 2, 4])
def test_kernels_in_both_tiers(histories: int) -> None:
    for table in tables(7, range(0, 9), (histories,)):
        if histories == 1:
            order = -np.sort(-table)
            plain, fast = (
                module.expected_f_scores(order, 0.3, *module.ones_distribution(order))
                for module in (counting_kernels, jit.compiled(counting_kernels))
            )
            assert plain == pytest.approx(fast, abs=1e-15)
            continue
        fast = jit.compiled(chain_kernels)
        assert chain_kernels.joint_ones(table) == pytest.approx(fast.joint_ones(table), abs=1e-15)
        assert np.array_equal(chain_kernels.most_probable(table), fast.most_probable(table))
        assert np.array_equal(
            chain_kernels.best_boundaries(table[:, 0], 3),
            fast.best_boundaries(table[:, 0].copy(), 3),
        )


def test_chains_without_memory_are_independent() -> None:
    p = np.random.default_rng(8).random(40)
    alone, chained = decode_f(p), decode_f(np.column_stack([p, p]))
    assert chained.value == pytest.approx(alone.value, abs=1e-13)
    assert np.array_equal(chained.labels, alone.labels)
    assert np.array_equal(decode_f(p[:, None]).labels, alone.labels)


def test_order_does_not_matter_nor_which_of_equals() -> None:
    random = np.random.default_rng(9)
    p = random.random(60).round(1)
    found, order = decode_f(p), random.permutation(60)
    moved = decode_f(p[order])
    assert moved.value == pytest.approx(found.value, abs=1e-14)
    assert sorted(p[order][moved.labels]) == sorted(p[found.labels])


def test_certain_labels_and_none() -> None:
    found = decode_f([1, 0, 1, 0, 0])
    assert (found.labels.tolist(), found.value) == ([True, False, True, False, False], 1.0)
    for decode in (decode_f, decode_f_by_beam, decode_zero_one, decode_hamming):
        options: dict[str, Any] = {"beam": 3} if decode is decode_f_by_beam else {}
        nothing = decode([], **options)
        assert nothing.labels.shape == (0,)
        assert nothing.value == (0.0 if decode is decode_hamming else 1.0)
    assert decode_f([0.0, 0.0]).value == 1.0
    assert decode_boundaries([0.9], window=2).value == 0.0


def test_beams() -> None:
    random = np.random.default_rng(10)
    losses = []
    for n in range(1, 16):
        p = random.random(n)
        exact, wide, narrow = (
            decode_f(p),
            decode_f_by_beam(p, beam=n * n + 9),
            decode_f_by_beam(p, beam=1),
        )
        assert wide.value == pytest.approx(exact.value, abs=1e-13)
        assert np.array_equal(wide.labels, exact.labels)
        assert narrow.value <= exact.value + 1e-13
        # One state is the most probable one: the labels above one half.
        assert narrow.labels.tolist() == (p > 0.5).tolist()
        losses.append(exact.value - expected_f(narrow.labels, p))
    assert max(losses) > 0.01

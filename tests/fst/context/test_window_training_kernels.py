"""Training of windows: a plain twin of gradients, weights, seeds, jobs and tiers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from glyphone.data.kernels import jit
from glyphone.fst.alignment.units import Units
from glyphone.fst.context import window_training_kernels
from glyphone.fst.context.windows import fit_windows
from glyphone.fst.ngrams.counts import flatten
from tests.fst.context.twins import Row, corpus, equal, twin_table


def loss_of(weights: Any, rows: list[Row], golds: Row, importance: Any, penalty: Any) -> float:
    """The loss that training makes smaller: weights[row, candidate]."""
    totals = [weights[row].sum(0) for row in rows]
    losses = [
        v * (np.log(np.exp(total).sum()) - total[gold])
        for total, gold, v in zip(totals, golds, importance, strict=True)
    ]
    return float(sum(losses) + (penalty[:, None] * weights**2).sum() / 2)


@pytest.mark.parametrize(
    "kernels", [window_training_kernels, jit.compiled(window_training_kernels)]
)
def test_steps_follow_the_gradient(kernels: Any) -> None:
    """One example at a time from given weights: its step is the numeric gradient, by AdaGrad."""
    random = np.random.default_rng(3)
    n_rows, size = 4, 3
    weights = random.normal(size=(n_rows, size)).astype(np.float32)
    penalty = np.array([0.5, 0.1, 0.25, 0.0])
    table = window_training_kernels.WeightTable(
        np.zeros(1 + n_rows * (size + 1), np.uint8),
        np.zeros((1 + n_rows * (size + 1), 2), np.float32),
    )
    heads = 1 + np.arange(n_rows) * (size + 1)
    for row, head in enumerate(heads.tolist()):
        table.candidates[head : head + size + 1] = [size, 0, 1, 2]
        table.weights[head, 0] = penalty[row]
        table.weights[head + 1 : head + size + 1, 0] = weights[row]
        table.weights[head + 1 : head + size + 1, 1] = 0.1
    used, gold, importance, rate = [0, 2, 3], 1, 1.7, 0.01
    rows = np.array([[*heads[used], 0]], np.int32)
    loss = kernels.train_epoch(
        table, rows, np.array([3]), np.array([gold]), np.array([importance]), np.array([0]), size,
        rate,
    )  # fmt: skip
    shown = np.where(np.isin(np.arange(n_rows), used), penalty, 0.0)
    exact = weights.astype(np.float64)
    assert importance * loss == pytest.approx(
        loss_of(exact, [used], [gold], [importance], np.zeros(n_rows)), rel=1e-6
    )
    for row in range(n_rows):
        for candidate in range(size):
            low, high = exact.copy(), exact.copy()
            low[row, candidate] -= 1e-5
            high[row, candidate] += 1e-5
            sides = [loss_of(w, [used], [gold], [importance], shown) for w in (low, high)]
            gradient = (sides[1] - sides[0]) / 2e-5
            step = rate * gradient / math.sqrt(0.1 + gradient**2) if row in used else 0.0
            moved = exact[row, candidate] - table.weights[heads[row] + 1 + candidate, 0]
            assert moved == pytest.approx(step, abs=1e-6)


def test_seeds_and_jobs() -> None:
    units, rows = corpus(80, seed=2)
    one = fit_windows(units, *flatten(rows), seed=5)
    assert equal(one, fit_windows(units, *flatten(rows), seed=5, jobs=3))
    assert not equal(one, fit_windows(units, *flatten(rows), seed=6))


def test_tiers_train_the_same_model(monkeypatch: pytest.MonkeyPatch) -> None:
    units, rows = corpus(40, seed=4)
    monkeypatch.setattr(jit, "tier", lambda module, work: module)
    plain = fit_windows(units, *flatten(rows))
    monkeypatch.setattr(jit, "tier", lambda module, work: jit.compiled(module))
    compiled = fit_windows(units, *flatten(rows))
    for name in ("bits", "places", "vowels"):
        assert np.array_equal(getattr(plain, name), getattr(compiled, name))
    first, second = twin_table(plain), twin_table(compiled)
    for slot in {*first, *second}:
        row, other = first.get(slot, {}), second.get(slot, {})
        for candidate in {*row, *other}:
            # Rounding may differ by one part, and what hardly weighs anything is left out.
            assert row.get(candidate, 0) == pytest.approx(other.get(candidate, 0), abs=0.025)


def test_what_follows_further_right_is_learnt() -> None:
    """The second letter after decides; n-grams of units, which read to the right, cannot know."""
    units = Units.of(
        [((1,), (1,)), ((1,), (2,)), ((2,), (3,)), ((3,), (3,)), ((4,), (3,))], n_labels=5
    )
    number = units.numbers
    early, late, middle = number[(1,), (1,)], number[(1,), (2,)], number[(2,), (3,)]
    rows = [[early, middle, number[(3,), (3,)]], [late, middle, number[(4,), (3,)]]] * 10
    windows = fit_windows(units, *flatten(rows))
    for string, best in (([1, 2, 3], early), ([1, 2, 4], late)):
        shares, shifts = windows.factors(np.array(string, np.int32))
        others = [shares[shifts[0] + unit] for unit in (early, late) if unit != best]
        assert shares[shifts[0] + best] == 1 and max(others) < 0.2


def test_weights_of_words() -> None:
    """A word that counts nothing teaches nothing, and contradiction goes to the heavier side."""
    units = Units.of([((1,), (1,)), ((1,), (2,))], n_labels=2)
    tokens, offsets = flatten([[0], [1]] * 10)
    for heavy in (0, 1):
        weights = [9.0 if unit == heavy else 1.0 for unit in tokens.tolist()]
        shares, _ = fit_windows(units, tokens, offsets, weights=weights).factors(np.array([1]))
        assert shares[heavy] == 1 and shares[1 - heavy] < 0.6
    scaled = [weight * 1000 for weight in weights]
    same = [fit_windows(units, tokens, offsets, weights=w) for w in (weights, scaled)]
    assert np.allclose(same[0].weights, same[1].weights, atol=1)
    none = fit_windows(units, tokens, offsets, weights=[0.0] * 20)
    assert len(none.slots) == 0
    assert none.factors(np.array([1]))[0].tolist() == [1, 1]

"""The search for steep products, beside all products; how few of them it looks at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glyphone.data.kernels import jit
from glyphone.learners.combinations.training import Grafting, GraftingOptions
from tests.learners.combinations import twins

Array = Any
TIERS = [lambda module: module, jit.compiled]


def grafting_of(X: Array, y: Array, weights: Array | None = None, **options: Any) -> Grafting:
    examples = twins.examples_from(X, y, weights)
    return Grafting(examples, GraftingOptions(**options), lambda _: None)


def dense_weights(grafting: Grafting, factors: list[twins.Factors], n_labels: int) -> Array:
    """The weights of a working set, products by labels; the last of two labels has none."""
    found = np.zeros((len(factors), n_labels))
    products, labels = grafting.numbering.parts(grafting.set.numbers)
    for row, label, weight in zip(
        grafting.numbering.factors(products), labels, grafting.set.weights, strict=True
    ):
        found[factors.index(tuple(f for f in row.tolist() if f >= 0)), label] = weight
    return found


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("most", [0.3, 1.0, 4.0])
@pytest.mark.parametrize(("degree", "n_labels"), [(2, 2), (2, 4), (3, 2), (3, 3)])
def test_steep_products_are_those_of_enumeration(
    degree: int, n_labels: int, most: float, tier: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "tier", lambda module, work: tier(module))
    X, y, weights = twins.drawn(degree, n_labels=n_labels, most=most)
    factors, columns = twins.all_products(X, degree)
    grafting = grafting_of(X, y, weights, degree=degree, rho1=0.3 * most, batch=2)
    for _ in range(3):
        found = grafting.search(degree)
        state = dense_weights(grafting, factors, n_labels)
        slopes = columns.T @ twins.loss_and_residues(columns, (y, weights), state)[1]
        wanted = {}
        for (k, label), slope in np.ndenumerate(slopes[:, : grafting.numbering.n_scored]):
            row = np.full((1, degree), -1)
            row[0, : len(factors[k])] = factors[k]
            number = grafting.numbering.weights(grafting.numbering.products(row), label)
            if abs(slope) > grafting.limit and number[0] not in grafting.set.numbers:
                wanted[int(number[0])] = slope
        assert dict(zip(*(x.tolist() for x in found.steep), strict=True)) == pytest.approx(wanted)
        grafting.set.join(grafting._choose(found.steep, 5))
        grafting.set.improve(1e-3, 0.0, 50)
    assert found.added <= found.seen


@pytest.mark.parametrize(("rho1", "share", "steep"), [(5.0, 0.35, 200), (20.0, 0.05, 20)])
def test_few_products_are_looked_at(rho1: float, share: float, steep: int) -> None:
    X, y = twins.zipfian(0)
    grafting = grafting_of(X, y, degree=2, rho1=rho1)
    grafting.set.join(grafting.search(1).steep.numbers)
    grafting.set.improve(1e-4, 0.0, 1000)
    found = grafting.search(2)
    occurrences = sum(k * (k - 1) // 2 for k in X.sum(axis=1).astype(int).tolist())
    assert 0 < len(found.steep.numbers) <= found.live < share * 300 * 299 / 2
    assert len(found.steep.numbers) < steep
    assert found.added < found.seen <= occurrences


def test_of_products_that_are_one_the_first_joins() -> None:
    """Features 2 and 3 are equal, and so are their products with others."""
    X, y = twins.exclusive_or(1, 400)
    X = np.column_stack([X[:, :2], X[:, 1], X[:, 2:6]])
    grafting = grafting_of(X, y, degree=2, rho1=5.0)
    steep = grafting.search(2).steep

    def factors(numbers: Array) -> list[list[int]]:
        found: list[list[int]] = grafting.numbering.factors(
            grafting.numbering.parts(numbers)[0]
        ).tolist()
        return found

    assert [0, 2] in factors(steep.numbers)
    assert [0, 1] in factors(grafting._choose(steep, 1000))
    assert [0, 2] not in factors(grafting._choose(steep, 1000))

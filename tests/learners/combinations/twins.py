"""Plain twins of grafting: all products made as columns, slopes of each, and the minimum over all
of them by OWL-QN."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from scipy import sparse, special

from glyphone.learners.combinations.examples import Examples, examples_of
from glyphone.learners.optimization.quasi_newton import Descent

Array = Any
Factors = tuple[int, ...]


def drawn(
    seed: int, *, n: int = 60, n_features: int = 7, n_labels: int = 3, most: float = 1.0
) -> tuple[Array, Array, Array]:
    """Features, labels that depend on products of them, and weights of rows."""
    draw = np.random.default_rng(seed)
    X = draw.random((n, n_features)) * most * (draw.random((n, n_features)) < 0.5)
    scores = draw.normal(0, 0.5, (n, n_labels))
    for label in range(n_labels):
        a, b = draw.choice(n_features, 2, replace=False)
        scores[:, label] += 3 * X[:, a] * X[:, b]
    return X, scores.argmax(axis=1), draw.integers(1, 3, n).astype(float)


def examples_from(X: Array, y: Array, weights: Array | None = None) -> Examples:
    given = np.ones(len(y)) if weights is None else weights
    return examples_of(sparse.csr_array(X), y, given, int(y.max()) + 1, 1.0)


def all_products(X: Array, degree: int) -> tuple[list[Factors], Array]:
    """The factors of all products, and these as columns; the constant is the last feature."""
    n_features = X.shape[1]
    factors: list[Factors] = [(n_features,), *((a,) for a in range(n_features))]
    for size in range(2, degree + 1):
        factors += itertools.combinations(range(n_features), size)
    whole = np.column_stack([X, np.ones(len(X))])
    return factors, np.column_stack([whole[:, list(one)].prod(axis=1) for one in factors])


def loss_and_residues(columns: Array, examples: Any, weights: Array) -> tuple[float, Array]:
    """The log-loss of weights, products by labels, and the residues of rows by labels."""
    y, row_weights = examples
    scores = columns @ weights
    logs = special.log_softmax(scores, axis=1)
    right = np.arange(scores.shape[1]) == y[:, None]
    return -float(row_weights @ logs[right]), row_weights[:, None] * (right - np.exp(logs))


def least_objective(X: Array, y: Array, row_weights: Array, degree: int, rho1: float) -> float:
    """The minimum over all products, every label with weights of its own."""
    columns, n_labels = all_products(X, degree)[1], int(y.max()) + 1

    def loss(weights: Array, slopes: Array) -> float:
        shaped = weights.reshape(-1, n_labels)
        found, residues = loss_and_residues(columns, (y, row_weights), shaped)
        slopes[:] = -(columns.T @ residues).ravel()
        return found

    descent = Descent(loss, np.zeros(columns.shape[1] * n_labels), rho1=rho1)
    for _ in range(5000):
        if descent.step():
            break
    return descent.objective


def exclusive_or(seed: int, n: int, n_ways: int = 2) -> tuple[Array, Array]:
    """Thirty features of 0 and 1; whether an odd number of the first are 1, but for 5 %."""
    draw = np.random.default_rng(seed)
    X = draw.integers(0, 2, (n, 30)).astype(float)
    return X, ((X[:, :n_ways].sum(axis=1) % 2).astype(int) + (draw.random(n) < 0.05)) % 2


def zipfian(seed: int, n: int = 2000, n_features: int = 300) -> tuple[Array, Array]:
    """Features as frequent as words, of which some products tell the label."""
    draw = np.random.default_rng(seed)
    shares = np.minimum(0.5, 2.5 / np.arange(1, n_features + 1))
    X = (draw.random((n, n_features)) < shares).astype(float)
    scores = 1.5 * X[:, 0] * X[:, 1] - 2 * X[:, 2] * X[:, 5] + X[:, 3] - 2 * X[:, 4] * X[:, 7]
    return X, (draw.random(n) < special.expit(scores)).astype(int)

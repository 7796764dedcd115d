"""Several estimates of one distribution, mixed log-linearly.

For labels t behind p, with estimates T_1 ... T_m, weights w and biases b:

    T(t | context, p) = exp(b[p, t] + sum_i w_i log T_i(t | context, p)) / Z

Weights are those that maximise the likelihood of tokens that the estimates have not seen, less
(w - 1/m)^2 and b^2 times `PENALTY` in all; the function is concave.

>>> logs = np.log([[[0.9, 0.1], [0.5, 0.5]]] * 9 + [[[0.9, 0.1], [0.1, 0.9]]])
>>> labels, before = np.array([0] * 9 + [1]), np.zeros(10, int)
>>> weights, biases = fit_weights(logs, labels, before, np.ones((1, 2), bool))
>>> mix_estimates(logs, before, weights, biases).argmax(axis=1).tolist()
[0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize

from glyphone.data import progress

Array = Any
PENALTY = 1.0
MOST_STEPS = 100


def mix_estimates(logs: Array, before: Array, weights: Array, biases: Array) -> Array:
    """Log probabilities of labels for each token; a bias of -inf forbids a label."""
    scores = np.tensordot(logs, weights, ([1], [0])) + biases[before]
    found: Array = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
    return found


def even_weights(n_chains: int, legal: Array) -> tuple[Array, Array]:
    """Equal weights, and biases that only forbid."""
    return np.full(n_chains, 1 / n_chains), np.where(legal, 0.0, -np.inf)


def fit_weights(logs: Array, labels: Array, before: Array, legal: Array) -> tuple[Array, Array]:
    """Weights, and biases of labels that are `legal` behind labels, given tokens held out."""
    n, n_chains, _ = logs.shape
    weights, biases = even_weights(n_chains, legal)
    rows = np.arange(n)
    behind = [before == p for p in range(len(legal))]

    def loss(point: Array) -> tuple[float, Array]:
        moved = point[n_chains:].reshape(legal.shape)
        found = mix_estimates(logs, before, weights + point[:n_chains], biases + moved)
        errors = np.exp(found)
        errors[rows, labels] -= 1
        slope = [
            np.tensordot(logs, errors, ([0, 2], [0, 1])),
            np.where(legal, [errors[chosen].sum(axis=0) for chosen in behind], 0.0).ravel(),
        ]
        penalty, down = PENALTY * (point @ point), 2 * PENALTY * point
        return penalty - found[rows, labels].sum(), np.concatenate(slope) + down

    start = np.zeros(n_chains + legal.size)
    settings: dict[str, Any] = {"method": "L-BFGS-B", "options": {"maxiter": MOST_STEPS}}
    with progress.step("fitting weights of chains, iterations at most", MOST_STEPS) as fitting:
        point = minimize(loss, start, jac=True, **settings, callback=lambda _: fitting.advance()).x
    return weights + point[:n_chains], biases + point[n_chains:].reshape(legal.shape)

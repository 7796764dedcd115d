"""Kernels of OWL-QN, each once through all weights.

>>> pseudo = np.empty(3)
>>> pseudo_gradient(np.array([1.0, 0, 0]), np.array([3.5, 0.2, -3.5]), 0.5, pseudo)
5.0
>>> pseudo.tolist()
[4.0, 0.0, -3.0]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, summing

Array = Any


@kernel
def pseudo_gradient(weights: Array, gradient: Array, rho1: float, pseudo: Array) -> float:
    """The slope that is least steep among those of both sides, 0 at a minimum; its norm."""
    total = 0.0
    for k in range(len(weights)):
        x, g = weights[k], gradient[k]
        if x < 0.0 or (x == 0.0 and g > rho1):
            g -= rho1
        elif x > 0.0 or g < -rho1:
            g += rho1
        else:
            g = 0.0
        pseudo[k] = g
        total += g * g
    return float(np.sqrt(total))


@kernel
def drop_upward_parts(direction: Array, pseudo: Array) -> None:
    """Set the parts of a direction that lead upwards to zero."""
    for k in range(len(direction)):
        if direction[k] * pseudo[k] >= 0.0:
            direction[k] = 0.0


@kernel
def take_step(
    weights: Array, direction: Array, size: float, pseudo: Array, rho1: float, new: Array
) -> float:
    """Write the weights after a step that does not leave the orthant, if there is a rho1; return
    the change that the slope promises.
    """
    promised = 0.0
    for k in range(len(weights)):
        x = weights[k]
        orthant = x if x != 0.0 else -pseudo[k]
        z = x + size * direction[k]
        new[k] = z if rho1 == 0.0 or z * orthant > 0.0 else 0.0
        promised += pseudo[k] * (new[k] - x)
    return promised


@summing
def dot_product(some: Array, others: Array) -> float:
    """The sum of products, the same whatever threads there are."""
    found = 0.0
    for k in range(len(some)):
        found += some[k] * others[k]
    return found


@leaf
def add_scaled(target: Array, factor: float, some: Array) -> None:
    """Add an array, times a factor."""
    for k in range(len(target)):
        target[k] += factor * some[k]

"""Kernels: coordinate descent, which changes one weight at a time, to the minimum of a bound.

With e_i,y the exponential of the score of label y in row i, Z_i their sum, p = e / Z, and r_i the
weight of the row, the slope and the curvature of the loss along the weight of column k and label y
are

    g = sum_i r_i x_i,k (p_i,y - I(y = y_i))        h = sum_i r_i x_i,k^2 p_i,y (1 - p_i,y)

The third derivative is at most m h, where m is the greatest x_i,k; so a step d adds at most

    g d + h (exp(m |d|) - m |d| - 1) / m^2

to the loss, whose minimum, with the penalty, is known. No step leads upwards, and none has to be
tried out.

>>> round(step_to_take(0.0, -2.0, 1.0, 1.0, 1.0), 6), step_to_take(0.5, 1.5, 1.0, 1.0, 1.0)
(0.693147, -0.5)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import leaf, sibling
from glyphone.learners.combinations.arrays import Columns, Fit, Targets, WeightSpace

write_exp = sibling(__name__, "glyphone.data.kernels.exponentials").write_exp

Array = Any
# Curvatures are not taken for less.
FLAT = 1e-12
# Exponentials of a row are divided by their sum where that is more.
HUGE = 1e100


@leaf
def write_fit(
    columns: Columns, space: WeightSpace, weights: Array, targets: Targets, fit: Fit
) -> float:
    """Write the exponentials of scores, less the greatest of a row, and their sums; the loss."""
    fit.exponentials[:] = 0.0
    for k in range(len(weights)):
        if weights[k] != 0.0:
            p = space.columns[k]
            scores = fit.exponentials[space.labels[k]]
            for e in range(columns.starts[p], columns.starts[p + 1]):
                scores[columns.rows[e]] += weights[k] * columns.values[e]
    n_labels, n = fit.exponentials.shape
    loss = 0.0
    for i in range(n):
        highest = fit.exponentials[0, i]
        for y in range(1, n_labels):
            highest = max(highest, fit.exponentials[y, i])
        loss += targets.weights[i] * (highest - fit.exponentials[targets.labels[i], i])
        for y in range(n_labels):
            fit.exponentials[y, i] -= highest
        fit.sums[i] = 0.0
    for y in range(n_labels):
        write_exp(fit.exponentials[y], fit.halves, fit.bits)
        for i in range(n):
            fit.sums[i] += fit.exponentials[y, i]
    for i in range(n):
        loss += targets.weights[i] * np.log(fit.sums[i])
    return float(loss)


@leaf
def write_residues(targets: Targets, fit: Fit, alphas: Array) -> None:
    """Write r (I(y = label) - p) of each row and scored label."""
    for i in range(len(alphas)):
        for y in range(alphas.shape[1]):
            alphas[i, y] = -targets.weights[i] * fit.exponentials[y, i] / fit.sums[i]
        if targets.labels[i] < alphas.shape[1]:
            alphas[i, targets.labels[i]] += targets.weights[i]


@leaf
def improve_weights(
    columns: Columns,
    space: WeightSpace,
    weights: Array,
    targets: Targets,
    fit: Fit,
    rho1: float,
    active: bool,
) -> float:
    """Change each weight, or only those that are not 0, to the minimum of its bound; how far the
    slopes were at most from where they are at a minimum."""
    farthest = 0.0
    for k in range(len(weights)):
        if active and weights[k] == 0.0:
            continue
        p, y = space.columns[k], space.labels[k]
        first, last = columns.starts[p], columns.starts[p + 1]
        own = fit.exponentials[y]
        slope, curvature = 0.0, 0.0
        for e in range(first, last):
            i, x = columns.rows[e], columns.values[e]
            share = own[i] / fit.sums[i]
            weighted = targets.weights[i] * x * share
            slope += weighted
            curvature += weighted * x * (1.0 - share)
        slope -= space.observed[k]
        farthest = max(farthest, excess(weights[k], slope, rho1))
        step = step_to_take(weights[k], slope, curvature, columns.greatest[p], rho1)
        if step != 0.0:
            weights[k] += step
            move_scores(columns, first, last, y, step, fit)
    return farthest


@leaf
def excess(weight: float, slope: float, rho1: float) -> float:
    """How far the slope of a weight is from where it is at a minimum."""
    if weight > 0.0:
        return abs(slope + rho1)
    if weight < 0.0:
        return abs(slope - rho1)
    return max(abs(slope) - rho1, 0.0)


@leaf
def step_to_take(
    weight: float, slope: float, curvature: float, greatest: float, rho1: float
) -> float:
    """The step to the minimum of the bound and the penalty."""
    curvature = max(curvature, FLAT)
    for sign in (1.0, -1.0):
        pull = -(slope + sign * rho1) / curvature
        step = float(np.sign(pull) * np.log(1.0 + greatest * abs(pull)) / greatest)
        if sign * (weight + step) > 0.0:
            return step
    return -weight


@leaf
def move_scores(columns: Columns, first: int, last: int, y: int, step: float, fit: Fit) -> None:
    """Add a step, times values of a column, to the scores of a label."""
    before, factor = 0.0, 1.0
    for e in range(first, last):
        i, x = columns.rows[e], columns.values[e]
        if x != before:
            before, factor = x, np.exp(step * x)
        old = fit.exponentials[y, i]
        fit.exponentials[y, i] = old * factor
        fit.sums[i] += old * factor - old
        if fit.sums[i] > HUGE:
            total = fit.sums[i]
            for other in range(len(fit.exponentials)):
                fit.exponentials[other, i] /= total
            fit.sums[i] = 1.0


@leaf
def write_observed(columns: Columns, space: WeightSpace, targets: Targets) -> None:
    """Write the sums of values of columns over the rows of a label."""
    for k in range(len(space.observed)):
        total, p = 0.0, space.columns[k]
        for e in range(columns.starts[p], columns.starts[p + 1]):
            i = columns.rows[e]
            if targets.labels[i] == space.labels[k]:
                total += targets.weights[i] * columns.values[e]
        space.observed[k] = total

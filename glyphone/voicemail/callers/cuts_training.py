"""Training of the chain of cuts on messages in which callers are marked.

L-BFGS minimises -sum log P(marked | message) + rho / 2 |w|^2; words of nameless phrases may be in
the lead or the tail.

>>> gold_parts(6, (1, 5), (3, 4), most=9).tolist() == [1, 2, 2, 4, 8, 16, 16]
True
>>> gold_parts(3, (1, 3), None, most=9).tolist(), gold_parts(1, None, None, most=9).tolist()
([1, 10, 10, 16], [1, 1])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data import progress
from glyphone.data.kernels import jit
from glyphone.voicemail.callers import chain_kernels as caller_chain_kernels
from glyphone.voicemail.callers import feature_kernels as caller_feature_kernels
from glyphone.voicemail.callers.chain_kernels import AFTER, BEFORE, HEADS, LEAD, NAME, PARTS, TAIL
from glyphone.voicemail.callers.options import LEAST_WEIGHT, CallerOptions
from glyphone.voicemail.records.messages import Span

Array = Any


def gold_parts(words: int, phrase: Span | None, name: Span | None, *, most: int) -> Array:
    """The set of right parts at each place of a message, as bits."""
    places = min(words, most) + 1
    parts = np.full(places, 1 << BEFORE, np.uint8)
    if phrase is None or phrase[0] >= places - 1:
        return parts
    begin, end = phrase
    parts[end:] = 1 << AFTER
    if name is None:
        parts[begin:end] = 1 << LEAD | 1 << TAIL
    else:
        parts[begin : name[0]] = 1 << LEAD
        parts[name[0] : name[1]] = 1 << NAME
        parts[name[1] : end] = 1 << TAIL
    parts[-1] = 1 << AFTER
    return parts


def fit(
    rows: Array, bounds: Array, gold: Array, options: CallerOptions
) -> tuple[Array, Array, Array]:
    """Keys of features, their weights, and weights of steps from part to part."""
    from scipy import optimize

    kernels = jit.tier(caller_feature_kernels, rows.size)
    chain = jit.tier(caller_chain_kernels, rows.size)
    seen = kernels.feature_keys(rows, caller_feature_kernels.TEMPLATES)
    keys, counts = np.unique(seen, return_counts=True)
    keys = keys[counts >= options.min_count]
    numbers = kernels.key_numbers(seen, kernels.hash_table(keys))
    size = len(keys) * HEADS

    def objective(theta: Array) -> tuple[float, Array]:
        weights, steps = theta[:size].reshape(-1, HEADS), theta[size:].reshape(PARTS, PARTS)
        heads = kernels.sum_numbered(numbers, weights)
        of_heads, gradient = np.zeros_like(heads), options.rho * theta
        of_steps = gradient[size:].reshape(PARTS, PARTS)
        loss = chain.negative_log_likelihood(heads, steps, bounds, gold, of_heads, of_steps)
        # Words outside have no weight, or a long message would have a caller for its length alone.
        of_steps[BEFORE, BEFORE] = of_steps[AFTER, AFTER] = 0.0
        kernels.add_back(numbers, of_heads, gradient[:size].reshape(-1, HEADS))
        return loss + options.rho / 2 * float(theta @ theta), gradient

    with progress.step("fitting cuts, iterations at most", options.max_iter) as fitting:
        solution = optimize.minimize(
            objective,
            np.zeros(size + PARTS * PARTS),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": options.max_iter},
            callback=lambda _: fitting.advance(),
        )
    weights = solution.x[:size].reshape(-1, HEADS).astype(np.float32)
    kept = np.abs(weights).max(axis=1) > LEAST_WEIGHT
    return keys[kept], weights[kept], solution.x[size:].reshape(PARTS, PARTS)

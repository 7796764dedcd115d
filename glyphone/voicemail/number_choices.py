"""Kernel: which candidates of messages are chosen, when no two may share a word.

Weighted interval scheduling: with candidates in the order of their ends, the best sum of gains of
the first n is that of the first n - 1, or the n-th and the best of those that end before it begins.

>>> begins, ends, bounds = np.array([0, 3, 9]), np.array([7, 7, 12]), np.array([0, 3])
>>> chosen(begins, ends, np.array([2.0, 1.0, -0.5]), bounds).tolist()
[True, False, False]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.jit import kernel

Array = Any
LEFT_OUT = -1


@kernel
def chosen(begins: Array, ends: Array, gains: Array, bounds: Array) -> Array:
    """Which candidates of each message have the greatest sum of gains and share no words, by
    weighted interval scheduling; of equally good choices the one that ends first."""
    found = np.zeros(len(begins), np.bool_)
    for k in range(len(bounds) - 1):
        first, last = bounds[k], bounds[k + 1]
        n = last - first
        if n == 0:
            continue
        # By end, then begin, then place.
        order = first + np.argsort(begins[first:last], kind="mergesort")
        order = order[np.argsort(ends[order], kind="mergesort")]
        values, earlier = np.zeros(n + 1), np.zeros(n, np.int64)
        for step in range(n):
            one = order[step]
            low, high = 0, step  # how many end where it begins, or before
            while low < high:
                middle = (low + high) // 2
                if ends[order[middle]] <= begins[one]:
                    low = middle + 1
                else:
                    high = middle
            with_it = values[low] + gains[one]
            better = gains[one] >= 0 and with_it > values[step]
            values[step + 1] = with_it if better else values[step]
            earlier[step] = low if better else LEFT_OUT
        step = n
        while step > 0:
            if earlier[step - 1] == LEFT_OUT:
                step -= 1
            else:
                found[order[step - 1]] = True
                step = earlier[step - 1]
    return found

"""Bit strings of classes: the way to each from the root of a binary hierarchy.

>>> bit_strings([(0, 2), (0, 1)], 3)
['00', '1', '01']
"""

from __future__ import annotations

from collections.abc import Iterable

from glyphone.data.kernels import jit
from glyphone.learners.clusters import hierarchy_kernels
from glyphone.learners.clusters.exchange_kernels import Tables


def class_bits(tables: Tables) -> list[str]:
    """The bit string of each class, but for that of the boundary."""
    n = len(tables.sizes) - 1
    kernels = jit.tier(hierarchy_kernels, n**3)
    pairs, _ = kernels.merge_classes(tables.rows, tables.sizes, tables.logs)
    return bit_strings(pairs.tolist(), n)


def bit_strings(pairs: Iterable[tuple[int, int]], n: int) -> list[str]:
    """The bit strings of n classes by pairs that are merged, the first of which stands for both.

    A class alone has the bit 0.
    """
    inside = [[k] for k in range(n)]
    bits = [""] * n
    for first, second in pairs:
        for bit, one in (("0", first), ("1", second)):
            for k in inside[one]:
                bits[k] = bit + bits[k]
        inside[first] += inside[second]
    return bits if n > 1 else ["0"]

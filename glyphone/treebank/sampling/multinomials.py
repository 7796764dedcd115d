"""Multinomials with Dirichlet priors, end to end in one array: the parameters of a transfer.

>>> fair = Multinomials(np.array([1e9, 1e9, 5.0]), np.array([0, 2, 3]))
>>> fair.draw(np.random.default_rng(0), np.zeros(3)).round(3)
array([0.5, 0.5, 1. ])
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# A small count may be drawn as 0, and would stay 0 in all later sweeps.
SMALLEST = 1e-300


class Multinomials(NamedTuple):
    """Prior counts of all multinomials; row r has prior[offsets[r]:offsets[r + 1]]."""

    prior: Floats
    offsets: NDArray[np.int64]

    def draw(self, random: np.random.Generator, counts: Floats) -> Floats:
        """Probabilities; each row is drawn from Dirichlet(prior + counts)."""
        drawn = np.maximum(random.gamma(self.prior + counts), SMALLEST)
        sums = np.add.reduceat(drawn, self.offsets[:-1])
        found: Floats = drawn / np.repeat(sums, np.diff(self.offsets))
        return found

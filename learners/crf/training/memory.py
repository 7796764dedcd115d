"""Memory that training takes, counted before it begins.

Lavergne, Cappé and Yvon (2010) count vectors as long as that of the weights: 16 for OWL-QN, two
for stochastic descent, one for block coordinate descent. Here only L-BFGS has as many; stochastic
descent has one; the other two keep only weights that are, or may soon be, not zero: about as many
as there are different tests with their labels or pairs, times 16 for OWL-QN.

>>> print(memory_needed("sgd", weights=250_000_000, occurrences=2_000_000))
sgd: 250,000,000 weights, 1 number for each, 2.0 GB
>>> print(memory_needed("owl-qn", weights=250_000_000, occurrences=2_000_000))
owl-qn: 250,000,000 weights, 16 numbers for each of some 2,000,000, and slopes, 0.6 GB
>>> check_memory("lbfgs", 16e9, weights=250_000_000, occurrences=2_000_000)
Traceback (most recent call last):
glyphone.data.errors.GlyphoneError: lbfgs: 250,000,000 weights, 26 numbers for each, and ...
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from glyphone.data.errors import GlyphoneError
from glyphone.learners.crf.training.objective import SLAB
from glyphone.learners.optimization.parts import parts_for
from glyphone.learners.optimization.quasi_newton import HISTORY, LONGER

# Weights and gradients before and after a step, direction, pseudo-gradient, and the history.
QUASI_NEWTON = {"owl-qn": 6 + 2 * HISTORY, "lbfgs": 6 + 2 * LONGER}
OPTIMIZERS = {**QUASI_NEWTON, "sgd": 1, "bcd": 2}
# Counts, the weights in the layout of the gradient, and their places there.
IN_THE_GRADIENT = 3
# Optimisers that keep some of the weights.
SPARING = ("owl-qn", "bcd")
BYTES = 8


@dataclass(frozen=True)
class MemoryNeed:
    """The memory of an optimiser: some numbers for each of the weights `kept`, and slopes.

    Slopes are those of weights that are not kept, and of parts of the sequences.
    """

    optimizer: str
    weights: int
    kept: int
    slopes: int

    @property
    def bytes(self) -> int:
        return (self.kept * OPTIMIZERS[self.optimizer] + self.slopes) * BYTES

    def __str__(self) -> str:
        numbers = OPTIMIZERS[self.optimizer]
        each = f"{numbers} number{'s' if numbers > 1 else ''} for each"
        some = f" of some {self.kept:,}" if self.optimizer in SPARING else ""
        slopes = ", and slopes" if self.slopes else ""
        size = format_bytes(self.bytes)
        return f"{self.optimizer}: {self.weights:,} weights, {each}{some}{slopes}, {size}"


def memory_needed(optimizer: str, *, weights: int, occurrences: int, jobs: int = 1) -> MemoryNeed:
    """The memory for so many weights and occurrences of tests, with `jobs` threads."""
    kept = min(weights, occurrences) if optimizer in SPARING else weights
    slopes = min(weights, SLAB) * jobs if optimizer == "owl-qn" else 0
    if optimizer in QUASI_NEWTON:
        slopes += kept * (parts_for(kept) + IN_THE_GRADIENT)
    return MemoryNeed(optimizer, weights, kept, slopes)


def check_memory(
    optimizer: str, limit: float | None, *, weights: int, occurrences: int, jobs: int = 1
) -> MemoryNeed:
    """The memory that is needed; GlyphoneError if it is above the limit, or the free memory."""
    size = {"weights": weights, "occurrences": occurrences, "jobs": jobs}
    need, room = memory_needed(optimizer, **size), free_memory() if limit is None else limit
    if room is not None and need.bytes > room:
        others = [memory_needed(other, **size) for other in OPTIMIZERS]
        fitting = [
            f"{other.optimizer} ({format_bytes(other.bytes)})"
            for other in others
            if other.bytes <= room
        ]
        fit = f"{' or '.join(fitting)} would fit" if fitting else "no optimizer would fit"
        remedy = f'{fit}; weights="attested" or "seen" and a higher min_count need less'
        raise GlyphoneError(f"{need}: more than the {format_bytes(room)} there are", remedy=remedy)
    return need


def format_bytes(size: float) -> str:
    """A size in bytes for people.

    >>> format_bytes(2.5e9), format_bytes(2.5e7)
    ('2.5 GB', '25.0 MB')
    """
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.1f} MB"


def free_memory() -> float | None:
    """Bytes of memory that are free now, None where the system does not report them."""
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        (kilobytes,) = (line.split()[1] for line in lines if line.startswith("MemAvailable:"))
        return 1024.0 * int(kilobytes)
    except (OSError, ValueError):
        pass
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):
        return None

"""Memory that training takes, counted before it begins.

Lavergne, Cappé and Yvon (2010) count vectors as long as that of the weights: 16 for OWL-QN, two
for stochastic descent, one for block coordinate descent. Here only L-BFGS has as many; stochastic
descent has one; the other two keep those weights only that are, or may soon be, not zero: about as
many as there are different tests with their labels or pairs, times 16 for OWL-QN.

>>> print(needed("sgd", weights=250_000_000, occurrences=2_000_000))
sgd: 250,000,000 weights, 1 number for each, 2.0 GB
>>> print(needed("owl-qn", weights=250_000_000, occurrences=2_000_000))
owl-qn: 250,000,000 weights, 16 numbers for each of some 2,000,000, and slopes, 0.6 GB
>>> check("lbfgs", 16e9, weights=250_000_000, occurrences=2_000_000)
Traceback (most recent call last):
glyphone.data.errors.GlyphoneError: lbfgs: 250,000,000 weights, 26 numbers for each, and ...
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from glyphone.data.errors import GlyphoneError
from glyphone.learners.crf.training.objective import SLAB, parts_for
from glyphone.learners.crf.training.quasi_newton import HISTORY, LONGER

# Weights and gradients before and after a step, direction, pseudo-gradient, and the history.
QUASI_NEWTON = {"owl-qn": 6 + 2 * HISTORY, "lbfgs": 6 + 2 * LONGER}
OPTIMIZERS = {**QUASI_NEWTON, "sgd": 1, "bcd": 2}
# What is counted, the weights once more as the gradient wants them, and where they are there.
IN_THE_GRADIENT = 3
# Those that keep some of the weights.
SPARING = ("owl-qn", "bcd")
BYTES = 8


@dataclass(frozen=True)
class Need:
    """What an optimiser keeps: so many numbers for each of the weights `kept`, and slopes.

    These are of weights that are not, and of parts of the sequences.
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
        return (
            f"{self.optimizer}: {self.weights:,} weights, {each}{some}{slopes}, {told(self.bytes)}"
        )


def needed(optimizer: str, *, weights: int, occurrences: int, jobs: int = 1) -> Need:
    """What is needed where tests are true so many times in all, and `jobs` threads at work."""
    kept = min(weights, occurrences) if optimizer in SPARING else weights
    slopes = min(weights, SLAB) * jobs if optimizer == "owl-qn" else 0
    if optimizer in QUASI_NEWTON:
        slopes += kept * (parts_for(kept) + IN_THE_GRADIENT)
    return Need(optimizer, weights, kept, slopes)


def check(
    optimizer: str, limit: float | None, *, weights: int, occurrences: int, jobs: int = 1
) -> Need:
    """Refuses what does not fit into so many bytes; into those that are free, if there is none."""
    size = {"weights": weights, "occurrences": occurrences, "jobs": jobs}
    need, room = needed(optimizer, **size), free() if limit is None else limit
    if room is not None and need.bytes > room:
        others = [needed(other, **size) for other in OPTIMIZERS]
        fitting = [
            f"{other.optimizer} ({told(other.bytes)})" for other in others if other.bytes <= room
        ]
        fit = f"{' or '.join(fitting)} would fit" if fitting else "no optimizer would fit"
        remedy = f'{fit}; weights="attested" or "seen" and a higher min_count need less'
        raise GlyphoneError(f"{need}: more than the {told(room)} there are", remedy=remedy)
    return need


def told(size: float) -> str:
    """A size in bytes for people.

    >>> told(2.5e9), told(2.5e7)
    ('2.5 GB', '25.0 MB')
    """
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.1f} MB"


def free() -> float | None:
    """Bytes of memory that are free now, None where nothing tells."""
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

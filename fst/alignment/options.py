"""The options of the aligner, and refusals of pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair
from glyphone.fst.alignment.sum_kernels import Moves

# Kernels keep the shape of a unit in a byte.
MOST_MOVES = 127


@dataclass(frozen=True, kw_only=True)
class AlignmentOptions:
    """The shapes that units may have, and the training of their probabilities.

    A unit has one source symbol and up to `max_target` target symbols, or one target symbol and
    up to `max_source` source symbols, or, if `many_to_many`, any number up to both. `deletions`
    allows a source symbol without a target; up to `insertions` target symbols without a source
    may stand in each gap between two source symbols, before the first one and after the last.

    EM runs for at most `rounds` rounds, none at all if 0, until the log likelihood gains less
    than its `tolerance`-th part; of several `starts`, all but the first one disturbed at random,
    the one of the best likelihood is kept. `weights` are the shares of rule pairs, lexicon and
    uniform distribution; None stands for the lexicon alone, or for (0.9, 0.09, 0.01) with rules.
    """

    max_source: int = 2
    max_target: int = 2
    many_to_many: bool = False
    deletions: bool = True
    insertions: int = 0
    rounds: int = 20
    tolerance: float = 1e-4
    method: Literal["soft", "viterbi"] = "soft"
    initial: Literal["bag", "uniform", "random"] = "bag"
    starts: int = 1
    seed: int = 0
    weights: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        for name, least in (
            ("max_source", 1),
            ("max_target", 1),
            ("starts", 1),
            ("rounds", 0),
            ("insertions", 0),
        ):
            if getattr(self, name) < least:
                raise GlyphoneError(f"{name} is {getattr(self, name)}, less than {least}")
        if len(self.steps) > MOST_MOVES:
            message = f"there are {len(self.steps)} shapes of units, more than {MOST_MOVES}"
            raise GlyphoneError(message, remedy="lower max_source or max_target")
        if self.method not in ("soft", "viterbi"):
            raise GlyphoneError(f"method is {self.method!r}", remedy="soft or viterbi")
        if self.initial not in ("bag", "uniform", "random"):
            raise GlyphoneError(f"initial is {self.initial!r}", remedy="bag, uniform or random")
        if self.weights is not None:
            sound = len(self.weights) == 3 and min(self.weights) >= 0
            if not sound or not math.isclose(sum(self.weights), 1, abs_tol=1e-9):
                remedy = "three numbers of at least 0 with the sum 1: rules, lexicon, uniform"
                raise GlyphoneError(f"weights are {self.weights!r}", remedy=remedy)

    @property
    def steps(self) -> list[tuple[int, int]]:
        """The sizes of units, in the order in which ties are broken: matches, short ones first."""
        sizes = [
            (s, t)
            for s in range(1, self.max_source + 1)
            for t in range(1, self.max_target + 1)
            if self.many_to_many or min(s, t) == 1
        ]
        deletions = [(1, 0)] if self.deletions else []
        return sorted(sizes, key=sum) + deletions + ([(0, 1)] if self.insertions else [])

    @property
    def moves(self) -> Moves:
        steps = np.array(self.steps, np.int64)
        return Moves(steps, self.insertions, self.deletions, self.max_source, self.max_target)

    def shares(self, *, rules: bool) -> tuple[float, float, float]:
        if self.weights is None:
            return (0.9, 0.09, 0.01) if rules else (0.0, 1.0, 0.0)
        if self.weights[0] > 0 and not rules:
            remedy = "give rule_pairs, or weights that begin with 0"
            raise GlyphoneError(
                f"weights are {self.weights}, but there are no rules", remedy=remedy
            )
        return self.weights


# One letter at most, one phone at most, and one slot between two letters (Jansche 2001).
ONE_TO_ONE = AlignmentOptions(
    max_source=1, max_target=1, insertions=1, weights=(0.0, 0.9, 0.1), rounds=10, tolerance=0.0
)


@dataclass(frozen=True)
class Refusal:
    """A pair that cannot be aligned, its index among the pairs given, and the reason."""

    index: int
    pair: Pair
    reason: str

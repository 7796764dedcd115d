"""How right answers are: the measures of letter-to-sound and of transliteration.

For each of n source words there are one or more references r, ranked answers, and the posterior p
of the best answer c. Distances are in symbols:

    accuracy           share of words whose best answer equals a reference
    wer                share of words whose best answer equals none: 1 - accuracy
    per                sum of d(c, r) / sum of |r|, with d Levenshtein's distance and r the
                       reference nearest to c; it passes 1 where answers are far too long
    mean_f             mean of 2PR / (P + R), P = LCS / |c|, R = LCS / |r|, where
                       LCS = (|c| + |r| - e) / 2, e the distance by deletions and insertions
                       alone and r the reference nearest by e (Li et al., NEWS 2009)
    mrr                mean of 1 / rank of the first correct answer, 0 where none is correct
    map_ref            mean of 1/m times the sum over k = 1..m of (correct among the k best) / k,
                       m the number of the word's references (Li et al., NEWS 2009)
    calibration_error  sum over ten equal bins of p of |sum over the bin of (p - correct)|,
                       divided by the answered words (Naeini et al. 2015)
    brier              mean of (p - correct)^2 over the answered words

Of references equally near the longer counts, which favours the answer: a word's variants are all
right, so the order in which they are listed should not matter. A word without an answer is wrong
with all symbols of its shortest reference, and has no part in calibration, since nothing was
claimed.

All of them are functions of sums over words; so the bootstrap (Efron 1979) draws how often each
word counts, and multiplies the counts with one matrix.

>>> outcomes = Outcomes.of([(1, 0, 3, 1.0, 0.9), (2, 1, 3, 0.5, 0.6)])
>>> {name: round(float(value), 3) for name, value in figures(outcomes.sums()).items()}
{'wer': 0.5, 'per': 0.167, 'accuracy': 0.5, 'mean_f': 0.75, 'mrr': 0.75, \
'map_ref': 0.5, 'calibration_error': 0.35, 'brier': 0.185}
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data import progress
from glyphone.data.kernels import jit
from glyphone.evaluation import distance_kernels

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Sequenced = Sequence[Hashable]

BINS = 10
RESAMPLES = 1000
# An alignment keeps a table; pairs with more cells than this are not aligned.
MOST_CELLS = 1 << 24
# Cells of a distance's table that are as much work as decoding one symbol.
CELLS_PER_SYMBOL = 8
_CHUNK = 1 << 22


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Outcomes of the answers to words.

    `ranks` is the place of the first correct answer from 1, or 0; `posteriors` is NaN for a word
    without an answer. `precisions` are the words' shares in map_ref; with one reference a word,
    by default 1 where the best answer is right, else 0.
    """

    ranks: Integers
    edits: Integers
    lengths: Integers
    f_scores: Floats
    posteriors: Floats
    precisions: Floats | None = None

    @classmethod
    def of(
        cls,
        rows: Iterable[tuple[int, int, int, float, float]],
        *,
        precisions: Sequence[float] | None = None,
    ) -> Outcomes:
        """From (rank, edits, length, F, posterior) of each word, and its average precision."""
        table = np.array(list(rows), np.float64).reshape(-1, 5)
        ranks, edits, lengths = table[:, :3].astype(np.int64).T
        precision_column = None if precisions is None else np.array(precisions, np.float64)
        return cls(
            ranks, edits, lengths, table[:, 3], np.clip(table[:, 4], 0.0, 1.0), precision_column
        )

    @property
    def correct(self) -> NDArray[np.bool_]:
        right: NDArray[np.bool_] = self.ranks == 1
        return right

    def columns(self) -> Floats:
        """A row for each word, whose sums are all that the figures need."""
        answered = ~np.isnan(self.posteriors)
        gaps = np.where(answered, self.posteriors - self.correct, 0.0)
        binned = np.zeros((len(self.ranks), BINS))
        places = np.flatnonzero(answered)
        binned[places, bin_of(self.posteriors[places])] = gaps[places]
        reciprocal = np.where(self.ranks > 0, 1 / np.maximum(self.ranks, 1), 0.0)
        plain = (
            np.ones(len(self.ranks)), self.correct, self.edits, self.lengths, self.f_scores,
            reciprocal, self.correct if self.precisions is None else self.precisions, answered,
            gaps**2,
        )  # fmt: skip
        return np.column_stack([*plain, binned])

    def sums(self) -> Floats:
        total: Floats = self.columns().sum(axis=0)
        return total


def figures(sums: Floats) -> dict[str, Floats]:
    """The measures by name, from the sums of one sample or of many."""
    words, correct, edits, lengths, f_score, reciprocal, precision, answered, squares = np.moveaxis(
        sums[..., :-BINS], -1, 0
    )
    answered = np.maximum(answered, 1)
    return {
        "wer": (words - correct) / words,
        # Without stress a reference may be empty.
        "per": edits / np.maximum(lengths, 1),
        "accuracy": correct / words,
        "mean_f": f_score / words,
        "mrr": reciprocal / words,
        "map_ref": precision / words,
        "calibration_error": np.abs(sums[..., -BINS:]).sum(axis=-1) / answered,
        "brier": squares / answered,
    }


def intervals(
    outcomes: Outcomes, *, seed: int = 0, resamples: int = RESAMPLES, level: float = 0.95
) -> dict[str, tuple[float, float]]:
    """Percentile bootstrap intervals over source words.

    An expected calibration error cannot fall below zero, so its interval lies above the figure
    itself where the sample is small.
    """
    sums = resampled_sums(outcomes.columns(), seed=seed, resamples=resamples)
    return percentile_intervals(figures(sums), level=level)


@progress.step("drawing samples for intervals")
def resampled_sums(columns: Floats, *, seed: int = 0, resamples: int = RESAMPLES) -> Floats:
    """Sums over rows that are drawn with replacement, a row for each sample."""
    generator = np.random.default_rng(seed)
    return np.concatenate(
        [counts @ columns for counts in _draws(generator, len(columns), resamples)]
    )


def percentile_intervals(
    values: Mapping[str, Floats], *, level: float = 0.95
) -> dict[str, tuple[float, float]]:
    """The interval of each figure, from its values in many samples."""
    tails = [(1 - level) / 2, (1 + level) / 2]
    bounds = {name: np.quantile(found, tails) for name, found in values.items()}
    return {name: (float(low), float(high)) for name, (low, high) in bounds.items()}


def _draws(generator: np.random.Generator, words: int, resamples: int) -> Iterator[Floats]:
    """How often each word is drawn in each resample, some resamples at a time."""
    most = max(1, _CHUNK // words)
    for first in range(0, resamples, most):
        counts = np.empty((min(most, resamples - first), words))
        for row in counts:
            row[:] = np.bincount(generator.integers(words, size=words), minlength=words)
        yield counts


def bin_of(posteriors: Floats) -> Integers:
    """The bin of each posterior: from k/10 up to, not including, (k + 1)/10; the last has 1 too."""
    return np.minimum((posteriors * BINS).astype(np.int64), BINS - 1)


@dataclass(frozen=True)
class Bin:
    """A row of a reliability table: mean posterior and accuracy of the answers in a bin."""

    low: float
    high: float
    count: int
    posterior: float
    accuracy: float


def reliability(outcomes: Outcomes) -> tuple[Bin, ...]:
    """The bins that hold answers."""
    answered = ~np.isnan(outcomes.posteriors)
    posteriors, correct = outcomes.posteriors[answered], outcomes.correct[answered]
    places = bin_of(posteriors)
    rows = []
    for place in np.unique(places).tolist():
        inside = places == place
        rows.append(
            Bin(
                place / BINS,
                (place + 1) / BINS,
                int(inside.sum()),
                float(posteriors[inside].mean()),
                float(correct[inside].mean()),
            )
        )
    return tuple(rows)


def top_n(ranks: Integers, n: int) -> float:
    """The share of words with a correct answer among the first n."""
    return float(np.mean((ranks > 0) & (ranks <= n)))


def average_precision(correct: Sequence[bool], references: int) -> float:
    """A word's share in map_ref: `correct` says of its answers in order whether each is right.

    The task's paper prints the sum of counts; that it is to be 1 where the first answers are all
    the references makes them shares of the k best.

    >>> average_precision([True, True, False], 2), average_precision([False, True], 2)
    (1.0, 0.25)
    """
    shares = [sum(correct[:k]) / k for k in range(1, references + 1)]
    return sum(shares) / references if references else 0.0


def f_score(candidate: int, reference: int, indels: int) -> float:
    """F of the longest common subsequence, from two lengths and the distance without substitutions.

    2PR / (P + R) is 2 LCS / (|c| + |r|), which is 0 and not undefined where nothing is shared.

    >>> f_score(3, 4, 1)  # abc, abxc
    0.8571428571428571
    """
    both = candidate + reference
    return (both - indels) / both if both else 1.0


def edit_distances(
    pairs: Sequence[tuple[Sequenced, Sequenced]], *, substitution: int = 1
) -> Integers:
    """The distances of many pairs; with a substitution at 2, by insertions and deletions alone.

    >>> edit_distances([("kitten", "sitting")]), edit_distances([("ab", "ac")], substitution=2)
    (array([3]), array([2]))
    """
    sequences = [sequence for pair in pairs for sequence in pair]
    labels, bounds = _encoded(sequences)
    places = np.arange(0, len(sequences), 2)
    kernels = _kernels(sum(len(one) * len(other) for one, other in pairs))
    distances: Integers = kernels.distances(labels, bounds, places, places + 1, substitution)
    return distances


def edit_distance(one: Sequenced, other: Sequenced) -> int:
    """Levenshtein's distance.

    >>> edit_distance("kitten", "sitting")
    3
    """
    return int(edit_distances([(one, other)])[0])


def alignment(reference: Sequence[str], output: Sequence[str]) -> list[tuple[str, str]]:
    """Both sequences symbol by symbol, with "" where one has nothing; ties as in `align`.

    >>> alignment("kitten", "itting")
    [('k', ''), ('i', 'i'), ('t', 't'), ('t', 't'), ('e', 'i'), ('n', 'n'), ('', 'g')]
    """
    return [
        (reference[i] if i >= 0 else "", output[j] if j >= 0 else "")
        for i, j in aligned_places(reference, output)
    ]


def aligned_places(one: Sequenced, other: Sequenced) -> list[tuple[int, int]]:
    """The places that the fewest edits bring together, -1 for none; ties as in `align`.

    >>> aligned_places("ab", "b")
    [(0, -1), (1, 0)]
    """
    labels, (_, cut, _) = _encoded([one, other])
    places = _kernels(len(one) * len(other)).align(labels[:cut], labels[cut:])
    return [(i, j) for i, j in places.tolist()]


def _encoded(sequences: Sequence[Sequenced]) -> tuple[Integers, Integers]:
    """Sequences of anything, end to end as numbers."""
    numbers: dict[Hashable, int] = {}
    labels = [
        numbers.setdefault(symbol, len(numbers)) for sequence in sequences for symbol in sequence
    ]
    bounds = [0, *accumulate(map(len, sequences))]
    return np.array(labels, np.int64), np.array(bounds, np.int64)


def _kernels(cells: int) -> Any:
    return jit.tier(distance_kernels, cells // CELLS_PER_SYMBOL)

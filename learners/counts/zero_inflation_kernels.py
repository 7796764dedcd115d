"""EM for the zero-inflated binomial, for all words of a class at once.

A document without the word is off topic with probability r, one with it is not. With s documents,

    r_i = z / (z + (1 - z) (1 - p)^n_i)
    Z = sum r,  X = sum x,  N = sum (1 - r_i) n_i;   z = Z / s,  p = X / N

which is figure 5 of Jansche (2003) with its two misprints put right. Documents without the word
matter by their length only, so they stand in a histogram, from which those with it are taken out.
EM is slow where a word is rare. The sums that it needs give the gradient of the likelihood, too,
and two more the curvature: where Newton's step from there climbs, it is taken instead, so that the
likelihood never falls.

>>> lengths, histogram = np.array([20.0, 40.0, 60.0]), np.array([2.0, 2.0, 2.0])
>>> counts, places = np.array([1.0, 4.0, 2.0]), np.array([0, 1, 2])
>>> zero_inflated(
...     lengths, histogram, np.array([0, 3]), counts, places, (0.0, 0.0, 0.0), 1e-8, 200
... ).round(2).tolist()
[[7.0, 135.99, 2.46]]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel

Array = Any
# A product of probabilities becomes a sum of logarithms before it underflows.
SMALL = 1e-100
# z and p stay so far from 0 and 1 that their logarithms are numbers.
MARGIN = 1e-13
# The longest and shortest steps of Newton's method, in the logit of z and the logarithm of p.
FARTHEST, NEAREST = 2.0, 1e-3


class WordCounts(NamedTuple):
    """Absences of a word by length; of the documents that have it, number, tokens and counts."""

    lengths: Array
    absences: Array
    documents: float
    off_topic: float
    presences: float
    tokens: float
    occurrences: float


class Expectations(NamedTuple):
    """Expectations under z and p: off-topic documents, on-topic tokens, and the likelihood.

    The last three are sums of r (1 - r), of it times n, and times n^2.
    """

    z: float
    p: float
    off_topic: float
    tokens: float
    likelihood: float
    doubts: float
    doubts_n: float
    doubts_nn: float


@kernel
def clipped_probability(value: float) -> float:
    """A value as a probability whose logarithms are numbers."""
    return min(max(value, MARGIN), 1.0 - MARGIN)


@kernel
def expectation_step(word: WordCounts, z: float, p: float) -> Expectations:
    """The expectations under z and p: the E-step of EM."""
    off, tokens, product = word.off_topic, word.tokens, 1.0
    doubts, doubts_n, doubts_nn = 0.0, 0.0, 0.0
    log_q = np.log1p(-p)
    likelihood = word.presences * np.log1p(-z) + word.occurrences * np.log(p)
    likelihood += (word.tokens - word.occurrences) * log_q + word.off_topic * np.log(z)
    for i in range(len(word.lengths)):
        times, n = word.absences[i], word.lengths[i]
        if times == 0:
            continue
        other = (1.0 - z) * np.exp(n * log_q)
        both = z + other
        r = z / both
        off += times * r
        tokens += times * n * (1.0 - r)
        doubt = times * r * (1.0 - r)
        doubts += doubt
        doubts_n += doubt * n
        doubts_nn += doubt * n * n
        if times > 1 or both < SMALL:
            likelihood += times * np.log(both)
            continue
        product *= both
        if product < SMALL:
            likelihood += np.log(product)
            product = 1.0
    likelihood += np.log(product)
    return Expectations(z, p, off, tokens, likelihood, doubts, doubts_n, doubts_nn)


@kernel
def newton_step(word: WordCounts, last: Expectations, reach: float) -> tuple[float, float]:
    """z and p after a step of Newton's method on the logit of z and the logarithm of p.

    Along the ridge where p is best for each z, the likelihood may well be convex; then the step is
    as long as it may be, which is `reach`.
    """
    z, p = last.z, last.p
    odds = p / (1.0 - p)
    rest = last.tokens - word.occurrences
    slope_z = last.off_topic - word.documents * z
    slope_p = word.occurrences - odds * rest
    zz = last.doubts - word.documents * z * (1.0 - z)
    zp = odds * last.doubts_n
    pp = odds * odds * last.doubts_nn - odds / (1.0 - p) * rest
    if not pp < 0.0:
        return z, p
    slope, bend = slope_z - zp / pp * slope_p, zz - zp * zp / pp
    by_z = -slope / bend if bend < 0.0 else reach * np.sign(slope)
    by_z = min(max(by_z, -reach), reach)
    by_p = min(max(-(slope_p + zp * by_z) / pp, -reach), reach)
    logit = np.log(z / (1.0 - z)) + by_z
    return clipped_probability(1.0 / (1.0 + np.exp(-logit))), clipped_probability(p * np.exp(by_p))


@kernel
def run_em(word: WordCounts, tolerance: float, max_steps: int) -> Expectations:
    """The expectations at the end of EM, which begins at z = 0.5 and the p of the binomial."""
    tokens = word.tokens + (word.lengths * word.absences).sum()
    last = expectation_step(word, 0.5, clipped_probability(word.occurrences / tokens))
    reach = FARTHEST
    for _ in range(max_steps):
        z, p = newton_step(word, last, reach)
        found = expectation_step(word, z, p)
        climbs = found.likelihood > last.likelihood
        reach = min(4.0 * reach, FARTHEST) if climbs else reach / 4.0
        if not climbs:
            z, p = last.off_topic / word.documents, word.occurrences / last.tokens
            found = expectation_step(word, clipped_probability(z), clipped_probability(p))
        gain = found.likelihood - last.likelihood
        if gain > 0.0:
            last = found
        # A short step of EM alone does not mean that the top is near.
        if gain <= tolerance * abs(last.likelihood) and (climbs or reach < NEAREST):
            break
    return last


@kernel
def zero_inflated(
    lengths: Array, histogram: Array, starts: Array, counts: Array, places: Array,
    smoothing: tuple[float, float, float], tolerance: float, max_steps: int,
) -> Array:  # fmt: skip
    """X, N and Z of each word w, which occurs counts[e] times for e from starts[w].

    The length of that document is lengths[places[e]]. `smoothing` are occurrences, tokens and
    documents of both kinds that are added to what was seen, and are in the result. Without it, a
    word that never occurs stays at the z of 0.5 that EM begins with: nothing is known of it.
    """
    n_words, (more_x, more_n, more_z) = len(starts) - 1, smoothing
    documents = histogram.sum() + 2.0 * more_z
    found, unseen = np.empty((n_words, 3)), -1
    for w in range(n_words):
        if starts[w] == starts[w + 1] and unseen >= 0:  # as are most words in most classes
            found[w] = found[unseen]
            continue
        absences, tokens, occurrences = histogram.copy(), more_n, more_x
        for e in range(starts[w], starts[w + 1]):
            absences[places[e]] -= 1.0
            tokens += lengths[places[e]]
            occurrences += counts[e]
        presences = starts[w + 1] - starts[w] + more_z
        word = WordCounts(lengths, absences, documents, more_z, presences, tokens, occurrences)
        found[w, 0] = occurrences
        if occurrences == 0:
            found[w, 1], found[w, 2] = (lengths * histogram).sum() / 2, documents / 2
        else:
            last = run_em(word, tolerance, max_steps)
            found[w, 1], found[w, 2] = last.tokens, last.off_topic
        if starts[w] == starts[w + 1]:
            unseen = w
    return found

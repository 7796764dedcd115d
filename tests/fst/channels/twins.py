"""A noisy channel by enumeration: all cuts of all pairs, and sums over them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from glyphone.data.records import Pair
from glyphone.fst.channels.channel import Reading

MOST_PIECES = 6


def cuts(pair: Pair) -> Iterator[tuple[Reading, ...]]:
    """All ways to give each character one segment of one to a few pieces."""
    n = len(pair.target)
    for inner in combinations(range(1, n), len(pair.source) - 1):
        places = (0, *inner, n)
        if all(b - a <= MOST_PIECES for a, b in pairwise(places)):
            segments = ["".join(pair.target[a:b]) for a, b in pairwise(places)]
            yield tuple(zip(pair.source, segments, strict=True))


def trained(pairs: Sequence[Pair], rounds: int) -> tuple[dict[Reading, float], list[float]]:
    """P(segment | character) after rounds of EM from a uniform start, and the likelihoods."""
    channel: Mapping[Reading, float] = defaultdict(lambda: 1.0)
    likelihoods = []
    for _ in range(rounds):
        counts: dict[Reading, float] = defaultdict(float)
        likelihood = 0.0
        for pair in pairs:
            weights = {cut: math.prod(channel[reading] for reading in cut) for cut in cuts(pair)}
            total = sum(weights.values())
            if total:
                likelihood += math.log(total)
            for cut, weight in weights.items():
                for reading in cut:
                    counts[reading] += weight / total
        totals: dict[str, float] = defaultdict(float)
        for (character, _), count in counts.items():
            totals[character] += count
        found: dict[Reading, float] = defaultdict(float)
        for reading, count in counts.items():
            found[reading] = count / totals[reading[0]]
        channel = found
        likelihoods.append(likelihood)
    return dict(channel), likelihoods


def best(pair: Pair, channel: Mapping[Reading, float]) -> float:
    """The probability of the best cut of a pair; 0 if there is none."""
    return max((score(cut, channel) for cut in cuts(pair)), default=0.0)


def score(cut: Sequence[Reading], channel: Mapping[Reading, float]) -> float:
    return math.prod(channel.get(reading, 0.0) for reading in cut)

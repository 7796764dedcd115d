"""A noisy channel: strings of characters, each read as one segment of a reading.

    P(K, r) = P(K) * sum over the ways to cut r into as many segments of the product of P(r_i | K_i)

(Jansche and Sproat 2009, "Named Entity Transcription with Pair n-Gram Models", section 7). A
reading is given in pieces; a segment is one piece or several. The channel is learnt by
expectation-maximisation over all cuts, and in the end from the best cut of each pair. Because every
character has exactly one segment, an aligner of one character to several pieces computes just that:
the frequencies of the characters are a constant factor of all cuts of a pair.

How a character is read depends on whether it is the first (kawa, but -gawa), so that the channel
has two columns, each drawn to their common estimate.

>>> names = {"山田": "ya ma da", "山川": "ya ma ka wa", "川田": "ka wa da", "田山": "ta ya ma"}
>>> names["田川"] = "ta ga wa"
>>> pairs = [Pair(tuple(kanji), tuple(pieces.split())) for kanji, pieces in names.items()]
>>> found = segment_pairs(pairs)
>>> [" ".join(segment for _, segment in row) for row in found.rows]
['yama da', 'yama kawa', 'kawa da', 'ta yama', 'ta gawa']
>>> channel = fit_channel(found.rows)
>>> reading = channel.readings.index(("川", "gawa"))
>>> [round(float(np.exp(column[reading])), 2) for column in (channel.first, channel.later)]
[0.22, 0.42]
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from glyphone.data import progress
from glyphone.data.records import Pair
from glyphone.fst.alignment.training import AlignmentOptions, Refusal, fit
from glyphone.fst.ngrams.model import NgramModel

# A character and the segment that it is read as.
Reading = tuple[str, str]
Floats = NDArray[np.float64]

# EM: six rounds do, and no character is read as more pieces than these (kokorozashi).
ROUNDS, MOST_PIECES = 6, 6
# A reading that is rarer than this among those of its character is dropped.
LEAST = 1e-3
# The weight, in readings, of the estimate from all places at each of the two.
PULL = 2.0


@dataclass(frozen=True)
class Segmentation:
    """Pairs as rows of readings of their characters, and refusals of pairs that cannot be cut."""

    rows: tuple[tuple[Reading, ...], ...]
    weights: tuple[float, ...]
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, eq=False)
class Channel:
    """ln P(segment | character) of each reading, of a first character and of a later one.

    Readings stand by characters, these in order.
    """

    readings: tuple[Reading, ...]
    first: Floats
    later: Floats

    @cached_property
    def characters(self) -> tuple[str, ...]:
        return tuple(character for character, _ in groupby(self.readings, key=lambda one: one[0]))

    @cached_property
    def numbers(self) -> dict[Reading, int]:
        return {reading: number for number, reading in enumerate(self.readings)}


@progress.step("cutting readings")
def segment_pairs(
    pairs: Sequence[Pair], *, rounds: int = ROUNDS, least: float = LEAST, jobs: int = 1
) -> Segmentation:
    """The best cut of each pair of characters and pieces, by readings that are not too rare."""
    options = AlignmentOptions(
        max_source=1,
        max_target=MOST_PIECES,
        deletions=False,
        initial="uniform",
        rounds=rounds,
        tolerance=0.0,
    )
    alignments, refusals = fit(pairs, options, jobs=jobs).align_all(pairs, jobs=jobs)
    rows, weights = list[tuple[Reading, ...]](), list[float]()
    for pair, alignment in zip(pairs, alignments, strict=True):
        if alignment is not None:
            rows.append(tuple((x, "".join(y)) for (x,), y in alignment.units))
            weights.append(pair.weight)
    counts = count_readings(rows, weights)
    known = {one for ones in counts.values() for one in frequent_readings(ones, least)}
    kept = [k for k, row in enumerate(rows) if known.issuperset(row)]
    return Segmentation(
        tuple(rows[k] for k in kept), tuple(weights[k] for k in kept), tuple(refusals)
    )


def count_readings(
    rows: Sequence[Sequence[Reading]], weights: Sequence[float]
) -> dict[str, Counter[Reading]]:
    """The count of each reading of each character."""
    counts: dict[str, Counter[Reading]] = {}
    for row, weight in zip(rows, weights, strict=True):
        for reading in row:
            counts.setdefault(reading[0], Counter())[reading] += weight  # type: ignore[assignment]
    return counts


def frequent_readings(counts: Counter[Reading], least: float) -> list[Reading]:
    total = sum(counts.values())
    return [reading for reading, count in counts.items() if count >= least * total]


def fit_channel(
    rows: Sequence[Sequence[Reading]],
    weights: Sequence[float] | None = None,
    *,
    pull: float = PULL,
) -> Channel:
    """The channel of readings in names; with infinite `pull` both columns are equal."""
    weights = weights or [1.0] * len(rows)
    all_counts = count_readings(rows, weights)
    first_counts = count_readings([row[:1] for row in rows], weights)
    readings = sorted(reading for counts in all_counts.values() for reading in counts)
    columns = np.empty((2, len(readings)))
    for place, reading in enumerate(readings):
        both, firsts = all_counts[reading[0]], first_counts.get(reading[0], Counter())
        total, first_total = sum(both.values()), sum(firsts.values())
        share, count, first = both[reading] / total, both[reading], firsts[reading]
        if math.isinf(pull):
            columns[:, place] = share
        else:
            columns[0, place] = (first + pull * share) / (first_total + pull)
            columns[1, place] = (count - first + pull * share) / (total - first_total + pull)
    logs = np.log(columns)
    return Channel(tuple(readings), logs[0], logs[1])


def compose_channel(channel: Channel, source: NgramModel) -> NgramModel:
    """P(K) P(r | K) as an n-gram model over readings, from P(K) over the channel's characters.

    Histories are of characters. The start state lists every reading, as the readings of first
    characters have other probabilities.
    """
    sizes = Counter(character for character, _ in channel.readings)
    widths = np.array([*(sizes[character] for character in channel.characters), 1])
    begins = np.concatenate([[0], np.cumsum(widths)])
    later, first = np.append(channel.later, 0.0), np.append(channel.first, -np.inf)

    usual = source.sources() != source.start
    tokens = np.concatenate([source.tokens[usual], np.arange(source.vocabulary_size)])
    states = np.concatenate(
        [source.sources()[usual], np.full(source.vocabulary_size, source.start)]
    )
    starting = [source.advance(source.start, token) for token in range(source.vocabulary_size)]
    log_probs = np.concatenate([source.log_probs[usual], [log_prob for log_prob, _ in starting]])
    targets = np.concatenate([source.targets[usual], [target for _, target in starting]])

    n_each = widths[tokens]
    arcs = np.repeat(np.arange(len(tokens)), n_each)
    within = np.arange(len(arcs)) - np.repeat(np.cumsum(n_each) - n_each, n_each)
    readings = begins[tokens[arcs]] + within
    heard = np.where(states[arcs] == source.start, first[readings], later[readings])
    order = np.lexsort((readings, states[arcs]))
    offsets = np.zeros(source.n_states + 1, np.int64)
    np.cumsum(np.bincount(states[arcs], minlength=source.n_states), out=offsets[1:])
    backoffs = source.backoffs.copy()
    backoffs[source.start] = -np.inf
    return NgramModel(
        len(channel.readings),
        source.start,
        offsets,
        readings[order].astype(np.int32),
        (log_probs[arcs] + heard)[order],
        targets[arcs][order].astype(np.int32),
        source.backoff_states,
        backoffs,
        source.levels,
    )

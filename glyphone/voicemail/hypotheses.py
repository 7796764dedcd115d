"""Findings in several hypotheses of a recogniser: n-best lists and confusion networks.

A hypothesis has words, a weight, and the place of each word in the first hypothesis.
Words of an n-best list are aligned by edit distance (Wagner and Fischer 1974); the n best paths
through the slots of a network are its hypotheses (Mangu, Brill and Stolcke 2000). A finding is
weighted by the share of its hypothesis; equal findings of several hypotheses add up.

>>> [first, other] = align_list((("it's", "pat", "here"), 0.0), [(("its", "here"), -1.0)])
>>> other.places, round(first.share, 3)
((1, 2), 0.731)
>>> slots = [[("a", 0.6), ("b", 0.4)], [("c", 0.9), ("", 0.1)]]
>>> [" ".join(one.words) for one in best_paths(slots, 3)]
['a c', 'b c', 'a']
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from glyphone.evaluation import measures
from glyphone.voicemail.callers.model import Caller, NameSpans
from glyphone.voicemail.callers.pair import CallerPair
from glyphone.voicemail.findings import Findings
from glyphone.voicemail.numbers.model import NumberModel
from glyphone.voicemail.records.candidates import NumberCandidate
from glyphone.voicemail.records.messages import Span
from glyphone.voicemail.records.transcripts import Transcript, Words

# Paths through a network.
MOST = 16
KEPT = 0.5
Slots = Sequence[Sequence[tuple[str, float]]]


@dataclass(frozen=True)
class WordHypothesis:
    """A hypothesis: its words, its share, and the place of each word in the first hypothesis."""

    words: Words
    share: float
    places: tuple[int, ...]


def hypotheses_of(message: Transcript) -> list[WordHypothesis]:
    """The hypotheses of a transcript; the first has its words."""
    if not message.slots:
        return align_list((message.words, message.score), message.others)
    return best_paths(message.slots, MOST)


def align_list(
    first: tuple[Words, float], others: Iterable[tuple[Words, float]]
) -> list[WordHypothesis]:
    """The hypotheses of an n-best list of words with log weights, aligned with the first."""
    rows = [first, *others]
    best = max(score for _, score in rows)
    weights = [math.exp(score - best) for _, score in rows]
    return [
        WordHypothesis(words, weight / sum(weights), places_of(words, first[0]))
        for (words, _), weight in zip(rows, weights, strict=True)
    ]


def places_of(words: Words, first: Words) -> tuple[int, ...]:
    """The word of `first` that each word is aligned with by the fewest edits, or the next one."""
    if words == first:
        return tuple(range(len(first)))
    places, following = [0] * len(words), 0
    for place, word in measures.aligned_places(first, words):
        if word >= 0:
            places[word] = max(0, min(following, len(first) - 1)) if place < 0 else place
        following = max(following, place + 1)
    return tuple(places)


def best_paths(slots: Slots, n: int) -> list[WordHypothesis]:
    """The n best paths through the slots of a confusion network, best first, ties by rank."""
    ranked = [sorted(slot, key=lambda pair: -pair[1]) for slot in slots]
    costs = [[-math.log(max(share, 1e-12)) for _, share in slot] for slot in ranked]
    # Successors of a path take the next word of one slot, at or behind its last change.
    waiting = [(sum(row[0] for row in costs), (0,) * len(slots), 0)]
    best: list[tuple[float, tuple[int, ...]]] = []
    while waiting and len(best) < n:
        cost, ranks, begin = heapq.heappop(waiting)
        best.append((cost, ranks))
        for k in range(begin, len(slots)):
            if ranks[k] + 1 < len(ranked[k]):
                more = costs[k][ranks[k] + 1] - costs[k][ranks[k]]
                after = (*ranks[:k], ranks[k] + 1, *ranks[k + 1 :])
                heapq.heappush(waiting, (cost + more, after, k))
    weights = [math.exp(best[0][0] - cost) for cost, _ in best]
    spoken = [int(slot[0][0] != "") for slot in ranked]
    before = [0, *accumulate(spoken)]
    last = max(0, before[-1] - 1)
    hypotheses = []
    for (_, ranks), weight in zip(best, weights, strict=True):
        chosen = [(k, ranked[k][rank][0]) for k, rank in enumerate(ranks) if ranked[k][rank][0]]
        words = tuple(word for _, word in chosen)
        places = tuple(min(before[k], last) for k, _ in chosen)
        hypotheses.append(WordHypothesis(words, weight / sum(weights), places))
    return hypotheses


def find_in_hypotheses(
    callers: CallerPair, numbers: NumberModel, message: Transcript, *, names: int = 0
) -> Findings:
    """The findings in a message of several hypotheses; spans count words of the first."""
    hypotheses = hypotheses_of(message)
    words = [hypothesis.words for hypothesis in hypotheses]
    size = len(message.words)
    found, names_of_each = zip(*callers.find_with_names(words, names), strict=True)
    shares = [hypothesis.share for hypothesis in hypotheses]
    return Findings(
        message,
        combine_callers(hypotheses, found, size),
        combine_numbers(hypotheses, numbers.find(words), size),
        add_up_names(zip(words, names_of_each, shares, strict=True)),
    )


def add_up_names(
    hypotheses: Iterable[tuple[Words, NameSpans, float]],
) -> tuple[tuple[str, float], ...]:
    """The names of callers in hypotheses, which have words, spans of names and a share, each with
    the sum of its probabilities."""
    names: dict[str, float] = defaultdict(float)
    for words, spans, share in hypotheses:
        for span, probability in spans:
            names[" ".join(words[slice(*span)])] += share * probability
    return tuple(names.items())


def span_in_first(span: Span, hypothesis: WordHypothesis, size: int) -> Span:
    """A span of a hypothesis as a span of the first hypothesis, which has `size` words."""
    places = hypothesis.places[slice(*span)]
    return min(places), min(size, max(places) + 1)


def combine_callers(
    hypotheses: Sequence[WordHypothesis], callers: Sequence[Caller], size: int
) -> Caller:
    """The caller with the greatest sum of probabilities over all hypotheses."""
    phrases: dict[tuple[Span, Span | None], list[float]] = defaultdict(lambda: [0.0, 0.0])
    pairs = [*zip(hypotheses, callers, strict=True)]
    anyone = sum(hypothesis.share * caller.anyone for hypothesis, caller in pairs)
    for hypothesis, caller in pairs:
        if caller.phrase is not None and size:
            name = span_in_first(caller.name, hypothesis, size) if caller.name else None
            sums = phrases[span_in_first(caller.phrase, hypothesis, size), name]
            sums[0] += hypothesis.share * caller.phrase_probability
            sums[1] += hypothesis.share * caller.name_probability
    if not phrases or anyone < KEPT:
        return Caller(None, None, anyone, 0.0, 0.0)
    (phrase, name), (of_phrase, of_name) = max(phrases.items(), key=lambda row: row[1][0])
    return Caller(phrase, name, anyone, of_phrase, of_name)


def combine_numbers(
    hypotheses: Sequence[WordHypothesis],
    candidates_of: Sequence[Sequence[NumberCandidate]],
    size: int,
) -> tuple[NumberCandidate, ...]:
    """Candidates of all hypotheses; candidates with equal digits in one place are merged."""
    together: dict[tuple[str, str, Span], tuple[NumberCandidate, float]] = {}
    for hypothesis, candidates in zip(hypotheses, candidates_of, strict=True):
        for candidate in candidates if size else ():
            span = span_in_first(candidate.span, hypothesis, size)
            key = (candidate.digits, candidate.extension, span)
            kept, score = together.get(key, (candidate, 0.0))
            together[key] = (kept, score + hypothesis.share * candidate.score)
    rows = [
        replace(one, begin=span[0], end=span[1], score=score, replaced_by=None)
        for (_, _, span), (one, score) in together.items()
    ]
    return decide_overlaps(rows)


def decide_overlaps(rows: Iterable[NumberCandidate]) -> tuple[NumberCandidate, ...]:
    """Keeps the likeliest of candidates that overlap, if its probability is 1/2 or more."""
    taken: list[NumberCandidate] = []
    decided = []
    for one in sorted(rows, key=lambda row: (-row.score, row.begin, row.end)):
        rival = next((other for other in taken if other.overlaps(one)), None)
        if rival is not None:
            reason = f"{rival.display} is likelier"
        else:
            reason = "" if one.score >= KEPT else one.reason or "unlikely"
        decided.append(replace(one, kept=not reason, reason=reason))
        if not reason:
            taken.append(one)
    return tuple(sorted(decided, key=lambda row: (row.begin, row.end, row.digits)))

"""Relations between candidates of one message: repeats support, corrections replace.

A number is repeated if other words of the message have the same digits, with or without the area
code. A number replaces the number before it if a word between them is a cue of a correction
("wrong", "i meant"), both have the same length, and half of their digits agree.

>>> first = NumberCandidate(0, 7, "5551213")
>>> other = NumberCandidate(12, 19, "5551212")
>>> words = [*"5551213", "wait", "i'm", "wrong", "it's", "really", *"5551212"]
>>> candidates = relate_candidates([first, other], words)
>>> [candidate.replaced_by for candidate in candidates]
[1, None]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from glyphone.grammars.eng.phone_numbers import phrases_of
from glyphone.voicemail.proposals.vocabulary import strip_punctuation
from glyphone.voicemail.records.candidates import NumberCandidate, change_candidate

# Digits that two mentions of a number have in common at their ends.
SHARED = 7
# The factor of the posterior of digits that are repeated.
SUPPORT = 8.0
# Words that may stand between a number and the one that corrects it.
FURTHEST = 15
SAID_ALONE = {phrase for phrase in phrases_of("cue") if " " not in phrase}
TAKEN_BACK = SAID_ALONE | {"wrong", "mistake", "instead", "old", "mean", "meant", "misspoke"}


def relate_candidates(
    candidates: list[NumberCandidate], words: Sequence[str]
) -> list[NumberCandidate]:
    """The candidates of a message, sorted by begin, with supports and replacements filled in."""
    if len(candidates) < 2:
        return candidates
    if any(candidate.alternatives[1:] for candidate in candidates):
        mentions = count_mentions(
            [
                (candidate.begin, candidate.end, number_key(candidate.digits))
                for candidate in candidates
            ]
        )
        candidates = [
            reweigh_alternatives(candidate, mentions) if candidate.alternatives[1:] else candidate
            for candidate in candidates
        ]
    keys = [number_key(candidate.digits) for candidate in candidates]
    if len({*keys}) < len(keys):
        spans = zip(
            (candidate.begin for candidate in candidates),
            (candidate.end for candidate in candidates),
            keys,
            strict=True,
        )
        counts = count_mentions(spans)
        candidates = [
            change_candidate(candidate, support=counts[own] - 1) if counts[own] > 1 else candidate
            for candidate, own in zip(candidates, keys, strict=True)
        ]
    apart = [place for place, candidate in enumerate(candidates) if candidate.maximal]
    taken_back = [
        (place, after)
        for place, after in pairwise(apart)
        if takes_back(candidates[place], candidates[after], words)
    ]
    if taken_back:
        candidates = [*candidates]
        for place, after in taken_back:
            candidates[place] = change_candidate(candidates[place], replaced_by=after)
    return candidates


def number_key(digits: str) -> str:
    return digits[-SHARED:]


def count_mentions(spans: Iterable[tuple[int, int, str]]) -> dict[str, int]:
    """The count of mentions of each number in words that do not overlap."""
    counts: dict[str, int] = defaultdict(int)
    ends: dict[str, int] = defaultdict(int)
    for begin, end, digits in spans:
        if begin >= ends[digits]:
            counts[digits] += 1
            ends[digits] = end
    return counts


def reweigh_alternatives(
    candidate: NumberCandidate, mentions: Mapping[str, int]
) -> NumberCandidate:
    """The candidate with new posteriors: alternatives that are mentioned elsewhere gain."""
    own = number_key(candidate.digits)
    weights = [
        way.posterior
        * (
            SUPPORT
            if mentions.get(number_key(way.digits), 0) > (number_key(way.digits) == own)
            else 1
        )
        for way in candidate.alternatives
    ]
    total = sum(weights)
    ways = [
        way._replace(posterior=weight / total)
        for way, weight in zip(candidate.alternatives, weights, strict=True)
    ]
    best, *_ = ways = sorted(ways, key=lambda way: -way.posterior)
    return change_candidate(
        candidate, digits=best.digits, extension=best.extension, alternatives=tuple(ways)
    )


def takes_back(candidate: NumberCandidate, other: NumberCandidate, words: Sequence[str]) -> bool:
    if other.begin - candidate.end > FURTHEST or len(candidate.digits) != len(other.digits):
        return False
    gap = words[candidate.end : other.begin]
    if candidate.digits == other.digits:
        return False
    agree = sum(map(str.__eq__, candidate.digits, other.digits))
    return 2 * agree >= len(candidate.digits) and not TAKEN_BACK.isdisjoint(
        map(strip_punctuation, gap)
    )

"""Relations between candidates of one message: repeats support, corrections replace.

A number is repeated if other words of the message have the same digits, with or without the area
code. A number replaces the one before it if a word between them takes that back ("wrong", "i
meant"), both have the same length, and half of their digits agree.

>>> first = NumberCandidate(0, 7, "5551213")
>>> other = NumberCandidate(12, 19, "5551212")
>>> words = [*"5551213", "wait", "i'm", "wrong", "it's", "really", *"5551212"]
>>> found = relate_candidates([first, other], words)
>>> [candidate.replaced_by for candidate in found]
[1, None]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from glyphone.grammars.eng.phone_numbers import phrases
from glyphone.voicemail.proposals.vocabulary import strip_punctuation
from glyphone.voicemail.records.candidates import NumberCandidate, change_candidate

# Digits that two mentions of a number have in common at their ends.
SHARED = 7
# The factor of the posterior of digits that are repeated.
SUPPORT = 8.0
# Words that may stand between a number and the one that corrects it.
FURTHEST = 15
SAID_ALONE = {phrase for phrase in phrases("cue") if " " not in phrase}
TAKEN_BACK = SAID_ALONE | {"wrong", "mistake", "instead", "old", "mean", "meant", "misspoke"}


def relate_candidates(found: list[NumberCandidate], words: Sequence[str]) -> list[NumberCandidate]:
    """The candidates of a message, sorted by begin, with supports and replacements filled in."""
    if len(found) < 2:
        return found
    if any(one.alternatives[1:] for one in found):
        mentions = count_mentions([(one.begin, one.end, number_key(one.digits)) for one in found])
        found = [
            reweigh_alternatives(one, mentions) if one.alternatives[1:] else one for one in found
        ]
    keys = [number_key(one.digits) for one in found]
    if len({*keys}) < len(keys):
        spans = zip((one.begin for one in found), (one.end for one in found), keys, strict=True)
        counts = count_mentions(spans)
        found = [
            change_candidate(one, support=counts[own] - 1) if counts[own] > 1 else one
            for one, own in zip(found, keys, strict=True)
        ]
    apart = [place for place, one in enumerate(found) if one.maximal]
    taken_back = [
        (place, after)
        for place, after in pairwise(apart)
        if takes_back(found[place], found[after], words)
    ]
    if taken_back:
        found = [*found]
        for place, after in taken_back:
            found[place] = change_candidate(found[place], replaced_by=after)
    return found


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


def reweigh_alternatives(one: NumberCandidate, mentions: Mapping[str, int]) -> NumberCandidate:
    """The candidate with new posteriors: alternatives that are mentioned elsewhere gain."""
    own = number_key(one.digits)
    weights = [
        way.posterior
        * (
            SUPPORT
            if mentions.get(number_key(way.digits), 0) > (number_key(way.digits) == own)
            else 1
        )
        for way in one.alternatives
    ]
    total = sum(weights)
    ways = [
        way._replace(posterior=weight / total)
        for way, weight in zip(one.alternatives, weights, strict=True)
    ]
    best, *_ = ways = sorted(ways, key=lambda way: -way.posterior)
    return change_candidate(
        one, digits=best.digits, extension=best.extension, alternatives=tuple(ways)
    )


def takes_back(one: NumberCandidate, other: NumberCandidate, words: Sequence[str]) -> bool:
    if other.begin - one.end > FURTHEST or len(one.digits) != len(other.digits):
        return False
    gap = words[one.end : other.begin]
    if one.digits == other.digits:
        return False
    agree = sum(map(str.__eq__, one.digits, other.digits))
    return 2 * agree >= len(one.digits) and not TAKEN_BACK.isdisjoint(map(strip_punctuation, gap))

"""Features of candidates by their names, in plain Python: the twin of the kernels."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from glyphone.voicemail.numbers.cues import LABELS, OTHER, TOPICS, Cues
from glyphone.voicemail.numbers.features import MANNERS, SCALES, SIZE_OF, SIZES, digit_shape
from glyphone.voicemail.proposals.vocabulary import strip_punctuation
from glyphone.voicemail.records.candidates import NumberCandidate, OtherReading

BEFORE, BEHIND, NEAR, PAIRED, SURE = 8, 4, 4, 4, 0.5


def features(
    candidates: Sequence[NumberCandidate],
    readings: Sequence[OtherReading],
    words: Sequence[str],
    cues: Cues,
) -> list[list[str]]:
    """The features of each candidate of a message, given as its words."""
    taken = labels_of(candidates, readings)
    kinds = [*map(kind, words)]
    rows = []
    for one in candidates:
        near = [*around(one, words, taken, cues), *behind(one, words, taken, cues)]
        left, right = (str(step(n, SCALES.runs)) for n in left_over(one, kinds))
        near += [f"run before={left}", f"run behind={right}", f"runs={left} {right}"]
        near += [f"first={kinds[one.begin]}", f"last={kinds[one.end - 1]}"]
        size = SIZES[SIZE_OF.get(len(one.digits), 0)]
        form = digit_shape(one.digits)
        apart = [f"run before&shape={left}:{form}", f"run behind&shape={right}:{form}"]
        beside = [*near, *(f"{feature}&{size}" for feature in near)]
        alone = [*of_digits(one), *of_rivals(one, candidates), said(kinds[one.begin : one.end])]
        rows.append([*alone, *apart, *beside])
    return rows


KINDS = {
    "digit": "zero oh o nought naught one two three four five six seven eight nine niner",
    "teen": "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "tens": "twenty thirty forty fifty sixty seventy eighty ninety",
    "round": "hundred thousand",
    "twice": "double triple",
    "opening": "area extension",
}
NUMBER_KINDS = ("digit", "teen", "tens", "round", "twice")


def kind(word: str) -> str:
    word = strip_punctuation(word)
    for name, words in KINDS.items():
        if word in words.split():
            return name
    if word[:1] in [*"0123456789"]:
        return "digit" if len(word) == 1 else "figures"
    return "other"


def left_over(one: NumberCandidate, kinds: Sequence[str]) -> tuple[int, int]:
    """The counts of number words right before and right behind a candidate."""
    before, behind = one.begin, one.end
    while before and kinds[before - 1] in NUMBER_KINDS:
        before -= 1
    while behind < len(kinds) and kinds[behind] in NUMBER_KINDS:
        behind += 1
    return one.begin - before, behind - one.end


def said(kinds: Sequence[str]) -> str:
    if len(kinds) <= 4:
        return f"said={' '.join(kinds)}"
    order = ["other", *KINDS, "figures"]
    return f"said with={'+'.join(name for name in order if name in kinds)}"


def step(value: float, bounds: Sequence[float]) -> int:
    return bisect_right(list(bounds), value)


def of_digits(one: NumberCandidate) -> Iterator[str]:
    form = digit_shape(one.digits)
    yield f"shape={form}"
    yield f"posterior={step(one.posterior, SCALES.shares)}"
    yield f"share={step(one.posterior / max(one.edges, 1e-300), SCALES.shares)}"
    yield f"edges={step(one.edges, SCALES.shares)}"
    yield f"best={step(one.alternatives[0].posterior, SCALES.shares)}"
    yield f"words={step(one.end - one.begin, SCALES.words)}"
    yield f"support={min(one.support, 2)}"
    if one.support:
        yield f"support&shape={form}"
    if one.extension:
        yield f"extension={min(len(one.extension), 6)}"
    for name in ("area", "corrected", "hesitant", "maximal"):
        if getattr(one, name):
            yield f"is={name}"
    if one.replaced_by is not None:
        yield "is=replaced"


def of_rivals(one: NumberCandidate, candidates: Sequence[NumberCandidate]) -> Iterator[str]:
    rivals = [other for other in candidates if other is not one and other.overlaps(one)]
    if rivals:
        best = max(other.posterior for other in rivals)
        odds = math.log((one.posterior + 1e-9) / (best + 1e-9))
        yield f"rival={step(odds, SCALES.rivals)}"
    else:
        yield "alone"
    for label, posterior in {part.label: part.posterior for part in one.readings}.items():
        yield f"reading={label}:{step(posterior, SCALES.readings)}"


def around(
    one: NumberCandidate, words: Sequence[str], taken: Mapping[int, OtherReading], cues: Cues
) -> Iterator[str]:
    form, topic, last = digit_shape(one.digits), "none", "bound"
    seen: set[str] = set()
    for far in range(1, BEFORE + 1):
        place = one.begin - far
        label = "start" if place < 0 else label_at(place, one, taken)
        if label:
            if far <= 2:
                yield f"before{far}={label}"
            if far <= PAIRED:
                yield f"pair{far - 1}={label} {last}"
            break
        word = strip_punctuation(words[place])
        sorts = cues.sorts.get(word, (OTHER,))
        if 1 < far <= PAIRED:
            yield f"pair{far - 1}={sorts[0]} {last}"
        last = sorts[0]
        for sort in sorts:
            if far <= 2:
                yield f"before{far}={sort}"
            if sort not in seen:
                yield f"{'near' if far <= NEAR else 'far'}={sort}"
            if topic == "none" and sort in TOPICS:
                topic = sort
        if far == 1 and word in cues.sorts:
            yield f"word={word}"
        seen.update(sorts)
    yield f"topic={topic}"
    yield f"topic&shape={topic}:{form}"
    digits = 3 * (one.end - one.begin) >= 2 * (len(one.digits) + len(one.extension))
    yield f"topic&said={topic}:{MANNERS[not digits]}"
    for label in dict.fromkeys(reading.label for reading in one.readings):
        yield f"topic&reading={topic}:{label}"
    yield f"left={step(len(words) - one.end, SCALES.places)}"
    yield f"begin={step(one.begin, SCALES.places)}"


def behind(
    one: NumberCandidate, words: Sequence[str], taken: Mapping[int, OtherReading], cues: Cues
) -> Iterator[str]:
    seen: set[str] = set()
    for place in range(one.end, one.end + BEHIND):
        label = "end" if place >= len(words) else label_at(place, one, taken)
        if label:
            if place == one.end:
                yield f"next={label}"
            break
        for sort in cues.sorts.get(strip_punctuation(words[place]), (OTHER,)):
            if place == one.end:
                yield f"next={sort}"
            if sort not in seen:
                yield f"after={sort}"
                seen.add(sort)


def labels_of(
    candidates: Sequence[NumberCandidate], readings: Sequence[OtherReading]
) -> dict[int, OtherReading]:
    parts = [OtherReading(*one.span, LABELS[0], one.posterior) for one in candidates]
    sure = [part for part in (*parts, *readings) if part.posterior >= SURE]
    sure.sort(key=lambda part: part.posterior)
    return {place: part for part in sure for place in range(part.begin, part.end)}


def label_at(place: int, one: NumberCandidate, taken: Mapping[int, OtherReading]) -> str:
    part = taken.get(place)
    return "" if part is None or one.overlaps(part) else f"[{part.label}]"

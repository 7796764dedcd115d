"""Places in which the answers of a student and its teacher differ, and patterns of such places.

The spans of both answers give the letters that each symbol comes from. A word is cut wherever no
span of either is cut in two. Adjacent pieces whose answers differ are one place, without the
symbols that both begin or end with there. Its letters are those of the student's symbols, or of the
teacher's where the student has none.

>>> from glyphone.fst.transducers.model import TransducerModel
>>> from glyphone.fst.rules.cascade import cascade
>>> teacher, student = (
...     TransducerModel.of(cascade(letters="a c h", phones="a k ʃ", rules=rules))
...     for rules in (["c h -> ʃ", "c -> k", "h -> ∅"], ["c -> k", "h -> ∅"])
... )
>>> words = [Differing("ach", 0, ("a", "ʃ"), ("a", "k")), Differing("cha", 1, (), ())]
>>> found = place_differences(teacher, student, words, jobs=1)
>>> found[0].places
(Place(letters='ch', before='a', after='', teacher=('ʃ',), student=('k',)),)
>>> [(pattern.letters, pattern.count, pattern.examples) for pattern in frequent_patterns(found)]
[('ch', 2, ('ach', 'cha'))]
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, pairwise

from glyphone.data import progress
from glyphone.data.errors import ItemError
from glyphone.data.records import Hypothesis, Symbols
from glyphone.data.writing import Split, Writing
from glyphone.fst.interface.model import Model

EXAMPLES = 3
# A symbol, and the letters that it comes from.
Written = tuple[str, int, int]


@dataclass(frozen=True)
class Place:
    """Letters of a word, the one on each side of them ("" is the edge), and their outputs."""

    letters: str
    before: str
    after: str
    teacher: Symbols
    student: Symbols | None


@dataclass(frozen=True)
class Differing:
    """A word, its number among those given, and two answers to it; the student may have none."""

    text: str
    number: int
    teacher: Symbols
    student: Symbols | None
    held_out: bool = False
    error: ItemError | None = None
    places: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Pattern:
    """Places alike but for the letters around, which are counted, the most frequent first."""

    letters: str
    teacher: Symbols
    student: Symbols | None
    count: int
    held_out: int
    contexts: tuple[tuple[str, str, int], ...]
    examples: tuple[str, ...]


@progress.step("placing differences")
def place_differences(
    teacher: Model, student: Model, words: Sequence[Differing], *, jobs: int | None = None
) -> list[Differing]:
    """The words with the places in which their answers differ."""
    answers = [
        best_answers(model, [word.text for word in words], jobs) for model in (teacher, student)
    ]
    return [
        replace(word, places=tuple(differing_places(word, one, other, teacher.source.writing)))
        for word, one, other in zip(words, *answers, strict=True)
    ]


def best_answers(model: Model, texts: Sequence[str], jobs: int | None) -> list[Hypothesis | None]:
    """The best answers with their spans."""
    best: list[Hypothesis | None] = []
    for answers in model.blocks(texts, spans=True, jobs=jobs):
        hypotheses = (answers.hypotheses(item)[:1] for item in range(len(answers.firsts) - 1))
        best += [row[0] if row else None for row in hypotheses]
    return best


def differing_places(
    word: Differing, teacher: Hypothesis | None, student: Hypothesis | None, writing: Writing
) -> Iterator[Place]:
    letters = writing.split(word.text)
    whole = (0, len(letters.symbols))
    places = []
    if teacher is not None and student is not None:
        sides = [symbol_ranges(hypothesis, letters) for hypothesis in (teacher, student)]
        inside = {k for side in sides for _, a, b in side for k in range(a + 1, b)}
        cuts = [k for k in range(whole[1] + 1) if k not in inside]
        pieces = [[symbols_within(side, a, b) for side in sides] for a, b in pairwise(cuts)]
        for _, run in groupby(pieces, lambda piece: symbols_of(piece[0]) == symbols_of(piece[1])):
            one, other = (list(chain.from_iterable(side)) for side in zip(*run, strict=True))
            strip_common_ends(one, other)
            if one or other:  # or they only write the same at different letters
                begin = min(a for _, a, _ in other or one)
                end = max(b for _, _, b in other or one)
                changed = symbols_of(one), symbols_of(other)
                places.append(place_of((begin, end), *changed, letters, writing))
    yield from places or [place_of(whole, word.teacher, word.student, letters, writing)]


def symbol_ranges(hypothesis: Hypothesis, letters: Split) -> list[Written]:
    """The symbols of an answer, each with the letters that it comes from, by number."""
    last = len(letters.symbols) - 1
    ranges = []
    for symbol, (begin, end) in zip(hypothesis.symbols, hypothesis.spans, strict=True):
        first = min(max(bisect_right(letters.starts, begin) - 1, 0), last)
        ranges.append((symbol, first, max(bisect_left(letters.starts, end), first + 1)))
    return ranges


def symbols_within(side: Sequence[Written], first: int, last: int) -> list[Written]:
    return [one for one in side if first <= one[1] < last]


def symbols_of(side: Sequence[Written]) -> Symbols:
    return tuple(symbol for symbol, _, _ in side)


def strip_common_ends(one: list[Written], other: list[Written]) -> None:
    """Takes away what both begin with, and then what both end with."""
    for end in (0, -1):
        while one and other and one[end][0] == other[end][0]:
            del one[end], other[end]


def place_of(
    whole: tuple[int, int], teacher: Symbols, student: Symbols | None, letters: Split,
    writing: Writing,
) -> Place:  # fmt: skip
    first, last = whole
    symbols = letters.symbols
    return Place(
        writing.join(symbols[first:last]),
        "".join(symbols[max(first - 1, 0) : first]),
        "".join(symbols[last : last + 1]),
        teacher,
        student,
    )


def frequent_patterns(words: Iterable[Differing]) -> tuple[Pattern, ...]:
    """The most frequent first; of equally frequent ones in the order of letters and symbols."""
    seen_by_pattern: dict[tuple[str, Symbols, Symbols | None], list[tuple[Place, Differing]]] = {}
    for word in words:
        for one in word.places:
            seen_by_pattern.setdefault((one.letters, one.teacher, one.student), []).append(
                (one, word)
            )
    made = [
        Pattern(
            *key,
            count=len(seen),
            held_out=sum(word.held_out for _, word in seen),
            contexts=frequent_contexts(one for one, _ in seen),
            examples=tuple(dict.fromkeys(word.text for _, word in seen))[:EXAMPLES],
        )
        for key, seen in seen_by_pattern.items()
    ]
    return tuple(sorted(made, key=lambda p: (-p.count, p.letters, p.teacher, p.student or ())))


def frequent_contexts(seen: Iterable[Place]) -> tuple[tuple[str, str, int], ...]:
    counts = Counter((one.before, one.after) for one in seen)
    return tuple(
        (*context, count)
        for context, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    )

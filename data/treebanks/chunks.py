"""Phrases and the labels that stand for them, one for each token.

In BIO (IOB2; Tjong Kim Sang and Veenstra 1999) the first token of a phrase has the label B, the
others have I, and tokens outside phrases O; kinds follow a hyphen, B-LOC. In IOB1 (Ramshaw and
Marcus 1995) a phrase begins with I, and with B only behind a phrase of its own kind.

>>> phrases_of(["B-PER", "I-PER", "O", "B-LOC"])
[Phrase(begin=0, end=2, kind='PER'), Phrase(begin=3, end=4, kind='LOC')]
>>> labels_of([Phrase(1, 3, "ORG")], 4)
('O', 'B-ORG', 'I-ORG', 'O')
>>> bio_of_iob1(["I-LOC", "I-PER", "B-PER"])
('B-LOC', 'B-PER', 'B-PER')

Scores are those of CoNLL's shared tasks (Tjong Kim Sang 2002): a phrase is right if its tokens and
its kind are; with an I that continues nothing a phrase begins.

>>> print(score_phrases([["B-PER", "I-PER", "O"]], [["B-PER", "O", "I-LOC"]])[""])
precision 0.00 %, recall 0.00 %, F 0.00 (0 of 1 found, 2 given)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from glyphone.data.errors import GlyphoneError, ItemError

OUTSIDE = "O"


@dataclass(frozen=True, order=True)
class Phrase:
    """The tokens from `begin` to before `end`; `kind` is empty where labels have no kinds."""

    begin: int
    end: int
    kind: str = ""


def split_label(label: str) -> tuple[str, str]:
    """B, I or O, and the kind.

    >>> split_label("B-LOC"), split_label("I"), split_label("O")
    (('B', 'LOC'), ('I', ''), ('O', ''))
    """
    mark, hyphen, kind = label.partition("-")
    if mark not in ("B", "I", "O") or (mark == "O" and hyphen) or (hyphen and not kind):
        remedy = "labels are O, B, I, or B and I with a kind, B-LOC"
        raise ItemError(f"no label of a phrase: {label!r}", remedy=remedy)
    return mark, kind


def split_labels(labels: Iterable[str]) -> list[tuple[str, str]]:
    """The parts of every label; an error says at which offset a label is none."""
    found = []
    for place, label in enumerate(labels):
        try:
            found.append(split_label(label))
        except ItemError as error:
            error.offset = place
            raise
    return found


def continues(label: str, before: str) -> bool:
    """Whether a label is no I, or follows a label of the same phrase.

    >>> continues("I-LOC", "B-LOC"), continues("I-LOC", "I-PER"), continues("I", "O")
    (True, False, False)
    """
    mark, kind = split_label(label)
    return mark != "I" or (split_label(before)[0] != "O" and split_label(before)[1] == kind)


def check_labels(labels: Sequence[str]) -> None:
    """ItemError for the first I that continues no phrase."""
    split_labels(labels)
    for place, (before, label) in enumerate(pairwise((OUTSIDE, *labels))):
        if not continues(label, before):
            raise ItemError(
                f"{label!r} follows {before!r}" if place else f"{label!r} comes first",
                offset=place,
                remedy="a phrase begins with B; where it begins with I, labels are IOB1",
            )


def phrases_of(labels: Iterable[str]) -> list[Phrase]:
    """The phrases, in order; an I that continues nothing begins one."""
    found: list[Phrase] = []
    for place, (mark, kind) in enumerate(split_labels(labels)):
        last = found[-1] if found else None
        if mark == "I" and last and (last.end, last.kind) == (place, kind):
            found[-1] = Phrase(last.begin, place + 1, kind)
        elif mark != OUTSIDE:
            found.append(Phrase(place, place + 1, kind))
    return found


def labels_of(phrases: Iterable[Phrase], length: int) -> tuple[str, ...]:
    """The BIO labels of `length` tokens with some phrases."""
    labels = [OUTSIDE] * length
    for phrase in phrases:
        suffix = f"-{phrase.kind}" if phrase.kind else ""
        tokens = range(phrase.begin, phrase.end)
        if not tokens or tokens.start < 0 or tokens.stop > length:
            raise GlyphoneError(f"{phrase} is not in a sentence of {length} tokens")
        if any(labels[place] != OUTSIDE for place in tokens):
            raise GlyphoneError(f"{phrase} overlaps another", remedy="give phrases that do not")
        for place in tokens:
            labels[place] = ("I" if place > phrase.begin else "B") + suffix
    return tuple(labels)


def bio_of_iob1(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels in BIO of the phrases that labels in IOB1 mark."""
    return labels_of(phrases_of(labels), len(labels))


@dataclass(frozen=True)
class PhraseScore:
    """The numbers of right phrases, of phrases in the gold standard, and of phrases given."""

    right: int
    gold: int
    given: int

    @property
    def precision(self) -> float:
        return self.right / self.given if self.given else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.gold if self.gold else 0.0

    @property
    def f(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / (self.gold + self.given) if self.right else 0.0

    def __str__(self) -> str:
        return (
            f"precision {100 * self.precision:.2f} %, recall {100 * self.recall:.2f} %,"
            f" F {100 * self.f:.2f} ({self.right} of {self.gold} found, {self.given} given)"
        )


def score_phrases(
    gold: Sequence[Sequence[str]], given: Sequence[Sequence[str]], *, kinds: bool = True
) -> dict[str, PhraseScore]:
    """The score of all phrases under the empty name, then those of each kind under its own.

    Without `kinds`, phrases need only have the right tokens, and there is one score.
    """
    if len(gold) != len(given):
        raise GlyphoneError(f"{len(given)} sentences given, {len(gold)} in the gold standard")
    counts = (Counter[str](), Counter[str](), Counter[str]())
    for number, (one, other) in enumerate(zip(gold, given, strict=True), 1):
        if len(one) != len(other):
            raise GlyphoneError(f"sentence {number} has {len(one)} tokens, but {len(other)} labels")
        left, right = ({without_kind(p, kinds) for p in phrases_of(side)} for side in (one, other))
        for counter, phrases in zip(counts, (left & right, left, right), strict=True):
            counter.update(phrase.kind for phrase in phrases if phrase.kind)
            counter[""] += len(phrases)
    names = ["", *sorted(counts[1].keys() | counts[2].keys() - {""})]
    return {name: PhraseScore(*(counter[name] for counter in counts)) for name in names}


def without_kind(phrase: Phrase, kinds: bool) -> Phrase:
    return phrase if kinds else Phrase(phrase.begin, phrase.end)

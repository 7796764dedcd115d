"""Labels that a tagger gives to sentences against their gold labels.

Where labels are of phrases (B, I, O), a phrase is right if its tokens and its kind are; there are
figures of each kind, and of phrases whatever their kind. Of other labels, those of each label. The
shares are of tokens with the right label, and of sentences with no other.

>>> sentences = [Sequence(("Ana", "Paz", "ve"), labels=("B-PER", "I-PER", "O"))]
>>> found = evaluate_labels(sentences, [("B-PER", "O", "O")])
>>> [(one.name, round(one.f, 2)) for one in (*found.shares, *found.tallies)]
[('tokens', 0.67), ('sentences', 0.0), ('all', 0.0), ('PER', 0.0), ('whatever kind', 0.0)]
>>> found.wrong
(WrongItem(line=1, item='Ana Paz ve', task='phrases', gold='Ana Paz/PER', given='Ana/PER'),)
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Many
from dataclasses import dataclass
from operator import eq

from glyphone.data.errors import ItemError
from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import Phrase, phrases_of
from glyphone.evaluation.marked import MarkedEvaluation
from glyphone.evaluation.tallies import Counts, Tally, count_same
from glyphone.evaluation.wrong import WrongItem

Labels = Many[str]
TOKENS, SENTENCES = "tokens", "sentences"
ALL, WITHOUT_KINDS = "all", "whatever kind"


@dataclass(frozen=True, order=True)
class Mark:
    """A phrase, or one token with its label as the `kind`."""

    begin: int
    end: int
    kind: str

    def text(self, tokens: Many[str]) -> str:
        words = " ".join(tokens[self.begin : self.end])
        return f"{words}/{self.kind}" if self.kind else words


def evaluate_labels(
    sentences: Many[Sequence],
    found: Many[Labels],
    *,
    lines: Many[int] = (),
    more: Many[Tally] = (),
    name: str = "",
    failed: int = 0,
    seed: int = 0,
) -> MarkedEvaluation:
    """Figures of labels, in sentences as many as `found`; `more` are shares beside them.

    The first line of each sentence is in `lines`, or sentences are counted.
    """
    gold = [sentence.labels for sentence in sentences]
    of_phrases = are_phrases([*gold, *found])
    marks = [
        ({*marks_of(one, of_phrases)}, {*marks_of(other, of_phrases)})
        for one, other in zip(gold, found, strict=True)
    ]
    return MarkedEvaluation(
        name,
        SENTENCES,
        len(sentences),
        tallies=tuple(mark_tallies(marks, of_phrases)),
        shares=(*label_shares(gold, found), *more),
        failed=failed,
        seed=seed,
        wrong=tuple(wrong_sentences(sentences, marks, lines, of_phrases)),
    )


def are_phrases(labels: Many[Labels]) -> bool:
    """Whether all labels are those of phrases."""
    try:
        phrases_of({label for one in labels for label in one})
    except ItemError:
        return False
    return True


def marks_of(labels: Labels, of_phrases: bool) -> Iterator[Mark]:
    if of_phrases:
        yield from (Mark(one.begin, one.end, one.kind) for one in phrases_of(labels))
    else:
        yield from (Mark(k, k + 1, label) for k, label in enumerate(labels))


def label_shares(gold: Many[Labels], found: Many[Labels]) -> list[Tally]:
    """The shares of tokens with the right label, and of sentences with no other."""
    right = [[*map(eq, one, other)] for one, other in zip(gold, found, strict=True)]
    return [
        Tally.of(TOKENS, [(sum(row), sum(row), len(row), len(row)) for row in right]),
        Tally.of_items(SENTENCES, [all(row) for row in right]),
    ]


def mark_tallies(marks: Many[tuple[set[Mark], set[Mark]]], of_phrases: bool) -> Iterator[Tally]:
    kinds = sorted({mark.kind for pair in marks for side in pair for mark in side} - {""})
    if of_phrases:
        yield Tally.of(ALL, [count_same(*pair) for pair in marks])
    for kind in kinds:
        yield Tally.of(kind, [count_of_kind(pair, kind) for pair in marks])
    if of_phrases and kinds:
        yield Tally.of(
            WITHOUT_KINDS,
            [count_same(*({(x.begin, x.end) for x in side} for side in pair)) for pair in marks],
        )


def count_of_kind(pair: tuple[set[Mark], set[Mark]], kind: str) -> Counts:
    gold, given = ({mark for mark in side if mark.kind == kind} for side in pair)
    return count_same(gold, given)


def wrong_sentences(
    sentences: Many[Sequence],
    marks: Many[tuple[set[Mark], set[Mark]]],
    lines: Many[int],
    of_phrases: bool,
) -> Iterator[WrongItem]:
    """Sentences that are not wholly right, with the marks that one side has alone."""
    numbers = lines or range(1, len(sentences) + 1)
    for line, sentence, (gold, given) in zip(numbers, sentences, marks, strict=True):
        if gold != given:
            tokens = sentence.tokens
            texts = (
                " | ".join(mark.text(tokens) for mark in sorted(side))
                for side in (gold - given, given - gold)
            )
            yield WrongItem(line, " ".join(tokens), "phrases" if of_phrases else "labels", *texts)


def kind_share(gold: Many[Many[Phrase]], classified: Many[Many[Phrase]]) -> Tally:
    """The share of gold phrases to which a recogniser gives their kind.

    >>> kind_share([[Phrase(0, 1, "PER")]], [[Phrase(0, 1, "LOC")]]).f
    0.0
    """
    rows = []
    for one, other in zip(gold, classified, strict=True):
        right = sum(map(eq, one, other))
        rows.append((right, right, len(one), len(one)))
    return Tally.of("kinds of gold phrases", rows)

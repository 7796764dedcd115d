"""Figures of an evaluation for parts of its words.

By length: that of the source word in code points of its composed form, or in tokens where a model
reads tokens. By origin: what the test file, or a list beside it, says of where a word is from; a
word that is given several counts in the slice of each. By relatives: what of a word was learnt
from, see `glyphone.evaluation.relatives`. By source: what the lexicon answered and what the model
did, where a lexicon is asked first; and what the model says alone, to all words.

>>> [length_slice(length) for length in (1, 5, 6, 12, 13)]
['1-5', '1-5', '6-8', '9-12', '13+']
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from glyphone.data.errors import GlyphoneError
from glyphone.data.writing import Unit
from glyphone.evaluation import measures
from glyphone.evaluation.measures import Outcomes
from glyphone.evaluation.relatives import RELATIONS, Relation
from glyphone.evaluation.verdicts import Verdict

By = Literal["length", "origin", "relatives", "source", "alone"]

# The lengths that a slice ends with.
LENGTHS = (5, 8, 12)
FIGURES = ("wer", "per", "accuracy", "mean_f", "mrr", "map_ref")
# A column with more values than this holds no origins.
MOST_ORIGINS = 200


@dataclass(frozen=True)
class Slice:
    """Some of the words, with their measures and the 95 % bootstrap intervals of these."""

    by: By
    name: str
    words: int
    failed: int
    figures: dict[str, float]
    intervals: dict[str, tuple[float, float]]

    @classmethod
    def of(cls, by: By, name: str, verdicts: Sequence[Verdict], *, seed: int) -> Slice:
        outcomes = outcomes_of(verdicts)
        found, bounds = measures.figures(outcomes.sums()), measures.intervals(outcomes, seed=seed)
        return cls(
            by,
            name,
            len(verdicts),
            sum(verdict.answer.error is not None for verdict in verdicts),
            {figure: float(found[figure]) for figure in FIGURES},
            {figure: bounds[figure] for figure in FIGURES},
        )

    def as_dict(self) -> dict[str, Any]:
        intervals = {figure: list(ends) for figure, ends in self.intervals.items()}
        return {
            "by": self.by, "slice": self.name, "words": self.words, "failed": self.failed,
            **self.figures, "intervals": intervals,
        }  # fmt: skip


def slices_of(
    verdicts: Sequence[Verdict],
    alone: Sequence[Verdict] = (),
    *,
    unit: Unit,
    origins: Sequence[str] = (),
    relations: Sequence[Relation] = (),
    seed: int = 0,
) -> tuple[Slice, ...]:
    """The slices that hold words: lengths upward, origins with most words first, then relatives,
    then sources. `relations` are those of the verdicts' words."""
    by_length, by_origin, by_source = (defaultdict[str, list[Verdict]](list) for _ in range(3))
    for verdict in verdicts:
        by_length[length_slice(length_of(verdict.item.text, unit))].append(verdict)
        if verdict.answer.source:
            by_source[verdict.answer.source].append(verdict)
        origins_of_word = {origins[pair] for pair in verdict.item.pairs} if origins else set[str]()
        # A word that one line has an origin for and another has not is not without one.
        for origin in sorted(origins_of_word - {""} or origins_of_word):
            by_origin[origin].append(verdict)
    lengths = [(name, by_length[name]) for name in length_names() if name in by_length]
    most_first = sorted(by_origin.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    parts: list[tuple[By, str, Sequence[Verdict]]] = [
        *(("length", *entry) for entry in lengths),
        *(("origin", *entry) for entry in most_first),
        *(("relatives", *entry) for entry in by_relation(verdicts, relations)),
        *(("source", *entry) for entry in sorted(by_source.items())),
    ]
    if alone:
        parts.append(("alone", "lexicon", alone))
    return tuple(Slice.of(by, name, chosen, seed=seed) for by, name, chosen in parts)


def by_relation(
    verdicts: Sequence[Verdict], relations: Sequence[Relation]
) -> Iterator[tuple[Relation, list[Verdict]]]:
    """The relations to words learnt from that there are, with the verdicts on their words."""
    for relation in RELATIONS if relations else ():
        rows = zip(verdicts, relations, strict=True)
        if chosen := [verdict for verdict, one in rows if one == relation]:
            yield relation, chosen


def check_origins(origins: Sequence[str]) -> None:
    """Refuses what are no origins before it takes long to find out."""
    different = len(set(origins))
    if different > MOST_ORIGINS:
        raise GlyphoneError(
            f"{different} different origins of words",
            remedy=f"give {MOST_ORIGINS} or fewer; the column may hold something else",
        )


def outcomes_of(verdicts: Iterable[Verdict]) -> Outcomes:
    judged = list(verdicts)
    return Outcomes.of(
        ((v.answer.rank, v.edits, len(v.nearest), v.f_score, v.answer.posterior) for v in judged),
        precisions=[v.answer.precision for v in judged],
    )


def length_of(text: str, unit: Unit) -> int:
    """Letters of a word, however it is normalised, or tokens.

    >>> length_of("n\u0303a", "codepoint"), length_of("t\u0283 a", "token")
    (2, 2)
    """
    return len(text.split() if unit == "token" else unicodedata.normalize("NFC", text))


def length_slice(length: int) -> str:
    return next(
        (name for name, end in zip(length_names(), LENGTHS, strict=False) if length <= end),
        length_names()[-1],
    )


def length_names() -> list[str]:
    """The slices by length, shortest words first."""
    firsts = [1, *(end + 1 for end in LENGTHS)]
    return [*(f"{a}-{b}" for a, b in zip(firsts, LENGTHS, strict=False)), f"{firsts[-1]}+"]

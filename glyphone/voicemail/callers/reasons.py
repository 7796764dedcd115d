"""Features at the start and the end of a caller phrase, with their weights.

With cuts, weights are of the score of a start or an end at the place. With labels, they are
differences of two labels: the first word of a phrase against a word outside, or the word behind a
phrase against one more word of it. For a model of both, reasons are of the cuts.

>>> from glyphone.voicemail.callers.training import train
>>> from glyphone.voicemail.callers.options import CallerOptions
>>> from glyphone.voicemail.generator.generate import generate
>>> options = CallerOptions(form="cuts", max_iter=9, min_count=2)
>>> model = train(list(generate(60, seed=1)), options=options)
>>> [start, end] = explain_phrase(model, "hi Sam this is Pat Caller i have a question".split())
>>> start.what, start.place, end.place, "word0=this" in dict(start.weights)
('starts', 2, 6, True)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.voicemail.callers import feature_kernels as caller_feature_kernels
from glyphone.voicemail.callers.chain_kernels import START, STOP
from glyphone.voicemail.callers.column_kernels import (
    BASE,
    CLASS,
    CLASSES_BEFORE,
    FORM,
    FORMS_BEFORE,
    LAST_TWO,
    NEXT_CLAUSE,
    NEXT_TWO,
    POSITION,
)
from glyphone.voicemail.callers.model import CallerModel, column_rows
from glyphone.voicemail.callers.shapes import B_LEAD, B_NAME, I_LEAD, I_NAME, I_TAIL, O, X
from glyphone.voicemail.callers.words import CallerWords

Array = Any
# Goals or origins of the distances in the columns from `NEXT_CLAUSE` on.
DISTANCES = ("to clause", "to subject", "", "", "since name", "since preposition")


@dataclass(frozen=True)
class PhraseReason:
    """A phrase starts or ends before the word at `place`; weights of features, heaviest first."""

    what: str
    place: int
    weights: tuple[tuple[str, float], ...]

    @property
    def score(self) -> float:
        return sum(weight for _, weight in self.weights)


def explain_phrase(model: CallerModel, words: Sequence[str]) -> Iterator[PhraseReason]:
    """Reasons for the start and the end of the phrase in a message, none without a phrase."""
    [caller] = model.find([words])
    if caller.phrase is None:
        return
    begin, end = caller.phrase
    first_named, last_named = caller.name or (end, begin)
    first = B_NAME if first_named == begin else B_LEAD
    last = I_NAME if last_named == end else I_LEAD if caller.name is None else I_TAIL
    rows, _ = column_rows(
        [words], model.words, model.class_roles, max(end, 1), model.options.beyond
    )
    keys = caller_feature_kernels.feature_keys(rows, caller_feature_kernels.TEMPLATES)
    for what, place, head, label, rival in (
        ("starts", begin, START, first, O),
        ("ends", end, STOP, X, last),
    ):
        weights = model.weights[:, head]
        if model.options.form == "crf":
            weights = model.weights[:, label] - model.weights[:, rival]
        at = np.searchsorted(model.keys, keys[place])
        there = model.keys[np.minimum(at, len(model.keys) - 1)] == keys[place]
        features = [
            (
                feature_name(model.words, caller_feature_kernels.SETS[t], rows[place]),
                float(weights[at[t]]),
            )
            for t in np.flatnonzero(there).tolist()
        ]
        features = [(name, weight) for name, weight in features if weight]
        features.sort(key=lambda pair: (-abs(pair[1]), pair[0]))
        yield PhraseReason(what, place, tuple(features))


def feature_name(words: CallerWords, template: Sequence[int], row: Array) -> str:
    """The name of a feature: the columns of its template and their codes.

    >>> row = np.zeros(POSITION + 1, np.int32)
    >>> row[POSITION], row[FORM + FORMS_BEFORE] = 2, CallerWords.read().forms.index("this")
    >>> feature_name(CallerWords.read(), (POSITION, FORM + FORMS_BEFORE), row)
    'place=2 & word0=this'
    """
    return (
        " & ".join(column_text(words, column, int(row[column])) for column in template) or "always"
    )


def column_text(words: CallerWords, column: int, code: int) -> str:
    """The name of a column and the name of its code."""
    if column < CLASS:
        return f"word{offset_text(column - FORM - FORMS_BEFORE)}={words.forms[code]}"
    if column < NEXT_CLAUSE:
        return f"class{offset_text(column - CLASS - CLASSES_BEFORE)}={words.names[code]}"
    if column in (NEXT_TWO, LAST_TWO):
        # The first of two classes is in front, and alone where there is no second.
        names = [words.names[k] for k in divmod(code, BASE) if k]
        return f"{'next' if column == NEXT_TWO else 'last'}={','.join(names) or 'nothing'}"
    if column == POSITION:
        return f"place={code}"
    return f"{DISTANCES[column - NEXT_CLAUSE]}={code}"


def offset_text(k: int) -> str:
    return f"{k:+d}" if k else "0"

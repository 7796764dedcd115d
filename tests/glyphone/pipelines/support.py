"""A grammar of number words, learners, stages, and files, for tests of pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from glyphone.data.errors import ItemError
from glyphone.data.records import Candidate
from glyphone.pipelines.registry import Item

NUMBERS = r'''"""Spoken digits."""

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import Table, cascade

SAID = "zero oh one two three four five six seven eight nine".split()
DIGITS = dict(zip(SAID, "00123456789", strict=True))
NUMBERS = cascade(
    letters=[*DIGITS, "double"],
    phones="0 1 2 3 4 5 6 7 8 9",
    source=Writing("token", case="lower"),
    target=Writing("codepoint"),
    partial=True,
    rules=Table((
        *(((word,), (digit,)) for word, digit in DIGITS.items()),
        *((("double", word), (digit, digit)) for word, digit in DIGITS.items()),
    )),
)
'''


def phone_learner() -> Any:
    """Whether candidates of so many words are telephone numbers."""
    lengths = [1, 2, 3, 4, 6, 7, 8, 10] * 4
    rows = [{"words": length, "after": k % 3} for k, length in enumerate(lengths)]
    labels = ["number" if length > 5 else "other" for length in lengths]
    return make_pipeline(DictVectorizer(), LogisticRegression()).fit(rows, labels)


def candidates(*scores: float) -> tuple[Candidate, ...]:
    return tuple(Candidate((k, k + 1), str(k), "", {"p": p}, p) for k, p in enumerate(scores))


@dataclass(frozen=True)
class Refusing:
    """Fails on blocks with certain texts, in one of several ways."""

    texts: tuple[str, ...]
    error: Any = ItemError

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        for item in items:
            if item.text in self.texts:
                raise self.error("cannot be done")
        return [item.with_candidates([*item.candidates, *candidates(1.0)]) for item in items]


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path

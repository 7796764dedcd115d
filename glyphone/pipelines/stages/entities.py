"""A stage that finds named entities: the phrases of a recogniser as candidates.

>>> from glyphone.learners.entities.recognizer import EntityRecognizer
>>> sentences = [["El", "señor", "Paz", "vive", "en", "Lima"], ["Ana", "viaja", "a", "Quito"]] * 2
>>> labels = [["O", "O", "B-PER", "O", "O", "B-LOC"], ["B-PER", "O", "O", "B-LOC"]] * 2
>>> stage = Entities(model=EntityRecognizer().fit(sentences, labels))
>>> [(found.text, found.value) for found in stage([Item("Eva vive en Quito")])[0].candidates]
[('Eva', 'PER'), ('Quito', 'LOC')]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from glyphone.data.fields import WrongSetting
from glyphone.data.records import Candidate
from glyphone.data.records import Sequence as Sentence
from glyphone.pipelines.registry import Item
from glyphone.pipelines.resources import Learner
from glyphone.pipelines.stages.scanning import WORD


@dataclass(frozen=True)
class Entities:
    """The phrases of each text, which is one sentence, its tokens parted by white space.

    The value of a candidate is the kind of the phrase, its score the probability of that kind,
    given the phrase.
    """

    model: Learner

    def __post_init__(self) -> None:
        if not hasattr(self.model, "extract") or not hasattr(self.model, "classifier_"):
            message = f"model is no fitted recogniser of entities: {self.model!r:.60}"
            raise WrongSetting("model", message, remedy="it must be a fitted EntityRecognizer")

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        words = [[match.span() for match in WORD.finditer(item.text)] for item in items]
        sentences = [
            Sentence(tuple(item.text[begin:end] for begin, end in spans))
            for item, spans in zip(items, words, strict=True)
        ]
        phrases = self.model.extract(sentences)
        asked = self.model.mentions(sentences, phrases)
        shares = iter(self.model.classifier_.predict_proba(asked) if asked else [])
        return [
            item.with_candidates(
                self.candidate(item, spans[phrase.begin][0], spans[phrase.end - 1][1], next(shares))
                for phrase in row
            )
            for item, spans, row in zip(items, words, phrases, strict=True)
        ]

    def candidate(self, item: Item, begin: int, end: int, shares: Any) -> Candidate:
        kind = int(shares.argmax())
        share = float(shares[kind])
        value = str(self.model.classifier_.classes_[kind])
        return Candidate(
            (begin, end), item.text[begin:end], value, {"kind": math.log(share)}, share
        )

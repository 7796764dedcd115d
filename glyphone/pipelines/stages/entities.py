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
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from glyphone.data.fields import WrongSetting
from glyphone.data.records import Candidate
from glyphone.data.records import Sequence as Sentence
from glyphone.pipelines.registry import Item
from glyphone.pipelines.resources import Learner
from glyphone.pipelines.stages.scanning import WORD


@dataclass(frozen=True)
class Entities:
    """The phrases of each text, which is one sentence, its tokens parted by white space.

    The value of a candidate is the kind of the phrase. Its score is the probability of that kind,
    given the phrase, by a recogniser in two phases, and that of the phrase with its kind by others.
    """

    model: Learner

    def __post_init__(self) -> None:
        fitted = hasattr(self.model, "model_") or hasattr(self.model, "classifier_")
        if not hasattr(self.model, "scored_phrases") or not fitted:
            message = f"model is no fitted recogniser of entities: {self.model!r:.60}"
            remedy = "it must be a fitted EntityRecognizer or SemiMarkovCRF"
            raise WrongSetting("model", message, remedy=remedy)

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        words = [[match.span() for match in WORD.finditer(item.text)] for item in items]
        sentences = [
            Sentence(tuple(item.text[begin:end] for begin, end in spans))
            for item, spans in zip(items, words, strict=True)
        ]
        return [
            item.with_candidates(
                candidate_of(item, (spans[one.begin][0], spans[one.end - 1][1]), one.kind, share)
                for one, share in row
            )
            for item, spans, row in zip(
                items, words, self.model.scored_phrases(sentences), strict=True
            )
        ]


def candidate_of(item: Item, span: tuple[int, int], kind: str, share: float) -> Candidate:
    """A phrase as a candidate; the logarithm of its probability is a feature."""
    log = math.log(max(share, sys.float_info.min))
    return Candidate(span, item.text[slice(*span)], kind, {"kind": log}, share)

"""Stages that decide: which candidates are kept, and which are rejected.

>>> found = tuple(Candidate((k, k + 1), "ab"[k], "", score=p) for k, p in enumerate([0.49, 0.2]))
>>> item = Item("ab", candidates=found)
>>> [len(stage([item])[0].candidates) for stage in (Keep(least=0.5), DecodeF(), DecodeF(alpha=0.9))]
[0, 1, 2]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from glyphone.data.errors import ItemError
from glyphone.data.fields import Between
from glyphone.data.records import Candidate
from glyphone.pipelines.registry import Item, split_documents


@dataclass(frozen=True)
class Keep:
    """Candidates of at least a certain score, and of each item no more than the `most` best.

    They stay in order; of equal ones the first is better.
    """

    least: float = -1e300
    most: Annotated[int, Between(1)] | None = None

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        return [item.keep_candidates(self.kept(item.candidates)) for item in items]

    def kept(self, candidates: Sequence[Candidate]) -> list[bool]:
        ranked = sorted(range(len(candidates)), key=lambda k: -candidates[k].score)
        best = {k for k in ranked[: self.most] if candidates[k].score >= self.least}
        return [k in best for k in range(len(candidates))]


@dataclass(frozen=True)
class DecodeF:
    """The candidates of a document whose expected F is the greatest, scores being probabilities.

    With precision P and recall R of the kept candidates, F is 1 / (alpha / R + (1 - alpha) / P):
    `alpha` is how much recall counts. A document without any right candidate, of which none is
    kept, has an F of 1. Probabilities are taken to be independent: see `glyphone.learners.utility`.
    """

    alpha: Annotated[float, Between(0, 1, above=True)] = 0.5

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        return [
            item for document in split_documents(items) for item in self.decide_document(document)
        ]

    def decide_document(self, document: Sequence[Item]) -> list[Item]:
        from glyphone.learners.utility.decoding import decode_f

        scores = [candidate.score for item in document for candidate in item.candidates]
        for item in document:
            for candidate in item.candidates:
                if not 0 <= candidate.score <= 1:
                    message = (
                        f"{candidate.text!r} has the score {candidate.score:g}, no probability"
                    )
                    remedy = "put a stage before this one that gives probabilities"
                    raise ItemError(message, item=item.text, remedy=remedy)
        keep = decode_f(scores, alpha=self.alpha).labels.tolist()
        found, first = [], 0
        for item in document:
            last = first + len(item.candidates)
            found.append(item.keep_candidates(keep[first:last]))
            first = last
        return found

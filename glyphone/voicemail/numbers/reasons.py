"""Reasons for the score of a candidate: its features and their weights.

>>> model = NumberModel({"shape=NXXXXXX": 3.0, "is=maximal": -0.5}, -1.0)
>>> [reason] = [one for one in explain_candidates(model, ["555-1212"]) if one.candidate.kept]
>>> reason.weights, round(reason.score, 1), reason.bias
((('shape=NXXXXXX', 3.0), ('is=maximal', -0.5)), 1.5, -1.0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from glyphone.voicemail.numbers.decisions import decide
from glyphone.voicemail.numbers.model import NumberModel
from glyphone.voicemail.records.candidates import NumberCandidate, OtherReading


@dataclass(frozen=True)
class NumberReason:
    """A candidate with its decision, and the weights of its features, the heaviest first.

    `score` is the sum of the weights and the `bias`: the log odds of a candidate that shares no
    words with others. `readings` are other readings of words of the message by the grammar.
    """

    candidate: NumberCandidate
    weights: tuple[tuple[str, float], ...]
    bias: float
    readings: tuple[OtherReading, ...]

    @property
    def score(self) -> float:
        return self.bias + sum(weight for _, weight in self.weights)


def explain_candidates(model: NumberModel, words: Sequence[str]) -> list[NumberReason]:
    """All candidates of one message, in order; features without a weight are left out."""
    proposals = model.finder.propose([words])
    numbers, firsts = model.features.find_features(proposals)
    names = [*map(model.features.name_of, numbers.tolist())]
    rows = [
        sorted(
            ((name, model.weights[name]) for name in names[a:b] if name in model.weights),
            key=lambda pair: (-abs(pair[1]), pair[0]),
        )
        for a, b in pairwise(firsts.tolist())
    ]
    [candidates] = decide(proposals.candidates, model.score_candidates(proposals), model.deciding)
    readings = tuple(proposals.readings_of(0))
    return [
        NumberReason(candidate, tuple(row), model.bias, readings)
        for candidate, row in zip(candidates, rows, strict=True)
    ]

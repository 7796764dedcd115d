"""Telephone numbers in messages, in two phases: a grammar proposes, a classifier decides.

The weight of a candidate is the sum of the weights of its features and a bias. The probability of a
set S of candidates of a message, of which no two share a word, is

    p(S) = exp(sum over c in S of weight(c)) / sum of exp(...) over all such sets

The probability of a candidate that shares no words with others is that of a logistic regression;
else it depends on the weights of the others: a semi-Markov model (Sarawagi and Cohen 2004) of the
candidates alone.

The model file does not hold the grammar: it comes from the archive of `eng.phone_numbers`.

>>> model = NumberModel({"shape=NXXXXXX": 3.0}, -1.0)
>>> [found] = [one for one in model.find(["call 555-1212 today".split()])[0] if one.kept]
>>> found.display, (found.begin, found.end), round(found.score, 3)
('555-1212', (1, 2), 0.881)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from glyphone.data.errors import FormatError
from glyphone.data.kernels import jit
from glyphone.data.version import VERSION
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import Packing
from glyphone.voicemail.numbers import choice_kernels
from glyphone.voicemail.numbers import feature_kernels as number_feature_kernels
from glyphone.voicemail.numbers.cues import Cues
from glyphone.voicemail.numbers.decisions import DecisionOptions, decide, spans_of
from glyphone.voicemail.numbers.features import NumberFeatures
from glyphone.voicemail.proposals import finder as proposals_finder
from glyphone.voicemail.proposals.finder import Finder, ProposalOptions
from glyphone.voicemail.proposals.proposals import Proposals
from glyphone.voicemail.records.candidates import NumberCandidate

Array = Any
KIND = "voicemail-numbers"
FORMAT = 1


@dataclass(frozen=True, eq=False)
class NumberModel:
    """Weights of features, and options of proposals and decisions."""

    weights: Mapping[str, float]
    bias: float
    deciding: DecisionOptions = field(default_factory=DecisionOptions)
    options: ProposalOptions = field(default_factory=ProposalOptions)

    @cached_property
    def finder(self) -> Finder:
        return Finder(proposals_finder.load_grammar(), options=self.options)

    @cached_property
    def features(self) -> NumberFeatures:
        return NumberFeatures.of(Cues.read())

    @cached_property
    def table(self) -> Array:
        """The weight of each feature by number; features without a weight have 0."""
        numbers = self.features.numbers
        found = np.zeros(int(self.features.offsets[-1]))
        for name, weight in self.weights.items():
            if name in numbers:
                found[numbers[name]] = weight
        return found

    def find(self, messages: Sequence[Sequence[str]]) -> list[list[NumberCandidate]]:
        """All candidates of each message, given as its words, with scores and decisions."""
        found = self.finder.proposals(messages)
        return decide(found.candidates, self.scores(found), self.deciding)

    def scores(self, found: Proposals) -> list[float]:
        """The probability of each candidate, in one row for all messages."""
        shares: list[float] = probabilities(found, self.weigh(found)).tolist()
        return shares

    def weigh(self, found: Proposals) -> Array:
        """The weight of each candidate, in one row for all messages."""
        numbers, firsts = self.features.find(found)
        return self.bias + jit.tier(number_feature_kernels, len(numbers)).sums(
            self.table, numbers, firsts
        )


def probabilities(found: Proposals, weights: Array) -> Array:
    """The probability of each candidate, given the weights of all."""
    begins, ends, bounds = spans_of(found.candidates)
    kernels = jit.tier(choice_kernels, 16 * len(begins))
    shares: Array = kernels.marginals(begins, ends, weights, bounds)[0]
    return shares


def to_contents(model: NumberModel, prefix: str = "") -> Contents:
    """The contents of a model file; names of arrays begin with the prefix."""
    names = sorted(model.weights)
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "glyphone": VERSION,
        "features": names,
        "bias": model.bias,
        "deciding": asdict(model.deciding),
        "options": asdict(model.options),
    }
    weights = np.array([model.weights[name] for name in names], np.float64)
    return Contents(KIND, manifest, {f"{prefix}weights": weights})


def unpack(contents: Contents, prefix: str, path: FilePath | None) -> NumberModel:
    manifest, weights = contents.manifest, contents.arrays[f"{prefix}weights"]
    version = manifest["format"]
    if type(version) is not int or version > FORMAT:
        raise FormatError(
            f"has format {version!r}; this version, {VERSION}, reads formats up to {FORMAT}",
            path=path,
            remedy="upgrade glyphone",
        )
    if weights.dtype != np.float64 or weights.shape != (len(manifest["features"]),):
        raise ValueError("its weights do not fit its features")
    return NumberModel(
        dict(zip(manifest["features"], weights.tolist(), strict=True)),
        float(manifest["bias"]),
        DecisionOptions(**manifest["deciding"]),
        ProposalOptions(**manifest["options"]),
    )


def problem_of(model: NumberModel) -> str | None:
    values = [*model.weights.values(), model.bias]
    if not all(isinstance(name, str) for name in model.weights):
        return "a feature has no name"
    return None if all(map(math.isfinite, values)) else "a weight is not finite"


PACKING = Packing(
    kind=KIND, what="model of telephone numbers", pack=to_contents, unpack=unpack,
    problem_of=problem_of,
)  # fmt: skip
save, load, from_contents = PACKING.save, PACKING.load, PACKING.from_contents

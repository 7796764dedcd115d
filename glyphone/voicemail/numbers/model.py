"""Telephone numbers in messages, in two phases: a grammar proposes, a classifier keeps.

A candidate weighs the sum of the weights of its features and a bias. Which candidates are numbers,
all of a message together, is as likely as the sum of what they weigh, when no two share a word:

    p(S) = exp(sum over c in S of weight(c)) / sum of the same over all such sets

so that the probability of a candidate is that of a logistic regression where no other has words of
it, and depends on what the others weigh where some have: a semi-Markov model (Sarawagi and Cohen
2004) of the candidates alone.

The grammar is not kept in the file of a model: it comes from the archive of `eng.phone_numbers`.

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
from glyphone.voicemail.numbers.decisions import Deciding, decided, spans_of
from glyphone.voicemail.numbers.features import Features
from glyphone.voicemail.proposals import finder as proposals_finder
from glyphone.voicemail.proposals.finder import Finder, Options
from glyphone.voicemail.proposals.proposals import Proposals
from glyphone.voicemail.records.candidates import NumberCandidate

Array = Any
KIND = "voicemail-numbers"
FORMAT = 1


@dataclass(frozen=True, eq=False)
class NumberModel:
    """Weights of features, and how candidates are proposed and decided about."""

    weights: Mapping[str, float]
    bias: float
    deciding: Deciding = field(default_factory=Deciding)
    options: Options = field(default_factory=Options)

    @cached_property
    def finder(self) -> Finder:
        return Finder(proposals_finder.model(), options=self.options)

    @cached_property
    def features(self) -> Features:
        return Features.of(Cues.read())

    @cached_property
    def table(self) -> Array:
        """The weight of each feature; those that are unknown weigh nothing."""
        numbers = self.features.numbers
        found = np.zeros(int(self.features.offsets[-1]))
        for name, weight in self.weights.items():
            if name in numbers:
                found[numbers[name]] = weight
        return found

    def find(self, messages: Sequence[Sequence[str]]) -> list[list[NumberCandidate]]:
        """All candidates of each message, given as its words, with scores and decisions."""
        found = self.finder.proposals(messages)
        return decided(found.candidates, self.scores(found), self.deciding)

    def scores(self, found: Proposals) -> list[float]:
        """The probability of each candidate, those of all messages in one row."""
        told: list[float] = probabilities(found, self.weigh(found)).tolist()
        return told

    def weigh(self, found: Proposals) -> Array:
        """What each candidate weighs."""
        numbers, firsts = self.features.find(found)
        return self.bias + jit.tier(number_feature_kernels, len(numbers)).sums(
            self.table, numbers, firsts
        )


def probabilities(found: Proposals, weights: Array) -> Array:
    """Those of candidates that weigh so much."""
    begins, ends, bounds = spans_of(found.candidates)
    kernels = jit.tier(choice_kernels, 16 * len(begins))
    shares: Array = kernels.marginals(begins, ends, weights, bounds)[0]
    return shares


def to_contents(model: NumberModel, prefix: str = "") -> Contents:
    """A model, its array under a prefix."""
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
        Deciding(**manifest["deciding"]),
        Options(**manifest["options"]),
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

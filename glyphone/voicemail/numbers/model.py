"""Telephone numbers in messages, in two phases: a grammar proposes, a classifier decides.

The weight of a candidate is the sum of the weights of its features and a bias. The probability of a
set S of candidates of a message, of which no two share a word, is

    p(S) = exp(sum over c in S of weight(c)) / sum of exp(...) over all such sets

The probability of a candidate that shares no words with others is that of a logistic regression;
else it depends on the weights of the others: a semi-Markov model (Sarawagi and Cohen 2004) of the
candidates alone.

>>> model = NumberModel({"shape=NXXXXXX": 3.0}, -1.0)
>>> [number] = [one for one in model.find(["call 555-1212 today".split()])[0] if one.kept]
>>> number.display, number.span, round(number.score, 3)
('555-1212', (1, 2), 0.881)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.voicemail.numbers import choice_kernels
from glyphone.voicemail.numbers import feature_kernels as number_feature_kernels
from glyphone.voicemail.numbers.cues import Cues
from glyphone.voicemail.numbers.decisions import DecisionOptions, decide, spans_of
from glyphone.voicemail.numbers.features import NumberFeatures
from glyphone.voicemail.proposals import finder as proposals_finder
from glyphone.voicemail.proposals.finder import Finder, ProposalOptions
from glyphone.voicemail.proposals.proposals import NumberProposals
from glyphone.voicemail.records.candidates import NumberCandidate

Array = Any


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
    def weight_table(self) -> Array:
        """The weight of each feature by number; features without a weight have 0."""
        numbers = self.features.numbers
        table = np.zeros(int(self.features.offsets[-1]))
        for name, weight in self.weights.items():
            if name in numbers:
                table[numbers[name]] = weight
        return table

    def find(self, messages: Sequence[Sequence[str]]) -> list[list[NumberCandidate]]:
        """All candidates of each message, given as its words, with scores and decisions."""
        proposals = self.finder.propose(messages)
        return decide(proposals.candidates, self.score_candidates(proposals), self.deciding)

    def score_candidates(self, proposals: NumberProposals) -> list[float]:
        """The probability of each candidate, in one row for all messages."""
        shares: list[float] = candidate_probabilities(
            proposals, self.weigh_candidates(proposals)
        ).tolist()
        return shares

    def weigh_candidates(self, proposals: NumberProposals) -> Array:
        """The weight of each candidate, in one row for all messages."""
        numbers, firsts = self.features.find_features(proposals)
        return self.bias + jit.tier(number_feature_kernels, len(numbers)).sum_weights(
            self.weight_table, numbers, firsts
        )


def candidate_probabilities(proposals: NumberProposals, weights: Array) -> Array:
    """The probability of each candidate, given the weights of all."""
    begins, ends, bounds = spans_of(proposals.candidates)
    kernels = jit.tier(choice_kernels, 16 * len(begins))
    shares: Array = kernels.marginals(begins, ends, weights, bounds)[0]
    return shares

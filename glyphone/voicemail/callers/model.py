"""Models that find the caller phrase of a message and the caller's name in it, with probabilities.

Columns of codes describe the words around each place of a message (`words`, `column_kernels`).
Features of the columns have weights (`feature_kernels`), whose sums score the steps of a chain
through the message (`shapes`): a chain of cuts, a conditional random field over labels of words, or
both. Probabilities of phrases and names are sums over the paths of the chain (`decoding_kernels`).

>>> from glyphone.voicemail.callers.training import train
>>> from glyphone.voicemail.generator.generate import generate
>>> model = train(list(generate(60, seed=1)), options=CallerOptions(max_iter=20, min_count=2))
>>> [caller] = model.find(["hi Sam this is Pat Caller i have a question".split()])
>>> caller.phrase, caller.name
((2, 6), (4, 6))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels import jit
from glyphone.voicemail.callers import column_kernels as caller_column_kernels
from glyphone.voicemail.callers import decoding_kernels as caller_decoding_kernels
from glyphone.voicemail.callers import feature_kernels as caller_feature_kernels
from glyphone.voicemail.callers.decoding_kernels import BestSpans
from glyphone.voicemail.callers.options import CallerForm, CallerOptions
from glyphone.voicemail.callers.shapes import LABELS, PARTS, Shape, join_shapes
from glyphone.voicemail.callers.words import CAPITAL, FIRST, OTHER, CallerWords
from glyphone.voicemail.records.messages import Span

Array = Any
SHAPES = {"cuts": PARTS, "crf": LABELS, "both": join_shapes(PARTS, LABELS)}
# Classes that are no evidence of where a sentence begins.
NEUTRAL_CLASSES = ("before", "end", OTHER, "determiner", "adverb", "-ly", "-s", "filler")


class Caller(NamedTuple):
    """Spans of the caller phrase of a message and of the name in it, None if not reported.

    `anyone` is the probability of any caller phrase; the other probabilities are of these spans.
    """

    phrase: Span | None
    name: Span | None
    anyone: float
    phrase_probability: float
    name_probability: float


NO_CALLER = Caller(None, None, 0.0, 0.0, 0.0)
# The likeliest spans of names in a message, with their probabilities.
NameSpans = tuple[tuple[Span, float], ...]


@dataclass(frozen=True)
class CallerModel:
    """The words of features, sorted keys of features, their weights, and weights of the steps.

    `weights` has a row for each key and a column for each event or label of the shape; `steps` has
    a weight for each pair of states.
    """

    words: CallerWords
    keys: Array
    weights: Array
    steps: Array
    options: CallerOptions = field(default_factory=CallerOptions)

    @cached_property
    def key_tables(self) -> tuple[Array, Array]:
        """The Bloom filter and the hash table of the keys."""
        kernels = jit.tier(caller_feature_kernels, len(self.keys))
        return kernels.bloom_filter(self.keys), kernels.hash_table(self.keys)

    @property
    def shape(self) -> Shape:
        return SHAPES[self.options.form]

    @cached_property
    def class_roles(self) -> Array:
        return role_bits(self.words)

    def find(self, messages: Sequence[Sequence[str]]) -> list[Caller]:
        """The caller of each message, given as its words."""
        return [caller for caller, _ in self.find_with_names(messages, 0)]

    def find_with_names(
        self, messages: Sequence[Sequence[str]], n: int
    ) -> list[tuple[Caller, NameSpans]]:
        """The caller of each message, and the n likeliest names, none without a caller.

        The first `places` words are searched. A longer message is searched up to `most` words if
        that finds no phrase, or one that ends with the last of them.
        """
        places, most = self.options.places, self.options.most
        scores, bounds = self.score_places(messages, places)
        callers = self.decode_places(scores, bounds, n)
        far = [
            k
            for k, (caller, _) in enumerate(callers)
            if len(messages[k]) > places and (caller.phrase is None or caller.phrase[1] == places)
        ]
        if far and most > places:
            near = np.concatenate([scores[bounds[k] : bounds[k + 1]] for k in far])
            wider = self.score_places([messages[k] for k in far], most, near=near)
            for k, caller in zip(far, self.decode_places(*wider, n), strict=True):
                callers[k] = caller
        return callers

    def score_places(
        self, messages: Sequence[Sequence[str]], most: int, *, near: Array | None = None
    ) -> tuple[Array, Array]:
        """Scores of the first `most` + 1 places of each message, and the bounds of each message.

        `near` has the scores of the first `places` + 1 places of each message. They are reused if
        features at the last of these places saw `beyond` words enough to see no more now.
        """
        rows, bounds = column_rows(
            messages, self.words, self.class_roles, most, self.options.beyond
        )
        if near is None or self.options.beyond < caller_column_kernels.FAR:
            return self.score_rows(rows), bounds
        places = np.arange(len(rows)) - np.repeat(bounds[:-1], np.diff(bounds))
        known = places <= self.options.places
        scores = np.empty((len(rows), near.shape[1]))
        scores[known], scores[~known] = near, self.score_rows(rows[~known])
        return scores, bounds

    def score_rows(self, rows: Array) -> Array:
        """The sums of the weights of the features of rows of columns, by event or label."""
        scores: Array = jit.tier(caller_feature_kernels, rows.size).sum_weights(
            rows, caller_feature_kernels.TEMPLATES, *self.key_tables, self.weights
        )
        return scores

    def decode_places(self, scores: Array, bounds: Array, n: int) -> list[tuple[Caller, NameSpans]]:
        """The caller and the n likeliest names of each message, given the scores of its places."""
        shape = self.shape
        chain_shares = np.full(len(shape.starts), 1 / len(shape.starts))
        kernels = jit.tier(caller_decoding_kernels, 8 * len(scores) * caller_column_kernels.WIDTH)
        steps = self.steps[shape.pairs[:, 0], shape.pairs[:, 1]]
        best = kernels.decode_spans(scores, steps, shape, chain_shares, bounds, n)
        least, least_name = self.options.least, self.options.least_name
        callers = []
        for (phrase, name), (anyone, of_phrase, of_name), names in zip(
            best.spans.tolist(), best.shares.tolist(), names_of(best), strict=True
        ):
            span = tuple(name) if of_name >= least_name else None
            caller = Caller(tuple(phrase), span, anyone, of_phrase, of_name)
            nobody = NO_CALLER._replace(anyone=anyone), ()
            callers.append((caller, names) if anyone >= least else nobody)
        return callers


def names_of(best: BestSpans) -> list[NameSpans]:
    """The likeliest names of each message, with their probabilities."""
    return [
        tuple(
            ((begin, end), share)
            for (begin, end), share in zip(spans, shares, strict=True)
            if share > 0
        )
        for spans, shares in zip(best.names.tolist(), best.name_shares.tolist(), strict=True)
    ]


def role_bits(words: CallerWords) -> Array:
    """The roles of each class of words as bits, for `column_kernels`."""
    roles = np.zeros(len(words.names), np.int64)
    rest = set(words.names).difference(NEUTRAL_CLASSES)
    for bit, classes in (
        (caller_column_kernels.CLAUSE, {"clause", "auxiliary", "verb", "-ed"}),
        (caller_column_kernels.SUBJECT, {"subject", "clause"}),
        (caller_column_kernels.NAME, {CAPITAL, FIRST}),
        (caller_column_kernels.PREPOSITION, {"preposition"}),
        (caller_column_kernels.INFORMATIVE, rest),
    ):
        roles |= bit * words.class_mask(classes)
    return roles


def column_rows(
    messages: Sequence[Sequence[str]], words: CallerWords, roles: Array, most: int, beyond: int
) -> tuple[Array, Array]:
    """Columns of the first `most` + 1 places of each message, and the bounds of each message."""
    forms, classes, bounds = words.encode(messages, most=most + beyond)
    kernels = jit.tier(caller_column_kernels, 16 * len(forms))
    rows = kernels.place_columns(forms, classes, bounds, roles, most)
    return rows, np.cumsum([0, *(np.minimum(np.diff(bounds), most) + 1).tolist()])


def single_form(model: CallerModel, form: CallerForm) -> CallerModel:
    """The model of one form out of a model of both."""
    own = SHAPES[form]
    first = form == "cuts"
    columns = slice(own.width) if first else slice(PARTS.width, None)
    states = slice(len(own.chains)) if first else slice(len(PARTS.chains), None)
    weights = model.weights[:, columns]
    kept = weights.any(axis=1)
    return replace(
        model,
        keys=model.keys[kept],
        weights=weights[kept],
        steps=model.steps[states, states],
        options=replace(model.options, form=form),
    )

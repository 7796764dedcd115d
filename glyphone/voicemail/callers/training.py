"""Training of models of callers on messages in which callers are marked.

>>> from glyphone.voicemail.generator.generate import generate
>>> model = train(list(generate(60, seed=1)), options=CallerOptions(max_iter=9, min_count=2))
>>> model.options.form, model.weights.shape[1]
('both', 15)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError
from glyphone.voicemail.callers import crf_training, cuts_training
from glyphone.voicemail.callers.model import CallerModel, column_rows, role_bits
from glyphone.voicemail.callers.options import CallerOptions
from glyphone.voicemail.callers.pair import CallerPair, has_capitals
from glyphone.voicemail.callers.shapes import block_diagonal
from glyphone.voicemail.callers.words import CallerWords
from glyphone.voicemail.records.messages import Message

Array = Any
# The fewest callers for a model of one sort of transcripts.
ENOUGH = 50


def train_pair(messages: Sequence[Message], *, options: CallerOptions | None = None) -> CallerPair:
    """Models of both sorts of transcripts; one model for both if one sort has too few callers."""
    parts = [
        [message for message in messages if has_capitals(message.words) == sort]
        for sort in (True, False)
    ]
    if min(sum(one.caller_phrase is not None for one in part) for part in parts) < ENOUGH:
        model = train(messages, options=options)
        return CallerPair(model, model)
    sorts = progress.steps(parts, "learning callers of two sorts of transcripts")
    return CallerPair(*(train(part, options=options) for part in sorts))


def train(messages: Sequence[Message], *, options: CallerOptions | None = None) -> CallerModel:
    """A model of messages in which callers are marked."""
    options = options or CallerOptions()
    if not any(message.caller_phrase for message in messages):
        raise GlyphoneError("no message has a caller phrase", remedy="mark some: caller_phrase")
    words, learnt = CallerWords.read(), []
    rows, bounds = column_rows(
        [message.words for message in messages],
        words,
        role_bits(words),
        options.places,
        options.beyond,
    )
    for form, mark_message, fit in (
        ("cuts", cuts_training.gold_parts, cuts_training.fit),
        ("crf", crf_training.gold_labels, crf_training.fit),
    ):
        if options.form in (form, "both"):
            gold = [
                mark_message(
                    len(one.words), one.caller_phrase, one.caller_name, most=options.places
                )
                for one in messages
            ]
            learnt.append(fit(rows, bounds, np.concatenate(gold), options))
    return CallerModel(words, *merge_weights(learnt), options)


def merge_weights(learnt: Sequence[tuple[Array, Array, Array]]) -> tuple[Array, Array, Array]:
    """The keys, weights and steps of one model that has all keys of several models.

    >>> one = np.array([3, 5]), np.ones((2, 1)), np.ones((1, 1))
    >>> other = np.array([5]), np.full((1, 2), 2.0), np.full((1, 1), 2.0)
    >>> [array.tolist() for array in merge_weights([one, other])]
    [[3, 5], [[1.0, 0.0, 0.0], [1.0, 2.0, 2.0]], [[1.0, 0.0], [0.0, 2.0]]]
    """
    keys = np.unique(np.concatenate([one[0] for one in learnt]))
    columns = []
    for own, weights, _ in learnt:
        wide = np.zeros((len(keys), weights.shape[1]), weights.dtype)
        wide[np.searchsorted(keys, own)] = weights
        columns.append(wide)
    return keys, np.concatenate(columns, axis=1), block_diagonal([steps for _, _, steps in learnt])

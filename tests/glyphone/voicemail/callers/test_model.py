"""A model of callers learnt from few messages, its kernels, and odd messages."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import jit
from glyphone.voicemail.callers import column_kernels as caller_column_kernels
from glyphone.voicemail.callers import feature_kernels as caller_feature_kernels
from glyphone.voicemail.callers.model import CallerModel, column_rows, role_bits
from glyphone.voicemail.callers.options import CallerOptions
from glyphone.voicemail.callers.training import train
from glyphone.voicemail.callers.words import CallerWords
from glyphone.voicemail.generator.generate import generate
from glyphone.voicemail.records.messages import Message

OPTIONS = CallerOptions(most=30, places=16, max_iter=25, min_count=2)


@cache
def model() -> CallerModel:
    nameless = [m for m in generate(600, seed=2) if m.caller_phrase and not m.caller_name]
    return train([*generate(150, seed=1), *nameless], options=OPTIONS)


def found(text: str) -> tuple[str, str]:
    words = text.split()
    [who] = model().find([words])
    return tuple(" ".join(words[slice(*(span or (0, 0)))]) for span in who[:2])  # type: ignore


def test_callers_are_found() -> None:
    assert found("hi Susan this is Olaf Petrov please call me back") == (
        "this is Olaf Petrov",
        "Olaf Petrov",
    )
    assert found("good morning my name is Yuki Tan we need to talk")[1] == "Yuki Tan"
    assert found("hello it's me we need to talk")[0] == "it's me"


def test_most_callers_of_the_other_part_are_found() -> None:
    messages = list(generate(120, seed=9, part="test"))
    callers = model().find([message.words for message in messages])
    right = [one.name == m.caller_name for one, m in zip(callers, messages, strict=True)]
    assert sum(right) / len(right) > 0.75


@pytest.mark.parametrize(
    "words", [[], ["hi"], ["um"] * 100_000, ["😀", "…", "!!"], ["नमस्ते", "मैं", "हूँ"], [""], ["-"]]
)
def test_odd_messages_have_an_answer(words: list[str]) -> None:
    [who] = model().find([words])
    assert who.phrase is None or who.phrase[1] <= len(words)
    assert 0 <= who.anyone <= 1 + 1e-9


def test_a_message_does_not_depend_on_other_messages() -> None:
    words = [message.words for message in generate(30, seed=6)]
    together = model().find(words)
    alone = [model().find([some])[0] for some in words]
    for one, other in zip(together, alone, strict=True):
        assert one[:2] == other[:2] and one[2:] == pytest.approx(other[2:])


@pytest.mark.parametrize("beyond", [4, 8])
def test_places_of_far_callers_are_scored_once(
    monkeypatch: pytest.MonkeyPatch, beyond: int
) -> None:
    """With `beyond` below `FAR`, features at the last near places change, and all are computed."""
    some = replace(model(), options=replace(OPTIONS, beyond=beyond))
    places, most = OPTIONS.places, OPTIONS.most
    messages = [message.words for message in generate(60, seed=4, part="varied")]
    near = [one for one, _ in some.decode_places(*some.score_places(messages, places), 0)]
    far = [
        k
        for k, caller in enumerate(near)
        if len(messages[k]) > places and (caller.phrase is None or caller.phrase[1] == places)
    ]
    assert len(far) > 5
    scores = some.score_places([messages[k] for k in far], most)
    again = [one for one, _ in some.decode_places(*scores, 0)]
    expected = [again[far.index(k)] if k in far else caller for k, caller in enumerate(near)]

    scored = []
    score_rows = CallerModel.score_rows

    def count_rows(self: CallerModel, rows: Any) -> Any:
        scored.append(len(rows))
        return score_rows(self, rows)

    monkeypatch.setattr(CallerModel, "score_rows", count_rows)
    assert some.find(messages) == expected
    searched = [min(len(words), most if k in far else places) for k, words in enumerate(messages)]
    repeated = 0 if beyond >= caller_column_kernels.FAR else len(far) * (places + 1)
    assert sum(scored) == sum(searched) + len(messages) + repeated


def test_compiled_kernels_see_and_sum_the_same() -> None:
    words = CallerWords.read()
    messages = [message.words for message in generate(6, seed=3)]
    forms, classes, bounds = words.encode(messages, most=20)
    roles = role_bits(words)
    rows, _ = column_rows(messages, words, roles, 12, 8)
    plain = caller_column_kernels.place_columns(forms, classes, bounds, roles, 12)
    compiled = jit.compiled(caller_column_kernels).place_columns(forms, classes, bounds, roles, 12)
    assert (plain == compiled).all() and (plain == rows).all()
    kernels, templates = jit.compiled(caller_feature_kernels), caller_feature_kernels.TEMPLATES
    keys = caller_feature_kernels.feature_keys(plain[:20], templates)
    assert (keys == kernels.feature_keys(plain[:20], templates)).all()
    table = kernels.hash_table(np.unique(keys)[::2])
    assert (table == caller_feature_kernels.hash_table(np.unique(keys)[::2])).all()
    weights = np.arange(2.0 * len(np.unique(keys)[::2])).reshape(-1, 2)
    bits = kernels.bloom_filter(np.unique(keys)[::2])
    assert (bits == caller_feature_kernels.bloom_filter(np.unique(keys)[::2])).all()
    sums = kernels.sum_weights(plain[:20], templates, bits, table, weights)
    assert (
        sums == caller_feature_kernels.sum_weights(plain[:20], templates, bits, table, weights)
    ).all()
    assert (sums == kernels.sum_numbered(kernels.key_numbers(keys[:20], table), weights)).all()
    numbers = caller_feature_kernels.key_numbers(keys, table)
    assert (sums == kernels.sum_numbered(numbers, weights)).all()


def test_words() -> None:
    words = CallerWords.read()
    expected = {
        "Hi,": "greeting hi",
        "I'm": "clause i'm",
        "(From": "preposition from",
        "Petrov": "capital",
        "Will": "capital",
        "will": "auxiliary will",
        "mary": "first name",
        "555-0199": "number",
        "wanting": "-ing",
        "boss": "other",
        "": "other",
    }
    assert {word: words.describe(word) for word in expected} == expected


def test_nothing_to_learn_from() -> None:
    with pytest.raises(GlyphoneError, match="no message has a caller phrase"):
        train([Message(id="a", words=("hi",))])

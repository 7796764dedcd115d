"""Who called: a model learnt from few messages, its file, and odd messages."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.kernels import jit
from glyphone.fst.storage import container as storage_container
from glyphone.fst.storage.container import Contents
from glyphone.voicemail.callers import column_kernels as caller_column_kernels
from glyphone.voicemail.callers import feature_kernels as caller_feature_kernels
from glyphone.voicemail.callers import model as caller_model
from glyphone.voicemail.callers.model import CallerModel, CallerOptions, column_rows, role_bits
from glyphone.voicemail.callers.words import CallerWords
from glyphone.voicemail.generator.generate import generate
from glyphone.voicemail.records.messages import Message

OPTIONS = CallerOptions(most=30, places=16, max_iter=25, min_count=2)


@cache
def model() -> CallerModel:
    nameless = [m for m in generate(600, seed=2) if m.caller_phrase and not m.caller_name]
    return caller_model.train([*generate(150, seed=1), *nameless], options=OPTIONS)


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


def test_a_file_gives_the_same_model_back(tmp_path: Path) -> None:
    path = tmp_path / "callers.glyphone"
    caller_model.save(model(), path)
    words = [message.words for message in generate(40, seed=5)]
    assert caller_model.load(path).find(words) == model().find(words)
    again = tmp_path / "again.glyphone"
    caller_model.save(caller_model.load(path), again)
    assert again.read_bytes() == path.read_bytes()


def test_forged_files_are_refused(tmp_path: Path) -> None:
    good = caller_model.pack(model(), "")
    changes = {
        "keys": good.arrays["keys"][:-1],
        "weights": good.arrays["weights"] * np.nan,
        "steps": good.arrays["steps"][:2],
    }
    for name, array in changes.items():
        path = tmp_path / f"{name}.glyphone"
        storage_container.write(
            path, Contents(good.kind, good.manifest, {**good.arrays, name: array})
        )
        with pytest.raises(FormatError, match="is no model of callers"):
            caller_model.load(path)
    for key, value in (("options", {"most": -1}), ("format", 99), ("templates", [])):
        path = tmp_path / f"{key}.glyphone"
        storage_container.write(
            path, Contents(good.kind, {**good.manifest, key: value}, good.arrays)
        )
        with pytest.raises(FormatError):
            caller_model.load(path)


@pytest.mark.parametrize(
    "words", [[], ["hi"], ["um"] * 100_000, ["😀", "…", "!!"], ["नमस्ते", "मैं", "हूँ"], [""], ["-"]]
)
def test_odd_messages_have_an_answer(words: list[str]) -> None:
    [who] = model().find([words])
    assert who.phrase is None or who.phrase[1] <= len(words)
    assert 0 <= who.anyone <= 1 + 1e-9


def test_a_message_does_not_depend_on_those_around_it() -> None:
    words = [message.words for message in generate(30, seed=6)]
    together = model().find(words)
    alone = [model().find([some])[0] for some in words]
    for one, other in zip(together, alone, strict=True):
        assert one[:2] == other[:2] and one[2:] == pytest.approx(other[2:])


def test_compiled_kernels_see_and_sum_the_same() -> None:
    words = CallerWords.read()
    messages = [message.words for message in generate(6, seed=3)]
    forms, classes, bounds = words.encode(messages, most=20)
    telling = role_bits(words)
    rows, _ = column_rows(messages, words, telling, 12, 8)
    plain = caller_column_kernels.columns(forms, classes, bounds, telling, 12)
    compiled = jit.compiled(caller_column_kernels).columns(forms, classes, bounds, telling, 12)
    assert (plain == compiled).all() and (plain == rows).all()
    kernels, templates = jit.compiled(caller_feature_kernels), caller_feature_kernels.TEMPLATES
    keys = caller_feature_kernels.keys(plain[:20], templates)
    assert (keys == kernels.keys(plain[:20], templates)).all()
    table = kernels.slots(np.unique(keys)[::2])
    assert (table == caller_feature_kernels.slots(np.unique(keys)[::2])).all()
    weights = np.arange(2.0 * len(np.unique(keys)[::2])).reshape(-1, 2)
    bits = kernels.sieve(np.unique(keys)[::2])
    assert (bits == caller_feature_kernels.sieve(np.unique(keys)[::2])).all()
    sums = kernels.sums(plain[:20], templates, bits, table, weights)
    assert (sums == caller_feature_kernels.sums(plain[:20], templates, bits, table, weights)).all()
    assert (sums == kernels.summed(kernels.places(keys[:20], table), weights)).all()
    numbers = caller_feature_kernels.places(keys, table)
    assert (sums == kernels.summed(numbers, weights)).all()


def test_words() -> None:
    words = CallerWords.read()
    told = {
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
    assert {word: words.describe(word) for word in told} == told


def test_nothing_to_learn_from() -> None:
    with pytest.raises(GlyphoneError, match="no message has a caller phrase"):
        caller_model.train([Message(id="a", words=("hi",))])

"""Vocabularies and letter models: tries against dictionaries, files, and what they refuse."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.writing import Writing
from glyphone.fst.composed import letters, vocabulary
from glyphone.fst.composed.vocabulary import LONGEST, vocabulary_of
from glyphone.fst.interface.codec import Side
from tests.fst.joint.examples import near
from tests.fst.support import mass, paths

SIDE = Side(Writing(), {"a": 2, "b": 1, "c": 5})
lists = st.lists(
    st.tuples(st.text("abcd", max_size=5), st.sampled_from([0.125, 0.5, 2.0])), max_size=12
)


@given(lists, st.text("abc", max_size=5))
def test_both_ways_to_a_word_add_up(rows: list[tuple[str, float]], word: str) -> None:
    words = vocabulary_of(rows, SIDE, share=0.5, floor=0.01)
    sums: dict[str, float] = {}
    for one, frequency in rows:
        if one and "d" not in one:
            sums[one] = sums.get(one, 0.0) + frequency
    assert dict(words.words()) == sums
    assert [one for one, _ in words.words()] == sorted(
        sums, key=lambda one: [SIDE.symbols[symbol] for symbol in one]
    )
    labels = tuple(SIDE.symbols[symbol] for symbol in word)
    for temperature in (1.0, 2.0):
        machine = words.machine(SIDE.symbols, temperature=temperature)
        found = [cost for output, cost in paths(machine, labels) if output == labels]
        share = 0.5 / temperature
        expected = sums.get(word, 0.0) ** share + 0.01**share
        assert math.exp(-mass(found)) == near(expected)


@given(lists)
def test_machines_are_as_transducers_are(rows: list[tuple[str, float]]) -> None:
    machine = vocabulary_of(rows, SIDE).machine(SIDE.symbols)
    columns = (machine.sources(), machine.ilabels, machine.olabels, machine.weights)
    again = type(machine).from_arcs(machine.start, machine.finals, *columns, machine.targets)
    assert machine.equals(again)


@given(lists)
def test_a_file_gives_back_the_words(rows: list[tuple[str, float]]) -> None:
    words = vocabulary_of(rows, SIDE, share=0.25, floor=0.001)
    arrays, settings = vocabulary.to_arrays(words, "words/"), vocabulary.settings_of(words)
    again = vocabulary.from_arrays(arrays, "words/", settings)
    assert again.fingerprint() == words.fingerprint()
    assert again.words() == words.words()
    assert again.machine(SIDE.symbols).equals(words.machine(SIDE.symbols))


def test_symbols_that_the_model_does_not_write() -> None:
    words = vocabulary_of([("ab", 0.5), ("ac", 0.25)], SIDE, floor=0.01)
    machine = words.machine({"a": 1, "c": 2, "q": 3})
    assert len([*paths(machine, (1, 2))]) == 2
    assert len([*paths(machine, (3, 3))]) == 1
    assert set(machine.ilabels.tolist()) == {1, 2, 3}


def test_tokens_are_symbols_too() -> None:
    side = Side(Writing("token"), {"tʃ": 1, "o": 2})
    words = vocabulary_of([("tʃ o", 0.5), ("tʃ  o", 0.25), ("t o", 1.0)], side)
    assert words.labels.tolist() == [1, 2]
    assert words.frequencies.tolist() == [0.0, 0.75]


@pytest.mark.parametrize("frequency", [0.0, -1.0, math.inf, math.nan])
def test_frequencies_are_above_zero(frequency: float) -> None:
    with pytest.raises(GlyphoneError, match=r"'ab': has the frequency .* above 0"):
        vocabulary_of([("ab", frequency)], SIDE)


@pytest.mark.parametrize("options", [{"share": 0.0}, {"floor": 0.0}, {"share": math.inf}])
def test_share_and_floor_are_above_zero(options: dict[str, float]) -> None:
    with pytest.raises(GlyphoneError, match="both are above 0"):
        vocabulary_of([("ab", 0.5)], SIDE, **options)


def test_endless_words_are_left_out() -> None:
    words = vocabulary_of([("a" * LONGEST, 0.5), ("a" * (LONGEST + 1), 0.5)], SIDE)
    assert len(words.depths) == LONGEST


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("depths", np.array([1, 3], np.uint8)),
        ("depths", np.array([0, 1], np.uint8)),
        ("depths", np.array([1, 2], np.uint16)),
        ("labels", np.array([1, 9], np.uint8)),
        ("labels", np.array([1, 0], np.uint8)),
        ("labels", np.array([1, 2, 3], np.uint8)),
        ("ends", np.array([64, 0], np.uint8)),
        ("ends", np.array([192], np.uint8)),
        ("frequencies", np.array([np.nan], np.float32)),
        ("frequencies", np.array([0.5])),
    ],
)
def test_damaged_vocabularies(name: str, column: np.ndarray) -> None:
    words = vocabulary_of([("ab", 0.5)], SIDE)
    arrays, settings = vocabulary.to_arrays(words), vocabulary.settings_of(words)
    vocabulary.from_arrays(arrays, "", settings)
    with pytest.raises(ValueError, match="vocabulary"):
        vocabulary.from_arrays({**arrays, name: column}, "", settings)


def test_letter_models_in_files() -> None:
    rows = [("abc", 2.0), ("ab", 1.0), ("ad", 1.0)]
    model = letters.train_letters(rows, SIDE, order=3, share=0.25)
    assert model.symbols == ("b", "a", "c")
    expected = letters.train_letters(rows[:2], SIDE, order=3)
    assert model.ngrams.score([1, 0, 2]) == expected.ngrams.score([1, 0, 2])
    assert model.ngrams.score([1, 0]) > model.ngrams.score([0, 1]) > -math.inf
    arrays, settings = letters.to_arrays(model, "letters/"), letters.settings_of(model)
    again = letters.from_arrays(arrays, "letters/", settings)
    assert again.fingerprint() == model.fingerprint()
    arrays["letters/tokens"] = arrays["letters/tokens"][:-1]
    with pytest.raises((FormatError, ValueError)):
        letters.from_arrays(arrays, "letters/", settings)
    with pytest.raises(ValueError, match="share"):
        letters.from_arrays(arrays, "letters/", {**settings, "share": "x"})


def test_letter_models_need_words_and_a_share() -> None:
    with pytest.raises(GlyphoneError, match="no words to learn from"):
        letters.train_letters([("d", 1.0)], SIDE)
    model = letters.train_letters([("a", 1.0)], SIDE, order=1)
    with pytest.raises(GlyphoneError, match="share 0"):
        replace(model, share=0.0)

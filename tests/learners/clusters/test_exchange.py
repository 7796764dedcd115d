"""The exchange algorithm beside a twin that counts the whole text anew for every move."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import jit
from glyphone.learners.clusters import exchange as exchange_module
from glyphone.learners.clusters import exchange_kernels
from glyphone.learners.clusters.bigrams import count_bigrams, number_words
from glyphone.learners.clusters.exchange import (
    exchange,
    log_likelihood,
    start_tables,
    tables_of,
)
from tests.learners.clusters import twins

Array = Any
KERNELS = (exchange_kernels, jit.compiled(exchange_kernels))


def parts(text: twins.Text, n_classes: int, seed: int) -> tuple[list[str], Any, Any]:
    vocabulary, numbers = number_words(text, min_count=1)
    bigrams = count_bigrams(numbers, vocabulary.counts)
    return vocabulary.words, bigrams, start_tables(bigrams, n_classes=n_classes, seed=seed)


def of_twin(text: twins.Text, words: list[str], classes: Array) -> float:
    return twins.log_likelihood(text, dict(zip(words, classes.tolist(), strict=False)))


@pytest.mark.parametrize("seed", range(4))
def test_the_likelihood_is_that_of_the_text(seed: int) -> None:
    text = twins.random_text(seed)
    words, bigrams, tables = parts(text, 3, seed)
    found = log_likelihood(bigrams, tables)
    assert found == pytest.approx(of_twin(text, words, tables.classes), abs=1e-9)


@pytest.mark.parametrize("kernels", KERNELS)
@pytest.mark.parametrize("seed", range(6))
def test_each_move_is_the_best_of_all(seed: int, kernels: Any) -> None:
    """Words move where the likelihood of the whole text is highest, and by what it says."""
    n_classes = 2 + seed % 3
    text = twins.random_text(seed)
    words, bigrams, tables = parts(text, n_classes, seed)
    for _ in range(3):
        for w in range(len(words)):
            each = []
            for k in range(n_classes):
                classes = tables.classes.copy()
                classes[w] = k
                each.append(of_twin(text, words, classes))
            stayed = tables.classes[w]
            kernels.move_words(bigrams, tables, w, w + 1)
            best = max(range(n_classes), key=lambda k: each[k])
            if each[best] <= each[stayed] + 1e-8:
                assert tables.classes[w] == stayed
            else:
                assert each[tables.classes[w]] == pytest.approx(each[best], abs=1e-9)
            again = tables_of(bigrams, tables.classes, n_classes)
            for name in ("rows", "columns", "sizes"):
                np.testing.assert_array_equal(getattr(tables, name), getattr(again, name))


@pytest.mark.parametrize("kernels", KERNELS)
@pytest.mark.parametrize("seed", range(3))
def test_gains_are_differences_of_likelihoods(seed: int, kernels: Any) -> None:
    text = twins.random_text(seed)
    words, bigrams, tables = parts(text, 4, seed)
    for w in range(len(words)):
        room = kernels.make_room(4)
        found = kernels.count_neighbours(bigrams, w, tables.classes, room)
        kernels.shift_word(bigrams, tables, w, -1, *found, room)
        kernels.write_gains(bigrams, tables, w, *found, room)
        kernels.shift_word(bigrams, tables, w, 1, *found, room)
        each = []
        for k in range(4):
            classes = tables.classes.copy()
            classes[w] = k
            each.append(of_twin(text, words, classes))
        own = tables.classes[w]
        expected = np.array(each) - each[own]
        assert room.gains - room.gains[own] == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 10_000), st.integers(1, 12))
def test_the_likelihood_never_falls(seed: int, n_classes: int) -> None:
    text = [["a"], *twins.random_text(seed)]
    words, bigrams, tables = parts(text, n_classes, seed)
    history = exchange(bigrams, tables, max_iter=30)
    assert all(b.log_likelihood >= a.log_likelihood - 1e-9 for a, b in pairwise(history))
    assert history[-1].moved == 0
    assert history[-1].log_likelihood == pytest.approx(
        of_twin(text, words, tables.classes), abs=1e-9
    )


def test_plain_and_compiled_kernels_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    text = twins.random_text(7, n=200)
    found = []
    for kernels in KERNELS:
        _, bigrams, tables = parts(text, 4, 0)
        monkeypatch.setattr(jit, "tier", lambda module, work, kernels=kernels: kernels)
        exchange(bigrams, tables, max_iter=10)
        found.append(tables.classes.tolist())
    assert found[0] == found[1]


def test_neither_blocks_nor_tables_of_logarithms_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    text = twins.random_text(5, n=100)
    found = []
    for together, looked_up in ((500, 1 << 16), (1, 2)):
        monkeypatch.setattr(exchange_module, "TOGETHER", together)
        monkeypatch.setattr(exchange_module, "LOOKED_UP", looked_up)
        _, bigrams, tables = parts(text, 4, 0)
        exchange(bigrams, tables, max_iter=10)
        found.append(tables.classes.tolist())
    assert found[0] == found[1]


def test_rare_words_are_one_of_their_shape() -> None:
    vocabulary, numbers = number_words([["la", "la"], [], ["Ana", "Paz", "23"]], min_count=2)
    assert vocabulary.words == ["<unk:U>", "la", "<unk:ND>"]
    assert vocabulary.counts.tolist() == [2, 2, 1, 2]
    assert numbers.tolist() == [3, 1, 1, 3, 0, 0, 2, 3]
    bigrams = count_bigrams(numbers, vocabulary.counts)
    assert bigrams.doubled.tolist() == [1, 1, 0, 0]
    assert (len(bigrams.after), bigrams.after_counts.sum()) == (5, 5)


def test_no_words_are_refused() -> None:
    with pytest.raises(GlyphoneError, match="no word to learn from"):
        number_words([[], []], min_count=1)

"""n-gram models from states in any order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import FormatError
from glyphone.fst.ngrams.counts import flatten
from glyphone.fst.ngrams.model import NgramModel
from glyphone.fst.ngrams.pruning import prune
from glyphone.fst.ngrams.smoothing import train
from glyphone.fst.ngrams.states import from_states, sort_states
from tests.fst.ngrams.twins import N_WORDS, corpora

COLUMNS = ("offsets", "tokens", "log_probs", "targets", "backoff_states", "backoffs", "levels")


def assert_same(found: NgramModel, expected: NgramModel) -> None:
    assert (found.n_words, found.start) == (expected.n_words, expected.start)
    for name in COLUMNS:
        one, other = getattr(found, name), getattr(expected, name)
        assert one.dtype == other.dtype and np.array_equal(one, other), name


def columns(model: NgramModel) -> dict[str, Any]:
    return {
        "start": model.start,
        "sources": model.sources(),
        "tokens": model.tokens,
        "log_probs": model.log_probs,
        "targets": model.targets,
        "backoff_states": model.backoff_states,
        "backoffs": model.backoffs,
    }


def shuffled(model: NgramModel, seed: int) -> dict[str, Any]:
    """The arcs and states of a model under other numbers and in another order."""
    random = np.random.default_rng(seed)
    number = random.permutation(model.n_states)
    arcs = random.permutation(model.n_ngrams)
    at = np.argsort(number)
    below = np.where(model.backoff_states < 0, -1, number[np.maximum(model.backoff_states, 0)])
    return {
        "start": int(number[model.start]),
        "sources": number[model.sources()][arcs],
        "tokens": model.tokens[arcs],
        "log_probs": model.log_probs[arcs],
        "targets": number[model.targets][arcs],
        "backoff_states": below[at],
        "backoffs": model.backoffs[at],
    }


@given(corpora, st.integers(1, 4), st.integers(0, 9))
def test_the_order_of_states_and_arcs_does_not_matter(
    corpus: list[list[int]], order: int, seed: int
) -> None:
    model = train(*flatten(corpus), n_words=N_WORDS, order=order)
    if order == 4 and model.levels[-2] < model.n_states:
        model = prune(model, threshold=1e-3)
    found = sort_states(model)
    assert_same(from_states(N_WORDS, **shuffled(model, seed)), found)
    assert found.order <= model.order
    # The histories of a trained model stand in this order already, but for empty levels.
    assert np.array_equal(found.tokens, model.tokens)
    scores = found.score_many(*flatten(corpus))
    assert scores == pytest.approx(model.score_many(*flatten(corpus)), nan_ok=True)


@pytest.fixture(scope="module")
def trigrams() -> dict[str, Any]:
    corpus = [[0, 1, 2], [0, 1, 1], [2, 0, 1], [3, 0], [1]]
    return columns(train(*flatten(corpus), n_words=N_WORDS, order=3))


def test_states_that_nothing_leads_to_are_left_out(trigrams: dict[str, Any]) -> None:
    model = from_states(N_WORDS, **trigrams)
    longer = {
        **trigrams,
        "backoff_states": np.append(trigrams["backoff_states"], model.n_states - 1),
        "backoffs": np.append(trigrams["backoffs"], 0.5),
    }
    assert_same(from_states(N_WORDS, **longer), model)


def test_words_that_the_empty_history_lacks_are_impossible(trigrams: dict[str, Any]) -> None:
    model = from_states(N_WORDS + 1, **{**trigrams, "tokens": trigrams["tokens"] + 1})
    assert model.log_probs[0] == -np.inf and model.targets[0] == 0
    assert model.distribution([])[0] == -np.inf


@pytest.mark.parametrize(
    ("name", "place", "value", "message"),
    [
        ("backoff_states", 3, -1, "2 of its .* states do not back off, expected one"),
        ("backoff_states", 0, 1, "0 of its .* states do not back off"),
        ("backoff_states", 1, 2, "does not back off to a shorter history"),
        ("backoff_states", -1, -2, "2 of its"),
        ("tokens", 1, 0, "two arcs for one unit"),
        ("targets", 5, 7, "a state stands for two histories"),
        ("targets", 1, 5, "a state stands for two|does not back off"),
        ("log_probs", 3, np.nan, "a probability is not a number"),
    ],
)
def test_states_that_are_no_histories(
    trigrams: dict[str, Any], name: str, place: int, value: float, message: str
) -> None:
    column = trigrams[name].copy()
    column[place] = value
    with pytest.raises(FormatError, match=f"x.fst: is no n-gram model: .*{message}"):
        from_states(N_WORDS, **{**trigrams, name: column}, path="x.fst")

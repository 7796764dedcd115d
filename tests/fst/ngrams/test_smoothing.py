"""Estimates against twins in dictionaries; sums to one; bad options."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.fst.ngrams.counts import count_sequences, flatten
from glyphone.fst.ngrams.model import NgramModel
from glyphone.fst.ngrams.smoothing import Smoothing, discounts_of, estimate, train
from tests.fst.ngrams.twins import (
    END,
    N_WORDS,
    Gram,
    continuation_counts,
    corpora,
    counts,
    histories,
    random_corpus,
    three_discounts,
    twin,
    without_begin,
)

METHODS: tuple[Smoothing, ...] = get_args(Smoothing)


def largest_error(model: NgramModel, seed: int, *, n: int = 1000) -> float:
    """The largest distance from 1 of the sum after any of some random histories."""
    random = np.random.default_rng(seed)
    worst = 0.0
    for _ in range(n):
        history = random.integers(0, model.n_words, random.integers(0, model.order + 1)).tolist()
        history = [model.begin, *history] if random.random() < 0.3 else history
        worst = max(worst, abs(float(np.exp(model.distribution(history)).sum()) - 1))
    return worst


@pytest.mark.parametrize("smoothing", METHODS)
@settings(deadline=None, max_examples=40)
@given(corpora, st.integers(1, 4), st.lists(histories, max_size=10))
def test_twins(
    smoothing: Smoothing, corpus: list[list[int]], order: int, queries: list[Gram]
) -> None:
    model = train(*flatten(corpus), n_words=N_WORDS, order=order, smoothing=smoothing)
    model.check()
    prob = twin(corpus, order, smoothing)
    for history in queries:
        expected = [prob(token, history) for token in range(N_WORDS + 1)]
        assert np.exp(model.distribution(history)) == pytest.approx(expected, abs=1e-10)
        assert np.exp(model.log_prob(history, END)) == pytest.approx(expected[-1], abs=1e-10)


@pytest.mark.parametrize("smoothing", METHODS)
def test_a_larger_corpus(smoothing: Smoothing) -> None:
    corpus = [[min(word, 3) for word in sequence] for sequence in random_corpus(1)]
    model = train(*flatten(corpus), n_words=N_WORDS, order=5, smoothing=smoothing)
    prob = twin(corpus, 5, smoothing)
    for history in [(), (0,), (1, 2), (0, 0, 0), (5, 1), (5, 3, 0, 1), (3, 2, 1, 0, 0, 1)]:
        expected = [prob(token, history) for token in range(N_WORDS + 1)]
        assert np.exp(model.distribution(history)) == pytest.approx(expected, abs=1e-10)


OPTIONS: list[dict[str, Any]] = [
    {},
    {"floor": False},
    {"least_counts": [1, 2, 3]},
    {"weights": np.random.default_rng(2).random(300)},
    {"weights": np.full(300, 0.5), "items": np.arange(300) // 2, "least_counts": [0, 0.7]},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("smoothing", METHODS)
def test_sums_to_one(smoothing: Smoothing, options: dict[str, Any]) -> None:
    corpus = flatten(random_corpus(2))
    model = train(*corpus, n_words=9, order=4, smoothing=smoothing, **options)
    model.check()
    assert largest_error(model, 5) < 1e-10


def test_alternatives_that_agree_are_one_sure_sequence() -> None:
    corpus = random_corpus(3, n=80, n_words=4)
    doubled = [sequence for sequence in corpus for _ in range(2)]
    items = np.repeat(np.arange(80), 2)
    weights = np.tile([0.25, 0.75], 80)
    for smoothing in METHODS:
        if smoothing == "katz":  # looks at other counts of counts where counts are not whole
            continue
        sure = train(*flatten(corpus), n_words=4, order=4, smoothing=smoothing)
        split = train(
            *flatten(doubled), n_words=4, order=4, smoothing=smoothing, weights=weights, items=items
        )
        assert np.allclose(split.log_probs, sure.log_probs, atol=1e-10)
        assert np.allclose(split.backoffs, sure.backoffs, atol=1e-10)


def test_unseen_words() -> None:
    corpus = flatten([[0, 1], [1]])
    model = train(*corpus, n_words=5, order=2)
    assert model.log_prob([], 3) == model.log_prob([], 4) > -np.inf
    for smoothing in METHODS:
        bare = train(*corpus, n_words=5, order=2, floor=False, smoothing=smoothing)
        assert bare.log_prob([], 3) == bare.log_prob([0], 3) == -np.inf
    bare = train(*corpus, n_words=5, order=2, floor=False)
    assert np.exp(bare.log_prob([], 1)) == pytest.approx(1 / 2)  # after <s>, 0; 0 and 1 before </s>


def test_least_counts_leave_out_rare_n_grams() -> None:
    corpus = random_corpus(4)
    counted = count_sequences(*flatten(corpus), n_words=8, order=3)
    model = estimate(counted, least_counts=[2, 3])
    frequent = [
        int((level.counts >= least).sum())
        for level, least in zip(counted.levels[1:], (2, 3), strict=True)
    ]
    assert model.n_ngrams == 9 + sum(frequent)
    assert largest_error(model, 8) < 1e-12


def test_discounts() -> None:
    corpus = random_corpus(5)
    counted = count_sequences(*flatten(corpus), n_words=8, order=3)
    found = discounts_of(counted)
    given_back = estimate(counted, discounts=found)
    assert np.array_equal(given_back.log_probs, estimate(counted).log_probs)
    other = estimate(counted, discounts=[(0.9, 1.1, 1.2)] * 3)
    assert largest_error(other, 6, n=100) < 1e-12
    assert not np.allclose(other.log_probs, given_back.log_probs)


def test_degenerate_corpora() -> None:
    for smoothing in METHODS:
        for corpus in ([[]], [[0]], [[0] * 50], [[], []], [[0], [0], [0]]):
            for n_words in (1, 3):
                model = train(*flatten(corpus), n_words=n_words, order=4, smoothing=smoothing)
                model.check()
                assert largest_error(model, 7, n=50) < 1e-7


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"least_counts": [3, 2]}, "fall from one length to the next"),
        ({"discounts": [(0.5, 1, 1.5)]}, "there are discounts for 1 lengths, but the order is 2"),
        ({"discounts": [(0.5, 1, 3.5)] * 2}, "must be above 0"),
        ({"discounts": [(0.5, 1, 1.5)] * 2, "smoothing": "katz"}, "katz has no discounts"),
    ],
)
def test_refused_options(options: dict[str, Any], message: str) -> None:
    counted = count_sequences([0], [0, 1], n_words=1, order=2)
    with pytest.raises(GlyphoneError, match=message):
        estimate(counted, **options)


def test_an_unknown_method() -> None:
    with pytest.raises(UnknownName, match=r"did you mean .*kneser-ney"):
        train([0], [0, 1], n_words=1, order=2, smoothing="kneserney")  # type: ignore[arg-type]


def test_counts_that_the_discounts_come_from() -> None:
    corpus = [[min(word, 3) for word in sequence] for sequence in random_corpus(6)]
    c = continuation_counts(counts(corpus, 3), 3)
    c[1] = without_begin(c[1])
    found = discounts_of(count_sequences(*flatten(corpus), n_words=4, order=3))
    for length, three in enumerate(found, 1):
        assert three == pytest.approx(three_discounts(c[length]))

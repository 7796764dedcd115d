"""Pruning: scores against the divergence that they stand for, and what must stay true."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.fst.ngrams.counts import count_sequences, flatten
from glyphone.fst.ngrams.model import NgramModel
from glyphone.fst.ngrams.pruning import Criterion, prune, pruning_scores, restrict
from glyphone.fst.ngrams.smoothing import Smoothing, estimate
from tests.fst.ngrams.test_model import states
from tests.fst.ngrams.test_smoothing import METHODS, largest_error
from tests.fst.ngrams.twins import BEGIN, Gram, grams, random_corpus

CORPUS = random_corpus(21, n=400, n_words=4)
COUNTS = count_sequences(*flatten(CORPUS), n_words=4, order=4)
MODEL = estimate(COUNTS)
CRITERIA: tuple[Criterion, ...] = get_args(Criterion)


def ngrams(model: NgramModel) -> list[Gram]:
    """The explicit n-gram of every arc."""
    histories = {state: history for history, state in states(model).items()}
    pairs = zip(model.sources().tolist(), model.tokens.tolist(), strict=True)
    return [(*histories[state], token) for state, token in pairs]


def history_share(model: NgramModel, history: Gram) -> float:
    """P(h), <s> being as likely as </s>."""
    total = 0.0
    for place, token in enumerate(history):
        begins = token == model.begin
        total += model.log_prob([], model.end) if begins else model.log_prob(history[:place], token)
    return math.exp(total)


def leaves(model: NgramModel) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Arcs that no other n-gram continues."""
    every = ngrams(model)
    continued = {gram[:-1] for gram in every}
    return np.array([a for a, gram in enumerate(every) if len(gram) > 1 and gram not in continued])


@pytest.mark.parametrize("smoothing", METHODS)
def test_relative_entropy_is_the_divergence_from_a_model_without_the_n_gram(
    smoothing: Smoothing,
) -> None:
    model = estimate(COUNTS, smoothing=smoothing)
    scores = pruning_scores(model)
    every = ngrams(model)
    for arc in leaves(model)[::37]:
        kept = np.ones(model.n_ngrams, np.bool_)
        kept[arc] = False
        smaller = restrict(model, kept)
        history = every[arc][:-1]
        before, after = model.distribution(history), smaller.distribution(history)
        divergence = float((np.exp(before) * (before - after)).sum())
        expected = math.expm1(history_share(model, history) * divergence)
        assert scores[arc] == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_seymore_rosenfeld_with_counts() -> None:
    scores = pruning_scores(MODEL, criterion="seymore-rosenfeld", counts=COUNTS)
    every = ngrams(MODEL)
    counted = [gram for length in range(1, 5) for gram in grams(CORPUS, length)]
    total = sum(gram != (MODEL.begin,) for gram in grams(CORPUS, 1))
    for arc in leaves(MODEL)[::37]:
        *history, token = every[arc]
        state = MODEL.state_of(history)
        backed_off = MODEL.backoffs[state] + MODEL.log_prob(history[1:], token)
        share = counted.count(every[arc]) / total
        expected = share * (MODEL.log_prob(history, token) - backed_off)
        assert scores[arc] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("smoothing", METHODS)
def test_a_pruned_model(criterion: Criterion, smoothing: Smoothing) -> None:
    whole = estimate(COUNTS, smoothing=smoothing)
    everything = set(ngrams(whole))
    larger = everything
    for size in (whole.n_ngrams, 200, 120, 30, 5, 0):
        model = prune(whole, size=size, criterion=criterion, counts=COUNTS)
        model.check()
        assert model.n_ngrams == max(size, 5)
        kept = set(ngrams(model))
        assert kept <= larger
        assert all(gram[:-1] in kept for gram in kept if len(gram) > 1 and gram[:-1] != (BEGIN,))
        assert largest_error(model, 4, n=300) < 1e-10
        for gram in sorted(kept)[::17]:
            assert model.log_prob(gram[:-1], gram[-1]) == whole.log_prob(gram[:-1], gram[-1])
        larger = kept


def test_a_threshold() -> None:
    scores = pruning_scores(MODEL)
    middle = float(np.median(scores))
    assert prune(MODEL, threshold=middle).n_ngrams == int((scores >= middle).sum())
    same = prune(MODEL, threshold=0.0)
    assert same.n_ngrams == MODEL.n_ngrams
    assert np.array_equal(same.targets, MODEL.targets)
    assert np.allclose(same.backoffs, MODEL.backoffs, atol=1e-9)
    tokens, offsets = flatten(CORPUS)
    some = prune(MODEL, size=MODEL.n_ngrams // 2)
    assert some.perplexity(tokens, offsets) < prune(MODEL, size=40).perplexity(tokens, offsets)
    assert prune(some, size=40).n_ngrams == 40


def test_pruning_a_pruned_model_with_counts() -> None:
    some = prune(MODEL, size=120, counts=COUNTS)
    assert prune(some, size=50, counts=COUNTS).n_ngrams == 50


def test_refused() -> None:
    with pytest.raises(GlyphoneError, match="either a threshold or a size"):
        prune(MODEL)
    with pytest.raises(UnknownName, match="no pruning criterion named 'entropy'"):
        prune(MODEL, size=3, criterion="entropy")  # type: ignore[arg-type]
    kept = np.ones(MODEL.n_ngrams, np.bool_)
    kept[MODEL.vocabulary_size : int(MODEL.offsets[MODEL.levels[2]])] = False
    with pytest.raises(GlyphoneError, match="whose prefix is dropped"):
        restrict(MODEL, kept)
    other = count_sequences([0], [0, 1], n_words=3, order=4)
    with pytest.raises(GlyphoneError, match="not those of this model"):
        prune(MODEL, size=9, counts=other)

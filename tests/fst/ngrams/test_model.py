"""The model's arrays: walks, scores, samples, acceptors, damage."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.kernels import jit
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.ngrams import kernels as ngram_kernels
from glyphone.fst.ngrams.acceptors import epsilon_acceptor, exact_acceptor
from glyphone.fst.ngrams.counts import flatten
from glyphone.fst.ngrams.model import NgramModel
from glyphone.fst.ngrams.pruning import prune
from glyphone.fst.ngrams.smoothing import Smoothing, train
from tests.fst.ngrams.twins import N_WORDS, Gram, corpora, histories, random_corpus, twin
from tests.fst.support import paths

CORPUS = random_corpus(11, n=200, n_words=4)
MODEL = train(*flatten(CORPUS), n_words=4, order=4)
FAST = jit.compiled(ngram_kernels)


def states(model: NgramModel) -> dict[Gram, int]:
    """The history of every state, found by walking from the empty one and from <s>."""
    found: dict[Gram, int] = {(): 0}
    if model.start:
        found[(model.begin,)] = model.start
    for history, state in list(found.items()):
        agenda = [(history, state)]
        while agenda:
            history, state = agenda.pop()
            depth = int(np.searchsorted(model.levels, state, side="right"))
            for arc in range(model.offsets[state], model.offsets[state + 1]):
                target = int(model.targets[arc])
                if target >= model.levels[min(depth, model.order)]:
                    longer = (*history, int(model.tokens[arc]))
                    found[longer] = target
                    agenda.append((longer, target))
    return found


@settings(deadline=None, max_examples=60)
@given(corpora, histories)
def test_states_are_the_longest_suffixes(corpus: list[list[int]], history: Gram) -> None:
    model = train(*flatten(corpus), n_words=N_WORDS, order=4)
    found = states(model)
    assert sorted(found.values()) == list(range(model.n_states))
    assert [len(h) for h, _ in sorted(found.items(), key=lambda item: item[1])] == sorted(
        len(h) for h in found
    )
    suffixes = [history[place:] for place in range(len(history) + 1)]
    assert model.state_of(history) == next(found[s] for s in suffixes if s in found)
    for own, state in found.items():
        shorter = [own[place:] for place in range(1, len(own) + 1)]
        expected = next((found[s] for s in shorter if s in found), -1)
        assert model.backoff_states[state] == expected


def test_scores_and_perplexity() -> None:
    prob = twin(CORPUS, 4, "modified-kneser-ney")
    tokens, offsets = flatten(CORPUS)
    scores = MODEL.score_many(tokens, offsets)
    for sequence, score in zip(CORPUS[:40], scores, strict=False):
        padded = [*sequence, MODEL.end]
        places = range(len(padded))
        expected = sum(math.log(prob(padded[i], (MODEL.begin, *padded[:i]))) for i in places)
        assert score == pytest.approx(expected, abs=1e-10)
        assert MODEL.score(sequence) == score
    mean = -scores.sum() / (len(tokens) + len(scores))
    assert MODEL.perplexity(tokens, offsets) == pytest.approx(math.exp(mean))


def test_advance_walks_like_state_of() -> None:
    state, total = MODEL.start, 0.0
    for place, token in enumerate([0, 3, 1, 1, MODEL.end]):
        assert state == MODEL.state_of([MODEL.begin, *[0, 3, 1, 1][:place]])
        log_prob, state = MODEL.advance(state, token)
        total += log_prob
    assert state == 0
    assert total == pytest.approx(MODEL.score([0, 3, 1, 1]))


def test_both_tiers_agree() -> None:
    tokens, offsets = flatten(CORPUS)
    numbers = (MODEL.start, MODEL.end)
    ngrams = MODEL.ngrams
    for name, rest in {
        "sequence_scores": (*numbers, tokens, offsets),
        "lower_log_probs": (),
        "parent_arcs": (MODEL.levels,),
        "next_log_probs": (MODEL.start,),
    }.items():
        plain = getattr(ngram_kernels, name)(ngrams, *rest)
        assert np.array_equal(plain, getattr(FAST, name)(ngrams, *rest), equal_nan=True)
    samples = [
        kernels.draw_sequences(ngrams, *numbers, np.random.default_rng(5), 50, 9)
        for kernels in (ngram_kernels, FAST)
    ]
    assert all(np.array_equal(a, b) for a, b in zip(*samples, strict=True))
    backoffs = []
    for kernels in (ngram_kernels, FAST):
        copy = ngrams._replace(backoffs=ngrams.backoffs + 0.0)
        kernels.set_backoffs(copy, 1e-8)
        backoffs.append(copy.backoffs)
    assert np.array_equal(*backoffs)
    assert np.allclose(backoffs[0], MODEL.backoffs, atol=1e-9)


def test_single_precision() -> None:
    small = MODEL.astype(np.float32)
    small.check()
    assert small.log_probs.dtype == small.backoffs.dtype == np.float32
    tokens, offsets = flatten(CORPUS)
    assert small.score_many(tokens, offsets) == pytest.approx(MODEL.score_many(tokens, offsets))


@pytest.mark.parametrize("history", [[], [0], [4 + 1], [1, 2, 3], [5, 0, 0]])
def test_draws_follow_the_distribution(history: list[int]) -> None:
    state = MODEL.state_of(history)
    shares = (np.arange(4000) + 0.5) / 4000
    arcs = [FAST.draw_arc(MODEL.ngrams, state, share) for share in shares]
    found = np.bincount(MODEL.tokens[arcs], minlength=MODEL.vocabulary_size) / 4000
    assert found == pytest.approx(np.exp(MODEL.distribution(history)), abs=1e-3)
    assert FAST.draw_arc(MODEL.ngrams, state, 1.0) >= 0


def test_samples_have_the_likelihood_of_the_model() -> None:
    tokens, offsets = MODEL.sample(4000, seed=3)
    again = MODEL.sample(4000, seed=3)
    assert np.array_equal(tokens, again[0])
    assert np.array_equal(offsets, again[1])
    assert not np.array_equal(tokens, MODEL.sample(4000, seed=4)[0])
    first = np.bincount(tokens[offsets[:-1][np.diff(offsets) > 0]], minlength=4) / 4000
    assert first == pytest.approx(np.exp(MODEL.distribution([MODEL.begin])[:4]), abs=0.03)
    ended = np.bincount(np.diff(offsets), minlength=2)[0] / 4000
    assert ended == pytest.approx(np.exp(MODEL.log_prob([MODEL.begin], MODEL.end)), abs=0.03)
    perplexity = MODEL.perplexity(tokens, offsets)
    other = train(*flatten(CORPUS[:20]), n_words=4, order=2)
    assert perplexity < other.perplexity(tokens, offsets)
    _, cut = MODEL.sample(50, seed=1, longest=2)
    assert np.diff(cut).max() == 2


def string_costs(machine: Transducer, string: Gram) -> list[float]:
    return [cost for _, cost in paths(machine, tuple(token + 1 for token in string))]


@pytest.mark.parametrize("smoothing", get_args(Smoothing))
def test_acceptors(smoothing: Smoothing) -> None:
    whole = train(*flatten(CORPUS), n_words=4, order=3, smoothing=smoothing)
    for model in (whole, prune(whole, size=25)):
        names = ["a", "b", "c", "d"]
        exact, backing_off = exact_acceptor(model, names), epsilon_acceptor(model, names)
        assert exact.isymbols is not None
        assert exact.isymbols.label("d") == 4
        for string in [(), (0,), (1, 2), (3, 3, 0), (0, 0, 0, 1), (2, 1, 0, 3, 3)]:
            cost = -model.score(string)
            (only,) = string_costs(exact, string)
            assert only == pytest.approx(cost, rel=1e-5)
            costs = string_costs(backing_off, string)
            assert min(costs) <= cost + 1e-5
            assert any(one == pytest.approx(cost, rel=1e-5) for one in costs)


def test_impossible_words_have_no_arc() -> None:
    model = train(*flatten([[0]]), n_words=2, order=2, floor=False)
    for machine in (exact_acceptor(model), epsilon_acceptor(model)):
        assert 2 not in machine.ilabels
    with pytest.raises(GlyphoneError, match=r"has \d+ arcs, more than 100 \(prune the model"):
        exact_acceptor(MODEL, largest=100)
    with pytest.raises(GlyphoneError, match="1 names for a model of 2 words"):
        epsilon_acceptor(model, ["a"])


def test_order_one() -> None:
    model = train(*flatten(CORPUS), n_words=4, order=1)
    model.check()
    assert (model.start, model.order, model.n_states, model.n_ngrams) == (0, 1, 1, 5)
    assert model.log_prob([0, 1], 2) == model.log_prob([], 2)


def test_words_outside_the_vocabulary() -> None:
    for query in ([7], [0, 5], [-1]):
        with pytest.raises(GlyphoneError, match="is not in the vocabulary"):
            MODEL.state_of(query)
    with pytest.raises(GlyphoneError, match=r"words are 0 to 3, </s> is 4"):
        MODEL.log_prob([0], 9)
    with pytest.raises(GlyphoneError, match="token 1 is 4, expected 0 to 3"):
        MODEL.score([0, 4])
    with pytest.raises(GlyphoneError, match="is not defined"):
        MODEL.perplexity([], [0])


def damaged(name: str, place: int, value: float) -> NgramModel:
    column = getattr(MODEL, name).copy()
    column[place] = value
    changes: dict[str, Any] = {name: column}
    return replace(MODEL, **changes)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (damaged("targets", 3, 10_000), "an arc leads nowhere"),
        (damaged("targets", 3, -1), "an arc leads nowhere"),
        (damaged("tokens", 2, 1), "does not have every word"),
        (damaged("tokens", -1, 77), "a token is not in the vocabulary"),
        (damaged("tokens", -1, -3), "not sorted|not in the vocabulary"),
        (damaged("offsets", 2, 10_000), "do not divide"),
        (damaged("offsets", 0, 1), "do not divide"),
        (damaged("backoff_states", 2, 2), "does not back off to a shorter one"),
        (damaged("backoff_states", 0, 0), "does not back off to a shorter one"),
        (damaged("log_probs", 2, math.nan), "a probability is not a number"),
        (damaged("levels", 1, 50_000), "lengths of its histories"),
        (replace(MODEL, start=-1), "does not start"),
        (replace(MODEL, targets=MODEL.targets[:-1]), "targets has shape"),
        (replace(MODEL, n_words=3), "does not have every word"),
    ],
)
def test_damaged_arrays_are_refused(model: NgramModel, message: str) -> None:
    MODEL.check()
    with pytest.raises(FormatError, match=message):
        model.check(path="x.glyphone")

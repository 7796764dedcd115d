"""The Markov model and its parts, each beside a twin that is slow and plain."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import jit
from glyphone.data.records import Sequence
from glyphone.learners.entities import markov, markov_kernels, mixing
from glyphone.learners.entities.markov import MarkovModel
from glyphone.learners.sequences.contexts import Contexts, parse_context
from glyphone.learners.sequences.words import (
    KnownWords,
    feature_named,
    letter_case,
    word_outline,
    word_shape,
)

Array = Any
CHAINS = (("word word-1", "word case-1", "word", "shape", ""), ("suffix2", "known+1", ""))


def corpus(seed: int, n: int) -> list[Sequence]:
    """Sentences of a few words, some without any."""
    random = np.random.default_rng(seed)
    words = ["la", "La", "casa", "Casa", "Paz", "paz", "EFE", "23", ",", "Ávila"]
    return [Sequence(tuple(random.choice(words, random.integers(0, 7)))) for _ in range(n)]


def twin(
    chain: tuple[str, ...], sentences: list[Sequence], labels: Array, before: Array, n: int
) -> list[dict[tuple[Any, int], Counter[int]]]:
    """Counters of labels for each context of a chain, with the label before."""
    tables = []
    for context in chain:
        table: dict[tuple[Any, int], Counter[int]] = {}
        seen = values(context, sentences, KnownWords.of(bare_words(sentences), least=2))
        for value, p, label in zip(seen, before, labels, strict=True):
            table.setdefault((value, p), Counter())[label] += 1
        tables.append(table)
    return tables


def bare_words(sentences: list[Sequence]) -> list[list[str]]:
    return [[word.replace("Á", "A") for word in sentence.tokens] for sentence in sentences]


def values(context: str, sentences: list[Sequence], known: KnownWords) -> list[tuple[str, ...]]:
    """The values of a context for every token, read off the sentence."""
    found = []
    for words in bare_words(sentences):
        for i in range(len(words)):
            row = []
            for name, offset in parse_context(context):
                inside = 0 <= i + offset < len(words)
                plain = known.feature(name)
                assert plain is not None
                row.append(plain(words[i + offset]) if inside else "<edge>")
            found.append(tuple(row))
    return found


def witten_bell(tables: list[Any], seen: list[Any], p: int, n: int) -> list[float]:
    share = [1 / n] * n
    for table, value in reversed(list(zip(tables, seen, strict=True))):
        counts = table.get((value, p))
        if counts:
            total, different = counts.total(), len(counts)
            share = [(counts[t] + different * share[t]) / (total + different) for t in range(n)]
    return share


@pytest.mark.parametrize("seed", range(3))
def test_estimates_are_those_of_dictionaries(seed: int) -> None:
    learnt, asked = corpus(seed, 60), corpus(seed + 100, 30)
    random, n = np.random.default_rng(seed), 3
    size = int(markov.bounds_of(learnt)[-1])
    labels = random.integers(0, n, size)
    before = markov.labels_before(labels, markov.bounds_of(learnt), 0)
    model = MarkovModel.learn(
        learnt, labels, CHAINS, legal=np.ones((n, n), bool), start=0, least=2, cv=0
    )
    contexts = model.contexts.numbers_for(asked)
    known = KnownWords.of(bare_words(learnt), least=2)
    for p in range(n):
        found = np.exp(model.log_estimates(contexts, np.full(len(contexts), p)))
        assert found.sum(axis=2) == pytest.approx(1)
        for c, chain in enumerate(CHAINS):
            tables = twin(chain, learnt, labels, before, n)
            rows = zip(*(values(context, asked, known) for context in chain), strict=True)
            expected = [witten_bell(tables, list(row), p, n) for row in rows]
            assert found[:, c] == pytest.approx(np.array(expected))


def test_ten_thousand_estimates_are_distributions() -> None:
    random = np.random.default_rng(5)
    labels = random.integers(0, 4, 3000)
    contexts = random.integers(0, 50, (3000, 3)) + np.array([0, 50, 100])
    before = random.integers(0, 4, 3000)
    counts = markov.count_labels(contexts, before, labels, (4, 4), 150)
    asked = np.where(
        random.random((10_000, 3)) < 0.3, -1, contexts[random.integers(0, 3000, 10_000)]
    )
    order, cuts = np.array([0, 1, 2, 2]), np.array([0, 3, 4])
    arguments = (asked, random.integers(0, 4, 10_000), counts, order, cuts)
    plain = markov_kernels.estimates(*arguments)
    assert np.exp(plain).sum(axis=2) == pytest.approx(1)
    assert np.exp(plain[(asked < 0).all(axis=1)]) == pytest.approx(0.25)
    assert jit.compiled(markov_kernels).estimates(*arguments) == pytest.approx(plain)


def sentence_score(scores: Array, labels: tuple[int, ...], start: int) -> float:
    steps = enumerate(itertools.pairwise((start, *labels)))
    return sum(float(scores[i, p, t]) for i, (p, t) in steps)


@pytest.mark.parametrize("start", [0, 3])
@pytest.mark.parametrize("forbidden", [False, True])
def test_best_labels_are_those_of_brute_force(start: int, forbidden: bool) -> None:
    random = np.random.default_rng(start)
    lengths = [0, 1, 7, 0, 4, 2, 6]
    bounds = np.cumsum([0, *lengths])
    scores = np.log(random.dirichlet(np.ones(3), (bounds[-1], start + 1 if start else 3)))
    if forbidden:
        scores[:, 0, 2] = -np.inf
        scores[:, start, 2] = -np.inf
    for kernels in (markov_kernels, jit.compiled(markov_kernels)):
        found = kernels.best_labels(scores, bounds, start)
        for first, last in itertools.pairwise(bounds):
            inside = scores[first:last]
            best = max(
                itertools.product(range(3), repeat=last - first),
                key=lambda labels, inside=inside: sentence_score(inside, labels, start),
            )
            assert tuple(found[first:last]) == best


@given(st.lists(st.integers(0, 2), min_size=1, max_size=7))
def test_any_labels_come_back_from_certain_scores(labels: list[int]) -> None:
    scores = np.full((len(labels), 3, 3), -np.inf)
    for i, (p, t) in enumerate(itertools.pairwise([0, *labels])):
        scores[i, p, t] = 0.0
    assert markov_kernels.best_labels(scores, np.array([0, len(labels)]), 0).tolist() == labels


def test_of_equals_the_first_is_best() -> None:
    assert markov_kernels.best_labels(np.zeros((3, 2, 2)), np.array([0, 3]), 0).tolist() == [0] * 3


def test_weights_are_the_most_likely() -> None:
    random = np.random.default_rng(2)
    logs = np.log(random.dirichlet(np.ones(3), (400, 2)))
    before = random.integers(0, 3, 400)
    legal = np.ones((3, 3), bool)
    legal[0, 2] = False
    mixed = np.exp(1.5 * logs[:, 0]) * legal[before]
    labels = np.array([random.choice(3, p=row / row.sum()) for row in mixed])
    weights, biases = mixing.fit_weights(logs, labels, before, legal)
    assert weights == pytest.approx([1.5, 0.0], abs=0.3)
    assert np.isneginf(biases[0, 2]) and np.isfinite(biases[legal]).all()

    def worth(weights: Array, biases: Array) -> float:
        found = mixing.mix_estimates(logs, before, weights, biases)
        assert np.exp(found).sum(axis=1) == pytest.approx(1)
        penalty = ((weights - 0.5) ** 2).sum() + (biases[legal] ** 2).sum()
        return float(found[np.arange(400), labels].sum() - mixing.PENALTY * penalty)

    best = worth(weights, biases)
    for step in (-0.05, 0.05):
        for i in range(2):
            assert worth(weights + step * np.eye(2)[i], biases) < best
        for p, t in np.argwhere(legal):
            moved = biases.copy()
            moved[p, t] += step
            assert worth(weights, moved) < best


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    learnt = corpus(1, 60)
    labels = np.random.default_rng(1).integers(0, 2, int(markov.bounds_of(learnt)[-1]))
    options: Any = {"legal": np.ones((3, 2), bool), "start": 2, "least": 2, "cv": 3}
    model = MarkovModel.learn(learnt, labels, CHAINS, **options)
    asked = [Sequence(()), *corpus(2, 20), Sequence(())]
    whole = model.best_labels(asked)
    monkeypatch.setattr(markov, "BLOCK", 20)
    assert np.array_equal(model.best_labels(asked), whole)
    one_by_one = [model.best_labels([sentence]) for sentence in asked]
    assert np.array_equal(np.concatenate(one_by_one), whole)
    assert model.best_labels([]).tolist() == model.best_labels([Sequence(())]).tolist() == []


def test_a_sample_of_tokens_finds_much_the_same_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    learnt = corpus(1, 600)
    tokens = [token for sentence in learnt for token in sentence.tokens]
    labels = np.array([int(token[0].isupper()) for token in tokens])
    options: Any = {"legal": np.ones((3, 2), bool), "start": 2, "least": 2, "cv": 3}
    whole = MarkovModel.learn(learnt, labels, CHAINS, **options)
    monkeypatch.setattr(markov, "HELD_OUT", len(tokens))
    sample = MarkovModel.learn(learnt, labels, CHAINS, **options)
    assert not np.array_equal(sample.weights, whole.weights)
    assert sample.weights == pytest.approx(whole.weights, abs=0.5)


def test_contexts_not_seen_and_unknown_words() -> None:
    known = [
        Sequence(("el", "Rey"), {"pos": ("D", "N")}),
        Sequence(("un", "rey"), {"pos": ("D", "N")}),
    ]
    contexts, seen = Contexts.learn(known, ["word-1 word", "word", "pos+1 shape", ""], least=1)
    assert np.array_equal(contexts.numbers_for(known), seen)
    found = contexts.numbers_for([Sequence(("el", "rey", "Zar"), {"pos": ("D", "N", "X")})])
    assert found[1, 0] == -1 and found[1, 1] == seen[3, 1]
    assert found[2, 1] == -1 and found[2, 2] == seen[1, 2]
    assert found[0, 2] == seen[0, 2] and found[1, 2] == -1
    assert (found[:, 3] == seen[0, 3]).all()


def test_what_contexts_refuse() -> None:
    with pytest.raises(GlyphoneError, match="no context: 'word--1'"):
        parse_context("word--1")
    with pytest.raises(GlyphoneError, match=r"item 'a': there is no column 'lemma'.*there: pos"):
        Contexts.learn([Sequence(("a",), {"pos": ("N",)})], ["lemma"], least=1)
    contexts, _ = Contexts.learn([Sequence(("a",), {"pos": ("N",)})], ["pos"], least=1)
    with pytest.raises(GlyphoneError, match="item 'b': 1 tokens have 2 values of column 'pos'"):
        contexts.numbers_for(
            [Sequence(("a",), {"pos": ("N",)}), Sequence(("b",), {"pos": ("N", "N")})]
        )
    many = [Sequence(tuple(map(str, range(20_000))))]
    with pytest.raises(GlyphoneError, match="has too many values"):
        Contexts.learn(many, ["word-2 word-1 word word+1 word+2"], least=1)


def test_words_from_outside() -> None:
    assert [letter_case(word) for word in ("Éa", "éa", "1a", "«a", "か", "")] == [*"ULNNNN"]
    assert [word_shape(word) for word in ("EFE", "E", "F16", "23", "e-4")] == [
        "UA",
        "U",
        "UDA",
        "ND",
        "LD",
    ]
    assert word_outline("AAAbbb-777!!!") == "XXxx-00!!"
    assert (
        feature_named("suffix9") is not None
        and feature_named("suffix10") is feature_named("lemma") is None
    )

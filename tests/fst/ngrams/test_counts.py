"""Counts by sorting against counts in dictionaries, over sequences, alternatives and lattices."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import jit
from glyphone.fst.ngrams import kernels as ngram_kernels
from glyphone.fst.ngrams.counts import HIGHEST_ORDER, NgramCounts, count_sequences, flatten
from glyphone.fst.ngrams.lattice_counts import count_lattices
from tests.fst.ngrams.twins import BEGIN, END, N_WORDS, Gram, corpora, grams

Arcs = list[tuple[int, int, int]]
weights = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.75]), min_size=40, max_size=40)


def tables(counts: NgramCounts) -> list[list[Gram]]:
    """The n-grams of every level, written out."""
    levels: list[list[Gram]] = []
    for level in counts.levels:
        columns = zip(level.parents.tolist(), level.tokens.tolist(), strict=True)
        before = levels[-1] if levels else [()]
        levels.append([(*before[parent], token) for parent, token in columns])
    return levels


def as_dictionary(counts: NgramCounts) -> dict[Gram, float]:
    return {
        gram: float(count)
        for level, rows in zip(counts.levels, tables(counts), strict=True)
        for gram, count in zip(rows, level.counts, strict=True)
        if count
    }


def weighted(
    corpus: Sequence[Sequence[int]], shares: Sequence[float], order: int
) -> dict[Gram, float]:
    expected: dict[Gram, float] = defaultdict(float)
    for sequence, share in zip(corpus, shares, strict=True):
        for length in range(1, order + 1):
            for gram in grams([sequence], length):
                expected[gram] += share
    return {gram: count for gram, count in expected.items() if count}


@settings(deadline=None, max_examples=100)
@given(corpora, st.integers(1, 5))
def test_counts(corpus: list[list[int]], order: int) -> None:
    counts = count_sequences(*flatten(corpus), n_words=N_WORDS, order=order)
    expected = Counter(g for length in range(1, order + 1) for g in grams(corpus, length))
    assert as_dictionary(counts) == expected
    assert tables(counts)[0] == [(token,) for token in range(N_WORDS + 2)]
    for below, rows, level in zip(
        [[()], *tables(counts)], tables(counts), counts.levels, strict=False
    ):
        assert rows == sorted(rows)
        assert [below[suffix] for suffix in level.suffixes] == [gram[1:] for gram in rows]
        assert level.counts.dtype == np.int32


@settings(deadline=None, max_examples=60)
@given(corpora, weights, st.integers(1, 4))
def test_weighted_counts(corpus: list[list[int]], shares: list[float], order: int) -> None:
    shares = shares[: len(corpus)]
    if not any(shares):
        return
    counts = count_sequences(*flatten(corpus), n_words=N_WORDS, order=order, weights=shares)
    assert as_dictionary(counts) == pytest.approx(weighted(corpus, shares, order))


def test_whole_weights_are_repetitions() -> None:
    corpus = [[0, 1], [0, 1, 2], [2]]
    one = count_sequences(*flatten(corpus), n_words=3, order=3, weights=[2, 0, 3])
    other = count_sequences(*flatten([[0, 1]] * 2 + [[2]] * 3), n_words=3, order=3)
    for a, b in zip(one.levels, other.levels, strict=True):
        assert a.chances is None
        assert a.counts.tolist() == b.counts.tolist()
        assert a.tokens.tolist() == b.tokens.tolist()


def test_chances_of_alternatives() -> None:
    """Against all choices of one alternative, or none, per item; no n-gram is twice in one."""
    corpus = [[0, 1], [1, 0], [0], [1, 0], [0, 1, 2], [2], [0, 1]]
    items = [0, 0, 1, 1, 2, 2, 3]
    shares = [0.5, 0.25, 0.125, 0.875, 0.5, 0.5, 0.75]
    counts = count_sequences(
        *flatten(corpus), n_words=3, order=3, weights=shares, items=items
    )  # fmt: skip
    expected: dict[Gram, list[float]] = defaultdict(lambda: [0.0] * 5)
    choices = [[k for k, item in enumerate(items) if item == i] for i in range(4)]
    everything = set().union(*(padded_grams(sequence) for sequence in corpus))
    for choice in itertools.product(*([*alternatives, -1] for alternatives in choices)):
        probability = math.prod(
            shares[k] if k >= 0 else 1 - sum(shares[j] for j in alternatives)
            for k, alternatives in zip(choice, choices, strict=True)
        )
        found = Counter(g for k in choice if k >= 0 for g in padded_grams(corpus[k]))
        for gram in everything:
            expected[gram][found[gram]] += probability
    for level, rows in zip(counts.levels, tables(counts), strict=True):
        assert level.chances is not None
        for gram, chances, count in zip(rows, level.chances, level.counts, strict=True):
            assert chances.tolist() == pytest.approx(expected[gram] if count else [1, 0, 0, 0, 0])
            assert count == pytest.approx(sum(r * p for r, p in enumerate(chances)))


def padded_grams(sequence: list[int]) -> set[Gram]:
    padded = (4, *sequence, 3)
    return {
        padded[i:j] for i in range(len(padded)) for j in range(i + 1, len(padded) + 1) if j - i < 4
    }


@st.composite
def lattices(draw: st.DrawFn) -> tuple[Arcs, dict[Gram, float]]:
    """Arcs, and the probability of every path, which all end in the last state."""
    n_states = draw(st.integers(2, 5))
    arcs = [(s, s + 1, draw(st.integers(0, 3))) for s in range(n_states - 1)]
    pairs = st.tuples(st.integers(0, n_states - 2), st.integers(1, 3), st.integers(0, 3))
    arcs += [(s, min(s + d, n_states - 1), t) for s, d, t in draw(st.lists(pairs, max_size=5))]
    arcs.sort()
    shares = draw(st.lists(st.integers(1, 5), min_size=len(arcs), max_size=len(arcs)))
    out = Counter(dict.fromkeys(range(n_states), 0))
    for (source, _, _), share in zip(arcs, shares, strict=True):
        out[source] += share
    paths: dict[Gram, float] = {}
    agenda: list[tuple[int, Gram, float]] = [(0, (), 1.0)]
    while agenda:
        state, path, probability = agenda.pop()
        if state == n_states - 1:
            paths[path] = probability
        for number, (source, target, _) in enumerate(arcs):
            if source == state:
                share = probability * shares[number] / out[state]
                agenda.append((target, (*path, number), share))
    return arcs, paths


@settings(deadline=None, max_examples=60)
@given(st.lists(lattices(), min_size=1, max_size=4), st.integers(1, 4))
def test_lattices(drawn: list[tuple[Arcs, dict[Gram, float]]], order: int) -> None:
    rows: list[tuple[int, int, int]] = []
    posteriors: list[float] = []
    sequences, shares, items, bounds = [], [], [], [0]
    for item, (arcs, paths) in enumerate(drawn):
        rows += arcs
        posteriors += [sum(p for path, p in paths.items() if a in path) for a in range(len(arcs))]
        bounds.append(len(rows))
        sequences += [[arcs[arc][2] for arc in path] for path in paths]
        shares += paths.values()
        items += [item] * len(paths)
    columns = np.array(rows).T
    counts = count_lattices(*columns, posteriors, bounds, n_words=N_WORDS, order=order)
    assert as_dictionary(counts) == pytest.approx(weighted(sequences, shares, order))
    listed = count_sequences(
        *flatten(sequences), n_words=N_WORDS, order=order, weights=np.array(shares), items=items
    )
    for one, other in zip(counts.levels, listed.levels, strict=True):
        for name in ("parents", "tokens", "suffixes"):
            assert np.array_equal(getattr(one, name), getattr(other, name))
        if other.chances is not None:
            assert one.chances is not None
            # Sums such as 0.3 + 0.7 are 1 to the last digits only.
            assert np.allclose(one.chances, other.chances, atol=1e-9)


def test_both_tiers_gather_alike() -> None:
    random = np.random.default_rng(3)
    rows, expected = random.integers(0, 5, 60), random.random(60) * 2.5
    plain, fast = ngram_kernels.zero_chances(5), jit.compiled(ngram_kernels).zero_chances(5)
    ngram_kernels.add_events(plain, rows, expected)
    jit.compiled(ngram_kernels).add_events(fast, rows, expected)
    assert np.array_equal(plain, fast)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"order": 0}, "the order is 0, expected 1 to 12"),
        ({"order": HIGHEST_ORDER + 1}, "the order is 13"),
        ({"n_words": 2}, "token 2 is 2, expected 0 to 1"),
        ({"offsets": [0, 2]}, "do not divide 3 tokens"),
        ({"offsets": [0, 3, 2, 3]}, "do not divide 3 tokens"),
        ({"offsets": [0], "tokens": []}, "no sequences to count"),
        ({"weights": [0]}, "no sequences to count"),
        ({"weights": [-1]}, "the weight of sequence 0 is -1"),
        ({"weights": [1, 2]}, "need 1 weights"),
        ({"offsets": [0, 1, 2, 3], "items": [0, 1, 0]}, "must stand together"),
        ({"tokens": [0.5, 1, 1]}, "flat arrays of whole numbers"),
    ],
)
def test_refused_sequences(change: dict[str, object], message: str) -> None:
    options: dict[str, object] = {"tokens": [0, 1, 2], "offsets": [0, 3], "n_words": 3, "order": 2}
    with pytest.raises(GlyphoneError, match=message):
        count_sequences(**(options | change))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("source", "target", "posterior", "message"),
    [
        ([0, 1], [1, 1], [1, 1], "arc 1 leads from 1 to 1"),
        ([0, 1], [1, 2], [1, 0.5], "the posteriors into and out of a state differ"),
        ([0, 1], [1, 2], [1, 1.5], "arc 1 leads from 1 to 2 with posterior 1.5"),
        ([0], [1], [1], "differ in length"),
    ],
)
def test_refused_lattices(
    source: list[int], target: list[int], posterior: list[float], message: str
) -> None:
    with pytest.raises(GlyphoneError, match=message):
        count_lattices(source, target, [0, 1], posterior, [0, 2], n_words=2, order=2)


def test_a_lattice_of_too_many_paths_is_refused() -> None:
    source, token = np.repeat(np.arange(8), 4), np.tile(np.arange(4), 8)
    columns = (source, source + 1, token, np.full(32, 0.25), [0, 32])
    with pytest.raises(GlyphoneError, match="more than 1000 stretches of 4 arcs"):
        count_lattices(*columns, n_words=4, order=6, most=1000)


def test_the_numbers_of_the_tokens() -> None:
    counts = count_sequences([0], [0, 1], n_words=N_WORDS, order=1)
    assert (counts.end, counts.begin, counts.order, counts.n_ngrams) == (END, BEGIN, 1, 6)

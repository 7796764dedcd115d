"""Mergers of classes beside a twin that counts the whole text anew for every pair."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from glyphone.data.kernels import jit
from glyphone.learners.clusters import hierarchy_kernels
from glyphone.learners.clusters.bigrams import count_bigrams, number_words
from glyphone.learners.clusters.exchange import start_tables
from glyphone.learners.clusters.hierarchy import bit_strings, class_bits
from tests.learners.clusters import twins

KERNELS = (hierarchy_kernels, jit.compiled(hierarchy_kernels))


@pytest.mark.parametrize("kernels", KERNELS)
@pytest.mark.parametrize("seed", range(5))
def test_each_merger_loses_least(seed: int, kernels: Any) -> None:
    text = twins.random_text(seed, n=40)
    vocabulary, numbers = number_words(text, min_count=1)
    bigrams = count_bigrams(numbers, vocabulary.counts)
    tables = start_tables(bigrams, n_classes=6, seed=seed)
    classes = dict(zip(vocabulary.words, tables.classes.tolist(), strict=False))
    pairs, losses = kernels.merge_classes(tables.rows, tables.sizes, tables.logs)
    for (first, second), loss in zip(pairs.tolist(), losses.tolist(), strict=True):
        before = twins.log_likelihood(text, classes)
        each = {
            pair: before - twins.log_likelihood(text, merged(classes, *pair))
            for pair in combinations(sorted({*classes.values()}), 2)
        }
        assert loss == pytest.approx(each[first, second], abs=1e-9)
        assert loss == pytest.approx(min(each.values()), abs=1e-9)
        classes = merged(classes, first, second)
    assert {*classes.values()} == {0}


def merged(classes: dict[str, int], first: int, second: int) -> dict[str, int]:
    return {word: first if one == second else one for word, one in classes.items()}


def test_bits_lead_from_the_root() -> None:
    bits = bit_strings([(1, 3), (0, 2), (0, 1)], 4)
    assert bits == ["00", "10", "01", "11"]
    assert bit_strings([], 1) == ["0"]


def test_no_bit_string_begins_another() -> None:
    vocabulary, numbers = number_words(twins.random_text(1, n=60), min_count=1)
    bigrams = count_bigrams(numbers, vocabulary.counts)
    bits = class_bits(start_tables(bigrams, n_classes=7, seed=0))
    assert len({*bits}) == 7
    assert not [(a, b) for a in bits for b in bits if a != b and b.startswith(a)]

"""The noisy channel against enumeration: EM over all cuts, and the source times the channel."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest

from glyphone.data.records import Pair
from glyphone.data.scripts.romaji import split_romaji
from glyphone.fst.channels.channel import compose_channel, fit_channel, segment_pairs
from glyphone.fst.ngrams import smoothing
from glyphone.fst.ngrams.counts import flatten
from tests.fst.channels import twins

READINGS = {"山": ("yama", "san"), "田": ("ta", "da"), "川": ("kawa", "gawa"), "大": ("o", "dai")}


def random_pairs(seed: int, n: int = 25) -> list[Pair]:
    chance = random.Random(seed)
    pairs = []
    for _ in range(n):
        kanji = chance.choices([*READINGS], k=chance.randint(1, 3))
        key = "".join(chance.choice(READINGS[one]) for one in kanji)
        pairs.append(Pair(tuple(kanji), split_romaji(key)))
    return pairs


def usable(pairs: list[Pair]) -> list[Pair]:
    return [pair for pair in pairs if any(True for _ in twins.cuts(pair))]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rounds", [1, 2, 6])
def test_the_best_cuts_are_those_of_em_by_enumeration(seed: int, rounds: int) -> None:
    pairs = usable(random_pairs(seed))
    channel, likelihoods = twins.trained(pairs, rounds)
    assert all(a <= b + 1e-9 for a, b in pairwise(likelihoods[1:]))
    found = segment_pairs(pairs, rounds=rounds, least=0.0)
    assert len(found.rows) == len(pairs)
    for pair, row in zip(pairs, found.rows, strict=True):
        assert row in set(twins.cuts(pair))
        assert twins.score(row, channel) == pytest.approx(twins.best(pair, channel))


def test_abukawa_has_three_segmentations() -> None:
    pair = Pair(("虻", "川"), split_romaji("abukawa"))
    assert [tuple(segment for _, segment in cut) for cut in twins.cuts(pair)] == [
        ("a", "bukawa"),
        ("abu", "kawa"),
        ("abuka", "wa"),
    ]
    others = [Pair(("川",), split_romaji("kawa")), Pair(("虻",), split_romaji("abu"))]
    assert segment_pairs([pair, *others]).rows[0] == (("虻", "abu"), ("川", "kawa"))


def test_boundaries_may_fall_inside_long_consonants() -> None:
    pairs = [Pair(("松", "任"), split_romaji("matto")), Pair(("任",), split_romaji("to"))]
    assert segment_pairs(pairs).rows[0] == (("松", "mat"), ("任", "to"))


def test_what_has_too_few_pieces_is_refused() -> None:
    pairs = [Pair(("山", "田"), split_romaji("san")), Pair(("山", "田"), split_romaji("a"))]
    found = segment_pairs(pairs)
    assert [refusal.index for refusal in found.refusals] == [1]
    assert len(found.rows) == 1


def test_rare_readings_are_dropped_with_their_names() -> None:
    pairs = [Pair(("山",), ("ya", "ma"))] * 99 + [Pair(("山",), ("sa", "n"))]
    assert len(segment_pairs(pairs, least=0.02).rows) == 99
    assert len(segment_pairs(pairs, least=0.001).rows) == 100


def test_a_channel_is_of_probabilities_at_both_places() -> None:
    rows = segment_pairs(usable(random_pairs(3, 60))).rows
    for pull in (0.5, 2.0, math.inf):
        channel = fit_channel(rows, pull=pull)
        for column in (channel.first, channel.later):
            for character in channel.characters:
                places = [k for k, (one, _) in enumerate(channel.readings) if one == character]
                assert np.exp(column[places]).sum() == pytest.approx(1.0)
        assert np.array_equal(channel.first, channel.later) == math.isinf(pull)


def test_weights_count_like_repeated_names() -> None:
    rows = [(("山", "yama"), ("田", "da")), (("田", "ta"),)]
    once = fit_channel(rows, [2.0, 1.0])
    twice = fit_channel([rows[0], rows[0], rows[1]])
    assert once.readings == twice.readings
    assert np.allclose(once.first, twice.first)
    assert np.allclose(once.later, twice.later)


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_the_product_is_source_times_channel(seed: int, order: int) -> None:
    rows = segment_pairs(usable(random_pairs(seed))).rows
    channel = fit_channel(rows)
    numbers = {character: number for number, character in enumerate(channel.characters)}
    names = [[numbers[character] for character, _ in row] for row in rows]
    source = smoothing.train(*flatten(names), n_words=len(numbers), order=order)
    both = compose_channel(channel, source)
    for length in (1, 2, 3):
        for row in product(range(len(channel.readings)), repeat=length):
            characters = [numbers[channel.readings[one][0]] for one in row]
            heard = channel.first[row[0]] + sum(channel.later[one] for one in row[1:])
            assert both.score(list(row)) == pytest.approx(source.score(characters) + heard)


def test_readings_learnt_are_those_that_were_put_in() -> None:
    """As many kawa as gawa in later places, and none but kawa in the first."""
    chance = random.Random(0)
    pairs = [
        Pair(("川", "田"), split_romaji("kawa" + chance.choice(["ta", "da"]))) for _ in range(50)
    ]
    pairs += [
        Pair(("山", "川"), split_romaji("yama" + reading)) for reading in ["kawa", "gawa"] * 25
    ]
    rows = segment_pairs(pairs).rows
    assert Counter(reading for row in rows for character, reading in row if character == "川") == {
        "kawa": 75,
        "gawa": 25,
    }

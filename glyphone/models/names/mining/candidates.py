"""Candidates: pairs of words that may be a name and its transcription, cut from pairs of names.

A pair of names is cut into words, first with first, where both sides have as many. What the letters
of a name, the spelling of a word or the script tell against is left out, with the reason; of what
is left some are translations, names in other languages, or other names of the same place.

>>> from glyphone.models.names.languages import find_language
>>> from glyphone.models.names.script import script_of
>>> names = [NamePair("New Delhi", "नई दिल्ली", "geonames", "1261481", "name", "IN")]
>>> names += [NamePair("Goa", "गोवाा", "geonames", "1271157", "name", "IN")]
>>> pool = candidates_of(names, script_of(find_language("hin")))
>>> [(one.latin, one.native) for one in pool.candidates], pool.dropped
([('delhi', 'दिल्ली'), ('new', 'नई')], {'ill-formed': ['goa गोवाा']})
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from glyphone.data import progress
from glyphone.data.errors import ItemError
from glyphone.data.records import NamePair, Pair, Symbols
from glyphone.data.sources.cldr import read_cldr
from glyphone.data.sources.geonames import read_geonames
from glyphone.data.sources.letters import languages_of
from glyphone.models.names.languages import Language
from glyphone.models.names.parts import parts_of
from glyphone.models.names.script import Script
from glyphone.models.names.training import LATIN

# Languages and currencies are left out: they have adjectives, or words of the language for such.
KINDS = ("territory", "script", "city")
POPULATION = 500


@dataclass(frozen=True)
class Candidate:
    """A pair of words, what a model should write for the second, and which things have it.

    `keys` has the source and the thing's own key in it, for each thing with that pair.
    """

    latin: str
    native: str
    symbols: Symbols
    keys: tuple[tuple[str, str], ...]

    @property
    def pair(self) -> Pair:
        return Pair(LATIN.split(self.latin).symbols, self.symbols)


@dataclass
class Pool:
    """Candidates, sorted, and the pairs that were left out, by reason."""

    candidates: list[Candidate] = field(default_factory=list)
    dropped: dict[str, list[str]] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)

    def drop(self, reason: str, latin: str, native: str) -> None:
        self.dropped.setdefault(reason, []).append(f"{latin} {native}")


def names_of(language: Language, *, population: int = POPULATION) -> Iterator[NamePair]:
    """Pairs of names from the sources in the file of a language."""
    for locale in language.sources.locales:
        yield from read_cldr(locale, kinds=KINDS)
    if language.sources.cities:
        for name in read_geonames({language.script}, population=population, alternates=False):
            if not language.sources.countries or name.country in language.sources.countries:
                yield name


@progress.step("reading names")
def candidates_of(names: Iterable[NamePair], script: Script) -> Pool:
    """The pairs of words in pairs of names."""
    pool, language = Pool(), script.language
    foreign = re.compile("|".join(language.sources.foreign) or r"\Z.")
    found: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for name in names:
        pool.names[name.source] = pool.names.get(name.source, 0) + 1
        # A locale is in its language, whatever its letters.
        known = name.source == "cldr" or not language.sources.letters
        if not known and language.sources.letters not in languages_of(name.native):
            pool.drop("letters of another language", name.latin, name.native)
            continue
        try:
            latin, native = parts_of(name.latin), parts_of(name.native)
        except ItemError as error:
            pool.drop(error.message, name.latin, name.native)
            continue
        if len(latin) != len(native):
            pool.drop("not as many words", name.latin, name.native)
            continue
        for one, other in zip(latin, native, strict=True):
            pair = LATIN.convert(one.word), other.word
            if len(one.word) == 1:
                pool.drop("one letter", *pair)
            elif foreign.search("\t".join((*pair, name.country))):
                pool.drop("spelt as in another language", *pair)
            else:
                found.setdefault(pair, set()).add((name.source, name.key))
    pairs = sorted(found)
    for pair, symbols in zip(pairs, well_formed([n for _, n in pairs], script), strict=True):
        if symbols is None:
            pool.drop("ill-formed", *pair)
        else:
            pool.candidates.append(Candidate(*pair, symbols, tuple(sorted(found[pair]))))
    return pool


def well_formed(words: Sequence[str], script: Script) -> list[Symbols | None]:
    """The output that a model should learn for each word; None for words of other scripts."""
    read = [None if isinstance(one, ItemError) else one for one in script.read(words)]
    if script.writer is None:
        return read
    join = script.writing.join
    written = script.writer.answer([join(one) for one in read if one is not None])
    places = iter(range(len(words)))
    return [
        one if one is not None and next(places) not in written.failures else None for one in read
    ]

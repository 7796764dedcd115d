"""Spellings of given and family names in many scripts, and names of territories: Wikidata, from
the package `rigour`.

    for group in read_name_groups():
        group.in_script("Cyrl")

A group has the spellings of one name, in small letters, as Wikidata has them for all languages:
several in one script (chernyshevsky, tschernyschewski), of several languages of a script (Russian
and Ukrainian, Arabic and Persian, Chinese and Japanese), and translations beside transliterations
(johannes, иван). Nothing tells the languages apart. `key` is the item of Wikidata, or X and a
number for groups of other origin, such as the masculine and feminine forms of Russian names.

A spelling whose letters are of no one script, such as kanji with kana, is in `spellings` alone.
"""

from __future__ import annotations

import io
import json
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from glyphone.data.errors import FormatError
from glyphone.data.records import NamePair
from glyphone.data.scripts.scripts import require_script, script_of
from glyphone.data.sources.pinned import open_member

MEMBER = "rigour/data/names/persons.txt"
TERRITORIES = "rigour/data/territories/data.jsonl"


@dataclass(frozen=True)
class NameGroup:
    """Spellings of one name in NFC, in the order of the file, and where they are from.

    >>> group = NameGroup(("ovsey", "owssej", "овсей"), "Q10000006")
    >>> group.in_script("Latn"), group.in_script("Cyrl"), group.scripts
    (('ovsey', 'owssej'), ('овсей',), ('Latn', 'Cyrl'))
    """

    spellings: tuple[str, ...]
    key: str

    @cached_property
    def _by_script(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for spelling in self.spellings:
            if script := script_of(spelling):
                found[script] = (*found.get(script, ()), spelling)
        return found

    @property
    def scripts(self) -> tuple[str, ...]:
        return tuple(self._by_script)

    def in_script(self, script: str) -> tuple[str, ...]:
        """The spellings in one script (ISO 15924)."""
        return self._by_script.get(script, ())


def read_name_groups(scripts: Collection[str] = ()) -> Iterator[NameGroup]:
    """The groups, or those with a spelling in each of some scripts."""
    wanted = {require_script(code) for code in scripts}
    with open_member("rigour", MEMBER) as file:
        for number, line in enumerate(io.TextIOWrapper(file, "utf-8"), 1):
            names, arrow, key = line.rstrip("\n").rpartition(" => ")
            spellings = tuple(" ".join(name.split()) for name in names.split(", "))
            if not arrow or not all(spellings):
                message = "is no row of names, an arrow and a key"
                raise FormatError(message, path=MEMBER, line=number, item=line.rstrip("\n"))
            composed = (unicodedata.normalize("NFC", name) for name in spellings)
            group = NameGroup(tuple(dict.fromkeys(composed)), key)
            if wanted <= {*group.scripts}:
                yield group


def read_name_pairs(script: str) -> Iterator[NamePair]:
    """Each spelling in Latin letters beside each one of its group in another script."""
    for group in read_name_groups(("Latn", script)):
        for latin in group.in_script("Latn"):
            for native in group.in_script(script):
                yield NamePair(latin, native, "rigour", group.key, "person")


def read_territories() -> Iterator[str]:
    """The names of countries and their regions, in the order of the file."""
    with open_member("rigour", TERRITORIES) as file:
        for number, line in enumerate(io.TextIOWrapper(file, "utf-8"), 1):
            try:
                yield unicodedata.normalize("NFC", str(json.loads(line)["name"]))
            except (ValueError, KeyError, TypeError) as error:
                message = "is no object with a name"
                raise FormatError(message, path=TERRITORIES, line=number, item=line) from error

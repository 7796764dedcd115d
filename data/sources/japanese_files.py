"""Files of Japanese names that people have: tables made of ENAMDICT, IPADIC, lists of names.

    read_persons(path)         TSV with a header:   丸山	まるやま	s	Maruyama
    read_ipadic(path)          Noun.name.csv of MeCab's IPADIC in UTF-8, and Noun.place.csv
    read_personal_names(path)  the directory of japanese-personal-name-dataset: see there

Each reads line by line, in the order of the file, and makes a `JapaneseName` of every kanji name
with every reading. All may be `.gz`.

>>> import tempfile
>>> path = tempfile.mkdtemp() + "/names.tsv"
>>> with open(path, "w", encoding="utf-8") as file:
...     _ = file.write("kanji\\tkana\\ttypes\\tromaji\\n丸山\\tまるやま\\tp,s\\tMaruyama\\n")
>>> next(read_persons(path))  # doctest: +NORMALIZE_WHITESPACE
JapaneseName(kanji='丸山', kana='まるやま', kinds=('surname', 'place'), weight=1.0,
             romaji='Maruyama')
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from glyphone.data.errors import FormatError
from glyphone.data.lines import Source, read_lines
from glyphone.data.sources.japanese import JapaneseName, order_kinds, to_hiragana
from glyphone.data.sources.packages import plain_name

# The letters of ENAMDICT, and the words of the databases made of its XML.
_KINDS = {
    **dict.fromkeys(("s", "surname"), "surname"),
    **dict.fromkeys(("g", "given"), "given"),
    **dict.fromkeys(("m", "masc"), "male"),
    **dict.fromkeys(("f", "fem"), "female"),
    **dict.fromkeys(("u", "unclass"), "unclassified"),
    **dict.fromkeys(("h", "person"), "full"),
    **dict.fromkeys(("p", "st", "place", "station"), "place"),
}
_HEADER = "kanji\tkana\ttypes\tromaji"
_CLASSES = {
    ("人名", "姓"): "surname",
    ("人名", "名"): "given",
    ("人名", "一般"): "full",
    ("地域", "一般"): "place",
    ("地域", "国"): "place",
}


def read_persons(path: Source) -> Iterator[JapaneseName]:
    """The rows of a TSV whose columns are those of its header: kanji, kana, types, romaji."""
    for number, line in _read_lines(path):
        columns = line.split("\t")
        if number == 1 and line != _HEADER:
            remedy = "the first line has to be: " + _HEADER.replace("\t", " TAB ")
            raise _entry_error("is no header of such a table", path, number, line, remedy)
        if len(columns) != 4:
            remedy = "separate kanji, kana, types and romaji by one TAB each"
            raise _entry_error(f"has {len(columns)} columns, not 4", path, number, line, remedy)
        if number > 1:
            kanji, kana, types, romaji = columns
            yield JapaneseName(kanji, kana, jmnedict_kinds(types), romaji=plain_name(romaji))


@cache
def jmnedict_kinds(types: str) -> tuple[str, ...]:
    """The kinds of a name by its types in ENAMDICT or JMnedict, between commas.

    >>> jmnedict_kinds("p,s"), jmnedict_kinds("company,fem")
    (('surname', 'place'), ('female',))
    """
    return order_kinds({_KINDS[one] for one in types.split(",") if one in _KINDS})


def read_ipadic(path: Source) -> Iterator[JapaneseName]:
    """The names of persons and places of an IPADIC dictionary, their readings in hiragana.

    Its katakana is the reading of any word, and says nothing of how it is written.
    """
    for number, row in _read_rows(path):
        if len(row) < 12:
            remedy = "IPADIC has 13, between commas"
            raise _entry_error(f"has {len(row)} columns", path, number, ",".join(row), remedy)
        kind = _CLASSES.get((row[6], row[7]))
        if row[5] == "固有名詞" and kind is not None:
            yield JapaneseName(row[0], to_hiragana(row[11]), (kind,))


def read_personal_names(directory: Source, *, popular: bool = False) -> Iterator[JapaneseName]:
    """The surnames and given names of japanese-personal-name-dataset, from its CSV files.

    A surname has the number of people who bear it. With `popular` given names are only those that
    the project holds for popular. Their romaji is not to be relied on: ああす is "asu".
    """
    folder = Path(directory)
    for number, row in _read_rows(folder / "last_name_org.csv"):
        try:
            kanji, count, kana, romaji = row
            weight = int(count)
        except ValueError:
            remedy = "it has to be: kanji,count,kana,romaji"
            path = folder / "last_name_org.csv"
            raise _entry_error("is no surname", path, number, ",".join(row), remedy) from None
        yield JapaneseName(kanji, kana, ("surname",), weight, romaji)
    for sex, kind in ("man", "male"), ("woman", "female"):
        path = folder / f"first_name_{sex}_{'opti' if popular else 'org'}.csv"
        for number, row in _read_rows(path):
            if len(row) < 2:
                remedy = "it has to be: kana,romaji and then its spellings"
                raise _entry_error("is no given name", path, number, ",".join(row), remedy)
            for kanji in row[2:]:
                yield JapaneseName(kanji, row[0], (kind,), romaji=row[1])


def _read_lines(path: Source) -> Iterator[tuple[int, str]]:
    for number, line in read_lines(path):
        try:
            line.encode()
        except UnicodeEncodeError:
            remedy = "if it is in EUC-JP: iconv -f EUC-JP -t UTF-8 OLD > NEW"
            raise _entry_error("is not in UTF-8", path, number, line, remedy) from None
        yield number, line


def _read_rows(path: Source) -> Iterator[tuple[int, list[str]]]:
    return ((number, next(csv.reader([line]))) for number, line in _read_lines(path) if line)


def _entry_error(message: str, path: Source, line: int, item: str, remedy: str) -> FormatError:
    return FormatError(message, path=path, line=line, item=item, remedy=remedy)

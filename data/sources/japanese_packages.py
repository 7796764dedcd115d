"""Japanese names from packages: JMnedict (`jamdict-data`) and `japanese-personal-name-dataset`.

    pip install "glyphone[japanese]"
    names = read_jmnedict({"surname", "given", "male", "female"})
    names = read_personal_name_dataset()

JMnedict, of the Electronic Dictionary Research and Development Group, has 660,000 names in kanji
with their readings, not counted: 臼井 is one entry as is 佐藤. It is under CC BY-SA 4.0, and asks
that whatever is made of it says so (https://www.edrdg.org/edrdg/licence.html). The dataset, under
the MIT licence, has 2,000 surnames of today with how many people bear them, and given names of
9,500 readings.

`jamdict-data` 1.5 is a source package of 54 MB, which pip unpacks while it builds a wheel of it
(15 s), into a SQLite file of 325 MB. That is opened as it lies there, for reading only and without
locks, so that it may be in a directory that cannot be written. Names come out of it one by one, in
the order of the dictionary: all in 3 s and 17 MiB.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path

from glyphone.data.errors import FormatError
from glyphone.data.extras import need_package
from glyphone.data.records import Pair
from glyphone.data.sources.japanese import JapaneseName, order_kinds, to_hiragana
from glyphone.data.sources.japanese_files import jmnedict_kinds, read_personal_names
from glyphone.data.sources.packages import plain_name

# A surname of so many people counts as much as an entry of a dictionary.
BEARERS = 10_000
_REINSTALL = "pip install --force-reinstall --no-cache-dir jamdict-data"
# Both subqueries go by an index, and so do the joins, in the order of the table of kanji.
_NAMES = """
    SELECT kanji.ID, kanji.text, kana.ID, kana.text,
        (SELECT group_concat(text) FROM NETransType WHERE tid = sense.ID),
        (SELECT text FROM NETransGloss WHERE tid = sense.ID ORDER BY rowid LIMIT 1)
    FROM NEKanji AS kanji
    JOIN NEKana AS kana ON kana.idseq = kanji.idseq
    JOIN NETranslation AS sense ON sense.idseq = kanji.idseq
    ORDER BY kanji.ID, kana.ID, sense.ID
"""


def read_jmnedict(kinds: Collection[str] | None = None) -> Iterator[JapaneseName]:
    """The names of JMnedict that are of one of the kinds, or all that are of any.

    Organisations, products and works are of none, and left out.
    """
    package = need_package("jamdict_data", to="read JMnedict", extra="japanese")
    path = Path(package.JAMDICT_DB_PATH)
    wanted = None if kinds is None else set(order_kinds(kinds))
    if not path.is_file():
        message = "jamdict-data has been installed without its dictionary"
        raise FormatError(message, path=path, remedy=_REINSTALL)
    return _names(path, wanted)


def _names(path: Path, wanted: set[str] | None) -> Iterator[JapaneseName]:
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as file:
            for _, rows in groupby(file.execute(_NAMES), key=lambda row: (row[0], row[2])):
                senses = list(rows)
                kinds = jmnedict_kinds(",".join(sense[4] or "" for sense in senses))
                if kinds if wanted is None else not wanted.isdisjoint(kinds):
                    _, kanji, _, kana, _, gloss = senses[0]
                    yield JapaneseName(kanji, kana, kinds, romaji=plain_name(gloss or ""))
    except sqlite3.DatabaseError as error:
        message = f"is not the SQLite database of jamdict-data: {error}"
        raise FormatError(message, path=path, remedy=_REINSTALL) from error


def read_personal_name_dataset(*, popular: bool = False) -> Iterator[JapaneseName]:
    """Surnames with their numbers, then given names of men and of women: see `japanese_files`."""
    package = need_package(
        "japanese_personal_name_dataset", to="read Japanese names", extra="japanese"
    )
    return read_personal_names(Path(package.__file__).parent / "dataset", popular=popular)


def read_japanese_names() -> Iterator[Pair]:
    """Surnames and given names with their readings, of both packages, each once for each kind.

    An entry of JMnedict counts once. A surname of the dataset counts once more for every BEARERS
    people who bear it, and a popular given name once more.
    """
    weights: dict[tuple[str, str, str], float] = {}
    for name in read_jmnedict({"surname", "given", "male", "female"}):
        for kind in learnt_kinds(name):
            weights[name.kanji, to_hiragana(name.kana), kind] = 1.0
    for name in read_personal_name_dataset(popular=True):
        for kind in learnt_kinds(name):
            entry = name.kanji, to_hiragana(name.kana), kind
            more = name.weight / BEARERS if kind == "surname" else 1.0
            weights[entry] = weights.get(entry, 0.0) + more
    for (kanji, kana, kind), weight in weights.items():
        yield Pair(tuple(kanji), tuple(kana), round(weight, 2), kind)


def learnt_kinds(name: JapaneseName) -> set[str]:
    """Surname or given name, or both."""
    kinds = set(name.kinds)
    return {"surname"} & kinds | ({"given"} if kinds & {"given", "male", "female"} else set())

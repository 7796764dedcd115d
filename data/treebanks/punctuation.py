"""Punctuation left out of the order of words, where it has no role, and put back.

>>> from glyphone.data.treebanks.dependencies import Word
>>> forms = [("Ann", 3), (",", 1), ("sees", 0), ("rain", 3), (".", 3)]
>>> tags = {",": "PUNCT", ".": "PUNCT"}
>>> words = (Word(form, head=head, upos=tags.get(form, "X")) for form, head in forms)
>>> sentence = Sentence(tuple(words))
>>> positions_of_words(sentence), [word.head for word in without_punctuation(sentence).words]
([0, 2, 3], [2, 0, 2])
>>> insert_punctuation(sentence, [2, 0, 3])
[2, 0, 1, 3, 4]
"""

from __future__ import annotations

import unicodedata
from bisect import bisect
from collections.abc import Sequence

from glyphone.data.errors import ItemError
from glyphone.data.treebanks.dependencies import PUNCTUATION, Sentence
from glyphone.data.treebanks.reordering import reorder
from glyphone.data.treebanks.spacing import spaces_of

_OPENING = ("Ps", "Pi")


def positions_of_words(sentence: Sentence) -> list[int]:
    """The positions, from 0, of all words but punctuation."""
    return [position for position, word in enumerate(sentence.words) if word.upos != PUNCTUATION]


def without_punctuation(sentence: Sentence) -> Sentence:
    """The tree of all words but punctuation; ItemError without any, or with several roots."""
    kept = positions_of_words(sentence)
    if not kept:
        remedy = "remove it, or give it a word"
        raise ItemError("a sentence of punctuation alone", item=sentence.id, remedy=remedy)
    return reorder(sentence, kept)


def insert_punctuation(sentence: Sentence, order: Sequence[int]) -> list[int]:
    """An order of words but punctuation, and with it that of punctuation, by positions.

    Marks at the begin and the end of the sentence stay there; other marks go with the word before
    them, opening marks and those behind these with the word behind them. A mark whose word is left
    out goes with the nearest word that stays.
    """
    rank = {position: place for place, position in enumerate(order)}
    kept = sorted(order)
    opening = _opening_marks(sentence)
    marks = []
    opened = 0
    for position, word in enumerate(sentence.words):
        if word.upos != PUNCTUATION or position in rank:
            continue
        behind = bisect(kept, position)
        if opening[position]:
            opened = behind
        if behind == len(kept):
            place = (len(order), 0)
        elif behind == 0:
            place = (-1, 0)
        elif opened == behind:
            place = (rank[kept[behind]], -1)
        else:
            place = (rank[kept[behind - 1]], 1)
        marks.append((*place, position))
    words = [(place, 0, position) for place, position in enumerate(order)]
    return [position for _, _, position in sorted([*words, *marks])]


def _opening_marks(sentence: Sentence) -> list[bool]:
    """Which words are opening brackets or quotes, or have a space before them and none behind."""
    spaces = spaces_of(sentence, range(len(sentence.words)))
    return [
        unicodedata.category(word.form[0]) in _OPENING or (before and not behind)
        for word, before, behind in zip(sentence.words, [True, *spaces], spaces, strict=False)
    ]

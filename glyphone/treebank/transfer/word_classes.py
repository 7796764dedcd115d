"""Symbols of words for the language model of a target: the word, its tag, or a finer class.

Finite verbs (with the features VerbForm=Fin or any Mood) stand elsewhere than participles and
infinitives. A class of their own helps if both languages have both, and misleads if one of them has
other forms or no such features. `choose_reads` takes the classes by which the source is nearer to
the text: see `glyphone.treebank.transfer.nearness`.

>>> goes = Word("goes", upos="VERB", feats="Number=Sing|VerbForm=Fin")
>>> [word_class(goes, reads) for reads in READS]
['goes', 'VERB', 'VERB+Fin']
>>> choose_reads([Sentence((goes,))], [Sentence((goes,)), Sentence((goes,))])
'tags'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from glyphone.data.treebanks.dependencies import PUNCTUATION, Sentence, Word
from glyphone.treebank.transfer.nearness import measure_nearness

Reads = Literal["words", "tags", "finite"]
READS: tuple[Reads, ...] = ("words", "tags", "finite")
FINITE = "+Fin"


def word_class(word: Word, reads: Reads) -> str:
    if reads == "words":
        return word.form
    return word.upos + FINITE if reads == "finite" and is_finite(word) else word.upos


def is_finite(word: Word) -> bool:
    features = word.feats.split("|")
    return word.upos == "VERB" and any(
        feature.startswith(("VerbForm=Fin", "Mood=")) for feature in features
    )


def class_lines(sentences: Sequence[Sentence], reads: Reads) -> list[list[str]]:
    """The symbols of sentences, without punctuation."""
    return [
        [word_class(word, reads) for word in sentence.words if word.upos != PUNCTUATION]
        for sentence in sentences
    ]


def choose_reads(source: Sequence[Sentence], text: Sequence[Sentence]) -> Reads:
    """Tags, or tags with finite verbs apart if the source is nearer to the text by these."""
    nearness: dict[Reads, float] = {}
    for reads in READS[1:]:
        numbers: dict[str, int] = {}
        old, new = (
            [
                [numbers.setdefault(symbol, len(numbers)) for symbol in line]
                for line in class_lines(part, reads)
            ]
            for part in (source, text)
        )
        nearness[reads] = measure_nearness(old, new, n_symbols=len(numbers))
    return "finite" if nearness["finite"] > nearness["tags"] else "tags"

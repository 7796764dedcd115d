"""What a language model of a target sees of a word: itself, its tag, or a finer class.

Verbs that are finite, as far as features tell it (VerbForm=Fin, or any Mood), stand elsewhere than
participles and infinitives do. That helps where both languages have both, and misleads where one of
them has other forms or tells none. What `nearest` reads is what brings the source nearer to the
text: see `glyphone.treebank.transfer.nearness`.

>>> goes = Word("goes", upos="VERB", feats="Number=Sing|VerbForm=Fin")
>>> [seen(goes, reads) for reads in READS]
['goes', 'VERB', 'VERB+Fin']
>>> nearest([Sentence((goes,))], [Sentence((goes,)), Sentence((goes,))])
'tags'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from glyphone.data.treebanks.dependencies import PUNCTUATION, Sentence, Word
from glyphone.treebank.transfer.nearness import nearness

Reads = Literal["words", "tags", "finite"]
READS: tuple[Reads, ...] = ("words", "tags", "finite")
FINITE = "+Fin"


def seen(word: Word, reads: Reads) -> str:
    if reads == "words":
        return word.form
    return word.upos + FINITE if reads == "finite" and is_finite(word) else word.upos


def is_finite(word: Word) -> bool:
    features = word.feats.split("|")
    return word.upos == "VERB" and any(
        one.startswith(("VerbForm=Fin", "Mood=")) for one in features
    )


def lines_of(sentences: Sequence[Sentence], reads: Reads) -> list[list[str]]:
    """What is seen of sentences, without punctuation."""
    return [
        [seen(word, reads) for word in sentence.words if word.upos != PUNCTUATION]
        for sentence in sentences
    ]


def nearest(source: Sequence[Sentence], text: Sequence[Sentence]) -> Reads:
    """Tags, or tags with finite verbs apart if the source is nearer to the text by these."""
    found: dict[Reads, float] = {}
    for reads in READS[1:]:
        numbers: dict[str, int] = {}
        old, new = (
            [
                [numbers.setdefault(one, len(numbers)) for one in line]
                for line in lines_of(part, reads)
            ]
            for part in (source, text)
        )
        found[reads] = nearness(old, new, n_symbols=len(numbers))
    return "finite" if found["finite"] > found["tags"] else "tags"

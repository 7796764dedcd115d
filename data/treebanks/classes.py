"""Classes of dependents, the constructions by which word orders are compared.

The class of a dependent is its relation without its subtype if that says enough, as `amod` or
`case` do; a subject or an object stands elsewhere beside a verb than beside a noun, so the class of
any other relation has the tag of the head: nsubj(VERB).

>>> from glyphone.data.treebanks.dependencies import Word
>>> words = [Word("old", head=2, deprel="amod"), Word("Ann", head=3, deprel="nsubj:pass")]
>>> sentence = Sentence((*words, Word("seen", upos="VERB", head=0, deprel="root")))
>>> class_of(sentence, 0), class_of(sentence, 1), class_of(sentence, 2)
('amod', 'nsubj(VERB)', 'root')
"""

from __future__ import annotations

from glyphone.data.treebanks.dependencies import Sentence

# Relations whose dependents stand on one side of whatever they depend on, in most languages.
ALONE = frozenset(
    ("case", "det", "amod", "mark", "aux", "cop", "nummod", "advmod", "cc")
)  # fmt: skip
ROOT = "root"


def relation_of(sentence: Sentence, position: int) -> str:
    """The relation of a word, which is at a position from 0, without its subtype."""
    return sentence.words[position].deprel.partition(":")[0]


def class_of(sentence: Sentence, position: int) -> str:
    """The class of the word at a position, from 0; that of a word without a head is `root`."""
    head = sentence.words[position].head
    if not head:
        return ROOT
    relation = relation_of(sentence, position)
    return relation if relation in ALONE else f"{relation}({sentence.words[head - 1].upos})"

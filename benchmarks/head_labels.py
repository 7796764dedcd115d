"""Heads as labels of words, by which a tagger can learn to parse.

The label of a word says that its head is the k-th word with some tag to its right or to its left:
`+1 VERB` is the next verb (Strzyz, Vilares and Gómez-Rodríguez 2019). That of the root is `root`.

>>> from glyphone.data.treebanks.dependencies import Word
>>> rows = [("the", "DET", 2), ("rain", "NOUN", 3), ("stops", "VERB", 0)]
>>> sentence = Sentence(tuple(Word(form, upos=tag, head=head) for form, tag, head in rows))
>>> labels_of_heads(sentence)
('+1 NOUN', '+1 VERB', 'root')
>>> heads_of_labels(labels_of_heads(sentence), ["DET", "NOUN", "VERB"])
[2, 3, 0]
"""

from __future__ import annotations

from collections.abc import Sequence

from glyphone.data.treebanks.dependencies import Sentence

ROOT = "root"


def labels_of_heads(sentence: Sentence) -> tuple[str, ...]:
    """A label for each word of a tree."""
    tags = [word.upos for word in sentence.words]
    found = []
    for place, word in enumerate(sentence.words):
        if not word.head:
            found.append(ROOT)
            continue
        head = word.head - 1
        tag = tags[head]
        if head > place:
            found.append(f"+{tags[place + 1 : head + 1].count(tag)} {tag}")
        else:
            found.append(f"-{tags[head:place].count(tag)} {tag}")
    return tuple(found)


def heads_of_labels(labels: Sequence[str], tags: Sequence[str]) -> list[int]:
    """The heads of words by their labels; a word whose label leads to none depends on the root.

    The root is the first word with the label of one, or else the first whose label leads nowhere,
    or else the first word. Heads may still run in circles.

    >>> heads_of_labels(["+2 X", "root", "root"], ["X", "X", "Y"])
    [2, 0, 2]
    """
    heads = [_head_of_label(label, place, tags) for place, label in enumerate(labels)]
    fallback = heads.index(None) if None in heads else 0
    root = labels.index(ROOT) if ROOT in labels else fallback
    found = [root + 1 if head is None else head for head in heads]
    found[root] = 0
    return found


def _head_of_label(label: str, place: int, tags: Sequence[str]) -> int | None:
    """The number of the head, from 1."""
    if label == ROOT:
        return None
    rank, _, tag = label.partition(" ")
    step, count = (1, int(rank)) if rank.startswith("+") else (-1, -int(rank))
    place += step
    while 0 <= place < len(tags):
        count -= tags[place] == tag
        if not count:
            return place + 1
        place += step
    return None

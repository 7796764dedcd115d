"""Sentences from a few columns, and any trees at all, for tests of dependency trees."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from glyphone.data.treebanks.dependencies import EmptyNode, MultiwordToken, Sentence, Word

TAGS = ("NOUN", "VERB", "ADP", "PUNCT")
RELATIONS = ("nsubj", "obj:x", "case", "amod", "punct")


def sentence(*rows: str) -> Sentence:
    """Words from lines of form, tag, head and relation."""
    cells = (row.split() for row in rows)
    return Sentence(
        tuple(Word(form, upos=tag, head=int(head), deprel=name) for form, tag, head, name in cells)
    )


def heads_of(size: int, draw: st.DrawFn) -> list[int]:
    """The heads of a tree in which any arcs may cross."""
    names = draw(st.permutations(range(1, size + 1)))
    heads = [0] * size
    for place in range(1, size):
        heads[names[place] - 1] = names[draw(st.integers(0, place - 1))]
    return heads


@st.composite
def trees(draw: st.DrawFn, *, most: int = 7, tags: Iterable[str] = TAGS) -> Sentence:
    """Trees whose words have forms of their own, with multiword tokens and empty nodes."""
    size = draw(st.integers(1, most))
    heads = heads_of(size, draw)
    choice = list(tags)
    words = tuple(
        Word(
            f"w{number}",
            upos=draw(st.sampled_from(choice)),
            head=head,
            deprel=draw(st.sampled_from(RELATIONS)) if head else "root",
            deps=f"{head}:x" if draw(st.booleans()) else "_",
            misc=draw(st.sampled_from(["_", "SpaceAfter=No", "A=1|SpaceAfter=No"])),
        )
        for number, head in enumerate(heads, 1)
    )
    multiword, first = [], 1
    while first <= size:
        last = draw(st.integers(first, size))
        if last > first and draw(st.booleans()):
            multiword.append(MultiwordToken(first, last, (f"m{first}", *["_"] * 8)))
        first = last + 1
    empty = [
        EmptyNode(after, number, (f"e{after}.{number}", *["_"] * 6, f"{after or 1}:x", "_"))
        for after in range(size + 1)
        for number in range(1, draw(st.integers(0, 2)) + 1)
    ]
    return Sentence(words, ("# text = something",), tuple(multiword), tuple(empty))

"""Dependency trees: what is one, and which arcs cross, against definitions by brute force."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

from glyphone.data.errors import ItemError
from glyphone.data.treebanks.dependencies import (
    Sentence,
    Word,
    check_tree,
    crossing_words,
    dependents_of,
    root_of,
)


def sentence(*heads: int | None) -> Sentence:
    return Sentence(tuple(Word(chr(97 + place), head=head) for place, head in enumerate(heads)))


def ancestors(heads: Sequence[int], word: int) -> list[int]:
    """The word, its head, and so on, as far as there are words."""
    found = [word]
    while found[-1] and len(found) <= len(heads):
        found.append(heads[found[-1] - 1])
    return found


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_all_lists_of_heads(size: int) -> None:
    for heads in product(range(size + 1), repeat=size):
        ways = [ancestors(heads, word) for word in range(1, size + 1)]
        is_tree = heads.count(0) == 1 and all(way[-1] == 0 for way in ways)
        found = sentence(*heads)
        if not is_tree:
            with pytest.raises(ItemError) as refused:
                check_tree(found)
            assert 1 <= (refused.value.offset or 0) <= size
            continue
        check_tree(found)
        assert heads[root_of(found) - 1] == 0
        assert dependents_of(found)[0] == [root_of(found)]
        assert crossing_words(found) == [
            word
            for word, head in enumerate(heads, 1)
            if head
            and any(
                head not in ancestors(heads, between)
                for between in range(min(word, head) + 1, max(word, head))
            )
        ]


def test_dependents_are_in_order() -> None:
    assert dependents_of(sentence(3, 3, 0, 3, 4)) == [[3], [], [], [1, 2, 4], [5], []]


def test_no_heads() -> None:
    with pytest.raises(ItemError, match="token 2 'b': it has no head"):
        check_tree(sentence(0, None))
    assert dependents_of(sentence(0, None)) == [[1], [], []]

"""Windows against a plain twin of strings and dictionaries, and the instances of the spec."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError
from glyphone.learners.trees.letter_windows import EDGE, WIDEST, letter_windows, slot_windows

Array = Any
Row = tuple[int, ...]


def flat(words: list[list[int]]) -> tuple[Array, Array]:
    labels = np.array([label for word in words for label in word], np.int64)
    return labels, np.cumsum([0, *map(len, words)])


def letter(word: list[int], place: int) -> int:
    """The letter at a place, that of an edge beyond both ends."""
    return word[place] if 0 <= place < len(word) else EDGE


def letter_row(word: list[int], i: int, left: int, right: int) -> Row:
    return tuple(letter(word, place) for place in range(i - left, i + right + 1))


def slot_row(word: list[int], after: int, left: int, right: int, empty: int) -> Row:
    """The slot behind so many letters."""
    before = tuple(letter(word, place) for place in range(after - left, after))
    behind = tuple(letter(word, place) for place in range(after, after + right))
    return (*before, empty, *behind)


def twin_letters(words: list[list[int]], left: int, right: int) -> list[Row]:
    return [letter_row(word, i, left, right) for word in words for i in range(len(word))]


def twin_slots(words: list[list[int]], left: int, right: int, empty: int) -> list[Row]:
    found = []
    for word in words:
        found.append(slot_row(word, 0, left, right, empty))
        for i in range(len(word)):
            found.append(letter_row(word, i, left, right))
            found.append(slot_row(word, i + 1, left, right, empty))
    return found


labels = st.integers(1, 5)
word_lists = st.lists(st.lists(labels, max_size=6), max_size=5)
sides = st.integers(0, 8)


@settings(max_examples=80)
@given(word_lists, sides, sides)
def test_windows_of_letters_are_those_of_the_twin(
    words: list[list[int]], left: int, right: int
) -> None:
    found = letter_windows(*flat(words), left=left, right=right)
    assert found.shape == (sum(map(len, words)), left + 1 + right)
    assert [tuple(row) for row in found.tolist()] == twin_letters(words, left, right)


@settings(max_examples=80)
@given(word_lists, sides, sides, st.sampled_from([6, 255, 256, 70_000]))
def test_windows_of_slots_are_those_of_the_twin(
    words: list[list[int]], left: int, right: int, empty: int
) -> None:
    found = slot_windows(*flat(words), left=left, right=right, empty=empty)
    assert found.shape == (sum(2 * len(word) + 1 for word in words), left + 1 + right)
    assert [tuple(row) for row in found.tolist()] == twin_slots(words, left, right, empty)


@settings(max_examples=50)
@given(word_lists, word_lists, sides, sides)
def test_a_word_does_not_see_its_neighbours(
    some: list[list[int]], others: list[list[int]], left: int, right: int
) -> None:
    def rows(words: list[list[int]]) -> list[list[int]]:
        every: list[list[int]] = slot_windows(
            *flat(words), left=left, right=right, empty=9
        ).tolist()
        return every

    assert rows(some + others) == rows(some) + rows(others)


def test_instances_of_the_specification() -> None:
    codes = {"$": EDGE, "t": 1, "e": 2, "x": 3, ".": 4}
    names = {code: name for name, code in codes.items()}
    word = [codes[x] for x in "texte"]
    found = slot_windows(*flat([word]), left=1, right=1, empty=codes["."])
    shown = [" ".join(names[code] for code in row) for row in found.tolist()]
    assert shown == [
        "$ . t", "$ t e", "t . e", "t e x", "e . x", "e x t", "x . t", "x t e", "t . e", "t e $",
        "e . $",
    ]  # fmt: skip


def test_the_empty_symbol_stands_in_the_centre_alone() -> None:
    words = [[1, 2, 3], [], [2]]
    found = slot_windows(*flat(words), left=3, right=2, empty=4)
    slots = np.array([k % 2 == 0 for word in words for k in range(2 * len(word) + 1)])
    assert ((found == 4).sum(axis=1) == slots).all()
    assert (found[slots, 3] == 4).all()


def test_the_widest_windows_of_long_words() -> None:
    word = [1 + k % 7 for k in range(1200)]
    for left, right in ((20, 20), (WIDEST, 0), (0, WIDEST)):
        found = letter_windows(*flat([word, word[:1]]), left=left, right=right)
        assert [tuple(row) for row in found.tolist()] == twin_letters([word, word[:1]], left, right)


def test_small_codes_take_one_byte() -> None:
    small = letter_windows(np.array([255]), np.array([0, 1]), left=1, right=1)
    large = letter_windows(np.array([256]), np.array([0, 1]), left=1, right=1)
    assert small.dtype == np.uint8 and small.tolist() == [[0, 255, 0]]
    assert large.dtype == np.int32 and large.tolist() == [[0, 256, 0]]


@pytest.mark.parametrize(
    ("left", "right", "side"), [(-1, 2, "left"), (2, WIDEST + 1, "right"), (500, 0, "left")]
)
def test_sizes_that_are_refused(left: int, right: int, side: str) -> None:
    size = left if side == "left" else right
    for windows in (letter_windows, lambda *args, **sizes: slot_windows(*args, **sizes, empty=2)):
        with pytest.raises(GlyphoneError) as caught:
            windows(np.array([1]), np.array([0, 1]), left=left, right=right)
        assert f"{size} letters on the {side}" in str(caught.value)
        assert f"0 to {WIDEST}" in str(caught.value)

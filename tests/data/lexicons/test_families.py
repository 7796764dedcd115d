"""Words that begin alike, beside a plain twin."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.lexicons.families import are_related, families_of

# No word of these is long enough to have relatives, and there are enough that families are small.
OTHERS = [(letter, digit) for letter in "vwxyz" for digit in "0123456789"]
words = st.lists(st.text("ab", min_size=3, max_size=6), min_size=1, max_size=5, unique=True)


@given(words)
def test_neighbours_are_of_one_family_if_they_are_related(texts: list[str]) -> None:
    found = families_of([tuple(text) for text in texts] + OTHERS)
    heads: dict[str, str] = {}
    before = ""
    for text in sorted(texts):
        heads[text] = heads[before] if before and are_related(before, text) else text
        before = text
    assert {text: "".join(found[tuple(text)]) for text in texts} == heads
    assert all(found[other] == other for other in OTHERS)


def test_too_large_a_family_is_none() -> None:
    many = [tuple(f"begin{k}") for k in range(9)]
    assert len({*families_of(many + OTHERS).values()}) == 9 + len(OTHERS)
    few = many[:5]
    assert len({*families_of(few + OTHERS).values()}) == 1 + len(OTHERS)


def test_letters_are_counted_with_their_marks() -> None:
    composed = [tuple("\u00e9\u00e9"), tuple("\u00e9\u00e9x")]
    decomposed = [tuple("e\u0301e\u0301"), tuple("e\u0301e\u0301x")]
    for pair in (composed, decomposed):
        assert len({*families_of(pair + OTHERS).values()}) == 2 + len(OTHERS)

"""The measure across scripts, against its definition pair by pair."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from glyphone.data.scripts.scripts import script_of
from glyphone.learners.matching.across import SpellingMeasure
from glyphone.learners.matching.evidence import DOUBT, Spelling

LETTERS = dict(zip("абв", "abw", strict=True))


def spell(words: Sequence[str], script: str, wanted: str) -> list[tuple[Spelling, ...]]:
    """Letter by letter, and doubtfully doubled; Greek is read, and never written; в has no
    reading alone."""
    found = []
    for word in words:
        if (script, wanted) == ("Cyrl", "Latn"):
            text = "".join(LETTERS[letter] for letter in word)
            doubtful = Spelling(wanted, text * 2, 0.2)
            found.append(() if word == "в" else (doubtful, Spelling(wanted, text, 0.8)))
        elif (script, wanted) == ("Latn", "Cyrl"):
            back = {latin: native for native, latin in LETTERS.items()}
            text = "".join(back[letter] for letter in word)
            found.append(() if word == "w" else (Spelling(wanted, text),))
        elif (script, wanted) == ("Grek", "Latn"):
            found.append((Spelling(wanted, word.replace("α", "a").replace("β", "b")),))
        else:
            found.append(())
    return found


def alike(one: str, other: str) -> float:
    return OSA.normalized_similarity(one, other) if one else 0.0


def way(word: str, other: str) -> list[float]:
    """The best spelling of a word in the script of another; nothing if there is none."""
    (spellings,) = spell([word], script_of(word) or "", script_of(other) or "")
    if not spellings:
        return []
    most = max(one.probability for one in spellings)
    return [max(alike(one.text, other) * (one.probability / most) ** DOUBT for one in spellings)]


def definition(one: str, other: str) -> float:
    if not one or not other:
        return 0.0
    if script_of(one) == script_of(other):
        return alike(one, other)
    known = way(one, other) + way(other, one)
    if not known and "Latn" not in (script_of(one), script_of(other)):
        latin = [
            max(spell([word], script_of(word) or "", "Latn")[0], key=lambda x: x.probability).text
            if spell([word], script_of(word) or "", "Latn")[0]
            else ""
            for word in (one, other)
        ]
        return alike(*latin)
    return sum(known) / len(known) if known else 0.0


words = st.text("abw", max_size=4) | st.text("абв", max_size=4) | st.text("αβ", max_size=4)


@given(st.lists(words, min_size=1, max_size=6), st.lists(words, min_size=1, max_size=6))
def test_tables_and_pairs(firsts: list[str], seconds: list[str]) -> None:
    measure = SpellingMeasure(spell)
    expected = np.array([[definition(one, other) for other in seconds] for one in firsts])
    assert measure.cdist(firsts, seconds) == pytest.approx(expected, abs=1e-6)
    places = np.array([(i, j) for i in range(len(firsts)) for j in range(len(seconds))])
    by_pair = measure.of_pairs(firsts, places, seconds)
    assert by_pair == pytest.approx(expected.ravel(), abs=1e-6)


def test_names_that_are_alike() -> None:
    measure = SpellingMeasure(spell)
    assert measure.similarity("Абв", "abw") == 1
    assert measure.similarity("αβ", "аб") == 1
    assert measure.similarity("в", "w") == 0
    assert measure.similarity("ab 東京", "ab 東京") == 1
    assert measure.cdist(["аб", ""], ["ab", "", "αβ"])[1].tolist() == [0, 0, 0]

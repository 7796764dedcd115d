"""Names cut into parts: nothing is lost but what is passed over, and all offsets are the user's."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from glyphone.data.errors import ItemError
from glyphone.models.names.parts import Part, parts_of
from tests.glyphone.models.names.support import HYPHENS, NOISE, SPACES, names

APOSTROPHES = "'\u2018\u2019`"
LETTERS = st.sampled_from([*"abZñÉ", "\u0301", "2", "ა", "!"])
texts = st.text(st.one_of(LETTERS, st.sampled_from([*NOISE, *SPACES, *HYPHENS, *APOSTROPHES])))


def found(name: str) -> list[Part]:
    """The parts of a name; none of one that has nothing else but what is passed over."""
    if not set(name) - {*NOISE, *SPACES, *HYPHENS, *APOSTROPHES}:
        with pytest.raises(ItemError, match="is no name"):
            parts_of(name)
        return []
    return parts_of(name)


@given(texts)
@example("a\u200e-\u200eb")
@example("a ' -b")
@example("'\u200ea")
def test_parts_cover_a_name(name: str) -> None:
    parts = found(name)
    taken = [place for part in parts for place in part.begins]
    assert taken == sorted(set(taken))
    for part in parts:
        assert len(part.word) == len(part.begins) == len(part.ends)
        assert [end - begin for begin, end in zip(part.begins, part.ends, strict=True)] == [
            1 for _ in part.word
        ]
        for letter, place in zip(part.word, part.begins, strict=True):
            assert letter == ("'" if name[place] in APOSTROPHES else name[place])
    passed_over = {*NOISE, *SPACES, *HYPHENS, *APOSTROPHES}
    assert {name[place] for place in range(len(name)) if place not in taken} <= passed_over


@given(texts)
def test_what_stands_before_a_part(name: str) -> None:
    parts = found(name)
    assert [part.before for part in parts[:1]] in ([], [""])
    for one, other in pairwise(parts):
        between = name[one.ends[-1] : other.begins[0]]
        assert other.before == ("-" if any(hyphen in between for hyphen in HYPHENS) else " ")
        assert any(separator in between for separator in [*SPACES, *HYPHENS])


@given(texts)
def test_whole_words_stay_together(name: str) -> None:
    """No part has a separator in it, and none is cut but at one."""
    for part in found(name):
        inside = name[part.begins[0] : part.ends[-1]]
        assert not any(separator in inside for separator in [*SPACES, *HYPHENS])
        assert part.word.strip("'")


@given(names(st.sampled_from(["Ann", "o'neil", "e\u0301va", "ŁÓDŹ", "დ"])))
def test_words_come_back(drawn: tuple[str, list[str]]) -> None:
    text, words = drawn
    parts = parts_of(text)
    assert [part.word for part in parts] == words
    assert [part.capital for part in parts] == [word[0].isupper() for word in words]


def test_a_capital_behind_an_apostrophe_is_one() -> None:
    assert [part.capital for part in parts_of("\u2019Abd 't Hooft")] == [True, False, True]


@pytest.mark.parametrize("name", ["", " ", "-", "\u200e", "'", "- ' -", "\ufeff \u00ad", "’-’"])
def test_names_of_nothing(name: str) -> None:
    with pytest.raises(ItemError, match="is no name") as caught:
        parts_of(name)
    assert caught.value.item == name and caught.value.remedy


@given(texts, texts)
def test_abbreviations(one: str, other: str) -> None:
    name = f"{one}.{other}"
    with pytest.raises(ItemError, match="is abbreviated") as caught:
        parts_of(name)
    assert (caught.value.item, caught.value.symbol) == (name, ".")
    assert caught.value.offset == name.index(".")


def test_long_runs_of_noise_do_not_take_long() -> None:
    """Quadratic time would make hours of this."""
    name = "\u200e" * 1_000_000 + "a" + "\u200f" * 1_000_000
    assert [part.word for part in parts_of(name)] == ["a"]

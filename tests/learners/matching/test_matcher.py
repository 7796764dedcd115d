"""Evidence that two names are one, and the probability of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from glyphone.learners.matching.evidence import (
    DOUBT,
    FEATURES,
    LEAST,
    Evidence,
    KnownWord,
    Spelling,
    compared_spellings,
    core_of,
    find_evidence,
    known_words,
    likeness,
)
from glyphone.learners.matching.matcher import NameMatcher, Pair

ONE: list[Pair] = [
    ("Ana Paz", "Paz, Ana"),
    ("Bo Li", "Bo Li"),
    ("Eva Sol", "Ms. Eva Sol"),
    ("Acme Ltd", "ACME Limited"),
    ("Ivan Petrov", "Ivan Petrow"),
    ("William Smith", "Bill Smith"),
    ("Иван Петров", "Ivan Petrov"),
    ("Ана Петров", "Ana Petrov"),
    *((f"{one} {other}", f"{other}, {one}") for one in ("Uma", "Noa") for other in ("Tal", "Ko")),
    *((f"{one} Rio", f"{one} Rio") for one in ("Uma", "Noa", "Xu", "Bea")),
]
TWO: list[Pair] = [
    ("Ana Paz", "Bo Li"),
    ("Eva Paz", "Ana Paz"),
    ("Bo Sol", "Eva Sol"),
    ("Acme 2 Ltd", "Acme 3 Ltd"),
    ("Petr Ivanov", "Ana Petrova"),
    ("Mary Smith", "Bill Smith"),
    ("Иван Петров", "Ana Paz"),
    ("Ана Петров", "Ivan Petrov"),
    *((f"{one} Tal", f"Tal {other}") for one in ("Uma", "Noa") for other in ("Xu", "Bea")),
    *((f"{one} Rio", f"{other} Fey") for one in ("Uma", "Noa") for other in ("Xu", "Bea")),
]
GOLD = [1] * len(ONE) + [0] * len(TWO)
CYRILLIC = {"ива": "iva", "иван": "ivan", "петров": "petrov", "ана": "ana"}


def spell(words: Sequence[str], script: str, wanted: str) -> list[tuple[Spelling, ...]]:
    """The Latin spelling of a few words, right at first, and a worse one."""
    if (script, wanted) != ("Cyrl", "Latn"):
        return [()] * len(words)
    return [
        (Spelling("Latn", CYRILLIC[word], 0.9), Spelling("Latn", "x" + CYRILLIC[word], 0.1))
        if word in CYRILLIC
        else ()
        for word in words
    ]


@pytest.fixture(scope="module")
def matcher() -> NameMatcher:
    return NameMatcher(strength=9.0, speller=spell).fit(ONE + TWO, GOLD)


def evidence(one: str, other: str) -> Evidence:
    return find_evidence(known_words(one), known_words(other))


def values(one: str, other: str) -> dict[str, float]:
    return dict(zip(FEATURES, evidence(one, other).features(), strict=True))


names = st.text("abé 1.,-东и", max_size=14)


@given(names, names)
def test_features_do_not_depend_on_the_order_of_names(one: str, other: str) -> None:
    there, back = evidence(one, other), evidence(other, one)
    assert there.features() == pytest.approx(back.features(), abs=1e-9) or tied(there)
    assert len(there.features()) == len(FEATURES)
    assert np.isfinite(there.features()).all()


def tied(found: Evidence) -> bool:
    """Whether several ways to link words are alike as much in all."""
    one, other = found.cores
    if len(one) > len(other):
        one, other = other, one
    table = [[likeness(a.text, a.role, b.text, b.role)[0] for b in other] for a in one]
    cut = [[value if value >= LEAST else 0.0 for value in row] for row in table]
    totals = sorted(
        sum(cut[i][j] for i, j in enumerate(way))
        for way in permutations(range(len(other)), len(one))
    )
    return len(totals) > 1 and totals[-1] - totals[-2] < 1e-9


@given(names, names)
def test_links_are_the_best_in_all(one: str, other: str) -> None:
    found = evidence(one, other)
    first, second = found.cores
    if len(first) > len(second):
        first, second = second, first
    best = max(
        sum(
            value
            for i, j in enumerate(way)
            if (value := likeness(first[i].text, first[i].role, second[j].text, second[j].role)[0])
            >= LEAST
        )
        for way in permutations(range(len(second)), len(first))
    )
    assert sum(link.likeness for link in found.links) == pytest.approx(best)


def test_links() -> None:
    found = evidence("Dr. Bill J. van der Smith III", "Smith, William John")
    assert [(link.first.text, link.second.text, link.reason) for link in found.links] == [
        ("bill", "william", "nickname"),
        ("j", "john", "initial"),
        ("smith", "smith", "equal"),
    ]
    assert [word.text for word in found.alone[0]] == ["3"] and found.alone[1] == ()
    assert evidence("Ivanov", "Petrova").links == ()
    assert evidence("A 2", "A 3").alone == (
        (KnownWord("2", "number"),),
        (KnownWord("3", "number"),),
    )


def test_features_by_name() -> None:
    found = values("Acme 2 Ltd", "Akme 3 GmbH")
    assert (found["both have numbers"], found["numbers differ"]) == (1, 1)
    assert (found["company forms"], found["most edits"]) == (1, 1)
    assert values("Ana Paz", "Paz Ana")["swaps"] == 1
    assert values("Good Will", "Goodwill")["edits of the whole"] == 0
    assert values("Ana", "")["words linked"] == values("", "")["words linked"] == 0
    assert core_of(known_words("Dr.")) == known_words("Dr.")


@pytest.mark.parametrize(
    ("first", "second", "scripts", "name", "value"),
    [
        ("Acme Ltd", "Acme LLC", ("", ""), "company forms differ", 0.5),
        ("Acme Ltd", "Acme LLC", ("Latn", "Cyrl"), "company forms differ", 0.0),
        ("Acme Ltd", "Acme AG", ("Latn", "Cyrl"), "company forms differ", 1.0),
        ("Acme Co.", "Acme AG", ("", ""), "company forms differ", 0.5),
        ("Kingdom of Sweden", "Sweden", ("", ""), "words left of one", 0),
        ("Viet Nam", "Vietnam", ("", ""), "words equal", 1),
        ("de la Paz", "La Paz", ("", ""), "words left of the other", 0),
        ("Île Rodrigues", "Rodrigues Island", ("", ""), "swaps", 0),
        ("Filip", "Philipp", ("", ""), "sounds of the least", 1.0),
        ("Maurice", "Mauritius", ("", ""), "beginning of the least", 5 / 7),
    ],
)
def test_features_of_pairs(
    first: str, second: str, scripts: tuple[str, str], name: str, value: float
) -> None:
    found = find_evidence(known_words(first), known_words(second), scripts)
    assert dict(zip(FEATURES, found.features(), strict=True))[name] == value


def test_spellings_in_another_script() -> None:
    """A word is as alike as its best spelling, and a doubtful spelling counts less."""
    ivan = KnownWord("иван", "word", spellings=spell(["иван"], "Cyrl", "Latn")[0])
    right, doubtful, other = (
        find_evidence((ivan,), (KnownWord(text, "word"),), ("Cyrl", "Latn")).links
        for text in ("ivan", "xivan", "bo")
    )
    assert right[0].likeness == 1 and right[0].reason == "equal"
    assert doubtful[0].likeness == pytest.approx(max((0.1 / 0.9) ** DOUBT, 4 / 5))
    assert other == ()
    arab = KnownWord("ايفان", "word", spellings=(Spelling("Latn", "ivan"),))
    (link,) = find_evidence((ivan,), (arab,), ("Cyrl", "Arab")).links
    assert link.likeness == 1
    several = KnownWord("x", "word", spellings=(Spelling("Latn", "bo"), Spelling("Latn", "ivan")))
    (link,) = find_evidence((ivan,), (several,), ("Cyrl", "Arab")).links
    assert link.likeness == 1
    back = find_evidence((KnownWord("ivan", "word"),), (ivan,), ("Latn", "Cyrl")).links
    assert back[0].likeness == 1


def test_both_directions_count() -> None:
    """The first word in the second's script, and the second in the first's: their mean."""
    latin = KnownWord("ivan", "word", spellings=(Spelling("Cyrl", "ыван"),))
    native = KnownWord("иван", "word", spellings=(Spelling("Latn", "ivan"),))
    (link,) = find_evidence((latin,), (native,), ("Latn", "Cyrl")).links
    assert link.likeness == pytest.approx((1 + 3 / 4) / 2) and link.reason == "spelling"
    compared = compared_spellings(latin, native, ("Latn", "Cyrl"))
    assert [(one.texts, one.edits) for one in compared] == [
        (("ыван", "иван"), 1),
        (("ivan", "ivan"), 0),
    ]
    assert compared_spellings(latin, KnownWord("x", "word"), ("Latn", "Arab")) == []


def test_probabilities(matcher: NameMatcher) -> None:
    pairs = ONE + TWO
    found = matcher.predict_proba(pairs)
    assert found.sum(1) == pytest.approx(1) and matcher.predict(pairs).tolist() == GOLD
    assert matcher.similarity("Cy Rex", "Rex, Cy") > matcher.similarity("Cy Rex", "Li Mar")
    table = matcher.cdist(["Ana Paz", "", "?"], ["Paz, Ana", "Bo Li", ""])
    assert table[0, 0] > table[0, 1] and not table[1:].any() and not table[:, 2].any()
    assert [row[1:] for row in matcher.pairs(["Ana Paz", "Bo Li", "Paz, Ana"], 1)] == [(0, 2)]


@pytest.mark.parametrize("pair", [*ONE[:8], *TWO[:8]])
def test_contributions_sum_to_the_log_odds(matcher: NameMatcher, pair: Pair) -> None:
    (judged,) = matcher.judge([pair])
    features, nothing = matcher.contributions(judged.evidence)
    assert [value for value, _ in features.values()] == judged.evidence.features()
    odds = nothing + sum(added for _, added in features.values())
    assert 1 / (1 + np.exp(-odds)) == pytest.approx(judged.probability)
    assert all(added == 0 for value, added in features.values() if value == 0)


def test_names_of_two_scripts(matcher: NameMatcher) -> None:
    same, other = (matcher.similarity("Иван Петров", name) for name in ("Ivan Petrov", "Ana Paz"))
    assert same > 0.5 > other
    plain = NameMatcher().fit(ONE + TWO, GOLD).evidence("Иван Петров", "Ivan Petrov")
    assert plain.links == ()
    links = matcher.evidence("Иван Петров", "Petrov, Ivan").links
    assert [link.likeness for link in links] == [1, 1]


def test_rare_words_weigh_more() -> None:
    names = ["Ana Paz", "Ana Sol", "Ana Li", "Bo Rex"]
    known = NameMatcher().fit(ONE + TWO, GOLD, names)
    words = known.evidence("Ana Rex Zz", "Ana").first
    assert words[0].weight < words[1].weight < words[2].weight


def test_nothing_learnt_yet() -> None:
    with pytest.raises(NotFittedError):
        NameMatcher().similarity("a", "b")

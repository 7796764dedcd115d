"""Pairs of names that are made to learn from."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from rapidfuzz import fuzz

from glyphone.data.names.words import read_words
from glyphone.data.scripts.scripts import script_of
from glyphone.data.sources.rigour import NameGroup
from glyphone.evaluation.pairs import NO, YES
from glyphone.matching.generator import writing
from glyphone.matching.generator.companies import Companies, forms, other_form
from glyphone.matching.generator.groups import Groups, usable_groups
from glyphone.matching.generator.pairs import make_pairs
from glyphone.matching.generator.people import People
from glyphone.matching.pairs import LabelledPair

SYLLABLES = {"ba": "ба", "do": "до", "fi": "фи", "ku": "ку", "le": "ле", "mo": "мо", "na": "на"}
NAMES = [(a + b + c, SYLLABLES[a] + SYLLABLES[b] + SYLLABLES[c])
         for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES]  # fmt: skip
GROUPS = [
    NameGroup((latin, f"{latin[:-1]}h", native), f"Q{k}") for k, (latin, native) in enumerate(NAMES)
]
PLACES = ["Kiel", "Ulm", "Bonn"]


def made(**options: object) -> list[LabelledPair]:
    sizes = {"people": 400, "companies": 200, **options}
    return [*make_pairs(GROUPS, PLACES, **sizes)]  # type: ignore[arg-type]


def canonical(name: str) -> list[str]:
    return sorted(word.canonical for word in read_words(name))


def test_half_of_the_pairs_are_one_name() -> None:
    pairs = made()
    assert Counter(pair.label for pair in pairs[:400]) == {YES: 200, NO: 200}
    assert Counter(pair.label for pair in pairs[400:]) == {YES: 100, NO: 100}


def test_two_names_are_not_written_alike() -> None:
    pairs = made(others=300)
    assert [p for p in pairs if p.label == NO and canonical(p.first) == canonical(p.second)] == []


def test_names_of_different_pairs_that_are_near() -> None:
    pairs = made(others=300)
    own = {(pair.first, pair.second) for pair in pairs[:600] if pair.label == YES}
    others = [(pair.first, pair.second) for pair in pairs[600:]]
    assert {pair.label for pair in pairs[600:]} == {NO} and 250 < len(others) <= 300
    assert own.isdisjoint({*others, *((second, first) for first, second in others)})
    near = [
        max(fuzz.ratio(a, b) for a in canonical(one) for b in canonical(other)) > 65
        for one, other in others
    ]
    assert 0.5 < sum(near) / len(near) < 1


def test_a_seed_makes_the_same_pairs() -> None:
    assert made(seed=3) == made(seed=3) != made(seed=4)


def test_scripts() -> None:
    def scripts(pairs: list[LabelledPair]) -> set[tuple[str | None, str | None]]:
        return {(script_of(p.first), script_of(p.second)) for p in pairs if p.label == YES}

    assert scripts(made(companies=0)) == {("Latn", "Latn"), ("Cyrl", "Cyrl")}
    assert ("Cyrl", "Latn") in scripts(made(companies=0, across=0.5))
    apart = {(script_of(p.first), script_of(p.second)) for p in made(people=4000) if p.label == NO}
    assert ("Latn", "Cyrl") in apart
    near = [p for p in made(companies=0, across=0.5) if p.label == NO]
    across = [p for p in near if script_of(p.first) != script_of(p.second)]
    assert len(across) > len(near) / 10


def test_groups_are_drawn_by_what_they_are_known_in() -> None:
    known = Groups([NameGroup(("a",), "Q1"), NameGroup(("b", "б", "β"), "Q2")])
    chooser = Random(0)
    drawn = Counter(known.draw("Latn", chooser) for _ in range(400))
    assert 0 < drawn[0] < drawn[1] and known.scripts == {"Latn", "Cyrl", "Grek"}


def test_near_names_are_those_of_other_groups() -> None:
    rows = [("kopar", "kopah"), ("kopal",), ("kópar",), ("x",)]
    known = Groups([NameGroup(row, f"Q{k}") for k, row in enumerate(rows)])
    assert known.nearest([(0, "kopar")], "Latn") == {"kopar": ["kopal"]}
    assert known.are_one("bill", "william")


def test_given_names_that_have_short_forms() -> None:
    rows = [("william",), ("александр", "alexander"), ("smith",), ("paz",), ("kopar",)]
    people = People(Groups([NameGroup(row, f"Q{k}") for k, row in enumerate(rows)]))
    assert people.with_short_forms == [(1, "alexander"), (0, "william")]
    texts = [f"{one} {other}".lower() for one, other, label in people.pairs(900, 1) if label]
    assert any("bill" in text and "william" in text for text in texts)


def test_groups_and_spellings_that_are_left_out() -> None:
    groups = [NameGroup(("petrov", "petrova"), "X1"), NameGroup(("jau⁴", "2pac"), "Q2")]
    assert usable_groups(groups) == []


def test_sources_with_one_name() -> None:
    """There is nobody and nothing else, so the pair is what can be had."""
    assert len([*Companies(["kopar"], ["Ulm"]).pairs(99, seed=0)]) == 99
    alone = People(Groups([NameGroup(("ana",), "Q1")]))
    assert len([*alone.pairs(20, seed=0)]) == 20


@pytest.mark.parametrize("seed", range(20))
def test_ways_of_writing(seed: int) -> None:
    chooser = Random(seed)
    words = ["anna", "maria", "paz"]
    assert sorted(read.canonical for read in read_words(writing.written(words, "Latn", chooser))
                  if read.role == "word") == sorted(words)  # fmt: skip
    assert writing.written(["山田", "太郎"], "Hani", chooser) == "山田太郎"
    assert writing.shortened(words, chooser) == ["anna", "paz"]
    assert writing.initials(words, chooser)[-1] == "paz" != writing.initials(words, chooser)[0][:2]
    assert writing.mistyped("li", chooser) == "li"
    assert writing.nicknamed(["william", "paz"], chooser)[0] in writing.nicknames()["william"]
    assert "".join(writing.joined(words, chooser)).replace("-", "") == "annamariapaz"


def test_legal_forms() -> None:
    assert "limited" in forms()["ltd"] and "gmbh" not in forms()["ltd"]
    assert {other_form("ltd", Random(k)) for k in range(30)}.isdisjoint(forms()["ltd"])


def test_companies_have_near_families() -> None:
    makers = Companies(["kopar", "suzu"], PLACES, {"kopar": ["kopal"]})
    pairs = [*makers.pairs(300, seed=1)]
    assert any("kopal" in f"{one} {other}".lower() for one, other, label in pairs if label == NO)
    assert not any("kopal" in f"{one} {other}".lower() for one, other, label in pairs if label)

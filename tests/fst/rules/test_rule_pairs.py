"""Pairs of rules against a slow twin that tries every way, and what is left out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair
from glyphone.fst.alignment.training import ONE_TO_ONE, fit, slot_outputs
from glyphone.fst.rules.cascade import Cascade, Respelling, Table, cascade
from glyphone.fst.rules.interpreter import run
from glyphone.fst.rules.rule_pairs import rule_pairs


def shown(pairs: tuple[Pair, ...]) -> str:
    return " ".join("".join(pair.source) + ":" + "".join(pair.target) for pair in pairs)


def grammar(*rules: Any, **options: Any) -> Cascade:
    return cascade(
        **{"letters": "a b c", "phones": "a b c x y", "marks": "M N", **options}, rules=rules
    )


# What is found, what is put in its place, and a context or none.
Written = tuple[str, str, str]
found = st.text("abcMN", min_size=1, max_size=2)
put = st.text("abcxyMN", max_size=2)
written = st.lists(st.tuples(found, put, st.sampled_from(["", " / _ a", " / # _"])), max_size=5)


def spaced(text: str) -> str:
    return " ".join(text) or "∅"


def ways(string: str, rule: Written) -> set[str]:
    """All that a rule can leave of a string: without a context one thing, else any choice."""
    phi, psi, context = rule
    if not context:
        return {string.replace(phi, psi)}
    places = [k for k in range(len(string)) if string.startswith(phi, k)]
    results = set()
    for chosen in product([False, True], repeat=len(places)):
        taken = [place for place, yes in zip(places, chosen, strict=True) if yes]
        if all(b - a >= len(phi) for a, b in pairwise(taken)):
            ends = [0, *(place + len(phi) for place in taken)]
            kept = [string[a:b] for a, b in zip(ends, [*taken, len(string)], strict=True)]
            results.add(psi.join(kept))
    return results


def twin(rules: list[Written], longest: int, outcomes: int) -> dict[tuple[str, str], Fraction]:
    every: dict[str, set[str]] = {}
    starts = [(letter, letter, 0) for letter in "abc"]
    starts += [(phi, psi, k) for k, (phi, psi, _) in enumerate(rules, 1)]
    for phi, psi, k in starts:
        strings = {psi}
        for rule in rules[k:]:
            strings = {after for string in strings for after in ways(string, rule)}
        if len(phi) <= longest and set(phi) <= set("abc"):
            fits = {
                y
                for y in strings
                if len(y) <= min(longest, len(phi) + 1) and set(y) <= set("abcxy")
            }
            every[phi] = every.get(phi, set()) | fits
    return {
        (phi, y): Fraction(1, len(targets))
        for phi, targets in every.items()
        for y in targets
        if len(phi) == 1 or len(targets) <= outcomes
    }


@settings(max_examples=80, deadline=None)
@given(written, st.integers(1, 3), st.integers(1, 4))
def test_pairs_are_those_of_every_way(rules: list[Written], longest: int, outcomes: int) -> None:
    lines = [f"{spaced(phi)} -> {spaced(psi)}{context}" for phi, psi, context in rules]
    pairs = rule_pairs(grammar(*lines), longest=longest, outcomes=outcomes)
    expected = twin(rules, longest, outcomes)
    assert {("".join(p.source), "".join(p.target)) for p in pairs} == expected.keys()
    assert len(pairs) == len(expected)
    for p in pairs:
        assert p.weight == pytest.approx(float(expected["".join(p.source), "".join(p.target)]))


@settings(max_examples=60, deadline=None)
@given(written, st.sampled_from("abc"))
def test_what_a_letter_alone_becomes_is_a_pair(rules: list[Written], letter: str) -> None:
    lines = [f"{spaced(phi)} -> {spaced(psi)}{context}" for phi, psi, context in rules]
    one = grammar(*lines)
    pairs = {(p.source, p.target) for p in rule_pairs(one)}
    for way in run(one, (letter,)):
        if len(way.output) <= 2 and set(way.output) <= set("abcxy"):
            assert ((letter,), way.output) in pairs


def test_marks_are_followed_through_later_rules() -> None:
    one = grammar("a b -> M", "M -> x / _ c", "M -> y", phones="b c x y a")
    assert "ab:x ab:y" in shown(rule_pairs(one))
    # What still holds a mark at the end is no sound.
    one = grammar("a b -> M", "M -> x y x / _ c")
    assert shown(rule_pairs(one)) == "a:a b:b c:c ab:xyx"


def test_a_rule_does_not_change_what_comes_after_it() -> None:
    first = shown(rule_pairs(grammar("b -> y", "c -> b"))).split()
    second = shown(rule_pairs(grammar("c -> b", "b -> y"))).split()
    assert "c:b" in first and "c:y" not in first
    assert "c:y" in second and "c:b" not in second


def test_optional_rules_and_alternatives() -> None:
    assert shown(rule_pairs(grammar("a -> x [optional]"))) == "a:x a:a b:b c:c"
    assert shown(rule_pairs(grammar("a -> x <0.5> | y <0.5>"))) == "a:x a:y b:b c:c"


def test_sets_and_deletions() -> None:
    assert (
        shown(rule_pairs(grammar("V = {a b}", "V c -> {x, y}", "c -> ∅"))) == "a:a b:b c: ac:x bc:y"
    )
    assert rule_pairs(grammar("∅ -> x / a _"))[-1] == Pair((), ("x",))


@pytest.mark.parametrize(
    "rule",
    ["a b* -> x", "a b a b a b -> x", "M a -> x", "a b -> x y x y", "a -> x y x"],
    ids=["infinite", "long", "mark", "target", "name of a letter"],
)
def test_what_is_left_out(rule: str) -> None:
    assert {pair for pair in rule_pairs(grammar(rule)) if pair.source != pair.target} == set()


def test_words_of_which_much_can_become_are_left_out() -> None:
    rules = ["a b c -> b a c", "a -> x / _ b", "b -> y / _ a"]
    sources = {pair.source for pair in rule_pairs(grammar(*rules))}
    assert ("a", "b", "c") in sources
    assert ("a", "b", "c") not in {p.source for p in rule_pairs(grammar(*rules), outcomes=3)}
    # A letter is kept whatever becomes of it.
    assert ("a",) in {p.source for p in rule_pairs(grammar(*rules), outcomes=1)}


@pytest.mark.parametrize(("marks", "kept"), [(6, True), (7, False)])
def test_too_many_ways_end_a_string_and_not_the_run(marks: int, kept: bool) -> None:
    long = "a b -> x" + " M" * marks  # 2 ** marks ways, that all end as x
    pairs = rule_pairs(grammar(long, "M -> N / _ c", "{M N} -> ∅"))
    assert (Pair(("a", "b"), ("x",)) in pairs) == kept
    assert Pair(("c",), ("c",)) in pairs


def test_tables_let_nothing_else_pass() -> None:
    table = Table(((("a", "b"), ("x",)), (("a",), ("y",)), (("c",), ("c",))))
    assert shown(rule_pairs(grammar("b -> ∅ / a _ #", table))) == "a:y b: c:c ab:x"
    respelt = Respelling(((("a", "b"), ("c",)),))
    assert "ab:c" in shown(rule_pairs(grammar(respelt)))


def test_inverted_cascades_give_inverted_pairs() -> None:
    one = grammar("a b -> x", "c -> y y")
    turned = [Pair(p.target, p.source, p.weight) for p in rule_pairs(one)]
    assert list(rule_pairs(one.inverse())) == turned


@pytest.mark.parametrize("name", ["longest", "outcomes"])
def test_bounds_of_less_than_one_are_refused(name: str) -> None:
    with pytest.raises(GlyphoneError, match=f"{name} is 0"):
        rule_pairs(grammar("a -> x"), **{name: 0})


def test_rules_repair_an_alignment() -> None:
    """One word of a lexicon too small to tell which letter of two is silent."""
    one = cascade(letters="t e x", phones="t ɛ k s", rules=["x -> k s", "e -> ∅ / _ #", "e -> ɛ"])
    word = Pair(tuple("texte"), ("t", "ɛ", "k", "s", "t"))
    assert slot_outputs(fit([word], ONE_TO_ONE).one_to_one(word)) != (
        "", "t", "", "ɛ", "", "k", "s", "t", "", "", "",
    )  # fmt: skip
    pairs = rule_pairs(one)
    assert shown(pairs) == "t:t e: e:ɛ x:ks"
    options = replace(ONE_TO_ONE, weights=(0.9, 0.09, 0.01))
    assert slot_outputs(fit([word], options, rule_pairs=pairs).one_to_one(word)) == (
        "", "t", "", "ɛ", "", "k", "s", "t", "", "", "",
    )  # fmt: skip

"""The interpreter's own: what fired where, order, limits and long strings.

That it does what compiled rules do is tested in test_compile.py.
"""

from __future__ import annotations

import math

import pytest

from glyphone.fst.rules.cascade import Respelling, Table, cascade
from glyphone.fst.rules.interpreter import Derivation, run
from tests.fst.support import LETTERS


def ways(rules: str | Table | Respelling, text: str, *, limit: int = 1000) -> list[Derivation]:
    return run(cascade(letters=LETTERS, phones=LETTERS, rules=rules), tuple(text), limit=limit)


@pytest.mark.parametrize("direction", ["", "[right-to-left]", "[simultaneous]"])
def test_sites_are_in_the_string_before_the_rule(direction: str) -> None:
    (way,) = ways(f"a b -> c {direction}\nc -> ∅ / _ # {direction}", "abbab")
    assert way.output == ("c", "b")
    assert [fired.sites for fired in way.fired] == [((0, 2), (3, 5)), ((2, 3),)]
    assert [fired.number for fired in way.fired] == [1, 2]
    assert [fired.after for fired in way.fired] == [("c", "b", "c"), ("c", "b")]


def test_an_insertion_has_an_empty_site() -> None:
    (way,) = ways("∅ -> b / a _ #", "aa")
    assert (way.output, way.fired[0].sites) == (("a", "a", "b"), ((2, 2),))


def test_what_did_nothing_did_not_fire() -> None:
    (way,) = ways("a -> b / c _\nb -> c", "ab")
    assert [fired.number for fired in way.fired] == [2]


def test_ways_come_best_first_and_once() -> None:
    found = ways("a -> b <0.75> | c <0.25>\nb -> c <0.75> | b <0.25>", "a")
    assert [way.output for way in found] == [("c",), ("b",)]
    assert math.exp(-found[0].cost) == pytest.approx(13 / 16)  # c at once, and b that became c
    assert [fired.after for fired in found[0].fired] == [("b",), ("c",)]  # the likelier of the two


def test_lists_fire_too() -> None:
    (way,) = ways(Respelling(((("a", "b"), ("c",)),)), "ab")
    assert [fired.sites for fired in way.fired] == [((0, 2),)]
    (way,) = ways(Table(((("a",), ("b",)), (("b", "c"), ("a",)))), "abc")
    assert (way.output, way.fired[0].sites) == (("b", "a"), ((0, 1), (1, 3)))
    assert ways(Table(((("a",), ("b",)),)), "ab") == []


def test_only_letters_go_in_and_only_phones_come_out() -> None:
    grammar = cascade(letters="a b", phones="c", rules="a -> c")
    assert [way.output for way in run(grammar, ("a",))] == [("c",)]
    assert run(grammar, ("b",)) == []
    assert run(grammar, ("c",)) == []
    assert run(grammar, ("ß",)) == []


def test_the_limit_bounds_the_ways() -> None:
    assert len(ways("a -> b [optional]", "a" * 40, limit=10)) == 10


@pytest.mark.parametrize(
    "rules",
    [
        "a -> b / c _\nb -> c / _ a",
        "a -> b / c b* _ ANY* a\nc -> ∅ / _ #",
        "a b+ c -> c [right-to-left]",
        "a -> b / b _ [simultaneous]",
    ],
)
def test_long_strings(rules: str) -> None:
    text = ("abc" * 34_000)[:100_000]
    (way,) = ways(rules, text)
    (short,) = ways(rules, text[:21])
    assert way.output[:4] == short.output[:4]

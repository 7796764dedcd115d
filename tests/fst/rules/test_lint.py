"""Findings about grammars: each kind, its witness checked by brute force, none without cause."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from glyphone.data.errors import RuleError
from glyphone.data.writing import Writing
from glyphone.fst.rules import interpreter, lint
from glyphone.fst.rules.cascade import Cascade, Table, cascade
from tests.fst.support import cascades

pytest.importorskip("pynini", reason="grammars are compiled to be linted")


def messages(found: Cascade) -> list[str]:
    return [finding.message for finding in lint.lint(found, name="X")[0]]


def checked(**options: Any) -> list[str]:
    return messages(cascade(**options))


def outputs(found: Cascade, string: Sequence[str]) -> set[tuple[str, ...]]:
    return {way.output for way in interpreter.run(found, tuple(string))}


def test_a_sound_grammar_has_no_findings_and_a_size() -> None:
    found, size = lint.lint(
        cascade(letters="a b", phones="a c", rules="b -> c / a _\nb -> a"), name="X"
    )
    assert found == []
    assert size.states > 1 and size.arcs > 2


@pytest.mark.parametrize(
    ("rules", "numbers"),
    [
        ("a -> b\na -> c", [2]),
        ("a -> b\nb -> a\na -> c", []),
        ("c -> b", [1]),
        ("a -> c / c _", [1]),
        ("a -> c / _ c", [1]),
        ("a -> c / # _ #", []),
        ("a -> c / _ # b", [1]),
        ("a -> b [optional]\na -> c", []),
        ("a a -> c\na -> b\nb b -> c", []),
        ("∅ -> c / a _ b\na b -> c", [2]),
        ("a -> ∅\nb -> c / _ a", [2]),
        ("a -> b [right-to-left]\na -> c [simultaneous]", [2]),
    ],
)
def test_dead_rules(rules: str, numbers: list[int]) -> None:
    found = checked(letters="a b", phones="a b c", rules=rules, ambiguous=True, partial=True)
    assert [m.split(",")[0] for m in found if "never fire" in m] == [f"rule {n}" for n in numbers]


def test_a_step_that_is_a_table_is_counted_with_the_rules() -> None:
    pairs = tuple(((letter,), (letter,)) for letter in "ab")
    found = checked(letters="a b", phones="a b", rules=[Table(pairs), "a -> b", "a -> b"])
    assert "rule 3, a -> b, can never fire" in found


@pytest.mark.parametrize(
    ("rules", "witness"),
    [
        ("a -> c", "b"),
        ("b -> c", "a"),
        ("a -> c\nb -> c / _ c", "b"),
        ("a -> c\nb -> c / # _\nb -> c / c _ #", "bbc"),
        ("a -> c\nb -> c", None),
    ],
)
def test_holes(rules: str, witness: str | None) -> None:
    found = cascade(letters="a b", phones="c", rules=rules)
    holes = [message for message in messages(found) if "no output" in message]
    shortest = next(
        (w for n in range(5) for w in product("ab", repeat=n) if not outputs(found, w)), None
    )
    assert len(holes) == (witness is not None) == (shortest is not None)
    if shortest is not None:
        (told,) = holes
        string = told.split("'")[1]
        assert len(string) == len(shortest)
        assert not outputs(found, string)
    meant = checked(letters="a b", phones="c", rules=rules, partial=True)
    assert not [message for message in meant if "no output" in message]


def test_the_string_that_shows_a_hole_is_a_shortest_one() -> None:
    told = checked(letters="a b c", phones="a b", rules="{a c b} -> {a b c} / _ #")
    assert told == ["'b' has no output"]


@pytest.mark.parametrize(
    ("rules", "ambiguous"),
    [
        ("a -> b", False),
        ("a -> b | c", True),
        ("a -> b <0.5> | c <0.5>", True),
        ("a -> b [optional]", True),
        ("a -> b | c\nb -> d\nc -> d", False),
        ("a -> b | c\nb -> d\nc -> d d", True),
        ("a -> b | c\n{b c} -> ∅", False),
        ("b -> c c | c\na -> b", True),
        # Different ways may write the same string with a delay that is made good.
        ("a -> c d | c\nd -> ∅", False),
    ],
)
def test_ambiguity(rules: str, ambiguous: bool) -> None:
    found = cascade(letters="a b", phones="a b c d", rules=rules)
    told = [message for message in messages(found) if "two outputs" in message]
    assert len(told) == ambiguous
    for message in told:
        string, one, other = message.split("'")[1::2]
        assert one != other
        made = {" ".join(output) for output in outputs(found, string)}
        made |= {"".join(output) for output in outputs(found, string)}
        assert {one, other} <= made
    allowed = cascade(letters="a b", phones="a b c d", rules=rules, ambiguous=True)
    assert not [message for message in messages(allowed) if "two outputs" in message]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cascades(most_rules=2))
def test_random_grammars_against_brute_force(found: Cascade) -> None:
    try:
        _ = found.steps
    except RuleError:
        assume(False)
    told = messages(found)
    words = [word for n in range(4) for word in product("abc", repeat=n)]
    several = [word for word in words if len(outputs(found, word)) > 1]
    without = [word for word in words if not outputs(found, word)]
    two = [message for message in told if "two outputs" in message]
    if several:
        assert two
    for message in two:
        string, one, other = message.split("'")[1::2]
        made = {"".join(output) for output in outputs(found, string)}
        assert one != other and {one, other} <= made
    hole = [message.split("'")[1] for message in told if "has no output" in message]
    assert bool(hole) >= bool(without)
    if hole and without:
        assert len(hole[0]) == len(without[0])
        assert not outputs(found, hole[0])
    fired = {
        fired.number
        for word in words
        for way in interpreter.run(Cascade(letters=found.letters, phones=found.alphabet,
                                         texts=found.texts), word)
        for fired in way.fired
    }  # fmt: skip
    dead = {int(m.split()[1].rstrip(",")) for m in told if "never fire" in m}
    assert not dead & fired


@pytest.mark.parametrize(
    ("symbol", "writing", "message"),
    [
        ("n\u0303", Writing(), "'ñ' U+006E U+0303 is never seen: with normal form NFC and case"),
        ("ñ", Writing(normal_form="NFD"), "'ñ' U+00F1 is never seen: with normal form NFD"),
        ("A", Writing(case="lower"), "'A' U+0041 is never seen: with normal form NFC and case low"),
        ("a", Writing(case="upper"), "'a' U+0061 is never seen"),
        ("ﬁ", Writing(normal_form="NFKC"), "'ﬁ' U+FB01 is never seen"),
        ("\u0340", Writing(), "U+0340 is never seen"),
    ],
)
def test_symbols_that_their_writing_never_shows(
    symbol: str, writing: Writing, message: str
) -> None:
    told = checked(letters=[symbol], phones=[symbol], rules="", source=writing)
    assert [m for m in told if message.replace("ñ", symbol) in m]
    plain = Writing(normal_form="none")
    kept = checked(letters=[symbol], phones=[symbol], rules="", source=plain, target=plain)
    assert kept == []
    told = checked(letters=[symbol], phones=[symbol], rules="", source=plain, target=writing)
    assert any(m.startswith("the phone ") for m in told)


def test_symbols_that_nothing_uses() -> None:
    found, _ = lint.lint(
        cascade(letters="a", phones="a x", marks="m n", rules="a -> n\nn -> a"), name="X"
    )
    assert [finding.message for finding in found] == [
        "the mark 'm' U+006D is in no rule",
        "'x' is declared as a phone, but no string gives it",
    ]
    assert [finding.symbol for finding in found] == ["m", "x"]


def test_an_inverted_grammar_is_linted_from_phones_to_letters() -> None:
    merged = cascade(letters="a b", phones="c", rules="{a b} -> c")
    assert messages(merged) == []
    assert "'c' has two outputs, 'a' and 'b'" in messages(merged.inverse()) or (
        "'c' has two outputs, 'b' and 'a'" in messages(merged.inverse())
    )
    assert messages(merged.inverse(ambiguous=True)) == []
    narrow = cascade(letters="a", phones="c d", rules="a -> c").inverse()
    assert "'d' has no output" in messages(narrow)


def test_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"letters": "a b", "phones": "b", "rules": "a -> b"}
    monkeypatch.setattr(lint, "ARC_BUDGET", 1)
    assert "a stage of 1 states and 2 arcs" in checked(**options)
    monkeypatch.setattr(lint, "SQUARE_BUDGET", 1)
    assert any("too large to decide" in message for message in checked(**options))


def test_findings_name_the_rule_and_the_remedy() -> None:
    (finding,) = lint.lint(
        cascade(letters="a b", phones="a b", rules="a  ->  a / # _ # a ; never"), name="X"
    )[0]
    assert finding.rule is not None and finding.rule.note == "never"
    assert str(finding) == (
        "X: rule 1, a -> a / # _ # a, can never fire (remove it, or look at the rules before it)"
    )

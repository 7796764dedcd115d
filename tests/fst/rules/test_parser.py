"""The notation of rules: what it reads, and what it says about what it cannot read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import RuleError
from glyphone.fst.rules.expressions import Chain, Choice, Edge, Repeat, Symbol, finite_strings
from glyphone.fst.rules.parser import Notation, Rewrite, Rule

OPERATORS = "|()*+?{},#∅/_-=<>[];\\ "


def read(text: str, symbols: str = "a b c") -> Rule:
    (rule,) = Notation(symbols.split()).read(text)
    return rule


def outputs(rule: Rule) -> list[tuple[str, ...]]:
    return [pair.output for pair in rule.pairs]


def test_a_rule_has_pairs_and_contexts() -> None:
    rule = read("a -> b / # c* _ (a | b+) ; because")
    assert rule.pairs == (Rewrite(Symbol("a"), ("b",)),)
    assert rule.left == Chain((Edge(), Repeat(Symbol("c"), 0, True)))
    assert rule.right == Choice((Symbol("a"), Repeat(Symbol("b"), 1, True)))
    assert (rule.note, rule.line, rule.text) == ("because", 1, "a -> b / # c* _ (a | b+)")


@pytest.mark.parametrize("symbol", [*OPERATORS, "->", "(x", "-a", "t_h", "A", "aa"])
def test_every_symbol_can_be_written(symbol: str) -> None:
    escaped = "\\" + symbol
    (rule,) = Notation([symbol, "a", "b"]).read(f"a {escaped} -> {escaped} / {escaped} _ ; a note")
    assert finite_strings(rule.pairs[0].found) == [("a", symbol)]
    assert rule.pairs[0].output == (symbol,)
    assert rule.left == Symbol(symbol)
    assert rule.note == "a note"


def test_an_escaped_space_can_stand_at_the_end() -> None:
    (rule,) = Notation(["a", " "]).read("a -> \\ ")
    assert rule.pairs[0].output == (" ",)


def test_text_is_cut_by_the_longest_symbol_and_by_spaces() -> None:
    notation = Notation(["a", "b", "ab"])
    (whole, apart) = notation.read("ab -> a\na b -> ab")
    assert finite_strings(whole.pairs[0].found) == [("ab",)]
    assert finite_strings(apart.pairs[0].found) == [("a", "b")]
    assert outputs(apart) == [("ab",)]


def test_names_are_remembered_and_sets_subtracted() -> None:
    notation = Notation(["a", "b", "c"])
    assert notation.read("V = {a b c}\nW = V - {b}") == []
    (rule,) = notation.read("W -> b W")
    assert finite_strings(rule.pairs[0].found) == [("a",)]
    assert outputs(rule) == [("b", "a"), ("b", "c")]


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ("{a b c}", "a b c"),
        ("{a b, c}", "ab c"),
        ("{a {b c}}", "a b c"),
        ("{{a b, c}, a}", "ab c a"),
        ("{a (b | c)}", "a b c"),
    ],
)
def test_sets_are_flattened(text: str, members: str) -> None:
    found = [finite_strings(pair.found) for pair in read(f"{text} -> ∅").pairs]
    assert [string for group in found for string in group or ()] == [
        tuple(member) for member in members.split()
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a -> b | c", [("b", 0.5), ("c", 0.5)]),
        ("a -> b <0.7> | c <0.3>", [("b", 0.7), ("c", 0.3)]),
        ("{a b} -> {b c}", [("b", 1.0), ("c", 1.0)]),
    ],
)
def test_alternatives_and_sets_on_the_right(text: str, expected: list[tuple[str, float]]) -> None:
    pairs = read(text).pairs
    assert [("".join(pair.output), pair.probability) for pair in pairs] == expected


@pytest.mark.parametrize(
    ("text", "message", "remedy"),
    [
        ("a b c", "one arrow", "found -> output / left _ right"),
        ("a -> b -> c", "one arrow", "found -> output / left _ right"),
        ("a / b -> c", "behind one slash", "/ left _ right"),
        ("a -> b / c / _", "behind one slash", "/ left _ right"),
        ("a -> b /", "one place", "/ left _ right"),
        ("a -> b / c", "one place", "/ left _ right"),
        ("a -> b / _ _", "one place", "/ left _ right"),
        ("# a -> b", "# belongs into the context", "/ # _"),
        ("a* -> b", "may be empty or not", "insertion"),
        ("a -> b*", "an output is one string", "a | b"),
        ("a -> b | c+", "an alternative is one string", "a | b"),
        ("a -> b <0.5> | c <0.6>", "sum to 1.1", "sum to 1"),
        ("a -> b <0.5> | c", "without a number", "<0.3>"),
        ("a -> b <x> | c <0.5>", "<x> is no probability", "<0.3>"),
        ("a -> b <nan> | c <0.5>", "<nan> is no probability", "<0.3>"),
        ("a -> b <-1> | c <2>", "<-1> is no probability", "<0.3>"),
        ("a+ -> {a b}", "of the same size", "a rule for each"),
        ("{a b} -> {a b c}", "2 strings on the left, 3 on the right", "one by one"),
        ("{a b} -> {}", "2 strings on the left, 0 on the right", "∅"),
        ("a) -> b", ") is out of place", "backslash"),
        ("a -> * b", "* is out of place", "backslash"),
        ("a -> b / _ _ | c", "one place", "/ left _ right"),
        ("(a -> b", "parenthesis is not closed", "backslash"),
        ("{a {b} -> b", "brace is not closed", "backslash"),
        ("{a a} -> b", "a member twice", "commas"),
        ("- a -> b", "- has nothing on its left", "backslash"),
        ("a* - a -> b", "- stands between sets", "braces"),
        ("a - -> b", "something is missing", "∅"),
        ("a -> b [sometimes]", "[sometimes] is no option", "[optional]"),
        ("a -> b [simultaneous] [right-to-left]", "one direction", "keep one"),
        ("VOWEL -> a", "no name named 'VOWEL'", "did you mean VOWELS?"),
        ("ñ -> a", "'ñ' U+00F1 is not in the alphabet", "declare it"),
        ("a -> \\(", "'(' U+0028 is not in the alphabet", "declare it"),
        ("a = {b}", "= is out of place", "backslash"),
        ("C = b", "C is both a symbol and a name", "another name"),
    ],
)
def test_errors_name_line_symbol_and_remedy(text: str, message: str, remedy: str) -> None:
    notation = Notation(["a", "b", "c", "C"])
    if text == "a = {b}":
        text += " -> a"
    with pytest.raises(RuleError) as caught:
        notation.read(f"VOWELS = {{a b}}\n\n{text}", first_line=8)
    shown = str(caught.value)
    assert shown.startswith("line 10: ")
    assert message in shown
    assert repr(text) in shown
    assert shown.endswith(")")
    assert remedy in shown.rpartition(" (")[2] or remedy in (caught.value.remedy or "")


@pytest.mark.parametrize(
    ("text", "message", "remedy"),
    [
        ("{a eu ou}", "'eu' in a set without commas", "write e u for members"),
        ("{a eu ou}", "'eu' in a set without commas", "each, {a, eu, ou} for strings"),
        ("{haus}", "'haus' in a set without commas", "write h a u s .* haus without braces"),
        ("a | {{b eu} o}", "'eu' in a set without commas", "{b, eu}"),
        ("{\\{e u}", "in a set without commas", r"write \\{ e for members"),
        ("{a?b c}", r"'a\?b' in a set without commas", r"write a\? b for members"),
        ("{aV b}", "'aV' in a set without commas", "write a V for members"),
        (
            "{a o u, ei}",
            "'a o' in a set with commas is a string, like 'ei'",
            "write e i with blanks",
        ),
        (
            "{ei, b, a o u}",
            "'a o' in a set with commas is a string, like 'ei'",
            "part all .* commas",
        ),
    ],
)
def test_a_set_that_looks_like_another_is_refused(text: str, message: str, remedy: str) -> None:
    notation = Notation([*"abceghiousü{", "ch"], {"V": Symbol("a")})
    for line in (f"{text} -> g", f"g -> b / _ {text}", f"W = {text}"):
        with pytest.raises(RuleError, match=message) as caught:
            notation.read(f"\n{line}", first_line=4)
        assert caught.value.line == 5
        assert re.search(remedy, caught.value.remedy or "")


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ("{g u, g ü}", ["gu", "gü"]),
        ("{gu, gü, ei}", ["gu", "gü", "ei"]),
        ("{g u, g, ch}", ["gu", "g", "ch"]),
        ("{ch a b}", ["ch", "a", "b"]),
        ("{V c, ei}", ["ac", "ei"]),
        ("{c (e | i), ou}", ["ce", "ci", "ou"]),
        ("{a (ei | ou)}", ["a", "ei", "ou"]),
        ("{\\  a}", [" ", "a"]),
    ],
)
def test_a_set_that_looks_like_what_it_is_is_read(text: str, members: list[str]) -> None:
    notation = Notation([*"abceghiousü ", "ch"], {"V": Symbol("a")})
    found = finite_strings(notation.parse_whole(notation.split_lexemes(text))) or []
    assert ["".join(string) for string in found] == members


@settings(deadline=None, max_examples=150)
@given(st.text(st.sampled_from("abV" + OPERATORS), max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    notation = Notation("ab", {"V": Choice((Symbol("a"), Symbol("b")))})
    try:
        rules = notation.read(text)
    except RuleError:
        return
    for rule in rules:
        assert {s for pair in rule.pairs for s in pair.output} <= {"a", "b"}

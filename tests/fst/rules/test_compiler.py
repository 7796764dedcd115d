"""Cascades as transducers: the same relation as the interpreter's, in one machine or several."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from glyphone.fst import backend
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.rules.cascade import Cascade, Respelling, Table, cascade
from glyphone.fst.rules.compiler import compile_cascade
from glyphone.fst.rules.expressions import finite_strings
from glyphone.fst.rules.interpreter import run
from tests.fst.support import LETTERS, cascade_paths, cascades, mass, words

pytest.importorskip("pynini")
EVERYTHING = {"deadline": None, "suppress_health_check": list(HealthCheck)}


def compiled(stages: list[Transducer], string: tuple[str, ...]) -> dict[tuple[str, ...], float]:
    """Outputs with what all their paths weigh together, by walking every path."""
    first, last = stages[0].isymbols, stages[-1].osymbols
    assert first is not None
    assert last is not None
    costs: dict[tuple[str, ...], list[float]] = {}
    for output, cost in cascade_paths(stages, tuple(first.label(symbol) or 0 for symbol in string)):
        costs.setdefault(tuple(last.symbol(label) or "" for label in output), []).append(cost)
    return {output: mass(found) for output, found in costs.items()}


def interpreted(grammar: Cascade, string: tuple[str, ...]) -> dict[tuple[str, ...], float]:
    return {way.output: way.cost for way in run(grammar, string, limit=10**6)}


def counts_ways(grammar: Cascade) -> bool:
    """Whether masses are probabilities: no rule can cut a string in several ways."""
    if not grammar.is_weighted:
        return False
    for rule in grammar.rules():
        lists = [finite_strings(pair.found) for pair in rule.pairs]
        if None in lists or len({len(string) for row in lists for string in row or ()}) > 1:
            return False
    return True


Outputs = dict[tuple[str, ...], float]


def check_outputs(grammar: Cascade, found: Outputs, expected: Outputs) -> None:
    if not counts_ways(grammar):  # then the number of paths to an output says nothing
        found, expected = dict.fromkeys(found, 0.0), dict.fromkeys(expected, 0.0)
    assert found == pytest.approx(expected, abs=1e-5)


def check(grammar: Cascade, texts: list[tuple[str, ...]]) -> None:
    stages = compile_cascade(grammar)
    for string in texts:
        check_outputs(grammar, compiled(stages, string), interpreted(grammar, string))


@settings(max_examples=150, **EVERYTHING)
@given(cascades(), st.lists(words, min_size=5, max_size=5))
def test_compiled_and_interpreted_rules_agree(
    grammar: Cascade, strings: list[tuple[str, ...]]
) -> None:
    check(grammar, [(), *strings])


@pytest.mark.parametrize(
    "rule",
    [
        "∅ -> b / # _ #",
        "∅ -> b",
        "∅ -> b [optional]",
        "∅ -> b | c / a _ a [right-to-left]",
        "∅ -> b <0.75> | ∅ <0.25> / _ #?",
        "∅ -> b <0.75> | ∅ <0.25> / (# | a*) _",
        "a -> b / _ # #",
        "a -> b / # # _",
        "a -> b / # a* _",
        "a -> b / (# | b) _",
        "a -> b / b _ [right-to-left]",
        "a -> b / b _ [simultaneous]",
        "a -> b / _ b [right-to-left]",
        "a -> b a / a _",
        "a a -> b",
        "(a | a a) -> b",
        "a+ -> b / _ c",
        "a+ -> b [right-to-left]",
        "a -> ∅ / a _",
        "a -> ∅ / a _ [simultaneous]",
        "a -> b <0.25> | ∅ <0.75>",
        "{a b} -> {b a}",
        "a b -> c / _ #\n∅ -> a / c _ #",
        "a -> b / # _ (b* c)* #",
    ],
)
def test_corners_of_the_rules(rule: str) -> None:
    strings = [(), ("a",), *(tuple(text) for text in "aa aaa ab aba aac bab aabc baaab".split())]
    check(cascade(letters=LETTERS, phones=LETTERS, rules=rule), strings)


def test_lists_compile_like_they_run() -> None:
    lists = (
        Respelling(((("a", "b"), ("c",)), (("c",), ()))),
        Table(((("a",), ("b",)), (("a", "a"), ("c",)), (("c",), ()))),
    )
    strings = [(), ("a", "b"), ("c",), ("a", "a"), ("a", "a", "a"), ("a", "b", "a")]
    check(cascade(letters=LETTERS, phones=LETTERS, rules=lists), strings)


@settings(max_examples=25, **EVERYTHING)
@given(cascades(), words)
@example(cascade(letters="a b", phones="b", rules="a -> b"), ("a", "b"))
def test_a_cascade_in_pieces_is_the_same_relation(
    grammar: Cascade, string: tuple[str, ...]
) -> None:
    whole, pieces = compile_cascade(grammar), compile_cascade(grammar, arc_budget=0)
    assert len(whole) == 1
    check_outputs(grammar, compiled(pieces, string), compiled(whole, string))


def test_the_budget_keeps_a_cascade_in_pieces() -> None:
    grammar = cascade(letters=LETTERS, phones=LETTERS, rules="a -> b / c _\nb -> c / a _")
    pieces = compile_cascade(grammar, arc_budget=0)
    assert len(pieces) > 1
    inverted = compile_cascade(grammar.inverse(), arc_budget=0)
    assert [piece.invert().equals(other) for piece, other in zip(pieces, inverted[::-1])]  # noqa: B905


def test_input_and_output_hold_declared_symbols_only() -> None:
    (machine,) = compile_cascade(cascade(letters="a b", phones="c", rules="a -> c"))
    assert machine.isymbols is not None
    assert machine.osymbols is not None
    assert machine.isymbols.symbols[1:] == ("a", "b")
    assert machine.osymbols.symbols[1:] == ("c",)
    assert compiled([machine], ("a", "a")) == {("c", "c"): 0.0}
    assert compiled([machine], ("b",)) == {}


def test_the_first_phone_of_a_group_comes_from_its_first_letter() -> None:
    (machine,) = compile_cascade(cascade(letters="c h", phones="k", rules="c h -> k"))
    assert any(
        machine.ilabels[arc] == 1 and machine.olabels[arc] != 0 for arc in range(machine.n_arcs)
    )


def test_an_alphabet_may_be_large_but_not_without_end() -> None:
    symbols = [chr(0x4E00 + number) for number in range(20_000)]
    (machine,) = compile_cascade(cascade(letters=symbols, phones=symbols, rules=""))
    assert machine.n_arcs == 20_000


def test_a_machine_returns_from_pynini() -> None:
    (machine,) = compile_cascade(cascade(letters="a b", phones="b", rules="a -> b / # _"))
    again = backend.to_transducer(
        backend.from_transducer(machine), isymbols=machine.isymbols, osymbols=machine.osymbols
    )
    assert again.equals(machine)

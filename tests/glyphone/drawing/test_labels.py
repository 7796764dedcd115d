"""The labels of edges: symbols that can be read, weights, and long lists cut."""

from __future__ import annotations

import pytest

from glyphone.drawing.graphs import graph_of_machine
from glyphone.drawing.labels import edge_label, symbol_text, weight_text
from glyphone.drawing.svg import to_svg
from glyphone.fst.automata.transducer import SymbolTable, Transducer


@pytest.mark.parametrize(
    ("symbol", "shown"),
    [
        ("", "ε"),
        ("ε", "'ε'"),
        (" ", "␣"),
        ("\u0301", "◌\u0301"),
        ("\u093e", "◌\u093e"),
        ("\t", "U+0009"),
        ("\u00a0", "U+00A0"),
        ("\u200d", "U+200D"),
        ("ب", "\u200eب\u200e"),
        ("t͡ʃ", "t͡ʃ"),
        ("한", "한"),
    ],
)
def test_symbols_can_be_read(symbol: str, shown: str) -> None:
    assert symbol_text(symbol) == shown


def test_weights_have_three_digits() -> None:
    shown = [weight_text(weight) for weight in (0.0, 0.693147, -2.0, 999.7, 123456.7, 1e9)]
    assert shown == ["", "0.693", "-2", "1000", "123457", "1e+09"]


def test_long_labels_are_cut_and_counted_but_told_in_full() -> None:
    letters = [chr(code) for code in range(0x3B1, 0x3B1 + 24) if code != 0x3B5]
    assert edge_label([(letter, letter, 0.0) for letter in letters]) == ("α β γ δ ζ η θ ι … (23)",)
    lines = edge_label([(letter, "x", 1.5) for letter in letters])
    assert len(lines) == 4
    assert lines[-1].endswith("… (23)")
    table = SymbolTable.of(letters)
    labels = list(range(1, 24))
    many = Transducer.from_arcs(
        0, [0.0], [0] * 23, labels, labels, [0.0] * 23, [0] * 23, table, table
    )
    (edge,) = graph_of_machine(many).edges
    assert len(edge.arcs) == 23
    assert ", ".join(edge.arcs) in to_svg(graph_of_machine(many))


def test_labels_without_symbol_tables_are_bytes_or_code_points() -> None:
    def shown(*labels: int) -> tuple[str, ...]:
        zeros = [0] * len(labels)
        bare = Transducer.from_arcs(0, [0.0], zeros, labels, labels, zeros, zeros)
        return graph_of_machine(bare).edges[0].arcs

    assert shown(97, 0xC3) == ("a", "\\xc3")
    assert shown(97, 0xC3, 0x14B) == ("a", "Ã", "ŋ")
    assert shown(97, 0x110000) == ("a", "#1114112")

"""AT&T text: round trips, OpenFst's compiler and printer, and refusals with path and line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from glyphone.data.errors import FormatError
from glyphone.fst.automata.att import (
    format_text,
    parse_text,
    read_symbols,
    read_text,
    write_symbols,
    write_text,
)
from glyphone.fst.automata.openfst import from_bytes, to_bytes
from glyphone.fst.automata.transducer import SymbolTable, Transducer

# Spaces and line separators of Unicode are symbols like any other.
TABLE = SymbolTable.of(["a", " ", "ñ", "\u2028", "\x85", "\u00a0", "7"], name="letters")


@st.composite
def machines(draw: st.DrawFn) -> Transducer:
    n_states = draw(st.integers(1, 5))
    states, labels = st.integers(0, n_states - 1), st.integers(0, 7)
    weights = st.floats(min_value=-(2.0**100), allow_nan=False, width=32) | st.just(0.0)
    arcs = draw(st.lists(st.tuples(states, labels, labels, weights, states), max_size=8))
    columns: list[Any] = [list(column) for column in zip(*arcs, strict=True)] or [[]] * 5
    finals = draw(st.lists(weights, min_size=n_states, max_size=n_states))
    tables = [draw(st.sampled_from([None, TABLE])) for _ in range(2)]
    return Transducer.from_arcs(draw(states), finals, *columns, *tables)


def compiled(pywrapfst: Any, text: str, **options: Any) -> Transducer:
    compiler = pywrapfst.Compiler(keep_state_numbering=True, **options)
    compiler.write(text)
    return from_bytes(compiler.compile().write_to_string())


@given(machines())
@example(Transducer.from_arcs(0, [np.finfo(np.float32).max], [], [], [], [], []))
def test_round_trip(machine: Transducer) -> None:
    lines = format_text(machine)
    tables: dict[str, Any] = {"isymbols": machine.isymbols, "osymbols": machine.osymbols}
    assert parse_text(lines, **tables).equals(machine)


@given(machines())
@settings(deadline=None)
def test_openfst_compiles_and_prints_the_same(machine: Transducer) -> None:
    pywrapfst = pytest.importorskip("pywrapfst")
    # OpenFst prints 6 digits.
    finals, weights = (
        np.where(np.isinf(column), column, np.clip(np.round(column), -999, 999))
        for column in (machine.finals, machine.weights)
    )
    numbers = Transducer.from_arcs(
        machine.start,
        finals,
        machine.sources(),
        machine.ilabels,
        machine.olabels,
        weights,
        machine.targets,
    )
    text = "".join(line + "\n" for line in format_text(numbers))
    assert compiled(pywrapfst, text).equals(numbers)
    printed = pywrapfst.Fst.read_from_string(to_bytes(numbers)).print()
    assert parse_text(printed.split("\n")).equals(numbers)


def test_symbols_as_openfst_prints_them(tmp_path: Path) -> None:
    pywrapfst = pytest.importorskip("pywrapfst")
    table = SymbolTable.of(["a", "ñ", "𐌰"])
    machine = Transducer.from_arcs(
        1, [0.5, np.inf], [1, 1], [1, 3], [2, 0], [0.0, 1e-7], [0, 0], table, table
    )
    path = tmp_path / "letters.syms"
    write_symbols(table, path)
    symbols = pywrapfst.SymbolTable.read_text(path)
    assert [(label, symbol) for label, symbol in symbols] == list(enumerate(table.symbols))
    symbols.write_text(path)
    assert read_symbols(path).equals(table)
    text = "".join(line + "\n" for line in format_text(machine))
    printed = pywrapfst.Fst.read_from_string(to_bytes(machine)).print(symbols, symbols)
    assert printed == text
    options = {"isymbols": symbols, "osymbols": symbols, "keep_isymbols": True}
    again = compiled(pywrapfst, text, keep_osymbols=True, **options)
    assert list(format_text(again)) == list(format_text(machine))


def test_files(tmp_path: Path) -> None:
    machine = parse_text(["3 0 a ñ", "0"], isymbols=TABLE, osymbols=TABLE)
    write_text(machine, tmp_path / "machine.txt")
    assert (tmp_path / "machine.txt").read_bytes() == "1\t0\ta\tñ\n0\n".encode()
    again = read_text(tmp_path / "machine.txt", isymbols=TABLE, osymbols=TABLE)
    assert again.equals(machine)
    crlf = (tmp_path / "machine.txt").read_bytes().replace(b"\n", b"\r\n")
    (tmp_path / "dos.txt").write_bytes(crlf)
    assert read_text(tmp_path / "dos.txt", isymbols=TABLE, osymbols=TABLE).equals(machine)


def test_what_is_left_out() -> None:
    machine = parse_text(["", "30 10 1 2", "", "10 20 3 4 0.5", "20 Infinity", "10 -1"])
    assert machine.start == 2
    assert machine.finals.tolist() == [-1.0, np.inf, np.inf]
    assert machine.targets.tolist() == [1, 0]
    assert machine.weights.tolist() == [0.5, 0.0]
    empty = parse_text([])
    assert (empty.start, empty.n_states, list(format_text(empty))) == (-1, 0, [])


def test_refusals_name_path_and_line(tmp_path: Path) -> None:
    path = tmp_path / "machine.txt"
    for text, message in [
        (b"0 1 a b\n1\n2 3 a\n", "line 3: 3 columns, expected 4 or 5"),
        (b"0 1 a b 0.5 x\n", "line 1: 6 columns"),
        (b"0 1 a b\none 0.5\n", "line 2: 'one', expected a number from 0 to 2147483647"),
        (b"0 -1 a b\n", "line 1: '-1', expected a number"),
        (b"0 99999999999 a b\n", "line 1: '99999999999', expected a number"),
        ("0 \u0661 a b\n".encode(), "line 1: '\u0661', expected a number"),
        (b"0 1 a b\n1 heavy\n", "line 2: 'heavy', expected a weight"),
        (b"0 1 a b nan\n", "line 1: 'nan', expected a weight"),
        (b"0 1 a b -inf\n", "line 1: '-inf', expected a weight"),
        (b"0 1 a b 1e39\n", "line 1: '1e39', expected a weight"),
        ("0 1 a é\n".encode(), r"line 1: 'é' U\+00E9 has no label in the symbol table"),
        (b"0 1 a 7\n0 1 a \xff\n", "line 2: at 14: byte 0xff is not UTF-8"),
        (b"0\n0\n", "line 2: state 0 is made final twice"),
        (b"0" * 5000, "line 1: '000"),
    ]:
        path.write_bytes(text.replace(b" b", b" 7"))
        with pytest.raises(FormatError, match=message) as caught:
            read_text(path, isymbols=TABLE, osymbols=TABLE)
        assert str(caught.value).startswith(f"{path}: line ")


def test_what_text_cannot_hold(tmp_path: Path) -> None:
    for symbol in ("", "\t", "a\nb", "\r"):
        table = SymbolTable.of([symbol])
        machine = Transducer.from_arcs(0, [0.0], [0], [1], [1], [0.0], [0], table, table)
        with pytest.raises(FormatError, match="cannot stand in AT&T text"):
            write_text(machine, tmp_path / "machine.txt")
    unnamed = Transducer.from_arcs(0, [0.0], [0], [9], [1], [0.0], [0], TABLE, TABLE)
    with pytest.raises(FormatError, match="label 9 has no symbol in the table 'letters'"):
        write_text(unnamed, tmp_path / "machine.txt")
    assert list(tmp_path.iterdir()) == []


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), unique=True))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_symbol_tables_round_trip(tmp_path: Path, symbols: list[str]) -> None:
    table = SymbolTable("", tuple(symbols), tuple(range(-1, len(symbols) - 1)))
    path = tmp_path / "letters.syms"
    if any("\n" in symbol for symbol in symbols):
        with pytest.raises(FormatError, match="cannot stand"):
            write_symbols(table, path)
    else:
        write_symbols(table, path)
        assert read_symbols(path).equals(table)


def test_symbol_table_refusals(tmp_path: Path) -> None:
    path = tmp_path / "letters.syms"
    for text, message in [
        (b"a\t1\nb\n", "line 2: 'b', expected a symbol, a tab and a number"),
        (b"a\tone\n", "line 1: .*expected a symbol"),
        (b"\t1\n", "line 1: .*expected a symbol"),
        (b"a\t1\nb 2\na\t3\n", r"line 3: 'a' U\+0061 stands twice"),
        (b"a\t1\n\xff\t2\n", "line 2: at 4: byte 0xff is not UTF-8"),
    ]:
        path.write_bytes(text)
        with pytest.raises(FormatError, match=message) as caught:
            read_symbols(path)
        assert str(caught.value).startswith(f"{path}: line ")


@given(st.text(alphabet="0123456789ab -.einfnity\t\r\n\u2028", max_size=60))
def test_any_text_loads_or_is_refused(text: str) -> None:
    try:
        machine = parse_text(text.split("\n"))
    except FormatError:
        return
    assert parse_text(format_text(machine)).equals(machine)

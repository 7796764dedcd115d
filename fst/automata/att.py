"""AT&T text: a transducer as lines that people can read and that fstcompile and fstprint know.

An arc is ``source target input output [weight]``, a final state ``state [weight]``; the first
line's state is the start, and a weight that is left out is 0. Columns are divided by tabs if the
line has any (symbols may then hold spaces), else by spaces. Labels are numbers, or symbols of the
tables given. States keep the order of their numbers, and gaps between the numbers are closed.

>>> letters = SymbolTable.of(["a", "b"])
>>> machine = parse_text(["0 1 a b 0.5", "1"], isymbols=letters, osymbols=letters)
>>> machine.ilabels.tolist(), machine.finals.tolist()
([1], [inf, 0.0])
>>> list(format_text(machine))
['0\\t1\\ta\\tb\\t0.5', '1']
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from glyphone.data.errors import FormatError
from glyphone.fst.automata.transducer import SymbolTable, Transducer
from glyphone.fst.storage.binary import encode_text, replace_file

TextPath = str | os.PathLike[str]

_NUMBER = re.compile(r"[0-9]{1,10}")
_LABEL = re.compile(r"-?[0-9]{1,18}")
_LARGEST_NUMBER = 2**31 - 1
# From here on, half a unit above the largest float32, numbers would be rounded to infinity.
_TOO_LARGE = 2.0**128 - 2.0**103


def read_text(
    path: TextPath, *, isymbols: SymbolTable | None = None, osymbols: SymbolTable | None = None
) -> Transducer:
    """The machine in a text file; the tables become the machine's own."""
    lines = _read_lines(path)
    return parse_text(lines, isymbols=isymbols, osymbols=osymbols, where=os.fspath(path))


def parse_text(
    lines: Iterable[str],
    *,
    isymbols: SymbolTable | None = None,
    osymbols: SymbolTable | None = None,
    where: str = "<text>",
) -> Transducer:
    """The machine in lines of text; ``where`` names them in errors."""
    ilabel, olabel = _label_parser(isymbols), _label_parser(osymbols)
    arcs: list[tuple[int, int, int, int, float]] = []
    finals: dict[int, float] = {}
    start: int | None = None
    for number, line in enumerate(lines, 1):
        columns = _split_columns(line)
        try:
            match columns:
                case []:
                    continue
                case [state, *rest] if len(rest) <= 1:
                    if _parse_number(state) in finals:
                        raise FormatError(f"state {state} is made final twice")
                    finals[_parse_number(state)] = _parse_weight(rest)
                case [source, target, symbol_in, symbol_out, *rest] if len(rest) <= 1:
                    labels = (ilabel(symbol_in), olabel(symbol_out))
                    arcs.append(
                        (_parse_number(source), _parse_number(target), *labels, _parse_weight(rest))
                    )
                case _:
                    raise FormatError(
                        f"{len(columns)} columns, expected 4 or 5 for an arc or 1 or 2 for a "
                        "final state",
                        remedy="the label of an acceptor's arc stands twice",
                    )
        except FormatError as error:
            error.path, error.line = where, number
            raise
        start = _parse_number(columns[0]) if start is None else start
    sources, targets, ilabels, olabels, weights = zip(*arcs, strict=True) if arcs else [()] * 5
    states = sorted({*sources, *targets, *finals})
    rank = {state: place for place, state in enumerate(states)}
    return Transducer.from_arcs(
        -1 if start is None else rank[start],
        [finals.get(state, math.inf) for state in states],
        [rank[state] for state in sources],
        ilabels,
        olabels,
        weights,
        [rank[state] for state in targets],
        isymbols,
        osymbols,
    )


def write_text(machine: Transducer, path: TextPath) -> None:
    """Write the machine, with symbols on each side that has a table and numbers on the other."""
    replace_file(path, (encode_text(line + "\n") for line in format_text(machine)))


def format_text(machine: Transducer) -> Iterator[str]:
    """The lines of the machine, the start state's first."""
    isymbol, osymbol = _symbol_namer(machine.isymbols), _symbol_namer(machine.osymbols)
    start = machine.start
    states = range(machine.n_states)
    order = states if start < 1 else [start, *states[:start], *states[start + 1 :]]
    for state in order:
        begin, end = machine.offsets[state], machine.offsets[state + 1]
        for arc in range(begin, end):
            labels = (isymbol(int(machine.ilabels[arc])), osymbol(int(machine.olabels[arc])))
            columns = (str(state), str(machine.targets[arc]), *labels)
            yield "\t".join((*columns, *_cost_columns(machine.weights[arc])))
        # A state without arcs that is not final stands there too, or it would be lost.
        if begin == end or machine.finals[state] != math.inf:
            yield "\t".join((str(state), *_cost_columns(machine.finals[state])))


def read_symbols(path: TextPath, *, name: str = "") -> SymbolTable:
    """A symbol table from lines of ``symbol<TAB>number``."""
    labels: dict[str, int] = {}
    for number, line in enumerate(_read_lines(path), 1):
        line = line.rstrip("\r ")
        if not line:
            continue
        symbol, _, label = line.rpartition("\t" if "\t" in line else " ")
        if "\t" not in line:
            symbol = symbol.rstrip(" ")
        if not symbol or not _LABEL.fullmatch(label):
            message = f"{line[:60]!r}, expected a symbol, a tab and a number"
            raise FormatError(message, path=path, line=number)
        if symbol in labels:
            raise FormatError("stands twice in the table", symbol=symbol, path=path, line=number)
        labels[symbol] = int(label)
    return SymbolTable(name, tuple(labels), tuple(labels.values()))


def write_symbols(table: SymbolTable, path: TextPath) -> None:
    """Write lines of ``symbol<TAB>number``; the name of the table has no place in them."""
    for symbol in table.symbols:
        if not symbol or "\n" in symbol:
            raise _unwritable_symbol(symbol)
    pairs = zip(table.symbols, table.labels, strict=True)
    replace_file(path, (encode_text(f"{symbol}\t{label}\n") for symbol, label in pairs))


def _read_lines(path: TextPath) -> list[str]:
    data = Path(path).read_bytes()
    try:
        # str.splitlines would also divide at U+2028 and its like, which may be symbols.
        return data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte {data[error.start]:#04x} is not UTF-8"
        raise FormatError(message, path=path, line=line, offset=error.start) from None


def _split_columns(line: str) -> list[str]:
    line = line.rstrip("\r\n")
    return [column for column in line.split("\t" if "\t" in line else " ") if column]


def _parse_number(text: str) -> int:
    if not _NUMBER.fullmatch(text) or int(text) > _LARGEST_NUMBER:
        raise FormatError(f"{text[:60]!r}, expected a number from 0 to {_LARGEST_NUMBER}")
    return int(text)


def _parse_weight(columns: list[str]) -> float:
    text = columns[0] if columns else "0"
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if math.isnan(weight) or (weight != math.inf and abs(weight) >= _TOO_LARGE):
        raise FormatError(f"{text[:60]!r}, expected a weight: a 32-bit number or Infinity")
    return weight


def _label_parser(table: SymbolTable | None) -> Callable[[str], int]:
    if table is None:
        return _parse_number

    def label(symbol: str) -> int:
        found = table.label(symbol)
        if found is None or not 0 <= found <= _LARGEST_NUMBER:
            raise FormatError("has no label in the symbol table", symbol=symbol)
        return found

    return label


def _symbol_namer(table: SymbolTable | None) -> Callable[[int], str]:
    if table is None:
        return str

    def name(label: int) -> str:
        symbol = table.symbol(label)
        if symbol is None:
            raise FormatError(f"label {label} has no symbol in the table {table.name[:60]!r}")
        if not symbol or any(separator in symbol for separator in "\t\n\r"):
            raise _unwritable_symbol(symbol)
        return symbol

    return name


def _unwritable_symbol(symbol: str) -> FormatError:
    remedy = "write the binary form, or remove the table to write numbers"
    return FormatError("cannot stand in AT&T text", symbol=symbol, remedy=remedy)


def _cost_columns(weight: np.float32) -> tuple[str, ...]:
    if weight == 0:
        return ()
    return ("Infinity",) if weight == math.inf else (str(weight),)

"""Machines with symbols, at random and by hand, and the same as OpenFst has them."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from hypothesis import strategies as st

from glyphone.fst.automata.openfst import FstType
from glyphone.fst.automata.transducer import SymbolTable, Transducer

FST_TYPES: tuple[FstType, ...] = ("const", "vector")
WEIGHTS = st.floats(min_value=-50, allow_nan=False, width=32)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


@st.composite
def symbol_tables(draw: st.DrawFn) -> SymbolTable:
    symbols = draw(st.lists(TEXT, unique=True, max_size=6))
    labels = draw(st.lists(st.integers(0, 2**40), unique=True, min_size=6, max_size=6))
    name = draw(st.sampled_from(["", "{}", '{"unit": "grapheme", "forma": "ñ 𐌰"}' * 20]))
    return SymbolTable(name, tuple(symbols), tuple(labels[: len(symbols)]))


@st.composite
def machines(draw: st.DrawFn) -> Transducer:
    n_states = draw(st.integers(0, 5))
    states = st.integers(0, n_states - 1)
    labels = st.integers(0, 3) | st.just(2**31 - 1)
    arc = st.tuples(states, labels, labels, WEIGHTS, states)
    arcs = draw(st.lists(arc, max_size=8)) if n_states else []
    columns: list[Any] = [list(column) for column in zip(*arcs, strict=True)] or [[]] * 5
    finals = draw(st.lists(WEIGHTS, min_size=n_states, max_size=n_states))
    tables = [draw(st.none() | symbol_tables()) for _ in range(2)]
    return Transducer.from_arcs(draw(st.integers(-1, n_states - 1)), finals, *columns, *tables)


def sample(*, symbols: bool = True) -> Transducer:
    table = SymbolTable.of(["a", "ñ", "𐌰"], name="letters") if symbols else None
    return Transducer.from_arcs(
        1,
        finals=[np.inf, np.inf, 0.25],
        sources=[1, 1, 0, 0],
        ilabels=[2, 1, 0, 3],
        olabels=[0, 3, 2, 2],
        weights=[0.5, 1.5, np.inf, -2.0],
        targets=[0, 2, 2, 0],
        isymbols=table,
        osymbols=table,
    )


def single(weight: Any) -> float:
    """A weight of pywrapfst, which shows 9 digits: enough to tell any float32, not any double."""
    return float(np.float32(float(weight)))


def contents(machine: Any) -> tuple[Any, ...]:
    """Everything that pywrapfst knows of a machine, arcs sorted, or the same of one of ours."""
    if isinstance(machine, Transducer):
        order = zip(
            machine.sources().tolist(),
            machine.ilabels.tolist(),
            machine.olabels.tolist(),
            machine.targets.tolist(),
            machine.weights.tolist(),
            strict=True,
        )
        pairs = [
            None if table is None else sorted(zip(table.labels, table.symbols, strict=True))
            for table in (machine.isymbols, machine.osymbols)
        ]
        return machine.start, machine.finals.tolist(), list(order), *pairs
    arcs = [
        (state, arc.ilabel, arc.olabel, arc.nextstate, single(arc.weight))
        for state in machine.states()
        for arc in machine.arcs(state)
    ]
    pairs = [
        None if table is None else sorted(table)
        for table in (machine.input_symbols(), machine.output_symbols())
    ]
    finals = [single(machine.final(state)) for state in machine.states()]
    return machine.start(), finals, sorted(arcs), *pairs


def peer_copy(pywrapfst: Any, machine: Transducer, arc_type: str = "standard") -> Any:
    """The machine built by pywrapfst's own calls."""
    fst = pywrapfst.VectorFst(arc_type)
    fst.add_states(machine.n_states)
    if machine.start >= 0:
        fst.set_start(machine.start)
    weight_type = fst.weight_type()
    for state, final in enumerate(machine.finals.tolist()):
        fst.set_final(state, pywrapfst.Weight(weight_type, final))
    for source, ilabel, olabel, target, weight in contents(machine)[2]:
        cost = pywrapfst.Weight(weight_type, weight)
        fst.add_arc(source, pywrapfst.Arc(ilabel, olabel, cost, target))
    setters = (fst.set_input_symbols, fst.set_output_symbols)
    for table, setter in zip((machine.isymbols, machine.osymbols), setters, strict=True):
        if table is not None:
            peer_table = pywrapfst.SymbolTable(table.name)
            for symbol, label in zip(table.symbols, table.labels, strict=True):
                peer_table.add_symbol(symbol, label)
            setter(peer_table)
    return fst


def can_be_built(machine: Transducer) -> bool:
    """States without a start state kill pynini 2.1.7: converting them is a segmentation fault."""
    return machine.start >= 0 or machine.n_states == 0


def aligned(data: bytes, machine: Transducer, *, by_version: bool, offset: int = 0) -> bytes:
    """A const file as OpenFst writes it with --fst_align, which pywrapfst has no way to set."""
    split = len(data) - 20 * machine.n_states - 16 * machine.n_arcs
    states_end = split + 20 * machine.n_states
    header = bytearray(data[:split])
    place = data.index(b"standard") + len(b"standard")
    version, flags = struct.unpack_from("<ii", header, place)
    struct.pack_into("<ii", header, place, *((1, flags) if by_version else (version, flags | 4)))
    for piece in (data[split:states_end], data[states_end:]):
        header += bytes(-(offset + len(header)) % 16) + piece
    return bytes(header)

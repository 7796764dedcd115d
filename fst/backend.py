"""The only door to pynini, which compiles grammars; nothing else in glyphone needs it.

Its wheels exist for Linux x86-64 only, so it is imported when something is compiled, not before.

>>> from glyphone.fst.automata.transducer import Transducer
>>> algebra = load()
>>> to_transducer(algebra.cross("a", "b")).n_arcs
1
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from glyphone.data.errors import NotInstalled
from glyphone.fst.automata.openfst import from_bytes, to_bytes
from glyphone.fst.automata.transducer import SymbolTable, Transducer

# The type of a pynini automaton: the wheel carries no usable stubs.
Fst = Any


def load() -> ModuleType:
    """The pynini module; NotInstalled, with the way to install it, if it is absent."""
    try:
        import pynini
    except ImportError:
        raise NotInstalled(
            "compiling a grammar needs pynini, which is not installed",
            remedy="pip install pynini on Linux x86-64, or use a grammar compiled elsewhere: "
            "applying one needs no pynini",
        ) from None
    module: ModuleType = pynini
    return module


def to_transducer(
    fst: Fst, *, isymbols: SymbolTable | None = None, osymbols: SymbolTable | None = None
) -> Transducer:
    """Flat arrays of a pynini automaton, with symbol tables of ours attached."""
    machine = from_bytes(fst.write_to_string())
    return Transducer.from_arcs(
        machine.start,
        machine.finals,
        machine.sources(),
        machine.ilabels,
        machine.olabels,
        machine.weights,
        machine.targets,
        isymbols,
        osymbols,
    )


def from_transducer(machine: Transducer) -> Fst:
    """A pynini automaton without symbol tables."""
    fst = load().Fst.read_from_string(to_bytes(machine))
    return fst.set_input_symbols(None).set_output_symbols(None)

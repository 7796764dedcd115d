"""A weighted transducer as flat arrays, which kernels walk and files hold.

State ``s`` owns the arcs ``offsets[s]`` to ``offsets[s + 1]``, as in a sparse matrix by rows. Arcs
are in one total order: state, input label, output label, target, weight; so equal machines with
equal state numbers have equal arrays, and a label is found by binary search. Weights are tropical:
negative natural log probabilities, +inf for a path that does not exist.

>>> letters = SymbolTable.of(["a", "b"])
>>> machine = Transducer.from_arcs(
...     0, finals=[np.inf, 0.0], sources=[0, 0], ilabels=[2, 1], olabels=[1, 2],
...     weights=[0.5, 0.25], targets=[1, 1], isymbols=letters, osymbols=letters)
>>> machine.ilabels.tolist(), machine.offsets.tolist(), letters.symbol(1)
([1, 2], [0, 2, 2], 'a')
>>> machine.invert().invert().equals(machine)
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glyphone.data.errors import GlyphoneError

EPSILON = "<epsilon>"

_LARGEST_LABEL = 2**31 - 1


@dataclass(frozen=True, eq=False)
class SymbolTable:
    """Symbols and their labels, in parallel; label 0 is by convention epsilon.

    OpenFst lets two symbols share a label: the first of them is then the label's symbol.
    """

    name: str
    symbols: tuple[str, ...]
    labels: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.symbols) != len(self.labels):
            counts = f"{len(self.symbols)} symbols but {len(self.labels)} labels"
            raise GlyphoneError(f"a symbol table has {counts}")
        if len(self._labels_by_symbol) != len(self.symbols):
            ((twice, _),) = Counter(self.symbols).most_common(1)
            raise GlyphoneError("stands twice in a symbol table", symbol=twice)

    @classmethod
    def of(cls, symbols: Iterable[str], *, name: str = "") -> SymbolTable:
        """A table with epsilon at 0 and the given symbols from 1 on."""
        every = (EPSILON, *symbols)
        return cls(name, every, tuple(range(len(every))))

    @cached_property
    def _labels_by_symbol(self) -> dict[str, int]:
        return dict(zip(self.symbols, self.labels, strict=True))

    @cached_property
    def _symbols_by_label(self) -> dict[int, str]:
        return dict(zip(reversed(self.labels), reversed(self.symbols), strict=True))

    def label(self, symbol: str) -> int | None:
        return self._labels_by_symbol.get(symbol)

    def symbol(self, label: int) -> str | None:
        return self._symbols_by_label.get(label)

    def equals(self, other: SymbolTable) -> bool:
        """Whether names, symbols and labels agree, in the same order."""
        mine = (self.name, self.symbols, self.labels)
        return mine == (other.name, other.symbols, other.labels)


@dataclass(frozen=True, eq=False)
class Transducer:
    """States and sorted arcs; ``Transducer.from_arcs`` sorts and checks them."""

    start: int  # -1 if there is none: the machine then accepts nothing
    offsets: NDArray[np.int64]
    ilabels: NDArray[np.int32]
    olabels: NDArray[np.int32]
    weights: NDArray[np.float32]
    targets: NDArray[np.int32]
    finals: NDArray[np.float32]  # +inf: not final
    isymbols: SymbolTable | None = None
    osymbols: SymbolTable | None = None

    @classmethod
    def from_arcs(
        cls,
        start: int,
        finals: ArrayLike,
        sources: ArrayLike,
        ilabels: ArrayLike,
        olabels: ArrayLike,
        weights: ArrayLike,
        targets: ArrayLike,
        isymbols: SymbolTable | None = None,
        osymbols: SymbolTable | None = None,
    ) -> Transducer:
        """The machine with these arcs, given in any order as parallel columns."""
        final_weights = _weight_column("final weight", finals)
        n_states = len(final_weights)
        if not -1 <= start < n_states:
            raise GlyphoneError(f"the start state is {start}, of {n_states} states")
        arc_weights = _weight_column("weight", weights)
        columns = {
            "source": _integer_column("source", sources, below=n_states),
            "input label": _integer_column("input label", ilabels, below=_LARGEST_LABEL + 1),
            "output label": _integer_column("output label", olabels, below=_LARGEST_LABEL + 1),
            "target": _integer_column("target", targets, below=n_states),
        }
        for name, column in columns.items():
            if len(column) != len(arc_weights):
                lengths = f"{len(column)} values for {len(arc_weights)} weights"
                raise GlyphoneError(f"the {name} column has {lengths}")
        source, ilabel, olabel, target = columns.values()
        order = np.lexsort((arc_weights, target, olabel, ilabel, source))
        offsets = np.zeros(n_states + 1, dtype=np.int64)
        np.cumsum(np.bincount(source, minlength=n_states), out=offsets[1:])
        return cls(
            int(start),
            offsets,
            ilabel[order],
            olabel[order],
            arc_weights[order],
            target[order],
            final_weights,
            isymbols,
            osymbols,
        )

    @property
    def n_states(self) -> int:
        return len(self.finals)

    @property
    def n_arcs(self) -> int:
        return len(self.ilabels)

    def sources(self) -> NDArray[np.int32]:
        """The source state of every arc."""
        return np.repeat(np.arange(self.n_states, dtype=np.int32), np.diff(self.offsets))

    @cached_property
    def reads(self) -> NDArray[np.int64]:
        """For each state a bit for each label that it reads: see `glyphone.fst.lattices.arrays`."""
        bits = np.left_shift(1, self.ilabels.astype(np.int64) % 63)
        bits[self.ilabels == 0] = -1
        found = np.zeros(self.n_states, np.int64)
        np.bitwise_or.at(found, self.sources(), bits)
        found[np.isfinite(self.finals)] = -1
        return found

    def invert(self) -> Transducer:
        """The inverse: input and output labels change places."""
        return Transducer.from_arcs(
            self.start,
            self.finals,
            self.sources(),
            self.olabels,
            self.ilabels,
            self.weights,
            self.targets,
            self.osymbols,
            self.isymbols,
        )

    def equals(self, other: Transducer) -> bool:
        """Whether states, arcs and symbol tables are the same, number for number."""
        return (
            self.start == other.start
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.ilabels, other.ilabels)
            and np.array_equal(self.olabels, other.olabels)
            and np.array_equal(self.weights, other.weights)
            and np.array_equal(self.targets, other.targets)
            and np.array_equal(self.finals, other.finals)
            and _same_table(self.isymbols, other.isymbols)
            and _same_table(self.osymbols, other.osymbols)
        )


def _same_table(one: SymbolTable | None, other: SymbolTable | None) -> bool:
    return one is other or (one is not None and other is not None and one.equals(other))


def _flat_column(name: str, values: ArrayLike) -> NDArray[Any]:
    column: NDArray[Any] = np.asarray(values)
    if column.ndim != 1:
        raise GlyphoneError(f"the {name} column is not flat: its shape is {column.shape}")
    return column


def _integer_column(name: str, values: ArrayLike, *, below: int) -> NDArray[np.int32]:
    column = _flat_column(name, values)
    if column.size == 0:
        return np.zeros(0, dtype=np.int32)
    if column.dtype.kind not in "iu":
        raise GlyphoneError(f"the {name} column holds {column.dtype}, not integers")
    wrong = (column < 0) | (column >= below)
    if wrong.any():
        arc = int(np.argmax(wrong))
        found = f"the {name} of arc {arc} is {column[arc]}"
        raise GlyphoneError(f"{found}, expected a number from 0 on and below {below}")
    return column.astype(np.int32)


def _weight_column(name: str, values: ArrayLike) -> NDArray[np.float32]:
    column = _flat_column(name, values).astype(np.float32)
    wrong = np.isnan(column) | np.isneginf(column)
    if wrong.any():
        place = int(np.argmax(wrong))
        raise GlyphoneError(f"{name} {place} is {column[place]}, which is no tropical weight")
    # -0.0 sorts like 0.0 but has other bytes; adding 0.0 leaves one zero, and the order total.
    return column + np.float32(0.0)

"""Joint models of other tools: transducers of Phonetisaurus, and ARPA files over joint tokens.

`phonetisaurus-arpa2wfst` makes a state of each history. An arc for a unit reads and writes chunks,
joined to one symbol each, an arc without symbols backs off, and final costs are those of </s>. A
letter or phone that no unit has alone gets an arc at the empty history, at a cost of 99. These
states and arcs become an n-gram model again, which is decoded with exact backoff: a unit that a
history lists is never cheaper by way of backing off, as it may be in the transducer.

>>> import tempfile
>>> path = tempfile.mkdtemp() + "/phi.arpa"
>>> with open(path, "w") as file:
...     _ = file.write('''\\\\data\\\\
... ngram 1=4
...
... \\\\1-grams:
... -0.3 </s>
... -99 <s>
... -0.5 p|h}f
... -0.5 i}i
...
... \\\\end\\\\
... ''')
>>> read_arpa_model(path)("phi").output
'f i'
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.records import Symbols
from glyphone.data.writing import Writing
from glyphone.fst.alignment.units import Units
from glyphone.fst.automata.openfst import read_fst
from glyphone.fst.automata.transducer import SymbolTable, Transducer
from glyphone.fst.interface.codec import Side, number_symbols
from glyphone.fst.joint.model import INSERTIONS, JointModel
from glyphone.fst.joint.tokens import Notation, Unit
from glyphone.fst.ngrams.arpa import read_arpa
from glyphone.fst.ngrams.states import from_states

UNKNOWN = "<unk>"
# The cost of letters and phones that no unit has alone, by arpa2wfst.
IMPOSSIBLE = 99.0
_REMEDY = "give what phonetisaurus-arpa2wfst writes, or glyphone convert --chunks"

FilePath = str | os.PathLike[str]
Array = NDArray[Any]
PHONES = Writing("token", "none")


def read_arpa_model(
    path: FilePath,
    *,
    notation: Notation | None = None,
    source: Writing | None = None,
    target: Writing = PHONES,
    name: str = "joint",
) -> JointModel:
    """The model of an ARPA file; letters are code points or tokens, as its symbols are."""
    notation = notation or Notation()
    ngrams, words = read_arpa(path)
    try:
        units = [notation.read(word) for word in words if word != UNKNOWN]
    except GlyphoneError as error:
        raise FormatError(error.message, item=error.item, path=path, remedy=error.remedy) from None
    kept = np.array([word != UNKNOWN for word in words] + [True])[ngrams.tokens]
    numbers = np.cumsum([0, *(word != UNKNOWN for word in words)])
    return model_of_units(
        units,
        ngrams.sources()[kept],
        numbers[ngrams.tokens[kept]],
        ngrams.log_probs[kept],
        ngrams.targets[kept],
        ngrams.backoff_states,
        ngrams.backoffs,
        start=ngrams.start,
        source=source,
        target=target,
        name=name,
        path=path,
    )


def read_fst_model(
    path: FilePath,
    *,
    notation: Notation | None = None,
    source: Writing | None = None,
    target: Writing = PHONES,
    name: str = "joint",
) -> JointModel:
    """The model of a transducer of Phonetisaurus, as an OpenFst file."""
    return model_of_machine(
        read_fst(path), notation=notation, source=source, target=target, name=name, path=path
    )


def model_of_machine(
    machine: Transducer,
    *,
    notation: Notation | None = None,
    source: Writing | None = None,
    target: Writing = PHONES,
    name: str = "joint",
    path: FilePath | None = None,
) -> JointModel:
    """The model of a transducer whose states are histories."""
    notation = notation or Notation()
    if machine.isymbols is None or machine.osymbols is None or machine.start < 0:
        message = "has no symbol tables" if machine.start >= 0 else "has no start state"
        raise FormatError(message, path=path, remedy=_REMEDY)
    sources = machine.sources()
    epsilon = (machine.ilabels == 0) & (machine.olabels == 0)
    backoff_states = np.full(machine.n_states, -1, np.int64)
    backoffs = np.zeros(machine.n_states)
    backoff_states[sources[epsilon]] = machine.targets[epsilon]
    backoffs[sources[epsilon]] = -machine.weights[epsilon]
    n_roots = int((backoff_states < 0).sum())
    if n_roots != 1 or int(epsilon.sum()) != machine.n_states - 1:
        found = f"{n_roots} of its {machine.n_states} states do not back off, expected one"
        found = "a state backs off in two ways" if n_roots == 1 else found
        raise FormatError(f"is no n-gram model: {found}", path=path, remedy=_REMEDY)
    inputs = read_chunks(machine.isymbols, machine.ilabels, notation, path)
    outputs = read_chunks(machine.osymbols, machine.olabels, notation, path)
    reads = np.array([bool(inputs.get(label)) for label in range(max(inputs, default=0) + 1)])
    # Phones that nothing reads would let every word have phones of no letter, at no real chance.
    usual = ~epsilon & (reads[machine.ilabels] | (machine.weights < IMPOSSIBLE))
    width = int(machine.olabels.max(initial=0)) + 1
    keys = machine.ilabels[usual].astype(np.int64) * width + machine.olabels[usual]
    pairs, tokens = np.unique(keys, return_inverse=True)
    units = [(inputs[key // width], outputs[key % width]) for key in pairs.tolist()]
    ends = np.flatnonzero(machine.finals < np.inf)
    return model_of_units(
        units,
        np.concatenate([sources[usual], ends]),
        np.concatenate([tokens, np.full(len(ends), len(units))]),
        np.concatenate([-machine.weights[usual], -machine.finals[ends]]),
        np.concatenate([machine.targets[usual], np.zeros(len(ends), np.int32)]),
        backoff_states,
        backoffs,
        start=machine.start,
        source=source,
        target=target,
        name=name,
        path=path,
    )


def read_chunks(
    table: SymbolTable, labels: Array, notation: Notation, path: FilePath | None
) -> dict[int, Symbols]:
    """The symbols that each label of a transducer reads or writes."""
    chunks: dict[int, Symbols] = {0: ()}
    for label in np.unique(labels[labels > 0]).tolist():
        symbol = table.symbol(label)
        if symbol is None:
            message = f"has the label {label}, which its symbol table does not know"
            raise FormatError(message, path=path)
        chunks[label] = notation.read_chunk(symbol)
    return chunks


def model_of_units(
    units: Sequence[Unit],
    sources: Array,
    tokens: Array,
    log_probs: Array,
    targets: Array,
    backoff_states: Array,
    backoffs: Array,
    *,
    start: int,
    source: Writing | None,
    target: Writing,
    name: str,
    path: FilePath | None,
) -> JointModel:
    """The model of units, which are the words, and of the arcs and states of an n-gram model."""
    check_units(units, path)
    letters = number_symbols(x for x, _ in units)
    phones = number_symbols(y for _, y in units)
    if source is None:
        single = all(len(letter) == 1 for letter in letters)
        source = Writing("codepoint" if single else "token", "none")
    labels = [
        (tuple(letters[symbol] for symbol in x), tuple(phones[symbol] for symbol in y))
        for x, y in units
    ]
    ordered = Units.of(labels, n_labels=len(letters) + 1)
    numbers = [*(ordered.numbers[unit] for unit in labels), len(units)]
    ngrams = from_states(
        len(units),
        start=start,
        sources=sources,
        tokens=np.array(numbers)[tokens],
        log_probs=log_probs,
        targets=targets,
        backoff_states=backoff_states,
        backoffs=backoffs,
        path=path,
    )
    insertions = INSERTIONS if any(not x for x, _ in units) else 0
    sides = Side(source, letters, name), Side(target, phones, name)
    return JointModel(*sides, ordered, ngrams.astype(np.float32), name, insertions)


def check_units(units: Sequence[Unit], path: FilePath | None) -> None:
    if not units:
        raise FormatError("has no units", path=path, remedy="are its separators others?")
    seen: set[Unit] = set()
    for unit in units:
        shown = " : ".join(" ".join(side) or "∅" for side in unit)
        if unit == ((), ()):
            raise FormatError("has a unit that neither reads nor writes", path=path, item=shown)
        if unit in seen:
            raise FormatError("has two tokens for one unit", path=path, item=shown)
        seen.add(unit)

"""Joint models for other tools: ARPA files over joint tokens, and transducers of pairs.

`write_arpa_model` writes the n-grams as they are. `to_machine` makes a transducer with a state for
each history: units are arcs, those of several symbols chains of arcs, and an epsilon arc backs off.
Costs of it are an approximation: a path may back off although its history lists the unit, which
can be cheaper than the exact cost, never dearer. With a notation, the arcs of units read and write
whole chunks, as `phonetisaurus-g2pfst` and `glyphone.fst.joint.importing` want it.

Settings of the model are left out: temperature, beam, and how many units that read nothing may
follow one another.

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.joint.training import train_joint
>>> phi = Alignment(((("p", "h"), ("f",)), (("i",), ("i",))))
>>> model = train_joint([phi], source=Writing(), target=Writing(), order=2)
>>> machine = to_machine(model)
>>> machine.n_states - model.ngrams.n_states  # two arcs of the empty history and one of <s> read ph
2
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import GlyphoneError
from glyphone.data.lines import Source
from glyphone.fst.alignment.units import Labels
from glyphone.fst.automata.far import write_far
from glyphone.fst.automata.openfst import write_fst
from glyphone.fst.automata.transducer import SymbolTable, Transducer
from glyphone.fst.interface.codec import Side
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.tokens import Notation
from glyphone.fst.ngrams.acceptors import epsilon_acceptor
from glyphone.fst.ngrams.arpa import write_arpa
from glyphone.fst.ngrams.states import sort_states

FilePath = str | os.PathLike[str]
Array = NDArray[Any]


def write_arpa_model(model: JointModel, path: Source, *, notation: Notation | None = None) -> None:
    """The n-grams of a model, its units written as tokens."""
    notation = notation or Notation()
    pairs = model.alignment(range(len(model.units))).units
    write_arpa(sort_states(model.ngrams), [notation.write(unit) for unit in pairs], path)


def write_fst_model(model: JointModel, path: FilePath, *, notation: Notation | None = None) -> None:
    """The transducer of a model as an OpenFst file, of the type that Phonetisaurus can read."""
    write_fst(to_machine(model, notation=notation), path, fst_type="vector")


def write_far_model(model: JointModel, path: FilePath, *, notation: Notation | None = None) -> None:
    """The transducer of a model as an archive of one, under the name of the model."""
    write_far(path, {model.name or "joint": to_machine(model, notation=notation)})


def to_machine(model: JointModel, *, notation: Notation | None = None) -> Transducer:
    """The transducer of pairs; its arcs read and write whole chunks if there is a notation."""
    acceptor = epsilon_acceptor(model.ngrams)
    if notation is not None:
        return machine_of_chunks(model, acceptor, notation)
    return machine_of_symbols(model, acceptor)


def machine_of_symbols(model: JointModel, acceptor: Transducer) -> Transducer:
    """Units as chains of arcs of one symbol each; their cost is on the first."""
    sources, targets = model.units.sources, model.units.targets
    lengths = [1, *(max(1, len(x), len(y)) for x, y in zip(sources, targets, strict=True))]
    reads, writes = pad_chunks(sources, max(lengths)), pad_chunks(targets, max(lengths))
    counts = np.array(lengths)[acceptor.ilabels]
    ends = np.cumsum(counts)
    arcs = np.repeat(np.arange(acceptor.n_arcs), counts)
    places = np.arange(len(arcs)) - np.repeat(ends - counts, counts)
    first, last = places == 0, places == counts[arcs] - 1
    middles = acceptor.n_states + np.cumsum(~last) - 1  # the state after an arc that is not last
    before = np.roll(middles, 1)
    units = acceptor.ilabels[arcs]
    finals = np.full(acceptor.n_states + int((~last).sum()), np.inf)
    finals[: acceptor.n_states] = acceptor.finals
    return Transducer.from_arcs(
        acceptor.start,
        finals,
        np.where(first, acceptor.sources()[arcs], before),
        reads[units, places],
        writes[units, places],
        np.where(first, acceptor.weights[arcs], 0.0),
        np.where(last, acceptor.targets[arcs], middles),
        table_of(model.source),
        table_of(model.target),
    )


def pad_chunks(chunks: Iterable[Labels], width: int) -> Array:
    """Chunks as rows filled up with epsilons, after a row of epsilons for backing off."""
    rows = [(), *chunks]
    return np.array([(*row, *[0] * (width - len(row))) for row in rows], np.int32)


def machine_of_chunks(model: JointModel, acceptor: Transducer, notation: Notation) -> Transducer:
    """Units as arcs; labels 1 and 2 are the tie and the empty chunk, as Phonetisaurus has them."""
    pairs = model.alignment(range(len(model.units))).units
    for unit in pairs:
        notation.write(unit)  # refuses tokens that could be read in two ways
    sides = []
    for side in zip(*pairs, strict=True):
        names = ["<eps>", notation.tie, notation.empty]
        names += sorted({notation.write_chunk(chunk) for chunk in side} - {notation.empty})
        numbers = {name: label for label, name in enumerate(names)}
        labels = [0, *(numbers[notation.write_chunk(chunk)] for chunk in side)]
        sides.append((SymbolTable("", tuple(names), tuple(range(len(names)))), np.array(labels)))
    (isymbols, reads), (osymbols, writes) = sides
    return Transducer.from_arcs(
        acceptor.start,
        acceptor.finals,
        acceptor.sources(),
        reads[acceptor.ilabels],
        writes[acceptor.ilabels],
        acceptor.weights,
        acceptor.targets,
        isymbols,
        osymbols,
    )


def table_of(side: Side) -> SymbolTable:
    try:
        return SymbolTable.of(sorted(side.symbols, key=side.symbols.__getitem__))
    except GlyphoneError as error:
        raise GlyphoneError(
            "is the name of the empty string in transducers", symbol=error.symbol
        ) from None

"""The stages behind a joint model in flat arrays: transducers, a vocabulary, a letter model.

>>> side = Side(Writing(), {"a": 1})
>>> behind = arrays_of(side, None, None)
>>> len(behind.machine.starts), len(behind.letters.tokens)
(0, 0)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from glyphone.data.writing import Writing
from glyphone.fst.automata.cycles import compose_with_lattice, epsilon_cycle
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.composed.letters import LetterModel
from glyphone.fst.composed.letters_kernels import NO_LETTERS, Letters
from glyphone.fst.composed.vocabulary import Vocabulary
from glyphone.fst.interface.codec import Side
from glyphone.fst.lattices import composition_kernels as lattice_composition_kernels
from glyphone.fst.lattices.arrays import CYCLIC, Lattice, Machine
from glyphone.fst.transducers.model import NOTHING, TransducerModel

Prior = Vocabulary | LetterModel
_PLAIN = Side(Writing(), {})


class Behind(NamedTuple):
    """Transducers, one behind the other, and a letter model of the output of the last."""

    machine: Machine
    letters: Letters


def arrays_of(
    read: Side, then: TransducerModel | None, prior: Prior | None, *, temperature: float = 1.0
) -> Behind:
    """The stages that read the labels of a side, their weights to the power of 1 / temperature."""
    stages, labels = stages_of(read, then), read.symbols
    if temperature != 1.0:
        stages = [
            replace(
                stage,
                weights=stage.weights / np.float32(temperature),
                finals=stage.finals / np.float32(temperature),
            )
            for stage in stages
        ]
    if then is not None:
        labels = then.target.symbols
    letters = NO_LETTERS
    if isinstance(prior, Vocabulary):
        stages.append(prior.machine(labels, temperature=temperature))
    elif prior is not None:
        letters = prior.arrays(labels, temperature=temperature)
    # One transducer more than there are, or there would be no arrays to put end to end.
    machine = TransducerModel((*stages, NOTHING), _PLAIN, _PLAIN).machine
    return Behind(machine._replace(starts=machine.starts[:-1].copy()), letters)


def stages_of(read: Side, then: TransducerModel | None) -> list[Transducer]:
    """The transducers of a model, the first of them reading the labels of a side."""
    if then is None:
        return []
    first, *rest = then.machines
    theirs = then.source.symbols
    labels = {
        label: read.symbols[symbol] for symbol, label in theirs.items() if symbol in read.symbols
    }
    return [read_labels_of(first, labels), *rest]


def read_labels_of(machine: Transducer, labels: Mapping[int, int]) -> Transducer:
    """The machine with other labels in place of those that it reads; without arcs for the rest."""
    table = np.zeros(int(machine.ilabels.max(initial=0)) + 1, np.int32)
    for old, new in labels.items():
        if old < len(table):
            table[old] = new
    read = table[machine.ilabels]
    kept = (machine.ilabels == 0) | (read != 0)
    return Transducer.from_arcs(
        machine.start,
        machine.finals,
        machine.sources()[kept],
        read[kept],
        machine.olabels[kept],
        machine.weights[kept],
        machine.targets[kept],
        osymbols=machine.osymbols,
    )


def cycle_of(lattice: Lattice, behind: Behind, stages: Sequence[Transducer]) -> tuple[int, ...]:
    """The labels that the first transducer that never ends on a lattice writes in a circle."""
    for number, stage in enumerate(stages):
        further = lattice_composition_kernels.compose(lattice, behind.machine, number)
        if further.n_states == CYCLIC:
            return epsilon_cycle(compose_with_lattice(lattice, stage))
        lattice = further
    return ()

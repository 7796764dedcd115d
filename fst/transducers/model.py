"""A transducer that answers: strings in, ranked hypotheses out.

>>> from glyphone.fst.rules.cascade import cascade
>>> model = TransducerModel.of(cascade(letters="c h o l a", phones="tʃ o l a k", rules="ch -> tʃ"))
>>> best = model("chola")
>>> best.output, best.posterior, best.spans[0]
('tʃ o l a', 1.0, (0, 2))
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from glyphone.data.errors import CycleError, ItemError, NoOutput, UnknownName
from glyphone.data.kernels import jit
from glyphone.data.records import Hypothesis
from glyphone.fst.automata.cycles import compose_with_lattice, epsilon_cycle
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.interface import scores as interface_scores
from glyphone.fst.interface.answers import Answers
from glyphone.fst.interface.codec import Side, foreign_side, side_from_table
from glyphone.fst.interface.model import BUDGET, Model, Scored
from glyphone.fst.interface.reasons import Reasons
from glyphone.fst.lattices import composition_kernels as lattice_composition_kernels
from glyphone.fst.lattices import string_kernels
from glyphone.fst.lattices.arrays import CYCLIC, Lattice, Machine
from glyphone.fst.lattices.block_kernels import CYCLE, NO_PATH, Block
from glyphone.fst.lattices.block_order import (
    concatenate_blocks,
    places_of_rows,
    restore_order,
    select_items,
)
from glyphone.fst.rules.cascade import Cascade
from glyphone.fst.transducers import decoding_kernels as transducer_decoding_kernels
from glyphone.fst.transducers import single_path_kernels

Array = Any
NOTHING = Transducer.from_arcs(0, [math.inf], [], [], [], [], [])


@dataclass(frozen=True, eq=False)
class TransducerModel(Model):
    """Transducers applied one after the other, with the writing of both ends."""

    kind: ClassVar[str] = "transducer"

    machines: tuple[Transducer, ...]
    source: Side
    target: Side
    name: str = ""
    cascade: Cascade | None = None

    @classmethod
    def of(cls, cascade: Cascade, *, name: str = "grammar") -> TransducerModel:
        """The model of a cascade, compiled; this needs pynini, as nothing else here does."""
        from glyphone.fst.rules.compiler import compile_cascade

        return cls.from_machines(compile_cascade(cascade), name=name, cascade=cascade)

    @classmethod
    def from_machines(
        cls,
        machines: Sequence[Transducer],
        *,
        name: str,
        cascade: Cascade | None = None,
        path: object = None,
    ) -> TransducerModel:
        first, last = machines[0], machines[-1]
        if cascade is not None and first.isymbols is not None and last.osymbols is not None:
            source = side_from_table(first.isymbols, cascade.input_writing, stage=name)
            target = side_from_table(last.osymbols, cascade.output_writing, stage=name)
        else:
            source = foreign_side(first.isymbols, first.ilabels, stage=name, path=path)
            target = foreign_side(last.osymbols, last.olabels, stage=name, path=path)
        return cls(tuple(machines), source, target, name, cascade)

    def lattice(self, text: str) -> Lattice:
        """All outputs for a text; NoOutput or CycleError if there are none or infinitely many."""
        labels = np.array(self.source.encode(text).labels, np.int32)
        lattice: Lattice = transducer_decoding_kernels.output_lattice(self.machine, labels)
        if lattice.n_states <= 0:
            raise self.failure(text, CYCLE if lattice.n_states == CYCLIC else NO_PATH)
        return lattice

    def score(self, source: str, target: str) -> Scored:
        """The log probability of a pair, summed over its paths, and its best alignment."""
        return interface_scores.score_pair(self, source, target)

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        """Answers for a block of texts, n for each, with the errors of items that fail."""
        strings = self.source.encode_all(texts, offsets=spans)
        kernels = jit.tier(transducer_decoding_kernels, len(strings.labels))
        if kernels is transducer_decoding_kernels or n == 0 or spans or len(self.machines) > 1:
            block = self.decode(kernels, strings.labels, strings.bounds, n, spans=spans)
        else:
            walking = jit.compiled(single_path_kernels)
            block = self.decode_by_lookahead(walking, kernels, strings.labels, strings.bounds, n)
        return self.answers_of(texts, strings, block, spans=spans)

    def decode(
        self, kernels: Any, labels: Array, bounds: Array, n: int, *, spans: bool = False
    ) -> Block:
        """Answers for strings of labels, each by the lattice of all its outputs."""
        return Block(*kernels.decode(self.machine, labels, bounds, n, BUDGET, spans or None))

    def decode_by_lookahead(
        self, walking: Any, kernels: Any, labels: Array, bounds: Array, n: int
    ) -> Block:
        """Answers for strings of labels; only strings that may have several paths need a lattice.

        `kernels`, which make lattices, are compiled when the first of such strings is met.
        """
        # A look-ahead grows as it is used, so two threads must not share one.
        lookahead = self.take_lookahead()
        block = Block(*walking.decode(self.machine, labels, bounds, lookahead))
        self.lookaheads.append(lookahead)
        undecided = block.statuses == single_path_kernels.UNDECIDED
        items, others = np.flatnonzero(~undecided), np.flatnonzero(undecided)
        if not len(others):
            return block
        places, own = places_of_rows(bounds, others)
        late = self.decode(kernels, labels[places], own, n)
        both = concatenate_blocks(select_items(block, items), late)
        return restore_order(both, np.concatenate([items, others]))

    def reasons(self, text: str, hypothesis: Hypothesis) -> Reasons:
        """The rules that fired and the string after each; empty if the cascade is unknown."""
        from glyphone.fst.rules import interpreter

        if self.cascade is None:
            return Reasons()
        inverted = self.cascade.inverted
        symbols = self.source.decode(self.source.encode(text).labels)
        start, end = (hypothesis.symbols, symbols) if inverted else (symbols, hypothesis.symbols)
        ways = interpreter.run(self.cascade, start)
        fired = next((way.fired for way in ways if way.output == end), None)
        return Reasons(start=start, fired=fired, inverted=inverted)

    def failure(self, text: str, status: int) -> ItemError:
        if status == NO_PATH:
            return NoOutput(
                "no output",
                item=text,
                stage=self.name,
                remedy="every symbol is known, but no rule accepts them in this order",
            )
        stage, loop = self.find_cycle(text)
        written = self.machines[stage].osymbols
        if stage == len(self.machines) - 1:
            names = self.target.decode(label for label in loop if label)
        else:
            names = tuple(
                (written and written.symbol(label)) or str(label) for label in loop if label
            )
        return CycleError(
            f"infinitely many outputs: nothing is read while {' '.join(names) or 'nothing'} "
            "is written again and again",
            item=text,
            stage=self.name,
            remedy="a rule that deletes has no finite inverse; restrict what it may delete",
        )

    def fingerprint(self) -> str:
        """A checksum of everything that the answers depend on."""
        crc = zlib.crc32(repr((self.source, self.target)).encode("utf-8", "surrogatepass"))
        for array in self.machine:
            crc = zlib.crc32(array.tobytes(), crc)
        return f"{crc:08x}"

    def stage(self, number: int) -> Transducer:
        """One of the transducers, counted from 1."""
        if not 1 <= number <= len(self.machines):
            raise UnknownName("stage", str(number), map(str, range(1, len(self.machines) + 1)))
        return self.machines[number - 1]

    def find_cycle(self, text: str) -> tuple[int, tuple[int, ...]]:
        """The stage with an epsilon cycle on a text, and the labels of that cycle."""
        lattice = string_kernels.string_lattice(np.array(self.source.encode(text).labels, np.int32))
        for stage, machine in enumerate(self.machines):
            further = lattice_composition_kernels.compose(lattice, self.machine, stage)
            if further.n_states == CYCLIC:
                return stage, epsilon_cycle(compose_with_lattice(lattice, machine))
            lattice = further
        raise ValueError(f"{text!r} has finitely many outputs")

    def invert(self) -> TransducerModel:
        """The inverse relation, from outputs to inputs."""
        cascade = None if self.cascade is None else self.cascade.inverse()
        machines = tuple(machine.invert() for machine in reversed(self.machines))
        return TransducerModel(machines, self.target, self.source, f"{self.name} inverted", cascade)

    @cached_property
    def lookaheads(self) -> list[single_path_kernels.Lookahead]:
        """Look-aheads that no thread is using."""
        return []

    def take_lookahead(self) -> single_path_kernels.Lookahead:
        try:
            return self.lookaheads.pop()
        except IndexError:
            return single_path_kernels.new_lookahead(self.machines[0])

    @cached_property
    def machine(self) -> Machine:
        """All transducers end to end, in the form that the kernels take."""
        # A machine that accepts nothing may have no state to start from.
        machines = [NOTHING if machine.start < 0 else machine for machine in self.machines]
        states = np.cumsum([0] + [machine.n_states for machine in machines])[:-1].tolist()
        arcs = np.cumsum([0] + [machine.n_arcs for machine in machines])[:-1].tolist()
        rows = [machine.offsets[:-1] + base for machine, base in zip(machines, arcs, strict=True)]
        moved = [machine.targets + base for machine, base in zip(machines, states, strict=True)]
        return Machine(
            np.array([m.start + base for m, base in zip(machines, states, strict=True)]),
            np.concatenate([*rows, [sum(machine.n_arcs for machine in machines)]]),
            np.concatenate([machine.ilabels for machine in machines]),
            np.concatenate([machine.olabels for machine in machines]),
            np.concatenate([machine.weights for machine in machines]),
            np.concatenate(moved).astype(np.int32),
            np.concatenate([machine.finals for machine in machines]),
            np.concatenate([machine.reads for machine in machines]),
        )

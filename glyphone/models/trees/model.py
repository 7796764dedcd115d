"""A letter-to-sound model of decision trees: each letter asks about the letters around it.

    P(u1 ... un | x) = product over the letters of P(ui | letters around, last chunks written)

where a unit u reads one letter and writes none to a few symbols (Jansche 2001; Black, Lenzo and
Pagel 1998). Trees say P of each; several are averaged. With `previous` = 0 every letter is decided
alone, and the best answer is read off; else the best path is searched for in a trellis whose states
are the last chunks, within a beam: see `glyphone.fst.joint.model` for what that is. Then it matters
where a word is read from: a model that reads `backward` decides its last letter first, and what
is written last is what comes after in the output; see `glyphone.fst.interface.directions`.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.alignment.training import AlignmentOptions
>>> from glyphone.models.trees.training import TreeOptions, fit_tree
>>> lexicon = {"ca": "ka", "ci": "si", "co": "ko", "ici": "isi", "aca": "aka"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> one_to_one = AlignmentOptions(max_source=1, max_target=1)
>>> model = fit_tree(pairs, TreeOptions(previous=1, alignment=one_to_one)).model
>>> model("cacoci").output, model.score("ci", "s i").alignment.units
('k a k o s i', ((('c',), ('s',)), (('i',), ('i',))))
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NoReturn

import numpy as np

from glyphone.data.errors import GlyphoneError, ItemError, NoOutput
from glyphone.data.kernels import jit
from glyphone.data.records import Alignment, Hypothesis, Symbols
from glyphone.fst.alignment.units import Units
from glyphone.fst.interface import directions as interface_directions
from glyphone.fst.interface.answers import Answers
from glyphone.fst.interface.codec import Side
from glyphone.fst.interface.directions import Row
from glyphone.fst.interface.model import BUDGET, IMPOSSIBLE, Learned, Scored, rank_of
from glyphone.fst.interface.reasons import Reasons, UnitUse
from glyphone.fst.lattices import block_kernels
from glyphone.fst.lattices.arrays import Lattice
from glyphone.learners.trees.arrays import Tree
from glyphone.models.trees import decoding_kernels as tree_decoding_kernels
from glyphone.models.trees import greedy_kernels, judging_kernels
from glyphone.models.trees.tables import Trees, trees_of

# In nats; what it loses is measured on CMUdict.
BEAM = 6.0
# How far down the n best `score` looks for the output that it is given.
DEPTH = 100

Array = Any


@dataclass(frozen=True, eq=False)
class TreeModel(Learned):
    """Units, trees over windows of letters and chunks, and how both sides are written.

    A row for a tree has the labels of the letters from `left` before to `right` after, 0 beyond
    the ends of the word, and then the numbers of the last `previous` chunks, the nearest first, see
    `tree_tables.chunks_of`, 0 before the first. Classes are units. Of what is read `backward` the
    letters are in the order of reading, and so is what units write. Posteriors are those of weights
    to the power of 1 / `temperature`.
    """

    kind: ClassVar[str] = "tree"

    source: Side
    target: Side
    units: Units
    trees: tuple[Tree, ...]
    left: int
    right: int
    previous: int = 0
    name: str = "tree"
    backward: bool = False
    beam: float = BEAM
    temperature: float = 1.0
    description: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.backward and not self.previous:
            raise GlyphoneError(
                "trees that look at letters alone have no direction, and cannot read backward",
                stage=self.name,
                remedy="leave out backward, or let them look at previous outputs",
            )

    @cached_property
    def cold(self) -> Trees:
        """The trees as the kernels want them."""
        return self.at_temperature(1.0)

    @cached_property
    def warm(self) -> Trees:
        """The trees as the kernels want them, at the temperature of the posteriors."""
        return self.cold if self.temperature == 1.0 else self.at_temperature(self.temperature)

    def at_temperature(self, temperature: float) -> Trees:
        before, after = self.in_reading_order((self.left, self.right))
        window = {"left": before, "right": after, "previous": self.previous}
        return trees_of(self.trees, self.units, **window, temperature=temperature)

    def in_reading_order(self, row: Row) -> Row:
        """A row turned from the order of the word to that of reading, or back."""
        return interface_directions.in_reading_order(row, backward=self.backward)

    def string(self, text: str) -> Array:
        """The labels of a text in the order of reading."""
        return np.array(self.in_reading_order(self.source.encode(text).labels), np.int32)

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        """Answers for a block of texts at once; `failures` has the items that fail."""
        block = self.source.encode_all(texts, offsets=spans)
        if n == 1 and self.previous == 0:
            block_answers = self.decide_letters(block.labels, block.bounds, spans=spans)
        else:
            block_answers = self.search(block.labels, block.bounds, n=n, spans=spans)
        return self.answers_of(texts, block, block_answers, spans=spans)

    def decide_letters(self, labels: Array, bounds: Array, *, spans: bool) -> block_kernels.Block:
        """The best outputs where letters are decided alone."""
        kernels = jit.tier(greedy_kernels, 2 * len(labels))
        costs, posteriors, offsets, written, units = kernels.decode(self.warm, labels, bounds)
        places = units[:0]
        if spans:
            letters = np.arange(len(units)) - np.repeat(bounds[:-1], np.diff(bounds))
            places = np.repeat(letters, np.diff(self.warm.written)[units])
        n = len(costs)
        statuses, firsts = np.zeros(n, np.int8), np.arange(n + 1)
        found = block_kernels.Block(
            statuses, firsts, costs, posteriors, offsets, written, places, places
        )
        return interface_directions.turn_answers(found, bounds, backward=False, traced=spans)

    def search(self, labels: Array, bounds: Array, *, n: int, spans: bool) -> block_kernels.Block:
        """The n best outputs by a search of paths."""
        kernels = jit.tier(tree_decoding_kernels, 16 * len(labels))
        width, warm = self.near(n) / self.temperature, self.warm
        strings = interface_directions.turn_rows(labels, bounds, backward=self.backward)
        found = block_kernels.Block(*kernels.decode(warm, strings, bounds, n, width, BUDGET, spans))
        found.costs[:] *= self.temperature
        return interface_directions.turn_answers(
            found, bounds, backward=self.backward, traced=spans
        )

    def near(self, n: int = 1) -> float:
        """The beam; more than one answer needs more of the lattice."""
        return self.beam * (1.5 if n > 1 else 1.0)

    def score_outputs(
        self, labels: Array, bounds: Array, firsts: Array, offsets: Array, outputs: Array
    ) -> Array:
        """ln P of outputs: see `glyphone.fst.ensembles.judges`."""
        kernels = jit.tier(judging_kernels, 16 * len(labels) + 16 * len(outputs))
        strings = interface_directions.turn_rows(labels, bounds, backward=self.backward)
        written = interface_directions.turn_rows(outputs, offsets, backward=self.backward)
        scores: Array = kernels.score_outputs(self.cold, strings, bounds, firsts, offsets, written)
        return scores

    def lattice(self, text: str) -> Lattice:
        """All outputs for a text within the beam."""
        string = self.string(text)
        kernels = jit.tier(tree_decoding_kernels, 16 * len(string))
        lattice: Lattice = kernels.output_lattice(self.cold, string, self.near())
        return interface_directions.turn_lattice(lattice, len(string), backward=self.backward)

    def score(self, source: str, target: str, *, depth: int = DEPTH) -> Scored:
        """ln P of a pair, over all alignments, its best alignment, posterior and rank.

        The rank is that among the `depth` best outputs within the beam.
        """
        string, wanted = self.string(source), self.target.encode(target).labels
        output = np.array(self.in_reading_order(wanted), np.int32)
        kernels = jit.tier(tree_decoding_kernels, 64 * len(string))
        _, mass, units = kernels.score_pair(self.cold, string, output)
        if math.isinf(mass):
            return IMPOSSIBLE
        share = -mass
        if self.temperature != 1.0:
            share = (
                kernels.total_cost(self.warm, string)
                - kernels.score_pair(self.warm, string, output)[1]
            )
        rank = None
        if depth:
            bounds = np.array([0, len(string)])
            labels = interface_directions.turn_rows(string, bounds, backward=self.backward)
            rank = rank_of(wanted, self.search(labels, bounds, n=depth, spans=False))
        posterior = min(1.0, math.exp(share))
        return Scored(
            -float(mass), posterior, self.alignment(self.in_reading_order(units.tolist())), rank
        )

    def reasons(self, text: str, hypothesis: Hypothesis) -> Reasons:
        """The units of the best path to an answer, and why the first tree expects them."""
        from glyphone.models.trees.reasons import turns_of_path

        units = self.best_units(text, hypothesis.symbols)
        read, written = self.source.join, self.target.join
        rows = zip(turns_of_path(self, text, units), self.alignment(units).units, strict=True)
        return Reasons(
            tuple(
                UnitUse(read(x), written(y), turn.cost, because=turn.conditions)
                for turn, (x, y) in rows
            )
        )

    def best_units(self, text: str, symbols: Sequence[str]) -> list[int]:
        """The units of the best path that writes some symbols; none if there is no path."""
        string = self.string(text)
        output = [self.target.symbols[symbol] for symbol in self.in_reading_order(symbols)]
        kernels = jit.tier(tree_decoding_kernels, 16 * len(string))
        units = kernels.score_pair(self.cold, string, np.array(output, np.int32))[2]
        in_order: list[int] = self.in_reading_order(units.tolist())
        return in_order

    def export_rules(self, number: int = 0) -> str:
        """One of the trees as rules, a line each: see `glyphone.models.trees.reasons`."""
        from glyphone.models.trees.reasons import rules_of

        return "".join(f"{rule}\n" for rule in rules_of(self, number))

    def alignment(self, units: Iterable[int]) -> Alignment:
        """Units in symbols."""
        read = self.source.decode
        return Alignment(
            tuple((read(self.units.sources[u]), self.output_of_unit(u)) for u in units)
        )

    def output_of_unit(self, unit: int) -> Symbols:
        """The symbols that a unit writes, in the order of the output."""
        return self.target.decode(self.in_reading_order(self.units.targets[unit]))

    def exact(self) -> TreeModel:
        """The model without a beam."""
        return replace(self, beam=math.inf)

    def invert(self) -> NoReturn:
        raise GlyphoneError(
            "trees have no inverse: they only know what letters are around a letter",
            stage=self.name,
            remedy="train a model on the lexicon with its columns exchanged",
        )

    def failure(self, text: str, status: int) -> ItemError:
        return NoOutput("no output", item=text, stage=self.name)

    def fingerprint(self) -> str:
        """A checksum of everything that the answers depend on."""
        window = (self.left, self.right, self.previous, self.backward)
        settings = (self.source, self.target, window, self.temperature, self.beam)
        units = (self.units.sources, self.units.targets)
        crc = zlib.crc32(repr((settings, units)).encode("utf-8", "surrogatepass"))
        for tree in self.trees:
            crc = zlib.crc32(repr(tree.smoothing).encode(), crc)
            for array in (tree.nodes, tree.tables, tree.starts, tree.classes, tree.counts):
                crc = zlib.crc32(np.ascontiguousarray(array).tobytes(), crc)
        return f"{crc:08x}"

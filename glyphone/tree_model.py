"""A letter-to-sound model of decision trees: each letter asks what is around it.

    P(u1 ... un | x) = product over the letters of P(ui | letters around, last chunks written)

where a unit u reads one letter and writes none to a few symbols (Jansche 2001; Black, Lenzo and
Pagel 1998). Trees say P of each; several are averaged. With `previous` = 0 every letter is decided
alone, and the best answer is read off; else the best path is searched for in a trellis whose states
are the last chunks, within a beam: see `glyphone.fst.joint` for what that is.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.align import AlignmentOptions
>>> from glyphone.tree_training import TreeOptions, fit_tree
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
from typing import Any, NoReturn

import numpy as np

from glyphone import tree_decoding, tree_greedy
from glyphone.data import jit
from glyphone.data.errors import GlyphoneError, ItemError, NoOutput
from glyphone.data.records import Alignment
from glyphone.fst import batch
from glyphone.fst.answering import BUDGET, IMPOSSIBLE, Answering, Scored
from glyphone.fst.answers import Answers
from glyphone.fst.codec import Side
from glyphone.fst.joint_units import Units
from glyphone.fst.lattices import Lattice
from glyphone.learners.tree_arrays import Tree
from glyphone.tree_tables import Trees, trees_of

# In nats; what it loses is measured on CMUdict.
BEAM = 6.0
# How far down the n best `score` looks for the output that it is given.
DEPTH = 100

Array = Any


@dataclass(frozen=True, eq=False)
class TreeModel(Answering):
    """Units, trees over windows of letters and chunks, and how both sides are written.

    A row for a tree has the labels of the letters from `left` before to `right` after, 0 beyond
    the ends of the word, and then the numbers of the last `previous` chunks, the nearest first, see
    `tree_tables.chunks_of`, 0 before the first. Classes are units. Posteriors are those of weights
    to the power of 1 / `temperature`.
    """

    source: Side
    target: Side
    units: Units
    trees: tuple[Tree, ...]
    left: int
    right: int
    previous: int = 0
    name: str = "tree"
    beam: float = BEAM
    temperature: float = 1.0
    description: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def cold(self) -> Trees:
        """The trees as the kernels want them."""
        return self.tempered(1.0)

    @cached_property
    def warm(self) -> Trees:
        """The same at the temperature of the posteriors."""
        return self.cold if self.temperature == 1.0 else self.tempered(self.temperature)

    def tempered(self, temperature: float) -> Trees:
        window = {"left": self.left, "right": self.right, "previous": self.previous}
        return trees_of(self.trees, self.units, **window, temperature=temperature)

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        """Answers for a block of texts at once; items that fail are told in `failures`."""
        block = self.source.encode_all(texts)
        if n == 1 and self.previous == 0:
            found = self.decided(block.labels, block.bounds, spans=spans)
        else:
            found = self.searched(block.labels, block.bounds, n=n, spans=spans)
        return self.answers_of(texts, block, found, spans=spans)

    def decided(self, labels: Array, bounds: Array, *, spans: bool) -> batch.Block:
        """The best outputs where letters are decided alone."""
        kernels = jit.tier(tree_greedy, 2 * len(labels))
        costs, posteriors, offsets, written, units = kernels.decode(self.warm, labels, bounds)
        begins = ends = np.zeros(0, np.int32)
        if spans:
            trace = jit.tier(tree_decoding, 4 * len(labels)).all_spans
            begins, ends = trace(self.warm, units, bounds, offsets)
        n = len(costs)
        statuses, firsts = np.zeros(n, np.int8), np.arange(n + 1)
        return batch.Block(statuses, firsts, costs, posteriors, offsets, written, begins, ends)

    def searched(self, labels: Array, bounds: Array, *, n: int, spans: bool) -> batch.Block:
        """The n best outputs by a search of paths."""
        kernels = jit.tier(tree_decoding, 16 * len(labels))
        width = self.near(n) / self.temperature
        found = batch.Block(*kernels.decode(self.warm, labels, bounds, n, width, BUDGET, spans))
        found.costs[:] *= self.temperature
        return found

    def near(self, n: int = 1) -> float:
        """The beam; more than one answer needs more of the lattice."""
        return self.beam * (1.5 if n > 1 else 1.0)

    def lattice(self, text: str) -> Lattice:
        """All outputs for a text within the beam."""
        labels = np.array(self.source.encode(text).labels, np.int32)
        kernels = jit.tier(tree_decoding, 16 * len(labels))
        lattice: Lattice = kernels.lattice(self.cold, labels, self.near())
        return lattice

    def score(self, source: str, target: str, *, depth: int = DEPTH) -> Scored:
        """ln P of a pair, over all alignments, its best alignment, posterior and rank.

        The rank is that among the `depth` best outputs within the beam.
        """
        string = np.array(self.source.encode(source).labels, np.int32)
        output = np.array(self.target.encode(target).labels, np.int32)
        kernels = jit.tier(tree_decoding, 64 * len(string))
        _, mass, units = kernels.judge(self.cold, string, output)
        if math.isinf(mass):
            return IMPOSSIBLE
        share = -mass
        if self.temperature != 1.0:
            share = kernels.total(self.warm, string) - kernels.judge(self.warm, string, output)[1]
        rank = None
        if depth:
            found = self.searched(string, np.array([0, len(string)]), n=depth, spans=False)
            rows = zip(found.offsets, found.offsets[1:], strict=False)
            outputs = [found.labels[a:b].tolist() for a, b in rows]
            rank = outputs.index(output.tolist()) + 1 if output.tolist() in outputs else None
        posterior = min(1.0, math.exp(share))
        return Scored(-float(mass), posterior, self.alignment(units.tolist()), rank)

    def best_units(self, text: str, symbols: Sequence[str]) -> list[int]:
        """The units of the best path that writes some symbols; none if there is no path."""
        string = np.array(self.source.encode(text).labels, np.int32)
        output = np.array([self.target.symbols[symbol] for symbol in symbols], np.int32)
        units = jit.tier(tree_decoding, 16 * len(string)).judge(self.cold, string, output)[2]
        found: list[int] = units.tolist()
        return found

    def export_rules(self, number: int = 0) -> str:
        """One of the trees as rules, a line each: see `glyphone.tree_paths`."""
        from glyphone.tree_paths import rules_of

        return "".join(f"{rule}\n" for rule in rules_of(self, number))

    def alignment(self, units: Iterable[int]) -> Alignment:
        """Units in symbols."""
        read, written = self.source.decode, self.target.decode
        return Alignment(
            tuple((read(self.units.sources[u]), written(self.units.targets[u])) for u in units)
        )

    def exact(self) -> TreeModel:
        """The same without a beam."""
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
        window = (self.left, self.right, self.previous)
        settings = (self.source, self.target, window, self.temperature, self.beam)
        units = (self.units.sources, self.units.targets)
        crc = zlib.crc32(repr((settings, units)).encode("utf-8", "surrogatepass"))
        for tree in self.trees:
            crc = zlib.crc32(repr(tree.smoothing).encode(), crc)
            for array in (tree.nodes, tree.tables, tree.starts, tree.classes, tree.counts):
                crc = zlib.crc32(np.ascontiguousarray(array).tobytes(), crc)
        return f"{crc:08x}"

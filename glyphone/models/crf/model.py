"""A letter-to-sound model that is a conditional random field: all letters are decided together.

    P(y | x) = exp(sum over places t of s(t, y[t]) + e(t, y[t-1], y[t])) / Z(x)

A label y[t] is what letter t writes, none to a few symbols; or that it goes on with the unit that
began before it, where units read several letters. s and e are summed weights of windows of letters
around the place (Lavergne, Cappé and Yvon 2010). An output's probability is the sum over all labels
that write it, and so posteriors are exact.

>>> from glyphone.models.crf.training import CrfOptions, fit_crf
>>> from glyphone.data.records import Pair
>>> from glyphone.fst.alignment.training import AlignmentOptions
>>> lexicon = {"ca": "ka", "ci": "si", "co": "ko", "ici": "isi", "aca": "aka"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> one_to_one = AlignmentOptions(max_source=1, max_target=1)
>>> model = fit_crf(pairs, CrfOptions(alignment=one_to_one, rho1=0.1)).model
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
from glyphone.fst.alignment.units import Labels
from glyphone.fst.interface import directions as interface_directions
from glyphone.fst.interface.answers import Answers
from glyphone.fst.interface.codec import Side
from glyphone.fst.interface.model import BUDGET, IMPOSSIBLE, Learned, Scored, rank_of
from glyphone.fst.interface.reasons import Reasons, UnitUse
from glyphone.fst.lattices import block_kernels
from glyphone.fst.lattices.arrays import Lattice
from glyphone.models.crf import decoding_kernels
from glyphone.models.crf.arrays import Chain, Table, chain_of

# In nats. The n best are sure to be so whatever it is.
BEAM = 6.0
# How far down the n best `score` looks for the output that it is given.
DEPTH = 100

Array = Any


@dataclass(frozen=True, eq=False)
class CrfModel(Learned):
    """Outputs of the labels, the labels that `go_on` with a unit, and the labels of each letter.

    Posteriors are those of weights to the power of 1 / `temperature`. The `beam` is that of
    lattices alone.
    """

    kind: ClassVar[str] = "crf"

    source: Side
    target: Side
    chunks: tuple[Labels, ...]
    go_on: tuple[bool, ...]
    choices: tuple[Labels, ...]
    table: Table
    name: str = "crf"
    temperature: float = 1.0
    beam: float = BEAM
    description: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def chain(self) -> Chain:
        """The weights as the kernels want them."""
        return chain_of(self.table, choices=self.choices, chunks=self.chunks)

    @property
    def heat(self) -> float:
        return 1 / self.temperature

    def string(self, text: str) -> Array:
        """The labels of a text."""
        return np.array(self.source.encode(text).labels, np.int32)

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        """Answers for a block of texts at once; `failures` has the items that fail."""
        block = self.source.encode_all(texts, offsets=spans)
        block_answers = self.search(block.labels, block.bounds, n=n, spans=spans)
        return self.answers_of(texts, block, block_answers, spans=spans)

    def search(self, labels: Array, bounds: Array, *, n: int, spans: bool) -> block_kernels.Block:
        """The n best outputs of words end to end."""
        kernels = jit.tier(decoding_kernels, 16 * len(labels))
        found = block_kernels.Block(
            *kernels.decode(self.chain, labels, bounds, n, self.heat, self.beam, BUDGET, spans)
        )
        return interface_directions.turn_answers(found, bounds, backward=False, traced=spans)

    def propose(
        self, labels: Array, bounds: Array, least: int, most: int, margin: float
    ) -> tuple[Array, Array, Array]:
        """Outputs proposed to an ensemble: see `glyphone.fst.ensembles.judges`."""
        kernels = jit.tier(decoding_kernels, 16 * len(labels))
        found = block_kernels.Block(
            *kernels.propose_outputs(self.chain, labels, bounds, least, most, margin, BUDGET)
        )
        return found.firsts, found.offsets, found.labels

    def score_outputs(
        self, labels: Array, bounds: Array, firsts: Array, offsets: Array, outputs: Array
    ) -> Array:
        """ln P of outputs: see `glyphone.fst.ensembles.judges`."""
        kernels = jit.tier(decoding_kernels, 16 * len(labels) + 4 * len(outputs))
        scores: Array = kernels.score_outputs(self.chain, labels, bounds, firsts, offsets, outputs)
        return scores

    def lattice(self, text: str) -> Lattice:
        """All outputs for a text within the beam."""
        string = self.string(text)
        kernels = jit.tier(decoding_kernels, 16 * len(string))
        lattice: Lattice = kernels.output_lattice(self.chain, string, self.beam)
        return lattice

    def score(self, source: str, target: str, *, depth: int = DEPTH) -> Scored:
        """ln P of a pair, over all alignments, its best alignment, posterior and rank.

        The rank is that among the `depth` best outputs.
        """
        string, wanted = self.string(source), self.target.encode(target).labels
        output = np.array(wanted, np.int32)
        kernels = jit.tier(decoding_kernels, 64 * len(string))
        share, path = kernels.output_posterior(self.chain, string, output, 1.0)
        if not share > 0:
            return IMPOSSIBLE
        warm = share
        if self.temperature != 1.0:
            warm = kernels.output_posterior(self.chain, string, output, self.heat)[0]
        rank = None
        if depth:
            bounds = np.array([0, len(string)])
            rank = rank_of(wanted, self.search(string, bounds, n=depth, spans=False))
        units = self.alignment(string.tolist(), path.tolist())
        return Scored(math.log(share), float(min(1.0, warm)), units, rank)

    def path(self, text: str, symbols: Sequence[str]) -> list[int]:
        """The labels of the best path that writes some symbols; none if there is no path."""
        string = self.string(text)
        output = np.array([self.target.symbols[symbol] for symbol in symbols], np.int32)
        kernels = jit.tier(decoding_kernels, 16 * len(string))
        path: list[int] = kernels.output_posterior(self.chain, string, output, 1.0)[1].tolist()
        return path

    def reasons(self, text: str, hypothesis: Hypothesis) -> Reasons:
        """The units of the best path to an answer, and the windows that speak most for each."""
        from glyphone.models.crf.reasons import reasons_of_path

        path = self.path(text, hypothesis.symbols)
        string = self.string(text).tolist()
        read, written = self.source.join, self.target.join
        rows = zip(
            reasons_of_path(self, string, path), self.alignment(string, path).units, strict=True
        )
        return Reasons(
            tuple(
                UnitUse(read(x), written(y), why.cost, because=why.windows) for why, (x, y) in rows
            )
        )

    def alignment(self, letters: Iterable[int], path: Iterable[int]) -> Alignment:
        """Letters with their labels as units of symbols."""
        units: list[tuple[Symbols, Symbols]] = []
        for letter, label in zip(self.source.decode(letters), path, strict=True):
            if self.go_on[label] and units:
                units[-1] = ((*units[-1][0], letter), units[-1][1])
            else:
                units.append(((letter,), self.target.decode(self.chunks[label])))
        return Alignment(tuple(units))

    def exact(self) -> CrfModel:
        """The model with lattices of all outputs."""
        return replace(self, beam=math.inf)

    def invert(self) -> NoReturn:
        raise GlyphoneError(
            "a conditional random field has no inverse: it knows nothing of how letters come about",
            stage=self.name,
            remedy="train a model on the lexicon with its columns exchanged",
        )

    def failure(self, text: str, status: int) -> ItemError:
        return NoOutput("no output", item=text, stage=self.name)

    def fingerprint(self) -> str:
        """A checksum of everything that the answers depend on."""
        labels = (self.chunks, self.go_on, self.choices, self.table.windows)
        settings = (self.source, self.target, labels, self.temperature, self.beam)
        crc = zlib.crc32(repr(settings).encode("utf-8", "surrogatepass"))
        for name, column in vars(self.table).items():
            if name != "windows":
                crc = zlib.crc32(np.ascontiguousarray(column).tobytes(), crc)
        return f"{crc:08x}"

"""A joint model: an n-gram model over units that read letters and write phones together.

    P(x, y) = sum over units u1 ... un that read x and write y of P(u1) P(u2 | u1) ...

(Deligne, Yvon and Bimbot 1995; Bisani and Ney 2008). The best output of x is that of its best
sequence of units, found by dynamic programming over n-gram states. `beam` gives up partial
sequences that are e to the -beam times as probable as the best one of the same length; with
`beam=math.inf` none is given up, and the answer is proven to be the best.

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.joint.training import train_joint
>>> words = [(("p", "f"), ("h", "")), (("p", "p"), ("i", "i")), (("p", "f"), ("h", ""), ("i", "i"))]
>>> rows = [Alignment(tuple(((x,), tuple(y)) for x, y in word)) for word in words]
>>> model = train_joint(rows, source=Writing(), target=Writing(), order=2)
>>> model("phi").output, model.score("pi", "pi").alignment.units
('fi', ((('p',), ('p',)), (('i',), ('i',))))
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from glyphone.data.errors import ItemError, NoOutput
from glyphone.data.kernels import jit
from glyphone.data.records import Alignment, Hypothesis, Pair
from glyphone.fst.alignment.units import Units
from glyphone.fst.context.windows import WindowModel
from glyphone.fst.interface.answers import Answers
from glyphone.fst.interface.codec import Side
from glyphone.fst.interface.model import IMPOSSIBLE, Learned, Scored
from glyphone.fst.interface.reasons import Reasons
from glyphone.fst.joint.kernels import decoding as joint_decoding
from glyphone.fst.joint.kernels import lattices
from glyphone.fst.joint.kernels.arrays import Beam, Joint
from glyphone.fst.joint.search import arrays_of, decode_strings
from glyphone.fst.joint.sums import answers as summed
from glyphone.fst.joint.sums.lists import ArcLists, arc_lists
from glyphone.fst.lattices import block_kernels
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.ngrams.counts import flatten
from glyphone.fst.ngrams.model import NgramModel
from glyphone.fst.ngrams.states import renumber_words

# In nats of n-grams. With windows nine tenths of it will do, and units are passed over that these
# alone set back by a quarter of it. What that loses is measured in benchmarks/beam.py.
BEAM, WINDOW_BEAM, WINDOW_REACH = 10.0, 0.9, 0.25
# How far down the n best `score` looks for the output that it is given.
DEPTH = 1000
# How many units that read nothing an inverted model takes in a row.
INSERTIONS = 3

Array = Any


@dataclass(frozen=True, eq=False)
class JointModel(Learned):
    """Units, numbered like the words of the n-gram model, and how both sides are written.

    With `windows` the weight of a sequence of units is no longer P(x, y), but

        P(units)^a * product over the letters of P(unit | letters around)^b

    Posteriors are those of weights to the power of 1 / `temperature`, which is fitted on held-out
    words so that they are calibrated. `insertions` is how many units that read nothing may follow
    one another. If `summed`, the best output is that of the greatest sum over all sequences of
    units, as is right where several of them are one name by different parts of a mixture; it is
    found for certain, whatever the beam, if every unit writes one symbol.
    """

    kind: ClassVar[str] = "joint"

    source: Side
    target: Side
    units: Units
    ngrams: NgramModel
    name: str = "joint"
    insertions: int = 0
    temperature: float = 1.0
    beam: float = BEAM
    windows: WindowModel | None = None
    summed: bool = False
    description: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def joint(self) -> Joint:
        """The arrays of the model for kernels."""
        return self.arrays_at(1.0)

    @cached_property
    def warm_joint(self) -> Joint:
        """The arrays of the model at the temperature of its posteriors."""
        return self.joint if self.temperature == 1.0 else self.arrays_at(self.temperature)

    @cached_property
    def sum_lists(self) -> ArcLists | None:
        """The lists by which outputs are summed up without a beam, where that is possible."""
        return arc_lists(self.warm_joint) if summed.applies(self.warm_joint) else None

    def arrays_at(self, temperature: float) -> Joint:
        parts = (self.units, self.ngrams, self.windows)
        return arrays_of(
            *parts, insertions=self.insertions, temperature=temperature, summed=self.summed
        )

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        """Answers for a block of texts at once; `failures` lists items without an answer."""
        block = self.source.encode_all(texts, offsets=spans)
        if self.sum_lists is None:
            beam = self.beam_for(n=n, temperature=self.temperature)
            found = decode_strings(
                self.warm_joint, block.labels, block.bounds, n=n, beam=beam, spans=spans
            )
        else:
            arrays = (self.warm_joint, self.sum_lists, block.labels, block.bounds)
            found = summed.decoded(*arrays, n=n, spans=spans)
        found.costs[:] *= self.temperature
        return self.answers_of(texts, block, found, spans=spans)

    def lattice(self, text: str) -> Lattice:
        """All outputs for a text within the beam; NoOutput if there are none."""
        labels = np.array(self.source.encode(text).labels, np.int32)
        kernels = jit.tier(lattices, 16 * len(labels))
        lattice: Lattice = kernels.output_lattice(self.joint, labels, self.beam_for())
        if lattice.n_states <= 0:
            raise self.failure(text, block_kernels.NO_PATH)
        return lattice

    def beam_for(self, *, n: int = 1, temperature: float = 1.0) -> Beam:
        """The beam in nats of the weights of paths; `beam` is in nats of n-grams alone.

        More than one answer needs more of the lattice, or rivals of the lower ones would be lost.
        """
        beam = self.beam * (1.5 if n > 1 else 1.0)
        if self.windows is None:
            return Beam(beam / temperature, math.inf)
        share = max(self.windows.ngram_share, self.windows.window_share)
        width = WINDOW_BEAM * share * beam / temperature
        return Beam(width, WINDOW_REACH * beam / max(self.windows.window_share, 1e-9))

    def score(self, source: str, target: str, *, depth: int = DEPTH) -> Scored:
        """ln P of a pair, over all alignments, its best alignment, posterior and rank."""
        pair = (self.source.encode(source).labels, self.target.encode(target).labels)
        (scored,) = self.score_labels([pair], depth=depth)
        if math.isinf(scored.log_probability):
            return scored
        return replace(scored, alignment=self.alignment(self.best_units([pair])[0]))

    def score_labels(self, pairs: Sequence[LabelPair], *, depth: int = 0) -> list[Scored]:
        """ln P, posterior and rank of many pairs of labels, without alignments."""
        xs, x_bounds = flatten([x for x, _ in pairs])
        ys, y_bounds = flatten([y for _, y in pairs])
        kernels = jit.tier(joint_decoding, 64 * len(xs))
        arrays = (xs, x_bounds, ys, y_bounds)
        _, masses, totals, ranks = kernels.score_pairs(self.warm_joint, *arrays, depth)
        shares = shares_of_masses(masses, totals)
        if self.temperature != 1.0:
            _, masses, totals, _ = kernels.score_pairs(self.joint, *arrays, 0)
        if self.windows is not None:
            masses = np.where(np.isinf(masses), masses, masses - totals)
        rows = zip(masses.tolist(), shares.tolist(), ranks.tolist(), strict=True)
        return [
            IMPOSSIBLE if math.isinf(mass) else Scored(-mass, share, Alignment(()), rank or None)
            for mass, share, rank in rows
        ]

    def score_pairs(
        self, pairs: Sequence[tuple[str, str]], *, aligned: bool = False
    ) -> list[Scored | ItemError]:
        """ln P and posterior of pairs, all at once, and their best alignments if asked for."""
        labels = [(self.source.encode(x).labels, self.target.encode(y).labels) for x, y in pairs]
        scores = self.score_labels(labels)
        if not aligned:
            return [*scores]
        return [
            replace(score, alignment=self.alignment(units)) if units else score
            for score, units in zip(scores, self.best_units(labels), strict=True)
        ]

    def reasons(self, text: str, hypothesis: Hypothesis) -> Reasons:
        """The units of the best path to an answer, with their costs."""
        from glyphone.fst.joint import reasons as joint_reasons

        return Reasons(joint_reasons.units_used(self, text, hypothesis))

    def best_units(self, pairs: Sequence[LabelPair]) -> list[list[int]]:
        """The units of the best alignment of each pair of labels; none if there is no alignment."""
        xs, x_bounds = flatten([x for x, _ in pairs])
        ys, y_bounds = flatten([y for _, y in pairs])
        kernels = jit.tier(joint_decoding, 16 * len(xs))
        units, bounds = kernels.best_units(self.joint, xs, x_bounds, ys, y_bounds)
        cuts = bounds.tolist()
        return [units[a:b].tolist() for a, b in pairwise(cuts)]

    def alignment(self, units: Iterable[int]) -> Alignment:
        """Units in symbols."""
        decode_source, decode_target = self.source.decode, self.target.decode
        return Alignment(
            tuple(
                (decode_source(self.units.sources[u]), decode_target(self.units.targets[u]))
                for u in units
            )
        )

    def labels_of(self, pair: Pair) -> LabelPair | None:
        """A pair in labels, or None if it has a symbol that the model does not know."""
        source = [self.source.symbols.get(symbol, 0) for symbol in pair.source]
        target = [self.target.symbols.get(symbol, 0) for symbol in pair.target]
        return None if 0 in source or 0 in target else (source, target)

    def invert(self) -> JointModel:
        """The model from outputs to inputs: sounds to letters.

        A letter that is silent here is written without reading there, at most three in a row.
        Windows know nothing of this direction and are left out.
        """
        units = self.units.swap_sides(n_labels=len(self.target.symbols) + 1)
        pairs = zip(self.units.sources, self.units.targets, strict=True)
        numbers = np.array([units.numbers[y, x] for x, y in pairs], np.int32)
        silent = () in units.sources
        return replace(
            self,
            source=self.target,
            target=self.source,
            units=units,
            ngrams=renumber_words(self.ngrams, numbers),
            name=f"{self.name} inverted",
            insertions=INSERTIONS if silent else 0,
            windows=None,
        )

    def exact(self) -> JointModel:
        """The model without a beam: every best path is proven to be the best."""
        return replace(self, beam=math.inf)

    def failure(self, text: str, status: int) -> ItemError:
        return NoOutput(
            "no output",
            item=text,
            stage=self.name,
            remedy="every symbol is known, but no units read them in this order",
        )

    def fingerprint(self) -> str:
        """A checksum of everything that the answers depend on."""
        settings: tuple[object, ...]
        settings = (self.source, self.target, self.insertions, self.temperature, self.beam)
        settings += (self.summed,) if self.summed else ()
        units = (self.units.sources, self.units.targets)
        crc = zlib.crc32(repr((settings, units)).encode("utf-8", "surrogatepass"))
        arrays = (*self.ngrams.ngrams, *(() if self.windows is None else self.windows.windows[:-1]))
        for array in arrays:
            crc = zlib.crc32(np.ascontiguousarray(array).tobytes(), crc)
        return f"{crc:08x}"


LabelPair = tuple[Sequence[int], Sequence[int]]


def shares_of_masses(masses: Array, totals: Array) -> Array:
    possible = np.isfinite(masses)
    shares = np.zeros(len(masses))
    shares[possible] = np.exp(np.minimum(0.0, totals[possible] - masses[possible]))
    return shares

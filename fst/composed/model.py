"""A joint model and the stages behind it, as one model: letters to phones, phones to a script.

    P(z | x) is proportional to prior(z) * sum over y that transducers write as z of P(y | x)

They are composed in one lattice: n best outputs, posteriors and scores are those of the whole, and
strings that the transducers refuse, a phonotactics for instance, are no output. The prior gives
weights to words without their spelling: `glyphone.fst.composed.vocabulary`, or
`glyphone.fst.composed.letters`.

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.joint.training import train_joint
>>> from glyphone.fst.rules.cascade import cascade
>>> rows = [Alignment(((("h",), ("x",)), (("i",), (phone,)))) for phone in "iij"]
>>> joint = train_joint(rows, source=Writing(), target=Writing("token"), order=1)
>>> script = cascade(letters="x i j", phones="х и", rules="x i -> х и", partial=True)
>>> model = ComposedModel(joint, TransducerModel.of(script))
>>> model("hi").output, model("hi").posterior
('х и', 1.0)
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from glyphone.data.errors import CycleError, GlyphoneError, ItemError, NoOutput
from glyphone.data.kernels import jit
from glyphone.fst.composed import decoding_kernels as composed_decoding_kernels
from glyphone.fst.composed.arrays import Behind, Prior, arrays_of, cycle_of, stages_of
from glyphone.fst.interface import scores as interface_scores
from glyphone.fst.interface.answers import Answers
from glyphone.fst.interface.codec import Side
from glyphone.fst.interface.model import BUDGET, Model, Scored
from glyphone.fst.joint.kernels.arrays import Beam
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.search import run_kernel
from glyphone.fst.lattices import block_kernels
from glyphone.fst.lattices import path_kernels as lattice_path_kernels
from glyphone.fst.lattices import sum_kernels as lattice_sum_kernels
from glyphone.fst.lattices.arrays import CYCLIC, Lattice
from glyphone.fst.transducers.model import TransducerModel

# Outputs that a prior prefers may be far from the best of the joint model.
PRIOR_BEAM = 1.25


@dataclass(frozen=True, eq=False)
class ComposedModel(Model):
    """A joint model; a model `then` may read its output, and a `prior` may weigh the words."""

    joint: JointModel
    then: TransducerModel | None = None
    name: str = "composed"
    prior: Prior | None = None
    source: Side = field(init=False)
    target: Side = field(init=False)

    def __post_init__(self) -> None:
        written = self.joint.target if self.then is None else self.then.target
        object.__setattr__(self, "source", replace(self.joint.source, stage=self.name))
        object.__setattr__(self, "target", replace(written, stage=self.name))

    @cached_property
    def behind(self) -> Behind:
        """The stages behind the joint model, as arrays for kernels."""
        return self.behind_at(1.0)

    @cached_property
    def warm_behind(self) -> Behind:
        """The stages behind the joint model at the temperature of the posteriors."""
        temperature = self.joint.temperature
        return self.behind if temperature == 1.0 else self.behind_at(temperature)

    def behind_at(self, temperature: float) -> Behind:
        return arrays_of(self.joint.target, self.then, self.prior, temperature=temperature)

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        """Answers for a block of texts at once; `failures` lists items without an answer."""
        block, model = self.source.encode_all(texts, offsets=spans), self.joint
        kernels = jit.tier(composed_decoding_kernels, 32 * len(block.labels))
        beam = self.beam_for(n=n, temperature=model.temperature)
        arrays = (model.warm_joint, self.warm_behind)
        found = run_kernel(
            model.warm_joint,
            block.labels,
            block.bounds,
            lambda strings, cuts, scratch: kernels.decode(
                *arrays, strings, cuts, n, beam, BUDGET, spans, scratch
            ),
        )
        found.costs[:] *= model.temperature
        return self.answers_of(texts, block, found, spans=spans)

    def beam_for(self, *, n: int = 1, temperature: float = 1.0) -> Beam:
        """The beam of the joint model, wider in front of a prior."""
        width, reach = self.joint.beam_for(n=n, temperature=temperature)
        factor = 1.0 if self.prior is None else PRIOR_BEAM
        return Beam(factor * width, factor * reach)

    def lattice(self, text: str) -> Lattice:
        """All outputs for a text within the beam; NoOutput if there are none."""
        return self.lattice_at(text, 1.0)

    def lattice_at(self, text: str, temperature: float) -> Lattice:
        """All outputs for a text within the beam at a temperature: 1, or that of the posteriors."""
        labels = np.array(self.source.encode(text).labels, np.int32)
        kernels = jit.tier(composed_decoding_kernels, 32 * len(labels))
        cold, model = temperature == 1.0, self.joint
        joint, behind = (model.joint, self.behind) if cold else (model.warm_joint, self.warm_behind)
        beam = self.beam_for(temperature=temperature)
        lattice: Lattice = kernels.output_lattice(joint, behind, labels, beam)
        if lattice.n_states <= 0:
            status = block_kernels.CYCLE if lattice.n_states == CYCLIC else block_kernels.NO_PATH
            raise self.failure(text, status)
        return lattice

    def score(self, source: str, target: str) -> Scored:
        """ln of the weight of a pair, over all its paths, its share, and its best alignment."""
        exact, temperature = self.exact(), self.joint.temperature
        scored = interface_scores.score_pair(exact, source, target)
        if temperature == 1.0 or math.isinf(scored.log_probability):
            return scored
        lattice = exact.lattice_at(source, temperature)
        written = np.array(self.target.encode(target).labels, np.int32)
        _, _, mass = lattice_path_kernels.trace_output(lattice, written)
        total = lattice_sum_kernels.backward_sums(lattice)[1][0]
        return replace(scored, posterior=math.exp(min(0.0, total - mass)))

    def invert(self) -> Model:
        raise GlyphoneError(
            "cannot be inverted",
            stage=self.name,
            remedy="train a model of the other direction",
        )

    def exact(self) -> ComposedModel:
        return replace(self, joint=self.joint.exact())

    def failure(self, text: str, status: int) -> ItemError:
        if status == block_kernels.CYCLE:
            stages = stages_of(self.joint.target, self.then)
            loop = cycle_of(self.joint.lattice(text), self.behind, stages)
            names = [self.target.names.get(label, str(label)) for label in loop if label]
            return CycleError(
                f"infinitely many outputs: nothing is read while {' '.join(names) or 'nothing'} "
                "is written again and again",
                item=text,
                stage=self.name,
                remedy="let no transducer behind the model write in a circle without reading",
            )
        reason = "no units read them" if self.then is None else "no output of the joint model is"
        ending = "in this order" if self.then is None else "well-formed"
        return NoOutput(
            "no output",
            item=text,
            stage=self.name,
            remedy=f"every symbol is known, but {reason} {ending}",
        )

    def fingerprint(self) -> str:
        """A checksum of everything that the answers depend on."""
        parts = [part.fingerprint() for part in (self.joint, self.then, self.prior) if part]
        return f"{zlib.crc32(' '.join(parts).encode()):08x}"

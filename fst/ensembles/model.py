"""An ensemble: several models propose outputs, all of them score each, and a reranker decides.

    ln P(y | x) = sum over models m of a(m) s(m, x, y) + weights of features of y - constant(x)

over the distinct outputs that are proposed. s(m, x, y) is ln of the weight of y by model m, less
that of the best output on the list: see `glyphone.fst.ensembles.panel`. The members are joint
models of several alignments, directions and samples of the lexicon; beside them may stand models
of histories, which propose nothing, and judges of other kinds.

Posteriors are shares of these outputs, see `glyphone.fst.ensembles.reranking.posteriors`. They are
those of P to the power of 1 / `temperature`.

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.joint.training import train_joint
>>> rows = [Alignment(((("p",), ("f",)), (("i",), (phone,)))) for phone in "iiij"]
>>> one, other = (train_joint(rows, source=Writing(), target=Writing(), order=n) for n in (1, 2))
>>> model = EnsembleModel.of([Member(one), Member(other)])
>>> [best.output for best in model.nbest("pi")]
['fi', 'fj']
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from glyphone.data.errors import GlyphoneError, ItemError, NoOutput
from glyphone.data.kernels import jit
from glyphone.data.records import Alignment
from glyphone.fst.context.histories import HistoryModel
from glyphone.fst.ensembles import early_answers, union_kernels
from glyphone.fst.ensembles.early_answers import NEVER
from glyphone.fst.ensembles.judges import Judge
from glyphone.fst.ensembles.jury import DEFAULT_REACH, Proposals
from glyphone.fst.ensembles.panel import MARGIN, Member, Panel, ScoredOutputs
from glyphone.fst.ensembles.reranking.feature_kernels import NOTHING
from glyphone.fst.ensembles.reranking.model import Reranker
from glyphone.fst.ensembles.reranking.posteriors import MISSING, log_probabilities
from glyphone.fst.interface.answers import Answers
from glyphone.fst.interface.codec import Side
from glyphone.fst.interface.model import IMPOSSIBLE, Learned, Scored
from glyphone.fst.joint.model import JointModel
from glyphone.fst.lattices import block_kernels
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.lattices.block_kernels import Block
from glyphone.fst.lattices.block_order import concatenate_blocks, places_of_rows, restore_order

# How many outputs each model proposes at most, unless more are asked for.
DEPTH = 10

Array = Any


@dataclass(frozen=True, eq=False)
class EnsembleModel(Learned):
    """Members, models of histories over the units of the first, and the reranker.

    The first member reads forward; its sides are those of the ensemble. The reranker has a share of
    each member, then of each model of histories, then of each judge. `vowels` are letters, for its
    features. Where the best output of the first member has the share `sure` of its mass, it is the
    answer: see `glyphone.fst.ensembles.early_answers`. Judges that propose nothing score outputs
    within `reach` of the best: see `glyphone.fst.ensembles.jury`. Each model proposes `depth`
    outputs at most, all within a `margin` of its best, in nats.
    """

    kind: ClassVar[str] = "ensemble"

    members: tuple[Member, ...]
    histories: tuple[HistoryModel, ...]
    reranker: Reranker
    vowels: frozenset[str] = frozenset()
    name: str = "ensemble"
    temperature: float = 1.0
    depth: int = DEPTH
    description: Mapping[str, Any] = field(default_factory=dict)
    judges: tuple[Judge, ...] = ()
    sure: float = NEVER
    missing: float = MISSING
    reach: float = DEFAULT_REACH
    margin: float = MARGIN

    @classmethod
    def of(
        cls,
        members: Sequence[Member],
        histories: Sequence[HistoryModel] = (),
        reranker: Reranker | None = None,
        **settings: Any,
    ) -> EnsembleModel:
        """An ensemble with this reranker, or with equal shares of all models."""
        n = len(members) + len(histories) + len(settings.get("judges", ()))
        if not members or members[0].backward:
            raise GlyphoneError("an ensemble needs a first member that reads forward")
        if reranker is None:
            reranker = Reranker(np.full(n, 1.0 / n))
        return cls(tuple(members), tuple(histories), reranker, **settings)

    @property
    def first(self) -> JointModel:
        return self.members[0].model

    @property
    def source(self) -> Side:  # type: ignore[override]
        return replace(self.first.source, stage=self.name)

    @property
    def target(self) -> Side:  # type: ignore[override]
        return replace(self.first.target, stage=self.name)

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        """Answers for a block of texts at once; `failures` lists items without an answer."""
        block = self.source.encode_all(texts, offsets=spans)
        found = self.answer_strings(block.labels, block.bounds, n=n, spans=spans)
        return self.answers_of(texts, block, found, spans=spans)

    def answer_strings(self, labels: Array, bounds: Array, *, n: int, spans: bool) -> Block:
        """Answers for strings of labels: by the first member where it is sure, else by all."""
        if self.sure > 1:
            return self.answer_by_all(labels, bounds, n=n, spans=spans)
        found = self.ask_first(labels, bounds, n, spans=spans)
        sure = early_answers.best_shares(found) >= self.sure
        items, others = np.flatnonzero(sure), np.flatnonzero(~sure)
        early = early_answers.sure_answers(
            self.first, labels, bounds, found, items, n=n, spans=spans
        )
        places, own = places_of_rows(bounds, others)
        proposals = early_answers.proposals_for(found, others)
        late = self.answer_by_all(labels[places], own, n=n, spans=spans, by_first=proposals)
        return restore_order(concatenate_blocks(early, late), np.concatenate([items, others]))

    def ask_first(self, labels: Array, bounds: Array, n: int = 1, *, spans: bool = False) -> Block:
        """The answers of the first member where it is sure, elsewhere its proposals."""
        return early_answers.answers_or_proposals(
            self.first,
            labels,
            bounds,
            sure=self.sure,
            most=max(n, self.depth),
            margin=self.margin,
            spans=spans,
        )

    def answer_by_all(
        self,
        labels: Array,
        bounds: Array,
        *,
        n: int,
        spans: bool,
        by_first: Proposals | None = None,
    ) -> Block:
        """Answers of all models; `by_first` are the proposals of the first member, where known."""
        paths = self.reranker.level != NOTHING
        scored = self.score_proposals(labels, bounds, n, by_first=by_first, paths=paths)
        firsts = scored.lists.firsts
        costs, posteriors = self.costs_and_posteriors(scored)
        # Equal outputs stand in the order in which they are proposed.
        items = np.repeat(np.arange(len(firsts) - 1), np.diff(firsts))
        order = np.lexsort((costs, items))
        order = order[np.arange(len(order)) - firsts[items] < n]
        counts = np.minimum(np.diff(firsts), n)
        kept = np.concatenate([[0], np.cumsum(counts)])
        written, offsets = places_of_rows(scored.offsets, order)
        begins = ends = np.zeros(0, np.int32)
        outputs = scored.outputs[written]
        if spans:
            if scored.has_paths:
                places, path_bounds = places_of_rows(scored.path_bounds, order)
                units = scored.units[places]
            else:
                arrays = (labels, bounds, kept, offsets, outputs)
                units, path_bounds = self.panel.best_paths(*arrays)
            kernels = jit.tier(union_kernels, 0)
            begins, ends = kernels.path_spans(
                self.first.joint, labels, bounds, kept, offsets, units, path_bounds
            )
        statuses = np.where(counts == 0, block_kernels.NO_PATH, block_kernels.OK).astype(np.int8)
        return Block(
            statuses, kept, costs[order], posteriors[order], offsets, outputs, begins, ends
        )

    def costs_and_posteriors(self, scored: ScoredOutputs) -> tuple[Array, Array]:
        """-ln P of each output, and its posterior."""
        totals, arrays = self.reranker.totals(scored.lists), (scored.lists.firsts, scored.near)
        costs = -log_probabilities(totals, *arrays, self.missing)
        warm = totals / self.temperature
        return costs, np.exp(log_probabilities(warm, *arrays, self.missing))

    @cached_property
    def panel(self) -> Panel:
        return Panel(
            self.members, self.histories, self.vowels, self.judges, self.reach, self.margin
        )

    def score_proposals(
        self,
        labels: Array,
        bounds: Array,
        n: int = 1,
        *,
        given: Sequence[Sequence[int]] | None = None,
        by_first: Proposals | None = None,
        whole: bool = False,
        paths: bool = True,
    ) -> ScoredOutputs:
        """Proposals for strings of labels, and `given` outputs, one for each, scored by all models.

        If `whole`, late judges score outputs without a rival within reach, too.
        """
        return self.panel.score_proposals(
            labels,
            bounds,
            n,
            max(n, self.depth),
            given=given,
            by_first=by_first,
            ranker=None if whole else self.reranker,
            paths=paths,
        )

    def lattice(self, text: str) -> Lattice:
        """All outputs for a text by the first member; NoOutput if there are none."""
        return self.first.lattice(text)

    def score(self, source: str, target: str) -> Scored:
        """ln P of a pair, its best alignment by the first member, its posterior and its rank.

        An output that is not proposed has the posterior of one that is far from the best.
        """
        letters = np.array(self.source.encode(source).labels, np.int32)
        phones = self.target.encode(target).labels
        strings = (letters, np.array([0, len(letters)]))
        found = self.ask_first(*strings)
        if early_answers.best_shares(found) >= self.sure:
            return self.score_by_first(source, target)
        by_first = early_answers.proposals_for(found, np.zeros(1, np.int64))
        scored = self.score_proposals(*strings, self.depth, given=[phones], by_first=by_first)
        bounds = pairwise(scored.offsets.tolist())
        k = [scored.outputs[a:b].tolist() for a, b in bounds].index(list(phones))
        if not scored.possible[k]:
            return IMPOSSIBLE
        costs, posteriors = self.costs_and_posteriors(scored)
        path = scored.units[scored.path_bounds[k] : scored.path_bounds[k + 1]]
        rank = 1 + int(np.argsort(costs, kind="stable").tolist().index(k))
        alignment = self.first.alignment(path.tolist()) if len(path) else Alignment(())
        return Scored(-float(costs[k]), float(posteriors[k]), alignment, rank)

    def score_by_first(self, source: str, target: str) -> Scored:
        """A pair scored by the first member, whose posterior is the probability."""
        found = self.first.score(source, target, depth=0)
        if not found.posterior:
            return found
        outputs = [one.output for one in self.nbest(source, self.depth)]
        written = self.target.join(self.target.decode(self.target.encode(target).labels))
        rank = outputs.index(written) + 1 if written in outputs else None
        return replace(found, log_probability=math.log(found.posterior), rank=rank)

    def invert(self) -> EnsembleModel:
        """The ensemble of inverted members; other models and features are of one direction only."""
        members = tuple(member.invert() for member in self.members)
        # A share below zero takes back what a judge that is left out counts twice.
        shares = np.maximum(self.reranker.shares[: len(members)], 0.0)
        return replace(
            self,
            members=members,
            histories=(),
            judges=(),
            reranker=Reranker(shares if shares.any() else np.full(len(members), 1.0)),
            name=f"{self.name} inverted",
            vowels=frozenset(),
            sure=NEVER,
        )

    def exact(self) -> EnsembleModel:
        """The ensemble with members without a beam; its outputs are still those they propose."""
        members = tuple(replace(one, model=one.model.exact()) for one in self.members)
        return replace(self, members=members)

    def failure(self, text: str, status: int) -> ItemError:
        return NoOutput(
            "no output",
            item=text,
            stage=self.name,
            remedy="every symbol is known, but no member has units that read them in this order",
        )

    def fingerprint(self) -> str:
        """A checksum of everything that the answers depend on."""
        ranker = self.reranker
        settings = [
            [[member.model.fingerprint(), member.backward] for member in self.members],
            [sorted(self.vowels), self.temperature, self.depth, ranker.level, self.missing],
            *([judge.fingerprint() for judge in self.judges] for _ in self.judges[:1]),
            *([self.sure] if self.sure <= 1 else []),
            *([self.reach] if self.reach != DEFAULT_REACH else []),
            *(["margin", self.margin] if self.margin != MARGIN else []),
            *([n for n, one in enumerate(self.members) if not one.proposes]),
        ]
        crc = zlib.crc32(json.dumps(settings).encode())
        arrays = [ranker.shares, ranker.weights]
        for model in self.histories:
            arrays += [model.slots, model.counts, model.candidates, model.weights, model.places]
            arrays += [model.vowels, np.array([model.bits, model.backward])]
        for array in arrays:
            crc = zlib.crc32(np.ascontiguousarray(array).tobytes(), crc)
        return f"{crc:08x}"

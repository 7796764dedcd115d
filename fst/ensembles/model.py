"""An ensemble: several models propose outputs, all of them judge each, and a reranker decides.

    ln P(y | x) = sum over models m of a(m) s(m, x, y) + what the reranker says of y - constant(x)

over the union of the outputs that members propose. s(m, x, y) is ln of the weight of y by model m,
behind that of the best output on the list: see `glyphone.fst.ensembles.panel`. The members are
joint models of several alignments, directions and samples of the lexicon, and some of the models
may be models of histories, which propose nothing, or judges of other kinds.

Posteriors are shares of the union, see `glyphone.fst.ensembles.reranking.posteriors`. They are
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
from glyphone.fst.ensembles.jury import OPEN
from glyphone.fst.ensembles.panel import MARGIN, Member, Panel, Union
from glyphone.fst.ensembles.reranking.feature_kernels import NOTHING
from glyphone.fst.ensembles.reranking.model import Reranker, cut
from glyphone.fst.ensembles.reranking.posteriors import MISSING, log_probabilities
from glyphone.fst.interface.answers import Answers
from glyphone.fst.interface.codec import Side
from glyphone.fst.interface.model import IMPOSSIBLE, Learned, Scored
from glyphone.fst.joint.model import JointModel
from glyphone.fst.lattices import block_kernels
from glyphone.fst.lattices.block_kernels import Block
from glyphone.fst.lattices.block_order import end_to_end, put_back
from glyphone.fst.lattices.kernels import Lattice

# How many outputs each member proposes at most, unless more are asked for.
DEPTH = 10

Array = Any


@dataclass(frozen=True, eq=False)
class EnsembleModel(Learned):
    """Members, models of histories over the units of the first, and the reranker.

    The first member reads forward; its sides are those of the ensemble. The reranker has a share of
    each member, then of each model of histories, then of each judge. `vowels` are letters, for its
    features. If the best output of the first member has the share `sure` of its mass, it is
    answered without more ado: see `glyphone.fst.ensembles.early_answers`. Judges that propose
    nothing are asked of outputs within `reach` of the best: see `glyphone.fst.ensembles.jury`. Each
    member proposes `depth` outputs at most, and what is within a `margin` of its best, in nats.
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
    reach: float = OPEN
    margin: float = MARGIN

    @classmethod
    def of(
        cls,
        members: Sequence[Member],
        histories: Sequence[HistoryModel] = (),
        reranker: Reranker | None = None,
        **settings: Any,
    ) -> EnsembleModel:
        """With equal shares, if there is no reranker that says otherwise."""
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
        """Answers for a block of texts at once; items that fail are told in `failures`."""
        block = self.source.encode_all(texts)
        found = self.searched(block.labels, block.bounds, n=n, spans=spans)
        return self.answers_of(texts, block, found, spans=spans)

    def searched(self, labels: Array, bounds: Array, *, n: int, spans: bool) -> Block:
        """Answers for strings of labels: by the first member where it is sure, else by all."""
        if self.sure > 1:
            return self.weighed(labels, bounds, n=n, spans=spans)
        best = early_answers.best_of(self.first, labels, bounds, spans=spans)
        sure = early_answers.shares_of(best) >= self.sure
        items, others = np.flatnonzero(sure), np.flatnonzero(~sure)
        early = early_answers.sure_answers(
            self.first, labels, bounds, best, items, n=n, spans=spans
        )
        places, own = cut(bounds, others)
        late = self.weighed(labels[places], own, n=n, spans=spans)
        return put_back(end_to_end(early, late), np.concatenate([items, others]))

    def weighed(self, labels: Array, bounds: Array, *, n: int, spans: bool) -> Block:
        """Answers by all, whoever is sure."""
        union = self.union(labels, bounds, n, paths=self.reranker.level != NOTHING)
        firsts = union.lists.firsts
        costs, posteriors = self.ranked(union)
        # Equal ones stand in the order in which they are proposed.
        items = np.repeat(np.arange(len(firsts) - 1), np.diff(firsts))
        order = np.lexsort((costs, items))
        order = order[np.arange(len(order)) - firsts[items] < n]
        counts = np.minimum(np.diff(firsts), n)
        kept = np.concatenate([[0], np.cumsum(counts)])
        written, offsets = cut(union.offsets, order)
        begins = ends = np.zeros(0, np.int32)
        outputs = union.outputs[written]
        if spans:
            paths = self.panel.paths(labels, bounds, kept, offsets, outputs)
            kernels, arrays = jit.tier(union_kernels, 0), (labels, bounds, kept, offsets, *paths)
            begins, ends = kernels.path_spans(self.first.joint, *arrays)
        statuses = np.where(counts == 0, block_kernels.NO_PATH, block_kernels.OK).astype(np.int8)
        return Block(
            statuses, kept, costs[order], posteriors[order], offsets, outputs, begins, ends
        )

    def ranked(self, union: Union) -> tuple[Array, Array]:
        """-ln P of each candidate, and its posterior."""
        totals, arrays = self.reranker.totals(union.lists), (union.lists.firsts, union.near)
        costs = -log_probabilities(totals, *arrays, self.missing)
        warm = totals / self.temperature
        return costs, np.exp(log_probabilities(warm, *arrays, self.missing))

    @cached_property
    def panel(self) -> Panel:
        return Panel(
            self.members, self.histories, self.vowels, self.judges, self.reach, self.margin
        )

    def union(
        self,
        labels: Array,
        bounds: Array,
        n: int = 1,
        given: Sequence[Sequence[int]] | None = None,
        *,
        whole: bool = False,
        paths: bool = True,
    ) -> Union:
        """What members propose for strings of labels, and `given` outputs, one for each string.

        If `whole`, every judge is asked of all of it, also of what is decided already.
        """
        ranker = None if whole else self.reranker
        most = max(n, self.depth)
        return self.panel.union(labels, bounds, n, most, given, ranker, paths=paths)

    def lattice(self, text: str) -> Lattice:
        """All outputs for a text by the first member; NoOutput if there are none."""
        return self.first.lattice(text)

    def score(self, source: str, target: str) -> Scored:
        """ln P of a pair, its best alignment by the first member, its posterior and its rank.

        An output that no member proposes is judged as if it were far behind what they do.
        """
        letters = np.array(self.source.encode(source).labels, np.int32)
        phones = self.target.encode(target).labels
        strings = (letters, np.array([0, len(letters)]))
        if early_answers.shares_of(early_answers.best_of(self.first, *strings)) >= self.sure:
            return self.scored_by_first(source, target)
        union = self.union(*strings, self.depth, given=[phones])
        bounds = pairwise(union.offsets.tolist())
        k = [union.outputs[a:b].tolist() for a, b in bounds].index(list(phones))
        if not union.possible[k]:
            return IMPOSSIBLE
        costs, posteriors = self.ranked(union)
        path = union.units[union.path_bounds[k] : union.path_bounds[k + 1]]
        rank = 1 + int(np.argsort(costs, kind="stable").tolist().index(k))
        alignment = self.first.alignment(path.tolist()) if len(path) else Alignment(())
        return Scored(-float(costs[k]), float(posteriors[k]), alignment, rank)

    def scored_by_first(self, source: str, target: str) -> Scored:
        """The same of a word that the first member is sure of: its posterior is the probability."""
        found = self.first.score(source, target, depth=0)
        if not found.posterior:
            return found
        outputs = [one.output for one in self.nbest(source, self.depth)]
        written = self.target.join(self.target.decode(self.target.encode(target).labels))
        rank = outputs.index(written) + 1 if written in outputs else None
        return replace(found, log_probability=math.log(found.posterior), rank=rank)

    def invert(self) -> EnsembleModel:
        """The ensemble of inverted members; all the rest is of this direction only."""
        members = tuple(member.invert() for member in self.members)
        # A share below zero takes back what judges count twice, who are not there.
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
        """The same, its members without a beam; it is still over what they propose."""
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
            *([self.reach] if self.reach != OPEN else []),
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

"""The outputs that the models of an ensemble propose for strings, and the scores by all models.

Members propose their best outputs, and so do some judges, which are models of other kinds. All
score each output: joint models by its weight summed over alignments, models of histories by its
best alignment by the first member. A member that reads `backward` is given strings and outputs
from their ends. Scores are distances from the output that a model scores best.

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.joint.training import train_joint
>>> rows = [Alignment(((("p",), ("f",)), (("i",), (phone,)))) for phone in "iij"]
>>> one, other = (train_joint(rows, source=Writing(), target=Writing(), order=n) for n in (1, 2))
>>> panel = Panel((Member(one), Member(other)), (), frozenset("i"))
>>> labels = np.array(one.source.encode("pi").labels, np.int32)
>>> scored = panel.score_proposals(labels, np.array([0, 2]), 5, 5)
>>> scored.lists.firsts.tolist(), scored.lists.scores.shape
([0, 2], (2, 2))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from glyphone.data.kernels import arrays as data_arrays
from glyphone.data.kernels import jit
from glyphone.fst.context.histories import HistoryModel
from glyphone.fst.ensembles import prefix_kernels as ensemble_prefix_kernels
from glyphone.fst.ensembles import union_kernels
from glyphone.fst.ensembles.judges import Judge
from glyphone.fst.ensembles.jury import (
    DEFAULT_REACH,
    Jury,
    LabelMaps,
    Proposals,
    contested_outputs,
    label_maps_of,
)
from glyphone.fst.ensembles.reranking.model import Reranker
from glyphone.fst.ensembles.reranking.training_kernels import CandidateLists
from glyphone.fst.ensembles.traits import Traits, traits_of
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.search import propose_outputs
from glyphone.fst.lattices.block_order import places_of_rows

# In nats, and enough where lexicons are large.
MARGIN = 2.0
# How far behind the best of a list an output may be by one model: what is farther is unknown to it.
FARTHEST = 15.0

Array = Any
# Proposals for strings of labels and their bounds: `least` outputs, if there are, `most` at most.
Propose = Callable[[Array, Array, int, int], Proposals]


@dataclass(frozen=True, eq=False)
class Member:
    """A joint model; `backward` ones read strings from their ends, and some propose nothing."""

    model: JointModel
    backward: bool = False
    proposes: bool = True

    def invert(self) -> Member:
        return replace(self, model=self.model.invert())


@dataclass(frozen=True, eq=False)
class ScoredOutputs:
    """The distinct outputs that are proposed for some strings, and how each model scores them.

    The outputs are in labels of the ensemble, the lists for the reranker in numbers that no labels
    change. The first near[i] outputs of string i are those proposed where one of each model is
    enough: they are near its best. `possible` outputs have a path by some member or judge. Paths
    are those of the best units by member 0, empty if they were not asked for.
    """

    lists: CandidateLists
    near: Array
    offsets: Array
    outputs: Array
    units: Array
    path_bounds: Array
    has_paths: bool
    possible: Array


@dataclass(frozen=True, eq=False)
class Panel:
    """The models of an ensemble: members, the first of which reads forward, histories, judges.

    `vowels` are letters, for features of the reranker. Late judges score outputs within `reach` of
    the best. Each model proposes outputs within a `margin` of its own best, in nats.
    """

    members: tuple[Member, ...]
    histories: tuple[HistoryModel, ...]
    vowels: frozenset[str]
    judges: tuple[Judge, ...] = ()
    reach: float = DEFAULT_REACH
    margin: float = MARGIN

    @property
    def first(self) -> JointModel:
        return self.members[0].model

    @cached_property
    def label_maps(self) -> list[LabelMaps]:
        """The maps of labels between the ensemble and each member."""
        return [
            label_maps_of(self.first.source, self.first.target, member.model)
            for member in self.members
        ]

    @cached_property
    def jury(self) -> Jury:
        return Jury(self.judges, self.first.source, self.first.target)

    @property
    def columns_without_proposals(self) -> list[int]:
        """The columns of models of histories and of late judges among all scores."""
        n = len(self.members) + len(self.histories)
        return [*range(len(self.members), n), *self.late_columns]

    @property
    def late_columns(self) -> list[int]:
        """The columns of late judges among all scores."""
        n = len(self.members) + len(self.histories)
        return [n + number for number in self.jury.late]

    @cached_property
    def traits(self) -> Traits:
        return traits_of(self.first, self.vowels)

    def score_proposals(
        self,
        labels: Array,
        bounds: Array,
        least: int,
        most: int,
        *,
        given: Sequence[Sequence[int]] | None = None,
        by_first: Proposals | None = None,
        ranker: Reranker | None = None,
        paths: bool = True,
    ) -> ScoredOutputs:
        """The outputs that are proposed for strings of labels, scored by all models.

        Each model proposes `least` outputs, if it has so many, and `most` at most; outputs of
        `given`, one for each string, are added, and `by_first` are the proposals of member 0 where
        they are known. With a reranker late judges score contested outputs only. Paths are found
        if they are asked for, or if models of histories need them.
        """
        kernels = jit.tier(union_kernels, 16 * len(labels) * len(self.members) * most)
        proposed = self.propose(labels, bounds, least, most, by_first)
        if given is not None:
            own = np.cumsum([0, *map(len, given)])
            flat = np.array([label for row in given for label in row], np.int32)
            proposed.append((np.arange(len(bounds)), own, flat))
        near = np.diff(kernels.merge_outputs(*end_to_end(proposed[: self.n_proposers]))[0])
        firsts, offsets, outputs = kernels.merge_outputs(*end_to_end(proposed))
        candidates = (firsts, offsets, outputs)
        paths = paths or bool(self.histories)
        units, path_bounds = np.zeros(0, np.int32), np.zeros(len(offsets), np.int64)
        if paths:
            units, path_bounds = self.best_paths(labels, bounds, *candidates)
        columns = [
            *self.member_scores(labels, bounds, *candidates),
            *self.history_scores(labels, bounds, firsts, units, path_bounds),
            *self.judge_scores(
                labels, bounds, *candidates, late=ranker is None, alone=given is not None
            ),
        ]
        scores = np.stack(columns, axis=1)
        lists = self.traits.lists(
            firsts, distances_from_best(scores, firsts), offsets, outputs, units, path_bounds
        )
        possible = np.isfinite(np.delete(scores, self.columns_without_proposals, 1)).any(1)
        if ranker is not None and self.jury.late:
            lists = self.add_late_scores(ranker, lists, scores, labels, bounds, offsets, outputs)
        return ScoredOutputs(lists, near, offsets, outputs, units, path_bounds, paths, possible)

    @property
    def n_proposers(self) -> int:
        """How many members and judges propose outputs."""
        return sum(member.proposes for member in self.members) + len(self.jury.proposers)

    def propose(
        self, labels: Array, bounds: Array, least: int, most: int, by_first: Proposals | None = None
    ) -> list[Proposals]:
        """Proposals of each model where one is enough; then further ones, where fewer than `least`.

        Where a model has proposed as many as there must be, all within its margin, it has no more
        to propose.
        """
        proposers: list[Propose] = [
            partial(self.propose_by_member, number)
            for number, member in enumerate(self.members)
            if member.proposes
        ]
        proposers += [
            partial(self.jury.propose, number, margin=self.margin) for number in self.jury.proposers
        ]
        found = [by_first] if by_first is not None and self.members[0].proposes else []
        found += [propose(labels, bounds, 1, most) for propose in proposers[len(found) :]]
        if least > 1:
            found += [
                propose_more(propose, own[0], labels, bounds, least, most)
                for propose, own in zip(proposers, found, strict=True)
            ]
        return found

    def best_paths(
        self, labels: Array, bounds: Array, firsts: Array, offsets: Array, outputs: Array
    ) -> tuple[Array, Array]:
        """The units of the best path of each output by the first member, and where each begins."""
        kernels = jit.tier(union_kernels, 16 * len(outputs))
        arrays = (labels, bounds, firsts, offsets, outputs)
        found: tuple[Array, Array] = kernels.score_outputs(self.first.joint, *arrays, True)[1:]
        return found

    def member_scores(
        self, labels: Array, bounds: Array, firsts: Array, offsets: Array, outputs: Array
    ) -> Iterator[Array]:
        """ln of the weight of each output by each member, summed over its paths."""
        kernels = jit.tier(ensemble_prefix_kernels, 4 * len(outputs) * len(self.members))
        arrays_kernels = jit.tier(data_arrays, 0)
        for member, (letters, phones, _) in zip(self.members, self.label_maps, strict=True):
            strings, written = letters[labels], phones[outputs]
            if member.backward:
                strings = arrays_kernels.reversed_rows(strings, bounds)
                written = arrays_kernels.reversed_rows(written, offsets)
            yield kernels.score_outputs(
                member.model.joint, strings, bounds, firsts, offsets, written
            )

    def history_scores(
        self, labels: Array, bounds: Array, firsts: Array, units: Array, path_bounds: Array
    ) -> Iterator[Array]:
        """ln P of the path of each output by each model of histories."""
        kernels, arrays_kernels = jit.tier(union_kernels, 0), jit.tier(data_arrays, 0)
        for histories in self.histories:
            strings, path = labels, units
            if histories.backward:
                strings = arrays_kernels.reversed_rows(labels, bounds)
                path = arrays_kernels.reversed_rows(units, path_bounds)
            yield kernels.path_scores(histories.rows, strings, bounds, firsts, path, path_bounds)

    def judge_scores(
        self,
        labels: Array,
        bounds: Array,
        firsts: Array,
        offsets: Array,
        outputs: Array,
        *,
        late: bool,
        alone: bool,
    ) -> Iterator[Array]:
        """ln P of each output by each judge; 0 by late judges, unless they are asked now.

        The score of an output without a rival matters only where outputs `alone` are scored.
        """
        sizes = np.diff(firsts)
        asked = np.repeat(sizes > int(not alone), sizes)
        for number in range(len(self.judges)):
            if late or number not in self.jury.late:
                arrays = (labels, bounds, firsts, offsets, outputs)
                yield self.jury.score_outputs(number, asked, *arrays)
            else:
                yield np.zeros(len(offsets) - 1)

    def add_late_scores(
        self,
        ranker: Reranker,
        lists: CandidateLists,
        scores: Array,
        labels: Array,
        bounds: Array,
        offsets: Array,
        outputs: Array,
    ) -> CandidateLists:
        """The lists with the scores of late judges for outputs that are contested without them."""
        rows = contested_outputs(ranker.totals(lists), lists.firsts, self.reach)
        arrays = (labels, bounds, lists.firsts, offsets, outputs)
        for number, column in zip(self.jury.late, self.late_columns, strict=True):
            scores[:, column] = self.jury.score_outputs(number, rows, *arrays)
        return lists._replace(scores=distances_from_best(scores, lists.firsts))

    def propose_by_member(
        self, number: int, labels: Array, bounds: Array, least: int, most: int
    ) -> Proposals:
        """The best outputs of a member for some strings, in labels of the ensemble."""
        member, (letters, _, phones) = self.members[number], self.label_maps[number]
        strings = letters[labels]
        sizes = np.diff(bounds)
        # A string with a symbol that the member does not know is left to other models.
        bad = np.add.reduceat(np.append(strings == 0, False), np.minimum(bounds[:-1], len(strings)))
        good = (bad == 0) | (sizes == 0)
        if member.backward:
            strings = jit.tier(data_arrays, 0).reversed_rows(strings, bounds)
        kept = data_arrays.row_bounds(sizes[good])
        strings = strings[np.repeat(good, sizes)]
        found = propose_outputs(
            member.model.joint,
            strings,
            kept,
            least=least,
            most=most,
            margin=self.margin,
            beam=member.model.beam_for(),
        )
        counts = np.zeros(len(sizes), np.int64)
        counts[good] = np.diff(found.firsts)
        outputs = phones[found.labels]
        if member.backward:
            outputs = jit.tier(data_arrays, 0).reversed_rows(outputs, found.offsets)
        return data_arrays.row_bounds(counts), found.offsets, outputs


def propose_more(
    propose: Propose, known: Array, labels: Array, bounds: Array, least: int, most: int
) -> Proposals:
    """Proposals for strings with fewer than `least`: string i has known[i + 1] - known[i]."""
    items = np.flatnonzero(np.diff(known) < least)
    if not len(items):
        return np.zeros_like(known), np.zeros(1, np.int64), np.zeros(0, np.int32)
    places, own_bounds = places_of_rows(bounds, items)
    firsts, offsets, outputs = propose(labels[places], own_bounds, least, most)
    counts = np.zeros(len(known) - 1, np.int64)
    counts[items] = np.diff(firsts)
    return data_arrays.row_bounds(counts), offsets, outputs


def distances_from_best(scores: Array, firsts: Array) -> Array:
    """Scores as distances from the best of their list; 0 where a model knows none of the list."""
    if not len(scores):
        return scores
    sizes = np.diff(firsts)
    full = firsts[:-1][sizes > 0]
    best = np.repeat(np.maximum.reduceat(scores, full), sizes[sizes > 0], axis=0)
    with np.errstate(invalid="ignore"):
        distances = np.maximum(scores - best, -FARTHEST)
    return np.ascontiguousarray(np.where(np.isneginf(best), 0.0, distances))


def end_to_end(proposals: Iterable[Proposals]) -> tuple[Array, Array, Array]:
    """Proposals of several models with one numbering of outputs: firsts has a row for each."""
    firsts, offsets, labels = [], [np.zeros(1, np.int64)], []
    n, n_labels = 0, 0
    for own_firsts, own_offsets, own_labels in proposals:
        firsts.append(own_firsts + n)
        offsets.append(own_offsets[1:] + n_labels)
        labels.append(own_labels.astype(np.int32))
        n, n_labels = n + len(own_offsets) - 1, n_labels + len(own_labels)
    return np.stack(firsts), np.concatenate(offsets), np.concatenate(labels)

"""What the members of an ensemble propose for strings, and what each thinks of all of it.

Every member proposes its best outputs; joint models judge each output of the union by its weight
summed over alignments, models of histories by its best alignment by the first member; judges are
models of other kinds, some of which propose, too. A member that reads `backward` is given strings
and outputs turned round. What members think is told as distances from the output that they think
best.

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.joint.training import train_joint
>>> rows = [Alignment(((("p",), ("f",)), (("i",), (phone,)))) for phone in "iij"]
>>> one, other = (train_joint(rows, source=Writing(), target=Writing(), order=n) for n in (1, 2))
>>> panel = Panel((Member(one), Member(other)), (), frozenset("i"))
>>> labels = np.array(one.source.encode("pi").labels, np.int32)
>>> union = panel.union(labels, np.array([0, 2]), 5, 5)
>>> union.lists.firsts.tolist(), union.lists.scores.shape
([0, 2], (2, 2))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from glyphone.data.kernels import arrays as data_arrays
from glyphone.data.kernels import jit
from glyphone.fst.context.histories import HistoryModel
from glyphone.fst.ensembles import prefix_kernels as ensemble_prefix_kernels
from glyphone.fst.ensembles import union_kernels
from glyphone.fst.ensembles.judges import Judge
from glyphone.fst.ensembles.jury import OPEN, Jury, relabelled, still_open
from glyphone.fst.ensembles.reranking.model import Reranker
from glyphone.fst.ensembles.reranking.training_kernels import Lists
from glyphone.fst.ensembles.traits import Traits, traits_of
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.search import proposals

# In nats, and enough where lexicons are large.
MARGIN = 2.0
# How far behind the best of a list a model may think an output: beyond, it knows nothing of it.
FARTHEST = 15.0

Array = Any


@dataclass(frozen=True, eq=False)
class Member:
    """A joint model, whether it reads strings and outputs from their ends, and if it proposes."""

    model: JointModel
    backward: bool = False
    proposes: bool = True

    def invert(self) -> Member:
        return replace(self, model=self.model.invert())


@dataclass(frozen=True, eq=False)
class Union:
    """What members propose for some strings: lists for the reranker, and paths by member 0.

    The outputs are in labels of the ensemble, the lists in numbers that no labels change. The first
    near[i] of string i are those proposed if one of each model were enough: they are near its best.
    `possible` are those that some member or judge has a path for.
    """

    lists: Lists
    near: Array
    offsets: Array
    outputs: Array
    units: Array
    path_bounds: Array
    possible: Array


@dataclass(frozen=True, eq=False)
class Panel:
    """Those who propose and judge: members, the first of which reads forward, and the others.

    `vowels` are letters, for what the reranker looks at. The last judges are asked of outputs
    within `reach` of the best. Each proposes what is within a `margin` of its own best, in nats.
    """

    members: tuple[Member, ...]
    histories: tuple[HistoryModel, ...]
    vowels: frozenset[str]
    judges: tuple[Judge, ...] = ()
    reach: float = OPEN
    margin: float = MARGIN

    @property
    def first(self) -> JointModel:
        return self.members[0].model

    @cached_property
    def maps(self) -> list[tuple[Array, Array, Array]]:
        """For each member: its labels of the ensemble's letters and of its phones, and back."""
        return [
            (
                relabelled(self.first.source, member.model.source),
                relabelled(self.first.target, member.model.target),
                relabelled(member.model.target, self.first.target),
            )
            for member in self.members
        ]

    @cached_property
    def jury(self) -> Jury:
        return Jury(self.judges, self.first.source, self.first.target)

    @property
    def proposing_nothing(self) -> list[int]:
        """The columns of models of histories and of the last judges among all scores."""
        n = len(self.members) + len(self.histories)
        return [*range(len(self.members), n), *self.last_columns]

    @property
    def last_columns(self) -> list[int]:
        """The columns of the last judges."""
        n = len(self.members) + len(self.histories)
        return [n + number for number in self.jury.last]

    @cached_property
    def traits(self) -> Traits:
        return traits_of(self.first, self.vowels)

    def union(
        self,
        labels: Array,
        bounds: Array,
        least: int,
        most: int,
        given: Sequence[Sequence[int]] | None = None,
        ranker: Reranker | None = None,
        *,
        paths: bool = True,
    ) -> Union:
        """What each member proposes for strings of labels; `given` are outputs, one for each.

        A member proposes so many at least, if it has them, and no more than so many; see
        `glyphone.fst.joint.kernels.proposals`. What it would if one were enough comes first. If it
        is known what everybody counts, the last judges are asked only of what is open still. Paths
        are left out if they are not asked for, and no model of histories needs them.
        """
        kernels = jit.tier(union_kernels, 16 * len(labels) * len(self.members) * most)
        outputs_of = [*self.proposals(labels, bounds, 1, most)]
        near = np.diff(kernels.merged(*end_to_end(outputs_of))[0])
        if least > 1:
            outputs_of += self.proposals(labels, bounds, least, most)
        if given is not None:
            own = np.cumsum([0, *map(len, given)])
            flat = np.array([label for row in given for label in row], np.int32)
            outputs_of.append((np.arange(len(bounds)), own, flat))
        firsts, offsets, outputs = kernels.merged(*end_to_end(outputs_of))
        n_models = len(self.members) + len(self.histories) + len(self.judges)
        scores = np.empty((len(offsets) - 1, n_models))
        units, path_bounds = np.zeros(0, np.int32), np.zeros(len(offsets), np.int64)
        if paths or self.histories:
            units, path_bounds = self.paths(labels, bounds, firsts, offsets, outputs)
        arrays_kernels = jit.tier(data_arrays, 0)
        matching = jit.tier(ensemble_prefix_kernels, 4 * len(outputs) * len(self.members))
        for number, member in enumerate(self.members):
            letters, phones, _ = self.maps[number]
            strings, written = letters[labels], phones[outputs]
            if member.backward:
                strings = arrays_kernels.reversed_rows(strings, bounds)
                written = arrays_kernels.reversed_rows(written, offsets)
            arrays = (strings, bounds, firsts, offsets, written)
            scores[:, number] = matching.judged(member.model.joint, *arrays)
        for number, histories in enumerate(self.histories, len(self.members)):
            strings, path = labels, units
            if histories.backward:
                strings = arrays_kernels.reversed_rows(labels, bounds)
                path = arrays_kernels.reversed_rows(units, path_bounds)
            arrays = (strings, bounds, firsts, path, path_bounds)
            scores[:, number] = kernels.path_scores(histories.rows, *arrays)
        # The score of an output that has no rival matters where it is asked for.
        sizes = np.diff(firsts)
        contested = np.repeat(sizes > int(given is None), sizes)
        later = self.jury.last if ranker is not None else []
        for number in range(len(self.judges)):
            column = number - len(self.judges)
            scores[:, column] = 0.0
            if number not in later:
                arrays = (labels, bounds, firsts, offsets, outputs)
                scores[:, column] = self.jury.judged(number, contested, *arrays)
        candidates = (offsets, outputs, units, path_bounds)
        lists = self.traits.lists(firsts, behind(scores, firsts), *candidates)
        possible = np.isfinite(np.delete(scores, self.proposing_nothing, 1)).any(1)
        if later and ranker is not None:
            lists = self.close(ranker, lists, scores, labels, bounds, offsets, outputs)
        return Union(lists, near, offsets, outputs, units, path_bounds, possible)

    def proposals(
        self, labels: Array, bounds: Array, least: int, most: int
    ) -> Iterator[tuple[Array, ...]]:
        """What all propose who do."""
        for number, member in enumerate(self.members):
            if member.proposes:
                yield self.proposed(number, labels, bounds, least, most)
        yield from self.jury.proposed(labels, bounds, least, most, self.margin)

    def paths(
        self, labels: Array, bounds: Array, firsts: Array, offsets: Array, outputs: Array
    ) -> tuple[Array, Array]:
        """The units of the best path of each output by the first member, and where each begins."""
        kernels = jit.tier(union_kernels, 16 * len(outputs))
        arrays = (labels, bounds, firsts, offsets, outputs)
        found: tuple[Array, Array] = kernels.judged(self.first.joint, *arrays, True)[1:]
        return found

    def close(
        self,
        ranker: Reranker,
        lists: Lists,
        scores: Array,
        labels: Array,
        bounds: Array,
        offsets: Array,
        outputs: Array,
    ) -> Lists:
        """The lists with what the last judges say of outputs that the others leave open."""
        rows = still_open(ranker.totals(lists), lists.firsts, self.reach)
        arrays = (labels, bounds, lists.firsts, offsets, outputs)
        for number, column in zip(self.jury.last, self.last_columns, strict=True):
            scores[:, column] = self.jury.judged(number, rows, *arrays)
        return lists._replace(scores=behind(scores, lists.firsts))

    def proposed(
        self, number: int, labels: Array, bounds: Array, least: int, most: int
    ) -> tuple[Array, ...]:
        """The best outputs of a member for some strings: firsts, offsets, labels."""
        member, (letters, _, phones) = self.members[number], self.maps[number]
        strings = letters[labels]
        sizes = np.diff(bounds)
        # A string with a symbol that the member does not know is left to the others.
        bad = np.add.reduceat(np.append(strings == 0, False), np.minimum(bounds[:-1], len(strings)))
        good = (bad == 0) | (sizes == 0)
        if member.backward:
            strings = jit.tier(data_arrays, 0).reversed_rows(strings, bounds)
        kept = np.concatenate([[0], np.cumsum(sizes[good])])
        strings = strings[np.repeat(good, sizes)]
        found = proposals(
            member.model.joint,
            strings,
            kept,
            least=least,
            most=most,
            margin=self.margin,
            beam=member.model.near(),
        )
        counts = np.zeros(len(sizes), np.int64)
        counts[good] = np.diff(found.firsts)
        outputs = phones[found.labels]
        if member.backward:
            outputs = jit.tier(data_arrays, 0).reversed_rows(outputs, found.offsets)
        return np.concatenate([[0], np.cumsum(counts)]), found.offsets, outputs


def behind(scores: Array, firsts: Array) -> Array:
    """Scores as distances from the best of their list; 0 where a model knows none of the list."""
    if not len(scores):
        return scores
    sizes = np.diff(firsts)
    full = firsts[:-1][sizes > 0]
    best = np.repeat(np.maximum.reduceat(scores, full), sizes[sizes > 0], axis=0)
    with np.errstate(invalid="ignore"):
        distances = np.maximum(scores - best, -FARTHEST)
    return np.ascontiguousarray(np.where(np.isneginf(best), 0.0, distances))


def end_to_end(proposals: Iterable[tuple[Array, ...]]) -> tuple[Array, Array, Array]:
    """Proposals of several members with one numbering of outputs."""
    firsts, offsets, labels = [], [np.zeros(1, np.int64)], []
    n, n_labels = 0, 0
    for own_firsts, own_offsets, own_labels in proposals:
        firsts.append(own_firsts + n)
        offsets.append(own_offsets[1:] + n_labels)
        labels.append(own_labels.astype(np.int32))
        n, n_labels = n + len(own_offsets) - 1, n_labels + len(own_labels)
    return np.stack(firsts), np.concatenate(offsets), np.concatenate(labels)

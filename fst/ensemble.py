"""An ensemble: several models propose outputs, all of them judge each, and a reranker decides.

    ln P(y | x) = sum over models m of a(m) s(m, x, y) + what the reranker says of y - constant(x)

over the union of the outputs that members propose. s(m, x, y) is ln of the weight of y summed over
alignments, behind that of the best output on the list (at most `FARTHEST`). The members are
joint models of several alignments, directions and samples of the lexicon; models of histories judge
the best alignment by the first member. A member that reads `backward` is given strings and outputs
turned round.

Posteriors are shares of the union. They are those of P to the power of 1 / `temperature`.

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.joint import train_joint
>>> rows = [Alignment(((("p",), ("f",)), (("i",), (phone,)))) for phone in "iiij"]
>>> one, other = (train_joint(rows, source=Writing(), target=Writing(), order=n) for n in (1, 2))
>>> model = EnsembleModel.of([Member(one), Member(other)])
>>> [best.output for best in model.nbest("pi")]
['fi', 'fj']
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from glyphone.data import jit
from glyphone.data.errors import GlyphoneError, ItemError, NoOutput
from glyphone.data.records import Alignment
from glyphone.fst import batch, ensemble_kernels, joint_decoding
from glyphone.fst.answering import BUDGET, IMPOSSIBLE, Answering, Scored
from glyphone.fst.answers import Answers
from glyphone.fst.codec import Side
from glyphone.fst.histories import HistoryModel
from glyphone.fst.joint import JointModel
from glyphone.fst.lattices import Lattice
from glyphone.fst.reranker import Reranker, cut, digest, log_sums, marks_of
from glyphone.fst.reranker_kernels import Lists

# How many outputs each member proposes at least.
DEPTH = 10
# How far behind the best of a list a model may think an output: beyond, it knows nothing of it.
FARTHEST = 15.0

Array = Any


@dataclass(frozen=True, eq=False)
class Member:
    """A joint model, and whether it reads strings and outputs from their ends."""

    model: JointModel
    backward: bool = False

    def invert(self) -> Member:
        return replace(self, model=self.model.invert())


@dataclass(frozen=True, eq=False)
class Union:
    """What members propose for some strings: lists for the reranker, and paths by member 0.

    The outputs are in labels of the ensemble, the lists in numbers that no labels change.
    `possible` are those that some member has a path for.
    """

    lists: Lists
    offsets: Array
    outputs: Array
    units: Array
    path_bounds: Array
    possible: Array


@dataclass(frozen=True, eq=False)
class EnsembleModel(Answering):
    """Members, models of histories over the units of the first, and the reranker.

    The first member reads forward; its sides are those of the ensemble. The reranker has a share
    of each member, then of each model of histories. `vowels` are letters, for its features.
    """

    members: tuple[Member, ...]
    histories: tuple[HistoryModel, ...]
    reranker: Reranker
    vowels: frozenset[str] = frozenset()
    name: str = "ensemble"
    temperature: float = 1.0
    depth: int = DEPTH
    description: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        members: Sequence[Member],
        histories: Sequence[HistoryModel] = (),
        reranker: Reranker | None = None,
        **settings: Any,
    ) -> EnsembleModel:
        """With equal shares, if there is no reranker that says otherwise."""
        n = len(members) + len(histories)
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
    def traits(self) -> tuple[Array, Array, Array, Array, Array]:
        """Of each unit what it reads and writes, its marks, if it reads a vowel; phones."""
        first = self.first
        sources = [first.source.decode(row) for row in first.units.sources]
        targets = [first.target.decode(row) for row in first.units.targets]
        marks = [marks_of(symbols) for symbols in targets]
        phones = sorted(first.target.symbols, key=first.target.symbols.__getitem__)
        return (
            np.array([digest(symbols) for symbols in sources], np.int32),
            np.array([digest(symbols) for symbols in targets], np.int32),
            np.array([digest([m]) if m.strip("|") else 0 for m in marks], np.int32),
            np.array([not self.vowels.isdisjoint(symbols) for symbols in sources], np.bool_),
            np.array([0, *(digest([phone]) for phone in phones)], np.int32),
        )

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        """Answers for a block of texts at once; items that fail are told in `failures`."""
        block = self.source.encode_all(texts)
        labels, bounds = block.labels, block.bounds
        union = self.union(labels, bounds, n)
        firsts = union.lists.firsts
        costs, posteriors = self.ranked(union.lists)
        # Equal ones stand in the order in which they are proposed.
        items = np.repeat(np.arange(len(firsts) - 1), np.diff(firsts))
        order = np.lexsort((costs, items))
        order = order[np.arange(len(order)) - firsts[items] < n]
        counts = np.minimum(np.diff(firsts), n)
        kept = np.concatenate([[0], np.cumsum(counts)])
        written, offsets = cut(union.offsets, order)
        begins = ends = np.zeros(0, np.int32)
        if spans:
            arrays = (union.offsets, union.units, union.path_bounds)
            kernels = jit.tier(ensemble_kernels, 0)
            starts, stops = kernels.path_spans(self.first.joint, labels, bounds, firsts, *arrays)
            begins, ends = starts[written], stops[written]
        statuses = np.where(counts == 0, batch.NO_PATH, batch.OK).astype(np.int8)
        found = batch.Block(
            statuses,
            kept,
            costs[order],
            posteriors[order],
            offsets,
            union.outputs[written],
            begins,
            ends,
        )
        return self.answers_of(texts, block, found, spans=spans)

    def ranked(self, lists: Lists) -> tuple[Array, Array]:
        """-ln P of each candidate, and its posterior."""
        totals, sizes = self.reranker.totals(lists), np.diff(lists.firsts)
        full = lists.firsts[np.concatenate([sizes > 0, [True]])]
        sizes = sizes[sizes > 0]
        costs = np.repeat(log_sums(totals, full), sizes) - totals
        warm = totals / self.temperature
        return costs, np.exp(warm - np.repeat(log_sums(warm, full), sizes))

    def union(
        self, labels: Array, bounds: Array, n: int = 1, given: Sequence[Sequence[int]] | None = None
    ) -> Union:
        """What members propose for strings of labels, and `given` outputs, one for each string."""
        n_symbols = len(labels) * len(self.members) * max(n, self.depth)
        kernels = jit.tier(ensemble_kernels, 16 * n_symbols)
        proposals = [
            self.proposed(number, labels, bounds, max(n, self.depth))
            for number in range(len(self.members))
        ]
        if given is not None:
            own = np.cumsum([0, *map(len, given)])
            flat = np.array([label for row in given for label in row], np.int32)
            proposals.append((np.arange(len(bounds)), own, flat))
        firsts, offsets, outputs = kernels.merged(*end_to_end(proposals))
        scores = np.empty((len(offsets) - 1, len(self.reranker.shares)))
        units, path_bounds = np.zeros(0, np.int32), np.zeros(len(offsets), np.int64)
        for number, member in enumerate(self.members):
            letters, phones, _ = self.maps[number]
            strings, written = letters[labels], phones[outputs]
            if member.backward:
                strings = kernels.turned(strings, bounds)
                written = kernels.turned(written, offsets)
            arrays = (strings, bounds, firsts, offsets, written)
            masses, found, cuts = kernels.judged(member.model.joint, *arrays, number == 0)
            scores[:, number] = masses
            if number == 0:
                units, path_bounds = found, cuts
        for number, histories in enumerate(self.histories, len(self.members)):
            strings, path = labels, units
            if histories.backward:
                strings, path = kernels.turned(labels, bounds), kernels.turned(units, path_bounds)
            arrays = (strings, bounds, firsts, path, path_bounds)
            scores[:, number] = kernels.path_scores(histories.rows, *arrays)
        lists = self.lists(firsts, behind(scores, firsts), offsets, outputs, units, path_bounds)
        possible = np.isfinite(scores[:, : len(self.members)]).any(1)
        return Union(lists, offsets, outputs, units, path_bounds, possible)

    def lists(
        self,
        firsts: Array,
        scores: Array,
        offsets: Array,
        outputs: Array,
        units: Array,
        path_bounds: Array,
    ) -> Lists:
        """What the reranker looks at."""
        reads, writes, marks, vowels, phones = self.traits
        return Lists(
            firsts,
            scores,
            offsets,
            phones[outputs],
            path_bounds,
            reads[units],
            writes[units],
            marks[units],
            vowels[units],
        )

    def proposed(self, number: int, labels: Array, bounds: Array, n: int) -> tuple[Array, ...]:
        """The n best outputs of a member for some strings: firsts, offsets, labels."""
        member, (letters, _, phones) = self.members[number], self.maps[number]
        strings = letters[labels]
        sizes = np.diff(bounds)
        # A string with a symbol that the member does not know is left to the others.
        bad = np.add.reduceat(np.append(strings == 0, False), np.minimum(bounds[:-1], len(strings)))
        good = (bad == 0) | (sizes == 0)
        if member.backward:
            strings = jit.tier(ensemble_kernels, 0).turned(strings, bounds)
        kept = np.concatenate([[0], np.cumsum(sizes[good])])
        strings = strings[np.repeat(good, sizes)]
        model = member.model
        kernels = jit.tier(joint_decoding, 16 * n * len(strings))
        beam = model.scaled(model.beam)
        found = batch.Block(*kernels.decode(model.joint, strings, kept, n, beam, BUDGET, False))
        counts = np.zeros(len(sizes), np.int64)
        counts[good] = np.diff(found.firsts)
        outputs = phones[found.labels]
        if member.backward:
            outputs = jit.tier(ensemble_kernels, 0).turned(outputs, found.offsets)
        return np.concatenate([[0], np.cumsum(counts)]), found.offsets, outputs

    def lattice(self, text: str) -> Lattice:
        """All outputs for a text by the first member; NoOutput if there are none."""
        return self.first.lattice(text)

    def score(self, source: str, target: str) -> Scored:
        """ln P of a pair, its best alignment by the first member, its posterior and its rank.

        An output that no member proposes is judged as if they had: it takes its share of theirs.
        """
        letters = np.array(self.source.encode(source).labels, np.int32)
        phones = self.target.encode(target).labels
        union = self.union(letters, np.array([0, len(letters)]), given=[phones])
        bounds = pairwise(union.offsets.tolist())
        k = [union.outputs[a:b].tolist() for a, b in bounds].index(list(phones))
        if not union.possible[k]:
            return IMPOSSIBLE
        costs, posteriors = self.ranked(union.lists)
        path = union.units[union.path_bounds[k] : union.path_bounds[k + 1]]
        rank = 1 + int(np.argsort(costs, kind="stable").tolist().index(k))
        alignment = self.first.alignment(path.tolist()) if len(path) else Alignment(())
        return Scored(-float(costs[k]), float(posteriors[k]), alignment, rank)

    def invert(self) -> EnsembleModel:
        """The ensemble of inverted members; histories and features are of this direction only."""
        members = tuple(member.invert() for member in self.members)
        shares = self.reranker.shares[: len(members)]
        return replace(
            self,
            members=members,
            histories=(),
            reranker=Reranker(shares if shares.sum() > 0 else np.full(len(members), 1.0)),
            name=f"{self.name} inverted",
            vowels=frozenset(),
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
            [sorted(self.vowels), self.temperature, self.depth, ranker.level],
        ]
        crc = zlib.crc32(json.dumps(settings).encode())
        arrays = [ranker.shares, ranker.weights]
        for model in self.histories:
            arrays += [model.slots, model.counts, model.candidates, model.weights, model.places]
            arrays += [model.vowels, np.array([model.bits, model.backward])]
        for array in arrays:
            crc = zlib.crc32(np.ascontiguousarray(array).tobytes(), crc)
        return f"{crc:08x}"


def relabelled(from_: Side, to: Side) -> Array:
    """Labels of one side by those of another; 0 for symbols that it does not have."""
    found = np.zeros(len(from_.symbols) + 1, np.int32)
    for symbol, label in from_.symbols.items():
        found[label] = to.symbols.get(symbol, 0)
    return found


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

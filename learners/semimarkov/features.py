"""Features of segments that have weights: those of the right segments learnt from.

Values of a template are keys, numbers in increasing order, each the key of a feature. A feature has
a weight for each class that it was seen with; one that goes with the preceding class, for each
such pair.

>>> values = TokenValues.learn([Sequence(("a", "b", "a"))], ["word"])
>>> gold, _ = gold_segments([("B-x", "O", "B-x")], ("x",), max_length=2)
>>> learnt = SegmentTests.learn(values, gold, "begin word\\nlength\\npreceding", 2, 2)
>>> tests, features, counts = learnt
>>> [keys.tolist() for keys in tests.keys], features.codes.tolist(), counts.tolist()
([[1, 2], [1], [0]], [1, 0, 0, 1, 1, 2, 3], [2, 1, 1, 2, 1, 1, 1])
>>> candidates, _ = candidates_of(values.bounds, np.ones((3, 2), bool))
>>> data = tests.data(values, candidates)
>>> data.tests.tolist(), data.segment_tests.tolist()
([0, 3, 1, 3, 0, 3], [2, 2, 2])
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from glyphone.data.records import Sequence as Sequence
from glyphone.learners.semimarkov.arrays import PRECEDING, SEGMENT, Data, Features
from glyphone.learners.semimarkov.segments import (
    Candidates,
    Segments,
)
from glyphone.learners.semimarkov.segments import (
    candidates_of as candidates_of,
)
from glyphone.learners.semimarkov.segments import (
    gold_segments as gold_segments,
)
from glyphone.learners.semimarkov.templates import Template, parse_templates
from glyphone.learners.semimarkov.values import TokenValues, places_in
from glyphone.learners.sequences.observations import pack_rows

Array = Any
Chain = list[Array]


@dataclass(frozen=True, eq=False)
class SegmentTests:
    """Templates, the keys of each, and numbers of whole segments, a chain for each of their names.

    A chain has keys for each length from two on: those of a shorter segment and one more value.
    """

    templates: str
    max_length: int
    keys: list[Array]
    chains: dict[str, Chain]

    @classmethod
    def learn(
        cls, values: TokenValues, gold: Segments, templates: str, max_length: int, n_classes: int,
        *, min_count: int = 1,
    ) -> tuple[SegmentTests, Features, Array]:  # fmt: skip
        """Features of right segments, those seen so often, their weights, and how often right
        segments have each.
        """
        parsed = parse_templates(templates)
        chains = {
            one.name: learn_chain(values, one.name, gold, max_length)
            for one in parsed
            if one.role == "whole"
        }
        found = cls(templates, max_length, [], chains)
        n_preceding = n_classes if any(one.table == PRECEDING for one in parsed) else 1
        starts, codes, roles, n_weights = [np.zeros(1, np.int64)], [], [], 0
        counts_of: list[Array] = []
        for template in parsed:
            keys, seen = found._gold_keys(values, template, gold)
            classes = gold.classes[seen]
            if template.table == PRECEDING:
                classes = classes * n_preceding + gold.preceding[seen]
            different, counts = np.unique(keys, return_counts=True)
            found.keys.append(different[counts >= min_count])
            numbers = places_in(found.keys[-1], keys)
            size = n_classes * n_preceding
            pairs, times = np.unique((numbers * size + classes)[numbers >= 0], return_counts=True)
            counts_of.append(times)
            n = len(found.keys[-1])
            starts.append(n_weights + np.searchsorted(pairs, np.arange(1, n + 1) * size))
            n_weights += len(pairs)
            codes.append(pairs % size)
            roles.append(np.full(n, template.table))
        joined = (np.concatenate(some) for some in (codes, roles))
        some_codes, some_roles = (one.astype(np.int32) for one in joined)
        features = Features(np.concatenate(starts), some_codes, some_roles, n_classes, n_preceding)
        return found, features, np.concatenate(counts_of)

    def data(self, values: TokenValues, candidates: Candidates) -> Data:
        """The features of sentences and their candidates, for kernels."""
        tokens, segments, base = list[Array](), list[Array](), 0
        for template, keys in zip(parse_templates(self.templates), self.keys, strict=True):
            if template.table == SEGMENT:
                asked = self._segment_keys(values, template, candidates.begins, candidates.lasts)
            else:
                asked = values.keys(template.places)
            found = places_in(keys, asked)
            found[found >= 0] += base
            (segments if template.table == SEGMENT else tokens).append(found.astype(np.int32))
            base += len(keys)
        return Data(
            values.bounds, *candidates,
            *pack_columns(tokens, values.n_tokens),
            *pack_columns(segments, len(candidates.begins)),
        )  # fmt: skip

    def prune(self, features: Features, weights: Array) -> tuple[SegmentTests, Features, Array]:
        """Tests, features and weights without weights that are zero."""
        n, there = len(features.roles), weights != 0
        owners = np.repeat(np.arange(n), np.diff(features.starts))[there]
        counts = np.bincount(owners, minlength=n)
        used, first, keys = counts > 0, 0, []
        for some in self.keys:
            keys.append(some[used[first : first + len(some)]])
            first += len(some)
        pruned = features._replace(
            starts=np.concatenate(([0], np.cumsum(counts[used]))),
            codes=features.codes[there],
            roles=features.roles[used],
        )
        return replace(self, keys=keys), pruned, weights[there]

    def _gold_keys(
        self, values: TokenValues, template: Template, gold: Segments
    ) -> tuple[Array, Array]:
        """The keys of a template in right segments, and the segments that have them."""
        every = np.arange(len(gold.begins))
        if template.table == SEGMENT:
            keys = self._segment_keys(values, template, gold.begins, gold.lasts)
            return keys[keys >= 0], every[keys >= 0]
        keys = values.keys(template.places)
        if template.role in ("begin", "preceding"):
            return keys[gold.begins], every
        if template.role == "end":
            return keys[gold.lasts], every
        tokens = np.arange(values.n_tokens)
        owners = np.repeat(every, gold.lasts - gold.begins + 1)
        if template.role == "in":
            inner = (tokens > gold.begins[owners]) & (tokens < gold.lasts[owners])
            return keys[inner], owners[inner]
        return keys, owners

    def _segment_keys(
        self, values: TokenValues, template: Template, begins: Array, lasts: Array
    ) -> Array:
        """The keys of a template in some segments, -1 for those that are sure to have no weight."""
        if template.role == "length":
            size = int(np.prod([values.size(name) for name, _ in template.places], dtype=object))
            keys = values.keys(template.places)[lasts]
            return values.joined(lasts - begins + 1, self.max_length + 1, keys, size)[0]
        name = template.name
        if template.role == "around":
            size = values.size(name)
            before, behind = values.at(name, -1)[begins], values.at(name, 1)[lasts]
            return values.joined(before, size, behind, size)[0]
        lengths = lasts - begins
        found = np.full(len(begins), -1)
        if template.role == "again":
            for k, again in enumerate(repeated_spans(values, name, self.max_length)):
                chosen = np.flatnonzero(lengths == k)
                found[chosen[again[begins[chosen]]]] = 0
            return found
        base = 0
        for k, (nodes, size) in enumerate(chain_nodes(values, name, self.chains[name])):
            chosen = np.flatnonzero(lengths == k)
            node = nodes[begins[chosen]]
            found[chosen] = np.where(node >= 0, node + base, -1)
            base += size
        return found


def pack_columns(columns: list[Array], n: int) -> tuple[Array, Array]:
    """Rows of features by their columns, -1 for none: where rows begin, and the features."""
    return pack_rows(np.stack(columns, axis=1) if columns else np.zeros((n, 0), np.int32))


def learn_chain(values: TokenValues, name: str, gold: Segments, max_length: int) -> Chain:
    """The numbers of the whole values of right segments, and of those of their beginnings."""
    chain: Chain = []
    lengths = gold.lasts - gold.begins
    nodes, size = values.at(name, 0), values.size(name)
    for k in range(1, max_length):
        begins = gold.begins[lengths >= k]
        chain.append(np.unique(nodes[begins] * size + values.at(name, k)[begins]))
        nodes = next_nodes(values, name, nodes, chain[-1], k)
    return chain


def chain_nodes(values: TokenValues, name: str, chain: Chain) -> Iterable[tuple[Array, int]]:
    """The numbers of the segments of each length that begin at each token, and how many there are.

    >>> values = TokenValues.learn([Sequence(("a", "b"))], ["word"])
    >>> gold, _ = gold_segments([("B-x", "I-x")], ("x",), max_length=2)
    >>> chain = learn_chain(values, "word", gold, 2)
    >>> [nodes.tolist() for nodes, _ in chain_nodes(values, "word", chain)]
    [[1, 2], [0, -1]]
    """
    nodes, size = values.at(name, 0), values.size(name)
    yield nodes, size
    for k, keys in enumerate(chain, 1):
        nodes = next_nodes(values, name, nodes, keys, k)
        yield nodes, len(keys)


def next_nodes(values: TokenValues, name: str, nodes: Array, keys: Array, k: int) -> Array:
    """The numbers of segments with one more value, that k tokens behind their first."""
    value = values.at(name, k)
    known = (nodes >= 0) & (value > 0)
    return places_in(keys, np.where(known, nodes * values.size(name) + value, -1))


def repeated_spans(values: TokenValues, name: str, max_length: int) -> Iterable[Array]:
    """For each length from one on, whether the span that begins at a token comes again.

    >>> values = TokenValues.learn([Sequence(tuple("abxab"))], ["word"])
    >>> [one.tolist() for one in repeated_spans(values, "word", 2)]
    [[True, True, False, True, True], [True, False, False, True, False]]
    """
    codes, names = values.column(name)
    lengths = np.diff(values.bounds)
    groups, places = np.repeat(np.arange(len(lengths)), lengths), np.arange(values.n_tokens)
    for k in range(max_length):
        inside = places + k < values.lasts[places]
        places, groups = places[inside], groups[inside]
        keys = groups * max(len(names), 1) + codes[places + k]
        _, groups, counts = np.unique(keys, return_inverse=True, return_counts=True)
        again = counts[groups] > 1
        places, groups = places[again], groups[again]
        found = np.zeros(values.n_tokens, bool)
        found[places] = True
        yield found

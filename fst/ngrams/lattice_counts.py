"""Exact expected counts of n-grams over lattices of alternatives.

The arcs of an item's lattice bear posteriors: the probability that a path takes the arc. A path is
then a Markov chain over states, and a stretch of arcs a1 ... ak is taken with probability

    posterior(a1) share(a2) ... share(ak),    share(a) = posterior(a) / sum out of its source.

Stretches of one length are those of the length before, continued; so an n-gram's parent and suffix
are known without a search.

>>> counts = count_lattices(  # 0, then 1 with probability 0.75 or else 0
...     [0, 1, 1], [1, 2, 2], [0, 1, 0], [1, 0.75, 0.25], [0, 3], n_words=2, order=2)
>>> counts.levels[0].counts.tolist()
[1.25, 0.75, 1.0, 1.0]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glyphone.data.errors import GlyphoneError
from glyphone.fst.ngrams.counts import (
    Floats,
    Ints,
    NgramCounts,
    check_order,
    check_sequences,
    first_level,
    group_ngrams,
)


def count_lattices(
    sources: ArrayLike,
    targets: ArrayLike,
    tokens: ArrayLike,
    posteriors: ArrayLike,
    offsets: ArrayLike,
    *,
    n_words: int,
    order: int,
    most: int = 100_000_000,
) -> NgramCounts:
    """Exact expected counts over the paths of lattices, item i being arcs offsets[i] to [i + 1].

    States of an item count from 0, where its paths begin; they end in its last; every arc leads
    to a higher state. `posteriors` are the probabilities that a path takes each arc. Stretches of
    up to `order` arcs are written out one by one, at most `most` of one length.
    """
    check_order(order)
    arcs = _check_lattices(sources, targets, tokens, posteriors, offsets, n_words)
    outgoing = arcs.outgoing
    n_out = np.diff(outgoing)
    out_share = np.bincount(arcs.sources, arcs.posteriors, len(n_out))
    shares = arcs.posteriors / out_share[arcs.sources]

    levels = [first_level(arcs.tokens, n_words, arcs.posteriors, arcs.items)]
    # A stretch of arcs: its last arc, its weight, its n-gram, and the stretch without the first.
    last, weight, ids = np.arange(len(arcs.tokens)), arcs.posteriors, arcs.tokens
    shorter, before = np.zeros(len(last), np.int64), np.zeros(1, np.int64)
    for length in range(2, order + 1):
        n_next = n_out[arcs.targets[last]]
        if int(n_next.sum()) > most:
            message = f"the lattices have more than {most} stretches of {length} arcs"
            raise GlyphoneError(message, remedy="prune them, or lower the order")
        first = np.cumsum(n_next) - n_next
        parent = np.repeat(np.arange(len(last)), n_next)
        rank = np.arange(len(parent)) - first[parent]
        arc = outgoing[arcs.targets[last[parent]]] + rank
        # The arcs that follow a stretch follow its suffix too, in one order.
        suffix = arc if length == 2 else before[shorter[parent]] + rank
        weight = weight[parent] * shares[arc]
        level, numbers = group_ngrams(
            ids[parent], arcs.tokens[arc], ids[suffix], n_words, weight, arcs.items[arc]
        )
        levels.append(level)
        last, ids, shorter, before = arc, numbers, suffix, first
    return NgramCounts(n_words, tuple(levels))


@dataclass(frozen=True, eq=False)
class _Arcs:
    """Arcs of all items with one numbering of states, sorted by source, <s> and </s> included."""

    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    tokens: Ints
    posteriors: Floats
    items: NDArray[np.int64]
    outgoing: NDArray[np.int64]


def _check_lattices(
    sources: ArrayLike,
    targets: ArrayLike,
    tokens: ArrayLike,
    posteriors: ArrayLike,
    offsets: ArrayLike,
    n_words: int,
) -> _Arcs:
    words, bounds = check_sequences(tokens, offsets, n_words=n_words)
    source, target = np.asarray(sources, np.int64), np.asarray(targets, np.int64)
    shares = np.asarray(posteriors, np.float64)
    if not source.shape == target.shape == shares.shape == words.shape:
        raise GlyphoneError("the columns of the lattices differ in length")
    lengths = np.diff(bounds)
    n = len(lengths)
    wrong = (source < 0) | (source >= target) | ~((shares > 0) & (shares <= 1 + 1e-9))
    if wrong.any():
        arc = int(np.argmax(wrong))
        found = f"leads from {source[arc]} to {target[arc]} with posterior {shares[arc]}"
        raise GlyphoneError(f"arc {arc} {found}", remedy="arcs lead up, posteriors are in (0, 1]")
    if n == 0 or (lengths == 0).any():
        raise GlyphoneError("there is an item without arcs, or no item", remedy="leave it out")
    # Local state s becomes s + 1 of its item; before all is the state where <s> begins, after all
    # the one where </s> ends.
    last = np.maximum.reduceat(target, bounds[:-1])
    n_states = last + 3
    base = np.cumsum(n_states) - n_states
    item = np.repeat(np.arange(n), lengths)
    every = np.arange(n)
    source = np.concatenate([source + base[item] + 1, base, base + last + 1])
    target = np.concatenate([target + base[item] + 1, base + 1, base + last + 2])
    word = np.concatenate([words, np.full(n, n_words + 1), np.full(n, n_words)])
    share = np.concatenate([shares, np.ones(2 * n)])
    item = np.concatenate([item, every, every])
    total = int(n_states.sum())
    flow_in = np.bincount(target, share, total)
    flow_out = np.bincount(source, share, total)
    inner = np.ones(total, np.bool_)
    inner[base] = inner[base + last + 2] = False
    leaks = inner & (np.abs(flow_in - flow_out) > 1e-6)
    if leaks.any():
        place = int(np.searchsorted(base, np.argmax(leaks), side="right")) - 1
        message = "the posteriors into and out of a state differ"
        raise GlyphoneError(message, item=str(place), remedy="make them sum to 1 over paths")
    order = np.argsort(source, kind="stable")
    outgoing = np.zeros(total + 1, np.int64)
    np.cumsum(np.bincount(source, minlength=total), out=outgoing[1:])
    columns = (source[order], target[order], word[order].astype(np.int32), share[order])
    return _Arcs(*columns, item[order], outgoing)

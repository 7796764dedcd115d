"""n-gram models from states in any order: those of another tool, or renumbered ones of ours.

A state's history is as long as the shortest way to it over explicit arcs, from the empty history
or, one longer, from <s>: an arc makes a history longer by one at most, and every history is made by
such arcs from its own prefixes. Kernels want shorter histories first, and writers of ARPA files
want those of one length sorted by their words, with <s> last.

>>> model = from_states(
...     1, start=1, sources=[0, 0, 1], tokens=[0, 1, 0], log_probs=[-0.7, -0.7, -0.1],
...     targets=[0, 0, 0], backoff_states=[-1, 0], backoffs=[0.0, -0.2])
>>> model.order, round(model.score([0]), 3)
(2, -0.8)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glyphone.data.errors import FormatError
from glyphone.fst.ngrams.model import NgramModel

Array = NDArray[Any]


def sort_states(model: NgramModel) -> NgramModel:
    """The model with its states in the order of their histories."""
    return from_states(
        model.n_words,
        start=model.start,
        sources=model.sources(),
        tokens=model.tokens,
        log_probs=model.log_probs,
        targets=model.targets,
        backoff_states=model.backoff_states,
        backoffs=model.backoffs,
    )


def renumber_words(ngrams: NgramModel, numbers: Array) -> NgramModel:
    """The model with new numbers for its words, and its histories in the order of these."""
    tokens = np.append(numbers, ngrams.end).astype(np.int32)[ngrams.tokens]
    order = np.lexsort((tokens, ngrams.sources()))
    return sort_states(
        replace(
            ngrams,
            tokens=tokens[order],
            log_probs=ngrams.log_probs[order],
            targets=ngrams.targets[order],
        )
    )


def from_states(
    n_words: int,
    *,
    start: int,
    sources: ArrayLike,
    tokens: ArrayLike,
    log_probs: ArrayLike,
    targets: ArrayLike,
    backoff_states: ArrayLike,
    backoffs: ArrayLike,
    path: object = None,
) -> NgramModel:
    """The model of these arcs and states; the empty history backs off to -1.

    States that no arcs lead to are left out. Words that the empty history lacks are impossible.
    """
    source, token, target = (np.asarray(column, np.int64) for column in (sources, tokens, targets))
    log_prob, below = np.asarray(log_probs), np.asarray(backoff_states, np.int64)
    roots = np.flatnonzero(below < 0)
    if len(roots) != 1:
        found = f"{len(roots)} of its {len(below)} states do not back off"
        raise FormatError(f"is no n-gram model: {found}, expected one", path=path)
    root, end = int(roots[0]), n_words
    lengths = history_lengths(source, target, token != end, root, start, len(below))
    used = lengths >= 0
    used_below = np.maximum(below, 0)
    shorter = used[used_below] & (lengths[used_below] < lengths)
    if not (shorter | ~used)[np.arange(len(below)) != root].all():
        raise FormatError(
            "is no n-gram model: a state does not back off to a shorter history", path=path
        )
    kept = used[source]
    source, token, target, log_prob = source[kept], token[kept], target[kept], log_prob[kept]
    # All that is said after </s> is that nothing follows.
    target[token == end] = root
    lacking = np.setdiff1d(np.arange(n_words + 1), token[source == root])
    if len(lacking):
        source = np.concatenate([source, np.full(len(lacking), root)])
        target = np.concatenate([target, np.full(len(lacking), root)])
        token = np.concatenate([token, lacking])
        log_prob = np.concatenate([log_prob, np.full(len(lacking), -np.inf, log_prob.dtype)])
    numbers = state_numbers(source, token, target, lengths, root, start, path)
    states = np.argsort(numbers)[-int(used.sum()) :]
    source, target = numbers[source], numbers[target]
    order = np.lexsort((token, source))
    twice = (np.diff(source[order]) == 0) & (np.diff(token[order]) == 0)
    if twice.any():
        raise FormatError("is no n-gram model: a state has two arcs for one unit", path=path)
    offsets = np.zeros(len(states) + 1, np.int64)
    np.cumsum(np.bincount(source, minlength=len(states)), out=offsets[1:])
    backoff_numbers = np.where(below < 0, -1, numbers[used_below])[states]
    model = NgramModel(
        n_words,
        int(numbers[start]),
        offsets,
        token[order].astype(np.int32),
        log_prob[order],
        target[order].astype(np.int32),
        backoff_numbers.astype(np.int32),
        np.asarray(backoffs)[states],
        np.searchsorted(lengths[states], np.arange(int(lengths.max()) + 2)).astype(np.int64),
    )
    model.check(path=path)
    return model


def history_lengths(
    source: Array, target: Array, usual: Array, root: int, start: int, n_states: int
) -> Array:
    """The length of each state's history; -1 if no arcs lead to it."""
    lengths = np.full(n_states, -1, np.int64)
    lengths[start], lengths[root] = 1, 0
    order = np.argsort(source[usual], kind="stable")
    by_source = target[usual][order]
    offsets = np.searchsorted(source[usual][order], np.arange(n_states + 1))
    counts = np.diff(offsets)
    frontier, length = np.array([root]), 0
    while len(frontier) or length == 0:
        steps = np.repeat(offsets[frontier + 1] - np.cumsum(counts[frontier]), counts[frontier])
        reached = np.unique(by_source[steps + np.arange(len(steps))])
        length += 1
        frontier = reached[lengths[reached] < 0]
        lengths[frontier] = length
        if length == 1 and start != root:
            frontier = np.append(frontier, start)
    return lengths


def state_numbers(
    source: Array,
    token: Array,
    target: Array,
    lengths: Array,
    root: int,
    start: int,
    path: object,
) -> Array:
    """New numbers for states, by length and then by their prefixes and last words."""
    makes = (lengths[target] == lengths[source] + 1) & (target != root)
    prefix, last = np.full(len(lengths), -1), np.full(len(lengths), -1)
    prefix[target[makes]], last[target[makes]] = source[makes], token[makes]
    if makes.sum() != ((lengths > 0) & (prefix >= 0)).sum() or (
        start != root and prefix[start] >= 0
    ):
        raise FormatError("is no n-gram model: a state stands for two histories", path=path)
    numbers = np.full(len(lengths), -1)
    numbers[root], n = 0, 1
    for length in range(1, int(lengths.max()) + 1):
        states = np.flatnonzero((lengths == length) & (np.arange(len(lengths)) != start))
        states = states[np.lexsort((last[states], numbers[prefix[states]]))]
        if length == 1 and start != root:
            states = np.append(states, start)
        numbers[states] = n + np.arange(len(states))
        n += len(states)
    return numbers

"""Kernel: a block of strings through a machine, all in one call that holds no lock.

>>> OK, NO_PATH
(0, 1)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.jit import kernel, sibling
from glyphone.fst.lattices import CYCLIC, Machine
from glyphone.fst.walk import Lookahead

growing = sibling(__name__, "glyphone.fst.growing")
lattice_paths = sibling(__name__, "glyphone.fst.lattice_paths")
lattice_sums = sibling(__name__, "glyphone.fst.lattice_sums")
lattices = sibling(__name__, "glyphone.fst.lattices")
search = sibling(__name__, "glyphone.fst.search")
walk = sibling(__name__, "glyphone.fst.walk")

Array = Any
OK, NO_PATH, CYCLE, TRUNCATED = 0, 1, 2, 3


class Block(NamedTuple):
    """Answers for strings: item i has hypotheses firsts[i] to firsts[i + 1].

    Hypothesis k writes labels[offsets[k]:offsets[k + 1]]; begins and ends, if asked for, tell for
    each label which symbols of the string it comes from.
    """

    statuses: Array
    firsts: Array
    costs: Array
    posteriors: Array
    offsets: Array
    labels: Array
    begins: Array
    ends: Array


@kernel
def lattice(machine: Machine, string: Array) -> Any:
    """All outputs of a cascade for one string."""
    result = lattices.lattice_of(string)
    for stage in range(len(machine.starts)):
        result = lattices.compose(result, machine, stage)
        if result.n_states <= 0:
            break
    return result


@kernel
def decode(
    machine: Machine,
    symbols: Array,
    bounds: Array,
    n: int,
    budget: int,
    with_spans: bool,
    lookahead: Lookahead,
) -> tuple[Array, ...]:
    """The n best outputs of each string symbols[bounds[i]:bounds[i + 1]]: the fields of a Block.

    `lookahead` saves the strings that have only one path the lattice; it learns on the way. The
    answer is a plain tuple, because numba runs Python code to make a named one, and crashes if a
    signal is raised there.
    """
    n_items = len(bounds) - 1
    statuses = np.zeros(n_items, np.int8)
    firsts = np.zeros(n_items + 1, np.int64)
    costs, posteriors = np.empty(n_items + 1), np.empty(n_items + 1)
    offsets = np.zeros(n_items + 2, np.int64)
    labels = np.empty(2 * len(symbols) + 64, np.int32)
    begins, ends = np.empty(len(labels), np.int32), np.empty(len(labels), np.int32)
    n_found, n_labels = 0, 0
    for item in range(n_items):
        string = symbols[bounds[item] : bounds[item + 1]]
        if n > 0 and not with_spans:
            while n_labels + 2 * len(string) + 16 > len(labels):
                labels = growing.doubled(labels)
                begins, ends = growing.doubled(begins), growing.doubled(ends)
            length, cost = walk.only_way(machine, string, lookahead, labels[n_labels:])
            if length >= 0:
                if n_found + 1 >= len(costs):
                    costs, posteriors = growing.doubled(costs), growing.doubled(posteriors)
                    offsets = growing.doubled(offsets)
                costs[n_found], posteriors[n_found] = cost, 1.0
                n_labels += length
                n_found += 1
                offsets[n_found] = n_labels
            if length != walk.SEVERAL_WAYS:
                statuses[item] = NO_PATH if length == walk.NO_WAY else OK
                firsts[item + 1] = n_found
                continue
        result = lattice(machine, string)
        if result.n_states <= 0:
            statuses[item] = CYCLE if result.n_states == CYCLIC else NO_PATH
        else:
            answers = search.n_best(result, n, budget)
            if answers.truncated:
                statuses[item] = TRUNCATED
                if len(answers.costs) == 0:
                    _, mass = lattice_sums.backward(result)
                    result = lattice_paths.best_path(result)
                    answers = search.only_path(result, mass[0])
            while n_found + len(answers.costs) >= len(costs):
                costs, posteriors = growing.doubled(costs), growing.doubled(posteriors)
                offsets = growing.doubled(offsets)
            while n_labels + len(answers.labels) > len(labels):
                labels = growing.doubled(labels)
                begins, ends = growing.doubled(begins), growing.doubled(ends)
            labels[n_labels : n_labels + len(answers.labels)] = answers.labels
            for k in range(len(answers.costs)):
                low, high = answers.offsets[k], answers.offsets[k + 1]
                if with_spans:
                    arcs, _, _ = lattice_paths.trace(result, answers.labels[low:high])
                    from_, to = lattice_paths.spans(result, arcs)
                    begins[n_labels + low : n_labels + high] = from_
                    ends[n_labels + low : n_labels + high] = to
                costs[n_found] = answers.costs[k]
                posteriors[n_found] = answers.posteriors[k]
                offsets[n_found + 1] = n_labels + high
                n_found += 1
            n_labels += len(answers.labels)
        firsts[item + 1] = n_found
    return (
        statuses,
        firsts,
        costs[:n_found],
        posteriors[:n_found],
        offsets[: n_found + 1],
        labels[:n_labels],
        begins[: n_labels if with_spans else 0],
        ends[: n_labels if with_spans else 0],
    )

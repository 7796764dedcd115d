"""The n-grams of a joint model by the chunk of their last unit, less the share of backing off.

A state that backs off says of a unit what the state behind it says, and something of its own:

    P(u | s) = backoff(s) P(u | behind s) + extra(s, u)

Where both lead to one state, extra(s, u) is one arc. Where they do not, as in models of three units
and more, it is two, one of P(u | s) and one that takes back what backing off has brought. So what
follows a state is a sum over arcs, and no arc hides another: nobody has to ask which units were
seen before (Allauzen, Mohri and Roark 2003 have such arcs for approximate models; these are exact).

Arcs stand by chunk, and then by state: a string asks hundreds of states for the units of one chunk
at once, which are then found near one another.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.joint.training import fit_joint
>>> joint = fit_joint([Pair(("a",), ("x",)), Pair(("a", "b"), ("x", "y"))]).model.joint
>>> lists = arc_lists(joint)
>>> first, last = lists.firsts[2:4]  # of chunk 2, which is b
>>> sorted(lists.states[lists.sources[first:last]].tolist()) == [
...     state for state in range(len(joint.backoffs)) if 1 in joint.tokens[slice(
...     *joint.offsets[state : state + 2])]]
True
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels import jit
from glyphone.fst.joint.kernels.arrays import Joint, interleave_columns, read_only_view
from glyphone.fst.joint.sums import list_kernels

Array = Any
# Numbers of 64 bits have sixteen digits, of which a long sum may lose some.
LEAST = 1e-12


class ArcLists(NamedTuple):
    """Chunk c is read by units of the states number firsts[c] to firsts[c + 1] of `sources`, in
    order; the k-th has the arcs begins[k] to begins[k + 1], which write `labels`, in order. They
    all lead to the states reached[spans[c]] to reached[spans[c + 1]], and `targets` are their
    numbers among these; the chunk has `units`.

    State s backs off to behind[s], or to none if that is -1, with the weight backoffs[s], and ends
    with the probability ends[s]; silent[s] is its place in `sources` where it has arcs that read
    nothing, or -1. Arcs that take back what others bring weigh less than nothing; there are none
    of these where `least` is 0, and elsewhere what is left of a whole is only rounding below it.

    States are those of the model in another order, told in `states`: those that one chunk leads to
    stand near one another, too.
    """

    start: int
    states: Array
    behind: Array
    backoffs: Array
    ends: Array
    silent: Array
    firsts: Array
    units: Array
    spans: Array
    reached: Array
    sources: Array
    begins: Array
    labels: Array
    targets: Array
    weights: Array
    least: float


def arc_lists(joint: Joint) -> ArcLists:
    n, n_states, n_chunks = len(joint.tokens), len(joint.backoffs), len(joint.firsts) - 1
    extras, brought, behind = np.empty(n), np.zeros(n), np.zeros(n, np.int32)
    ends = np.empty(n_states)
    kernels = jit.tier(list_kernels, n)
    kernels.write_end_probs(joint, ends)
    kernels.write_extras(joint, extras, brought, behind)
    extras[joint.tokens == joint.end] = 0.0
    sources = np.repeat(np.arange(n_states, dtype=np.int32), np.diff(joint.offsets))
    kept, taken = np.flatnonzero(extras), np.flatnonzero(brought)
    sources = np.concatenate([sources[kept], sources[taken]])
    units = np.concatenate([joint.tokens[kept], joint.tokens[taken]])
    targets = np.concatenate([joint.targets[kept], behind[taken]])
    weights = np.concatenate([extras[kept], -brought[taken]])

    chunk_of = np.repeat(np.arange(n_chunks), np.diff(joint.firsts))
    chunks = narrow_numbers(chunk_of)[units]
    states, numbers = order_states(chunks, targets, n_states)
    sources, targets = numbers[sources], numbers[targets]
    order = np.arange(len(units))
    # The arcs of the model are in the order of their units, before those that take back come in.
    for column in (*([units] if taken.any() else []), sources, chunks):
        order = order[np.argsort(narrow_numbers(column)[order], kind="stable")]
    return lists_of_sorted_arcs(
        joint,
        states,
        numbers,
        ends,
        *(column[order] for column in (chunks, sources, units, targets, weights)),
    )


def narrow_numbers(numbers: Array) -> Array:
    """Numbers in 16 bits if they fit, which are sorted several times as fast."""
    few = numbers.max(initial=0) < 1 << 16
    return numbers.astype(np.uint16) if few else numbers


def order_states(chunks: Array, targets: Array, n_states: int) -> tuple[Array, Array]:
    """States sorted by a chunk that leads to them, and their new numbers."""
    last = np.zeros(n_states, np.int64)
    last[targets] = chunks
    states: Array = np.argsort(narrow_numbers(last), kind="stable").astype(np.int32)
    numbers = np.empty(n_states, np.int32)
    numbers[states] = np.arange(n_states, dtype=np.int32)
    return states, numbers


def lists_of_sorted_arcs(
    joint: Joint,
    states: Array,
    numbers: Array,
    ends: Array,
    chunks: Array,
    sources: Array,
    units: Array,
    targets: Array,
    weights: Array,
) -> ArcLists:
    """The lists of arcs that are sorted by chunk and source."""
    begins = np.ones(len(chunks), np.bool_)
    begins[1:] = (chunks[1:] != chunks[:-1]) | (sources[1:] != sources[:-1])
    places = np.flatnonzero(begins)
    firsts = np.searchsorted(chunks[places], np.arange(len(joint.firsts))).astype(np.int64)
    silent = np.full(len(states), -1, np.int32)
    silent[sources[places[: firsts[1]]]] = np.arange(firsts[1])
    backoffs = joint.backoffs[states].astype(np.float64)
    behind = numbers[joint.backoff_states[states]]
    behind[(states == 0) | (backoffs == 0)] = -1
    spans, reached = np.zeros(len(joint.firsts), np.int64), np.empty(len(targets), np.int32)
    stamps = np.full((2, len(states)), -1, np.int32)
    jit.tier(list_kernels, len(targets)).number_targets(chunks, targets, spans, reached, stamps)
    written = np.append(joint.labels, np.int32(0))[joint.written[:-1]]
    written[np.diff(joint.written) == 0] = 0
    known = interleave_columns(behind=behind, backoffs=backoffs, ends=ends[states], silent=silent)
    heads = interleave_columns(
        sources=np.append(sources[places], np.int32(-1)),
        begins=np.append(places, len(chunks)).astype(np.int32),
    )
    arcs = interleave_columns(
        labels=written[units].astype(np.int32), targets=targets, weights=weights
    )
    return ArcLists(
        start=int(numbers[joint.start]),
        states=read_only_view(states),
        behind=read_only_view(known["behind"]),
        backoffs=read_only_view(known["backoffs"]),
        ends=read_only_view(known["ends"]),
        silent=read_only_view(known["silent"]),
        firsts=read_only_view(firsts),
        units=read_only_view(np.diff(joint.firsts)),
        spans=read_only_view(spans),
        reached=read_only_view(reached[: spans[-1]].copy()),
        sources=read_only_view(heads["sources"]),
        begins=read_only_view(heads["begins"]),
        labels=read_only_view(arcs["labels"]),
        targets=read_only_view(arcs["targets"]),
        weights=read_only_view(arcs["weights"]),
        least=LEAST if (weights < 0).any() else 0.0,
    )

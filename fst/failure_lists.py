"""The n-grams of a joint model by what their last unit reads.

A string asks hundreds of states for the units of one chunk at once: they are then found near one
another, where by state they lie all over the memory.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.joint_training import fit_joint
>>> joint = fit_joint([Pair(("a",), ("x",)), Pair(("a", "b"), ("x", "y"))]).model.joint
>>> lists = lists_of(joint)
>>> first, last = lists.firsts[2:4]  # of chunk 2, which is b
>>> lists.states[first:last].tolist() == [
...     state for state in range(len(joint.backoffs)) if 1 in joint.tokens[slice(
...     *joint.offsets[state : state + 2])]]
True
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.fst.joint_arrays import Joint

Array = Any


class Lists(NamedTuple):
    """Chunk c is read by units of the states number firsts[c] to firsts[c + 1] of `states`, in
    order; the k-th has the n-grams offsets[k] to offsets[k + 1], in the order of their units.
    `labels` has the first symbol that a unit writes, or 0."""

    firsts: Array
    states: Array
    offsets: Array
    units: Array
    labels: Array
    probs: Array
    targets: Array


def lists_of(joint: Joint) -> Lists:
    n_chunks = len(joint.firsts) - 1
    sources = np.repeat(np.arange(len(joint.backoffs), dtype=np.int32), np.diff(joint.offsets))
    # The end of a string is of no chunk.
    chunk_of = np.append(np.repeat(np.arange(n_chunks), np.diff(joint.firsts)), n_chunks)
    chunks: Array = chunk_of.astype(np.uint16 if n_chunks < 1 << 16 else np.int64)[joint.tokens]
    order = np.argsort(chunks, kind="stable")[: int((chunks < n_chunks).sum())]
    chunks, sources = chunks[order], sources[order]
    begins = np.ones(len(order), np.bool_)
    begins[1:] = (chunks[1:] != chunks[:-1]) | (sources[1:] != sources[:-1])
    places = np.flatnonzero(begins)
    units = joint.tokens[order]
    written = np.append(joint.labels, np.int32(0))[joint.written[:-1]]
    written[np.diff(joint.written) == 0] = 0
    return Lists(
        np.searchsorted(chunks[places], np.arange(n_chunks + 1)).astype(np.int64),
        sources[places],
        np.append(places, len(order)).astype(np.int64),
        units,
        written[units],
        joint.probs[order],
        joint.targets[order],
    )

"""A joint model ready to be searched: its flat arrays at a temperature, and the n best outputs.

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.joint.training import train_joint
>>> phi = Alignment(((("p", "h"), ("f",)), (("i",), ("i",))))
>>> model = train_joint([phi], source=Writing(), target=Writing(), order=2)
>>> parts = (model.units, model.ngrams, model.windows)
>>> joint = arrays_of(*parts, insertions=0, temperature=1.0)
>>> labels = np.array(model.source.encode("phi").labels, np.int32)
>>> found = decode_strings(joint, labels, np.array([0, 3]), n=1, beam=Beam(np.inf, np.inf))
>>> model.target.decode(found.labels.tolist())
('f', 'i')
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.fst.alignment.units import Units
from glyphone.fst.context.windows import NO_WINDOWS, WindowModel
from glyphone.fst.interface.model import BUDGET
from glyphone.fst.joint.kernels import arrays as joint_arrays
from glyphone.fst.joint.kernels import decoding as joint_decoding
from glyphone.fst.joint.kernels import proposals as joint_proposals
from glyphone.fst.joint.kernels.arrays import (
    Beam,
    Joint,
    TrellisScratch,
    interleave_columns,
    padded_values,
    read_only_view,
)
from glyphone.fst.lattices import block_kernels, block_order
from glyphone.fst.ngrams.model import NgramModel

# Histories up to this length have so many arcs that it pays to have them ranked.
RANKED_LENGTH = 2
# Rows are counted in 32 bits; a block has far fewer than half of these numbers.
MOST_ROWS = 1 << 30

Array = Any
_kept = threading.local()


def arrays_of(
    units: Units,
    ngrams: NgramModel,
    windows: WindowModel | None,
    *,
    insertions: int,
    temperature: float,
    summed: bool = False,
) -> Joint:
    """The arrays of a model for kernels, its weights to the power of 1 / temperature."""
    share = 1.0 / temperature if windows is None else windows.ngram_share / temperature
    probs = scaled_probs(ngrams.log_probs, share)
    written = np.cumsum([0, *map(len, units.targets)])
    arcs = interleave_columns(tokens=ngrams.tokens, probs=probs, targets=ngrams.targets)
    # Arrays of one value have a type of their own, for which kernels would be compiled once more.
    n = max(2, len(ngrams.backoffs))
    states = interleave_columns(
        masks=padded_values(chunk_masks(units, ngrams), n + 1, 0),
        offsets=padded_values(ngrams.offsets.astype(np.int64), n + 1, ngrams.offsets[-1]),
        backoffs=padded_values(scaled_probs(ngrams.backoffs, share), n + 1, 0),
        backoff_states=padded_values(ngrams.backoff_states, n + 1, 0),
    )
    # Arrays from files are read-only: if these are too, one version of the kernels will do.
    return Joint(
        offsets=read_only_view(states["offsets"]),
        tokens=read_only_view(arcs["tokens"]),
        probs=read_only_view(arcs["probs"]),
        targets=read_only_view(arcs["targets"]),
        backoff_states=read_only_view(states["backoff_states"][:n]),
        backoffs=read_only_view(states["backoffs"][:n]),
        start=ngrams.start,
        end=ngrams.end,
        firsts=read_only_view(units.firsts),
        # Without a ranking no arcs are cut off, so that sums over outputs are complete.
        ranked=read_only_view(np.empty(0, np.int32) if summed else rank_arcs(units, ngrams, probs)),
        masks=read_only_view(states["masks"][:n]),
        longer=read_only_view(units.longer),
        longest=max(1, max(map(len, units.sources), default=1)),
        n_labels=units.n_labels,
        written=read_only_view(written),
        labels=read_only_view(
            np.array([label for row in units.targets for label in row], np.int32)
        ),
        widest=max(map(len, units.targets), default=0),
        layers=insertions + 1 if () in units.sources else 1,
        windows=NO_WINDOWS if windows is None else windows.windows,
        strength=0.0 if windows is None else windows.window_share / temperature,
        summed=summed,
    )


def rank_arcs(units: Units, ngrams: NgramModel, probs: Array) -> Array:
    """The arcs of the shortest histories, by state, chunk and falling probability."""
    n_states = int(ngrams.levels[min(RANKED_LENGTH, ngrams.order - 1) + 1])
    n = int(ngrams.offsets[n_states])
    # The end of a sequence stands for a chunk of its own, behind all others.
    chunks = np.append(units.chunks, len(units.firsts))
    states = np.repeat(np.arange(n_states), np.diff(ngrams.offsets[: n_states + 1]))
    order: Array = np.lexsort((-probs[:n], chunks[ngrams.tokens[:n]], states)).astype(np.int32)
    return order


def chunk_masks(units: Units, ngrams: NgramModel) -> Array:
    """For each state the chunks that it lists units for, in bits that some chunks share."""
    bits = np.array([joint_arrays.chunk_bit(chunk) for chunk in range(len(units.firsts) + 1)])
    # The end of a sequence stands for a chunk of its own, behind all others.
    chunks = np.append(units.chunks, len(units.firsts))
    found = np.zeros(len(ngrams.offsets) - 1, np.int64)
    known = np.flatnonzero(np.diff(ngrams.offsets))
    found[known] = np.bitwise_or.reduceat(bits[chunks[ngrams.tokens]], ngrams.offsets[known])
    return found


def scaled_probs(log_probs: Array, exponent: float) -> Array:
    return np.exp(log_probs * np.float32(exponent)).astype(np.float32)


def decode_strings(
    joint: Joint, labels: Array, bounds: Array, *, n: int, beam: Beam, spans: bool = False
) -> block_kernels.Block:
    """The n best outputs of strings of labels, by the arrays of a model."""
    # A symbol is many times the work that it is in a grammar.
    kernels = jit.tier(joint_decoding, 16 * len(labels))
    return run_kernel(
        joint,
        labels,
        bounds,
        lambda strings, cuts, scratch: kernels.decode(
            joint, strings, cuts, n, beam, BUDGET, spans or None, scratch
        ),
    )


def propose_outputs(
    joint: Joint,
    labels: Array,
    bounds: Array,
    *,
    least: int,
    most: int,
    margin: float,
    beam: Beam,
) -> block_kernels.Block:
    """Up to `most` outputs for strings of labels, all within a margin of the best, or `least`.

    See `glyphone.fst.joint.kernels.proposals`.
    """
    kernels = jit.tier(joint_proposals, 16 * len(labels))
    return run_kernel(
        joint,
        labels,
        bounds,
        lambda strings, cuts, scratch: kernels.propose_outputs(
            joint, strings, cuts, least, most, margin, beam, BUDGET, scratch
        ),
    )


def run_kernel(
    joint: Joint,
    labels: Array,
    bounds: Array,
    kernel: Callable[[Array, Array, TrellisScratch], tuple[Array, ...]],
) -> block_kernels.Block:
    """Answers to strings of labels by a kernel, which is given strings, bounds and scratch."""
    scratch = scratch_for(joint)
    found = block_order.decode_sorted(
        lambda strings, cuts: block_kernels.Block(*kernel(strings, cuts, scratch)), labels, bounds
    )
    keep_scratch(scratch)
    return found


def keep_scratch(scratch: TrellisScratch) -> None:
    """Keeps scratch for the next block of this thread."""
    _kept.scratch = scratch


def scratch_for(joint: Joint) -> TrellisScratch:
    """The scratch that the thread used before, if it is as large; its contents do not matter.

    It is given away until `keep_scratch`, and so not used again after an interrupt.
    """
    kept: TrellisScratch | None = _kept.__dict__.pop("scratch", None)
    if kept is None or len(kept.seen) != joint.end + 1 or kept.counters[0] > MOST_ROWS:
        return joint_arrays.trellis_scratch(joint)
    return kept

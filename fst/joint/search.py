"""A joint model ready to be searched: its flat arrays at a temperature, and the n best outputs.

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.joint.training import train_joint
>>> phi = Alignment(((("p", "h"), ("f",)), (("i",), ("i",))))
>>> model = train_joint([phi], source=Writing(), target=Writing(), order=2)
>>> parts = (model.units, model.ngrams, model.windows)
>>> joint = arrays_of(*parts, insertions=0, temperature=1.0)
>>> labels = np.array(model.source.encode("phi").labels, np.int32)
>>> found = decoded(joint, labels, np.array([0, 3]), n=1, beam=Beam(np.inf, np.inf))
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
from glyphone.fst.joint.kernels.arrays import Beam, Joint, Scratch, beside, continued, fixed
from glyphone.fst.lattices import block_kernels, block_order
from glyphone.fst.ngrams.model import NgramModel

# Histories up to this length have so many arcs that it pays to have them ranked.
RANKED_LENGTH = 2
# Rows are counted in 32 bits; a block has far fewer than what is left.
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
    """What kernels want to know of a model, its weights to the power of 1 / temperature."""
    share = 1.0 / temperature if windows is None else windows.ngram_share / temperature
    probs = powers(ngrams.log_probs, share)
    written = np.cumsum([0, *map(len, units.targets)])
    arcs = beside(tokens=ngrams.tokens, probs=probs, targets=ngrams.targets)
    # Arrays of one value are of a kind of their own, for which all would be compiled once more.
    n = max(2, len(ngrams.backoffs))
    states = beside(
        masks=continued(masks(units, ngrams), n + 1, 0),
        offsets=continued(ngrams.offsets.astype(np.int64), n + 1, ngrams.offsets[-1]),
        backoffs=continued(powers(ngrams.backoffs, share), n + 1, 0),
        backoff_states=continued(ngrams.backoff_states, n + 1, 0),
    )
    # What is read-only here is so in a model from a file, and one version of kernels will do.
    return Joint(
        offsets=fixed(states["offsets"]),
        tokens=fixed(arcs["tokens"]),
        probs=fixed(arcs["probs"]),
        targets=fixed(arcs["targets"]),
        backoff_states=fixed(states["backoff_states"][:n]),
        backoffs=fixed(states["backoffs"][:n]),
        start=ngrams.start,
        end=ngrams.end,
        firsts=fixed(units.firsts),
        # Nothing is cut off where outputs are summed up.
        ranked=fixed(np.empty(0, np.int32) if summed else ranked(units, ngrams, probs)),
        masks=fixed(states["masks"][:n]),
        longer=fixed(units.longer),
        longest=max(1, max(map(len, units.sources), default=1)),
        n_labels=units.n_labels,
        written=fixed(written),
        labels=fixed(np.array([label for row in units.targets for label in row], np.int32)),
        widest=max(map(len, units.targets), default=0),
        layers=insertions + 1 if () in units.sources else 1,
        windows=NO_WINDOWS if windows is None else windows.windows,
        strength=0.0 if windows is None else windows.window_share / temperature,
        summed=summed,
    )


def ranked(units: Units, ngrams: NgramModel, probs: Array) -> Array:
    """The arcs of the shortest histories, by state, chunk and falling probability."""
    n_states = int(ngrams.levels[min(RANKED_LENGTH, ngrams.order - 1) + 1])
    n = int(ngrams.offsets[n_states])
    # The end of a sequence stands for a chunk of its own, behind all others.
    chunks = np.append(units.chunks, len(units.firsts))
    states = np.repeat(np.arange(n_states), np.diff(ngrams.offsets[: n_states + 1]))
    order: Array = np.lexsort((-probs[:n], chunks[ngrams.tokens[:n]], states)).astype(np.int32)
    return order


def masks(units: Units, ngrams: NgramModel) -> Array:
    """Which chunks each state knows units for, in bits that some chunks share."""
    bits = np.array([joint_arrays.bit_of(chunk) for chunk in range(len(units.firsts) + 1)])
    # The end of a sequence stands for a chunk of its own, behind all others.
    chunks = np.append(units.chunks, len(units.firsts))
    found = np.zeros(len(ngrams.offsets) - 1, np.int64)
    known = np.flatnonzero(np.diff(ngrams.offsets))
    found[known] = np.bitwise_or.reduceat(bits[chunks[ngrams.tokens]], ngrams.offsets[known])
    return found


def powers(log_probs: Array, exponent: float) -> Array:
    return np.exp(log_probs * np.float32(exponent)).astype(np.float32)


def decoded(
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
            joint, strings, cuts, n, beam, BUDGET, spans, scratch
        ),
    )


def proposals(
    joint: Joint,
    labels: Array,
    bounds: Array,
    *,
    least: int,
    most: int,
    margin: float,
    beam: Beam,
) -> block_kernels.Block:
    """What a model proposes for strings of labels: see `glyphone.fst.joint.kernels.proposals`."""
    kernels = jit.tier(joint_proposals, 16 * len(labels))
    return run_kernel(
        joint,
        labels,
        bounds,
        lambda strings, cuts, scratch: kernels.proposed(
            joint, strings, cuts, least, most, margin, beam, BUDGET, scratch
        ),
    )


def run_kernel(
    joint: Joint,
    labels: Array,
    bounds: Array,
    kernel: Callable[[Array, Array, Scratch], tuple[Array, ...]],
) -> block_kernels.Block:
    """Answers to strings of labels by a kernel, which is given strings, bounds and scratch."""
    scratch = scratch_for(joint)
    found = block_order.decoded(
        lambda strings, cuts: block_kernels.Block(*kernel(strings, cuts, scratch)), labels, bounds
    )
    keep(scratch)
    return found


def keep(scratch: Scratch) -> None:
    """For the next block of this thread."""
    _kept.scratch = scratch


def scratch_for(joint: Joint) -> Scratch:
    """The scratch that the thread had before, if it is as large: what is in it does not matter.

    It is given away, and so not used again if what it was used for is broken off.
    """
    kept: Scratch | None = _kept.__dict__.pop("scratch", None)
    if kept is None or len(kept.seen) != joint.end + 1 or kept.counters[0] > MOST_ROWS:
        return joint_arrays.scratch_of(joint)
    return kept

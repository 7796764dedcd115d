"""The n best outputs of a joint model by the sums over their paths, for certain.

Where an output is as good as all of its paths together, and every unit writes one symbol, no beam
is needed: see `glyphone.fst.joint.sums.search_kernels`. Posteriors are shares of the mass of all
outputs.

>>> from glyphone.fst.joint.sums.lists import arc_lists
>>> import numpy as np
>>> from glyphone.data.records import Pair
>>> from glyphone.fst.joint.training import fit_joint
>>> pairs = [Pair(("a",), (phone,), weight) for phone, weight in [("x", 3.0), ("y", 1.0)]]
>>> joint = fit_joint(pairs).model.joint
>>> applies(joint), applies(joint._replace(summed=True))
(False, True)
>>> block = decoded(joint, arc_lists(joint), np.array([1, 1], np.int32), np.array([0, 1, 2]), n=1)
>>> block.labels.tolist(), block.posteriors.round(2).tolist()
([1, 1], [0.64, 0.64])
"""

from __future__ import annotations

from typing import Any

from glyphone.data.kernels import jit
from glyphone.fst.interface.model import BUDGET
from glyphone.fst.joint.kernels.arrays import Joint
from glyphone.fst.joint.sums import decoding_kernels as joint_decoding_kernels
from glyphone.fst.joint.sums.lists import ArcLists
from glyphone.fst.lattices import block_order
from glyphone.fst.lattices.block_kernels import Block

Array = Any
# What a symbol is beside one of a grammar.
WORK = 256


def applies(joint: Joint) -> bool:
    """Whether outputs are to be summed up, and every unit writes one symbol."""
    n_units = len(joint.written) - 1
    return joint.summed and joint.widest == 1 and len(joint.labels) == n_units


def decoded(
    joint: Joint, lists: ArcLists, labels: Array, bounds: Array, *, n: int, spans: bool = False
) -> Block:
    """The n best outputs of strings of labels; of two that begin alike much is done once."""
    kernels = jit.tier(joint_decoding_kernels, WORK * len(labels))

    def decode(labels: Array, bounds: Array) -> Block:
        return Block(*kernels.decode(joint, lists, labels, bounds, n, BUDGET, spans))

    return block_order.decode_sorted(decode, labels, bounds)

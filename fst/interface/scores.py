"""The score of a given pair, from the lattice of all outputs of its source.

>>> unit_cuts([0, 2, 2], 4)  # cha: tʃ from ch, then two outputs from a and a silent letter
[(0, 0), (2, 1), (4, 3)]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from glyphone.data.errors import NoOutput
from glyphone.data.records import Alignment
from glyphone.fst.interface.model import IMPOSSIBLE, Model, Scored
from glyphone.fst.lattices import path_kernels as lattice_path_kernels
from glyphone.fst.lattices import sum_kernels as lattice_sum_kernels


def score_pair(model: Model, source: str, target: str) -> Scored:
    """ln of the weight of all paths of a pair, its share of the lattice, and its best alignment."""
    read = model.source.encode(source).labels
    written = model.target.encode(target).labels
    try:
        lattice = model.lattice(source)
    except NoOutput:
        return IMPOSSIBLE
    arcs, cost, mass = lattice_path_kernels.trace_output(lattice, np.array(written, np.int32))
    if math.isinf(cost):
        return IMPOSSIBLE
    total = lattice_sum_kernels.backward_sums(lattice)[1][0]
    begins, _ = lattice_path_kernels.output_spans(lattice, arcs)
    inner, outer = set(model.source.symbol_cuts(read)), set(model.target.symbol_cuts(written))
    cuts = [
        cut for cut in unit_cuts(begins.tolist(), len(read)) if cut[0] in inner and cut[1] in outer
    ]
    units = [
        (model.source.decode(read[a:b]), model.target.decode(written[c:d]))
        for (a, c), (b, d) in pairwise(cuts)
    ]
    return Scored(-float(mass), math.exp(min(0.0, total - mass)), Alignment(tuple(units)))


def unit_cuts(begins: Sequence[int], n_read: int) -> list[tuple[int, int]]:
    """The cuts of both sides of an aligned pair, from the begins of the spans of its outputs."""
    places = range(1, len(begins))
    inside = [(begins[k], k) for k in places if begins[k] != begins[k - 1]]
    whole = [(0, 0), *inside, (n_read, len(begins))]
    return list(dict.fromkeys(whole))

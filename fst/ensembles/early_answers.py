"""Words that the first member of an ensemble answers alone, because it is sure of them.

Where its best output has most of the mass of all that it could answer, the others hardly ever know
better, and to ask them takes twenty times as long. How sure it must be is fitted on held-out words,
so that hardly any are lost by it. What it is sure of is answered with its own posteriors.

>>> early, late = np.array([True, True, False]), np.array([True, True, True])
>>> fit_sure(np.array([0.99, 0.7, 0.65]), early, late)
0.7
>>> fit_sure(np.array([0.99, 0.7, 0.99]), early, late)
inf
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.fst.ensembles.reranking.model import cut
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.search import decoded
from glyphone.fst.lattices import block_order
from glyphone.fst.lattices.block_kernels import Block

# Shares of the mass that are tried; with none of them nobody is sure.
TRIED = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99)
NEVER = math.inf
# One word of so many may be lost: on CMUdict, a third fewer are left to all the others by it.
LOST = 1_000

Array = Any


def fit_sure(shares: Array, early: Array, late: Array) -> float:
    """The least share by which no fewer words are right, but for those that may be lost, or NEVER.

    `early` says whether the first member is right about a word, `late` whether all together are.
    """
    least = np.count_nonzero(late) - len(late) // LOST
    for share in TRIED:
        if np.count_nonzero(np.where(shares >= share, early, late)) >= least:
            return share
    return NEVER


def best_of(first: JointModel, labels: Array, bounds: Array, *, spans: bool = False) -> Block:
    """The best output for each string of labels, and its share of the mass."""
    return decoded(first.joint, labels, bounds, n=1, beam=first.near(), spans=spans)


def shares_of(best: Block) -> Array:
    """The shares of best outputs; 0 where there is none."""
    found, answered = np.zeros(len(best.firsts) - 1), np.diff(best.firsts) > 0
    found[answered] = best.posteriors[best.firsts[:-1][answered]]
    return found


def sure_answers(
    first: JointModel,
    labels: Array,
    bounds: Array,
    best: Block,
    items: Array,
    *,
    n: int,
    spans: bool,
) -> Block:
    """The n best outputs for some of the strings, by their shares, whose -ln are their costs."""
    found = block_order.select_items(best, items)
    if n > 1:
        places, own = cut(bounds, items)
        beam = first.near(n=n)
        found = decoded(first.joint, labels[places], own, n=n, beam=beam, spans=spans)
    costs = -np.log(np.maximum(found.posteriors, np.finfo(np.float64).tiny))
    rows = np.repeat(np.arange(len(items)), np.diff(found.firsts))
    return block_order.select_answers(found._replace(costs=costs), np.lexsort((costs, rows)))

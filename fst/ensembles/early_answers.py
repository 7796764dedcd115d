"""Early answers: words that the first member of an ensemble answers alone, as it is sure of them.

Where its best output has most of the mass of all outputs, other models hardly ever find a better
one, and they take twenty times as long. How sure it must be is fitted on held-out words, so that
hardly any are lost by it. Early answers have the posteriors of the first member.

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

from glyphone.data.kernels import jit
from glyphone.fst.ensembles import early_kernels
from glyphone.fst.ensembles.jury import Proposals
from glyphone.fst.interface.model import BUDGET
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.search import decode_strings, run_kernel
from glyphone.fst.lattices import block_order
from glyphone.fst.lattices.block_kernels import Block

# Shares of the mass that are tried; where none will do, the first member is never sure.
TRIED = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99)
NEVER = math.inf
# One word of so many may be lost: on CMUdict, a third fewer words are left to all models by it.
LOST = 1_000

Array = Any


def fit_sure(shares: Array, early: Array, late: Array) -> float:
    """The least share at which no more words are lost than may be, or NEVER.

    `early` says whether the first member is right about a word, `late` whether all models are.
    """
    least = np.count_nonzero(late) - len(late) // LOST
    for share in TRIED:
        if np.count_nonzero(np.where(shares >= share, early, late)) >= least:
            return share
    return NEVER


def answers_or_proposals(
    first: JointModel,
    labels: Array,
    bounds: Array,
    *,
    sure: float,
    most: int,
    margin: float,
    spans: bool = False,
) -> Block:
    """The best output for each string of labels where its share is `sure`, else the proposals.

    The posterior of the first output of each string is its share of the mass: see
    `glyphone.fst.ensembles.early_kernels`. Proposals are those of
    `glyphone.fst.joint.search.propose_outputs`, where one is enough.
    """
    beam = first.beam_for()
    kernels = jit.tier(early_kernels, 16 * len(labels))
    return run_kernel(
        first.joint,
        labels,
        bounds,
        lambda strings, cuts, scratch: kernels.answer_or_propose(
            first.joint, strings, cuts, sure, most, margin, beam, BUDGET, spans, scratch
        ),
    )


def best_shares(found: Block) -> Array:
    """The shares of the best outputs of strings; 0 where there is none."""
    shares, answered = np.zeros(len(found.firsts) - 1), np.diff(found.firsts) > 0
    shares[answered] = found.posteriors[found.firsts[:-1][answered]]
    return shares


def proposals_for(found: Block, items: Array) -> Proposals:
    """The proposals for some strings of which the first member is not sure."""
    some = block_order.select_items(found, items)
    return some.firsts, some.offsets, some.labels


def sure_answers(
    first: JointModel,
    labels: Array,
    bounds: Array,
    found: Block,
    items: Array,
    *,
    n: int,
    spans: bool,
) -> Block:
    """The n best outputs by their shares, with costs of -ln, for strings that are `items`."""
    found = block_order.select_items(found, items)
    if n > 1:
        places, own = block_order.places_of_rows(bounds, items)
        beam = first.beam_for(n=n)
        found = decode_strings(first.joint, labels[places], own, n=n, beam=beam, spans=spans)
    costs = -np.log(np.maximum(found.posteriors, np.finfo(np.float64).tiny))
    rows = np.repeat(np.arange(len(items)), np.diff(found.firsts))
    return block_order.select_answers(found._replace(costs=costs), np.lexsort((costs, rows)))

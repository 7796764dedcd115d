"""Why a conditional random field labels letters as it does: the windows that weigh most.

The cost of a unit is -ln P of its labels given the one before them and the word; those of a word
add up to that of its path.

>>> from glyphone.models.crf.training import CrfOptions, fit_crf
>>> from glyphone.data.records import Pair
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.alignment.training import AlignmentOptions
>>> pairs = [Pair(tuple(word), tuple(sounds)) for word, sounds in (("ca", "ka"), ("ci", "si"))]
>>> one_to_one = AlignmentOptions(max_source=1, max_target=1)
>>> options = CrfOptions(templates="3-grm", rho1=0.1, optimizer="owl-qn", alignment=one_to_one)
>>> model = fit_crf(pairs * 4, options, target=Writing()).model
>>> reasons_of_path(model, model.string("ci").tolist(), model.path("ci", "si"))[0].windows
('#[c]i +0.5',)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.data.kernels.arrays import find_slot
from glyphone.models.crf import chain_kernels
from glyphone.models.crf.arrays import Chain
from glyphone.models.crf.model import CrfModel
from glyphone.models.crf.trie_kernels import code_at

Array = Any
# The most windows that are listed for a letter, and their least weight.
MOST, LEAST = 3, 0.05
BEYOND = "#"


@dataclass(frozen=True)
class Reason:
    """The cost of a unit, and the windows of its letters that weigh most for or against it."""

    cost: float
    windows: tuple[str, ...]


def reasons_of_path(model: CrfModel, string: Sequence[int], path: Sequence[int]) -> list[Reason]:
    """A reason for each unit of a path."""
    reasons: list[Reason] = []
    costs = costs_of(model.chain, np.array(string, np.int32), path)
    for t, (label, cost) in enumerate(zip(path, costs, strict=True)):
        before = path[t - 1] if t else None
        weighed = sorted(weights_of(model, string, t, label, before), key=lambda row: -abs(row[1]))
        windows = tuple(f"{name} {weight:+.1f}" for name, weight in weighed[:MOST])
        if model.go_on[label] and reasons:
            reasons[-1] = Reason(reasons[-1].cost + cost, reasons[-1].windows + windows)
        else:
            reasons.append(Reason(cost, windows))
    return reasons


def costs_of(chain: Chain, string: Array, path: Sequence[int]) -> list[float]:
    """-ln P of each label given the one before it."""
    kernels = jit.tier(chain_kernels, 16 * len(string))
    room = kernels.chain_room(chain, len(string))
    kernels.score_word(chain, string, room)
    choices = [
        chain.choices[chain.choice_starts[c] : chain.choice_starts[c + 1]] for c in string.tolist()
    ]
    behind, costs = np.zeros(len(choices[-1]) if choices else 0), []
    for t in range(len(string) - 1, -1, -1):
        width, n_before = len(choices[t]), len(choices[t - 1]) if t else 1
        edges = room.edges[t, : n_before * width].reshape(n_before, width) if t else 0.0
        totals = edges + (room.nodes[t, :width] + behind)[None, :]
        behind = np.logaddexp.reduce(totals, axis=1)
        x = int(np.searchsorted(choices[t - 1], path[t - 1])) if t else 0
        y = int(np.searchsorted(choices[t], path[t]))
        costs.append(float(behind[x] - totals[x, y]))
    return costs[::-1]


def weights_of(
    model: CrfModel, string: Sequence[int], t: int, label: int, before: int | None
) -> Iterator[tuple[str, float]]:
    """The windows around a letter with their weights for its label, and for it behind another."""
    chain = model.chain
    for root, (first, last) in enumerate(model.table.roots):
        letters, node = "", root
        for place in range(first, max(last, first - 1) + 2):
            a, b = chain.of_labels[node : node + 2]
            weight = chain.weights[a:b][chain.labels[a:b] == label].sum()
            if before is not None:
                a, b = chain.of_pairs[node : node + 2]
                mine = (chain.befores[a:b] == before) & (chain.afters[a:b] == label)
                weight += chain.pair_weights[a:b][mine].sum()
            if abs(weight) >= LEAST:
                yield letters or "[]", float(weight)
            code = code_at(string, t + place, len(model.choices))
            inside = 0 <= t + place < len(string)
            symbol = model.source.decode([code])[0] if inside else BEYOND
            letters += f"[{symbol}]" if place == 0 else symbol
            child = chain.values[find_slot(chain.keys, node * chain.n_codes + code)]
            if place > last or child < 0:
                break
            node = int(child)

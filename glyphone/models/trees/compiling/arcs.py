"""Arcs from columns of states and labels; a long output goes on along arcs of its own.

>>> arcs = Arcs()
>>> arcs.add([0], [5], [0], [arcs.chain((7, 8), 1, fresh=2)])
>>> machine = arcs.machine(finals=[1])
>>> machine.n_states, machine.ilabels.tolist(), machine.olabels.tolist()
(4, [5, 0, 0], [0, 8, 7])
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from glyphone.fst.automata.transducer import Transducer

Array = Any
Labels = tuple[int, ...]


class Arcs:
    """Arcs without costs."""

    def __init__(self) -> None:
        self.columns: list[Array] = []
        self.chains: dict[tuple[Labels, int], int] = {}

    def add(self, sources: Any, ilabels: Any, olabels: Any, targets: Any) -> None:
        """Arcs in parallel columns; a single number holds for all of them."""
        rows = np.broadcast_arrays(sources, ilabels, olabels, targets)
        self.columns.append(np.stack([np.ravel(row) for row in rows]))

    def chain(self, labels: Labels, target: int, *, fresh: int) -> int:
        """A state from which labels are written before a target; new states begin with `fresh`."""
        state = target
        for first in range(len(labels) - 1, -1, -1):
            key = (labels[first:], target)
            if key not in self.chains:
                self.chains[key] = fresh + len(self.chains)
                self.add([self.chains[key]], 0, labels[first], state)
            state = self.chains[key]
        return state

    def machine(self, *, start: int = 0, finals: Iterable[int]) -> Transducer:
        """The transducer of all arcs."""
        sources, ilabels, olabels, targets = np.concatenate(self.columns, axis=1)
        final = np.array(list(finals), np.int64)
        n_states = 1 + int(max(sources.max(), targets.max(), final.max()))
        costs = np.full(n_states, np.inf)
        costs[final] = 0.0
        return Transducer.from_arcs(
            start, costs, sources, ilabels, olabels, np.zeros(len(sources)), targets
        )

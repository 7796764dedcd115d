"""A forest through an automaton: sums, random trees, best trees and expected counts.

>>> from glyphone.fst.forests.forest import Choice, ForestBuilder
>>> from glyphone.fst.forests.automata import of_bigrams
>>> builder = ForestBuilder()
>>> adjective, noun = builder.add_leaf(0), builder.add_leaf(1)
>>> orders = [Choice((adjective, noun)), Choice((noun, adjective))]
>>> after = [[0.1, 0.1, 0.8], [0.5, 0.1, 0.4], [0.2, 0.7, 0.1]]  # adjective, noun, beginning
>>> forest = builder.build(builder.add_node(orders))
>>> weighted = WeightedForest(forest, of_bigrams(np.log(after)))
>>> [(tree.tolist(), round(share, 3)) for tree, share in weighted.n_best(2)]
[([1], 0.972), ([0], 0.028)]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import ItemError
from glyphone.data.kernels import jit
from glyphone.fst.forests import composition_kernels as forest_composition_kernels
from glyphone.fst.forests import nbest_kernels as forest_nbest_kernels
from glyphone.fst.forests import sum_kernels as forest_sum_kernels
from glyphone.fst.forests.composition_kernels import NO_ROOM, Automaton, ForestRoom, PackedForests
from glyphone.fst.forests.forest import Forest, Ints
from glyphone.fst.forests.packing import pack

Floats = NDArray[np.float64]
NO_PARAMETERS: Floats = np.zeros(0)
ROOM = 256
# Pairs, items or states that one forest may have, and four times as many arcs.
BUDGET = 4_000_000


@dataclass(frozen=True, eq=False)
class WeightedForest:
    """A forest, an automaton, and the log parameters that patterns of choices number."""

    forest: Forest
    automaton: Automaton
    log_params: Floats = field(default_factory=lambda: NO_PARAMETERS)
    budget: int = BUDGET
    name: str = "forest"

    @property
    def log_total(self) -> float:
        """The log of the sum over all trees."""
        _, _, total, scale = self._sums.end_weights(self.automaton, self.space, *self._inside)
        return float(self._sums.log_of_scaled(total, scale))

    def sample(self, n: int, *, seed: int) -> list[Ints]:
        """Random trees, each in proportion to its weight."""
        shares = np.random.default_rng(seed).random((n, self.packed.draws[1]))
        chosen = np.zeros((n, self.forest.longest), np.int64)
        arguments = (self.packed, self.automaton, self.space, *self._factors, *self._inside)
        kernels = jit.tier(forest_sum_kernels, shares.size)
        lengths = kernels.draw_trees(*arguments, shares, chosen)
        if (lengths < 0).any():
            raise self._impossible()
        rows = zip(self.packed.sources[chosen], lengths, strict=True)
        return [choices[:length] for choices, length in rows]

    def best(self) -> tuple[Ints, float]:
        """The best tree and its share of the sum; of equals that of the earlier choices."""
        return self.n_best(1)[0]

    def n_best(self, n: int) -> list[tuple[Ints, float]]:
        """The n best trees, and the share of the sum that each has."""
        total, chosen = self.log_total, np.empty(self.forest.longest, np.int64)
        if total == -math.inf:
            raise self._impossible()
        search = self._module(forest_nbest_kernels)
        table, trees, log_weights = search.n_best_trees(
            self.packed, self.automaton, self.space, self.log_params, n
        )
        found: list[tuple[Ints, float]] = []
        for tree, log_weight in zip(trees, log_weights, strict=True):
            length = search.write_choices(self.packed, self.space, table, tree, chosen)
            found.append((self.packed.sources[chosen[:length]], math.exp(log_weight - total)))
        return found

    def expected_counts(self) -> Floats:
        """The expected count of each choice in a random tree."""
        counts = np.zeros(len(self.packed.sources))
        arguments = (self.automaton, self.space, *self._factors, *self._inside)
        self._sums.add_expected_counts(*arguments, counts)
        by_choice = np.zeros(self.forest.n_choices)
        own = self.packed.sources >= 0
        by_choice[self.packed.sources[own]] = counts[own]
        return by_choice

    def log_weight(self, derivation: Sequence[int] | Ints) -> float:
        """The log weight of one tree, by walking along its yield."""
        forest, step = self.forest, self._module(forest_composition_kernels).token_step
        total, state = 0.0, self.automaton.start
        for choice in derivation:
            pattern = forest.patterns[choice]
            total += forest.log_weights[choice] + (self.log_params[pattern] if pattern >= 0 else 0)
        for leaf in forest.leaves_of(derivation):
            log_prob, state = step(self.automaton, state, forest.symbols[leaf])
            if state < 0:
                return -math.inf
            total += log_prob
        return float(total + step(self.automaton, state, self.automaton.end)[0])

    @cached_property
    def packed(self) -> PackedForests:
        return pack([self.forest])

    @cached_property
    def space(self) -> ForestRoom:
        """The composed forest; ItemError if it is larger than the budget."""
        kernels, room = self._module(forest_composition_kernels), ROOM
        while room <= self.budget:
            space: ForestRoom = kernels.forest_room(room)
            if kernels.compose_forest(self.packed, 0, self.automaton, space) != NO_ROOM:
                return space
            room *= 4
        raise too_large(self.name, self.budget)

    @cached_property
    def _factors(self) -> tuple[Floats, Ints]:
        packed = self.packed
        factors: tuple[Floats, Ints] = self._sums.choice_factors(
            packed.log_weights, packed.patterns, self.log_params
        )
        return factors

    @cached_property
    def _inside(self) -> tuple[Floats, Ints]:
        found: tuple[Floats, Ints] = self._sums.inside_weights(
            self.packed, self.automaton, self.space, *self._factors
        )
        return found

    @property
    def _sums(self) -> Any:
        return self._module(forest_sum_kernels)

    def _module(self, module: ModuleType) -> Any:
        return jit.tier(module, self.forest.n_choices)

    def _impossible(self) -> ItemError:
        return ItemError(
            "every tree of the forest has probability 0",
            item=self.name,
            remedy="smooth the language model, or give no order the probability 0",
        )


def too_large(name: str, budget: int) -> ItemError:
    return ItemError(
        f"the forest has more than {budget} items",
        item=name,
        remedy="leave it out, allow fewer orders, take shorter n-grams, or raise the budget",
    )

"""Orders of a treebank sampled from their posterior, by data augmentation (Jansche 2005).

    repeat:  1. for each source tree S draw a target tree T from p(T | S, language model, sides)
             2. for each class and side s in the source draw p(move | s) from Dirichlet(prior +
                counts of the trees drawn), or p(side in the source | t) for each side t in the
                target: see `glyphone.treebank.dependency_forests`
             3. draw a language model, if it is to be refined (`glyphone.treebank.refining`)

The prior has `strength` for what is as in the source and 1 for anything else. It must be of the
order of counts of classes, or where the language model cannot tell, orders become random; the
default is 0.4 for each sentence. The first half of the sweeps is left out. Several chains begin
with other numbers; where they agree, R-hat of a class (Gelman and Rubin 1992) is near 1.

>>> Estimate.of(np.array([[0.5, 0.7], [0.5, 0.7]])).mean
0.6
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data import jit
from glyphone.data.errors import GlyphoneError
from glyphone.fst import forest_sweeps
from glyphone.fst.forest import Forest
from glyphone.fst.forest_kernels import Automaton, Packed
from glyphone.fst.forest_packing import pack
from glyphone.treebank.checkpoint import Checkpoint, State, fingerprint
from glyphone.treebank.dependency_forests import Given, of_the_source, on_the_right, outcomes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
# Random numbers and yields, as symbols, to a language model.
Refine = Callable[[np.random.Generator, list[list[int]]], Automaton]

# For each sentence; the specification's 200 for 500 of them.
STRENGTH = 0.4
# Items and arcs that one sentence may have in the sampler.
BUDGET = 1_000_000
TOO_LARGE = "its forest is larger than the budget"
IMPOSSIBLE = "no order of it is possible"


@dataclass(frozen=True, kw_only=True)
class SamplingOptions:
    """How long, how often, and how firmly the order of the source is believed."""

    iterations: int = 40
    chains: int = 2
    seed: int = 0
    strength: float | None = None
    budget: int = BUDGET


@dataclass(frozen=True)
class Estimate:
    """The posterior of a share: its mean, a 95 % interval, and whether chains agree."""

    mean: float
    low: float
    high: float
    rhat: float

    @classmethod
    def of(cls, values: Floats) -> Estimate:
        """From a row of values for each chain."""
        low, high = np.quantile(values, [0.025, 0.975])
        return cls(float(values.mean()), float(low), float(high), rhat(values))


@dataclass(frozen=True, eq=False)
class Posterior:
    """What was sampled: trees of each forest with their counts, and right-hand shares of classes.

    `choices` counts, for each forest, how often each of its choices was taken in `kept` trees;
    `shares` and `log_totals` have a row for each chain and a column for each sweep that counts;
    `sides` are the means of probabilities, by pattern of choices.
    """

    trees: list[Counter[tuple[int, ...]]]
    choices: list[Ints]
    shares: Floats
    log_totals: Floats
    sides: Floats
    kept: int

    def state(
        self, chain: int, sweep: int, random: dict[str, Any], counts: Floats, last: list[Ints]
    ) -> State:
        """What a checkpoint keeps."""
        sampled = (self.trees, self.shares, self.log_totals, self.sides)
        return State(chain, sweep, random, counts, last, *sampled)

    def restore(self, state: State) -> None:
        """What was sampled up to a checkpoint."""
        for found, counts, kept in zip(self.trees, self.choices, state.trees, strict=True):
            found.update(kept)
            for tree, count in kept.items():
                np.add.at(counts, list(tree), count)
        self.shares[:], self.log_totals[:] = state.shares, state.log_totals
        self.sides[:] = state.sides

    def estimate(self, number: int) -> Estimate:
        """The share of dependents of a class on the right-hand side."""
        return Estimate.of(self.shares[:, :, number])


def rhat(values: Floats) -> float:
    """The root of the variance of all chains over that within them; nan if it cannot be told.

    >>> round(rhat(np.array([[1.0, 2.0, 1.0, 2.0], [2.0, 1.0, 2.0, 1.0]])), 3)
    0.866
    """
    chains, length = values.shape
    if chains < 2 or length < 2:
        return math.nan
    within = float(values.var(axis=1, ddof=1).mean())
    between = float(values.mean(axis=1).var(ddof=1))
    if within == 0.0:
        return 1.0 if between == 0.0 else math.inf
    return math.sqrt((length - 1) / length + between / within)


def sample(
    forests: Sequence[Forest],
    automaton: Automaton,
    n_classes: int,
    options: SamplingOptions,
    *,
    given: Given = "source",
    refine: Refine | None = None,
    checkpoint: Checkpoint | None = None,
    on_sweep: Callable[[], None] = lambda: None,
) -> Posterior:
    """All chains, one after the other; `refine` draws a language model after each sweep.

    With a `checkpoint` a run that was stopped goes on, and gives what it would have given.
    """
    if options.iterations < 2 or options.chains < 1:
        raise GlyphoneError("nothing would be sampled", remedy="2 iterations or more, 1 chain")
    packed = pack(forests)
    posterior = empty(forests, n_classes, options, given)
    state = None
    if checkpoint is not None:
        arrays = [*packed, *(part for part in automaton if isinstance(part, np.ndarray))]
        state = checkpoint.begin(fingerprint(arrays, f"{options} {given} {refine is not None}"))
    if state is not None:
        posterior.restore(state)
    for chain in range(0 if state is None else state.chain, options.chains):
        random = np.random.default_rng([options.seed, chain])
        prior = prior_of(n_classes, len(forests), options.strength, given)
        counts, model, first = np.zeros_like(prior), automaton, 0
        if state is not None:
            random.bit_generator.state = state.random
            counts, first = state.counts, state.sweep
            if refine is not None:
                model = refine(random, yields_of(forests, packed, state.last))
        for sweep in range(options.iterations):
            if sweep < first:
                on_sweep()
                continue
            drawn = random.gamma(counts + prior)
            log_shares = np.log(drawn / drawn.sum(axis=2, keepdims=True)).ravel()
            trees, log_totals = swept(packed, model, log_shares, random, options.budget)
            patterns = packed.patterns[np.concatenate(trees)]
            found = np.bincount(patterns[patterns >= 0], minlength=counts.size)
            counts = found.reshape(counts.shape).astype(float)
            place = sweep - options.iterations // 2
            if place >= 0:
                note(posterior, packed, trees)
                np.add(posterior.sides, np.exp(log_shares) / posterior.kept, posterior.sides)
                totals = counts.sum(axis=(1, 2))
                right = (counts * on_the_right(given)).sum(axis=(1, 2))
                posterior.shares[chain, place] = right / np.maximum(totals, 1)
                posterior.log_totals[chain, place] = log_totals.sum()
            if checkpoint is not None:
                numbers = dict(random.bit_generator.state)
                checkpoint.save(posterior.state(chain, sweep + 1, numbers, counts, trees))
            if refine is not None:
                model = refine(random, yields_of(forests, packed, trees))
            on_sweep()
        state = None
    if checkpoint is not None:
        checkpoint.end()
    return posterior


def empty(
    forests: Sequence[Forest], n_classes: int, options: SamplingOptions, given: Given
) -> Posterior:
    """Nothing sampled so far."""
    kept = options.iterations - options.iterations // 2
    return Posterior(
        [Counter() for _ in forests],
        [np.zeros(forest.n_choices, np.int64) for forest in forests],
        np.zeros((options.chains, kept, n_classes)),
        np.zeros((options.chains, kept)),
        np.zeros(2 * outcomes(given) * n_classes),
        kept * options.chains,
    )


def prior_of(
    n_classes: int, n_sentences: int, strength: float | None = None, given: Given = "source"
) -> Floats:
    """By class and side that is given, a row of all that may be.

    >>> prior_of(1, 500).tolist()
    [[[200.0, 1.0, 1.0, 1.0], [200.0, 1.0, 1.0, 1.0]]]
    """
    firm = max(STRENGTH * n_sentences, 1.0) if strength is None else strength
    return np.where(of_the_source(given), firm, 1.0) * np.ones((n_classes, 1, 1))


def swept(
    packed: Packed, automaton: Automaton, log_shares: Floats, random: Any, budget: int
) -> tuple[list[Ints], Floats]:
    """A tree of each forest as choices of the packed forests, and the logs of their sums."""
    n = len(packed.bounds) - 1
    chosen, lengths = np.zeros(packed.draws[-1], np.int64), np.zeros(n, np.int64)
    log_totals, statuses = np.zeros(n), np.zeros(n, np.int64)
    numbers = random.random(packed.draws[-1])
    kernels = jit.tier(forest_sweeps, 64 * len(chosen))
    kernels.sweep(
        packed, 0, n, automaton, log_shares, numbers, budget, chosen, lengths, log_totals, statuses
    )
    if statuses.any():
        raise Unsampled(np.flatnonzero(statuses).tolist(), statuses.tolist())
    trees = [
        chosen[begin : begin + length]
        for begin, length in zip(packed.draws[:-1].tolist(), lengths.tolist(), strict=True)
    ]
    return trees, log_totals


class Unsampled(Exception):
    """Forests that cannot be sampled, by number, each with the reason."""

    def __init__(self, numbers: Sequence[int], statuses: Sequence[int]) -> None:
        super().__init__(f"{len(numbers)} forests")
        reasons = {forest_sweeps.TOO_LARGE: TOO_LARGE, forest_sweeps.IMPOSSIBLE: IMPOSSIBLE}
        self.reasons = {number: reasons[statuses[number]] for number in numbers}


def yields_of(forests: Sequence[Forest], packed: Packed, trees: Sequence[Ints]) -> list[list[int]]:
    """The symbols of trees, in order."""
    found = []
    for forest, tree in zip(forests, trees, strict=True):
        own = packed.sources[tree]
        found.append(forest.symbols[forest.leaves_of(own[own >= 0])].tolist())
    return found


def note(posterior: Posterior, packed: Packed, trees: Sequence[Ints]) -> None:
    """Counts the trees, in choices of the forests themselves."""
    for tree, found, counts in zip(trees, posterior.trees, posterior.choices, strict=True):
        own = packed.sources[tree]
        own = own[own >= 0]
        found[tuple(own.tolist())] += 1
        np.add.at(counts, own, 1)

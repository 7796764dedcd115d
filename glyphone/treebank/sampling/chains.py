"""Target trees sampled from their posterior, by data augmentation (Jansche 2005).

    repeat:  1. draw each multinomial of choices from Dirichlet(prior + counts in the trees drawn)
             2. for each source tree S draw a target tree T from p(T | S, language model, choices)
             3. draw a language model, if it is to be refined (`glyphone.treebank.sampling.bigrams`)

Parameters begin with draws from their priors. The first half of the sweeps, or `burn_in` sweeps,
are left out; of the others every `thin`-th is kept. Each chain has a random generator of its own,
so that results do not depend on the number of workers.

>>> from glyphone.fst.forests.forest import Choice, ForestBuilder
>>> from glyphone.fst.forests.automata import of_bigrams
>>> builder = ForestBuilder()
>>> a, n = builder.add_leaf(0), builder.add_leaf(1)
>>> forest = builder.build(builder.add_node([Choice((a, n), 0), Choice((n, a), 1)]))
>>> flat, fair = of_bigrams(np.zeros((3, 3))), Multinomials(np.ones(2), np.array([0, 2]))
>>> options = SamplingOptions(iterations=60, chains=2)
>>> posterior = sample_posterior([forest] * 50, flat, fair, options)
>>> posterior.params.shape, sum(posterior.trees[0].values())
((2, 30, 2), 60)
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import jit
from glyphone.fst.forests import sweep_kernels
from glyphone.fst.forests.composition_kernels import Automaton, PackedForests
from glyphone.fst.forests.forest import Forest
from glyphone.fst.forests.packing import pack
from glyphone.treebank.sampling.checkpoint import ChainState, Checkpoint, fingerprint_of
from glyphone.treebank.sampling.multinomials import Multinomials

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Trees = Counter[tuple[int, ...]]
# A function that draws a language model, given the yields of trees as symbols.
Refine = Callable[[np.random.Generator, list[list[int]]], Automaton]

# Items and arcs that one sentence may have in the sampler.
BUDGET = 1_000_000
TOO_LARGE = "its forest is larger than the budget"
IMPOSSIBLE = "no order of it is possible"


@dataclass(frozen=True, kw_only=True)
class SamplingOptions:
    """Sweeps of a chain, chains, and sweeps that are kept: behind `burn_in`, every `thin`-th.

    `burn_in` is half of the sweeps by default. `strength` is the prior count of the order of the
    source, None to derive it from the text. A sentence may have `budget` items and arcs.
    """

    iterations: int = 40
    chains: int = 2
    seed: int = 0
    burn_in: int | None = None
    thin: int = 1
    strength: float | None = None
    budget: int = BUDGET

    def kept_place(self, sweep: int) -> int:
        """The number of a sweep among the kept sweeps, or -1."""
        place, rest = divmod(sweep - self.first_kept, self.thin)
        return place if place >= 0 and rest == self.thin - 1 else -1

    @property
    def n_kept(self) -> int:
        """The count of the kept sweeps of a chain; GlyphoneError if there would be none."""
        kept = (self.iterations - self.first_kept) // self.thin if self.thin > 0 else 0
        if self.iterations < 2 or self.chains < 1 or self.first_kept < 0 or kept < 1:
            remedy = "give 2 iterations or more, 1 chain or more, less --burn-in or less --thin"
            raise GlyphoneError("nothing would be sampled", remedy=remedy)
        return kept

    @property
    def first_kept(self) -> int:
        return self.iterations // 2 if self.burn_in is None else self.burn_in


@dataclass(frozen=True, eq=False)
class Posterior:
    """Sampled trees of each forest with their counts, over all chains.

    `params`, `counts` of the choices of trees by parameter, and `log_totals`, the logs of the sums
    over all trees, have a row for each chain, then a row for each kept sweep.
    """

    trees: list[Trees]
    params: Floats
    counts: Floats
    log_totals: Floats


@dataclass(eq=False)
class GibbsChain:
    """A chain: its kept samples, the trees and counts of its last sweep, and its generator."""

    random: np.random.Generator
    trees: list[Trees]
    params: Floats
    kept_counts: Floats
    log_totals: Floats
    counts: Floats
    last: list[Ints]
    sweep: int = 0

    @classmethod
    def begin(cls, seed: Sequence[int], n_forests: int, shape: tuple[int, int]) -> GibbsChain:
        """A chain before its first sweep; `shape` is the count of kept sweeps and parameters."""
        return cls(
            np.random.default_rng(seed),
            [Counter() for _ in range(n_forests)],
            np.zeros(shape),
            np.zeros(shape),
            np.zeros(shape[0]),
            np.zeros(shape[1]),
            [],
        )

    @property
    def state(self) -> ChainState:
        """The state of the chain, for a checkpoint."""
        return ChainState(
            self.sweep, dict(self.random.bit_generator.state), self.counts, self.last, self.trees,
            self.params, self.kept_counts, self.log_totals,
        )  # fmt: skip

    def restore(self, state: ChainState) -> None:
        self.random.bit_generator.state = state.random
        self.sweep, self.counts, self.last = state.sweep, state.counts, state.last
        self.trees, self.params = [*state.trees], state.params
        self.kept_counts, self.log_totals = state.kept_counts, state.log_totals

    def keep_sweep(
        self, place: int, packed: PackedForests, params: Floats, log_total: float
    ) -> None:
        """Keeps the last sweep; its trees become choices of the forests themselves."""
        self.params[place], self.kept_counts[place] = params, self.counts
        self.log_totals[place] = log_total
        for tree, counts in zip(self.last, self.trees, strict=True):
            own = packed.sources[tree]
            counts[tuple(own[own >= 0].tolist())] += 1


def sample_posterior(
    forests: Sequence[Forest],
    automaton: Automaton,
    multinomials: Multinomials,
    options: SamplingOptions,
    *,
    refine: Refine | None = None,
    checkpoint: Checkpoint | None = None,
    jobs: int = 1,
    on_sweep: Callable[[], None] = lambda: None,
) -> Posterior:
    """Samples of all chains, `jobs` at a time; `refine` draws a language model after each sweep.

    With a `checkpoint` a stopped run goes on, and samples what it would have sampled.
    """
    packed, n_params = pack(forests), len(multinomials.prior)
    shape = options.n_kept, n_params
    chains = [
        GibbsChain.begin([options.seed, n], len(forests), shape) for n in range(options.chains)
    ]
    files = [None if checkpoint is None else checkpoint.of_chain(n) for n in range(options.chains)]
    arrays = [*packed, *(part for part in automaton if isinstance(part, np.ndarray))]
    name = fingerprint_of([*arrays, *multinomials], f"{options} {refine is not None}")

    def run_chain(number: int, stop: threading.Event) -> None:
        chain, file = chains[number], files[number]
        state = None if file is None else file.begin(f"{name} {number}")
        model = automaton
        if state is not None:
            chain.restore(state)
            for _ in range(chain.sweep):
                on_sweep()
        while chain.sweep < options.iterations and not stop.is_set():
            if refine is not None and chain.sweep:
                model = refine(chain.random, yields_of(forests, packed, chain.last))
            params = multinomials.draw(chain.random, chain.counts)
            chain.last, log_totals = draw_trees(
                packed, model, np.log(params), chain.random, options.budget
            )
            patterns = packed.patterns[np.concatenate(chain.last)]
            chain.counts = np.bincount(patterns[patterns >= 0], minlength=n_params).astype(float)
            place = options.kept_place(chain.sweep)
            if place >= 0:
                chain.keep_sweep(place, packed, params, float(log_totals.sum()))
            chain.sweep += 1
            if file is not None:
                file.save(chain.state)
            on_sweep()
        if file is not None and chain.sweep:
            file.save(chain.state, last=True)

    run_in_threads(run_chain, options.chains, jobs)
    for file in files:
        if file is not None:
            file.end()
    return Posterior(
        [sum(trees, Counter()) for trees in zip(*(one.trees for one in chains), strict=True)],
        np.stack([one.params for one in chains]),
        np.stack([one.kept_counts for one in chains]),
        np.stack([one.log_totals for one in chains]),
    )


def run_in_threads(run: Callable[[int, threading.Event], None], n: int, jobs: int) -> None:
    """Calls `run` with all numbers below n in threads; an error, or Ctrl-C, stops all."""
    stop = threading.Event()

    def run_or_stop(number: int) -> None:
        try:
            run(number, stop)
        except BaseException:
            stop.set()
            raise

    with ThreadPoolExecutor(min(jobs, n)) as pool:
        try:
            futures = [pool.submit(run_or_stop, number) for number in range(n)]
            done, _ = wait(futures, return_when=FIRST_EXCEPTION)
        except BaseException:
            stop.set()
            raise
    for future in done:
        future.result()


def draw_trees(
    packed: PackedForests, automaton: Automaton, log_params: Floats, random: Any, budget: int
) -> tuple[list[Ints], Floats]:
    """A tree of each forest as choices of the packed forests, and the logs of the sums over trees.

    UnsampledForests if a forest has no possible tree or is larger than the budget.
    """
    n = len(packed.bounds) - 1
    chosen, lengths = np.zeros(packed.draws[-1], np.int64), np.zeros(n, np.int64)
    log_totals, statuses = np.zeros(n), np.zeros(n, np.int64)
    numbers = random.random(packed.draws[-1])
    kernels = jit.tier(sweep_kernels, 64 * len(chosen))
    kernels.sweep_forests(
        packed, 0, n, automaton, log_params, numbers, budget, chosen, lengths, log_totals, statuses
    )
    if statuses.any():
        raise UnsampledForests(np.flatnonzero(statuses).tolist(), statuses.tolist())
    trees = [
        chosen[begin : begin + length]
        for begin, length in zip(packed.draws[:-1].tolist(), lengths.tolist(), strict=True)
    ]
    return trees, log_totals


class UnsampledForests(Exception):
    """Some forests cannot be sampled; `reasons` has a reason for each by its number."""

    def __init__(self, numbers: Sequence[int], statuses: Sequence[int]) -> None:
        super().__init__(f"{len(numbers)} forests")
        reasons = {sweep_kernels.TOO_LARGE: TOO_LARGE, sweep_kernels.IMPOSSIBLE: IMPOSSIBLE}
        self.reasons = {number: reasons[statuses[number]] for number in numbers}


def sampling_failures(
    forests: Sequence[Forest], automaton: Automaton, n_params: int, budget: int
) -> dict[int, str]:
    """Reasons by number for the forests that cannot be sampled with any parameters."""
    try:
        draw_trees(pack(forests), automaton, np.zeros(n_params), np.random.default_rng(0), budget)
    except UnsampledForests as error:
        return error.reasons
    return {}


def yields_of(
    forests: Sequence[Forest], packed: PackedForests, trees: Sequence[Ints]
) -> list[list[int]]:
    """The symbols of the words of each tree, in order."""
    yields = []
    for forest, tree in zip(forests, trees, strict=True):
        own = packed.sources[tree]
        yields.append(forest.symbols[forest.leaves_of(own[own >= 0])].tolist())
    return yields

"""Trees of a target sampled from their posterior, by data augmentation (Jansche 2005).

    repeat:  1. draw each multinomial of choices from Dirichlet(prior + counts in the trees drawn)
             2. for each source tree S draw a target tree T from p(T | S, language model, choices)
             3. draw a language model, if it is to be refined (`glyphone.treebank.sampling.bigrams`)

Parameters begin with draws from their priors. The first half of the sweeps, or as many as are asked
for, is left out, and of the others every `thin`-th counts. Chains begin with other random numbers,
each with its own, so that results are the same for any number of workers.

>>> from glyphone.fst.forests.forest import Choice, ForestBuilder
>>> from glyphone.fst.forests.automata import of_bigrams
>>> builder = ForestBuilder()
>>> a, n = builder.add_leaf(0), builder.add_leaf(1)
>>> forest = builder.build(builder.add_node([Choice((a, n), 0), Choice((n, a), 1)]))
>>> flat, fair = of_bigrams(np.zeros((3, 3))), Multinomials(np.ones(2), np.array([0, 2]))
>>> found = sample([forest] * 50, flat, fair, SamplingOptions(iterations=60, chains=2))
>>> found.params.shape, sum(found.trees[0].values())
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
from glyphone.fst.forests.composition_kernels import Automaton, Packed
from glyphone.fst.forests.forest import Forest
from glyphone.fst.forests.packing import pack
from glyphone.treebank.sampling.checkpoint import Checkpoint, State, fingerprint
from glyphone.treebank.sampling.multinomials import Multinomials

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Trees = Counter[tuple[int, ...]]
# Random numbers and yields, as symbols, to a language model.
Refine = Callable[[np.random.Generator, list[list[int]]], Automaton]

# Items and arcs that one sentence may have in the sampler.
BUDGET = 1_000_000
TOO_LARGE = "its forest is larger than the budget"
IMPOSSIBLE = "no order of it is possible"


@dataclass(frozen=True, kw_only=True)
class SamplingOptions:
    """How long and how often, and how firmly the order of the source is believed.

    `burn_in` sweeps are left out (default: half of them); then every `thin`-th counts.
    """

    iterations: int = 40
    chains: int = 2
    seed: int = 0
    burn_in: int | None = None
    thin: int = 1
    strength: float | None = None
    budget: int = BUDGET

    def kept(self, sweep: int) -> int:
        """The number of a sweep among those that count, or -1."""
        place, rest = divmod(sweep - self._first, self.thin)
        return place if place >= 0 and rest == self.thin - 1 else -1

    @property
    def n_kept(self) -> int:
        """How many sweeps of a chain count; options that leave none are refused."""
        found = (self.iterations - self._first) // self.thin if self.thin > 0 else 0
        if self.iterations < 2 or self.chains < 1 or self._first < 0 or found < 1:
            remedy = "2 iterations or more, 1 chain, and some behind --burn-in and --thin"
            raise GlyphoneError("nothing would be sampled", remedy=remedy)
        return found

    @property
    def _first(self) -> int:
        return self.iterations // 2 if self.burn_in is None else self.burn_in


@dataclass(frozen=True, eq=False)
class Posterior:
    """What was sampled: trees of each forest with their counts, over all chains.

    `params`, and how often each was the choice of a tree, `counts`, have a row for each chain, then
    for each sweep that counts; so have `log_totals`, the logs of the sums over all trees.
    """

    trees: list[Trees]
    params: Floats
    counts: Floats
    log_totals: Floats


@dataclass(eq=False)
class Chain:
    """What one chain has sampled so far, and where it stands."""

    random: np.random.Generator
    trees: list[Trees]
    params: Floats
    kept_counts: Floats
    log_totals: Floats
    counts: Floats
    last: list[Ints]
    sweep: int = 0

    @classmethod
    def begun(cls, seed: Sequence[int], n_forests: int, shape: tuple[int, int]) -> Chain:
        """With room for so many sweeps and parameters."""
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
    def state(self) -> State:
        """What a checkpoint keeps."""
        return State(
            self.sweep, dict(self.random.bit_generator.state), self.counts, self.last, self.trees,
            self.params, self.kept_counts, self.log_totals,
        )  # fmt: skip

    def restore(self, state: State) -> None:
        self.random.bit_generator.state = state.random
        self.sweep, self.counts, self.last = state.sweep, state.counts, state.last
        self.trees, self.params = [*state.trees], state.params
        self.kept_counts, self.log_totals = state.kept_counts, state.log_totals

    def note(self, place: int, packed: Packed, params: Floats, log_total: float) -> None:
        """Keeps a sweep, its trees in choices of the forests themselves."""
        self.params[place], self.kept_counts[place] = params, self.counts
        self.log_totals[place] = log_total
        for tree, found in zip(self.last, self.trees, strict=True):
            own = packed.sources[tree]
            found[tuple(own[own >= 0].tolist())] += 1


def sample(
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
    """All chains, `jobs` at a time; `refine` draws a language model after each sweep.

    With a `checkpoint` a run that was stopped goes on, and gives what it would have given.
    """
    packed, n_params = pack(forests), len(multinomials.prior)
    shape = options.n_kept, n_params
    chains = [Chain.begun([options.seed, n], len(forests), shape) for n in range(options.chains)]
    files = [None if checkpoint is None else checkpoint.of_chain(n) for n in range(options.chains)]
    arrays = [*packed, *(part for part in automaton if isinstance(part, np.ndarray))]
    name = fingerprint([*arrays, *multinomials], f"{options} {refine is not None}")

    def run(number: int, stop: threading.Event) -> None:
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
            chain.last, log_totals = swept(
                packed, model, np.log(params), chain.random, options.budget
            )
            patterns = packed.patterns[np.concatenate(chain.last)]
            chain.counts = np.bincount(patterns[patterns >= 0], minlength=n_params).astype(float)
            place = options.kept(chain.sweep)
            if place >= 0:
                chain.note(place, packed, params, float(log_totals.sum()))
            chain.sweep += 1
            if file is not None:
                file.save(chain.state)
            on_sweep()
        if file is not None and chain.sweep:
            file.save(chain.state, last=True)

    at_once(run, options.chains, jobs)
    for file in files:
        if file is not None:
            file.end()
    return Posterior(
        [sum(trees, Counter()) for trees in zip(*(one.trees for one in chains), strict=True)],
        np.stack([one.params for one in chains]),
        np.stack([one.kept_counts for one in chains]),
        np.stack([one.log_totals for one in chains]),
    )


def at_once(run: Callable[[int, threading.Event], None], n: int, jobs: int) -> None:
    """Runs all numbers up to n in threads; what goes wrong in one, or Ctrl-C, stops the others."""
    stop = threading.Event()

    def guarded(number: int) -> None:
        try:
            run(number, stop)
        except BaseException:
            stop.set()
            raise

    with ThreadPoolExecutor(min(jobs, n)) as pool:
        try:
            futures = [pool.submit(guarded, number) for number in range(n)]
            done, _ = wait(futures, return_when=FIRST_EXCEPTION)
        except BaseException:
            stop.set()
            raise
    for future in done:
        future.result()


def swept(
    packed: Packed, automaton: Automaton, log_params: Floats, random: Any, budget: int
) -> tuple[list[Ints], Floats]:
    """A tree of each forest as choices of the packed forests, and the logs of their sums."""
    n = len(packed.bounds) - 1
    chosen, lengths = np.zeros(packed.draws[-1], np.int64), np.zeros(n, np.int64)
    log_totals, statuses = np.zeros(n), np.zeros(n, np.int64)
    numbers = random.random(packed.draws[-1])
    kernels = jit.tier(sweep_kernels, 64 * len(chosen))
    kernels.sweep(
        packed, 0, n, automaton, log_params, numbers, budget, chosen, lengths, log_totals, statuses
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
        reasons = {sweep_kernels.TOO_LARGE: TOO_LARGE, sweep_kernels.IMPOSSIBLE: IMPOSSIBLE}
        self.reasons = {number: reasons[statuses[number]] for number in numbers}


def unsampled(
    forests: Sequence[Forest], automaton: Automaton, n_params: int, budget: int
) -> dict[int, str]:
    """The forests that cannot be sampled, whatever the parameters, by number with the reason."""
    try:
        swept(pack(forests), automaton, np.zeros(n_params), np.random.default_rng(0), budget)
    except Unsampled as found:
        return found.reasons
    return {}


def yields_of(forests: Sequence[Forest], packed: Packed, trees: Sequence[Ints]) -> list[list[int]]:
    """The symbols of trees, in order."""
    found = []
    for forest, tree in zip(forests, trees, strict=True):
        own = packed.sources[tree]
        found.append(forest.symbols[forest.leaves_of(own[own >= 0])].tolist())
    return found

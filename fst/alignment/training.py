"""Alignment: pairs cut into units of a few source and a few target symbols each.

A memoryless model (Ristad and Yianilos 1998; Jiampojamarn, Kondrak and Sherif 2007): a pair is
written unit by unit, each drawn from one distribution P, so that

    P(x, y) = sum over the ways to cut (x, y) into units of the product of their P

P is trained by expectation-maximisation over all cuts ("soft") or the best one ("viterbi"), from
counts of chunks that meet in a pair (Luk and Damper 1996), and may be interpolated:

    P(u) = a1 * P_rules(u) + a2 * P_lexicon(u) + a3 / number of possible units

where P_rules counts meetings in pairs taken from rules, and EM changes P_lexicon alone.

>>> lexicon = {"graph": "graf", "phi": "fi", "hi": "hi", "rag": "rag", "ga": "ga", "ra": "ra"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> units = fit(pairs, AlignmentOptions(max_target=1)).align(pairs[0]).units
>>> " ".join("".join(x) + ":" + "".join(y) for x, y in units)
'g:g r:r a:a ph:f'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data import progress
from glyphone.data.kernels import jit
from glyphone.data.records import Alignment, Pair
from glyphone.fst.alignment import path_kernels as alignment_path_kernels
from glyphone.fst.alignment import sum_kernels as alignment_sum_kernels
from glyphone.fst.alignment.corpus import (
    Chunks,
    Unit,
    costs_of,
    count_states,
    countable_pairs,
    encode_pairs,
    map_parts,
    refusal_of,
    units_of,
    usable_pairs,
)
from glyphone.fst.alignment.model import AlignmentLattices, AlignmentModel
from glyphone.fst.alignment.options import ONE_TO_ONE, AlignmentOptions, Refusal
from glyphone.fst.alignment.sum_kernels import Corpus, UnitTable

__all__ = [
    "ONE_TO_ONE",
    "AlignmentLattices",
    "AlignmentModel",
    "AlignmentOptions",
    "Refusal",
    "Unit",
    "bag_counts",
    "fit",
    "slot_outputs",
]

Array = Any


def fit(
    pairs: Sequence[Pair],
    options: AlignmentOptions | None = None,
    *,
    rule_pairs: Sequence[Pair] = (),
    jobs: int = 1,
) -> AlignmentModel:
    """Units and probabilities of a lexicon; pairs that no units fit are in `refusals`."""
    options = options or AlignmentOptions()
    shares = options.shares(rules=bool(rule_pairs))
    training = _Training.of(pairs, rule_pairs, options, jobs)
    bags = _normalise(training.count_meetings(training.corpus))
    rules = shares[0] * _normalise(training.count_meetings(training.rules))
    unlisted = shares[2] / training.possible_units
    best: tuple[Array, list[float]] = (bags, [])
    for start in range(options.starts):
        lexicon = bags if options.initial == "bag" else np.full(len(bags), 1 / max(1, len(bags)))
        if start > 0 or options.initial == "random":
            noise = np.random.default_rng([options.seed, start])
            lexicon = _normalise(lexicon * noise.exponential(size=len(lexicon)))
        found = training.run_em(lexicon, rules + unlisted, shares[1])
        if start == 0 or found[1][-1:] > best[1][-1:]:
            best = found
    probabilities = shares[1] * best[0] + rules
    listed = probabilities > 0
    return AlignmentModel(
        options=options,
        source=training.source,
        target=training.target,
        keys=training.keys[listed],
        probabilities=(probabilities + unlisted)[listed],
        unlisted=unlisted,
        log_likelihoods=tuple(best[1]),
        refusals=tuple(
            refusal_of(index, pairs[index], options, training.source, training.target)
            for index in np.flatnonzero(~training.usable).tolist()
        ),
    )


def bag_counts(
    pairs: Sequence[Pair], options: AlignmentOptions = ONE_TO_ONE, *, jobs: int = 1
) -> dict[Unit, float]:
    """How often chunks meet: of n source and p target symbols, n_x * n_y, n_x * n or p * n_y.

    The last two are for the empty chunk, of which each side has as many as the other has symbols.

    >>> counts = bag_counts([Pair(tuple("texte"), tuple("tEkst"))])
    >>> counts[("t",), ()], counts[("t",), ("t",)], counts[("t",), ("k",)]
    (10.0, 4.0, 2.0)
    """
    training = _Training.of(pairs, (), options, jobs)
    units = units_of(training.keys, training.source, training.target)
    return dict(zip(units, training.count_meetings(training.corpus).tolist(), strict=True))


def slot_outputs(alignment: Alignment) -> tuple[str, ...]:
    """The outputs of a one-to-one alignment before, at and after each letter, "" for none.

    >>> slot_outputs(Alignment((((), ("h",)), (("a",), ("a",)), (("b",), ()))))
    ('h', 'a', '', '', '')
    """
    written = [""]
    for source, target in alignment.units:
        if source:
            written += [*target, ""] if target else ["", ""]
        else:
            (written[-1],) = target
    return tuple(written)


def _normalise(counts: Array) -> Array:
    total = counts.sum()
    return counts / total if total > 0 else counts


@dataclass(frozen=True, eq=False, kw_only=True)
class _Training:
    """Pairs, rules, and all units that could be in them."""

    options: AlignmentOptions
    jobs: int
    source: Chunks
    target: Chunks
    corpus: Corpus
    rules: Corpus
    usable: Array
    keys: Array
    table: UnitTable

    @classmethod
    def of(
        cls,
        pairs: Sequence[Pair],
        rule_pairs: Sequence[Pair],
        options: AlignmentOptions,
        jobs: int,
    ) -> _Training:
        everything = [*pairs, *rule_pairs]
        source = Chunks.of([pair.source for pair in everything], longest=options.max_source)
        target = Chunks.of([pair.target for pair in everything], longest=options.max_target)
        corpus, rules = (
            encode_pairs(pairs, source, target),
            encode_pairs(rule_pairs, source, target),
        )
        kernels = jit.tier(
            alignment_sum_kernels, count_states(corpus, countable_pairs(corpus, options)) // 4
        )
        keys = [
            kernels.collect_keys(part, countable_pairs(part, options), options.moves, len(target))
            for part in (corpus, rules)
        ]
        merged = np.union1d(*keys)
        return cls(
            options=options,
            jobs=jobs,
            source=source,
            target=target,
            corpus=corpus,
            rules=rules,
            usable=usable_pairs(corpus, options),
            keys=merged,
            table=UnitTable(*kernels.unit_table(merged, len(target))),
        )

    @property
    def possible_units(self) -> float:
        """The number of units that the symbols could make, seen together or not."""
        letters, phones = float(len(self.source.symbols)), float(len(self.target.symbols))
        return max(1.0, sum(letters**s * phones**t for s, t in self.options.steps))

    def count_meetings(self, corpus: Corpus) -> Array:
        counted, counts = countable_pairs(corpus, self.options), np.zeros(len(self.keys))
        kernels = jit.tier(alignment_sum_kernels, count_states(corpus, counted) // 4)
        kernels.add_bags(corpus, counted, self.table, self.options.moves, counts)
        return counts

    def run_em(self, lexicon: Array, base: Array, share: float) -> tuple[Array, list[float]]:
        """P_lexicon after EM with P = base + share * P_lexicon, and the log likelihoods of rounds.

        The expected counts of a unit belong to the lexicon in the proportion that it has in P.
        """
        history: list[float] = []
        rounds = range(self.options.rounds if share > 0 else 0)
        for _ in progress.steps(rounds, "aligning"):
            probabilities = base + share * lexicon
            counts, log_likelihood = self.expected_counts(probabilities)
            history.append(float(log_likelihood))
            enough = self.options.tolerance * abs(log_likelihood)
            if len(history) > 1 and log_likelihood - history[-2] < enough:
                break
            with np.errstate(invalid="ignore"):
                belonging = np.where(lexicon > 0, counts * (share * lexicon / probabilities), 0.0)
            lexicon = _normalise(belonging)
        return lexicon, history

    def expected_counts(self, probabilities: Array) -> tuple[Array, float]:
        """The expected counts of all units, and the log likelihood of the pairs."""
        work = count_states(self.corpus, self.usable) // 4
        if self.options.method == "soft":
            count = jit.tier(alignment_sum_kernels, work).add_soft_counts
        else:
            count = jit.tier(alignment_path_kernels, work).add_hard_counts
        values = np.append(probabilities, 0.0)
        costs = costs_of(probabilities, 0.0)

        def part(first: int, last: int) -> tuple[Array, float]:
            counts = np.zeros(len(values))
            arrays = (self.corpus, self.usable, self.table, self.options.moves, values, costs)
            return counts, count(*arrays, first, last, counts)

        total, log_likelihood = np.zeros(len(values)), 0.0
        for counts, part_likelihood in map_parts(part, len(self.usable), self.jobs):
            total += counts
            log_likelihood += part_likelihood
        return total[:-1], log_likelihood

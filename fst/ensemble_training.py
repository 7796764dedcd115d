"""Ensembles from lexicons: members, models of histories, and the shares that each deserves.

Shares and weights of the reranker must be right for new words, so they are fitted on lists of
words that the models which made them have not seen: the lexicon is divided into folds by word, and
for each fold a smaller ensemble is trained on the others. In a large lexicon a few folds are lists
enough. Features of whole outputs, and how strongly they are held back, are chosen by cross-
validation on the lists; where they do not help, there are none.

>>> from glyphone.fst.joint_training import JointOptions
>>> lexicon = {"phi": "fi", "hi": "hi", "pi": "pi", "graph": "graf", "rag": "rag"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> options = EnsembleOptions(joint=JointOptions(order=3), members=2)
>>> fit_ensemble(pairs, options, target=Writing()).model("graphi").output
'grafi'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair, Symbols
from glyphone.data.splits import place_of
from glyphone.data.writing import Writing
from glyphone.fst import sukhotin
from glyphone.fst.align import Refusal
from glyphone.fst.answers import in_order
from glyphone.fst.ensemble import DEPTH, EnsembleModel, Member
from glyphone.fst.histories import HistoryModel, fit_histories
from glyphone.fst.joint import JointModel
from glyphone.fst.joint_training import LETTERS, PHONES, JointOptions, fit_joint
from glyphone.fst.ngram_counts import flat
from glyphone.fst.reranker import (
    Reranker,
    chosen,
    errors,
    fit_reranker,
    fit_shares,
    fit_temperature,
    joined,
)
from glyphone.fst.reranker_kernels import ALL, NOTHING, TIERS, Lists

# Words that are enough to tell the shares of a handful of models, and features of whole outputs.
ENOUGH_WORDS = 12_000
# With fewer words the lists would be of models too unlike the one that is made in the end.
LEAST_WORDS = 20
FOLDS, MOST_FOLDS = 3, 10
# What features of whole outputs are tried: how far they go, and how strongly they are held back.
TRIALS = ((TIERS, 4.0), (TIERS, 16.0), (ALL, 4.0), (ALL, 16.0), (ALL, 64.0))
# Features must save so many standard deviations of the number of errors, or they are chance.
WORTH = 0.5
BLOCK = 1024

Array = Any
Stage = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class EnsembleOptions:
    """How an ensemble is made; the defaults need no expert.

    The first `members` are: the joint model of `joint`; one that reads backward; one of units of
    up to two letters; one of a lower order; then others of samples of the lexicon, drawn with
    repetition. `histories` adds two models of histories, forward and backward, where every unit
    reads one letter. `reranker` is left to what cross-validation says, unless it is asked for or
    not.
    """

    joint: JointOptions = field(default_factory=JointOptions)
    members: int = 3
    histories: bool = True
    reranker: bool | None = None
    folds: int | None = None
    depth: int = DEPTH
    penalty: float = 1.0
    seed: int = 0


@dataclass(frozen=True, eq=False)
class FittedEnsemble:
    """An ensemble, the pairs that it could not be trained on, and how it was put together."""

    model: EnsembleModel
    refusals: tuple[Refusal, ...]
    report: dict[str, Any]


def fit_ensemble(
    pairs: Sequence[Pair],
    options: EnsembleOptions | None = None,
    *,
    source: Writing = LETTERS,
    target: Writing = PHONES,
    jobs: int = 1,
    name: str = "ensemble",
    on_stage: Stage | None = None,
) -> FittedEnsemble:
    """An ensemble of a lexicon."""
    options = options or EnsembleOptions()
    tell = on_stage or (lambda stage: None)
    if options.members < 1:
        raise GlyphoneError(f"an ensemble of {options.members} members", remedy="ask for 1 or more")
    tell("training the members")
    whole = untuned(pairs, options, source=source, target=target, jobs=jobs, name=name)
    refused = {refusal.index for refusal in whole.refusals}
    first = whole.model.first
    good = [recut(pair, first) for number, pair in enumerate(pairs) if number not in refused]
    lists, right = held_out_lists(good, whole.model, options, jobs=jobs, on_stage=tell)
    if lists is None:
        return whole
    tell("fitting the shares of members")
    ranker, temperature, report = tuned(lists, right, options)
    model = replace(whole.model, reranker=ranker, temperature=temperature)
    return FittedEnsemble(model, whole.refusals, report)


def untuned(
    pairs: Sequence[Pair],
    options: EnsembleOptions,
    *,
    source: Writing,
    target: Writing,
    jobs: int,
    name: str,
) -> FittedEnsemble:
    """Members and models of histories, all with equal shares."""
    fitted = fit_joint(
        pairs, options.joint, source=source, target=target, jobs=jobs, name=f"{name} 1"
    )
    first = fitted.model
    refused = {refusal.index for refusal in fitted.refusals}
    good = [recut(pair, first) for number, pair in enumerate(pairs) if number not in refused]
    members = [Member(first)]
    for number in range(1, options.members):
        joint, backward, sample = recipe(number, options)
        taken = sampled(good, options.seed + number) if sample else good
        if backward:
            taken = [Pair(p.source[::-1], p.target[::-1], p.weight) for p in taken]
        writings = {"source": first.source.writing, "target": first.target.writing}
        other = fit_joint(taken, joint, **writings, jobs=jobs, name=f"{name} {number + 1}")
        members.append(Member(other.model, backward))
    vowels = frozenset(sukhotin.vowels(sorted({pair.source for pair in good})))
    histories = histories_of(first, good, vowels, options) if options.histories else []
    model = EnsembleModel.of(members, histories, name=name, vowels=vowels, depth=options.depth)
    return FittedEnsemble(model, fitted.refusals, {})


def recut(pair: Pair, model: JointModel) -> Pair:
    """A pair in the symbols of a model, whose normal form may be another."""
    source, target = model.source.writing, model.target.writing
    return Pair(
        source.split(source.join(pair.source)).symbols,
        target.split(target.join(pair.target)).symbols,
        pair.weight,
    )


def recipe(number: int, options: EnsembleOptions) -> tuple[JointOptions, bool, bool]:
    """The options of a member, whether it reads backward, and whether it gets a sample."""
    joint = replace(options.joint, best_form=False)
    if number == 1:
        return joint, True, False
    if number == 2:
        wider = replace(
            joint.alignment, max_source=2, max_target=max(2, joint.alignment.max_target)
        )
        return replace(joint, alignment=wider, windows=False), False, False
    if number == 3:
        return replace(joint, order=max(2, joint.order // 2), smoothing="witten-bell"), False, False
    alignment = replace(joint.alignment, seed=joint.alignment.seed + number)
    return replace(joint, alignment=alignment, seed=joint.seed + number), number % 2 == 1, True


def sampled(pairs: Sequence[Pair], seed: int) -> list[Pair]:
    """As many pairs, drawn with repetition, in the order of the lexicon."""
    drawn = np.random.default_rng(seed).integers(0, len(pairs), len(pairs))
    return [pairs[number] for number in np.sort(drawn).tolist()]


def histories_of(
    first: JointModel, pairs: Sequence[Pair], vowels: frozenset[str], options: EnsembleOptions
) -> list[HistoryModel]:
    """Models of histories in both directions, where every unit reads one letter."""
    if any(len(source) != 1 for source in first.units.sources):
        return []
    labels = [first.labels_of(pair) for pair in pairs]
    rows = [row for row in first.best_units([pair for pair in labels if pair]) if row]
    tokens, offsets = flat(rows)
    marked = np.zeros(len(first.source.symbols) + 1, np.bool_)
    marked[[first.source.symbols[letter] for letter in vowels]] = True
    return [
        fit_histories(
            first.units,
            tokens,
            offsets,
            vowels=marked,
            backward=backward,
            penalty=options.penalty,
            seed=options.seed,
        )
        for backward in (False, True)
    ]


def held_out_lists(
    pairs: Sequence[Pair],
    whole: EnsembleModel,
    options: EnsembleOptions,
    *,
    jobs: int,
    on_stage: Stage,
) -> tuple[Lists | None, Array]:
    """Lists of words by ensembles that have not seen them, and which candidates are right."""
    references: dict[Symbols, set[Symbols]] = {}
    for pair in pairs:
        references.setdefault(pair.source, set()).add(pair.target)
    n_folds, used = folds_of(len(references), options.folds)
    source, target = whole.source.writing, whole.target.writing
    options = replace(options, joint=replace(options.joint, best_form=False))

    def work(fold: int) -> list[tuple[Lists, Array]]:
        on_stage(f"training without part {fold + 1} of {used}")
        inside = {w for w in references if int(place_of(w, seed=options.seed) * n_folds) == fold}
        rest = [pair for pair in pairs if pair.source not in inside]
        if not inside or not rest:
            return []
        part = untuned(rest, options, source=source, target=target, jobs=1, name=whole.name)
        return [*lists_of(part.model, sorted(inside), references)]

    parts = [part for _, found in in_order(work, iter(range(used)), jobs=jobs) for part in found]
    if not any(right.any() for _, right in parts):
        return None, np.zeros(0, np.bool_)
    return joined([lists for lists, _ in parts]), np.concatenate([right for _, right in parts])


def folds_of(n_words: int, asked: int | None) -> tuple[int, int]:
    """Into how many folds to divide so many words, and how many of these to use."""
    if n_words < LEAST_WORDS:
        return 1, 0
    if asked is not None:
        return max(asked, 2), asked
    if n_words <= ENOUGH_WORDS:
        return FOLDS, FOLDS
    return MOST_FOLDS, max(1, -(-ENOUGH_WORDS * MOST_FOLDS // n_words))


def lists_of(
    model: EnsembleModel, words: Sequence[Symbols], references: Mapping[Symbols, Set[Symbols]]
) -> Iterator[tuple[Lists, Array]]:
    """What an ensemble says of some words, those that it can read and has an answer to."""
    join, decode = model.source.writing.join, model.target.decode
    for begin in range(0, len(words), BLOCK):
        block = words[begin : begin + BLOCK]
        encoded = model.source.encode_all([join(word) for word in block])
        union = model.union(encoded.labels, encoded.bounds)
        sizes = np.diff(union.lists.firsts)
        outputs = [decode(union.outputs[a:b]) for a, b in pairwise(union.offsets.tolist())]
        items = np.repeat(encoded.items, sizes).tolist()
        right = [y in references[block[item]] for item, y in zip(items, outputs, strict=True)]
        if right:
            yield chosen(union.lists, np.flatnonzero(sizes))[0], np.array(right, np.bool_)


def tuned(
    lists: Lists, right: Array, options: EnsembleOptions
) -> tuple[Reranker, float, dict[str, Any]]:
    """The reranker for lists, the temperature for it, and what cross-validation said of both.

    Each trial is fitted to two thirds of the lists and judged by the others.
    """
    n = len(lists.firsts) - 1
    tests = np.random.default_rng(options.seed).random(n) < 1 / 3
    # Of very few lists there may be no third.
    tests[-1], tests[0] = True, False
    (some, some_rows), (others, rows) = (
        chosen(lists, np.flatnonzero(part)) for part in (~tests, tests)
    )
    plain = fit_shares(some, right[some_rows])
    trials: dict[tuple[int, float], Reranker] = {(NOTHING, 0.0): plain}
    for level, penalty in TRIALS if options.reranker is not False and n > 1 else ():
        trials[level, penalty] = fit_reranker(
            some, right[some_rows], plain, level=level, penalty=penalty, seed=options.seed
        )
    found = {key: errors(trial, others, right[rows]) for key, trial in trials.items()}
    allowed = [key for key in found if key[0] != NOTHING]
    if not options.reranker:
        limit = found[NOTHING, 0.0] - WORTH * math.sqrt(found[NOTHING, 0.0])
        allowed = [key for key in allowed if found[key] < limit]
    level, penalty = min(allowed, key=lambda key: (found[key], key), default=(NOTHING, 0.0))
    temperature = fit_temperature(trials[level, penalty], others, right[rows])
    ranker = fit_shares(lists, right)
    if level != NOTHING:
        ranker = fit_reranker(lists, right, ranker, level=level, penalty=penalty, seed=options.seed)
    report = {
        "lists": n,
        "level": level,
        "penalty": penalty,
        "wer": found[level, penalty] / (len(others.firsts) - 1),
        "wer_without_features": found[NOTHING, 0.0] / (len(others.firsts) - 1),
        "temperature": temperature,
    }
    return ranker, temperature, report

"""Ensembles from lexicons: members, models of histories, and the shares of all models.

Shares and weights of the reranker must be right for new words, so they are fitted on lists of
candidates by models that have not seen their words, nor, where most words have relatives and the
lexicon is not large, any relative: it is divided into folds by families of words that begin alike,
and for each fold a smaller ensemble is trained on the others. In a large lexicon a few folds are
lists enough. `glyphone.fst.ensembles.tuning` fits the reranker to these lists.

>>> from glyphone.fst.joint.training import JointOptions
>>> lexicon = {"phi": "fi", "hi": "hi", "pi": "pi", "graph": "graf", "rag": "rag"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> options = EnsembleOptions(joint=JointOptions(order=3), members=2)
>>> fit_ensemble(pairs, options, target=Writing()).model("graphi").output
'grafi'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError
from glyphone.data.lexicons.families import families_of
from glyphone.data.lexicons.splits import point_of_word
from glyphone.data.parallel import map_in_order
from glyphone.data.records import Pair, Symbols
from glyphone.data.writing import LETTERS, PHONES, Writing
from glyphone.fst.ensembles.early_answers import (
    NEVER,
    answers_or_proposals,
    best_shares,
    fit_sure,
    proposals_for,
)
from glyphone.fst.ensembles.judges import Teacher
from glyphone.fst.ensembles.members import (
    FEW_WORDS,
    EnsembleOptions,
    FittedEnsemble,
    fit_untuned,
    resegment,
)
from glyphone.fst.ensembles.model import EnsembleModel
from glyphone.fst.ensembles.reranking.fitting import best_are_right
from glyphone.fst.ensembles.reranking.model import join_lists, select_lists
from glyphone.fst.ensembles.reranking.training_kernels import CandidateLists
from glyphone.fst.ensembles.self_training import agreed_pairs
from glyphone.fst.ensembles.tuning import tune_reranker

# Words that are enough to fit the shares of a handful of models, and features of whole outputs.
ENOUGH_WORDS = 12_000
# With fewer words the lists would be of models too unlike the one that is made in the end.
LEAST_WORDS = 20
FOLDS, MOST_FOLDS = 3, 10
BLOCK = 1024

Array = Any


def fit_ensemble(
    pairs: Sequence[Pair],
    options: EnsembleOptions | None = None,
    *,
    source: Writing = LETTERS,
    target: Writing = PHONES,
    jobs: int = 1,
    name: str = "ensemble",
    teachers: Sequence[Teacher] = (),
    unlabelled: Sequence[str] = (),
) -> FittedEnsemble:
    """An ensemble of a lexicon; `teachers` make its judges.

    It learns from `unlabelled` words, too: see `glyphone.fst.ensembles.self_training`.
    """
    # Ensembles of folds, which have fewer words, propose as the whole does.
    options = (options or EnsembleOptions()).with_proposals(len(pairs))
    if options.members < 1:
        raise GlyphoneError(f"an ensemble of {options.members} members", remedy="ask for 1 or more")
    sides = {"source": source, "target": target}
    whole = fit_untuned(pairs, options, **sides, jobs=jobs, name=name, teachers=teachers)
    refused = {refusal.index for refusal in whole.refusals}
    first = whole.model.first
    good = [resegment(pair, first) for number, pair in enumerate(pairs) if number not in refused]
    held_out = held_out_lists(good, whole.model, options, jobs=jobs, teachers=teachers)
    model, report = whole.model, dict[str, Any]()
    if held_out is not None:
        lists, right = held_out.lists, held_out.right
        found = tune_reranker(
            lists,
            right,
            late_columns=whole.model.panel.late_columns,
            reranker=options.reranker,
            seed=options.seed,
        )
        sure = fit_sure(held_out.shares, held_out.early, best_are_right(found.ranker, lists, right))
        model = replace(
            model,
            reranker=found.ranker,
            temperature=found.temperature,
            missing=found.missing,
            sure=sure,
            reach=found.reach,
        )
        report = {**found.report, "sure": sure if sure <= 1 else None}
    if unlabelled:
        known = {model.source.writing.join(pair.source) for pair in good}
        new = [word for word in unlabelled if word not in known]
        more = agreed_pairs(model, new, least=options.agreement, jobs=jobs)
        report |= {"unlabelled": len(new), "agreed": len(more)}
        model = retrain_members(model, [*good, *more], options, jobs=jobs, teachers=teachers)
    return FittedEnsemble(model, whole.refusals, report)


def retrain_members(
    model: EnsembleModel,
    pairs: Sequence[Pair],
    options: EnsembleOptions,
    *,
    jobs: int,
    teachers: Sequence[Teacher],
) -> EnsembleModel:
    """The ensemble with members that learn from other pairs; shares and settings are kept."""
    options = replace(options, joint=replace(options.joint, best_form=False))
    sides = {"source": model.source.writing, "target": model.target.writing}
    other = fit_untuned(
        pairs, options, **sides, jobs=jobs, name=model.name, teachers=teachers
    ).model
    return replace(
        other,
        reranker=model.reranker,
        temperature=model.temperature,
        missing=model.missing,
        sure=model.sure,
        reach=model.reach,
    )


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Lists of candidates by ensembles that have not seen the words; `right` are True.

    `shares` are those of the best outputs of the first member, `early` whether these are right.
    """

    lists: CandidateLists
    right: Array
    shares: Array
    early: Array


def held_out_lists(
    pairs: Sequence[Pair],
    whole: EnsembleModel,
    options: EnsembleOptions,
    *,
    jobs: int,
    teachers: Sequence[Teacher] = (),
) -> HeldOut | None:
    """Lists of held-out words by ensembles of the other folds; None if no candidate is right."""
    references: dict[Symbols, set[Symbols]] = {}
    for pair in pairs:
        references.setdefault(pair.source, set()).add(pair.target)
    n_folds, used = fold_counts(len(references), options.folds)
    together = held_out_groups(references)
    folds = {w: int(point_of_word(f, seed=options.seed) * n_folds) for w, f in together.items()}
    sides = {"source": whole.source.writing, "target": whole.target.writing}
    options = replace(options, joint=replace(options.joint, best_form=False))

    def work(fold: int) -> list[HeldOut]:
        inside = {w for w in references if folds[w] == fold}
        rest = [pair for pair in pairs if pair.source not in inside]
        if not inside or not rest:
            return []
        part = fit_untuned(rest, options, **sides, jobs=1, name=whole.name, teachers=teachers)
        return [*judged_lists(part.model, sorted(inside), references)]

    works = map_in_order(work, iter(range(used)), jobs=jobs)
    judged = progress.steps(works, "training without a part", total=used)
    parts = [part for _, found in judged for part in found]
    if not any(part.right.any() for part in parts):
        return None
    return HeldOut(
        join_lists([part.lists for part in parts]),
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("right", "shares", "early")
        ),
    )


def held_out_groups(words: Collection[Symbols]) -> dict[Symbols, Symbols]:
    """For each word the first of its group that is held out together: its family, or the word.

    Families are held out in a lexicon of forms that is not large: new words come without their
    relatives. Where few words have relatives, new words have as many as those that are held out; in
    a large lexicon the relatives of most new words are there.
    """
    if len(words) <= FEW_WORDS:
        families = families_of(words)
        alone = sum(1 for size in Counter(families.values()).values() if size == 1)
        if 2 * alone < len(words):
            return families
    return {word: word for word in words}


def fold_counts(n_words: int, asked: int | None) -> tuple[int, int]:
    """The number of folds of so many words, and the number of those that are used."""
    if n_words < LEAST_WORDS:
        return 1, 0
    if asked is not None:
        return max(asked, 2), asked
    if n_words <= ENOUGH_WORDS:
        return FOLDS, FOLDS
    return MOST_FOLDS, max(1, round(ENOUGH_WORDS * MOST_FOLDS / n_words))


def judged_lists(
    model: EnsembleModel, words: Sequence[Symbols], references: Mapping[Symbols, Set[Symbols]]
) -> Iterator[HeldOut]:
    """Lists of some words by an ensemble, of those that it can read and answer."""
    join, decode = model.source.writing.join, model.target.decode
    for begin in range(0, len(words), BLOCK):
        block = words[begin : begin + BLOCK]
        encoded = model.source.encode_all([join(word) for word in block])
        good = [references[block[item]] for item in encoded.items.tolist()]
        strings = (encoded.labels, encoded.bounds)
        found = answers_or_proposals(
            model.first, *strings, sure=NEVER, most=model.depth, margin=model.margin
        )
        by_first = proposals_for(found, np.arange(len(good)))
        scored = model.score_proposals(*strings, by_first=by_first, whole=True)
        sizes = np.diff(scored.lists.firsts)
        items = np.repeat(np.arange(len(good)), sizes).tolist()
        right = [
            decode(scored.outputs[a:b]) in good[item]
            for item, (a, b) in zip(items, pairwise(scored.offsets.tolist()), strict=True)
        ]
        if not right:
            continue
        early = np.zeros(len(good), np.bool_)
        for item in np.flatnonzero(np.diff(found.firsts)).tolist():
            a, b = found.offsets[found.firsts[item] : found.firsts[item] + 2]
            early[item] = decode(found.labels[a:b]) in good[item]
        full = np.flatnonzero(sizes)
        lists, _ = select_lists(scored.lists, full)
        yield HeldOut(lists, np.array(right, np.bool_), best_shares(found)[full], early[full])

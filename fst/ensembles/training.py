"""Ensembles from lexicons: members, models of histories, and the shares that each deserves.

Shares and weights of the reranker must be right for new words, so they are fitted on lists of
words that the models which made them have not seen, nor, where most words have relatives and the
lexicon is not large, any of these: it is divided into folds by families of words that begin alike,
and for each fold a smaller ensemble is trained on the others. In a large lexicon a few folds are
lists enough; what is made of them stands in `glyphone.fst.ensembles.tuning`.

>>> from glyphone.fst.joint.training import JointOptions
>>> lexicon = {"phi": "fi", "hi": "hi", "pi": "pi", "graph": "graf", "rag": "rag"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> options = EnsembleOptions(joint=JointOptions(order=3), members=2)
>>> fit_ensemble(pairs, options, target=Writing()).model("graphi").output
'grafi'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.data.lexicons.families import families_of
from glyphone.data.lexicons.splits import place_of
from glyphone.data.parallel import in_order
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
    recut,
    untuned,
)
from glyphone.fst.ensembles.model import EnsembleModel
from glyphone.fst.ensembles.reranking.model import chosen, heads, joined
from glyphone.fst.ensembles.reranking.training_kernels import Lists
from glyphone.fst.ensembles.self_training import agreed
from glyphone.fst.ensembles.tuning import tuned

# Words that are enough to tell the shares of a handful of models, and features of whole outputs.
ENOUGH_WORDS = 12_000
# With fewer words the lists would be of models too unlike the one that is made in the end.
LEAST_WORDS = 20
FOLDS, MOST_FOLDS = 3, 10
BLOCK = 1024

Array = Any
Stage = Callable[[str], None]


def fit_ensemble(
    pairs: Sequence[Pair],
    options: EnsembleOptions | None = None,
    *,
    source: Writing = LETTERS,
    target: Writing = PHONES,
    jobs: int = 1,
    name: str = "ensemble",
    on_stage: Stage | None = None,
    teachers: Sequence[Teacher] = (),
    unlabelled: Sequence[str] = (),
) -> FittedEnsemble:
    """An ensemble of a lexicon; `teachers` make its judges.

    It learns from `unlabelled` words, too: see `glyphone.fst.ensembles.self_training`.
    """
    # Ensembles of folds, which have fewer words, propose as the whole does.
    options = (options or EnsembleOptions()).with_proposals(len(pairs))
    tell = on_stage or (lambda stage: None)
    if options.members < 1:
        raise GlyphoneError(f"an ensemble of {options.members} members", remedy="ask for 1 or more")
    tell("training the members")
    sides = {"source": source, "target": target}
    whole = untuned(pairs, options, **sides, jobs=jobs, name=name, teachers=teachers)
    refused = {refusal.index for refusal in whole.refusals}
    first = whole.model.first
    good = [recut(pair, first) for number, pair in enumerate(pairs) if number not in refused]
    held_out = held_out_lists(
        good, whole.model, options, jobs=jobs, on_stage=tell, teachers=teachers
    )
    model, report = whole.model, dict[str, Any]()
    if held_out is not None:
        tell("fitting the shares of members")
        lists, right = held_out.lists, held_out.right
        found = tuned(
            lists,
            right,
            last_columns=whole.model.panel.late_columns,
            reranker=options.reranker,
            seed=options.seed,
        )
        sure = fit_sure(held_out.shares, held_out.early, heads(found.ranker, lists, right))
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
        tell("answering words without answers")
        known = {model.source.writing.join(pair.source) for pair in good}
        new = [word for word in unlabelled if word not in known]
        more = agreed(model, new, least=options.agreement, jobs=jobs)
        report |= {"unlabelled": len(new), "agreed": len(more)}
        tell(f"training the members with {len(more)} words more")
        model = retrained(model, [*good, *more], options, jobs=jobs, teachers=teachers)
    return FittedEnsemble(model, whole.refusals, report)


def retrained(
    model: EnsembleModel,
    pairs: Sequence[Pair],
    options: EnsembleOptions,
    *,
    jobs: int,
    teachers: Sequence[Teacher],
) -> EnsembleModel:
    """The same ensemble of members that have learnt from other pairs."""
    options = replace(options, joint=replace(options.joint, best_form=False))
    sides = {"source": model.source.writing, "target": model.target.writing}
    other = untuned(pairs, options, **sides, jobs=jobs, name=model.name, teachers=teachers).model
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
    """Lists of words by ensembles that have not seen them, and which candidates are right.

    Of the best output of the first member alone: its share of the mass, and if it is right.
    """

    lists: Lists
    right: Array
    shares: Array
    early: Array


def held_out_lists(
    pairs: Sequence[Pair],
    whole: EnsembleModel,
    options: EnsembleOptions,
    *,
    jobs: int,
    on_stage: Stage,
    teachers: Sequence[Teacher] = (),
) -> HeldOut | None:
    """What ensembles of parts of the lexicon say of the others; None if nothing of it is right."""
    references: dict[Symbols, set[Symbols]] = {}
    for pair in pairs:
        references.setdefault(pair.source, set()).add(pair.target)
    n_folds, used = folds_of(len(references), options.folds)
    together = together_of(references)
    folds = {w: int(place_of(f, seed=options.seed) * n_folds) for w, f in together.items()}
    sides = {"source": whole.source.writing, "target": whole.target.writing}
    options = replace(options, joint=replace(options.joint, best_form=False))

    def work(fold: int) -> list[HeldOut]:
        on_stage(f"training without part {fold + 1} of {used}")
        inside = {w for w in references if folds[w] == fold}
        rest = [pair for pair in pairs if pair.source not in inside]
        if not inside or not rest:
            return []
        part = untuned(rest, options, **sides, jobs=1, name=whole.name, teachers=teachers)
        return [*lists_of(part.model, sorted(inside), references)]

    parts = [part for _, found in in_order(work, iter(range(used)), jobs=jobs) for part in found]
    if not any(part.right.any() for part in parts):
        return None
    return HeldOut(
        joined([part.lists for part in parts]),
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("right", "shares", "early")
        ),
    )


def together_of(words: Collection[Symbols]) -> dict[Symbols, Symbols]:
    """The first of those with whom each word is held out: its family, where most words have one.

    New words of a lexicon that lists forms come without theirs. Where few words have relatives, new
    ones have as many as those held out; in a large lexicon, the relatives of most are there.
    """
    if len(words) <= FEW_WORDS:
        families = families_of(words)
        alone = sum(1 for size in Counter(families.values()).values() if size == 1)
        if 2 * alone < len(words):
            return families
    return {word: word for word in words}


def folds_of(n_words: int, asked: int | None) -> tuple[int, int]:
    """Into how many folds to divide so many words, and how many of these to use."""
    if n_words < LEAST_WORDS:
        return 1, 0
    if asked is not None:
        return max(asked, 2), asked
    if n_words <= ENOUGH_WORDS:
        return FOLDS, FOLDS
    return MOST_FOLDS, max(1, round(ENOUGH_WORDS * MOST_FOLDS / n_words))


def lists_of(
    model: EnsembleModel, words: Sequence[Symbols], references: Mapping[Symbols, Set[Symbols]]
) -> Iterator[HeldOut]:
    """What an ensemble says of some words, those that it can read and has an answer to."""
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
        lists, _ = chosen(scored.lists, full)
        yield HeldOut(lists, np.array(right, np.bool_), best_shares(found)[full], early[full])

"""The members, histories and judges of an ensemble, trained on a lexicon, with equal shares.

Models help each other by being wrong about different words: they read in both directions, have
units of other sizes, histories of other lengths, or learn from other samples of the lexicon.

>>> lexicon = {"phi": "fi", "hi": "hi", "pi": "pi", "graph": "graf", "rag": "rag"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> options = EnsembleOptions(joint=JointOptions(order=3), members=2)
>>> fitted = fit_untuned(pairs, options, source=Writing(), target=Writing(), jobs=1, name="small")
>>> [member.backward for member in fitted.model.members], fitted.model.reranker.shares.tolist()
([False, True], [0.25, 0.25, 0.25, 0.25])
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.alignment.training import Refusal
from glyphone.fst.context import vowels as context_vowels
from glyphone.fst.context.histories import HistoryModel, fit_histories
from glyphone.fst.ensembles.judges import Judge, Proposer, Teacher
from glyphone.fst.ensembles.model import DEPTH, EnsembleModel
from glyphone.fst.ensembles.panel import MARGIN, Member
from glyphone.fst.ensembles.self_training import SURE
from glyphone.fst.ensembles.spelling import Spelling
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.training import JointOptions, fit_joint
from glyphone.fst.ngrams.counts import flatten

# With no more words relatives are held out together, and members propose more: they are less sure,
# and right outputs are often further behind.
FEW_WORDS = 12_000
FEW_DEPTH, FEW_MARGIN = 20, 6.0


@dataclass(frozen=True, kw_only=True)
class EnsembleOptions:
    """Options of training; the defaults need no expert.

    The first `members` are: the joint model of `joint`; one that reads backward; one of units of up
    to two letters, which proposes nothing where a judge proposes outputs, or, beside a judge that
    spells, one of units alone, which never proposes; one of a lower order; then others of samples
    of the lexicon, drawn with repetition. `histories` adds two models of histories, forward and
    backward, where every unit reads one letter; None adds them unless there are two judges.
    `reranker` says whether features of outputs are used; None leaves it to cross-validation.
    `agreement` is the least posterior of an answer to a word without one for members to learn from
    it; see `glyphone.fst.ensembles.self_training`. Each member proposes `depth` outputs at most,
    within a `margin` of its best, in nats; without a choice more where words are few.
    """

    joint: JointOptions = field(default_factory=JointOptions)
    members: int = 3
    histories: bool | None = None
    reranker: bool | None = None
    folds: int | None = None
    depth: int | None = None
    margin: float | None = None
    penalty: float = 1.0
    agreement: float = SURE
    seed: int = 0

    def with_proposals(self, n_words: int) -> EnsembleOptions:
        """Options with a depth and a margin, where none was chosen: those for so many words."""
        usual = (FEW_DEPTH, FEW_MARGIN) if n_words <= FEW_WORDS else (DEPTH, MARGIN)
        depth = usual[0] if self.depth is None else self.depth
        margin = usual[1] if self.margin is None else float(self.margin)
        if depth < 1 or not 0 < margin < math.inf:
            reason = f"proposals up to number {depth} within a margin of {margin}"
            raise GlyphoneError(reason, remedy="ask for 1 or more, and for more than 0 nats")
        return replace(self, depth=depth, margin=margin)


@dataclass(frozen=True, eq=False)
class FittedEnsemble:
    """An ensemble, the pairs that it could not be trained on, and the figures of its tuning."""

    model: EnsembleModel
    refusals: tuple[Refusal, ...]
    report: dict[str, Any]


def fit_untuned(
    pairs: Sequence[Pair],
    options: EnsembleOptions,
    *,
    source: Writing,
    target: Writing,
    jobs: int,
    name: str,
    teachers: Sequence[Teacher] = (),
) -> FittedEnsemble:
    """Members, models of histories and judges, all with equal shares."""
    options = options.with_proposals(len(pairs))
    fitted = fit_joint(
        pairs, options.joint, source=source, target=target, jobs=jobs, name=f"{name} 1"
    )
    first = fitted.model
    refused = {refusal.index for refusal in fitted.refusals}
    good = [resegment(pair, first) for number, pair in enumerate(pairs) if number not in refused]
    vowels = frozenset(context_vowels.find_vowels(sorted({pair.source for pair in good})))
    wanted = len(teachers) < 2 if options.histories is None else options.histories
    histories = fit_history_models(first, good, vowels, options) if wanted else []
    judges = fit_judges(first, good, teachers, jobs) if teachers else ()
    a_judge_proposes = any(isinstance(judge, Proposer) for judge in judges)
    spelled = any(isinstance(judge, Spelling) for judge in judges)
    members = [Member(first)]
    for number in progress.steps(range(1, options.members), "training members"):
        joint, backward, sample = member_options(number, options, spelled=spelled)
        taken = bootstrap_sample(good, options.seed + number) if sample else good
        if backward:
            taken = [Pair(p.source[::-1], p.target[::-1], p.weight) for p in taken]
        writings = {"source": first.source.writing, "target": first.target.writing}
        other = fit_joint(taken, joint, **writings, jobs=jobs, name=f"{name} {number + 1}")
        # Proposals take a model of wider units three times as long as others; those of units alone
        # are not worth their time.
        silent = number == 2 and (spelled or a_judge_proposes)
        members.append(Member(other.model, backward, not silent))
    model = EnsembleModel.of(
        members,
        histories,
        name=name,
        vowels=vowels,
        judges=judges,
        depth=options.depth,
        margin=options.margin,
    )
    return FittedEnsemble(model, fitted.refusals, {})


def resegment(pair: Pair, model: JointModel) -> Pair:
    """A pair in the symbols of a model, whose normal form may be another."""
    source, target = model.source.writing, model.target.writing
    return Pair(
        source.split(source.join(pair.source)).symbols,
        target.split(target.join(pair.target)).symbols,
        pair.weight,
    )


def member_options(
    number: int, options: EnsembleOptions, *, spelled: bool
) -> tuple[JointOptions, bool, bool]:
    """The options of a member, whether it reads backward, and whether it gets a sample."""
    joint = replace(options.joint, best_form=False)
    if number == 1:
        return joint, True, False
    if number == 2 and spelled:
        return replace(joint, order=1, windows=False), False, False
    if number == 2:
        wider = replace(
            joint.alignment, max_source=2, max_target=max(2, joint.alignment.max_target)
        )
        return replace(joint, alignment=wider, windows=False), False, False
    if number == 3:
        return replace(joint, order=max(2, joint.order // 2), smoothing="witten-bell"), False, False
    alignment = replace(joint.alignment, seed=joint.alignment.seed + number)
    return replace(joint, alignment=alignment, seed=joint.seed + number), number % 2 == 1, True


def bootstrap_sample(pairs: Sequence[Pair], seed: int) -> list[Pair]:
    """A sample of as many pairs, drawn with repetition, in the order of the lexicon."""
    drawn = np.random.default_rng(seed).integers(0, len(pairs), len(pairs))
    return [pairs[number] for number in np.sort(drawn).tolist()]


def fit_history_models(
    first: JointModel, pairs: Sequence[Pair], vowels: frozenset[str], options: EnsembleOptions
) -> list[HistoryModel]:
    """Models of histories in both directions, where every unit reads one letter."""
    if any(len(source) != 1 for source in first.units.sources):
        return []
    labels = [first.labels_of(pair) for pair in pairs]
    rows = [row for row in first.best_units([pair for pair in labels if pair]) if row]
    tokens, offsets = flatten(rows)
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


def fit_judges(
    first: JointModel, pairs: Sequence[Pair], teachers: Sequence[Teacher], jobs: int
) -> tuple[Judge, ...]:
    """Judges learnt from pairs as the first member aligns them."""
    labels = [first.labels_of(pair) for pair in pairs]
    rows = first.best_units([pair for pair in labels if pair])
    alignments = [first.alignment(row) for row in rows if row]
    found = (teach(alignments, first.source, first.target, jobs) for teach in teachers)
    return tuple(judge for judge in found if judge is not None)

"""From pairs to a joint model: alignment, then n-grams of the units and windows.

Two things are found out from the lexicon. The longest target of a unit: it grows as long as many
pairs cannot be aligned otherwise. And, where it is asked for, the normal form of the source: see
`glyphone.fst.interface.normal_form`.

>>> lexicon = {"phi": "fi", "hi": "hi", "pi": "pi", "graph": "graf", "rag": "rag"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> fit_joint(pairs, target=Writing()).model("graphi").output
'grafi'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from glyphone.data.records import Pair
from glyphone.data.writing import LETTERS, PHONES, Writing
from glyphone.fst.alignment.refusals import fit_or_explain
from glyphone.fst.alignment.training import AlignmentOptions, Refusal
from glyphone.fst.context.windows import RATE
from glyphone.fst.interface.learning import (
    LearningResult,
    LearningSettings,
    align_lexicon,
    with_alignment,
)
from glyphone.fst.joint.model import JointModel, train_joint
from glyphone.fst.ngrams.smoothing import Smoothing


@dataclass(frozen=True, kw_only=True)
class JointOptions:
    """How a joint model is made; the defaults need no expert.

    `windows` are left to whether every unit reads one letter, unless they are asked for or not;
    `window_rate` is the rate at which they are learnt.
    With `widen` units may write more than `alignment.max_target` symbols, 4 at most, if ten pairs
    and one in a hundred are too long otherwise. `best_form` chooses the normal form of the source.
    """

    order: int = 8
    smoothing: Smoothing = "modified-kneser-ney"
    windows: bool | None = None
    window_rate: float = RATE
    widen: bool = True
    best_form: bool = False
    seed: int = 0
    alignment: AlignmentOptions = field(
        default_factory=lambda: AlignmentOptions(max_source=1, max_target=2, tolerance=1e-3)
    )


@dataclass(frozen=True, eq=False)
class Fitted:
    """A model, and the pairs that it could not be trained on."""

    model: JointModel
    refusals: tuple[Refusal, ...]


def fit_joint(
    pairs: Sequence[Pair],
    options: JointOptions | None = None,
    *,
    source: Writing = LETTERS,
    target: Writing = PHONES,
    jobs: int = 1,
    name: str = "joint",
) -> Fitted:
    """A joint model of a lexicon; a pair counts as often as its weight says."""
    options = options or JointOptions()
    plain = replace(options, best_form=False)

    def learn(some: Sequence[Pair], source: Writing) -> JointModel:
        return fit_joint(some, plain, source=source, target=target, jobs=jobs).model

    lexicon = align_lexicon(pairs, options, learn, source=source, target=target, jobs=jobs)
    weighted = any(weight != 1 for weight in lexicon.weights)
    one_each = options.alignment.max_source == 1 and options.alignment.insertions == 0
    model = train_joint(
        lexicon.alignments,
        source=lexicon.source,
        target=target,
        order=options.order,
        smoothing_method=options.smoothing,
        weights=lexicon.weights if weighted else None,
        insertions=options.alignment.insertions,
        windows=one_each if options.windows is None else options.windows,
        window_rate=options.window_rate,
        seed=options.seed,
        jobs=jobs,
        name=name,
    )
    return Fitted(model, lexicon.refusals)


def learn_joint(pairs: Sequence[Pair], settings: LearningSettings) -> LearningResult:
    """A joint model; options are those of `JointOptions` and `AlignmentOptions`."""
    options = joint_options(settings.chosen, settings.seed)
    told = settings.fit_arguments("joint")
    fitted = fit_or_explain(fit_joint, pairs, options, options.alignment, **told)
    model = fitted.model
    sizes = {"units": len(model.units), "n-grams": len(model.ngrams.tokens)}
    return LearningResult(model, fitted.refusals, asdict(options), sizes)


def joint_options(
    chosen: Mapping[str, Any], seed: int, *, known: Iterable[str] = ()
) -> JointOptions:
    """Options of a joint model; `known` are those of an ensemble, for errors."""
    kind = "an ensemble" if known else "a joint model"
    return with_alignment(JointOptions(), chosen, seed, kind=kind, known=known)

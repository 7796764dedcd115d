"""Training of joint models: pairs are aligned, then n-grams of the units and windows are learnt.

Two settings are found from the lexicon: the longest target of a unit, which grows as long as many
pairs cannot be aligned otherwise, and, on request, the normal form of the source: see
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

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Alignment, Pair
from glyphone.data.writing import LETTERS, PHONES, Writing
from glyphone.fst.alignment.refusals import fit_or_explain
from glyphone.fst.alignment.training import AlignmentOptions, Refusal
from glyphone.fst.alignment.units import Units
from glyphone.fst.context.windows import RATE, fit_windows
from glyphone.fst.interface.codec import Side, number_symbols
from glyphone.fst.interface.learning import (
    LearningResult,
    LearningSettings,
    align_lexicon,
    with_alignment,
)
from glyphone.fst.joint.model import JointModel
from glyphone.fst.ngrams.counts import flatten
from glyphone.fst.ngrams.smoothing import Smoothing
from glyphone.fst.ngrams.smoothing import train as train_ngrams


@dataclass(frozen=True, kw_only=True)
class JointOptions:
    """Options of training; the defaults need no expert.

    Without a choice there are `windows` where every unit reads one letter; `window_rate` is the
    rate at which they are learnt.
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
class FittedJoint:
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
) -> FittedJoint:
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
    return FittedJoint(model, lexicon.refusals)


def train_joint(
    alignments: Sequence[Alignment],
    *,
    source: Writing,
    target: Writing,
    order: int = 8,
    smoothing_method: Smoothing = "modified-kneser-ney",
    weights: Sequence[float] | None = None,
    insertions: int = 0,
    windows: bool = False,
    window_rate: float = RATE,
    seed: int = 0,
    jobs: int = 1,
    name: str = "joint",
) -> JointModel:
    """The model of aligned pairs; `weights` say how often each pair counts.

    Only where each unit reads one letter can there be windows.
    """
    if not alignments:
        raise GlyphoneError("there is nothing to train on", remedy="give one pair at least")
    rows = [alignment.units for alignment in alignments]
    letters = Side(source, number_symbols(x for row in rows for x, _ in row), name)
    phones = Side(target, number_symbols(y for row in rows for _, y in row), name)
    distinct = {unit for row in rows for unit in row}
    labels = {
        (x, y): (
            tuple(letters.symbols[symbol] for symbol in x),
            tuple(phones.symbols[symbol] for symbol in y),
        )
        for x, y in distinct
    }
    units = Units.of(labels.values(), n_labels=len(letters.symbols) + 1)
    number = {unit: units.numbers[pair] for unit, pair in labels.items()}
    tokens, offsets = flatten([[number[unit] for unit in row] for row in rows])
    ngrams = train_ngrams(
        tokens,
        offsets,
        n_words=len(units),
        order=order,
        smoothing=smoothing_method,
        weights=weights,
    )
    model = JointModel(letters, phones, units, ngrams.astype(np.float32), name, insertions)
    if not windows:
        return model
    if any(len(source) != 1 for source in units.sources):
        remedy = "leave out the windows, or set max_source to 1 and insertions to 0"
        raise GlyphoneError("windows need units that read one letter each", remedy=remedy)
    fitted = fit_windows(
        units, tokens, offsets, weights=weights, rate=window_rate, seed=seed, jobs=jobs
    )
    return replace(model, windows=fitted)


def learn_joint(pairs: Sequence[Pair], settings: LearningSettings) -> LearningResult:
    """A joint model; options are those of `JointOptions` and `AlignmentOptions`."""
    options = joint_options(settings.chosen, settings.seed)
    sides = settings.fit_arguments("joint")
    fitted = fit_or_explain(fit_joint, pairs, options, options.alignment, **sides)
    model = fitted.model
    sizes = {"units": len(model.units), "n-grams": len(model.ngrams.tokens)}
    return LearningResult(model, fitted.refusals, asdict(options), sizes)


def joint_options(
    chosen: Mapping[str, Any], seed: int, *, known: Iterable[str] = ()
) -> JointOptions:
    """Options of a joint model; `known` are those of an ensemble, for errors."""
    kind = "an ensemble" if known else "a joint model"
    return with_alignment(JointOptions(), chosen, seed, kind=kind, known=known)

"""From pairs to a joint model: alignment, then n-grams of the units.

>>> lexicon = {"phi": "fi", "hi": "hi", "pi": "pi", "graph": "graf", "rag": "rag"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> fit_joint(pairs, target=Writing()).model("graphi").output
'grafi'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.align import AlignmentOptions, Refusal, fit
from glyphone.fst.joint import JointModel, train_joint
from glyphone.fst.smoothing import Smoothing

LETTERS, PHONES = Writing(), Writing(unit="token")


@dataclass(frozen=True, kw_only=True)
class JointOptions:
    """How a joint model is made; the defaults need no expert.

    `windows` are left to whether every unit reads one letter, unless they are asked for or not.
    """

    order: int = 8
    smoothing: Smoothing = "modified-kneser-ney"
    windows: bool | None = False
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
    aligner = fit(pairs, options.alignment, jobs=jobs)
    alignments, refusals = aligner.align_all(pairs, jobs=jobs)
    kept = [
        (alignment, pair.weight)
        for alignment, pair in zip(alignments, pairs, strict=True)
        if alignment is not None
    ]
    weights = [weight for _, weight in kept]
    one_each = options.alignment.max_source == 1 and options.alignment.insertions == 0
    model = train_joint(
        [alignment for alignment, _ in kept],
        source=source,
        target=target,
        order=options.order,
        smoothing_method=options.smoothing,
        weights=weights if any(weight != 1 for weight in weights) else None,
        insertions=options.alignment.insertions,
        windows=one_each if options.windows is None else options.windows,
        seed=options.seed,
        name=name,
    )
    return Fitted(model, tuple(refusals))

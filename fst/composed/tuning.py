"""The share of a prior, and the floor of a vocabulary, fitted on held-out words.

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.joint.training import train_joint
>>> from glyphone.fst.composed.vocabulary import vocabulary_of
>>> rows = [Alignment(((("a",), (y,)),)) for y in "xxy"]
>>> joint = train_joint(rows, source=Writing(), target=Writing(), order=1)
>>> words = vocabulary_of([("y", 0.5)], joint.target)
>>> held_out = [Pair(("a",), ("y",))]
>>> fit_prior(ComposedModel(joint), held_out, settings_like(words))("a").output
'y'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair
from glyphone.fst.composed.arrays import Prior
from glyphone.fst.composed.model import ComposedModel
from glyphone.fst.composed.vocabulary import Vocabulary

SHARES = (0.25, 0.5, 0.75, 1.0)
FLOORS = (1e-16, 1e-14, 1e-12, 1e-10, 1e-8)


def settings_like(prior: Prior) -> list[Prior]:
    """Copies of a prior with all shares and floors that are worth a try."""
    if isinstance(prior, Vocabulary):
        return [replace(prior, share=share, floor=floor) for share in SHARES for floor in FLOORS]
    return [replace(prior, share=share) for share in SHARES]


def fit_prior(
    model: ComposedModel, pairs: Sequence[Pair], priors: Sequence[Prior | None]
) -> ComposedModel:
    """The model with the prior that gets most of the sources right; of equals, the first.

    A source may have several targets. No model may have been trained on the pairs.
    """
    if not pairs or not priors:
        remedy = "give one pair and one prior at least"
        raise GlyphoneError("there is nothing to fit a prior with", remedy=remedy)
    wanted: dict[str, set[str]] = {}
    for pair in pairs:
        source = model.source.writing.join(pair.source)
        wanted.setdefault(source, set()).add(model.target.writing.join(pair.target))
    models = [replace(model, prior=prior) for prior in priors]
    return max(models, key=lambda one: n_right(one, wanted))


def n_right(model: ComposedModel, wanted: dict[str, set[str]]) -> int:
    """The number of sources whose best output is among their targets."""
    found = model.answer([*wanted])
    firsts = found.firsts
    return sum(
        found.outputs[first] in targets
        for first, end, targets in zip(firsts, firsts[1:], wanted.values(), strict=False)
        if end > first
    )
